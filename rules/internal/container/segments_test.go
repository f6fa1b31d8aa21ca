package container_test

import (
	"debug/elf"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/reader"
)

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

// headless takes the section headers away.
const headless = "headless: patch file+0x28 8 0 / patch file+0x3c 2 0 / patch file+0x3e 2 0"

func TestSegment(t *testing.T) {
	table(t, `
		V3AMD64 | shared object | type 3 |
		V3AMD64 | absent | without 2 | SF5009 file 0x38+2
		V3AMD64 | absent from a shared object | type 3 / without 2 | SF5009 file 0x38+2
		V3AMD64 | no segments at all | segments 0 | SF5009 file 0x38+2
		V3AMD64 | no segment for an unallocated section | without 2 / patch shdr+8 8 0 | SF5004 file 0x488+8
		V3AMD64 | core | type 4 / without 2 |
		V3AMD64 | larger | patch phdr+0x20 8 0x200 / patch phdr+0x28 8 0x200 | SF5010 file 0xd0+8
		V3AMD64 | larger in memory | patch phdr+0x28 8 0x200 | SF5010 file 0xd8+8
		V3AMD64 | elsewhere | patch phdr+0x8 8 0x1000 / patch phdr+0x10 8 0x1000 / patch phdr+0x20 8 0x400 | SF5011 file 0xc0+8
		V3AMD64 | begins later | patch phdr+0x8 8 0x2008 / patch phdr+0x10 8 0x2008 | SF5011 file 0xc0+8
		V3AMD64 | other bytes of the file | patch phdr+0x8 8 0x1000 | SF5011 file 0xb8+8
		V3AMD64 | larger and elsewhere | patch phdr+0x8 8 0x1000 / patch phdr+0x20 8 0x200 | SF5011 file 0xb8+8
		V3AMD64 | shorter | patch phdr+0x20 8 0x40 / patch phdr+0x28 8 0x40 | SF5011 file 0xd0+8
		V3AMD64 | shorter in memory | patch phdr+0x28 8 0x40 | SF5011 file 0xd8+8
		V3AMD64 | twice | another 0x1000 | SF5012 file 0xe8+4
		V3AMD64 | without section | no-section | SF5001 file 0x0+64, SF5014 file 0xb0+4
		V3AMD64 | for an empty section | patch shdr+0x20 8 0 | SF5014 file 0xb0+4, SF5001 file 0x4a0+8
		V3AMD64 | none for an empty section | without 2 / patch shdr+0x20 8 0 | SF5035 file 0x480+64, SF5001 file 0x4a0+8
		V3AMD64 | damaged headers tell nothing | without 2 / patch file+0x36 2 55 | SF5024 file 0x36+2
	`)
}

func TestLoad(t *testing.T) {
	table(t, `
		V3AMD64 | no segment | without 1 | SF5013 file 0x490+8
		V3AMD64 | segment ends early | patch load+0x20 8 0x40 | SF5013 file 0x490+8
		V3AMD64 | segment begins late | patch load+0x8 8 0x2008 / patch load+0x10 8 0x2008 | SF5013 file 0x490+8
		V3AMD64 | segment of other bytes | patch load+0x8 8 0x1000 | SF5013 file 0x498+8
		V3AMD64 | end of the address space | patch shdr+0x10 8 0xffffffffffffff00 / patch phdr+0x10 8 0xffffffffffffff00 / patch load+0x10 8 0xffffffffffffff00 / patch load+0x20 8 0x100 |
		V3AMD64 | beyond the address space | patch shdr+0x10 8 0xfffffffffffffff8 / patch phdr+0x10 8 0xfffffffffffffff8 / patch load+0x10 8 0xfffffffffffffff8 / patch load+0x20 8 8 | SF5013 file 0x490+8
	`)
}

func TestSegmentOnly(t *testing.T) {
	table(t, headless+`
		V3AMD64 | healthy | headless |
		V3AMD64 | not loaded | without 1 / headless | SF5013 file 0x88+8
		V3AMD64 | other bytes loaded | patch load+8 8 0x1000 / headless | SF5013 file 0xc0+8
		V3AMD64 | twice | another 0x2000 / headless | SF5012 file 0xe8+4
	`)
}

func TestSections(t *testing.T) {
	table(t, `
		V3AMD64 | linked | second | SF5015 file 0x5c0+64
		V3AMD64 | the segment leads to the second | second / patch phdr+8 8 0x3000 / patch phdr+0x10 8 0x3000 / patch phdr+0x20 8 64 / patch phdr+0x28 8 64 | SF5015 file 0x480+64
		V3AMD64 | object | object / more .sframe 0x6ffffff4 2 0xc000 | SF5002 file 0x5c0+64
	`)
}
