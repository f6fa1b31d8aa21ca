package reader

import (
	"debug/elf"
	"reflect"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
)

// sectionName is the name that every producer gives to SFrame sections.
const sectionName = ".sframe"

// IsSFrame reports whether the section contains SFrame data: by its type (set by GNU ld since 2.45), its name, or
// [Options].Section. After objcopy --prefix-alloc-sections, a name that ends with .sframe, SHT_PROGBITS and the magic
// suffice.
func (s *Section) IsSFrame() bool {
	return s.Name == sectionName || s.Type == SHT_GNU_SFRAME && !s.foreign || s.prefixed
}

// dofName is the name of the sections of DTrace on FreeBSD and illumos. Their type, SHT_SUNW_dof, has the number of
// SHT_GNU_SFRAME.
const dofName = ".SUNW_dof"

// isForeign reports whether a section has the number of SHT_GNU_SFRAME as the type of another system: it begins
// with another magic number, and neither its name nor, without one, EI_OSABI are those of SFrame data.
func (r *elfReader) isForeign(s *Section) (bool, error) {
	if s.Type != SHT_GNU_SFRAME || strings.HasSuffix(s.Name, sectionName) || s.Name == "" && !r.solaris || s.Flags&elf.SHF_COMPRESSED != 0 {
		return false, nil
	}
	if s.Size == 0 {
		return s.Name == dofName || r.solaris, nil
	}
	is, read, err := r.magic(s)
	return read && !is, err
}

// magic reports whether a section begins with the magic number, and whether its first bytes could be read.
func (r *elfReader) magic(s *Section) (is, read bool, err error) {
	sp, whole := r.src.clip(s.Offset, min(s.Size, model.PreambleSize))
	if !whole {
		return false, false, nil
	}
	b, err := r.src.read(sp)
	return isSFrame(b), err == nil, err
}

// isPrefixed reports whether a section is one of SFrame data with a prefix before its name, or one that the
// options name.
func (r *elfReader) isPrefixed(s *Section) (bool, error) {
	if s.Name != "" && s.Name == r.opts.Section {
		return true, nil
	}
	if s.Type != elf.SHT_PROGBITS || s.Name == sectionName || !strings.HasSuffix(s.Name, sectionName) || s.Size < model.PreambleSize {
		return false, nil
	}
	is, read, err := r.magic(s)
	return read && is, err
}

// place returns where the header says what bytes the section has: sh_offset
// and sh_size.
func (r *elfReader) place(s *Section) model.Span { return r.in(s.Header.Off, elf64.ShdrPlace) }

// sframes reads all .sframe sections.
func (r *elfReader) sframes() error {
	if len(r.elf.Sections) == 0 {
		return r.segmentOnly()
	}
	for i := range r.elf.Sections {
		s, err := &r.elf.Sections[i], error(nil)
		if i == 0 { // no section: ELF reserves this header
			s.Name, s.foreign = "", true
			continue
		}
		if s.prefixed, err = r.isPrefixed(s); err != nil {
			return err
		}
		if s.foreign, err = r.isForeign(s); err != nil {
			return err
		}
	}
	for i := range r.elf.Sections {
		if !r.elf.Sections[i].IsSFrame() {
			continue
		}
		if err := r.sframe(i); err != nil || r.over {
			return err
		}
	}
	return nil
}

// sframe reads the section with index i.
func (r *elfReader) sframe(i int) error {
	s := &r.elf.Sections[i]
	switch {
	case s.Type == elf.SHT_NOBITS:
		r.fault(Fault{Code: SectionNoBits, Span: r.in(s.Header.Off, elf64.ShdrType)})
		return nil
	case s.Flags&elf.SHF_COMPRESSED != 0:
		r.fault(Fault{Code: SectionCompressed, Span: r.in(s.Header.Off, elf64.ShdrFlags)})
		return nil
	case s.Size == 0:
		if err := r.src.hold(sframeCost); err != nil {
			r.exceeded(r.place(s), err, "an empty .sframe section")
			return nil
		}
		r.obj.SFrames = append(r.obj.SFrames, &SFrame{Name: s.Name, Index: i, Offset: int64(min(s.Offset, uint64(r.src.size)))})
		return nil
	}
	sp, data, err := r.contents(s.Offset, s.Size, r.place(s))
	if err != nil || len(data) == 0 {
		return err
	}
	f := &SFrame{Name: s.Name, Index: i, Offset: sp.Off, Data: data}
	opts := SectionOptions{Addr: s.Addr, budget: r.src.budget, NoSurvey: r.opts.NoSurvey}
	if opts.Relocatable = r.elf.Relocatable(); opts.Relocatable && r.obj.ELF != nil {
		if opts.Start, err = r.relocate(f); err != nil {
			return err
		}
	}
	return r.decode(f, opts, r.place(s))
}

