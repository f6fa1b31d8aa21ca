package fre_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
)

// all are the rules on the contents of a section: a fault of a row must not
// set off those on FDEs.
var all = slices.Concat(header.Rules, fde.Rules, fre.Rules)

func TestReading(t *testing.T) {
	rt.Table(t, all, `
		V3AMD64 | word size | f0.1.info = 0x65 | SF3001 f0.1.info
		V1AArch64BE | word size | f0.0.info = 0x63 | SF1004 version, SF3001 f0.0.info
		V2AMD64 | word size without words | f3.0.info = 0x60 | SF3001 f3.0.info
		V2AMD64 | a row too many | f3.num_fres = 2 / num_fres = 0xb | SF3002 0x90+0
		V3AMD64 | half a row | f4.2.info = 0xc | SF3002 0xaf+7
		V3S390X | half a row | f4.2.info = 0x2a | SF3002 0xb2+10
		V3AMD64 | offset | f1.start_fre_off = 0x4014 | SF3003 f1.start_fre_off
		V2AArch64 | offset | f1.start_fre_off = 0x25 | SF3003 f1.start_fre_off
		V1AMD64 | offset | f0.start_fre_off = 0x80000000 | SF1004 version, SF3003 f0.start_fre_off
		V3AMD64 | offset of half an attribute | f4.start_fre_off = 0x46 | SF3003 f4.start_fre_off
		V3AMD64 | offset of an attribute without its rows | delete 0xa7 15 / set 0x10 0000003b | SF3002 0xa7+0
		V2AMD64 | beyond the section | delete 0x8a 6 | SF1013 0x10+4
		V3AMD64 | beyond the section, attribute | delete 0xa3 19 | SF1013 0x10+4
		V3AMD64 | attribute beyond the section and the sub-section | delete 0xb4 2 / set 0x68 00000047 | SF1013 0x10+4, SF3003 0x68+4
		V3AMD64 | last attribute beyond the section | delete 0xb4 2 / set 0x68 00000045 | SF1013 0x10+4
		V2AMD64 | beyond the section and the sub-section | delete 0x8a 6 / set 0x4c 00000024 | SF1013 0x10+4, SF3003 0x4c+4
		V2AMD64 | sub-sections misplaced | freoff = 0x4f | SF1014 freoff
	`)
}

func TestStarts(t *testing.T) {
	rt.Table(t, all, `
		V3AMD64 | first late | f1.0.start = 2 | SF3004 f1.0.start
		V2S390X | first late | f0.0.start = 2 | SF3004 f0.0.start
		V3AMD64 | descends | f0.2.start = 0 | SF3005 f0.2.start
		V2AArch64 | inside an instruction | f0.2.start = 0xa | SF3025 f0.2.start
		V2AArch64 | two inside instructions | f0.1.start = 5 / f0.2.start = 9 | SF3025 f0.1.start
		V2AArch64 | first inside an instruction | f0.0.start = 2 | SF3004 f0.0.start, SF3025 f0.0.start
		V2S390X | inside an instruction of 2 bytes | f0.1.start = 5 | SF3025 f0.1.start
		V2AArch64BE | big-endian, inside an instruction | f1.1.start = 6 | SF3025 f1.1.start
		V2AArch64 | inside an instruction of a stub | f2.1.start = 6 | SF3025 f2.1.start
		V2AArch64 | beyond the end and inside an instruction | f0.3.start = 0x42 | SF3007 f0.3.start
		V2AMD64 | at any byte on AMD64 | f0.2.start = 7 |
		V2AArch64BE | equal | f1.2.start = 4 | SF3005 f1.2.start
		V1AMD64 | two after a high one | f0.1.start = 0x3f | SF1004 version, SF3005 f0.2.start, SF3005 f0.3.start
		V3AMD64 | equal to the size | f0.3.start = 0x40 | SF3006 f0.3.start
		V1AArch64 | equal to the size | f1.2.start = 0x200 | SF1004 version, SF3006 f1.2.start
		V3AMD64 | beyond the size | f0.3.start = 0x41 | SF3007 f0.3.start
		V2AMD64 | beyond the size, not the last | f0.1.start = 0xff | SF3007 f0.1.start
		V2AMD64 | equal to the size, not the last | f0.1.start = 0x40 | SF3006 f0.1.start, SF3005 f0.2.start, SF3005 f0.3.start
		V3AArch64 | size too small | f0.size = 8 | SF3006 f0.2.start, SF3007 f0.3.start
		V3AMD64 | size 0 | f0.size = 0 | SF2009 f0.size
		V3AMD64 | size 0, descends | f0.size = 0 / f0.2.start = 0 | SF2009 f0.size, SF3005 f0.2.start
		V3AMD64 | stub | f2.1.start = 0x10 | SF3008 f2.1.start
		V2AArch64 | stub | f2.1.start = 0xff | SF3008 f2.1.start
		V2AMD64 | stub larger than the function | f2.size = 8 | SF2021 f2.rep_size
		V1AMD64 | MASK in V1 | f1.info = 0x11 / f1.2.start = 0x201 | SF1004 version, SF3007 f1.2.start
		V2AMD64 | MASK without a stub | f2.rep_size = 0 / f2.1.start = 0x41 | SF2007 f2.rep_size, SF3007 f2.1.start
	`)
}

