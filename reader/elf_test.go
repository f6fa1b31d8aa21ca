package reader

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

var plain = craft(le, model.SFRAME_VERSION_3, amd64, model.SFRAME_F_FDE_SORTED|model.SFRAME_F_FDE_FUNC_START_PCREL,
	leaf(-0x101c, 0x10), leaf(-0x1000, 4))

func TestLinkedFile(t *testing.T) {
	f := exec(sframeOf(plain))
	f.segments = []testSegment{{elf.PT_LOAD, elf.PF_R | elf.PF_X, 0, 0x1000, 0x40, 0x40}, {typ: PT_GNU_SFRAME, vaddr: 0x2000}}
	o := scanOne(t, f.bytes())
	assert.Equal(t, StatusOK, o.Status)
	assert.Empty(t, o.Detail)
	assert.Empty(t, o.Faults)
	assert.Equal(t, "input", o.Path)
	assert.Equal(t, elf.ET_EXEC, o.ELF.Type)
	assert.Equal(t, elf.EM_X86_64, o.ELF.Machine)
	assert.False(t, o.ELF.BigEndian())
	assert.Equal(t, []int{1}, o.ELF.SFrameSegments())
	require.Len(t, o.ELF.Sections, 4)
	assert.Equal(t, []string{"", ".text", ".sframe", ".shstrtab"},
		[]string{o.ELF.Sections[0].Name, o.ELF.Sections[1].Name, o.ELF.Sections[2].Name, o.ELF.Sections[3].Name})
	require.Len(t, o.SFrames, 1)
	s := o.SFrames[0]
	assert.Equal(t, ".sframe", s.Name)
	assert.Equal(t, 2, s.Index)
	assert.Equal(t, int64(64+2*56+0x40), s.Offset)
	assert.Equal(t, plain, s.Data)
	assert.Equal(t, len(s.Data), cap(s.Data), "one allocation of the exact size")
	assert.Empty(t, s.Faults)
	assert.Equal(t, uint64(0x1000), s.Section.FDE(0).Start())
	assert.Equal(t, uint64(0x102c), s.Section.FDE(1).Start())
	h, ok := o.ELF.SectionOf(s)
	require.True(t, ok)
	assert.Equal(t, uint64(0x2000), h.Addr)
}

func TestStatuses(t *testing.T) {
	arch := func(m elf.Machine, o order) []byte {
		f := exec()
		f.machine, f.order = m, o
		return f.bytes()
	}
	class := func(c byte) []byte {
		b := exec(sframeOf(plain)).bytes()
		b[elf.EI_CLASS] = c
		return b
	}
	data := func(d byte) []byte {
		b := exec(sframeOf(plain)).bytes()
		b[elf.EI_DATA] = d
		return b
	}
	lto := testSection{name: ".gnu.lto_.decls", typ: elf.SHT_PROGBITS, data: []byte{1}}
	code := testSection{name: ".text", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, data: []byte{0xc3}}
	object := func(sections ...testSection) *testELF {
		f := exec()
		f.typ, f.sections = elf.ET_REL, append(f.sections[:0:0], sections...)
		return f
	}
	tests := []struct {
		name   string
		input  []byte
		status Status
		detail string
	}{
		{"empty file", nil, StatusNotELF, "empty"},
		{"text", []byte("#!/bin/sh\n"), StatusNotELF, "no known magic"},
		{"half a magic", []byte("\x7fEL"), StatusNotELF, "no known magic"},
		{"magic alone", []byte("\x7fELF"), StatusDamaged, "the ELF header is cut off"},
		{"header cut off", plainELF()[:63], StatusDamaged, "the ELF header is cut off"},
		{"no class", class(0), StatusDamaged, "class 0 is not defined"},
		{"no byte order", data(3), StatusDamaged, "byte order 3 is not defined"},
		{"ELF32", class(1), StatusOtherClass, "ELF32 of EM_X86_64"},
		{"RISC-V", arch(elf.EM_RISCV, le), StatusOtherMachine, "EM_RISCV"},
		{"AMD64 big-endian", arch(elf.EM_X86_64, be), StatusOtherMachine, "EM_X86_64 of the other byte order"},
		{"s390x little-endian", arch(elf.EM_S390, le), StatusOtherMachine, "EM_S390 of the other byte order"},
		{"AArch64", arch(elf.EM_AARCH64, le), StatusNoSFrame, "no .sframe section"},
		{"AArch64 big-endian", arch(elf.EM_AARCH64, be), StatusNoSFrame, "no .sframe section"},
		{"s390x", arch(elf.EM_S390, be), StatusNoSFrame, "no .sframe section"},
		{"no section", exec().bytes(), StatusNoSFrame, "no .sframe section"},
		{"GCC's intermediate code", object(lto).bytes(), StatusIntermediate, "only GCC's code for link-time optimization, no machine code yet: check the linked file"},
		{"that and code", object(lto, code).bytes(), StatusNoSFrame, "no .sframe section"},
		{"bitcode", []byte("BC\xc0\xde\x35\x14"), StatusNotELF, "LLVM bitcode, which has no machine code yet: check the linked file"},
		{"lz4", []byte("\x04\x22\x4d\x18\x00"), StatusDamaged, "it is compressed with LZ4, which is not read"},
		{"xz", []byte("\xfd7zXZ\x00\x00"), StatusDamaged, "cut off"},
		{"size 0", exec(sframeOf(nil)).bytes(), StatusEmpty, "size 0"},
		{"two of size 0", exec(sframeOf(nil), sframeOf(nil)).bytes(), StatusEmpty, "size 0"},
		{"one of size 0", exec(sframeOf(nil), sframeOf(plain)).bytes(), StatusOK, ""},
		{"raw", plain, StatusOK, ""},
		{"raw, magic alone", []byte{0xde, 0xe2}, StatusOK, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := scanOne(t, tt.input)
			assert.Equal(t, tt.status, o.Status)
			assert.Equal(t, tt.detail, o.Detail)
			assert.Equal(t, int64(len(tt.input)), o.Size)
			assert.Equal(t, tt.status == StatusDamaged, len(o.Faults) > 0)
		})
	}
}

