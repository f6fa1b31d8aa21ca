package fre_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/rules/internal/abi"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
	rt "github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
)

// all are the rules on the contents of a section: a fault of a row must not
// set off those on FDEs.
var all = slices.Concat(header.Rules, fde.Rules, fre.Rules, abi.Rules)

func edits(e ...rt.Edit) []rt.Edit { return e }

func TestReading(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "word size", Base: rt.V3AMD64, Edits: edits(rt.Set(0x75, "65")), Want: []string{"SF3001 0x75+1"}},
		{Name: "word size", Base: rt.V1AArch64BE, Edits: edits(rt.Set(0x3f, "63")), Want: []string{"SF1004 0x2+1", "SF3001 0x3f+1"}},
		{Name: "word size without words", Base: rt.V2AMD64, Edits: edits(rt.Set(0x8f, "60")), Want: []string{"SF3001 0x8f+1"}},
		{Name: "a row too many", Base: rt.V2AMD64, Edits: edits(rt.Set(0x64, "00000002"), rt.Set(0x0c, "0000000b")), Want: []string{"SF3002 0x90+0"}},
		{Name: "half a row", Base: rt.V3AMD64, Edits: edits(rt.Set(0xb0, "0c")), Want: []string{"SF3002 0xaf+7"}},
		{Name: "half a row", Base: rt.V3S390X, Edits: edits(rt.Set(0xb3, "2a")), Want: []string{"SF3002 0xb2+10"}},
		{Name: "offset", Base: rt.V3AMD64, Edits: edits(rt.Set(0x38, "00004014")), Want: []string{"SF3003 0x38+4"}},
		{Name: "offset", Base: rt.V2AArch64, Edits: edits(rt.Set(0x38, "00000025")), Want: []string{"SF3003 0x38+4"}},
		{Name: "offset", Base: rt.V1AMD64, Edits: edits(rt.Set(0x24, "80000000")), Want: []string{"SF1004 0x2+1", "SF3003 0x24+4"}},
		{Name: "offset of half an attribute", Base: rt.V3AMD64, Edits: edits(rt.Set(0x68, "00000046")), Want: []string{"SF3003 0x68+4"}},
		{Name: "offset of an attribute without its rows", Base: rt.V3AMD64, Edits: edits(rt.Delete(0xa7, 15), rt.Set(0x10, "0000003b")), Want: []string{"SF3002 0xa7+0"}},
		{Name: "beyond the section", Base: rt.V2AMD64, Edits: edits(rt.Delete(0x8a, 6)), Want: []string{"SF1013 0x10+4"}},
		{Name: "beyond the section, attribute", Base: rt.V3AMD64, Edits: edits(rt.Delete(0xa3, 19)), Want: []string{"SF1013 0x10+4"}},
		{Name: "attribute beyond the section and the sub-section", Base: rt.V3AMD64, Edits: edits(rt.Delete(0xb4, 2), rt.Set(0x68, "00000047")), Want: []string{"SF1013 0x10+4", "SF3003 0x68+4"}},
		{Name: "last attribute beyond the section", Base: rt.V3AMD64, Edits: edits(rt.Delete(0xb4, 2), rt.Set(0x68, "00000045")), Want: []string{"SF1013 0x10+4"}},
		{Name: "beyond the section and the sub-section", Base: rt.V2AMD64, Edits: edits(rt.Delete(0x8a, 6), rt.Set(0x4c, "00000024")), Want: []string{"SF1013 0x10+4", "SF3003 0x4c+4"}},
		{Name: "sub-sections misplaced", Base: rt.V2AMD64, Edits: edits(rt.Set(0x18, "0000004f")), Want: []string{"SF1014 0x18+4"}},
	})
}

