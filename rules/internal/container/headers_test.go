package container_test

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
)

func TestAbsent(t *testing.T) {
	table(t, `
		V3AMD64 | executable | no-section / without 2 | SF5001 file 0x0+64
		V3AMD64 | object | object / no-section / no-relocs | SF5001 file 0x0+64
		V3AMD64 | no code | no-section / without 2 / patch text+8 8 2 |
		V3AMD64 | no bytes of code | no-section / without 2 / patch text+4 4 8 |
		V3AMD64 | code of size 0 | no-section / without 2 / patch text+32 8 0 |
		V3AMD64 | no section headers | no-section / without 2 / patch file+0x28 8 0 / patch file+0x3c 2 0 / patch file+0x3e 2 0 | SF5001 file 0x0+64
		V3AMD64 | no section headers and no code | no-section / without 2 / patch file+0x28 8 0 / patch file+0x3c 2 0 / patch file+0x3e 2 0 / patch code+4 4 4 |
		V3AMD64 | empty section | no-bytes / without 2 | SF5035 file 0x480+64, SF5001 file 0x4a0+8
		V3AMD64 | empty section, no code | no-bytes / without 2 / patch text+8 8 2 | SF5035 file 0x480+64
		V3AMD64 | another machine | patch file+0x12 2 243 | SF5034 file 0x12+2
	`)
}

// TestAbsentHelp: the help is for what the file shows: no CFI, a compiler or a linker.
func TestAbsentHelp(t *testing.T) {
	driver := &rules.Driver{Rules: container.Rules[:1]}
	for name, want := range map[string]string{
		".text": "compile with -fasynchronous-unwind-tables, and", ".gopclntab": "use a tracer that follows frame pointers", ".eh_frame": "compile with -Wa,--gsframe",
	} {
		f := elftest.Linked(elf.EM_X86_64, false, nil)
		f.NoSFrame, f.Segments = true, f.Segments[:2]
		elftest.Read(t, f.Bytes(t), func(o *reader.Object) {
			o.ELF.Sections = append(o.ELF.Sections, reader.Section{Name: name})
			found := driver.Run(o).Findings
			require.Len(t, found, 1)
			require.Contains(t, found[0].Help, want)
		})
	}
}

func TestPlaceholder(t *testing.T) {
	rules := container.Rules
	defer func() { container.Rules = rules }()
	container.Rules = container.Rules[1:] // SF5001 sees a file without data
	table(t, `
		V3AMD64 | executable | no-bytes / without 2 | SF5035 file 0x480+64
		V3AMD64 | as gas leaves it | object / no-bytes / no-relocs / patch shdr+4 4 1 / patch shdr+0x30 8 1 | SF5002 file 0x480+64
	`)
}

func TestSectionHeader(t *testing.T) {
	table(t, `
		V3AMD64 | SHT_PROGBITS | patch shdr+4 4 1 | SF5003 file 0x484+4
		V3AMD64 | SHT_PROGBITS, object | object / patch shdr+4 4 1 | SF5003 file 0x484+4
		V2S390X | SHT_PROGBITS, big-endian | patch shdr+4 4 1 | SF5003 file 0x484+4
		V3AMD64 | another type | patch shdr+4 4 0x70000001 | SF5003 file 0x484+4
		V3AMD64 | not allocated | patch shdr+8 8 0 | SF5004 file 0x488+8
		V3AMD64 | not allocated, object | object / patch shdr+8 8 0 | SF5004 file 0x488+8
		V3AMD64 | writable | patch shdr+8 8 3 | SF5005 file 0x488+8
		V3AMD64 | executable | patch shdr+8 8 6 | SF5005 file 0x488+8
		V3AMD64 | excluded | object / patch shdr+8 8 0x80000002 | SF5005 file 0x488+8
		V3AMD64 | a flag without a name | object / patch shdr+8 8 0x100002 | SF5005 file 0x488+8
		V3AMD64 | in a group, ordered and retained | object / patch shdr+8 8 0x200282 |
		V3AMD64 | alignment 0 | patch shdr+0x30 8 0 | SF5006 file 0x4b0+8
		V3AMD64 | alignment 4 | patch shdr+0x30 8 4 | SF5006 file 0x4b0+8
		V3AMD64 | alignment 12, object | object / patch shdr+0x30 8 12 | SF5006 file 0x4b0+8
		V3AMD64 | alignment 16 | patch shdr+0x30 8 16 |
		V3AMD64 | address | patch shdr+0x10 8 0x2004 / patch phdr+0x10 8 0x2004 / patch load+0x10 8 0x2004 | SF5006 file 0x490+8
	`)
}

func TestTarget(t *testing.T) {
	table(t, `
		V3AArch64 | AArch64 in x86-64 | patch file+0x12 2 62 | SF5007 0x4+1
		V3AMD64 | AMD64 in AArch64 | patch file+0x12 2 183 | SF5007 0x4+1
		V3AArch64BE | AArch64 in s390x | patch file+0x12 2 22 | SF5007 0x4+1
		V3AMD64 | unknown ABI | set 4 13 |
		V3S390X | s390x in x86-64 | big 0 / patch file+0x12 2 62 | SF5007 0x4+1
		V3AArch64BE | big-endian in little-endian | big 0 | SF5008 0x0+2
		V3AArch64 | little-endian in big-endian | big 1 | SF5008 0x0+2
		V3AArch64 | unknown ABI in another order | set 4 13 / big 1 | SF5008 0x0+2
		V3AArch64 | SF1007 tells it | set 4 01 / big 1 |
	`)
}
