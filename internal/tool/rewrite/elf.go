package rewrite

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Change is the new form of a section of an object.
type Change struct {
	*Result
	Before int64       // bytes of the section
	Edits  []edit.Edit // of the object; one that adds bytes at its end only if it is a whole file
	// Segment reports whether the file gets a PT_GNU_SFRAME segment. NoRoom reports
	// whether it lacks one and has no room for it.
	Segment, NoRoom bool
	Type            bool // the section had another type than SHT_GNU_SFRAME
}

// supported returns an error for a file whose headers are not known.
func supported(o *reader.Object) error {
	if o.Foreign != "" {
		return fmt.Errorf("it is %s, for which the format has no ABI", o.Foreign)
	}
	return nil
}

// forObject adds to the options what follows from the object.
func (opts Changes) forObject(o *reader.Object, sf *reader.SFrame) Changes {
	e := o.ELF
	opts.Relocatable = e != nil && e.Relocatable()
	opts.Signed = e == nil && (sf.Section == nil || sf.Section.Addr() == 0)
	if e != nil && !opts.Relocatable && opts.Dead == nil {
		opts.Dead = dead(e)
	}
	opts.Budget = budget.Of(o.Context)
	return opts
}

// splitOf is split for a section of an object.
func splitOf(o *reader.Object, sf *reader.SFrame, opts Changes) ([]Piece, error) {
	addr := uint64(0)
	if sf.Section != nil {
		addr = sf.Section.Addr()
	}
	return split(sf.Data, addr, opts.Relocatable, budget.Of(o.Context))
}

// Section rewrites a section of an object, which is being visited.
func Section(o *reader.Object, sf *reader.SFrame, opts Changes) (*Change, error) {
	if err := supported(o); err != nil {
		return nil, err
	}
	e, opts := o.ELF, opts.forObject(o, sf)
	pieces, err := splitOf(o, sf, opts)
	if err != nil {
		return nil, err
	}
	defer budget.Of(o.Context).Release(budget.Memory, int64(len(pieces))*pieceCost)
	opts.room = int64(len(sf.Data))
	r, err := Build(pieces, opts)
	if err != nil {
		return nil, err
	}
	c := &Change{Result: r, Before: int64(len(sf.Data))}
	switch {
	case e == nil:
		return c, c.raw(o, sf)
	case opts.Relocatable:
		return c, c.relocatable(o, sf, opts)
	}
	sec, ok := e.SectionOf(sf)
	if !ok {
		return c, c.segmentOnly(e, sf)
	}
	if err := c.replaceInLinked(o, sf, sec); err != nil || !c.NoRoom {
		return c, err
	}
	return c, c.shift(e, sf, sec, func(by uint64) (*Result, error) {
		opts.move = by
		return Build(pieces, opts)
	})
}

// maxMerged is the largest section, in bytes, whose finding carries the merged one.
const maxMerged = 4 << 20

// relink is the remedy where a rewritten file still has a finding.
const relink rules.Help = "link with GNU ld 2.46 or later or with mold 3 or later (-fuse-ld=bfd, -fuse-ld=mold), which merge the sections and write PT_GNU_SFRAME; sframe-lint rewrite needs room that the file does not have"

// Merge returns the fix that writes concatenated sections of an object, which is being visited, as one, if that is possible
// in their place, and the remedy where the command rewrite is none.
func Merge(o *reader.Object, sf *reader.SFrame) (all []rules.Option) {
	if int64(len(sf.Data)) > maxMerged {
		return nil
	}
	c, err := Section(o, sf, Changes{})
	var larger *ErrLarger
	if errors.As(err, &larger) || err == nil && c.NoRoom {
		all = append(all, relink)
	}
	if err != nil {
		return all
	}
	fix := rules.Fix{Message: fmt.Sprintf("merge the %d sections", c.Sections), Reveals: true}
	if c.NoRoom {
		fix.Message += ", which leaves the file without PT_GNU_SFRAME"
	}
	for _, e := range c.Edits {
		if e.Len < int64(len(e.New)) {
			return all // the file would grow
		}
		fix.Edits = append(fix.Edits, rules.Edit{Span: model.Span{Off: e.Off, Len: e.Len}, New: e.New})
	}
	return append(all, fix)
}

// dead returns a function that reports whether an address has no code. A section of code
// that is copied before it runs, as .rodata.text, is not executable; nil if it is not
// known where code is.
func dead(e *reader.ELF) func(uint64) bool {
	ranges := e.ExecRanges()
	if len(ranges) == 0 {
		return nil
	}
	return func(addr uint64) bool {
		if _, ok := ranges.At(addr); ok {
			return false
		}
		i, ok := e.SectionAt(addr)
		return !ok || !strings.Contains(e.Sections[i].Name, "text")
	}
}

