// Package elf64 has the layouts of ELF64's structures (System V gABI, "Object
// Files"): the offset and the bytes of each field that is reported, changed or
// damaged somewhere.
package elf64

import "github.com/sframe-lint/sframe-lint/model"

// Sizes of the structures, in bytes.
const (
	EhdrSize = 64
	ShdrSize = 64
	PhdrSize = 56
	SymSize  = 24
	RelaSize = 24
	ChdrSize = 24
)

// Fields of the structures, from the start of each.
var (
	Ehdr          = model.Span{Off: 0x00, Len: EhdrSize}
	EhdrType      = model.Span{Off: 0x10, Len: 2}
	EhdrMachine   = model.Span{Off: 0x12, Len: 2}
	EhdrPhoff     = model.Span{Off: 0x20, Len: 8}
	EhdrShoff     = model.Span{Off: 0x28, Len: 8}
	EhdrPhentsize = model.Span{Off: 0x36, Len: 2}
	EhdrPhnum     = model.Span{Off: 0x38, Len: 2}
	EhdrShentsize = model.Span{Off: 0x3a, Len: 2}
	EhdrShnum     = model.Span{Off: 0x3c, Len: 2}
	EhdrShstrndx  = model.Span{Off: 0x3e, Len: 2}

	ShdrName      = model.Span{Off: 0x00, Len: 4}
	ShdrType      = model.Span{Off: 0x04, Len: 4}
	ShdrFlags     = model.Span{Off: 0x08, Len: 8}
	ShdrAddr      = model.Span{Off: 0x10, Len: 8}
	ShdrOffset    = model.Span{Off: 0x18, Len: 8}
	ShdrSizeField = model.Span{Off: 0x20, Len: 8}
	ShdrPlace     = model.Span{Off: 0x18, Len: 16} // sh_offset and sh_size
	ShdrLink      = model.Span{Off: 0x28, Len: 4}
	ShdrInfo      = model.Span{Off: 0x2c, Len: 4}
	ShdrAddralign = model.Span{Off: 0x30, Len: 8}
	ShdrEntsize   = model.Span{Off: 0x38, Len: 8}

	PhdrType   = model.Span{Off: 0x00, Len: 4}
	PhdrOffset = model.Span{Off: 0x08, Len: 8}
	PhdrVaddr  = model.Span{Off: 0x10, Len: 8}
	PhdrFilesz = model.Span{Off: 0x20, Len: 8}
	PhdrMemsz  = model.Span{Off: 0x28, Len: 8}
	PhdrPlace  = model.Span{Off: 0x08, Len: 32} // p_offset to p_filesz

	RelaInfo   = model.Span{Off: 8, Len: 8}
	RelaAddend = model.Span{Off: 16, Len: 8}
)

// In returns the bytes of a field of the structure at an offset.
func In(at int64, field model.Span) model.Span {
	return model.Span{Off: at + field.Off, Len: field.Len}
}
