package reader

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// testSym is a symbol of a crafted table.
type testSym struct {
	name        uint32 // offset in the table of names
	typ         elf.SymType
	bind        elf.SymBind
	section     elf.SectionIndex
	value, size uint64
}

func symtab(o order, syms ...testSym) []byte {
	b := make([]byte, symSize)
	for _, y := range syms {
		b = o.AppendUint32(b, y.name)
		b = append(b, elf.ST_INFO(y.bind, y.typ), 0)
		b = o.AppendUint16(b, uint16(y.section))
		b = o.AppendUint64(o.AppendUint64(b, y.value), y.size)
	}
	return b
}

func rela(o order, off int64, sym, typ uint32, addend int64) []byte {
	b := o.AppendUint64(nil, uint64(off))
	b = o.AppendUint64(b, uint64(sym)<<32|uint64(typ))
	return o.AppendUint64(b, uint64(addend))
}

func concat(parts ...[]byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

const (
	pc32 = uint32(elf.R_X86_64_PC32)
	pc64 = uint32(elf.R_X86_64_PC64)
)

// object is an ET_REL file of three functions, with the relocations given.
// Its sections: 1 .text, 2 .text.hot, 3 .sframe, 4 its relocations, 5 the
// symbols, 6 their names, 7 the section indices of symbols.
func object(o order, v model.Version, flags model.Flags, relocs ...[]byte) *testELF {
	f := &testELF{order: o, typ: elf.ET_REL, machine: elf.EM_X86_64}
	text := testSection{typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, data: make([]byte, 64)}
	hot := text
	text.name, hot.name = ".text", ".text.hot"
	sframe := sframeOf(craft(o, v, amd64, flags, leaf(0, 4), leaf(0, 8), leaf(0, 16)))
	sframe.addr = 0
	f.sections = []testSection{text, hot, sframe,
		{name: ".rela.sframe", typ: elf.SHT_RELA, link: 5, info: 3, entsize: relaSize, data: concat(relocs...)},
		{name: ".symtab", typ: elf.SHT_SYMTAB, link: 6, entsize: symSize, data: symtab(o,
			testSym{typ: elf.STT_SECTION, section: 1},
			testSym{1, elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x10, 8},
			testSym{3, elf.STT_FUNC, elf.STB_LOCAL, 2, 0x20, 16},
			testSym{name: 5, bind: elf.STB_GLOBAL},
			testSym{section: elf.SHN_ABS, value: 0x40},
			testSym{section: elf.SHN_XINDEX, value: 0x30},
			testSym{section: 0x1000},
		)},
		{name: ".strtab", typ: elf.SHT_STRTAB, data: []byte("\x00f\x00g\x00u\x00")},
		{name: ".symtab_shndx", typ: elf.SHT_SYMTAB_SHNDX, link: 5, entsize: 4,
			data: concat(make([]byte, 24), o.AppendUint32(nil, 2))},
	}
	return f
}

func starts(t *testing.T, o *Object) []model.Start {
	t.Helper()
	require.Len(t, o.SFrames, 1)
	s := o.SFrames[0].Section
	require.NotNil(t, s)
	var out []model.Start
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		out = append(out, model.Start{Addr: f.Start(), Place: uint32(f.Place()), OK: f.Resolved()})
	}
	return out
}