// ErrLarger is the error for a section that does not fit in the place of the old one.
type ErrLarger struct{ Need, Room int64 }

func (e *ErrLarger) Error() string {
	return fmt.Sprintf("the section needs %d bytes and there is room for %d", e.Need, e.Room)
}

// raw replaces a section that is a file by itself.
func (c *Change) raw(o *reader.Object, sf *reader.SFrame) error {
	if n := int64(len(c.Data)); n > c.Before {
		if o.Member != "" {
			return &ErrLarger{n, c.Before}
		}
		c.edit(sf.Offset, c.Data[:c.Before])
		c.Edits = append(c.Edits, edit.Edit{Off: o.Size, New: c.Data[c.Before:]})
		return nil
	}
	c.edit(sf.Offset, c.Data)
	if rest := c.Before - int64(len(c.Data)); rest > 0 && o.Member != "" {
		c.edit(sf.Offset+int64(len(c.Data)), make([]byte, rest))
	} else if rest > 0 {
		c.Edits = append(c.Edits, edit.Edit{Off: sf.Offset + int64(len(c.Data)), Len: rest})
	}
	return nil
}

func (c *Change) edit(at int64, data []byte) {
	c.Edits = append(c.Edits, edit.Edit{Off: at, Len: int64(len(data)), New: data})
}

// replaceInLinked replaces a section of a linked file.
func (c *Change) replaceInLinked(o *reader.Object, sf *reader.SFrame, sec *reader.Section) error {
	e, n := o.ELF, int64(len(c.Data))
	if room := c.Before + slack(o, sec); n > room {
		return &ErrLarger{n, room}
	}
	c.edit(sf.Offset, pad(c.Data, max(n, c.Before)))
	c.put(e, sec.Header, elf64.ShdrSizeField, uint64(n))
	c.setType(e, sec)
	c.segment(e, sec)
	return nil
}

// setType gives a section the type without which GNU ld 2.45 and later ignore it. Earlier ones read any type.
func (c *Change) setType(e *reader.ELF, sec *reader.Section) {
	if sec.Type != reader.SHT_GNU_SFRAME {
		c.Type = true
		c.put(e, sec.Header, elf64.ShdrType, uint64(reader.SHT_GNU_SFRAME))
	}
}

// relocatable replaces a section of a relocatable file. A larger one moves to the end.
func (c *Change) relocatable(o *reader.Object, sf *reader.SFrame, opts Changes) error {
	e, n := o.ELF, int64(len(c.Data))
	sec, ok := e.SectionOf(sf)
	if !ok {
		return fmt.Errorf("it has no section header")
	}
	if err := c.relocs(e, sf, opts); err != nil {
		return err
	}
	c.put(e, sec.Header, elf64.ShdrSizeField, uint64(n))
	c.setType(e, sec)
	return c.move(o, sf, sec)
}

// move puts the section of an object file into its place, or to the end of the file if it is larger.
func (c *Change) move(o *reader.Object, sf *reader.SFrame, sec *reader.Section) error {
	n := int64(len(c.Data))
	if n <= c.Before {
		c.edit(sf.Offset, pad(c.Data, c.Before))
		return nil
	}
	if o.Member != "" {
		return &ErrLarger{n, c.Before}
	}
	at := (o.Size + 7) &^ 7
	c.Edits = append(c.Edits, edit.Edit{Off: at, New: c.Data})
	c.put(o.ELF, sec.Header, elf64.ShdrOffset, uint64(at))
	c.edit(sf.Offset, make([]byte, c.Before))
	return nil
}

// pad returns data with zeros up to n bytes. There is room for them after the data of a
// section that gets the place of another one.
func pad(data []byte, n int64) []byte {
	if int64(cap(data)) < n {
		data = append(make([]byte, 0, n), data...)
	}
	clear(data[len(data):n])
	return data[:n]
}

// put sets a field of a header.
func (c *Change) put(e *reader.ELF, header, field model.Span, v uint64) {
	b := make([]byte, field.Len)
	number.Put(e.Order, b, v)
	c.edit(header.Off+field.Off, b)
}

// segmentOnly replaces the contents of the segment of a file without section headers.
func (c *Change) segmentOnly(e *reader.ELF, sf *reader.SFrame) error {
	n := int64(len(c.Data))
	if n > c.Before {
		return &ErrLarger{n, c.Before}
	}
	c.edit(sf.Offset, pad(c.Data, c.Before))
	c.cover(e, uint64(sf.Offset))
	return nil
}

