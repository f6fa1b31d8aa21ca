package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// field is the place of a field in one of the ELF64 headers, in bytes (System
// V gABI, "Object Files").
type field struct{ off, len int64 }

// Fields of a section header.
var (
	shType      = field{0x04, 4}
	shFlags     = field{0x08, 8}
	shAddr      = field{0x10, 8}
	shOffset    = field{0x18, 8}
	shSize      = field{0x20, 8}
	shAddralign = field{0x30, 8}
)

// Fields of a program header.
var (
	pType   = field{0x00, 4}
	pOffset = field{0x08, 8}
	pVaddr  = field{0x10, 8}
	pFilesz = field{0x20, 8}
	pMemsz  = field{0x28, 8}
)

// Parts of the ELF header, which opens the file.
var (
	ehdr   = model.Span{Off: 0, Len: 64}
	ePhnum = model.Span{Off: 0x38, Len: 2}
)

// in returns the bytes of the field in a header.
func (f field) in(header model.Span) model.Span {
	return model.Span{Off: header.Off + f.off, Len: f.len}
}

// set returns an edit that writes a number to the field of a header.
func (f field) set(c *rules.Context, header model.Span, v uint64) rules.Edit {
	b := make([]byte, f.len)
	switch order := c.Object.ELF.Order; {
	case order == nil:
		return rules.Edit{}
	case f.len == 4:
		order.PutUint32(b, uint32(v))
	default:
		order.PutUint64(b, v)
	}
	return rules.Edit{Span: f.in(header), New: b}
}

// linked reports whether the object is an executable or a shared library: its
// sections have addresses, and a loader maps its segments.
func linked(o *reader.Object) bool {
	return o.ELF != nil && (o.ELF.Type == elf.ET_EXEC || o.ELF.Type == elf.ET_DYN)
}

// hasFault reports whether the container has a fault of that code. In a
// damaged structure, parts that seem absent may be there.
func hasFault(o *reader.Object, code reader.FaultCode) bool {
	for _, f := range o.Faults {
		if f.Code == code {
			return true
		}
	}
	return false
}

// filled reports whether the section has bytes in the file that a program has
// in memory. The addresses of other sections do not matter.
func filled(s *reader.Section) bool {
	return s.Size > 0 && s.Type != elf.SHT_NOBITS && s.Flags&elf.SHF_ALLOC != 0
}

// mapped returns the SFrame sections of a linked file that are in memory at
// run time.
func mapped(o *reader.Object) []*reader.Section {
	if !linked(o) || hasFault(o, reader.ELFDamaged) {
		return nil
	}
	var out []*reader.Section
	for i := range o.ELF.Sections {
		if s := &o.ELF.Sections[i]; s.IsSFrame() && filled(s) {
			out = append(out, s)
		}
	}
	return out
}

// header returns the header of the section that the rule runs on, if the
// section has a header and is not empty.
func header(c *rules.Context) (*reader.Section, bool) {
	if c.Object.ELF == nil {
		return nil, false
	}
	s, ok := c.Object.ELF.SectionOf(c.SFrame)
	return s, ok && s.Size > 0
}
