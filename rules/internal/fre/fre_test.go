package fre_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/abi"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
)

// all are the rules on the contents of a section: a fault of a row must not
// set off those on FDEs.
var all = slices.Concat(header.Rules, fde.Rules, fre.Rules, abi.Rules)

func edits(e ...rt.Edit) []rt.Edit { return e }

func TestReading(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "word size", Base: rt.V3AMD64, Text: "f0.1.info = 0x65", Want: []string{"SF3001 f0.1.info"}},
		{Name: "word size", Base: rt.V1AArch64BE, Text: "f0.0.info = 0x63", Want: []string{"SF1004 version", "SF3001 f0.0.info"}},
		{Name: "word size without words", Base: rt.V2AMD64, Text: "f3.0.info = 0x60", Want: []string{"SF3001 f3.0.info"}},
		{Name: "a row too many", Base: rt.V2AMD64, Text: "f3.num_fres = 2\nnum_fres = 0xb", Want: []string{"SF3002 0x90+0"}},
		{Name: "half a row", Base: rt.V3AMD64, Text: "f4.2.info = 0xc", Want: []string{"SF3002 0xaf+7"}},
		{Name: "half a row", Base: rt.V3S390X, Text: "f4.2.info = 0x2a", Want: []string{"SF3002 0xb2+10"}},
		{Name: "offset", Base: rt.V3AMD64, Text: "f1.start_fre_off = 0x4014", Want: []string{"SF3003 f1.start_fre_off"}},
		{Name: "offset", Base: rt.V2AArch64, Text: "f1.start_fre_off = 0x25", Want: []string{"SF3003 f1.start_fre_off"}},
		{Name: "offset", Base: rt.V1AMD64, Text: "f0.start_fre_off = 0x80000000", Want: []string{"SF1004 version", "SF3003 f0.start_fre_off"}},
		{Name: "offset of half an attribute", Base: rt.V3AMD64, Text: "f4.start_fre_off = 0x46", Want: []string{"SF3003 f4.start_fre_off"}},
		{Name: "offset of an attribute without its rows", Base: rt.V3AMD64, Edits: edits(rt.Delete(0xa7, 15), rt.Set(0x10, "0000003b")), Want: []string{"SF3002 0xa7+0"}},
		{Name: "beyond the section", Base: rt.V2AMD64, Edits: edits(rt.Delete(0x8a, 6)), Want: []string{"SF1013 0x10+4"}},
		{Name: "beyond the section, attribute", Base: rt.V3AMD64, Edits: edits(rt.Delete(0xa3, 19)), Want: []string{"SF1013 0x10+4"}},
		{Name: "attribute beyond the section and the sub-section", Base: rt.V3AMD64, Edits: edits(rt.Delete(0xb4, 2), rt.Set(0x68, "00000047")), Want: []string{"SF1013 0x10+4", "SF3003 0x68+4"}},
		{Name: "last attribute beyond the section", Base: rt.V3AMD64, Edits: edits(rt.Delete(0xb4, 2), rt.Set(0x68, "00000045")), Want: []string{"SF1013 0x10+4"}},
		{Name: "beyond the section and the sub-section", Base: rt.V2AMD64, Edits: edits(rt.Delete(0x8a, 6), rt.Set(0x4c, "00000024")), Want: []string{"SF1013 0x10+4", "SF3003 0x4c+4"}},
		{Name: "sub-sections misplaced", Base: rt.V2AMD64, Text: "freoff = 0x4f", Want: []string{"SF1014 freoff"}},
	})
}