// slack returns how many zero bytes follow a section in its segment, and in the file,
// before the next section.
func slack(o *reader.Object, sec *reader.Section) int64 {
	e := o.ELF
	end, room := sec.Addr+sec.Size, uint64(0)
	for i := range e.Segments {
		if p := &e.Segments[i]; p.Type == elf.PT_LOAD && p.Vaddr <= sec.Addr && p.Vaddr+p.Filesz >= end && p.Offset-p.Vaddr == sec.Offset-sec.Addr {
			room = p.Vaddr + p.Filesz - end
		}
	}
	fileEnd := sec.Offset + sec.Size
	for i := range e.Sections {
		s := &e.Sections[i]
		if s == sec || s.Type == elf.SHT_NULL || s.Type == elf.SHT_NOBITS && s.Flags&elf.SHF_ALLOC == 0 || s.Size == 0 {
			continue
		}
		if s.Flags&elf.SHF_ALLOC != 0 && s.Addr >= end {
			room = min(room, s.Addr-end)
		}
		if s.Type != elf.SHT_NOBITS && s.Offset >= fileEnd {
			room = min(room, s.Offset-fileEnd)
		}
	}
	b := make([]byte, min(room, 1<<20))
	k, _ := o.Reader(model.Span{Off: int64(fileEnd), Len: int64(len(b))}).Read(b)
	for i, x := range b[:k] {
		if x != 0 {
			return int64(i)
		}
	}
	return int64(k)
}

// relocs moves the relocations of start fields.
func (c *Change) relocs(e *reader.ELF, sf *reader.SFrame, opts Changes) error {
	abi, from := e.ABI(), sf.Section.Version()
	to := from
	if opts.Version != 0 {
		to = opts.Version
	}
	all := slices.Clone(sf.Relocs)
	places := make([]int64, len(all))
	applied := 0
	for i := range all {
		r := &all[i]
		places[i] = r.Entry.Off
		at, ok := c.Fields[r.Offset]
		switch {
		case ok:
			r.Offset = at
		case !abi.NoEffect(r.Type):
			return fmt.Errorf("a relocation at 0x%x does not apply to the start field of an FDE", r.Offset)
		default:
			r.Offset = 0
		}
		if abi.NoEffect(r.Type) {
			continue
		}
		if r.Type != abi.StartReloc(from) {
			return fmt.Errorf("a relocation has the type %s, expected %s", abi.RelocName(r.Type), abi.RelocName(abi.StartReloc(from)))
		}
		r.Type = abi.StartReloc(to)
		applied++
	}
	if applied != len(c.Fields) {
		return fmt.Errorf("%d relocations apply to the start fields of %d FDEs", applied, len(c.Fields))
	}
	slices.Sort(places)
	slices.SortStableFunc(all, func(a, b reader.Reloc) int { return cmp.Compare(a.Offset, b.Offset) })
	for i := 0; i < len(all); { // relocations that follow each other are one edit
		var b []byte
		first := places[i]
		for ; i < len(all) && places[i] == first+int64(len(b)); i++ {
			r := &all[i]
			b = append(b, elf64.Encode(e.Order, elf.Rela64{Off: uint64(r.Offset), Info: elf.R_INFO(r.Symbol, r.Type), Addend: r.Addend})...)
		}
		c.edit(first, b)
	}
	return nil
}

// Put puts other bytes into the place of a section. The headers of section and segment get its size, and the type of another version;
// relocations and code stay as they are. A section of an object file that grows moves to the end of
// the file. Error: there is no room for the bytes.
func Put(o *reader.Object, sf *reader.SFrame, data []byte) (*Change, error) {
	if err := supported(o); err != nil {
		return nil, err
	}
	c := &Change{Result: &Result{Data: data}, Before: int64(len(sf.Data))}
	e, n := o.ELF, int64(len(data))
	if e == nil {
		return c, c.raw(o, sf)
	}
	sec, ok := e.SectionOf(sf)
	if !ok {
		return nil, fmt.Errorf("it has no section header")
	}
	if n != c.Before {
		c.put(e, sec.Header, elf64.ShdrSizeField, uint64(n))
	}
	if len(data) >= model.PreambleSize && (sf.Section == nil || model.Version(data[2]) != sf.Section.Version()) {
		c.setType(e, sec)
	}
	if e.Relocatable() {
		return c, c.move(o, sf, sec)
	}
	if room := c.Before + slack(o, sec); n > room {
		return nil, &ErrLarger{n, room}
	}
	c.edit(sf.Offset, pad(data, max(n, c.Before)))
	if n != c.Before {
		c.cover(e, sec.Offset)
	}
	return c, nil
}
