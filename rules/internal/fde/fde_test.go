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
	"github.com/sframe-lint/sframe-lint/rules/internal/abi"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
)

// all are the rules on the contents of a section: a fault of an FDE must not
// set off those on rows.
var all = slices.Concat(header.Rules, fde.Rules, fre.Rules, abi.Rules)

func TestValid(t *testing.T) {
	for _, b := range rt.Bases() {
		var want []string
		if b.Bytes(t)[2] == 1 {
			want = []string{"SF1004 0x2+1"}
		}
		starts := []model.Start{at(0), at(0x40), at(0x240), at(0x280), at(0x290)}
		unsorted := []rt.Edit{rt.Set(0x03, map[bool]string{true: "00", false: "04"}[b.Bytes(t)[2] == 1])}
		rt.Run(t, all, []rt.Case{
			{Name: "raw", Base: b, Want: want},
			{Name: "linked", Base: b, Object: linked(), Want: want},
			{Name: "relocatable", Base: b, Edits: unsorted, Object: relocatable(starts), Want: want},
		})
	}
}

func edits(e ...rt.Edit) []rt.Edit { return e }

type maker = func([]byte, model.ABIInfo) *reader.Object

func linked(more ...reader.Section) maker {
	return func(data []byte, abi model.ABIInfo) *reader.Object { return rt.Linked(data, abi, more...) }
}

func relocatable(starts []model.Start, more ...reader.Section) maker {
	return func(data []byte, abi model.ABIInfo) *reader.Object {
		return rt.Relocatable(data, abi, starts, more...)
	}
}

// at is a start in .text.
func at(addr uint64) model.Start { return model.Start{Addr: addr, Place: rt.Text, OK: true} }

func TestInfo(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "FRE type", Base: rt.V3AMD64, Text: "f0.info = 0x3", Want: []string{"SF2001 f0.info"}},
		{Name: "FRE type", Base: rt.V2S390X, Text: "f2.info = 0x1f", Want: []string{"SF2001 f2.info"}},
		{Name: "FRE type", Base: rt.V1AMD64, Text: "f1.info = 0x8", Want: []string{"SF1004 version", "SF2001 f1.info"}},
		{Name: "FRE type without rows", Base: rt.V3AMD64, Text: "f3.info = 0x4", Want: []string{"SF2001 f3.info"}},
		{Name: "reserved bit 6", Base: rt.V1AArch64BE, Text: "f0.info = 0x40", Want: []string{"SF1004 version", "SF2002 f0.info"}},
		{Name: "reserved bit 7", Base: rt.V2AMD64, Text: "f1.info = 0x81", Want: []string{"SF2002 f1.info"}},
		{Name: "reserved bit 6", Base: rt.V3AArch64, Text: "f0.info = 0x40", Want: []string{"SF2002 f0.info"}},
		{Name: "signal frame", Base: rt.V3AArch64, Text: "f0.info = 0x80"},
		{Name: "reserved bits of info2", Base: rt.V3AMD64, Text: "f1.info2 = 0xe0", Want: []string{"SF2003 f1.info2"}},
		{Name: "FDE type", Base: rt.V3AMD64, Text: "f4.info2 = 0x2", Want: []string{"SF2004 f4.info2"}},
		{Name: "FDE type", Base: rt.V3S390X, Text: "f0.info2 = 0x1f", Want: []string{"SF2004 f0.info2"}},
		{Name: "padding", Base: rt.V2AMD64, Text: "f1.padding2 = 0x100", Want: []string{"SF2005 f1.padding2"}},
		{Name: "padding", Base: rt.V2AArch64BE, Text: "f3.padding2 = 1", Want: []string{"SF2005 f3.padding2"}},
		{Name: "pauth key", Base: rt.V3AMD64, Text: "f0.info = 0x20", Want: []string{"SF2006 f0.info"}},
		{Name: "pauth key", Base: rt.V2S390X, Text: "f0.info = 0x20", Want: []string{"SF2006 f0.info"}},
		{Name: "pauth key", Base: rt.V3AArch64, Text: "f0.info = 0x20"},
		{Name: "pauth key, unknown ABI", Base: rt.V3AMD64, Text: "abi_arch = 0x9\nf0.info = 0x20", Want: []string{"SF1006 abi_arch"}},
	})
}

