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
	"github.com/sframe-lint/sframe-lint/rules/internal/code"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
)

// unlikely are the rules on frames that no compiler writes.
var unlikely = slices.DeleteFunc(slices.Clone(frame.Rules), func(r *rules.Rule) bool { return r.ID >= "SF3200" })

// all are the rules on the contents of a section, which must stay silent.
var all = slices.Concat(header.Rules, fde.Rules, fre.Rules, unlikely, code.Rules)

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
	rt.Table(t, all, `
		V3AMD64 | below the return address | f1.2.info = 0x3 / f1.2.word0 = 0 | SF3101 f1.2.word0
		V3S390X | below the save area | f0.0.word0 = -8 | SF3101 f0.0.word0
		V3AMD64 | flexible | f4.0.word1 = 0 | SF3101 0xa9+2
		V3AMD64 | misaligned | f0.2.word0 = 17 | SF3102 f0.2.word0
		V3AArch64 | misaligned SP | f1.1.word0 = 296 | SF3102 f1.1.word0
		V3AArch64 | aligned to 8 from FP | f0.2.word0 = 40 / f0.2.word1 = -24 / f0.2.word2 = -40 |
		V3AMD64 | above the CFA | f0.2.word1 = 8 | SF3103 f0.2.word1
		V3AArch64 | below SP | f0.1.word1 = -56 | SF3103 f0.1.word1
		V3AArch64 | RA at the CFA | f0.1.word1 = 0 | SF3103 f0.1.word1
		V3AMD64 | above the CFA, which is FP | f0.2.word0 = 0 / f0.2.word1 = 16 | SF3103 f0.2.word1
		V3AMD64 | in the red zone | f0.1.word1 = -128 |
	`)
	rt.Table(t, all, `
		V3AMD64 | RA's slot | f0.2.word1 = -8 | SF3104 f0.2.word1
		V3AArch64 | one slot for both | f0.1.word2 = -24 | SF3104 f0.1.word2
		V3AMD64 | FP beside its slot | f0.2.word0 = 8 | SF3111 f0.2.word0
		V3AArch64 | FP beside its record | f0.2.word0 = 48 | SF3110 f0.2.word0
		V3AArch64 | FP beside its slot, by a flexible FRE | f4.2.word0 = 233 / f4.2.word1 = 48 | SF3110 0xb2+4
		V3AMD64 | FP not saved | f2.1.info = 0x2 | SF3105 f2.1.word0
		V3AMD64 | fixed offset in doubt | cfa_fixed_ra_offset = -16 / f0.2.word0 = 17 | SF1008 cfa_fixed_ra_offset, SF3102 f0.2.word0
		# FDE 1's row of 2-byte words gets words of 4 bytes.
		V3AMD64 | larger than a stack | set 0x8b 43 / delete 0x8c 2 / insert 0x8c 01000008 / set 0x10 0000004c / set 0x48 00000028 / set 0x58 00000033 / set 0x68 00000038 | SF3108 0x8c+4
	`)
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
