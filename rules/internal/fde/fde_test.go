package fde_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
)

// all are the rules on the contents of a section: a fault of an FDE must not
// set off those on rows.
var all = slices.Concat(header.Rules, fde.Rules, fre.Rules)

func TestValid(t *testing.T) {
	for _, b := range rt.Bases() {
		flags, want := "04", ""
		if b.Name[:2] == "V1" {
			flags, want = "00", "SF1004 0x2+1"
		}
		rt.Table(t, all, strings.NewReplacer("BASE", b.Name, "FLAGS", flags, "WANT", want).Replace(`
			BASE | raw |  | WANT
			BASE | linked | linked | WANT
			BASE | relocatable | set 0x03 FLAGS / relocatable 0 0x40 0x240 0x280 0x290 | WANT
		`))
	}
}

func TestInfo(t *testing.T) {
	rt.Table(t, all, `
		V3AMD64 | FRE type | f0.info = 0x3 | SF2001 f0.info
		V2S390X | FRE type | f2.info = 0x1f | SF2001 f2.info
		V1AMD64 | FRE type | f1.info = 0x8 | SF1004 version, SF2001 f1.info
		V3AMD64 | FRE type without rows | f3.info = 0x4 | SF2001 f3.info
		V1AArch64BE | reserved bit 6 | f0.info = 0x40 | SF1004 version, SF2002 f0.info
		V2AMD64 | reserved bit 7 | f1.info = 0x81 | SF2002 f1.info
		V3AArch64 | reserved bit 6 | f0.info = 0x40 | SF2002 f0.info
		V3AArch64 | signal frame | f0.info = 0x80 |
		V3AMD64 | reserved bits of info2 | f1.info2 = 0xe0 | SF2003 f1.info2
		V3AMD64 | FDE type | f4.info2 = 0x2 | SF2004 f4.info2
		V3S390X | FDE type | f0.info2 = 0x1f | SF2004 f0.info2
		V2AMD64 | padding | f1.padding2 = 0x100 | SF2005 f1.padding2
		V2AArch64BE | padding | f3.padding2 = 1 | SF2005 f3.padding2
		V3AMD64 | pauth key | f0.info = 0x20 | SF2006 f0.info
		V2S390X | pauth key | f0.info = 0x20 | SF2006 f0.info
		V3AArch64 | pauth key | f0.info = 0x20 |
		V3AMD64 | pauth key, unknown ABI | abi_arch = 0x9 / f0.info = 0x20 | SF1006 abi_arch
	`)
}

func TestRepSize(t *testing.T) {
	rt.Table(t, all, `
		V2AMD64 | missing | f2.rep_size = 0 | SF2007 f2.rep_size
		V3AArch64 | missing | f2.rep_size = 0 | SF2007 f2.rep_size
		V1AMD64 | none in V1 | f1.info = 0x11 | SF1004 version
		V2S390X | INC | f0.rep_size = 0x10 | SF2008 f0.rep_size
		V3AMD64 | INC | f0.rep_size = 8 | SF2008 f0.rep_size
		V3AMD64 | remainder | f2.rep_size = 0x18 | SF2020 f2.size
		V2AMD64 | remainder | f2.size = 0x3f | SF2020 f2.size
		V3AMD64 | larger than the function | f2.rep_size = 0x50 | SF2021 f2.rep_size
		V3AMD64 | the function's size | f2.rep_size = 0x40 |
		V3AMD64 | empty function | f2.size = 0 | SF2009 f2.size
	`)
}

func TestRepSizeStart(t *testing.T) {
	rt.Table(t, all, `
		# FDE 2 of each base is a run of stubs of 16 bytes from 0x1240 on.
		rows: 0: cfa = rsp+8 / 11: cfa = rsp+16
		v3: .replace f2 0x1244 0x30 mask=16 / rows
		# ABIs whose SP has the name sp
		other: .replace f2 $ 0x30 mask=16 / 0: cfa = sp / 8: cfa = sp+16
		V2AArch64BE | V2 | other 0x124c | SF2022 f2.start
		V3AMD64 | raw | v3 | SF2022 f2.start
		V3AArch64 | linked | other 0x1244 / linked | SF2022 f2.start
		V3AMD64 | a multiple | .replace f2 0x1244 0x30 mask=4 / 0: cfa = rsp+8 / 3: cfa = rsp+16 |
		V3AMD64 | one FRE for every offset | .replace f2 0x1244 0x30 mask=16 / 0: cfa = rsp+8 |
		V3AMD64 | no address | v3 / at 0 |
		V3AMD64 | no address yet | v3 / .flags pcrel / relocatable 0 0x40 0x244 0x280 0x290 |
		V3AArch64 | no instruction | other 0x1242 | SF2016 f2.start
		V3AMD64 | no whole number of stubs | .replace f2 0x1244 0x2f mask=16 / rows | SF2020 f2.size
		V3AMD64 | larger than the function | .replace f2 0x1244 0x30 mask=0x31 / rows | SF2021 f2.rep_size
	`)
}