func TestStartsOfRelocatableFile(t *testing.T) {
	const pcrel = model.SFRAME_F_FDE_FUNC_START_PCREL
	at := func(addr uint64, place uint32) model.Start { return model.Start{Addr: addr, Place: place, OK: true} }
	none := model.Start{}
	good := []model.Start{at(4, 1), at(0x10, 1), at(0x20, 2)}
	tests := []struct {
		name   string
		v      model.Version
		flags  model.Flags
		relocs [][]byte
		want   []model.Start
	}{
		{"V1", 1, 0, [][]byte{rela(le, 28, 1, pc32, 4), rela(le, 28+17, 2, pc32, 0), rela(le, 28+34, 3, pc32, 0)}, good},
		{"V2", 2, 0, [][]byte{rela(le, 28, 1, pc32, 4), rela(le, 48, 2, pc32, 0), rela(le, 68, 3, pc32, 0)}, good},
		{"V2 PCREL", 2, pcrel, [][]byte{rela(le, 28, 1, pc32, 4), rela(le, 48, 2, pc32, 0), rela(le, 68, 3, pc32, 0)}, good},
		{"V3", 3, pcrel, [][]byte{rela(le, 28, 1, pc64, 4), rela(le, 44, 2, pc64, 0), rela(le, 60, 3, pc64, 0)}, good},
		{"order", 3, pcrel, [][]byte{rela(le, 60, 3, pc64, 0), rela(le, 28, 1, pc64, 4), rela(le, 44, 2, pc64, 0)}, good},
		{"others between", 3, pcrel, [][]byte{rela(le, 0, 1, pc64, 9), rela(le, 28, 1, pc64, 4), rela(le, 30, 1, pc64, 4),
			rela(le, 44, 2, pc64, 0), rela(le, 45, 2, pc64, 0), rela(le, 60, 3, pc64, 0), rela(le, 99, 3, pc64, 0)}, good},
		{"symbols", 3, pcrel, [][]byte{rela(le, 28, 4, pc64, 0), rela(le, 44, 5, pc64, 0), rela(le, 60, 6, pc64, 0)},
			[]model.Start{none, none, at(0x30, 2)}},
		{"no symbol, no section", 3, pcrel, [][]byte{rela(le, 28, 0, pc64, 0), rela(le, 44, 99, pc64, 0), rela(le, 60, 7, pc64, 0)},
			[]model.Start{none, none, none}},
		{"dead, missing, narrow", 3, pcrel, [][]byte{rela(le, 28, 1, 0, 0), rela(le, 60, 1, pc32, 0)}, []model.Start{none, none, none}},
		{"several", 3, pcrel, [][]byte{rela(le, 28, 1, pc64, 4), rela(le, 28, 1, pc64, 4), rela(le, 44, 2, pc64, 0), rela(le, 60, 3, pc64, 0), rela(le, 60, 3, 0, 0)},
			[]model.Start{none, at(0x10, 1), at(0x20, 2)}},
		{"dead beside others", 3, pcrel, [][]byte{rela(le, 28, 0, 0, 0), rela(le, 28, 1, pc64, 4), rela(le, 28, 0, 0, 0), rela(le, 44, 2, pc64, 0),
			rela(le, 60, 0, 0, 0), rela(le, 60, 0, 0, 0)}, []model.Start{at(4, 1), at(0x10, 1), none}},
		{"negative addend", 3, pcrel, [][]byte{rela(le, 28, 2, pc64, -0x10), rela(le, 44, 2, pc64, -0x11)},
			[]model.Start{at(0, 1), at(^uint64(0), 1), none}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := scanOne(t, object(le, tt.v, tt.flags, tt.relocs...).bytes())
			assert.Empty(t, o.Faults)
			assert.Equal(t, tt.want, starts(t, o))
			require.Len(t, o.SFrames[0].Relocs, len(tt.relocs))
			assert.Equal(t, 4, o.SFrames[0].RelocIndex)
		})
	}
}

func TestRelocsAreInFileOrder(t *testing.T) {
	f := object(le, 3, 0, rela(le, 60, 3, pc64, -1), rela(le, 28, 1, pc32, 4))
	b := f.bytes()
	o := scanOne(t, b)
	at := int64(o.ELF.Sections[4].Offset)
	assert.Equal(t, []Reloc{
		{Offset: 60, Entry: model.Span{Off: at, Len: 24}, Type: pc64, Symbol: 3, Addend: -1},
		{Offset: 28, Entry: model.Span{Off: at + 24, Len: 24}, Type: pc32, Symbol: 1, Addend: 4},
	}, o.SFrames[0].Relocs)
}