func TestStarts(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "first late", Base: rt.V3AMD64, Edits: edits(rt.Set(0x85, "0002")), Want: []string{"SF3004 0x85+2"}},
		{Name: "first late", Base: rt.V2S390X, Edits: edits(rt.Set(0x6c, "02")), Want: []string{"SF3004 0x6c+1"}},
		{Name: "descends", Base: rt.V3AMD64, Edits: edits(rt.Set(0x78, "00")), Want: []string{"SF3005 0x78+1"}},
		{Name: "inside an instruction", Base: rt.V2AArch64, Edits: edits(rt.Set(0x74, "0a")), Want: []string{"SF3025 0x74+1"}},
		{Name: "two inside instructions", Base: rt.V2AArch64, Edits: edits(rt.Set(0x6f, "05"), rt.Set(0x74, "09")), Want: []string{"SF3025 0x6f+1"}},
		{Name: "first inside an instruction", Base: rt.V2AArch64, Edits: edits(rt.Set(0x6c, "02")), Want: []string{"SF3004 0x6c+1", "SF3025 0x6c+1"}},
		{Name: "inside an instruction of 2 bytes", Base: rt.V2S390X, Edits: edits(rt.Set(0x6f, "05")), Want: []string{"SF3025 0x6f+1"}},
		{Name: "big-endian, inside an instruction", Base: rt.V2AArch64BE, Edits: edits(rt.Set(0x80, "0006")), Want: []string{"SF3025 0x80+2"}},
		{Name: "inside an instruction of a stub", Base: rt.V2AArch64, Edits: edits(rt.Set(0x8c, "06")), Want: []string{"SF3025 0x8c+1"}},
		{Name: "beyond the end and inside an instruction", Base: rt.V2AArch64, Edits: edits(rt.Set(0x79, "42")), Want: []string{"SF3007 0x79+1"}},
		{Name: "at any byte on AMD64", Base: rt.V2AMD64, Edits: edits(rt.Set(0x73, "07"))},
		{Name: "equal", Base: rt.V2AArch64BE, Edits: edits(rt.Set(0x85, "0004")), Want: []string{"SF3005 0x85+2"}},
		{Name: "two after a high one", Base: rt.V1AMD64, Edits: edits(rt.Set(0x41, "3f")), Want: []string{"SF1004 0x2+1", "SF3005 0x45+1", "SF3005 0x49+1"}},
		{Name: "equal to the size", Base: rt.V3AMD64, Edits: edits(rt.Set(0x7c, "40")), Want: []string{"SF3006 0x7c+1"}},
		{Name: "equal to the size", Base: rt.V1AArch64, Edits: edits(rt.Set(0x57, "0200")), Want: []string{"SF1004 0x2+1", "SF3006 0x57+2"}},
		{Name: "beyond the size", Base: rt.V3AMD64, Edits: edits(rt.Set(0x7c, "41")), Want: []string{"SF3007 0x7c+1"}},
		{Name: "beyond the size, not the last", Base: rt.V2AMD64, Edits: edits(rt.Set(0x6f, "ff")), Want: []string{"SF3007 0x6f+1"}},
		{Name: "equal to the size, not the last", Base: rt.V2AMD64, Edits: edits(rt.Set(0x6f, "40")), Want: []string{"SF3006 0x6f+1", "SF3005 0x73+1", "SF3005 0x77+1"}},
		{Name: "size too small", Base: rt.V3AArch64, Edits: edits(rt.Set(0x24, "00000008")), Want: []string{"SF3006 0x79+1", "SF3007 0x7e+1"}},
		{Name: "size 0", Base: rt.V3AMD64, Edits: edits(rt.Set(0x24, "00000000")), Want: []string{"SF2009 0x24+4"}},
		{Name: "size 0, descends", Base: rt.V3AMD64, Edits: edits(rt.Set(0x24, "00000000"), rt.Set(0x78, "00")), Want: []string{"SF2009 0x24+4", "SF3005 0x78+1"}},
		{Name: "stub", Base: rt.V3AMD64, Edits: edits(rt.Set(0x9a, "10")), Want: []string{"SF3008 0x9a+1"}},
		{Name: "stub", Base: rt.V2AArch64, Edits: edits(rt.Set(0x8c, "ff")), Want: []string{"SF3008 0x8c+1"}},
		{Name: "stub larger than the function", Base: rt.V2AMD64, Edits: edits(rt.Set(0x48, "00000008")), Want: []string{"SF2021 0x55+1"}},
		{Name: "MASK in V1", Base: rt.V1AMD64, Edits: edits(rt.Set(0x3d, "11"), rt.Set(0x56, "0201")), Want: []string{"SF1004 0x2+1", "SF3007 0x56+2"}},
		{Name: "MASK without a stub", Base: rt.V2AMD64, Edits: edits(rt.Set(0x55, "00"), rt.Set(0x8b, "41")), Want: []string{"SF2007 0x55+1", "SF3007 0x8b+1"}},
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
		{Name: "runs into the next", Base: rt.V2AMD64, Edits: edits(rt.Set(0x50, "00000003"), rt.Set(0x0c, "0000000b")),
			Want: []string{"SF3009 0x60+4", "SF3005 0x8e+1"}},
		{Name: "none", Base: rt.V2AMD64, Edits: append(guest("0000001c", "00000002", "00000007"), rt.Set(0x24, "0000001c"), rt.Set(0x28, "00000002"), rt.Set(0x4c, "00000014"), rt.Set(0x50, "00000000")),
			Want: []string{"SF2018 0x50+4", "SF3010 0x60+4", "SF3012 0x6c+15"}},
		{Name: "no attribute", Base: rt.V3AMD64, Edits: edits(rt.Set(0x48, "00000014"), rt.Set(0x58, "00000046")),
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
		{Name: "a row too few", Base: rt.V3AMD64, Edits: edits(rt.Set(0x6c, "0003"), rt.Set(0x0c, "0000000b")), Want: []string{"SF3012 0x7c+4"}},
		{Name: "after missing rows", Base: rt.V3AMD64, Edits: edits(rt.Set(0x6e, "05")), Want: []string{"SF2001 0x6e+1"}},
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
		{Name: "mangled", Base: rt.V3AMD64, Edits: edits(rt.Set(0x72, "83")), Want: []string{"SF3014 0x72+1"}},
		{Name: "mangled", Base: rt.V2S390X, Edits: edits(rt.Set(0x82, "a3")), Want: []string{"SF3014 0x82+1"}},
		{Name: "mangled", Base: rt.V3AArch64, Edits: edits(rt.Set(0x72, "83"))},
		{Name: "mangled, ABI in doubt", Base: rt.V3AMD64, Edits: edits(rt.Set(0x06, "00"), rt.Set(0x72, "83")), Want: []string{"SF1008 0x6+1"}},
		{Name: "no words", Base: rt.V1AMD64, Edits: edits(rt.Set(0x42, "01"), rt.Delete(0x43, 2), rt.Set(0x10, "0000001a"), rt.Set(0x35, "0000000d")),
			Want: []string{"SF1004 0x2+1", "SF3015 0x42+1"}},
	})
}