func plainELF() []byte { return exec(sframeOf(plain)).bytes() }

func TestEmptySectionsAreListed(t *testing.T) {
	o := scanOne(t, exec(sframeOf(nil), sframeOf(plain)).bytes())
	require.Len(t, o.SFrames, 2)
	assert.Equal(t, 2, o.SFrames[0].Index)
	assert.Nil(t, o.SFrames[0].Section)
	assert.Empty(t, o.SFrames[0].Faults)
	assert.NotNil(t, o.SFrames[1].Section)
}

func TestHeaderZeroIsNoSection(t *testing.T) {
	f := exec(sframeOf(plain))
	f.patch = func(b []byte, o order) { copy(b[o.Uint64(b[0x28:]):], b[o.Uint64(b[0x28:])+2*64:][:8]) } // its name and type
	o := scanOne(t, f.bytes())
	require.Len(t, o.SFrames, 1)
	assert.Equal(t, 2, o.SFrames[0].Index)
}

func TestSectionIsKnownByNameOrType(t *testing.T) {
	byName, byType := sframeOf(plain), sframeOf(plain)
	byName.typ = elf.SHT_PROGBITS
	byType.name = ".sframe.text.hot"
	other := testSection{name: ".sframe.old", typ: elf.SHT_PROGBITS, data: plain}
	o := scanOne(t, exec(byName, other, byType).bytes())
	require.Len(t, o.SFrames, 2)
	assert.Equal(t, 2, o.SFrames[0].Index)
	assert.Equal(t, 4, o.SFrames[1].Index)
	assert.Equal(t, ".sframe.text.hot", o.SFrames[1].Name)
}

func TestRawAddress(t *testing.T) {
	all := scan(t, plain, Options{RawAddress: 0x2000})
	require.Len(t, all, 1)
	assert.Nil(t, all[0].ELF)
	assert.Equal(t, uint64(0x1000), all[0].SFrames[0].Section.FDE(0).Start())
}

func TestRawByOption(t *testing.T) {
	all := scan(t, exec().bytes(), Options{Raw: true})
	require.Len(t, all, 1)
	assert.Equal(t, StatusOK, all[0].Status)
	assert.Equal(t, []FaultCode{BadMagic}, codes(all[0].SFrames[0].Faults))
}

func TestRawTooLarge(t *testing.T) {
	all := scan(t, plain, Options{Limits: Limits{MaxSection: int64(len(plain)) - 1}})
	require.Len(t, all, 1)
	assert.Equal(t, StatusDamaged, all[0].Status)
	assert.Equal(t, []FaultCode{SectionTooLarge}, codes(all[0].Faults))
	assert.Empty(t, all[0].SFrames)
}

