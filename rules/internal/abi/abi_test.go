package abi_test

import (
	"slices"
	"testing"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/abi"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
)

// all are the rules on the contents of a section: words that are wrong must
// not set off those on rows.
var all = slices.Concat(header.Rules, fde.Rules, fre.Rules, abi.Rules)

// words gives FDE 0 a single row with other words.
func words(list string) string { return ".replace f0 0x1000 0x40\n0: base sp; words " + list }

func TestWordCount(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "3", Base: rt.V2AMD64, Text: words("8, -16, -8"), Want: []string{"SF4001 f0.0.info"}},
		{Name: "3", Base: rt.V1AMD64, Text: words("8, -16, -8"), Want: []string{"SF1004 version", "SF4001 f0.0.info"}},
		{Name: "4", Base: rt.V2AArch64BE, Text: words("32, -24, -32, 0"), Want: []string{"SF4001 f0.0.info"}},
		{Name: "2", Base: rt.V2AArch64, Text: words("32, -24"), Want: []string{"SF4008 f0.0.info"}},
		{Name: "4", Base: rt.V2S390X, Text: words("20, -48, -72, 0"), Want: []string{"SF4001 f0.0.info"}},
		{Name: "2", Base: rt.V2S390X, Text: words("20, -48")},
		{Name: "15, wrong slots", Base: rt.V2AMD64, Text: words("8, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2"), Want: []string{"SF4001 f0.0.info"}},
	})
}

func TestS390X(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "padding alone", Base: rt.V2S390X, Text: words("20, 0"), Want: []string{"SF4002 f0.0.word1"}},
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