func TestOrder(t *testing.T) {
	rt.Table(t, all, `
		swapped: set 0x1c @8:1040 00000200 00000014 @8:1000 00000040 00000000
		V3AMD64 | unsorted | swapped | SF2010 0x2c+8
		V3AMD64 | unsorted, linked | swapped / linked | SF2010 0x2c+8
		V3AMD64 | unsorted, no claim | set 0x03 04 / swapped |
		V3AMD64 | fields descend, addresses ascend | set 0x24 00000004 / set 0x2c @8:1004 / set 0x34 0000023c / set 0x7c 03 / set 0x74 01 05 10 f0 02 04 10 f0 |
		V3AMD64 | code on both sides of a raw section | set 0x5c @8:9000 / at 0 |
		V3AMD64 | unsorted raw section | swapped / at 0 | SF2010 0x2c+8
		V1AArch64 | unsorted | f0.start = 0xfffff240 | SF1004 version, SF2010 f1.start
		V2AMD64 | unsorted and equal | set 0x30 @4:1000 / set 0x58 @4:1210 | SF2012 0x30+4, SF2010 0x58+4
		V2AMD64 | unsorted and equal, linked | set 0x30 @4:1000 / set 0x58 @4:1210 / linked | SF2012 0x30+4, SF2010 0x58+4
		V3AMD64 | claimed in ET_REL | relocatable 0 0x40 0x240 0x280 0x290 | SF2011 0x3+1
		V3AMD64 | claimed in ET_REL, unsorted | set 0x34 00000100 / set 0x8e 00ff / relocatable 0x100 0x140 0 0x40 0x50 | SF2011 0x3+1
	`)
}

func TestOverlap(t *testing.T) {
	rt.Table(t, all, `
		V3AMD64 | same start | set 0x5c @8:1280 / set 0x64 00000010 / set 0xaf 06 | SF2012 0x5c+8
		V2AMD64 | same start, not adjacent | set 0x03 04 / set 0x58 @4:1000 | SF2012 0x58+4
		V3AMD64 | empty function before | set 0x4c @8:1290 / set 0x54 00000000 | SF2012 0x5c+8
		V3AMD64 | empty function inside | set 0x03 04 / set 0x4c @8:1010 / set 0x54 00000000 | SF2009 0x54+4
		V3AMD64 | overlap | f0.size = 0x41 | SF2013 f0.size
		V3AMD64 | overlap with the last | f3.size = 0x11 | SF2013 f3.size
		V2AArch64BE | overlap with two | f0.size = 0x400 | SF2013 f0.size
		V3AMD64 | overlap after an empty function | set 0x03 04 / set 0x24 00000050 / set 0x4c @8:1020 / set 0x54 00000000 | SF2013 0x24+4, SF2009 0x54+4
		V3AMD64 | overlap with two of one start | set 0x24 00000060 / set 0x4c @8:1040 / set 0x03 04 | SF2013 0x24+4, SF2012 0x4c+8
		V3AMD64 | two places | flags = 0x4 / relocatable 0 0@3 0x240 0x280 0x290 / section 6 0 0x200 |
		V3AMD64 | one place | flags = 0x4 / relocatable 0 0 0x240 0x280 0x290 | SF2012 0x2c+8
		V3AMD64 | unknown starts | flags = 0x4 / relocatable |
	`)
}

func TestCode(t *testing.T) {
	rt.Table(t, all, `
		plt: section 6 0x13f0 0x20
		data: section 2 0x3000 0x100
		rel: set 0x03 04 / relocatable $ 0x40 0x240 0x280 0x290
		V2AMD64 | end between two | set 0x48 00000200 / set 0x58 @4:1500 / linked / section 6 0x1500 0x10 | SF2014 0x48+4
		V3AMD64 | start after the code | set 0x5c @8:1400 / linked / data | SF2014 0x5c+8
		V3AMD64 | start before the code | set 0x1c @8:0fc0 / linked / data | SF2014 0x1c+8
		V3AMD64 | start in data | set 0x5c @8:3000 / linked / data | SF2014 0x5c+8
		V3AMD64 | end | set 0x5c @8:13e0 / linked | SF2014 0x64+4
		V2AMD64 | end, unsorted | set 0x03 04 / set 0x44 @4:1380 / set 0x48 00000100 / linked | SF2014 0x48+4
		V3AMD64 | in the later of two that overlap | set 0x5c @8:13f0 / set 0x64 00000020 / linked / plt |
		V3AMD64 | empty at the end | set 0x5c @8:1400 / set 0x64 00000000 / linked | SF2009 0x64+4
		V3AMD64 | raw | set 0x5c @8:3000 |
		V3AMD64 | segment | set 0x5c @8:1400 / linked / headless | SF2014 0x5c+8
		V3AMD64 | segment of data | set 0x5c @8:2000 / linked / headless | SF2014 0x5c+8
		V3AMD64 | relocatable, data | rel 0@3 / data | SF2014 0x1c+8
		V3AMD64 | relocatable, start | rel 0x20@3 / plt | SF2014 0x1c+8
		V3AMD64 | relocatable, end | rel 0@3 / plt | SF2014 0x24+4
		V3AMD64 | relocatable, empty at the end | set 0x24 00000000 / rel 0x20@3 / plt | SF2009 0x24+4
		V3AMD64 | relocatable, no such section | rel 0@3 |
		V3AMD64 | relocatable, no section | rel 0@0 |
		V3AMD64 | relocatable, before the section | rel 0xffffffffffffffff | SF2014 0x1c+8
		V3AMD64 | relocatable, unknown | rel 0x9000@1? |
		V3AMD64 | wraps | set 0x5c @8:fffffffffffffff0 | SF2019 0x64+4
		V3AMD64 | ends with the address space | set 0x5c @8:ffffffffffffffd8 |
		V3AMD64 | wraps, not the last | set 0x03 04 / set 0x1c @8:ffffffffffffffd0 | SF2019 0x24+4
	`)
}

