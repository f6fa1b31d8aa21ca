package container_test

import (
	"debug/elf"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/reader"
)

func without(i int) func(*elftest.File) {
	return func(f *elftest.File) { f.Segments = append(f.Segments[:i:i], f.Segments[i+1:]...) }
}

func another(p elf.ProgHeader) func(*elftest.File) {
	return func(f *elftest.File) { f.Segments = append(f.Segments, p) }
}

// second is a section after the others, in the bytes and the segment of the
// first.
func second(f *elftest.File) {
	f.Sections = append(f.Sections, elf.SectionHeader{Name: ".sframe", Type: reader.SHT_GNU_SFRAME, Flags: elf.SHF_ALLOC,
		Addr: elftest.SFrame + 0x1000, Offset: elftest.SFrame + 0x1000, Size: 64, Addralign: 8})
	f.Segments[1].Filesz, f.Segments[1].Memsz = 0x2000, 0x2000
	f.SFrame = append(append([]byte(nil), f.SFrame...), make([]byte, 0x1040-len(f.SFrame))...)
	copy(f.SFrame[0x1000:], f.SFrame[:64])
	f.Segments[2].Filesz, f.Segments[2].Memsz = 0x1040, 0x1040
}

var headless = []patch{{0x28, 8, 0}, {0x3c, 2, 0}, {0x3e, 2, 0}}

func TestSegment(t *testing.T) {
	run(t, []fileCase{
		{name: "shared object", change: func(f *elftest.File) { f.Type = elf.ET_DYN }},
		{name: "absent", change: without(2), want: []string{"SF5009 file 0x38+2"}},
		{name: "absent from a shared object", change: func(f *elftest.File) { f.Type = elf.ET_DYN; without(2)(f) }, want: []string{"SF5009 file 0x38+2"}},
		{name: "no segments at all", change: func(f *elftest.File) { f.Segments = nil }, want: []string{"SF5009 file 0x38+2"}},
		{name: "no segment for an unallocated section", change: without(2), patches: []patch{{shdr(8), 8, 0}}, want: []string{"SF5004 file 0x488+8"}},
		{name: "core", change: func(f *elftest.File) { f.Type = elf.ET_CORE; without(2)(f) }},
		{name: "larger", patches: []patch{{phdr(0x20), 8, 0x200}, {phdr(0x28), 8, 0x200}}, want: []string{"SF5010 file 0xd0+8"}},
		{name: "larger in memory", patches: []patch{{phdr(0x28), 8, 0x200}}, want: []string{"SF5010 file 0xd8+8"}},
		{name: "elsewhere", patches: []patch{{phdr(0x8), 8, 0x1000}, {phdr(0x10), 8, 0x1000}, {phdr(0x20), 8, 0x400}}, want: []string{"SF5011 file 0xc0+8"}},
		{name: "begins later", patches: []patch{{phdr(0x8), 8, 0x2008}, {phdr(0x10), 8, 0x2008}}, want: []string{"SF5011 file 0xc0+8"}},
		{name: "other bytes of the file", patches: []patch{{phdr(0x8), 8, 0x1000}}, want: []string{"SF5011 file 0xb8+8"}},
		{name: "larger and elsewhere", patches: []patch{{phdr(0x8), 8, 0x1000}, {phdr(0x20), 8, 0x200}}, want: []string{"SF5011 file 0xb8+8"}},
		{name: "shorter", patches: []patch{{phdr(0x20), 8, 0x40}, {phdr(0x28), 8, 0x40}}, want: []string{"SF5011 file 0xd0+8"}},
		{name: "shorter in memory", patches: []patch{{phdr(0x28), 8, 0x40}}, want: []string{"SF5011 file 0xd8+8"}},
		{name: "twice", change: another(elf.ProgHeader{Type: reader.PT_GNU_SFRAME, Off: 0x1000, Vaddr: 0x1000, Filesz: 64, Memsz: 64}),
			want: []string{"SF5012 file 0xe8+4"}},
		{name: "without section", change: func(f *elftest.File) { f.NoSFrame = true }, want: []string{"SF5001 file 0x0+64", "SF5014 file 0xb0+4"}},
		{name: "for an empty section", patches: []patch{{shdr(0x20), 8, 0}}, want: []string{"SF5014 file 0xb0+4", "SF5001 file 0x4a0+8"}},
		{name: "none for an empty section", change: without(2), patches: []patch{{shdr(0x20), 8, 0}}, want: []string{"SF5035 file 0x480+64", "SF5001 file 0x4a0+8"}},
		{name: "damaged headers tell nothing", change: without(2), patches: []patch{{0x36, 2, 55}}, want: []string{"SF5024 file 0x36+2"}},
	})
}

func TestLoad(t *testing.T) {
	data := elftest.Program(1)
	run(t, []fileCase{
		{name: "no segment", change: without(1), want: []string{"SF5013 file 0x490+8"}},
		{name: "segment ends early", patches: []patch{{data + 0x20, 8, 0x40}}, want: []string{"SF5013 file 0x490+8"}},
		{name: "segment begins late", patches: []patch{{data + 0x8, 8, 0x2008}, {data + 0x10, 8, 0x2008}}, want: []string{"SF5013 file 0x490+8"}},
		{name: "segment of other bytes", patches: []patch{{data + 0x8, 8, 0x1000}}, want: []string{"SF5013 file 0x498+8"}},
		{name: "end of the address space", change: func(f *elftest.File) {
			for _, i := range []int{1, 2} {
				f.Segments[i].Vaddr = ^uint64(0xff)
			}
			f.Segments[1].Filesz = 0x100
		}, patches: []patch{{shdr(0x10), 8, ^uint64(0xff)}}},
		{name: "beyond the address space", change: func(f *elftest.File) {
			for _, i := range []int{1, 2} {
				f.Segments[i].Vaddr = ^uint64(0x7)
			}
			f.Segments[1].Filesz = 8
		}, patches: []patch{{shdr(0x10), 8, ^uint64(0x7)}}, want: []string{"SF5013 file 0x490+8"}},
	})
}

func TestSegmentOnly(t *testing.T) {
	run(t, []fileCase{
		{name: "healthy", patches: headless},
		{name: "not loaded", change: without(1), patches: headless, want: []string{"SF5013 file 0x88+8"}},
		{name: "other bytes loaded", patches: append([]patch{{elftest.Program(1) + 8, 8, 0x1000}}, headless...), want: []string{"SF5013 file 0xc0+8"}},
		{name: "twice", change: another(elf.ProgHeader{Type: reader.PT_GNU_SFRAME, Off: 0x2000, Vaddr: 0x2000, Filesz: 64, Memsz: 64}),
			patches: headless, want: []string{"SF5012 file 0xe8+4"}},
	})
}

func TestSections(t *testing.T) {
	run(t, []fileCase{
		{name: "linked", change: second, want: []string{"SF5015 file 0x5c0+64"}},
		{name: "the segment leads to the second", change: func(f *elftest.File) {
			second(f)
			f.Segments[2].Vaddr, f.Segments[2].Off = 0x3000, 0x3000
			f.Segments[2].Filesz, f.Segments[2].Memsz = 64, 64
		}, want: []string{"SF5015 file 0x480+64"}},
		{name: "object", object: true, change: func(f *elftest.File) {
			f.Sections = append(f.Sections, elf.SectionHeader{Name: ".sframe", Type: reader.SHT_GNU_SFRAME, Flags: elf.SHF_ALLOC, Offset: elftest.More, Addralign: 8})
		}, want: []string{"SF5002 file 0x5c0+64"}},
	})
}
