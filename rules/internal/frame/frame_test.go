package frame_test

import (
	"debug/elf"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/abi"
	"github.com/sframe-lint/sframe-lint/rules/internal/code"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
)

// unlikely are the rules on frames that no compiler writes.
var unlikely = slices.DeleteFunc(slices.Clone(frame.Rules), func(r *rules.Rule) bool { return r.ID >= "SF3200" })

// all are the rules on the contents of a section, which must stay silent.
var all = slices.Concat(header.Rules, fde.Rules, fre.Rules, abi.Rules, unlikely, code.Rules)

func edits(e ...rt.Edit) []rt.Edit { return e }

func TestValidSections(t *testing.T) {
	for _, b := range rt.Bases() {
		want := []string{}
		if b.Name[:2] == "V1" {
			want = []string{"SF1004 0x2+1"}
		}
		require.Equal(t, want, rt.Findings(t, all, rt.Raw(b.Bytes(t))), b.Name)
	}
}

func TestRows(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "below the return address", Base: rt.V3AMD64, Text: "f1.2.info = 0x3\nf1.2.word0 = 0", Want: []string{"SF3101 f1.2.word0"}},
		{Name: "below the save area", Base: rt.V3S390X, Text: "f0.0.word0 = -8", Want: []string{"SF3101 f0.0.word0"}},
		{Name: "flexible", Base: rt.V3AMD64, Text: "f4.0.word1 = 0", Want: []string{"SF3101 0xa9+2"}},
		{Name: "misaligned", Base: rt.V3AMD64, Text: "f0.2.word0 = 17", Want: []string{"SF3102 f0.2.word0"}},
		{Name: "misaligned SP", Base: rt.V3AArch64, Text: "f1.1.word0 = 296", Want: []string{"SF3102 f1.1.word0"}},
		{Name: "aligned to 8 from FP", Base: rt.V3AArch64, Text: "f0.2.word0 = 40\nf0.2.word1 = -24\nf0.2.word2 = -40"},
		{Name: "above the CFA", Base: rt.V3AMD64, Text: "f0.2.word1 = 8", Want: []string{"SF3103 f0.2.word1"}},
		{Name: "below SP", Base: rt.V3AArch64, Text: "f0.1.word1 = -56", Want: []string{"SF3103 f0.1.word1"}},
		{Name: "RA at the CFA", Base: rt.V3AArch64, Text: "f0.1.word1 = 0", Want: []string{"SF3103 f0.1.word1"}},
		{Name: "above the CFA, which is FP", Base: rt.V3AMD64, Text: "f0.2.word0 = 0\nf0.2.word1 = 16", Want: []string{"SF3103 f0.2.word1"}},
		{Name: "in the red zone", Base: rt.V3AMD64, Text: "f0.1.word1 = -128"},
	})
	rt.Run(t, all, []rt.Case{
		{Name: "RA's slot", Base: rt.V3AMD64, Text: "f0.2.word1 = -8", Want: []string{"SF3104 f0.2.word1"}},
		{Name: "one slot for both", Base: rt.V3AArch64, Text: "f0.1.word2 = -24", Want: []string{"SF3104 f0.1.word2"}},
		{Name: "FP beside its slot", Base: rt.V3AMD64, Text: "f0.2.word0 = 8", Want: []string{"SF3111 f0.2.word0"}},
		{Name: "FP beside its record", Base: rt.V3AArch64, Text: "f0.2.word0 = 48", Want: []string{"SF3110 f0.2.word0"}},
		{Name: "FP beside its slot, by a flexible FRE", Base: rt.V3AArch64, Text: "f4.2.word0 = 233\nf4.2.word1 = 48", Want: []string{"SF3110 0xb2+4"}},
		{Name: "FP not saved", Base: rt.V3AMD64, Text: "f2.1.info = 0x2", Want: []string{"SF3105 f2.1.word0"}},
		{Name: "fixed offset in doubt", Base: rt.V3AMD64, Text: "cfa_fixed_ra_offset = -16\nf0.2.word0 = 17", Want: []string{"SF1008 cfa_fixed_ra_offset", "SF3102 f0.2.word0"}},
		// FDE 1's row of 2-byte words gets words of 4 bytes.
		{Name: "larger than a stack", Base: rt.V3AMD64, Edits: edits(rt.Set(0x8b, "43"), rt.Delete(0x8c, 2), rt.Insert(0x8c, "01000008"),
			rt.Set(0x10, "0000004c"), rt.Set(0x48, "00000028"), rt.Set(0x58, "00000033"), rt.Set(0x68, "00000038")), Want: []string{"SF3108 0x8c+4"}},
	})
}

func findings(t *testing.T, data []byte) (out []string) {
	elftest.Read(t, data, func(o *reader.Object) { out = rt.Findings(t, unlikely, o) })
	return out
}

func TestEntryState(t *testing.T) {
	section := rt.V3AMD64.Bytes(t, rt.Set(0x73, "18")) // rsp+24 on entry to FDE 0
	for name, want := range map[string][]string{
		"called":      {"SF3106 0x71+3"},
		"called.cold": {},
		"":            {}, // without a symbol it may be part of another function
	} {
		var symbols []elftest.Symbol
		if name != "" {
			symbols = append(symbols, elftest.Function(name, 0x1000, 0x40))
			if name != "called" {
				symbols[0].Bind = elf.STB_LOCAL // as compilers make it
			}
		}
		data := elftest.WithCode(t, elf.EM_X86_64, false, section, symbols, nil)
		require.Equal(t, want, findings(t, data), name)
	}
}

func TestSignedAtEntry(t *testing.T) {
	section := rt.V3AArch64.Bytes(t, rt.Set(0x72, "83"))
	data := elftest.WithCode(t, elf.EM_AARCH64, false, section, []elftest.Symbol{elftest.Function("called", 0x1000, 0x40)}, nil)
	require.Equal(t, []string{"SF3106 0x72+1"}, findings(t, data))
}

// TestNoSuchRegister: which registers there are is another rule's affair.
func TestNoSuchRegister(t *testing.T) {
	section := rt.V3AMD64.Bytes(t, rt.Set(0xa9, "81")) // FDE 4 begins with register 16
	data := elftest.WithCode(t, elf.EM_X86_64, false, section, []elftest.Symbol{elftest.Function("called", 0x1290, 0x28)}, nil)
	require.Empty(t, findings(t, data))
}