func TestStarts(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "first late", Base: rt.V3AMD64, Text: "f1.0.start = 2", Want: []string{"SF3004 f1.0.start"}},
		{Name: "first late", Base: rt.V2S390X, Text: "f0.0.start = 2", Want: []string{"SF3004 f0.0.start"}},
		{Name: "descends", Base: rt.V3AMD64, Text: "f0.2.start = 0", Want: []string{"SF3005 f0.2.start"}},
		{Name: "inside an instruction", Base: rt.V2AArch64, Text: "f0.2.start = 0xa", Want: []string{"SF3025 f0.2.start"}},
		{Name: "two inside instructions", Base: rt.V2AArch64, Text: "f0.1.start = 5\nf0.2.start = 9", Want: []string{"SF3025 f0.1.start"}},
		{Name: "first inside an instruction", Base: rt.V2AArch64, Text: "f0.0.start = 2", Want: []string{"SF3004 f0.0.start", "SF3025 f0.0.start"}},
		{Name: "inside an instruction of 2 bytes", Base: rt.V2S390X, Text: "f0.1.start = 5", Want: []string{"SF3025 f0.1.start"}},
		{Name: "big-endian, inside an instruction", Base: rt.V2AArch64BE, Text: "f1.1.start = 6", Want: []string{"SF3025 f1.1.start"}},
		{Name: "inside an instruction of a stub", Base: rt.V2AArch64, Text: "f2.1.start = 6", Want: []string{"SF3025 f2.1.start"}},
		{Name: "beyond the end and inside an instruction", Base: rt.V2AArch64, Text: "f0.3.start = 0x42", Want: []string{"SF3007 f0.3.start"}},
		{Name: "at any byte on AMD64", Base: rt.V2AMD64, Text: "f0.2.start = 7"},
		{Name: "equal", Base: rt.V2AArch64BE, Text: "f1.2.start = 4", Want: []string{"SF3005 f1.2.start"}},
		{Name: "two after a high one", Base: rt.V1AMD64, Text: "f0.1.start = 0x3f", Want: []string{"SF1004 version", "SF3005 f0.2.start", "SF3005 f0.3.start"}},
		{Name: "equal to the size", Base: rt.V3AMD64, Text: "f0.3.start = 0x40", Want: []string{"SF3006 f0.3.start"}},
		{Name: "equal to the size", Base: rt.V1AArch64, Text: "f1.2.start = 0x200", Want: []string{"SF1004 version", "SF3006 f1.2.start"}},
		{Name: "beyond the size", Base: rt.V3AMD64, Text: "f0.3.start = 0x41", Want: []string{"SF3007 f0.3.start"}},
		{Name: "beyond the size, not the last", Base: rt.V2AMD64, Text: "f0.1.start = 0xff", Want: []string{"SF3007 f0.1.start"}},
		{Name: "equal to the size, not the last", Base: rt.V2AMD64, Text: "f0.1.start = 0x40", Want: []string{"SF3006 f0.1.start", "SF3005 f0.2.start", "SF3005 f0.3.start"}},
		{Name: "size too small", Base: rt.V3AArch64, Text: "f0.size = 8", Want: []string{"SF3006 f0.2.start", "SF3007 f0.3.start"}},
		{Name: "size 0", Base: rt.V3AMD64, Text: "f0.size = 0", Want: []string{"SF2009 f0.size"}},
		{Name: "size 0, descends", Base: rt.V3AMD64, Text: "f0.size = 0\nf0.2.start = 0", Want: []string{"SF2009 f0.size", "SF3005 f0.2.start"}},
		{Name: "stub", Base: rt.V3AMD64, Text: "f2.1.start = 0x10", Want: []string{"SF3008 f2.1.start"}},
		{Name: "stub", Base: rt.V2AArch64, Text: "f2.1.start = 0xff", Want: []string{"SF3008 f2.1.start"}},
		{Name: "stub larger than the function", Base: rt.V2AMD64, Text: "f2.size = 8", Want: []string{"SF2021 f2.rep_size"}},
		{Name: "MASK in V1", Base: rt.V1AMD64, Text: "f1.info = 0x11\nf1.2.start = 0x201", Want: []string{"SF1004 version", "SF3007 f1.2.start"}},
		{Name: "MASK without a stub", Base: rt.V2AMD64, Text: "f2.rep_size = 0\nf2.1.start = 0x41", Want: []string{"SF2007 f2.rep_size", "SF3007 f2.1.start"}},
	})
}