func TestRelocationFaults(t *testing.T) {
	all := [][]byte{rela(le, 28, 1, pc64, 4), rela(le, 44, 2, pc64, 0), rela(le, 60, 3, pc64, 0)}
	tests := []struct {
		name   string
		edit   func(s *testSection)
		detail string
		relocs int
		known  bool // starts are resolved
	}{
		{"REL", func(s *testSection) { s.typ = elf.SHT_REL }, "SHT_REL: the supported ABIs use only SHT_RELA", 0, false},
		{"CREL", func(s *testSection) { s.typ = shtCREL }, "SHT_CREL is not read", 0, false},
		{"entry size", func(s *testSection) { s.entsize = 16 }, "sh_entsize is not 24", 0, false},
		{"symbol table", func(s *testSection) { s.link = 1 }, "sh_link does not lead to the symbol table", 3, false},
		{"half an entry", func(s *testSection) { s.data = s.data[:71] }, "the last entry is not whole", 2, true},
		{"beyond the end", func(s *testSection) { s.offset, s.size = 1<<40, 72 }, "the entries reach beyond the end of the file", 0, false},
		{"hostile size", func(s *testSection) { s.size = 1 << 60 }, "the entries reach beyond the end of the file", -1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := object(le, 3, 0, all...)
			tt.edit(&f.sections[3])
			o := scanOne(t, f.bytes())
			require.NotEmpty(t, o.Faults)
			assert.Equal(t, RelocsDamaged, o.Faults[0].Code)
			assert.Equal(t, tt.detail, o.Faults[0].Detail)
			assert.Equal(t, o.ELF.Sections[4].Header, o.Faults[0].Span)
			if tt.relocs >= 0 {
				assert.Len(t, o.SFrames[0].Relocs, tt.relocs)
			}
			assert.Equal(t, tt.known, starts(t, o)[0].OK)
			assert.Equal(t, StatusOK, o.Status)
		})
	}
}

func TestRelocationsOfOtherSectionsAreLeftAlone(t *testing.T) {
	f := object(le, 3, 0, rela(le, 28, 1, pc64, 4))
	f.sections[3].info = 1
	o := scanOne(t, f.bytes())
	assert.Empty(t, o.Faults)
	assert.Empty(t, o.SFrames[0].Relocs)
	assert.Zero(t, o.SFrames[0].RelocIndex)
	assert.False(t, starts(t, o)[0].OK)
}

// A linked file may keep its relocations, with addresses for offsets (ld
// --emit-relocs); the fields are final there.
func TestRelocationsOfLinkedFilesAreLeftAlone(t *testing.T) {
	f := object(le, 3, 0, rela(le, 28, 1, pc64, 4))
	f.typ = elf.ET_EXEC
	o := scanOne(t, f.bytes())
	assert.Empty(t, o.SFrames[0].Relocs)
	assert.True(t, starts(t, o)[0].OK)
}

func TestSectionsOfOneFileHaveTheirOwnRelocations(t *testing.T) {
	f := object(le, 3, 0, rela(le, 28, 1, pc64, 4))
	f.sections = append(f.sections, f.sections[2], testSection{name: ".rela.sframe", typ: elf.SHT_RELA, link: 5, info: 8,
		entsize: relaSize, data: rela(le, 44, 2, pc64, 1)})
	o := scanOne(t, f.bytes())
	require.Len(t, o.SFrames, 2)
	assert.Equal(t, 4, o.SFrames[0].RelocIndex)
	assert.Equal(t, 9, o.SFrames[1].RelocIndex)
	assert.True(t, o.SFrames[0].Section.FDE(0).Resolved())
	assert.False(t, o.SFrames[1].Section.FDE(0).Resolved())
	assert.Equal(t, uint64(0x11), o.SFrames[1].Section.FDE(1).Start())
}

func TestFieldsMayBeAskedForInAnyOrder(t *testing.T) {
	o := scanOne(t, object(le, 3, 0, rela(le, 28, 1, pc64, 4), rela(le, 44, 2, pc64, 0), rela(le, 60, 3, pc64, 0)).bytes())
	v := newResolver(o.SFrames[0].Relocs, o.ELF)
	for _, off := range []int64{60, 28, 44, 29, 28, 60, 60, 99, 0, 44} {
		want := map[int64]uint64{28: 4, 44: 0x10, 60: 0x20}[off]
		got := v.start(off, 8)
		assert.Equal(t, want, got.Addr, off)
		assert.Equal(t, want != 0, got.OK, off)
	}
}
