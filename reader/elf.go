package reader

import (
	"debug/elf"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// Sizes of ELF64's structures, in bytes.
const (
	ehdrSize, shdrSize, phdrSize = elf64.EhdrSize, elf64.ShdrSize, elf64.PhdrSize
	symSize, relaSize            = elf64.SymSize, elf64.RelaSize
)

// Values of 16-bit fields that refer to the section header with index 0.
const pnXNum = 0xffff

// ehdr is what is used of an ELF64 header.
type ehdr struct {
	phoff, shoff                 uint64
	phentsize, phnum             uint16
	shentsize, shnum, shstrndx16 uint16
}

// elfReader reads one ELF64 file into an object. Only tables and what
// concerns .sframe are read: the cost does not depend on the file's size.
type elfReader struct {
	src     source
	obj     *Object
	opts    Options
	elf     *ELF
	big     bool
	narrow  bool // ELF32
	solaris bool // EI_OSABI is that of a system with SHT_SUNW_dof
	hdr     ehdr
	symtab  int // section header index of the symbol table, 0 for none
	// relocs are the sections of relocations of .sframe sections, in the order of
	// sh_info; nil until they are asked for.
	relocs []int
	// blames are the section headers that the first sorted faults are about; see blamed.
	blames map[int64]bool
	sorted int
	over   bool // a budget was exceeded
	// budget is the number of bytes of sections that may still be read. Sections may
	// share bytes, so a small file could claim any amount.
	budget int64
}

// damage notes that the ELF structure can't be followed in one place.
func (r *elfReader) damage(at model.Span, format string, args ...any) {
	r.fault(Fault{Code: ELFDamaged, Span: at, Detail: fmt.Sprintf(format, args...)})
}

func (r *elfReader) fault(f Fault) {
	f.FDE, f.FRE = -1, -1
	// Beyond the budget of memory, only what says so is kept.
	if err := r.src.hold(2*faultCost + int64(len(f.Detail))); err == nil || f.Code == BudgetExceeded {
		r.obj.Faults = append(r.obj.Faults, f)
	}
}

// read fills in the object. head are the file's first bytes.
func (r *elfReader) read(head []byte) error {
	if !r.ident(head) || !r.header(head) {
		return nil
	}
	r.budget = r.src.size
	if r.obj.ELF == nil {
		return r.readForeign()
	}
	if err := r.steps(r.sectionHeaders, r.sectionNames, r.segments); err != nil {
		return err
	}
	if r.over {
		r.obj.ELF = nil // rules must not judge a part of the file
		r.status()
		return nil
	}
	r.content()
	r.elf.Symbols = r.symbols()
	for _, step := range []func() error{r.sframes, r.noteUnbacked, r.miniSymbols} {
		if err := step(); err != nil {
			return err
		}
	}
	r.status()
	return nil
}

// steps takes steps until a budget is exceeded.
func (r *elfReader) steps(all ...func() error) error {
	for _, step := range all {
		if err := step(); err != nil || r.over {
			return err
		}
	}
	return nil
}

// ident looks at e_ident, class and byte order. It reports whether the rest of the
// header can be read.
func (r *elfReader) ident(head []byte) bool {
	if len(head) < elf.EI_NIDENT {
		r.cutOff(head)
		return false
	}
	abi := elf.OSABI(head[elf.EI_OSABI])
	r.solaris = abi == elf.ELFOSABI_SOLARIS || abi == elf.ELFOSABI_FREEBSD
	switch elf.Data(head[elf.EI_DATA]) {
	case elf.ELFDATA2LSB:
	case elf.ELFDATA2MSB:
		r.big = true
	default:
		r.undefined(elf.EI_DATA, "byte order %d is not defined", head[elf.EI_DATA])
		return false
	}
	switch elf.Class(head[elf.EI_CLASS]) {
	case elf.ELFCLASS64:
		return true
	case elf.ELFCLASS32:
		r.narrow = true
		return true
	}
	r.undefined(elf.EI_CLASS, "class %d is not defined", head[elf.EI_CLASS])
	return false
}

func (r *elfReader) cutOff(head []byte) {
	r.obj.Status, r.obj.Detail = StatusDamaged, "the ELF header is cut off"
	r.damage(model.Span{Len: int64(len(head))}, "the ELF header takes %d bytes, the file has %d", ehdrSize, len(head))
}

func (r *elfReader) undefined(at int64, format string, args ...any) {
	r.damage(model.Span{Off: at, Len: 1}, format, args...)
	r.obj.Status, r.obj.Detail = StatusDamaged, r.obj.Faults[len(r.obj.Faults)-1].Detail
}

// header reads the rest of the ELF header. It reports whether the sections can be
// read. The object gets no ELF where the format has no ABI for the file.
func (r *elfReader) header(head []byte) bool {
	if r.narrow {
		return r.header32(head)
	}
	if len(head) < ehdrSize {
		r.cutOff(head)
		return false
	}
	h := number.Fields{B: head, Big: r.big}
	e := &ELF{Type: elf.Type(h.U16(16)), Machine: elf.Machine(h.U16(18)), Entry: h.U64(24), Flags: h.U32(48), Order: number.Order(r.big), src: r.src}
	r.hdr.phoff, r.hdr.shoff = h.U64(32), h.U64(40)
	r.hdr.phentsize, r.hdr.phnum = h.U16(54), h.U16(56)
	r.sectionTable(58, h)
	r.elf = e
	if !e.ABI().Known() {
		r.obj.Status, r.obj.Detail = StatusOtherMachine, e.Machine.String()
		if model.LookupMachine(e.Machine, !r.big).Known() {
			r.obj.Detail += " of the other byte order"
		}
		return true
	}
	r.obj.ELF = e
	return true
}

// sectionTable reads the last fields of the header: the size and number of section headers, and
// which one has their names.
func (r *elfReader) sectionTable(at int, h number.Fields) {
	r.hdr.shentsize, r.hdr.shnum, r.hdr.shstrndx16 = h.U16(at), h.U16(at+2), h.U16(at+4)
}

// status sums up the results of the file's .sframe sections.
func (r *elfReader) status() {
	o := r.obj
	empty := false
	for _, f := range o.SFrames {
		if len(f.Data) > 0 {
			o.Status = StatusOK
			return
		}
		empty = true
	}
	for _, f := range o.Faults {
		// A file of debug information has the headers of all sections but
		// not their bytes: it is a file without SFrame data, not a bad one.
		if f.Code != SectionNoBits {
			o.Status, o.Detail = StatusDamaged, f.Summary()
			return
		}
	}
	switch {
	case empty:
		o.Status, o.Detail = StatusEmpty, "size 0"
	case len(o.Faults) > 0:
		o.Status, o.Detail = StatusNoSFrame, o.Faults[0].Summary()
	case o.ELF.intermediate():
		o.Status, o.Detail = StatusIntermediate, "only GCC's code for link-time optimization, no machine code yet: check the linked file"
	default:
		o.Status, o.Detail = StatusNoSFrame, "no .sframe section"
	}
}

// Sizes of ELF32's structures, in bytes.
const ehdrSize32, shdrSize32 = 52, 40

// header32 reads an ELF32 header. It reports whether the sections can be read.
func (r *elfReader) header32(head []byte) bool {
	o := r.obj
	o.Status, o.Detail = StatusOtherClass, "ELF32"
	if len(head) < elf.EI_NIDENT+4 {
		return false
	}
	h := number.Fields{B: head, Big: r.big}
	r.elf = &ELF{Type: elf.Type(h.U16(16)), Machine: elf.Machine(h.U16(18)), Order: number.Order(r.big), src: r.src}
	o.Detail = "ELF32 of " + r.elf.Machine.String()
	if len(head) < ehdrSize32 {
		return false
	}
	r.hdr.shoff = uint64(h.U32(32))
	r.sectionTable(46, h)
	return true
}

// sectionHeader32 reads an ELF32 section header, all but its name.
func (r *elfReader) sectionHeader32(s *Section, b []byte, at int64) {
	h := number.Fields{B: b[:shdrSize32], Big: r.big}
	word := func(off int) uint64 { return uint64(h.U32(off)) }
	s.nameOff, s.Type, s.Flags = h.U32(0), elf.SectionType(h.U32(4)), elf.SectionFlag(h.U32(8))
	s.Addr, s.Offset, s.Size = word(12), word(16), word(20)
	s.Link, s.Info, s.AddrAlign, s.EntSize = h.U32(24), h.U32(28), word(32), word(36)
	s.Header = model.Span{Off: at, Len: shdrSize32}
}

// shdrSize returns the size of a section header, in bytes.
func (r *elfReader) shdrSize() int64 {
	if r.narrow {
		return shdrSize32
	}
	return shdrSize
}

// class returns the bits of an address.
func (r *elfReader) class() int {
	if r.narrow {
		return 32
	}
	return 64
}

// in returns the bytes of a field of the ELF64 structure at an offset, or the whole
// structure of an ELF32 file: the header, or a section header.
func (r *elfReader) in(at int64, field model.Span) model.Span {
	switch {
	case !r.narrow:
		return elf64.In(at, field)
	case at == 0:
		return model.Span{Len: ehdrSize32}
	}
	return model.Span{Off: at, Len: shdrSize32}
}

// readForeign reads the .sframe sections of a file for which the format has no ABI. They say
// themselves whose they are. Nothing else of the file is looked at: neither its
// relocations nor its symbols have a known meaning.
func (r *elfReader) readForeign() error {
	o, detail := r.obj, r.obj.Detail
	if err := r.steps(r.sectionHeaders, r.sectionNames); err != nil {
		return err
	}
	if r.over {
		r.status()
		return nil
	}
	found := false
	for i := range r.elf.Sections {
		s := &r.elf.Sections[i]
		o.ForeignCFI = o.ForeignCFI || s.Name == ".eh_frame"
		if !s.IsSFrame() || s.Size == 0 || s.Type == elf.SHT_NOBITS {
			continue
		}
		found = true
		if err := r.sframe(i); err != nil || r.over {
			r.status()
			return err
		}
	}
	if !found {
		o.Faults = nil // of a file that is not checked
		return nil
	}
	o.Foreign = detail
	field := model.Span{Off: int64(elf.EI_CLASS), Len: 1}
	if !r.narrow {
		o.Foreign = "ELF64 of " + detail
		field = elf64.EhdrMachine
	}
	o.Status, o.Detail = "", ""
	r.status()
	r.fault(Fault{Code: OtherMachine, Span: field, Detail: o.Foreign})
	return nil
}
