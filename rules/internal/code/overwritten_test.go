package code_test

import (
	"debug/elf"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/code"
)

// TestOverwrittenFP: by the only FRE that is reached FP is unchanged, and one instruction before the return
// overwrites it. Package insn audits that no instruction of the disassemblers is missing.
func TestOverwrittenFP(t *testing.T) {
	amd64 := rt.V3AMD64.Bytes(t, rt.Set(0x89, "00 01"))
	arm := rt.V3AArch64.Bytes(t, rt.Set(0x8a, "00 01"))
	z := rt.V3S390X.Bytes(t, rt.Set(0x8a, "01 00"))
	const row, other = "SF3116 0x85+4", "SF3116 0x86+4"
	for _, c := range []struct {
		name, code string
		machine    elf.Machine
		want       string
	}{
		{"movq %xmm0,%rbp", "66480f7ec5", elf.EM_X86_64, row},
		{"movd %xmm0,%ebp", "660f7ec5", elf.EM_X86_64, row},
		{"pextrq $1,%xmm0,%rbp", "66480f3a16c501", elf.EM_X86_64, row},
		{"pextrb $1,%xmm0,%ebp", "660f3a14c501", elf.EM_X86_64, row},
		{"extractps $1,%xmm0,%ebp", "660f3a17c501", elf.EM_X86_64, row},
		{"vmovq %xmm0,%rbp", "c4e1f97ec5", elf.EM_X86_64, row},
		{"xadd %rbp,%rax", "480fc1e8", elf.EM_X86_64, row},
		{"movq %rdi,%xmm0; movq %xmm0,%rbp", "66480f6ec766480f7ec5", elf.EM_X86_64, row},
		{"movq %rbp,%xmm0; movq %xmm0,%rbp: restored", "66480f6ec566480f7ec5", elf.EM_X86_64, ""},
		{"cmove %rdi,%rbp: if", "480f44ef", elf.EM_X86_64, ""},
		{"or %rbp,%rbp: the same", "4809ed", elf.EM_X86_64, ""},
		{"add %rax,%rcx,%rbp (APX)", "62f4d41801c1", elf.EM_X86_64, row},
		{"imul %rax,%rcx,%rbp (APX)", "62f4d418afc8", elf.EM_X86_64, row},
		{"orr x29,x0,x1", "1d0001aa", elf.EM_AARCH64, other},
		{"csel x29,x0,x1,eq", "1d00819a", elf.EM_AARCH64, other},
		{"csel x29,x0,x29,eq: if", "1d009d9a", elf.EM_AARCH64, ""},
		{"cset x29,ne", "fd079f9a", elf.EM_AARCH64, other},
		{"addvl x29,x0,#1", "3d502004", elf.EM_AARCH64, other},
		{"ldg x29,[x0]", "1d0060d9", elf.EM_AARCH64, other},
		{"orr x29,x29,x29: the same", "bd031daa", elf.EM_AARCH64, ""},
		{"sllg %r11,%r2,3", "ebb20003000d", elf.EM_S390, other},
		{"srlg %r11,%r11,3", "ebbb0003000c", elf.EM_S390, other},
		{"srag %r11,%r2,3", "ebb20003000a", elf.EM_S390, other},
		{"rllg %r11,%r2,3", "ebb20003001c", elf.EM_S390, other},
		{"ogr %r11,%r2", "b98100b2", elf.EM_S390, other},
		{"ogr %r11,%r11: the same", "b98100bb", elf.EM_S390, ""},
		{"xgr %r11,%r11", "b98200bb", elf.EM_S390, other},
		{"ngrk %r11,%r2,%r3", "b9e430b2", elf.EM_S390, other},
		{"selgre %r11,%r2,%r3", "b9e338b2", elf.EM_S390, other},
		{"locgre %r11,%r2: if", "b9e280b2", elf.EM_S390, ""},
		{"vlgvf %r11,%v0,1", "e7b000012021", elf.EM_S390, other},
		{"vlgvg %r11,%v0,1: perhaps a saved register", "e7b000013021", elf.EM_S390, ""},
	} {
		code, err := hex.DecodeString(c.code)
		require.NoError(t, err)
		var got []string
		switch c.machine {
		case elf.EM_X86_64:
			code = append(code, 0xc3)
			got = findings(t, elftest.WithCode(t, c.machine, false, amd64, nil, map[int][]byte{0x40: code}))
		case elf.EM_AARCH64:
			code = append(code, 0xc0, 3, 0x5f, 0xd6)
			got = findings(t, elftest.WithCode(t, c.machine, false, arm, nil, map[int][]byte{0x40: code}))
		default:
			code = append(code, 7, 0xfe)
			got = findings(t, elftest.WithCode(t, c.machine, true, z, nil, map[int][]byte{0x40: code}))
		}
		if c.want == "" {
			require.Empty(t, got, c.name)
		} else {
			require.Equal(t, []string{c.want}, got, c.name)
		}
	}
}

// TestHelperFP: a function that overwrites FP is called by one that has saved it. That is a note where the
// caller counts from SP and recovers FP from its slot.
func TestHelperFP(t *testing.T) {
	caller := []byte{0x55, 0xe8, 0x3a, 0, 0, 0, 0x5d, 0xc3} // push %rbp; call 0x40; pop %rbp; ret
	helper := []byte{0x31, 0xed, 0xc3}                      // xor %ebp,%ebp; ret
	saved := []rt.Edit{rt.Set(0x89, "00 01"), rt.Set(0x78, "07 05 08 f0")}
	early := []byte{0xe8, 0x3b, 0, 0, 0, 0xc3} // call 0x40; ret
	for _, c := range []struct {
		name    string
		caller  []byte
		edits   []rt.Edit
		symbols []elftest.Symbol
		want    []string
	}{
		{"restored", caller, saved, nil, []string{"SF3116 note 0x85+4"}},
		{"FP unchanged in the caller", early, append(slices.Clone(saved), rt.Set(0x74, "06 05 10 f0")), nil, []string{"SF3116 error 0x85+4"}},
		{"CFA from FP in the caller", caller, append(slices.Clone(saved), rt.Set(0x75, "04 10 f0")), nil, []string{"SF3114 error 0x74+4", "SF3116 error 0x85+4"}},
		{"others may call it", caller, saved, []elftest.Symbol{elftest.Function("helper", 0x1040, 0x200)}, []string{"SF3116 error 0x85+4"}},
	} {
		data := elftest.WithCode(t, elf.EM_X86_64, false, rt.V3AMD64.Bytes(t, c.edits...), c.symbols, map[int][]byte{0: c.caller, 0x40: helper})
		elftest.Read(t, data, func(o *reader.Object) {
			var got []string
			for _, f := range (&rules.Driver{Rules: code.Rules}).Run(o).Findings {
				got = append(got, fmt.Sprintf("%s %s %#x+%d", f.Rule.ID, f.Severity, f.Span.Off, f.Span.Len))
			}
			require.Equal(t, c.want, got, c.name)
		})
	}
}
