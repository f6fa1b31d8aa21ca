package producers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/model"
)

func TestCompilerOf(t *testing.T) {
	for text, want := range map[string]string{
		"GCC: (Debian 12.2.0-14) 12.2.0":              "GCC 12.2.0",
		"GCC: 14.1.0":                                 "GCC 14.1.0",
		"GNU C17 12.2.0 -mtune=generic -O2":           "GCC 12.2.0",
		"GNU C++17 13.2.0":                            "GCC 13.2.0",
		"Debian clang version 14.0.6":                 "clang 14.0.6",
		"Ubuntu clang version 18.1.3 (1ubuntu1)":      "clang 18.1.3",
		"GNU AS 2.40":                                 "",
		"Linker: LLD 14.0.6":                          "",
		"rustc version 1.80.0 (051478957 2024-07-21)": "",
		"": "",
	} {
		got, ok := producers.CompilerOf(text)
		assert.Equal(t, want != "", ok, text)
		if ok {
			assert.Equal(t, want, got.String())
		}
	}
}

func TestCompilerAdvice(t *testing.T) {
	sp := func(id model.ABI, n int64) (model.ABIInfo, model.Recovery) {
		abi := model.LookupABI(id)
		return abi, model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: n}
	}
	s390x, early := sp(model.SFRAME_ABI_S390X_ENDIAN_BIG, 160)
	_, right := sp(model.SFRAME_ABI_S390X_ENDIAN_BIG, 328)
	arm, entry := sp(model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, 0)
	w := producers.Wrong{ABI: s390x, Rule: "SF3114", Says: early, Truth: right}
	gcc := producers.Compiler{Name: "GCC", Version: "12.2.0"}
	assert.Contains(t, gcc.Advice(&w), "-fno-schedule-insns2")
	assert.NotContains(t, producers.Compiler{Name: "GCC", Version: "13.1.0"}.Advice(&w), "known")
	w.Says, w.Truth = right, early
	assert.Equal(t, "GCC 12.2.0 wrote the CFI: report the fault to its authors", gcc.Advice(&w))
	w = producers.Wrong{ABI: s390x, Rule: "SF3116", Proof: []string{`.text+0x6: 60a0f070 "std %f10,112(%r15)"`}}
	assert.Contains(t, gcc.Advice(&w), "-mpacked-stack")
	w = producers.Wrong{ABI: arm, Rule: "SF3114", Says: entry}
	assert.NotContains(t, producers.Compiler{Name: "clang", Version: "14.0.6"}.Advice(&w), "known", "wrong at calls, too")
	w.AtCalls = true
	assert.Contains(t, producers.Compiler{Name: "clang", Version: "14.0.6"}.Advice(&w), "clang 15 or later")
	assert.Contains(t, producers.Compiler{Name: "clang", Version: "17.0.1"}.Advice(&w), "compile with -fasynchronous-unwind-tables")
}