// sframeCost is about the bytes that a section and its findings need in memory,
// besides its own, and one for each section header: rules look at all of these for
// each .sframe section.
const sframeCost = 16 << 10

// decode decodes a section and adds it to the object, unless the memory budget
// does not allow it.
func (r *elfReader) decode(f *SFrame, opts SectionOptions, field model.Span) error {
	cost := sframeCost + int64(len(r.elf.Sections))
	if opts.Relocatable {
		cost += int64(len(f.Data)) / minFDESize * startCost
	}
	err := r.src.hold(cost)
	if err == nil {
		if err := f.decode(opts); err != nil {
			return r.src.fail(err)
		}
		err = r.src.hold(int64(len(f.Faults)) * faultCost)
	}
	if err != nil {
		r.exceeded(field, err, "a .sframe section of %d bytes", len(f.Data))
		return nil
	}
	r.obj.SFrames = append(r.obj.SFrames, f)
	return nil
}

// minFDESize is the size of the smallest FDE, in bytes.
var minFDESize = int64(model.FDESize(model.SFRAME_VERSION_1))

// Bytes of what a section may have many of.
var (
	startCost = int64(reflect.TypeFor[model.Start]().Size())
	faultCost = int64(reflect.TypeFor[Fault]().Size())
)

// segmentOnly reads the section of a file that has lost its section headers:
// what an unwinder at run time goes by is left, the segment.
func (r *elfReader) segmentOnly() error {
	if r.hdr.shoff != 0 {
		return nil // they are there but can't be read
	}
	for _, i := range r.elf.SFrameSegments() {
		if r.over {
			break
		}
		s := &r.elf.Segments[i]
		sp, data, err := r.contents(s.Offset, s.Filesz, elf64.In(s.Header.Off, elf64.PhdrPlace))
		if err != nil {
			return err
		}
		if len(data) == 0 {
			continue
		}
		f := &SFrame{Data: data, Offset: sp.Off}
		if err := r.decode(f, SectionOptions{Addr: s.Vaddr, budget: r.src.budget, NoSurvey: r.opts.NoSurvey}, elf64.In(s.Header.Off, elf64.PhdrPlace)); err != nil {
			return err
		}
	}
	return nil
}

// contents reads the bytes of a .sframe section, less what the file lacks;
// none where they are too many. field is where the file says which they are.
func (r *elfReader) contents(off, size uint64, field model.Span) (model.Span, []byte, error) {
	sp, whole := r.src.clip(off, size)
	if !whole {
		end := off + size
		if end < off {
			end = ^uint64(0)
		}
		r.fault(Fault{Code: SectionBeyondEnd, Span: field, Want: end, Got: uint64(r.src.size)})
	}
	if limit := r.src.maxSection(); sp.Len > limit {
		r.fault(Fault{Code: SectionTooLarge, Span: field, Want: uint64(limit), Got: uint64(sp.Len)})
		return sp, nil, nil
	}
	if !r.spend(sp.Len) {
		r.damage(field, "the .sframe sections share bytes")
		return sp, nil, nil
	}
	if err := r.src.section(sp.Len); err != nil {
		r.exceeded(field, err, "a .sframe section of %d bytes", sp.Len)
		return sp, nil, nil
	}
	data, err := r.src.read(sp)
	return sp, data, err
}

// spend takes n bytes from the budget.
func (r *elfReader) spend(n int64) bool {
	if n > r.budget {
		return false
	}
	r.budget -= n
	return true
}