func TestSectionFaults(t *testing.T) {
	edit := func(f func(s *testSection)) []byte {
		s := sframeOf(plain)
		f(&s)
		return exec(s).bytes()
	}
	shdr := int64(len(plainELF()) - 2*shdrSize) // of .sframe
	tests := []struct {
		name   string
		input  []byte
		status Status
		fault  Fault
	}{
		{"no bits", edit(func(s *testSection) { s.typ = elf.SHT_NOBITS }), StatusNoSFrame,
			Fault{Code: SectionNoBits, Span: model.Span{Off: shdr + 4, Len: 4}}},
		{"compressed", edit(func(s *testSection) { s.flags |= elf.SHF_COMPRESSED }), StatusDamaged,
			Fault{Code: SectionCompressed, Span: model.Span{Off: shdr + 8, Len: 8}}},
		{"beyond the end", edit(func(s *testSection) { s.offset, s.size = 1<<40, 1<<20 }), StatusDamaged,
			Fault{Code: SectionBeyondEnd, Span: model.Span{Off: shdr + 0x18, Len: 16}, Want: 1<<40 + 1<<20, Got: uint64(len(plainELF()))}},
		{"end wraps", edit(func(s *testSection) { s.offset, s.size = ^uint64(0), 2 }), StatusDamaged,
			Fault{Code: SectionBeyondEnd, Span: model.Span{Off: shdr + 0x18, Len: 16}, Want: ^uint64(0), Got: uint64(len(plainELF()))}},
		{"cut off", edit(func(s *testSection) { s.size = 1 << 30 }), StatusOK,
			Fault{Code: SectionBeyondEnd, Span: model.Span{Off: shdr + 0x18, Len: 16}, Want: 1<<30 + 64 + 0x40, Got: uint64(len(plainELF()))}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := scanOne(t, tt.input)
			assert.Equal(t, tt.status, o.Status)
			assert.NotEqual(t, tt.status == StatusOK, o.Detail != "")
			tt.fault.FDE, tt.fault.FRE = -1, -1
			assert.Equal(t, []Fault{tt.fault}, o.Faults)
		})
	}
}

func TestSectionTooLarge(t *testing.T) {
	small := craft(le, model.SFRAME_VERSION_3, amd64, 0)
	all := scan(t, exec(sframeOf(plain), sframeOf(small)).bytes(), Options{Limits: Limits{MaxSection: int64(len(small))}})
	require.Len(t, all, 1)
	assert.Equal(t, StatusOK, all[0].Status)
	assert.Equal(t, []FaultCode{SectionTooLarge}, codes(all[0].Faults))
	require.Len(t, all[0].SFrames, 1)
	assert.Equal(t, 3, all[0].SFrames[0].Index)
}

func TestCutOffSectionIsReadAsFarAsItGoes(t *testing.T) {
	s := sframeOf(plain)
	s.size = 1 << 30
	b := exec(s).bytes()
	o := scanOne(t, b)
	require.Len(t, o.SFrames, 1)
	assert.Len(t, o.SFrames[0].Data, len(b)-64-0x40)
	assert.Equal(t, 2, o.SFrames[0].Section.NumFDEs())
}

func TestSectionsThatShareBytesAreNotReadForEver(t *testing.T) {
	f := exec()
	for range 100 {
		s := testSection{name: ".sframe", typ: SHT_GNU_SFRAME, offset: 1, size: 4096}
		f.sections = append(f.sections, s)
	}
	b := f.bytes()
	o := scanOne(t, b)
	read := 0
	for _, s := range o.SFrames {
		read += len(s.Data)
	}
	assert.LessOrEqual(t, read, len(b))
	assert.Contains(t, codes(o.Faults), ELFDamaged)
}

func TestNoSectionHeaders(t *testing.T) {
	f := exec(sframeOf(plain))
	f.segments = []testSegment{{typ: PT_GNU_SFRAME, offset: 64 + 56 + 0x40, vaddr: 0x2000, filesz: uint64(len(plain))}}
	f.patch = func(b []byte, o order) {
		o.PutUint64(b[0x28:], 0)
		o.PutUint16(b[0x3c:], 0)
		o.PutUint16(b[0x3e:], 0)
	}
	o := scanOne(t, f.bytes())
	assert.Equal(t, StatusOK, o.Status)
	assert.Empty(t, o.Faults)
	require.Len(t, o.SFrames, 1)
	assert.Equal(t, plain, o.SFrames[0].Data)
	assert.Equal(t, uint64(0x1000), o.SFrames[0].Section.FDE(0).Start())
	_, ok := o.ELF.SectionOf(o.SFrames[0])
	assert.False(t, ok)
}