func TestFlexible(t *testing.T) {
	last := func(words ...string) []rt.Edit { // the last row of V3AMD64 with other words of 1 byte
		n := len(words)
		e := edits(rt.Delete(0xb1, 5), rt.Insert(0xb1, strings.Join(words, " ")),
			rt.Set(0xb0, fmt.Sprintf("%02x", n<<1)), rt.Set(0x10, fmt.Sprintf("%08x", 0x45+n)))
		return e
	}
	rt.Run(t, all, []rt.Case{
		{Name: "reserved bit", Base: rt.V3AMD64, Edits: edits(rt.Set(0xa9, "3d")), Want: []string{"SF3016 0xa9+1"}},
		{Name: "reserved bits of two", Base: rt.V3AArch64, Edits: edits(rt.Set(0xb2, "00ef"), rt.Set(0xb6, "0006")), Want: []string{"SF3016 0xb2+2", "SF3016 0xb6+2"}},
		{Name: "the bit in a default row", Base: rt.V3AMD64, Edits: edits(rt.Set(0x73, "0c"))},
		{Name: "half of RA", Base: rt.V3AMD64, Edits: last("39", "08", "02"), Want: []string{"SF3017 0xb3+1"}},
		{Name: "half of FP", Base: rt.V3AMD64, Edits: last("39", "08", "00", "33"), Want: []string{"SF3017 0xb4+1"}},
		{Name: "half of CFA", Base: rt.V3AMD64, Edits: last("39"), Want: []string{"SF3017 0xb1+1"}},
		{Name: "RA alone", Base: rt.V3AMD64, Edits: last("39", "08", "02", "f0")},
		{Name: "all", Base: rt.V3AMD64, Edits: last("39", "08", "02", "f8", "02", "f0")},
		{Name: "padding for FP", Base: rt.V3AMD64, Edits: last("39", "08", "00", "02", "f0")},
		{Name: "padding for RA alone", Base: rt.V3AMD64, Edits: last("39", "08", "00"), Want: []string{"SF3024 0xb3+1"}},
		{Name: "padding alone", Base: rt.V3AMD64, Edits: last("39", "08", "00", "00"), Want: []string{"SF3024 0xb3+2"}},
		{Name: "padding after RA", Base: rt.V3AMD64, Edits: last("39", "08", "02", "f0", "00"), Want: []string{"SF3024 0xb5+1"}},
		{Name: "wide padding", Base: rt.V3AArch64, Edits: edits(rt.Set(0xb1, "2a"), rt.Set(0xba, "0000"), rt.Delete(0xbc, 2), rt.Set(0x10, "00000050")),
			Want: []string{"SF3024 0xba+2"}},
		{Name: "padding after a CFA without a register", Base: rt.V3AMD64, Edits: last("38", "08", "00"), Want: []string{"SF3018 0xb1+1"}},
		{Name: "0 after an offset of 0", Base: rt.V3AMD64, Edits: last("39", "00", "02", "00")},
		{Name: "no words", Base: rt.V3AMD64, Edits: last()},
		{Name: "CFA from CFA", Base: rt.V3AMD64, Edits: last("3a", "08"), Want: []string{"SF3018 0xb1+1"}},
		{Name: "CFA of a single 0", Base: rt.V3AMD64, Edits: last("00"), Want: []string{"SF3018 0xb1+1"}},
		{Name: "CFA from nothing", Base: rt.V3AMD64, Edits: last("00", "08", "02", "f0"), Want: []string{"SF3018 0xb1+1"}},
		{Name: "register of CFA", Base: rt.V3AMD64, Edits: last("81", "08"), Want: []string{"SF3019 0xb1+1"}},
		{Name: "last register of CFA", Base: rt.V3AMD64, Edits: last("79", "08")},
		{Name: "register of RA", Base: rt.V3AMD64, Edits: last("39", "08", "81", "00"), Want: []string{"SF3019 0xb3+1"}},
		{Name: "register of RA's address", Base: rt.V3S390X, Edits: edits(rt.Set(0xb0, "83")), Want: []string{"SF3019 0xb0+1"}},
		{Name: "register of RA", Base: rt.V3S390X, Edits: edits(rt.Set(0xb0, "81"), rt.Set(0xb1, "00"))},
		{Name: "last register of RA", Base: rt.V3S390X, Edits: edits(rt.Set(0xb0, "f9"), rt.Set(0xb1, "00"))},
		{Name: "register of RA beyond", Base: rt.V3S390X, Edits: edits(rt.Set(0xb8, "0101 0000")), Want: []string{"SF3019 0xb8+2"}},
		{Name: "last register of CFA", Base: rt.V3AArch64, Edits: edits(rt.Set(0xae, "f9"))},
		{Name: "left over", Base: rt.V3AMD64, Edits: last("39", "08", "02", "f8", "02", "f0", "00", "08"), Want: []string{"SF3020 0xb7+2"}},
		{Name: "left over after padding", Base: rt.V3AMD64, Edits: last("39", "08", "00", "00", "08"), Want: []string{"SF3020 0xb5+1"}},
		{Name: "register of RA without reg_p", Base: rt.V3AMD64, Edits: last("39", "08", "32", "f0"), Want: []string{"SF3026 0xb3+1"}},
		{Name: "register of RA alone", Base: rt.V3AMD64, Edits: last("39", "08", "30", "00"), Want: []string{"SF3026 0xb3+1"}},
		{Name: "register of FP without reg_p", Base: rt.V3AMD64, Edits: last("39", "08", "00", "32", "f0"), Want: []string{"SF3021 0xb4+1"}},
		{Name: "a size of no words", Base: rt.V3AMD64, Edits: append(last(), rt.Set(0xb0, "20")), Want: []string{"SF3027 0xb0+1"}},
		{Name: "SP for no words", Base: rt.V3AMD64, Edits: append(last(), rt.Set(0xb0, "01")), Want: []string{"SF3023 0xb0+1"}},
		{Name: "RA from a register and an offset", Base: rt.V3AMD64, Edits: last("39", "08", "31", "08"), Want: []string{"SF3022 0xb3+1"}},
		{Name: "FP from a register and an offset", Base: rt.V3AMD64, Edits: last("39", "08", "00", "31", "f8"), Want: []string{"SF3022 0xb4+1"}},
		{Name: "RA in a register", Base: rt.V3AMD64, Edits: last("39", "08", "11", "00")},
		{Name: "RA at a register and an offset", Base: rt.V3AMD64, Edits: last("39", "08", "33", "08")},
		{Name: "base register", Base: rt.V3AMD64, Edits: edits(rt.Set(0xa8, "05")), Want: []string{"SF3023 0xa8+1"}},
	})
}