func TestSharing(t *testing.T) {
	rt.Table(t, all, `
		# FDE 3 without rows of its own: the last two bytes are gone.
		guest: delete 0x8e 2 / set 0x10 00000022 / set 0x60 $
		V2AMD64 | the same | guest 0000001c 00000002 / set 0x0c 0000000b | SF3010 0x60+4
		V2AMD64 | the first of two | guest 0000001c 00000001 / set 0x0c 0000000a | SF3009 0x60+4
		V2AMD64 | from the middle | guest 00000014 00000001 / set 0x0c 0000000a | SF3009 0x60+4
		V2AMD64 | runs into the next | f2.num_fres = 3 / num_fres = 0xb | SF3009 0x60+4, SF3005 0x8e+1
		V2AMD64 | none | guest 0000001c 00000002 / set 0x0c 00000007 / set 0x24 0000001c / set 0x28 00000002 / set 0x4c 00000014 / set 0x50 00000000 | SF2018 0x50+4, SF3010 0x60+4, SF3012 0x6c+15
		V3AMD64 | no attribute | f2.start_fre_off = 0x14 / f3.start_fre_off = 0x46 | SF3003 0x58+4, SF3007 0x8e+2
		V3AMD64 | attribute | set 0x58 00000000 / delete 0x9d 5 / set 0x10 00000045 / set 0x68 00000031 / set 0x0c 00000010 | SF3007 0x7c+1
	`)
}

func TestGaps(t *testing.T) {
	rt.Table(t, all, `
		V2AMD64 | zeros | insert 0x7b 00 00 00 / set 0x10 00000027 / set 0x38 00000012 / set 0x4c 0000001f / set 0x60 00000025 | SF3011 0x7b+3
		V2AMD64 | a zero | insert 0x90 00 / set 0x10 00000025 | SF3011 0x90+1
		V2AMD64 | zeros after them | insert 0x90 00 | SF1017 0x90+1
		V2AMD64 | zeros at the end and after it | insert 0x90 00 00 00 00 00 00 / set 0x10 00000026 | SF3011 0x90+2, SF1017 0x92+4
		V2AMD64 | zeros at the end, others after it | insert 0x90 00 00 ff / set 0x10 00000026 | SF3011 0x90+2, SF1018 0x92+1
		V2AMD64 | others at the end | insert 0x90 00 ff 00 / set 0x10 00000026 | SF3012 0x90+2, SF1017 0x92+1
		V1AMD64 | first rows unused | insert 0x3e 00 03 08 / set 0x10 0000001f / set 0x24 00000003 / set 0x35 00000012 | SF1004 0x2+1, SF3012 0x3e+3
		V3AMD64 | a row too few | f0.num_fres = 3 / num_fres = 0xb | SF3012 0x7c+4
		V3AMD64 | after missing rows | f0.info = 0x5 | SF2001 f0.info
	`)
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
	rt.Table(t, all, `
		V3AMD64 | mangled | f0.0.info = 0x83 | SF3014 f0.0.info
		V2S390X | mangled | f1.1.info = 0xa3 | SF3014 f1.1.info
		V3AArch64 | mangled | f0.0.info = 0x83 |
		V3AMD64 | mangled, ABI in doubt | cfa_fixed_ra_offset = 0 / f0.0.info = 0x83 | SF1008 cfa_fixed_ra_offset
		V1AMD64 | no words | set 0x42 01 / delete 0x43 2 / set 0x10 0000001a / set 0x35 0000000d | SF1004 0x2+1, SF3015 0x42+1
	`)
}