func TestRepSize(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "missing", Base: rt.V2AMD64, Text: "f2.rep_size = 0", Want: []string{"SF2007 f2.rep_size"}},
		{Name: "missing", Base: rt.V3AArch64, Text: "f2.rep_size = 0", Want: []string{"SF2007 f2.rep_size"}},
		{Name: "none in V1", Base: rt.V1AMD64, Text: "f1.info = 0x11", Want: []string{"SF1004 version"}},
		{Name: "INC", Base: rt.V2S390X, Text: "f0.rep_size = 0x10", Want: []string{"SF2008 f0.rep_size"}},
		{Name: "INC", Base: rt.V3AMD64, Text: "f0.rep_size = 8", Want: []string{"SF2008 f0.rep_size"}},
		{Name: "remainder", Base: rt.V3AMD64, Text: "f2.rep_size = 0x18", Want: []string{"SF2020 f2.size"}},
		{Name: "remainder", Base: rt.V2AMD64, Text: "f2.size = 0x3f", Want: []string{"SF2020 f2.size"}},
		{Name: "larger than the function", Base: rt.V3AMD64, Text: "f2.rep_size = 0x50", Want: []string{"SF2021 f2.rep_size"}},
		{Name: "the function's size", Base: rt.V3AMD64, Text: "f2.rep_size = 0x40"},
		{Name: "empty function", Base: rt.V3AMD64, Text: "f2.size = 0", Want: []string{"SF2009 f2.size"}},
	})
}

func TestRepSizeStart(t *testing.T) {
	// FDE 2 of each base is a run of stubs of 16 bytes from 0x1240 on.
	const rows = "\n0: cfa = rsp+8\n11: cfa = rsp+16\n"
	const v3 = ".replace f2 0x1244 0x30 mask=16" + rows
	const other = ".replace f2 0x1244 0x30 mask=16\n0: cfa = sp\n8: cfa = sp+16" // of an ABI whose SP has the name sp
	rt.Run(t, all, []rt.Case{
		{Name: "raw", Base: rt.V3AMD64, Text: v3, Want: []string{"SF2022 f2.start"}},
		{Name: "linked", Base: rt.V3AArch64, Text: other, Object: linked(), Want: []string{"SF2022 f2.start"}},
		{Name: "V2", Base: rt.V2AArch64BE, Text: strings.Replace(other, "1244", "124c", 1), Want: []string{"SF2022 f2.start"}},
		{Name: "a multiple", Base: rt.V3AMD64, Text: ".replace f2 0x1244 0x30 mask=4\n0: cfa = rsp+8\n3: cfa = rsp+16"},
		{Name: "one FRE for every offset", Base: rt.V3AMD64, Text: ".replace f2 0x1244 0x30 mask=16\n0: cfa = rsp+8"},
		{Name: "no address", Base: rt.V3AMD64, Text: v3, Object: atZero},
		{Name: "no address yet", Base: rt.V3AMD64, Text: v3 + ".flags pcrel",
			Object: relocatable([]model.Start{at(0), at(0x40), at(0x244), at(0x280), at(0x290)})},
		{Name: "no instruction", Base: rt.V3AArch64, Text: ".replace f2 0x1242 0x30 mask=16\n0: cfa = sp\n8: cfa = sp+16", Want: []string{"SF2016 f2.start"}},
		{Name: "no whole number of stubs", Base: rt.V3AMD64, Text: ".replace f2 0x1244 0x2f mask=16" + rows, Want: []string{"SF2020 f2.size"}},
		{Name: "larger than the function", Base: rt.V3AMD64, Text: ".replace f2 0x1244 0x30 mask=0x31" + rows, Want: []string{"SF2021 f2.rep_size"}},
	})
}