func TestMisread(t *testing.T) {
	rt.Table(t, all, `
		# The values of the valid sections, from the section's start on.
		v3: set 0x1c fffffffffffff000 / set 0x2c fffffffffffff040 / set 0x3c fffffffffffff240 / set 0x4c fffffffffffff280 / set 0x5c fffffffffffff290
		v2: set 0x1c fffff000 / set 0x30 fffff040 / set 0x44 fffff240 / set 0x58 fffff280
		# Code that is no larger than its functions.
		tight: linked / text 0x1000 $
		V3AMD64 | set, one end outside, but overlaps the other way | linked / text 0xf00 0x3a0 | SF2014 0x64+4
		V2AMD64 | no code either way | linked / text 0x8000 0x400 | SF2014 0x1c+4, SF2014 0x30+4, SF2014 0x44+4, SF2014 0x58+4
		V3AMD64 | set, fields count from the section | v3 / tight 0x2b8 | SF2015 0x3+1
		V2AArch64BE | set, fields count from the section | v2 / tight 0x290 | SF2015 0x3+1
		V3AMD64 | clear, fields count from themselves | set 0x03 01 / tight 0x2b8 | SF2015 0x3+1
		V2S390X | clear, fields count from themselves | set 0x03 01 / linked | SF2015 0x3+1
		V3AMD64 | set, only the last end is outside | v3 / tight 0x313 | SF2015 0x3+1
		V3AMD64 | set, room for all | v3 / tight 0x314 |
		V2AMD64 | overlap in a small section | set 0x03 01 / v2 / set 0x20 00000044 / linked | SF2013 0x20+4
		V3AMD64 | clear, fields count from the section | set 0x03 01 / v3 / tight 0x2b8 |
		V1AArch64 | clear, odd starts | set 0x1c @4:1000 / set 0x2d @4:1040 / tight 0x240 | SF1004 0x2+1, SF2015 0x3+1
		V3AMD64 | set, raw | v3 |
	`)
}

func TestInstructions(t *testing.T) {
	rt.Table(t, all, `
		V3AArch64 | start | set 0x5c @8:1292 | SF2016 0x5c+8
		V3AArch64 | start, so that the end overlaps | set 0x1c @8:1002 | SF2016 0x1c+8
		V2S390X | start | set 0x58 @4:1283 | SF2016 0x58+4
		V2S390X | even start | set 0x58 @4:1282 |
		V3AMD64 | start | set 0x5c @8:1291 |
		V1AArch64BE | size | f1.size = 0x1fe | SF1004 version, SF2017 f1.size
		V3S390X | size | f4.size = 0x27 | SF2017 f4.size
		V3AMD64 | size | f4.size = 0x27 |
		V3AArch64 | ABI in doubt | set 0x06 f8 / set 0x5c @8:1292 / set 0x64 00000022 | SF1008 0x6+1
		V3AArch64 | start in ET_REL | flags = 0x4 / relocatable 0 0x40 0x240 0x281 | SF2016 0x4c+8
	`)
}

func TestNoRows(t *testing.T) {
	rt.Table(t, all, `
		V2AMD64 | V2 | set 0x0c 00000009 / set 0x10 00000022 / set 0x64 00000000 / delete 0x8e 2 | SF2018 0x64+4
	`)
}

// Whatever is wrong with a section, no rule may fail over it.
func TestDamaged(t *testing.T) {
	d := rules.Driver{Rules: all}
	for _, b := range rt.Bases() {
		data := b.Bytes(t)
		for bit := range 8 * len(data) {
			bad := slices.Clone(data)
			bad[bit/8] ^= 1 << (bit % 8)
			for _, o := range []*reader.Object{rt.Raw(bad), rt.Linked(bad, b.ABI()), rt.Relocatable(bad, b.ABI(), []model.Start{{Place: rt.Text, OK: true}, {Addr: 0x40, Place: rt.Text, OK: true}})} {
				require.Empty(t, d.Run(o).Failures, "%s, bit %d", b.Name, bit)
			}
		}
	}
}

func TestStartsNearTheLimit(t *testing.T) {
	rt.Table(t, all, `
		V2AMD64 | last function far away | f3.start = 0x7ffffff0 | SF2101 f3.start
		V2AMD64 | 64 MiB from the limit | f3.start = 0x7bff0000 |
		V3AMD64 | 64 bits | f4.start = 0x7ffffff0 |
	`)
}
