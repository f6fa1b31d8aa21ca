package reader

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// Sizes of ELF32's structures, in bytes.
const ehdrSize32, shdrSize32 = 52, 40

// header32 reads an ELF32 header. It reports whether the sections can be read.
func (r *elfReader) header32(head []byte) bool {
	o := r.obj
	o.Status, o.Detail = StatusOtherClass, "ELF32"
	if len(head) < elf.EI_NIDENT+4 {
		return false
	}
	r.elf = &ELF{Type: elf.Type(number.U16(head[16:], r.big)), Machine: elf.Machine(number.U16(head[18:], r.big)), Order: byteOrder(r.big), src: r.src}
	o.Detail = "ELF32 of " + r.elf.Machine.String()
	if len(head) < ehdrSize32 {
		return false
	}
	r.hdr.shoff = uint64(number.U32(head[32:], r.big))
	r.sectionTable(head[46:])
	return true
}

// sectionHeader32 reads an ELF32 section header, all but its name.
func (r *elfReader) sectionHeader32(s *Section, b []byte, at int64) {
	b = b[:shdrSize32]
	word := func(off int) uint64 { return uint64(number.U32(b[off:], r.big)) }
	s.nameOff, s.Type, s.Flags = number.U32(b, r.big), elf.SectionType(word(4)), elf.SectionFlag(word(8))
	s.Addr, s.Offset, s.Size = word(12), word(16), word(20)
	s.Link, s.Info, s.AddrAlign, s.EntSize = uint32(word(24)), uint32(word(28)), word(32), word(36)
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
	for _, step := range []func() error{r.sectionHeaders, r.sectionNames} {
		if err := step(); err != nil {
			return err
		}
		if r.over {
			r.status()
			return nil
		}
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
