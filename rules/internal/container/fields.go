package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// field is a field of one of the ELF64 headers.
type field model.Span

// Fields of section and program headers.
var (
	shType, shFlags, shAddr       = field(elf64.ShdrType), field(elf64.ShdrFlags), field(elf64.ShdrAddr)
	shOffset, shSize, shAddralign = field(elf64.ShdrOffset), field(elf64.ShdrSizeField), field(elf64.ShdrAddralign)
	pType, pOffset, pVaddr        = field(elf64.PhdrType), field(elf64.PhdrOffset), field(elf64.PhdrVaddr)
	pFilesz, pMemsz               = field(elf64.PhdrFilesz), field(elf64.PhdrMemsz)
)

// in returns the bytes of the field in a header.
func (f field) in(header model.Span) model.Span { return elf64.In(header.Off, model.Span(f)) }

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

// mappedSections returns the SFrame sections of a linked file that are in memory at
// run time.
func mappedSections(o *reader.Object) []*reader.Section {
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

// headerRule makes a rule on the header of a section that is not empty.
func headerRule(r rules.Rule, check func(*rules.Context, *reader.Section)) *rules.Rule {
	r.Scope = rules.PerBytes
	return rules.New(r, func(c *rules.Context) {
		if c.Object.ELF == nil {
			return
		}
		if s, ok := c.Object.ELF.SectionOf(c.SFrame); ok && s.Size > 0 {
			check(c, s)
		}
	})
}
