package abi_test

import (
	"slices"
	"testing"

	"github.com/sframe-lint/sframe-lint/rules/internal/abi"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
	rt "github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
)

// all are the rules on the contents of a section: words that are wrong must
// not set off those on rows.
var all = slices.Concat(header.Rules, fde.Rules, fre.Rules, abi.Rules)

func edits(e ...rt.Edit) []rt.Edit { return e }

// more gives the last row of FDE 0 of a V2 section other words and moves
// what follows: at is its info byte, after it was old bytes of words.
func more(at, old int, info, words string, total, fde1, fde2, fde3 string) []rt.Edit {
	return edits(rt.Delete(at+1, old), rt.Insert(at+1, words), rt.Set(at, info),
		rt.Set(0x10, total), rt.Set(0x38, fde1), rt.Set(0x4c, fde2), rt.Set(0x60, fde3))
}

func TestWordCount(t *testing.T) {
	v1 := func(info, words, total, fde1 string) []rt.Edit {
		return edits(rt.Delete(0x4b, 2), rt.Insert(0x4b, words), rt.Set(0x4a, info), rt.Set(0x10, total), rt.Set(0x35, fde1))
	}
	rt.Run(t, all, []rt.Case{
		{Name: "3", Base: rt.V2AMD64, Edits: more(0x78, 2, "07", "08 f0 f8", "00000025", "00000010", "0000001d", "00000023"), Want: []string{"SF4001 0x78+1"}},
		{Name: "3", Base: rt.V1AMD64, Edits: v1("07", "08 f0 f8", "0000001d", "00000010"), Want: []string{"SF1004 0x2+1", "SF4001 0x4a+1"}},
		{Name: "4", Base: rt.V2AArch64BE, Edits: more(0x7a, 1, "09", "20 e8 e0 00", "00000028", "00000013", "00000020", "00000026"), Want: []string{"SF4001 0x7a+1"}},
		{Name: "2", Base: rt.V2AArch64, Edits: more(0x7a, 1, "05", "20 e8", "00000026", "00000011", "0000001e", "00000024"), Want: []string{"SF4008 0x7a+1"}},
		{Name: "4", Base: rt.V2S390X, Edits: more(0x7a, 1, "09", "14 d0 b8 00", "00000028", "00000013", "00000020", "00000026"), Want: []string{"SF4001 0x7a+1"}},
		{Name: "2", Base: rt.V2S390X, Edits: more(0x7a, 1, "05", "14 d0", "00000026", "00000011", "0000001e", "00000024")},
		{Name: "15, wrong slots", Base: rt.V2AMD64, Edits: more(0x78, 2, "1f", "08 f1 f2 f3 f4 f5 f6 f7 f8 f9 fa fb fc fd fe", "00000031", "0000001c", "00000029", "0000002f"), Want: []string{"SF4001 0x78+1"}},
	})
}

func TestS390X(t *testing.T) {
	two := func(words string) []rt.Edit {
		return more(0x7a, 1, "05", words, "00000026", "00000011", "0000001e", "00000024")
	}
	rt.Run(t, all, []rt.Case{
		{Name: "padding alone", Base: rt.V2S390X, Edits: two("14 00"), Want: []string{"SF4002 0x7c+1"}},
		{Name: "padding and FP", Base: rt.V2S390X, Text: "f0.1.word1 = 0"},
		{Name: "padding and FP", Base: rt.V3S390X, Text: "f0.1.word1 = 0"},
		{Name: "no register", Base: rt.V2S390X, Text: "f0.1.word1 = 65", Want: []string{"SF4003 f0.1.word1"}},
		{Name: "no register", Base: rt.V2S390X, Text: "f0.1.word2 = -1", Want: []string{"SF4003 f0.1.word2"}},
		{Name: "the last register", Base: rt.V2S390X, Text: "f0.1.word1 = 63\nf0.1.word2 = 1"},
		{Name: "odd slot", Base: rt.V3S390X, Text: "f0.1.word1 = 33", Want: []string{"SF4004 f0.1.word1"}},
		{Name: "even slot", Base: rt.V2S390X, Text: "f0.1.word1 = -46\nf0.1.word2 = -68", Want: []string{"SF4004 f0.1.word1", "SF4004 f0.1.word2"}},
		{Name: "flexible slot", Base: rt.V3S390X, Text: "f4.1.word3 = -47", Want: []string{"SF4004 f4.1.word3"}},
		{Name: "FP 0", Base: rt.V2S390X, Text: "f0.2.word2 = 0", Want: []string{"SF4005 f0.2.word2"}},
		{Name: "FP 0", Base: rt.V3S390X, Text: "f0.2.word2 = 0", Want: []string{"SF4005 f0.2.word2"}},
		{Name: "ABI in doubt", Base: rt.V3S390X, Text: "cfa_fixed_ra_offset = -8\nf0.2.word2 = 0", Want: []string{"SF1008 cfa_fixed_ra_offset"}},
	})
}

func TestSlot(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "FP", Base: rt.V3AMD64, Text: "f0.1.word1 = -12", Want: []string{"SF4006 f0.1.word1"}},
		{Name: "FP", Base: rt.V1AMD64, Text: "f0.1.word1 = -15", Want: []string{"SF1004 version", "SF4006 f0.1.word1"}},
		{Name: "RA and FP", Base: rt.V2AArch64BE, Text: "f0.1.word1 = -23\nf0.1.word2 = -28", Want: []string{"SF4006 f0.1.word1", "SF4006 f0.1.word2"}},
		{Name: "CFA", Base: rt.V3AArch64, Text: "f0.1.word0 = 33"},
		{Name: "flexible", Base: rt.V3AArch64, Text: "f4.2.word3 = -28", Want: []string{"SF4006 f4.2.word3"}},
		{Name: "flexible, from a register", Base: rt.V3AMD64, Text: "f4.2.word4 = 4"},
		{Name: "undefined FDE type", Base: rt.V3AMD64, Text: "f0.info2 = 0x5\nf0.1.word1 = -12", Want: []string{"SF2004 f0.info2"}},
	})
}
