package reader

import (
	"debug/elf"
	"strings"
)

// A program finds SFrame data by the PT_GNU_SFRAME segment, or by symbols of its linker script.

// StartSymbol returns the symbol at the address of the SFrame section of a linked file. Its name contains "sframe",
// such as __start_sframe of the Linux kernel, and programs find the section by it.
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

// Located returns the SFrame section of a linked file that programs use: the one that PT_GNU_SFRAME points to,
// otherwise one with a start symbol, otherwise the first. It reads symbols only if there are several.
func (o *Object) Located() *SFrame {
	o.look.Do(o.locate)
	return o.located
}

// Kernel reports whether a linked file is a kernel image. Such a file has the sections of one, or start symbols in
// place of a PT_GNU_SFRAME segment.
func (o *Object) Kernel() bool {
	o.look.Do(o.locate)
	return o.kernel
}

// maxLocated bounds the segments and the SFrame sections with symbols that locate looks at.
const maxLocated = 4

// locate finds what Located and Kernel return.
func (o *Object) locate() {
	if len(o.SFrames) > 0 {
		o.located = o.SFrames[0]
	}
	if o.ELF == nil || o.ELF.Relocatable() {
		return
	}
	o.kernel = o.ELF.KernelImage()
	segments := o.ELF.SFrameSegments()
	if len(o.SFrames) > 1 && !o.bySegment(segments[:min(len(segments), maxLocated)]) {
		for _, f := range o.SFrames[:min(len(o.SFrames), maxLocated)] {
			if o.started(f) {
				o.located = f
				break
			}
		}
	}
	o.kernel = o.kernel || o.located != nil && len(segments) == 0 && o.started(o.located)
}

// bySegment finds the section to which one of these segments points.
func (o *Object) bySegment(segments []int) bool {
	for _, i := range segments {
		for _, f := range o.SFrames {
			if s, ok := o.ELF.SectionOf(f); ok && s.Addr == o.ELF.Segments[i].Vaddr && s.Size > 0 {
				o.located = f
				return true
			}
		}
	}
	return false
}

// started reports whether a symbol is at the start of a section.
func (o *Object) started(f *SFrame) bool {
	s, ok := o.ELF.SectionOf(f)
	if ok && s.Size > 0 {
		_, ok = o.ELF.StartSymbol(s)
		return ok
	}
	return false
}

// KernelPart reports whether a relocatable file is a module or a live patch of the Linux kernel, which loads it as it is.
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