func TestSharing(t *testing.T) {
	// FDE 3 without rows of its own: the last two bytes are gone.
	guest := func(off, rows, sum string) []rt.Edit {
		return edits(rt.Delete(0x8e, 2), rt.Set(0x10, "00000022"), rt.Set(0x60, off), rt.Set(0x64, rows), rt.Set(0x0c, sum))
	}
	rt.Run(t, all, []rt.Case{
		{Name: "the same", Base: rt.V2AMD64, Edits: guest("0000001c", "00000002", "0000000b"), Want: []string{"SF3010 0x60+4"}},
		{Name: "the first of two", Base: rt.V2AMD64, Edits: guest("0000001c", "00000001", "0000000a"), Want: []string{"SF3009 0x60+4"}},
		{Name: "from the middle", Base: rt.V2AMD64, Edits: guest("00000014", "00000001", "0000000a"), Want: []string{"SF3009 0x60+4"}},
		{Name: "runs into the next", Base: rt.V2AMD64, Text: "f2.num_fres = 3\nnum_fres = 0xb",
			Want: []string{"SF3009 0x60+4", "SF3005 0x8e+1"}},
		{Name: "none", Base: rt.V2AMD64, Edits: append(guest("0000001c", "00000002", "00000007"), rt.Set(0x24, "0000001c"), rt.Set(0x28, "00000002"), rt.Set(0x4c, "00000014"), rt.Set(0x50, "00000000")),
			Want: []string{"SF2018 0x50+4", "SF3010 0x60+4", "SF3012 0x6c+15"}},
		{Name: "no attribute", Base: rt.V3AMD64, Text: "f2.start_fre_off = 0x14\nf3.start_fre_off = 0x46",
			Want: []string{"SF3003 0x58+4", "SF3007 0x8e+2"}},
		{Name: "attribute", Base: rt.V3AMD64, Edits: edits(rt.Set(0x58, "00000000"), rt.Delete(0x9d, 5), rt.Set(0x10, "00000045"), rt.Set(0x68, "00000031"), rt.Set(0x0c, "00000010")),
			Want: []string{"SF3007 0x7c+1"}},
	})
}

func TestGaps(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "zeros", Base: rt.V2AMD64, Edits: edits(rt.Insert(0x7b, "00 00 00"), rt.Set(0x10, "00000027"),
			rt.Set(0x38, "00000012"), rt.Set(0x4c, "0000001f"), rt.Set(0x60, "00000025")), Want: []string{"SF3011 0x7b+3"}},
		{Name: "a zero", Base: rt.V2AMD64, Edits: edits(rt.Insert(0x90, "00"), rt.Set(0x10, "00000025")), Want: []string{"SF3011 0x90+1"}},
		{Name: "zeros after them", Base: rt.V2AMD64, Edits: edits(rt.Insert(0x90, "00")), Want: []string{"SF1017 0x90+1"}},
		{Name: "zeros at the end and after it", Base: rt.V2AMD64, Edits: edits(rt.Insert(0x90, "00 00 00 00 00 00"), rt.Set(0x10, "00000026")),
			Want: []string{"SF3011 0x90+2", "SF1017 0x92+4"}},
		{Name: "zeros at the end, others after it", Base: rt.V2AMD64, Edits: edits(rt.Insert(0x90, "00 00 ff"), rt.Set(0x10, "00000026")),
			Want: []string{"SF3011 0x90+2", "SF1018 0x92+1"}},
		{Name: "others at the end", Base: rt.V2AMD64, Edits: edits(rt.Insert(0x90, "00 ff 00"), rt.Set(0x10, "00000026")),
			Want: []string{"SF3012 0x90+2", "SF1017 0x92+1"}},
		{Name: "first rows unused", Base: rt.V1AMD64, Edits: edits(rt.Insert(0x3e, "00 03 08"), rt.Set(0x10, "0000001f"), rt.Set(0x24, "00000003"), rt.Set(0x35, "00000012")),
			Want: []string{"SF1004 0x2+1", "SF3012 0x3e+3"}},
		{Name: "a row too few", Base: rt.V3AMD64, Text: "f0.num_fres = 3\nnum_fres = 0xb", Want: []string{"SF3012 0x7c+4"}},
		{Name: "after missing rows", Base: rt.V3AMD64, Text: "f0.info = 0x5", Want: []string{"SF2001 f0.info"}},
	})
}

