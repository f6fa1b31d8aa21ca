package container_test

import (
	"debug/elf"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
)

func TestUnbacked(t *testing.T) {
	text, symbols := elftest.Header(elftest.TextIndex), elftest.Header(elftest.SymbolsIndex)
	more := func(name string, typ elf.SectionType) func(*elftest.File) {
		return func(f *elftest.File) {
			f.Sections = append(f.Sections, elf.SectionHeader{Name: name, Type: typ, Size: 16})
		}
	}
	at := elftest.Header(elftest.MoreIndex)
	run(t, []fileCase{
		{name: "sound"},
		{name: "code beyond the file", patches: []patch{{text + 0x20, 8, 1 << 40}}, want: []string{"SF5036 file 0x458+16"}},
		{name: "compressed code", patches: []patch{{text + 8, 8, uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR | elf.SHF_COMPRESSED)}}, want: []string{"SF5036 file 0x448+8"}},
		{name: "code of an object file without bytes", object: true, patches: []patch{{text + 4, 4, uint64(elf.SHT_NOBITS)}}, want: []string{"SF5036 file 0x444+4"}},
		{name: "compressed symbols", patches: []patch{{symbols + 8, 8, uint64(elf.SHF_COMPRESSED)}}, want: []string{"SF5036 file 0x508+8"}},
		{name: "symbols at the start of the file", patches: []patch{{symbols + 0x18, 8, 0}}, want: []string{"SF5036 file 0x518+16"}},
		{name: "CFI in the ELF header", change: more(".debug_frame", elf.SHT_PROGBITS), want: []string{"SF5036 file 0x5d8+16"}},
		{name: "CFI beyond the file", change: more(".debug_frame", elf.SHT_PROGBITS), patches: []patch{{at + 0x20, 8, 1 << 40}}, want: []string{"SF5036 file 0x5d8+16"}},
		{name: "CFI without bytes", change: more(".debug_frame", elf.SHT_NOBITS), want: []string{"SF5036 file 0x5d8+16"}},
		{name: ".zdebug_frame without a size", change: more(".zdebug_frame", elf.SHT_PROGBITS), want: []string{"SF5036 file 0x5d8+16"}},
	})
}