func TestExtendedNumbering(t *testing.T) {
	f := exec(sframeOf(plain))
	f.segments = []testSegment{{typ: PT_GNU_SFRAME, vaddr: 0x2000}}
	f.null = testSection{size: 4, link: 3, info: 1}
	f.patch = func(b []byte, o order) {
		o.PutUint16(b[0x38:], pnXNum)
		o.PutUint16(b[0x3c:], 0)
		o.PutUint16(b[0x3e:], uint16(elf.SHN_XINDEX))
	}
	o := scanOne(t, f.bytes())
	assert.Equal(t, StatusOK, o.Status)
	assert.Empty(t, o.Faults)
	assert.Len(t, o.ELF.Sections, 4)
	assert.Len(t, o.ELF.Segments, 1)
	assert.Equal(t, ".sframe", o.SFrames[0].Name)
}

func TestTableFaults(t *testing.T) {
	tests := []struct {
		name   string
		status Status
		detail string
		patch  func(b []byte, o order)
	}{
		{"headers beyond the end", StatusDamaged, "4 section headers at 0x7000000000000000: the file has room for 0",
			func(b []byte, o order) { o.PutUint64(b[0x28:], 7<<60) }},
		{"too many headers", StatusOK, "65535 section headers at 0xe5: the file has room for 4",
			func(b []byte, o order) { o.PutUint16(b[0x3c:], 0xffff) }},
		{"headers nowhere", StatusDamaged, "4 section headers at no place",
			func(b []byte, o order) { o.PutUint64(b[0x28:], 0) }},
		{"headers of another size", StatusDamaged, "section headers of 40 bytes, ELF64 has 64",
			func(b []byte, o order) { o.PutUint16(b[0x3a:], 40) }},
		{"no headers at a place", StatusDamaged, "no section headers, but a place for them",
			func(b []byte, o order) { o.PutUint16(b[0x3c:], 0) }},
		{"names nowhere", StatusOK, "section 9 holds no section names",
			func(b []byte, o order) { o.PutUint16(b[0x3e:], 9) }},
		{"segments nowhere", StatusOK, "3 program headers at no place",
			func(b []byte, o order) { o.PutUint16(b[0x38:], 3) }},
		{"segments of another size", StatusOK, "program headers of 32 bytes, ELF64 has 56",
			func(b []byte, o order) {
				o.PutUint64(b[0x20:], 64)
				o.PutUint16(b[0x36:], 32)
				o.PutUint16(b[0x38:], 1)
			}},
		{"too many segments", StatusOK, "65520 program headers at 0x40: the file has room for 7",
			func(b []byte, o order) {
				o.PutUint64(b[0x20:], 64)
				o.PutUint16(b[0x38:], 0xfff0)
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := exec(sframeOf(plain))
			f.patch = tt.patch
			o := scanOne(t, f.bytes())
			assert.Equal(t, tt.status, o.Status)
			require.Len(t, o.Faults, 1)
			assert.Equal(t, ELFDamaged, o.Faults[0].Code)
			assert.Equal(t, tt.detail, o.Faults[0].Detail)
			if tt.status == StatusDamaged {
				assert.Equal(t, tt.detail, o.Detail)
			}
		})
	}
}

func TestNameBeyondTable(t *testing.T) {
	s := testSection{typ: elf.SHT_PROGBITS, nameOff: 1 << 31}
	o := scanOne(t, exec(s).bytes())
	assert.Empty(t, o.ELF.Sections[2].Name)
	assert.Equal(t, StatusDamaged, o.Status, "the nameless section might be .sframe")
	assert.Equal(t, "the name of section 2 lies beyond the table of names", o.Detail)
}

func TestBigEndianFile(t *testing.T) {
	data := craft(be, model.SFRAME_VERSION_3, model.SFRAME_ABI_S390X_ENDIAN_BIG, model.SFRAME_F_FDE_FUNC_START_PCREL, leaf(-0x101c, 0x10))
	f := exec(sframeOf(data))
	f.order, f.machine = be, elf.EM_S390
	o := scanOne(t, f.bytes())
	assert.Equal(t, StatusOK, o.Status)
	assert.True(t, o.ELF.BigEndian())
	assert.Equal(t, "s390x", o.ELF.ABI().Name)
	assert.Equal(t, uint64(0x1000), o.SFrames[0].Section.FDE(0).Start())
}