// FDEs that together claim the rows many times over are not all looked at.
func TestClaimed(t *testing.T) {
	text := "dee2 02 01 03 00 f8 00 00000008 00000020 0000000c 00000000 000000a0\n" +
		strings.Repeat("fffff000 00000008 00000000 00000004 00 00 0000\n", 8) +
		"00 03 08 01 03 08 02 03 08 03 03 08"
	got := rt.Findings(t, fre.Rules, rt.Raw(rt.Hex(t, text, false)))
	require.Equal(t, []string{"SF3010 0x38+4", "SF3013 0x4c+4", "SF3013 0x60+4", "SF3013 0x74+4",
		"SF3013 0x88+4", "SF3013 0x9c+4", "SF3013 0xb0+4"}, got)
}

func TestInfo(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "mangled", Base: rt.V3AMD64, Text: "f0.0.info = 0x83", Want: []string{"SF3014 f0.0.info"}},
		{Name: "mangled", Base: rt.V2S390X, Text: "f1.1.info = 0xa3", Want: []string{"SF3014 f1.1.info"}},
		{Name: "mangled", Base: rt.V3AArch64, Text: "f0.0.info = 0x83"},
		{Name: "mangled, ABI in doubt", Base: rt.V3AMD64, Text: "cfa_fixed_ra_offset = 0\nf0.0.info = 0x83", Want: []string{"SF1008 cfa_fixed_ra_offset"}},
		{Name: "no words", Base: rt.V1AMD64, Edits: edits(rt.Set(0x42, "01"), rt.Delete(0x43, 2), rt.Set(0x10, "0000001a"), rt.Set(0x35, "0000000d")),
			Want: []string{"SF1004 0x2+1", "SF3015 0x42+1"}},
	})
}