func TestFlexible(t *testing.T) {
	rt.Table(t, all, `
		# The last row of V3AMD64 with other words of 1 byte.
		last: .replace f4 0x1290 0x28 flex / 0: cfa = rsp+8 / 5: cfa = r10 / 17: size 1; words $
		V3AMD64 | reserved bit | f4.0.word0 = 61 | SF3016 f4.0.word0
		V3AArch64 | reserved bits of two | f4.2.word0 = 239 / f4.2.word2 = 6 | SF3016 f4.2.word0, SF3016 f4.2.word2
		V3AMD64 | the bit in a default row | f0.0.word0 = 12 |
		V3AMD64 | half of RA | last 0x39, 8, 2 | SF3017 f4.2.word2
		V3AMD64 | half of FP | last 0x39, 8, 0, 0x33 | SF3017 f4.2.word3
		V3AMD64 | half of CFA | last 0x39 | SF3017 f4.2.word0
		V3AMD64 | RA alone | last 0x39, 8, 2, -16 |
		V3AMD64 | all | last 0x39, 8, 2, -8, 2, -16 |
		V3AMD64 | padding for FP | last 0x39, 8, 0, 2, -16 |
		V3AMD64 | padding for RA alone | last 0x39, 8, 0 | SF3024 f4.2.word2
		V3AMD64 | padding alone | last 0x39, 8, 0, 0 | SF3024 0xb3+2
		V3AMD64 | padding after RA | last 0x39, 8, 2, -16, 0 | SF3024 f4.2.word4
		V3AArch64 | wide padding | set 0xb1 2a / set 0xba 0000 / delete 0xbc 2 / set 0x10 00000050 | SF3024 0xba+2
		V3AMD64 | padding after a CFA without a register | last 0x38, 8, 0 | SF3018 f4.2.word0
		V3AMD64 | 0 after an offset of 0 | last 0x39, 0, 2, 0 |
		V3AMD64 | no words | last |
		V3AMD64 | CFA from CFA | last 0x3a, 8 | SF3018 f4.2.word0
		V3AMD64 | CFA of a single 0 | last 0 | SF3018 f4.2.word0
		V3AMD64 | CFA from nothing | last 0, 8, 2, -16 | SF3018 f4.2.word0
		V3AMD64 | register of CFA | last 0x81, 8 | SF3019 f4.2.word0
		V3AMD64 | last register of CFA | last 0x79, 8 |
		V3AMD64 | register of RA | last 0x39, 8, 0x81, 0 | SF3019 f4.2.word2
		V3S390X | register of RA's address | f4.1.word2 = -125 | SF3019 f4.1.word2
		V3S390X | register of RA | f4.1.word2 = -127 / f4.1.word3 = 0 |
		V3S390X | last register of RA | f4.1.word2 = -7 / f4.1.word3 = 0 |
		V3S390X | register of RA beyond | f4.2.word2 = 257 / f4.2.word3 = 0 | SF3019 f4.2.word2
		V3AArch64 | last register of CFA | f4.1.word0 = -7 |
		V3AMD64 | left over | last 0x39, 8, 2, -8, 2, -16, 0, 8 | SF3020 0xb7+2
		V3AMD64 | left over after padding | last 0x39, 8, 0, 0, 8 | SF3020 f4.2.word4
		V3AMD64 | register of RA without reg_p | last 0x39, 8, 0x32, -16 | SF3026 f4.2.word2
		V3AMD64 | register of RA alone | last 0x39, 8, 0x30, 0 | SF3026 f4.2.word2
		V3AMD64 | register of FP without reg_p | last 0x39, 8, 0, 0x32, -16 | SF3021 f4.2.word3
		V3AMD64 | a size of no words | last ; info 0x20 | SF3027 f4.2.info
		V3AMD64 | SP for no words | last ; base sp | SF3023 f4.2.info
		V3AMD64 | RA from a register and an offset | last 0x39, 8, 0x31, 8 | SF3022 f4.2.word2
		V3AMD64 | FP from a register and an offset | last 0x39, 8, 0, 0x31, -8 | SF3022 f4.2.word3
		V3AMD64 | RA in a register | last 0x39, 8, 0x11, 0 |
		V3AMD64 | RA at a register and an offset | last 0x39, 8, 0x33, 8 |
		V3AMD64 | base register | f4.0.info = 0x5 | SF3023 f4.0.info
	`)
}
