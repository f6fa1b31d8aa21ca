package consumers

import (
	"debug/elf"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Demands on the container of the section. A raw section meets all of them.
func containerTerms() map[Demand]term {
	return map[Demand]term{
		// No section meets this one: the consumer does not support the format.
		"understanding": {"it supports the format", func(x *subject, _ Arg) *Verdict {
			return x.section(shType, "SFrame is not supported")
		}},
		"named":          {"the name of the section is `.sframe`", findUnnamed},
		"first-of-name":  {"no section before it has the same name", findSecond},
		"section-type":   {"the section's type is `SHT_GNU_SFRAME`", findType},
		"allocated":      {"a section with relocations is allocated", findUnallocated},
		"in-segment":     {"a `PT_GNU_SFRAME` segment points to the section", findSegment},
		"start-symbol":   {"a symbol of the linker script has the address of the section", findStartSymbol},
		"not-empty":      {"the section is not empty", findEmpty},
		"whole-section":  {"the file contains all bytes of the section", findCut},
		"native-order":   {"the section is in the byte order of the machine", onModel(findOrder)},
		"abi-of-machine": {"`sfh_abi_arch` is the ABI of the file's machine", onModel(findMachine)},
	}
}

// Fields of an ELF64 section header.
var (
	shName, shType, shSize, shPlace = elf64.ShdrName, elf64.ShdrType, elf64.ShdrSizeField, elf64.ShdrPlace
	shFlags, shLink, shEntSize      = elf64.ShdrFlags, elf64.ShdrLink, elf64.ShdrEntsize
)

// header returns the ELF section header. It is nil for a raw section and one that
// was found by its segment.
func (x *subject) header() *reader.Section {
	if x.o.ELF == nil {
		return nil
	}
	s, _ := x.o.ELF.SectionOf(x.f)
	return s
}

// fieldOf returns the bytes of a field of a section header.
func fieldOf(s *reader.Section, field model.Span) model.Span {
	return elf64.In(s.Header.Off, field)
}

// section returns a verdict at a field of the ELF section header, or at the start
// of the section if it has no header.
func (x *subject) section(field model.Span, format string, args ...any) *Verdict {
	if s := x.header(); s != nil {
		return inFile(fieldOf(s, field), format, args...)
	}
	return at(model.Span{Len: min(int64(len(x.f.Data)), model.PreambleSize)}, format, args...)
}

func findUnallocated(x *subject, _ Arg) *Verdict {
	s := x.header()
	if s == nil || s.Flags&elf.SHF_ALLOC != 0 || len(x.f.Relocs) == 0 {
		return nil
	}
	return x.section(shFlags, "the section has relocations and is not allocated")
}

const sectionName = ".sframe"

func findUnnamed(x *subject, _ Arg) *Verdict {
	switch s := x.header(); {
	case x.o.ELF == nil || x.f.Name == sectionName:
		return nil
	case s == nil:
		return x.section(shName, "the file has no section headers")
	default:
		return x.section(shName, "the name of the section is %q, expected %s", s.Name, sectionName)
	}
}

func findSecond(x *subject, _ Arg) *Verdict {
	if x.o.ELF == nil || !x.searchable() {
		return nil
	}
	for _, f := range x.o.SFrames {
		if f == x.f {
			return nil
		}
		if f.Name == x.f.Name {
			return x.section(shName, "another section before it has the name %s", x.f.Name)
		}
	}
	return nil
}

func findType(x *subject, _ Arg) *Verdict {
	s := x.header()
	if s == nil || s.Type == reader.SHT_GNU_SFRAME {
		return nil
	}
	name := fmt.Sprintf("0x%x", uint32(s.Type))
	if s.Type == elf.SHT_PROGBITS {
		name = "SHT_PROGBITS"
	}
	return x.section(shType, "sh_type is %s, expected SHT_GNU_SFRAME", name)
}

// findSegment compares addresses, as a loader does.
func findSegment(x *subject, _ Arg) *Verdict {
	s := x.header()
	if s == nil || !x.searchable() {
		return nil
	}
	all := x.o.ELF.SFrameSegments()
	for _, i := range all {
		if p := &x.o.ELF.Segments[i]; p.Vaddr == s.Addr && p.Vaddr != 0 {
			return nil
		}
	}
	if len(all) == 0 {
		return x.section(shName, "the file has no PT_GNU_SFRAME segment")
	}
	p := &x.o.ELF.Segments[all[0]]
	h := x.section(shName, "PT_GNU_SFRAME points to 0x%x, but the section is at 0x%x", p.Vaddr, s.Addr)
	h.Span = p.Header
	return h
}

// hasSymbols reports whether the file has a symbol table that is not only for the dynamic linker.
func (x *subject) hasSymbols() bool {
	return slices.ContainsFunc(x.o.ELF.Sections, func(s reader.Section) bool { return s.Type == elf.SHT_SYMTAB })
}

func findStartSymbol(x *subject, _ Arg) *Verdict {
	s := x.header()
	if s == nil || !x.searchable() || !x.hasSymbols() { // a stripped image had them
		return nil
	}
	if _, ok := x.o.ELF.StartSymbol(s); ok {
		return nil
	}
	return x.section(shName, "no symbol with \"sframe\" in its name has the address 0x%x of the section", s.Addr)
}

func findEmpty(x *subject, _ Arg) *Verdict {
	if len(x.f.Data) > 0 {
		return nil
	}
	return x.section(shSize, "the section has size 0")
}

func findCut(x *subject, _ Arg) *Verdict {
	s := x.header()
	if s == nil || s.Type == elf.SHT_NOBITS || x.inFile(s) {
		return nil
	}
	return x.section(shPlace, "the file contains only %d of the section's %d bytes", len(x.f.Data), s.Size)
}

// inFile reports whether the file contains all bytes of an ELF section.
func (x *subject) inFile(s *reader.Section) bool {
	end := s.Offset + s.Size
	return end >= s.Offset && end <= uint64(x.o.Size)
}

// big returns the byte order of the file, or that of a raw section's ABI.
func (x *subject) big() (big, known bool) {
	if x.o.ELF != nil {
		return x.o.ELF.BigEndian(), true
	}
	return x.s.ABI().Big, x.s.ABI().Known()
}

func findOrder(x *subject) *Verdict {
	big, known := x.big()
	return expect(!known || big == x.s.BigEndian(), model.HdrMagic, "the section is %s, but the machine is %s", model.OrderName(x.s.BigEndian()), model.OrderName(big))
}

func findMachine(x *subject) *Verdict {
	if x.o.ELF == nil {
		return nil
	}
	abi := x.o.ELF.ABI()
	return expect(!abi.Known() || abi.ID == x.s.ABI().ID, model.HdrABI, "sfh_abi_arch is %d, expected %d for %v", x.s.ABI().ID, abi.ID, x.o.ELF.Machine)
}