func TestFlexible(t *testing.T) {
	last := func(words string) string { // the last row of V3AMD64 with other words of 1 byte
		return ".replace f4 0x1290 0x28 flex\n0: cfa = rsp+8\n5: cfa = r10\n17: words " + words + "; size 1"
	}
	rt.Run(t, all, []rt.Case{
		{Name: "reserved bit", Base: rt.V3AMD64, Text: "f4.0.word0 = 61", Want: []string{"SF3016 f4.0.word0"}},
		{Name: "reserved bits of two", Base: rt.V3AArch64, Text: "f4.2.word0 = 239\nf4.2.word2 = 6", Want: []string{"SF3016 f4.2.word0", "SF3016 f4.2.word2"}},
		{Name: "the bit in a default row", Base: rt.V3AMD64, Text: "f0.0.word0 = 12"},
		{Name: "half of RA", Base: rt.V3AMD64, Text: last("0x39, 8, 2"), Want: []string{"SF3017 f4.2.word2"}},
		{Name: "half of FP", Base: rt.V3AMD64, Text: last("0x39, 8, 0, 0x33"), Want: []string{"SF3017 f4.2.word3"}},
		{Name: "half of CFA", Base: rt.V3AMD64, Text: last("0x39"), Want: []string{"SF3017 f4.2.word0"}},
		{Name: "RA alone", Base: rt.V3AMD64, Text: last("0x39, 8, 2, -16")},
		{Name: "all", Base: rt.V3AMD64, Text: last("0x39, 8, 2, -8, 2, -16")},
		{Name: "padding for FP", Base: rt.V3AMD64, Text: last("0x39, 8, 0, 2, -16")},
		{Name: "padding for RA alone", Base: rt.V3AMD64, Text: last("0x39, 8, 0"), Want: []string{"SF3024 f4.2.word2"}},
		{Name: "padding alone", Base: rt.V3AMD64, Text: last("0x39, 8, 0, 0"), Want: []string{"SF3024 0xb3+2"}},
		{Name: "padding after RA", Base: rt.V3AMD64, Text: last("0x39, 8, 2, -16, 0"), Want: []string{"SF3024 f4.2.word4"}},
		{Name: "wide padding", Base: rt.V3AArch64, Edits: edits(rt.Set(0xb1, "2a"), rt.Set(0xba, "0000"), rt.Delete(0xbc, 2), rt.Set(0x10, "00000050")),
			Want: []string{"SF3024 0xba+2"}},
		{Name: "padding after a CFA without a register", Base: rt.V3AMD64, Text: last("0x38, 8, 0"), Want: []string{"SF3018 f4.2.word0"}},
		{Name: "0 after an offset of 0", Base: rt.V3AMD64, Text: last("0x39, 0, 2, 0")},
		{Name: "no words", Base: rt.V3AMD64, Text: last("")},
		{Name: "CFA from CFA", Base: rt.V3AMD64, Text: last("0x3a, 8"), Want: []string{"SF3018 f4.2.word0"}},
		{Name: "CFA of a single 0", Base: rt.V3AMD64, Text: last("0"), Want: []string{"SF3018 f4.2.word0"}},
		{Name: "CFA from nothing", Base: rt.V3AMD64, Text: last("0, 8, 2, -16"), Want: []string{"SF3018 f4.2.word0"}},
		{Name: "register of CFA", Base: rt.V3AMD64, Text: last("0x81, 8"), Want: []string{"SF3019 f4.2.word0"}},
		{Name: "last register of CFA", Base: rt.V3AMD64, Text: last("0x79, 8")},
		{Name: "register of RA", Base: rt.V3AMD64, Text: last("0x39, 8, 0x81, 0"), Want: []string{"SF3019 f4.2.word2"}},
		{Name: "register of RA's address", Base: rt.V3S390X, Text: "f4.1.word2 = -125", Want: []string{"SF3019 f4.1.word2"}},
		{Name: "register of RA", Base: rt.V3S390X, Text: "f4.1.word2 = -127\nf4.1.word3 = 0"},
		{Name: "last register of RA", Base: rt.V3S390X, Text: "f4.1.word2 = -7\nf4.1.word3 = 0"},
		{Name: "register of RA beyond", Base: rt.V3S390X, Text: "f4.2.word2 = 257\nf4.2.word3 = 0", Want: []string{"SF3019 f4.2.word2"}},
		{Name: "last register of CFA", Base: rt.V3AArch64, Text: "f4.1.word0 = -7"},
		{Name: "left over", Base: rt.V3AMD64, Text: last("0x39, 8, 2, -8, 2, -16, 0, 8"), Want: []string{"SF3020 0xb7+2"}},
		{Name: "left over after padding", Base: rt.V3AMD64, Text: last("0x39, 8, 0, 0, 8"), Want: []string{"SF3020 f4.2.word4"}},
		{Name: "register of RA without reg_p", Base: rt.V3AMD64, Text: last("0x39, 8, 0x32, -16"), Want: []string{"SF3026 f4.2.word2"}},
		{Name: "register of RA alone", Base: rt.V3AMD64, Text: last("0x39, 8, 0x30, 0"), Want: []string{"SF3026 f4.2.word2"}},
		{Name: "register of FP without reg_p", Base: rt.V3AMD64, Text: last("0x39, 8, 0, 0x32, -16"), Want: []string{"SF3021 f4.2.word3"}},
		{Name: "a size of no words", Base: rt.V3AMD64, Text: last("") + "; info 0x20", Want: []string{"SF3027 f4.2.info"}},
		{Name: "SP for no words", Base: rt.V3AMD64, Text: last("") + "; base sp", Want: []string{"SF3023 f4.2.info"}},
		{Name: "RA from a register and an offset", Base: rt.V3AMD64, Text: last("0x39, 8, 0x31, 8"), Want: []string{"SF3022 f4.2.word2"}},
		{Name: "FP from a register and an offset", Base: rt.V3AMD64, Text: last("0x39, 8, 0, 0x31, -8"), Want: []string{"SF3022 f4.2.word3"}},
		{Name: "RA in a register", Base: rt.V3AMD64, Text: last("0x39, 8, 0x11, 0")},
		{Name: "RA at a register and an offset", Base: rt.V3AMD64, Text: last("0x39, 8, 0x33, 8")},
		{Name: "base register", Base: rt.V3AMD64, Text: "f4.0.info = 0x5", Want: []string{"SF3023 f4.0.info"}},
	})
}
