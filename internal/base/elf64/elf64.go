// Package elf64 has the layouts of ELF64's structures (System V gABI, "Object Files"): the offset and size of each field
// that is reported, changed or damaged. It also writes ELF64 files, healthy ones and ones with false headers. It reads none.
package elf64

// Sizes of the structures, in bytes.
const (
	EhdrSize = 64
	ShdrSize = 64
	PhdrSize = 56
	SymSize  = 24
	RelaSize = 24
	ChdrSize = 24
)

// Field is a range of bytes. It has no name of its own, so a model.Span is assignable to it.
type Field = struct {
	Off, Len int64
}

// Fields of the structures, from the start of each.
var (
	Ehdr          = Field{Off: 0x00, Len: EhdrSize}
	EhdrType      = Field{Off: 0x10, Len: 2}
	EhdrMachine   = Field{Off: 0x12, Len: 2}
	EhdrPhoff     = Field{Off: 0x20, Len: 8}
	EhdrShoff     = Field{Off: 0x28, Len: 8}
	EhdrPhentsize = Field{Off: 0x36, Len: 2}
	EhdrPhnum     = Field{Off: 0x38, Len: 2}
	EhdrShentsize = Field{Off: 0x3a, Len: 2}
	EhdrShnum     = Field{Off: 0x3c, Len: 2}
	EhdrShstrndx  = Field{Off: 0x3e, Len: 2}

	ShdrName      = Field{Off: 0x00, Len: 4}
	ShdrType      = Field{Off: 0x04, Len: 4}
	ShdrFlags     = Field{Off: 0x08, Len: 8}
	ShdrAddr      = Field{Off: 0x10, Len: 8}
	ShdrOffset    = Field{Off: 0x18, Len: 8}
	ShdrSizeField = Field{Off: 0x20, Len: 8}
	ShdrPlace     = Field{Off: 0x18, Len: 16} // sh_offset and sh_size
	ShdrLink      = Field{Off: 0x28, Len: 4}
	ShdrInfo      = Field{Off: 0x2c, Len: 4}
	ShdrAddralign = Field{Off: 0x30, Len: 8}
	ShdrEntsize   = Field{Off: 0x38, Len: 8}

	PhdrType   = Field{Off: 0x00, Len: 4}
	PhdrOffset = Field{Off: 0x08, Len: 8}
	PhdrVaddr  = Field{Off: 0x10, Len: 8}
	PhdrFilesz = Field{Off: 0x20, Len: 8}
	PhdrMemsz  = Field{Off: 0x28, Len: 8}
	PhdrPlace  = Field{Off: 0x08, Len: 32} // p_offset to p_filesz

	RelaInfo   = Field{Off: 8, Len: 8}
	RelaAddend = Field{Off: 16, Len: 8}
)

// In returns the bytes of a field of the structure at an offset.
func In(at int64, field Field) Field {
	return Field{Off: at + field.Off, Len: field.Len}
}
