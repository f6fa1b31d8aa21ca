package rewrite

import (
	"debug/elf"
	"errors"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Addition says which section is added.
type Addition struct {
	Version model.Version
	Flex    bool // allow FDEs of the flexible type
	// Replace allows a file that has an SFrame section. Its new one takes the header of the old
	// one, and its place if there is room.
	Replace bool
}

// Added is a section that was made from call frame information.
type Added struct {
	*Change
	*Expected
	Addr uint64 // of the section in a linked file
}

// ErrHasSFrame is the error for a file that has an SFrame section already.
var ErrHasSFrame = errors.New("it has an SFrame section already: use --replace")

// Synthesize adds to an object the section that its CFI describes: with relocations in a relocatable file, otherwise with a
// segment and PT_GNU_SFRAME. Call it while the object is visited. It fails as
// [Expect] does, and if there is no room for headers.
func Synthesize(o *reader.Object, opts Addition) (*Added, error) {
	e := o.ELF
	if err := supported(o); err != nil {
		return nil, err
	}
	switch {
	case e == nil:
		return nil, errors.New("it is not an ELF file of a machine that the format supports")
	case o.Member != "":
		return nil, errors.New("members of archives can't be changed: extract them")
	case len(o.SFrames) > 1:
		return nil, fmt.Errorf("it has %d SFrame sections: merge them first", len(o.SFrames))
	case len(o.SFrames) == 1 && !opts.Replace:
		return nil, ErrHasSFrame
	}
	s := &synth{o: o, e: e, opts: opts, c: &Change{}}
	if len(o.SFrames) == 1 {
		s.old = o.SFrames[0]
		s.c.Before = int64(len(s.old.Data))
	}
	if err := s.headers(); err != nil {
		return nil, err
	}
	add := s.addToLinked
	if e.Relocatable() {
		add = s.relocatable
	}
	if err := add(); err != nil {
		return nil, err
	}
	return &Added{Change: s.c, Expected: s.x, Addr: s.addr}, nil
}

// synth adds a section to a file.
type synth struct {
	o    *reader.Object
	e    *reader.ELF
	opts Addition
	old  *reader.SFrame // nil if there is none
	c    *Change
	x    *Expected
	addr uint64

	head     elf.Header64
	sections []elf.Section64
	base     int64  // offset in the file of Append
	added    []byte // there
	names    []byte
}

// headers reads the header and the section headers.
func (s *synth) headers() error {
	if err := readHeaders(s.e, 0, &s.head); err != nil || len(s.e.Sections) == 0 {
		return err
	}
	n := len(s.e.Sections)
	if n != int(s.head.Shnum) || n+2 >= int(elf.SHN_LORESERVE) || s.head.Shstrndx == 0 || int(s.head.Shstrndx) >= n {
		return fmt.Errorf("the header has no room for more than %d sections, or they have no names", n)
	}
	s.sections = make([]elf.Section64, n, n+2)
	if err := readHeaders(s.e, s.e.Sections[0].Header.Off, s.sections); err != nil {
		return err
	}
	at := &s.sections[s.head.Shstrndx]
	if elf.SectionFlag(at.Flags)&elf.SHF_ALLOC != 0 || at.Off > uint64(s.o.Size) || at.Size > uint64(s.o.Size)-at.Off {
		return errors.New("the sections' names are loaded, or not in the file")
	}
	// A name that is added would become that of a section whose own name is beyond them.
	if slices.ContainsFunc(s.sections, func(h elf.Section64) bool { return h.Name > 0 && uint64(h.Name) >= at.Size }) {
		return errors.New("a section's name is not in the table of names")
	}
	var err error
	s.names, err = s.e.Data(model.Span{Off: int64(at.Off), Len: int64(at.Size)})
	return err
}

// expect writes the section.
func (s *synth) expect(addr uint64) (err error) {
	s.addr = addr
	s.x, err = expect(s.o, s.opts.Version, s.opts.Flex, addr, true)
	switch {
	case err != nil:
		return err
	case s.x.FDEs == 0 && len(s.x.Omitted) == 0:
		return errors.New("no call frame information, and no functions")
	case s.x.FDEs == 0:
		return fmt.Errorf("no FDE of version %d can describe a function: %s", s.opts.Version, s.x.Omitted[0].Why)
	}
	s.c.Result = &Result{Data: s.x.Data, Section: s.x.SFrame.Section}
	return nil
}

// add adds bytes at the end of the file, aligned, and returns their offset.
func (s *synth) add(b []byte, align int64) int64 {
	at := s.base + int64(len(s.added))
	pad := -at & (align - 1)
	s.added = append(append(s.added, make([]byte, pad)...), b...)
	return at + pad
}

// name returns the offset of the name of a section.
func (s *synth) name(name string) uint32 {
	if n := len(s.names); n > 0 && s.names[n-1] != 0 {
		s.names = append(s.names, 0) // the last name of a damaged file has no end
	}
	at := len(s.names)
	s.names = append(append(s.names, name...), 0)
	return uint32(at)
}

// section returns the header with an index; a new one if that is 0.
func (s *synth) section(i int, name string) (int, *elf.Section64) {
	if i == 0 {
		i = len(s.sections)
		s.sections = append(s.sections, elf.Section64{Name: s.name(name)})
	}
	return i, &s.sections[i]
}

// finish adds the sections' names and headers, and changes the header of the file.
func (s *synth) finish() error {
	if len(s.sections) > 0 {
		if int64(len(s.names)) != int64(s.sections[s.head.Shstrndx].Size) {
			h := &s.sections[s.head.Shstrndx]
			h.Off, h.Size = uint64(s.add(s.names, 1)), uint64(len(s.names))
		}
		s.head.Shoff, s.head.Shnum = uint64(s.add(elf64.Encode(s.e.Order, s.sections), 8)), uint16(len(s.sections))
	}
	s.c.edit(0, elf64.Encode(s.e.Order, &s.head))
	if len(s.added) > 0 {
		s.c.Edits = append(s.c.Edits, edit.Edit{Off: s.base, New: s.added})
	}
	return budget.Of(s.o.Context).Spend(budget.Memory, int64(len(s.added)))
}

// index returns the index of the header of the old section, or 0.
func (s *synth) index() int {
	if s.old == nil {
		return 0
	}
	return s.old.Index
}

// relocatable adds the section to an object file, with a relocation for each start field.
func (s *synth) relocatable() error {
	if len(s.sections) == 0 {
		return fmt.Errorf("it has no section headers")
	}
	symtab := 0
	for i := range s.sections {
		if elf.SectionType(s.sections[i].Type) == elf.SHT_SYMTAB {
			symtab = i
		}
	}
	if symtab == 0 {
		return fmt.Errorf("it has no symbols that relocations could refer to")
	}
	if err := s.expect(0); err != nil {
		return err
	}
	relas, err := s.relas()
	if err != nil {
		return err
	}
	s.base = s.o.Size
	at, h := s.section(s.index(), ".sframe")
	h.Type, h.Flags, h.Off, h.Size, h.Addralign = uint32(reader.SHT_GNU_SFRAME), uint64(elf.SHF_ALLOC), uint64(s.add(s.x.Data, 8)), uint64(len(s.x.Data)), 8
	old := 0
	for i := range s.sections {
		if x := &s.sections[i]; elf.SectionType(x.Type) == elf.SHT_RELA && int(x.Info) == at {
			old = i
		}
	}
	b := elf64.Encode(s.e.Order, relas)
	_, h = s.section(old, ".rela.sframe")
	*h = elf.Section64{Name: h.Name, Type: uint32(elf.SHT_RELA), Flags: h.Flags | uint64(elf.SHF_INFO_LINK), Off: uint64(s.add(b, 8)), Size: uint64(len(b)),
		Link: uint32(symtab), Info: uint32(at), Addralign: 8, Entsize: elf64.RelaSize}
	return s.finish()
}

// relas returns the relocations of the start fields, as assemblers write them: against the symbols
// of sections. A section without one has another symbol, a local one if there is any.
func (s *synth) relas() ([]elf.Rela64, error) {
	starts := s.x.starts
	if err := budget.Of(s.o.Context).Spend(budget.Memory, int64(len(starts))*2*elf64.RelaSize); err != nil {
		return nil, err
	}
	type target struct {
		symbol, rank int
		value        uint64
	}
	targets := map[int]target{}
	for _, p := range starts {
		targets[int(p.Place)] = target{}
	}
	err := s.e.Symbols.Each(func(i int, y reader.Symbol) {
		t, used := targets[y.Section]
		if !used || y.Reserved || i == 0 {
			return
		}
		rank := 1
		switch {
		case y.Type == elf.STT_SECTION:
			rank = 3
		case y.Bind == elf.STB_LOCAL && y.Type != elf.STT_TLS:
			rank = 2
		}
		if rank > t.rank {
			targets[y.Section] = target{i, rank, y.Value}
		}
	})
	if err != nil {
		return nil, err
	}
	v := s.opts.Version
	info := v.Info()
	typ := s.e.ABI().StartReloc(v)
	out := make([]elf.Rela64, 0, len(starts))
	for i, p := range starts {
		t := targets[int(p.Place)]
		if t.rank == 0 {
			return nil, fmt.Errorf("section %d has functions and no symbol that a relocation could refer to", p.Place)
		}
		at := info.HeaderSize + i*info.FDESize
		out = append(out, elf.Rela64{Off: uint64(at), Info: elf.R_INFO(uint32(t.symbol), typ), Addend: int64(p.Addr - t.value)})
	}
	return out, nil
}
