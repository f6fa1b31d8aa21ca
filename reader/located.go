package reader

import (
	"debug/elf"
	"strings"
)

// A program finds SFrame data by the PT_GNU_SFRAME segment, or by symbols of its linker script.

// StartSymbol returns the symbol at the address of a linked file's SFrame section by which the
// program finds it: __start_sframe of the Linux kernel, or any other name with "sframe" in it.
func (e *ELF) StartSymbol(s *Section) (Symbol, bool) {
	var found Symbol
	if e.Relocatable() {
		return found, false
	}
	err := e.Symbols.Each(func(i int, y Symbol) {
		if found.Name != "" || y.Value != s.Addr || y.Section == int(elf.SHN_UNDEF) || y.Type > elf.STT_OBJECT {
			return
		}
		if y, ok := e.Symbols.Symbol(i); ok && strings.Contains(y.Name, "sframe") {
			found = y
		}
	})
	return found, err == nil && found.Name != ""
}

// Located returns the SFrame section of a linked file at which a program looks: the one to which a
// PT_GNU_SFRAME segment points, otherwise the one with a start symbol, otherwise the first. Only
// a file with several looks at symbols.
func (o *Object) Located() *SFrame {
	if len(o.SFrames) == 0 {
		return nil
	}
	if len(o.SFrames) == 1 || o.ELF == nil || o.ELF.Relocatable() {
		return o.SFrames[0]
	}
	for _, i := range o.ELF.SFrameSegments() {
		for _, f := range o.SFrames {
			if s, ok := o.ELF.SectionOf(f); ok && s.Addr == o.ELF.Segments[i].Vaddr && s.Size > 0 {
				return f
			}
		}
	}
	for _, f := range o.SFrames[:min(len(o.SFrames), maxLocated)] {
		if s, ok := o.ELF.SectionOf(f); ok && s.Size > 0 {
			if _, ok := o.ELF.StartSymbol(s); ok {
				return f
			}
		}
	}
	return o.SFrames[0]
}

// Kernel reports whether a linked file is the image of a kernel, by its sections or because symbols
// in place of a segment lead to its SFrame section.
func (o *Object) Kernel() bool {
	if o.ELF == nil || o.ELF.Relocatable() {
		return false
	}
	if o.ELF.KernelImage() {
		return true
	}
	f := o.Located()
	if f == nil || len(o.ELF.SFrameSegments()) > 0 {
		return false
	}
	s, ok := o.ELF.SectionOf(f)
	if ok {
		_, ok = o.ELF.StartSymbol(s)
	}
	return ok
}

// maxLocated bounds the SFrame sections for which Located searches the symbols.
const maxLocated = 4

// KernelPart reports whether a relocatable file is loaded as it is: a module of the Linux kernel or
// a live patch.
func (e *ELF) KernelPart() bool {
	if !e.Relocatable() {
		return false
	}
	for i := range e.Sections {
		switch name := e.Sections[i].Name; {
		case name == ".modinfo", name == ".gnu.linkonce.this_module", strings.HasPrefix(name, ".klp."), strings.HasPrefix(name, "__klp"):
			return true
		}
	}
	return false
}

// KernelImage reports whether a linked file has the sections of an image of the Linux kernel.
func (e *ELF) KernelImage() bool {
	if e.Relocatable() {
		return false
	}
	for i := range e.Sections {
		switch e.Sections[i].Name {
		case ".modinfo", "__ksymtab", "__ksymtab_gpl", "__ksymtab_strings":
			return true
		}
	}
	return false
}