func TestOrder(t *testing.T) {
	swapped := edits(rt.Set(0x1c, "@8:1040 00000200 00000014 @8:1000 00000040 00000000"))
	flagless := append(edits(rt.Set(0x03, "04")), swapped...)
	rt.Run(t, all, []rt.Case{
		{Name: "unsorted", Base: rt.V3AMD64, Edits: swapped, Want: []string{"SF2010 0x2c+8"}},
		{Name: "unsorted, linked", Base: rt.V3AMD64, Edits: swapped, Object: linked(), Want: []string{"SF2010 0x2c+8"}},
		{Name: "unsorted, no claim", Base: rt.V3AMD64, Edits: flagless},
		{Name: "fields descend, addresses ascend", Base: rt.V3AMD64,
			Edits: edits(rt.Set(0x24, "00000004"), rt.Set(0x2c, "@8:1004"), rt.Set(0x34, "0000023c"), rt.Set(0x7c, "03"),
				rt.Set(0x74, "01 05 10 f0 02 04 10 f0"))},
		{Name: "code on both sides of a raw section", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:9000")), Object: atZero},
		{Name: "unsorted raw section", Base: rt.V3AMD64, Edits: swapped, Object: atZero, Want: []string{"SF2010 0x2c+8"}},
		{Name: "unsorted", Base: rt.V1AArch64, Text: "f0.start = 0xfffff240", Want: []string{"SF1004 version", "SF2010 f1.start"}},
		{Name: "unsorted and equal", Base: rt.V2AMD64, Edits: edits(rt.Set(0x30, "@4:1000"), rt.Set(0x58, "@4:1210")), Want: []string{"SF2012 0x30+4", "SF2010 0x58+4"}},
		{Name: "unsorted and equal, linked", Base: rt.V2AMD64, Edits: edits(rt.Set(0x30, "@4:1000"), rt.Set(0x58, "@4:1210")), Object: linked(), Want: []string{"SF2012 0x30+4", "SF2010 0x58+4"}},
		{Name: "claimed in ET_REL", Base: rt.V3AMD64, Object: relocatable([]model.Start{at(0), at(0x40), at(0x240), at(0x280), at(0x290)}), Want: []string{"SF2011 0x3+1"}},
		{Name: "claimed in ET_REL, unsorted", Base: rt.V3AMD64, Object: relocatable([]model.Start{at(0x100), at(0x140), at(0), at(0x40), at(0x50)}),
			Edits: edits(rt.Set(0x34, "00000100"), rt.Set(0x8e, "00ff")), Want: []string{"SF2011 0x3+1"}},
	})
}

// atZero is a raw section whose address is not known.
func atZero(data []byte, _ model.ABIInfo) *reader.Object {
	o := rt.Raw(data)
	o.SFrames[0] = reader.DecodeSFrame(data, reader.SectionOptions{})
	return o
}

func TestOverlap(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "same start", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:1280"), rt.Set(0x64, "00000010"), rt.Set(0xaf, "06")), Want: []string{"SF2012 0x5c+8"}},
		{Name: "same start, not adjacent", Base: rt.V2AMD64,
			Edits: edits(rt.Set(0x03, "04"), rt.Set(0x58, "@4:1000")), Want: []string{"SF2012 0x58+4"}},
		{Name: "empty function before", Base: rt.V3AMD64, Edits: edits(rt.Set(0x4c, "@8:1290"), rt.Set(0x54, "00000000")), Want: []string{"SF2012 0x5c+8"}},
		{Name: "empty function inside", Base: rt.V3AMD64, Edits: edits(rt.Set(0x03, "04"), rt.Set(0x4c, "@8:1010"), rt.Set(0x54, "00000000")), Want: []string{"SF2009 0x54+4"}},
		{Name: "overlap", Base: rt.V3AMD64, Text: "f0.size = 0x41", Want: []string{"SF2013 f0.size"}},
		{Name: "overlap with the last", Base: rt.V3AMD64, Text: "f3.size = 0x11", Want: []string{"SF2013 f3.size"}},
		{Name: "overlap with two", Base: rt.V2AArch64BE, Text: "f0.size = 0x400", Want: []string{"SF2013 f0.size"}},
		{Name: "overlap after an empty function", Base: rt.V3AMD64, Edits: edits(rt.Set(0x03, "04"), rt.Set(0x24, "00000050"), rt.Set(0x4c, "@8:1020"), rt.Set(0x54, "00000000")),
			Want: []string{"SF2013 0x24+4", "SF2009 0x54+4"}},
		{Name: "overlap with two of one start", Base: rt.V3AMD64, Edits: edits(rt.Set(0x24, "00000060"), rt.Set(0x4c, "@8:1040"), rt.Set(0x03, "04")),
			Want: []string{"SF2013 0x24+4", "SF2012 0x4c+8"}},
		{Name: "two places", Base: rt.V3AMD64, Text: "flags = 0x4",
			Object: relocatable([]model.Start{at(0), {Addr: 0, Place: 3, OK: true}, at(0x240), at(0x280), at(0x290)}, reader.Section{Name: ".text.b", Flags: 6, Size: 0x200})},
		{Name: "one place", Base: rt.V3AMD64, Text: "flags = 0x4",
			Object: relocatable([]model.Start{at(0), at(0), at(0x240), at(0x280), at(0x290)}), Want: []string{"SF2012 0x2c+8"}},
		{Name: "unknown starts", Base: rt.V3AMD64, Text: "flags = 0x4", Object: relocatable(nil)},
	})
}

func TestCode(t *testing.T) {
	const alloc, exec = 2, 4
	plt := reader.Section{Name: ".plt", Flags: alloc | exec, Addr: 0x13f0, Size: 0x20}
	data := reader.Section{Name: ".data", Flags: alloc, Addr: 0x3000, Size: 0x100}
	strip := func(b []byte, abi model.ABIInfo) *reader.Object {
		o := rt.Linked(b, abi)
		o.ELF.Sections = nil
		return o
	}
	starts := func(s ...model.Start) []model.Start {
		return append(s, at(0x40), at(0x240), at(0x280), at(0x290))
	}
	rel := edits(rt.Set(0x03, "04"))
	rt.Run(t, all, []rt.Case{
		{Name: "start after the code", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:1400")), Object: linked(data), Want: []string{"SF2014 0x5c+8"}},
		{Name: "start before the code", Base: rt.V3AMD64, Edits: edits(rt.Set(0x1c, "@8:0fc0")), Object: linked(data), Want: []string{"SF2014 0x1c+8"}},
		{Name: "start in data", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:3000")), Object: linked(data), Want: []string{"SF2014 0x5c+8"}},
		{Name: "end", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:13e0")), Object: linked(), Want: []string{"SF2014 0x64+4"}},
		{Name: "end between two", Base: rt.V2AMD64, Edits: edits(rt.Set(0x48, "00000200"), rt.Set(0x58, "@4:1500")),
			Object: linked(reader.Section{Flags: alloc | exec, Addr: 0x1500, Size: 0x10}), Want: []string{"SF2014 0x48+4"}},
		{Name: "end, unsorted", Base: rt.V2AMD64, Edits: edits(rt.Set(0x03, "04"), rt.Set(0x44, "@4:1380"), rt.Set(0x48, "00000100")), Object: linked(), Want: []string{"SF2014 0x48+4"}},
		{Name: "in the later of two that overlap", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:13f0"), rt.Set(0x64, "00000020")), Object: linked(plt)},
		{Name: "empty at the end", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:1400"), rt.Set(0x64, "00000000")), Object: linked(), Want: []string{"SF2009 0x64+4"}},
		{Name: "raw", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:3000"))},
		{Name: "segment", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:1400")), Object: strip, Want: []string{"SF2014 0x5c+8"}},
		{Name: "segment of data", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:2000")), Object: strip, Want: []string{"SF2014 0x5c+8"}},
		{Name: "relocatable, data", Base: rt.V3AMD64, Edits: rel,
			Object: relocatable(starts(model.Start{Addr: 0, Place: 3, OK: true}), data), Want: []string{"SF2014 0x1c+8"}},
		{Name: "relocatable, start", Base: rt.V3AMD64, Edits: rel,
			Object: relocatable(starts(model.Start{Addr: 0x20, Place: 3, OK: true}), plt), Want: []string{"SF2014 0x1c+8"}},
		{Name: "relocatable, end", Base: rt.V3AMD64, Edits: rel,
			Object: relocatable(starts(model.Start{Addr: 0, Place: 3, OK: true}), plt), Want: []string{"SF2014 0x24+4"}},
		{Name: "relocatable, empty at the end", Base: rt.V3AMD64, Edits: append(rel, rt.Set(0x24, "00000000")),
			Object: relocatable(starts(model.Start{Addr: 0x20, Place: 3, OK: true}), plt), Want: []string{"SF2009 0x24+4"}},
		{Name: "relocatable, no such section", Base: rt.V3AMD64, Edits: rel, Object: relocatable(starts(model.Start{Addr: 0, Place: 3, OK: true}))},
		{Name: "relocatable, no section", Base: rt.V3AMD64, Edits: rel, Object: relocatable(starts(model.Start{Addr: 0, Place: 0, OK: true}))},
		{Name: "relocatable, before the section", Base: rt.V3AMD64, Edits: rel,
			Object: relocatable(starts(at(0xffffffffffffffff))), Want: []string{"SF2014 0x1c+8"}},
		{Name: "relocatable, unknown", Base: rt.V3AMD64, Edits: rel, Object: relocatable(starts(model.Start{Addr: 0x9000, Place: 1}))},
		{Name: "wraps", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:fffffffffffffff0")), Want: []string{"SF2019 0x64+4"}},
		{Name: "ends with the address space", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:ffffffffffffffd8"))},
		{Name: "wraps, not the last", Base: rt.V3AMD64, Edits: edits(rt.Set(0x03, "04"), rt.Set(0x1c, "@8:ffffffffffffffd0")), Want: []string{"SF2019 0x24+4"}},
	})
}

func TestMisread(t *testing.T) {
	// The values of the valid sections, from the section's start on.
	v3 := edits(rt.Set(0x1c, "fffffffffffff000"), rt.Set(0x2c, "fffffffffffff040"), rt.Set(0x3c, "fffffffffffff240"),
		rt.Set(0x4c, "fffffffffffff280"), rt.Set(0x5c, "fffffffffffff290"))
	v2 := edits(rt.Set(0x1c, "fffff000"), rt.Set(0x30, "fffff040"), rt.Set(0x44, "fffff240"), rt.Set(0x58, "fffff280"))
	flags := func(f string, e []rt.Edit) []rt.Edit { return append(edits(rt.Set(0x03, f)), e...) }
	// text is an executable whose code is no larger than its functions.
	text := func(size uint64) maker {
		return func(data []byte, abi model.ABIInfo) *reader.Object {
			o := rt.Linked(data, abi)
			o.ELF.Sections[rt.Text].Size = size
			return o
		}
	}
	rt.Run(t, all, []rt.Case{
		{Name: "set, fields count from the section", Base: rt.V3AMD64, Edits: v3, Object: text(0x2b8), Want: []string{"SF2015 0x3+1"}},
		{Name: "set, fields count from the section", Base: rt.V2AArch64BE, Edits: v2, Object: text(0x290), Want: []string{"SF2015 0x3+1"}},
		{Name: "clear, fields count from themselves", Base: rt.V3AMD64, Edits: flags("01", nil), Object: text(0x2b8), Want: []string{"SF2015 0x3+1"}},
		{Name: "clear, fields count from themselves", Base: rt.V2S390X, Edits: flags("01", nil), Object: linked(), Want: []string{"SF2015 0x3+1"}},
		{Name: "set, only the last end is outside", Base: rt.V3AMD64, Edits: v3, Object: text(0x2b8 + 0x5b), Want: []string{"SF2015 0x3+1"}},
		{Name: "set, room for all", Base: rt.V3AMD64, Edits: v3, Object: text(0x2b8 + 0x5c)},
		{Name: "overlap in a small section", Base: rt.V2AMD64, Edits: flags("01", append(v2, rt.Set(0x20, "00000044"))), Object: linked(), Want: []string{"SF2013 0x20+4"}},
		{Name: "clear, fields count from the section", Base: rt.V3AMD64, Edits: flags("01", v3), Object: text(0x2b8)},
		{Name: "set, one end outside, but overlaps the other way", Base: rt.V3AMD64, Object: func(data []byte, abi model.ABIInfo) *reader.Object {
			o := rt.Linked(data, abi)
			o.ELF.Sections[rt.Text].Addr, o.ELF.Sections[rt.Text].Size = 0xf00, 0x3a0
			return o
		}, Want: []string{"SF2014 0x64+4"}},
		{Name: "clear, odd starts", Base: rt.V1AArch64, Edits: edits(rt.Set(0x1c, "@4:1000"), rt.Set(0x2d, "@4:1040")), Object: text(0x240), Want: []string{"SF1004 0x2+1", "SF2015 0x3+1"}},
		{Name: "set, raw", Base: rt.V3AMD64, Edits: v3},
		{Name: "no code either way", Base: rt.V2AMD64, Object: func(data []byte, abi model.ABIInfo) *reader.Object {
			o := rt.Linked(data, abi)
			o.ELF.Sections[rt.Text].Addr = 0x8000
			return o
		}, Want: []string{"SF2014 0x1c+4", "SF2014 0x30+4", "SF2014 0x44+4", "SF2014 0x58+4"}},
	})
}

func TestInstructions(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "start", Base: rt.V3AArch64, Edits: edits(rt.Set(0x5c, "@8:1292")), Want: []string{"SF2016 0x5c+8"}},
		{Name: "start, so that the end overlaps", Base: rt.V3AArch64, Edits: edits(rt.Set(0x1c, "@8:1002")), Want: []string{"SF2016 0x1c+8"}},
		{Name: "start", Base: rt.V2S390X, Edits: edits(rt.Set(0x58, "@4:1283")), Want: []string{"SF2016 0x58+4"}},
		{Name: "even start", Base: rt.V2S390X, Edits: edits(rt.Set(0x58, "@4:1282"))},
		{Name: "start", Base: rt.V3AMD64, Edits: edits(rt.Set(0x5c, "@8:1291"))},
		{Name: "size", Base: rt.V1AArch64BE, Text: "f1.size = 0x1fe", Want: []string{"SF1004 version", "SF2017 f1.size"}},
		{Name: "size", Base: rt.V3S390X, Text: "f4.size = 0x27", Want: []string{"SF2017 f4.size"}},
		{Name: "size", Base: rt.V3AMD64, Text: "f4.size = 0x27"},
		{Name: "ABI in doubt", Base: rt.V3AArch64, Edits: edits(rt.Set(0x06, "f8"), rt.Set(0x5c, "@8:1292"), rt.Set(0x64, "00000022")), Want: []string{"SF1008 0x6+1"}},
		{Name: "start in ET_REL", Base: rt.V3AArch64, Text: "flags = 0x4",
			Object: relocatable([]model.Start{at(0), at(0x40), at(0x240), at(0x281)}), Want: []string{"SF2016 0x4c+8"}},
	})
}

func TestNoRows(t *testing.T) {
	noRow := edits(rt.Set(0x0c, "00000009"), rt.Set(0x10, "00000022"), rt.Set(0x64, "00000000"), rt.Delete(0x8e, 2))
	rt.Run(t, all, []rt.Case{
		{Name: "V2", Base: rt.V2AMD64, Edits: noRow, Want: []string{"SF2018 0x64+4"}},
	})
}

// Whatever is wrong with a section, no rule may fail over it.
func TestDamaged(t *testing.T) {
	d := rules.Driver{Rules: all}
	for _, b := range rt.Bases() {
		data := b.Bytes(t)
		for bit := range 8 * len(data) {
			bad := slices.Clone(data)
			bad[bit/8] ^= 1 << (bit % 8)
			for _, o := range []*reader.Object{rt.Raw(bad), rt.Linked(bad, b.ABI()), rt.Relocatable(bad, b.ABI(), []model.Start{at(0), at(0x40)})} {
				require.Empty(t, d.Run(o).Failures, "%s, bit %d", b.Name, bit)
			}
		}
	}
}

func TestStartsNearTheLimit(t *testing.T) {
	rt.Run(t, all, []rt.Case{
		{Name: "last function far away", Base: rt.V2AMD64, Text: "f3.start = 0x7ffffff0", Want: []string{"SF2101 f3.start"}},
		{Name: "64 MiB from the limit", Base: rt.V2AMD64, Text: "f3.start = 0x7bff0000"},
		{Name: "64 bits", Base: rt.V3AMD64, Text: "f4.start = 0x7ffffff0"},
	})
}
