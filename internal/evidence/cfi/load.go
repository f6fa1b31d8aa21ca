package cfi

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Frames is the call frame information of an object.
type Frames struct {
	Sections []Loaded
	Hdr      *Hdr // nil if the object has no readable .eh_frame_hdr
	HdrIndex int  // section header index of .eh_frame_hdr
	Skipped  []Skipped

	budget *budget.Budget    // nil: no limits
	hold   func(int64) error // counts bytes of memory
	once   sync.Once         // guards index and damage
	index  []interval
	damage []Damage
}

// Loaded is a section and its place in the object.
type Loaded struct {
	*Section
	Name  string
	Index int // section header index; 0 if the file has no section headers
	// Offset is the offset of the section's bytes in the object. It is negative if the file stores them compressed.
	Offset int64
}

// Skipped is a section with CFI that was not read.
type Skipped struct {
	Name  string
	Index int        // section header index; 0 if the file has no section headers
	File  model.Span // the section's bytes that the object contains
	Why   string
	// Limit reports that the section exceeds the caller's limit. Otherwise the section's header contradicts the file.
	Limit bool
}

// Load reads the CFI of an object while the object is visited (see [reader.Scan]). Without section headers, it uses
// PT_GNU_EH_FRAME. It skips a section above limit bytes, and compressed sections above limit bytes in total; 0
// selects [budget.DefaultCFI]. Errors come from I/O and the budget.
func Load(o *reader.Object, limit int64) (*Frames, error) {
	f := &Frames{budget: budget.Of(o.Context), hold: o.Hold}
	if o.ELF == nil {
		return f, nil
	}
	if limit <= 0 {
		limit = budget.DefaultCFI
	}
	l := loader{e: o.ELF, abi: o.ELF.ABI(), limit: limit, size: o.Size, budget: o.Size, hold: o.Hold, step: o.Step, inflate: limit, f: f}
	if len(l.e.Sections) == 0 {
		return f, l.segments()
	}
	l.bases()
	for _, i := range l.e.FrameSections() {
		if err := l.section(i); err != nil {
			return nil, err
		}
	}
	return f, l.checkPromised()
}

// loader reads sections within a budget of bytes: sections may share bytes, so
// that a small file could claim any amount.
type loader struct {
	e       *reader.ELF
	abi     model.ABIInfo
	limit   int64
	size    int64 // of the object
	budget  int64
	hold    func(int64) error // see Input
	step    func(int64) error
	inflate int64 // bytes that compressed sections may still take
	f       *Frames
	relas   []rela // in the order of what they apply to; nil before they are needed
	// See bases.
	textAddr, gotAddr uint64
	zeroIsCode        bool
}

func (l *loader) section(i int) error {
	sec := &l.e.Sections[i]
	kind, ok := KindOf(sec.Name)
	hdr := sec.Name == ".eh_frame_hdr"
	if !ok && !hdr {
		return nil
	}
	data, err := l.data(i)
	if err != nil || data == nil {
		return err
	}
	if hdr {
		if l.f.Hdr == nil {
			l.f.Hdr, l.f.HdrIndex = NewHdr(data, sec.Addr, l.abi), i
		}
		return nil
	}
	in, fields := Input{Kind: kind, Data: data, Addr: sec.Addr, ABI: l.abi}, 0
	if l.e.Relocatable() {
		in.Relocatable, in.Addr, in.Index = true, 0, uint32(i)
		if in.Relocs, fields, err = l.relocs(i); err != nil {
			return err
		}
	} else {
		in.TextAddr, in.DataAddr, in.ZeroIsCode = l.textAddr, l.gotAddr, l.zeroIsCode
	}
	at := int64(sec.Offset)
	if sec.Compressed() {
		at = -1
	}
	in.Hold, in.Step = l.hold, l.step
	x := Loaded{New(in), sec.Name, i, at}
	if in.Relocatable && fields < x.NumFDEs() { // the start of each FDE needs one
		l.f.Skipped = append(l.f.Skipped, Skipped{Name: sec.Name, Index: i, Why: fmt.Sprintf("%d relocations for the starts of %d FDEs", fields, x.NumFDEs())})
	}
	return l.add(x)
}

// add adds a section. Errors: the budget.
func (l *loader) add(s Loaded) error {
	if err := cmp.Or(s.Err(), l.hold(sectionCost)); err != nil {
		return err
	}
	l.f.Sections = append(l.f.Sections, s)
	return nil
}

// bases finds what encoded pointers of a linked file count from.
func (l *loader) bases() {
	for _, i := range l.e.FrameSections() {
		switch s := &l.e.Sections[i]; s.Name {
		case ".text":
			l.textAddr = s.Addr
		case ".got":
			l.gotAddr = s.Addr
		}
	}
	if i, ok := l.e.SectionAt(0); ok {
		l.zeroIsCode = l.e.Sections[i].Flags&elf.SHF_EXECINSTR != 0
	}
}

// data reads a section; nil where that is not possible.
func (l *loader) data(i int) ([]byte, error) {
	s := &l.e.Sections[i]
	skip := func(limit bool, why string) ([]byte, error) {
		at := model.Span{Off: int64(min(s.Offset, uint64(l.size)))}
		at.Len = int64(min(s.Size, uint64(l.size-at.Off)))
		l.f.Skipped = append(l.f.Skipped, Skipped{s.Name, i, at, why, limit})
		return nil, nil
	}
	switch {
	case s.Size == 0:
		return nil, nil
	case s.Type == elf.SHT_NOBITS:
		if !l.e.Stripped() { // else all sections have lost their bytes
			return skip(false, "SHT_NOBITS: it has no bytes in the file")
		}
		return nil, nil
	case s.Offset > uint64(l.size) || s.Size > uint64(l.size)-s.Offset:
		return skip(false, "it reaches beyond the end of the file")
	case s.Size > uint64(l.budget):
		return skip(false, "sections share bytes")
	}
	l.budget -= int64(s.Size)
	limit := l.limit
	if s.Compressed() {
		limit = min(limit, l.inflate)
	}
	n, err := l.e.DataSize(i)
	switch {
	case err == nil && n > uint64(limit):
		return skip(true, fmt.Sprintf("%d bytes, more than the limit of %d", n, limit))
	case err == nil:
		var data []byte
		if data, err = l.e.SectionData(i, l.limit); err == nil {
			if s.Compressed() {
				l.inflate -= int64(len(data))
			}
			return data, nil
		}
	}
	if errors.Is(err, reader.ErrCompression) {
		return skip(false, err.Error())
	}
	return nil, err
}

// relocs reads the relocations of a section of a relocatable file. Those that can give an
// address, or have no effect, are counted.
func (l *loader) relocs(section int) (out []Reloc, usable int, err error) {
	if l.relas == nil {
		l.findRelas()
	}
	first, _ := slices.BinarySearchFunc(l.relas, uint32(section), func(r rela, of uint32) int { return cmp.Compare(r.of, of) })
	for _, r := range l.relas[first:] {
		if r.of != uint32(section) {
			break
		}
		b, err := l.data(r.section)
		if err != nil {
			return nil, 0, err
		}
		if err := l.e.Symbols.Load(); err != nil {
			return nil, 0, err
		}
		if err := l.hold(int64(len(b)/elf64.RelaSize) * relocCost); err != nil {
			return nil, 0, err
		}
		if err := l.step(int64(len(b) / elf64.RelaSize)); err != nil {
			return nil, 0, err
		}
		out = slices.Grow(out, len(b)/elf64.RelaSize)
		for ; len(b) >= elf64.RelaSize; b = b[elf64.RelaSize:] {
			if l.abi.NoEffect(uint32(l.e.Order.Uint64(b[8:]))) { // "ld -r" leaves some of discarded code
				usable++
				continue
			}
			r := l.reloc(b)
			if out = append(out, r); r.Width > 0 {
				usable++
			}
		}
	}
	return out, usable, nil
}

// rela is a section of relocations.
type rela struct {
	of      uint32 // the section that they apply to
	section int
}

// findRelas finds the sections of relocations.
func (l *loader) findRelas() {
	l.relas = make([]rela, 0, 4)
	for i := range l.e.Sections {
		if s := &l.e.Sections[i]; s.Type == elf.SHT_RELA && s.EntSize == elf64.RelaSize {
			l.relas = append(l.relas, rela{s.Info, i})
		}
	}
	slices.SortStableFunc(l.relas, func(a, b rela) int { return cmp.Compare(a.of, b.of) })
}

// reloc resolves one relocation: symbol + addend.
func (l *loader) reloc(b []byte) Reloc {
	var order binary.ByteOrder = l.e.Order
	info := order.Uint64(b[8:])
	r := Reloc{Offset: int64(order.Uint64(b))}
	section, value, ok := l.e.Symbols.Place(int(info >> 32))
	r.Width, r.PCRel = l.abi.RelocField(uint32(info))
	r.OK = r.Width > 0 && ok && section < len(l.e.Sections)
	if r.OK {
		r.Place, r.Addr = uint32(section), value+order.Uint64(b[16:])
	}
	return r
}

// account is what a section has spent: all that it keeps, and the work that no size of it
// bounds.
type account struct {
	err   error // the first one of hold, before the section is complete
	steps atomic.Int64
	over  atomic.Bool // Input.Step has failed
}

// Bytes in memory.
var (
	offsetCost  = int64(reflect.TypeFor[int32]().Size())
	pointerCost = int64(reflect.TypeFor[*CIE]().Size())
	cieCost     = int64(reflect.TypeFor[CIE]().Size())
	faultCost   = int64(reflect.TypeFor[Fault]().Size())
	relocCost   = int64(reflect.TypeFor[Reloc]().Size())
	sectionCost = 2 * int64(reflect.TypeFor[Section]().Size()+reflect.TypeFor[Loaded]().Size()) // the list grows
	spanCost    = int64(reflect.TypeFor[model.Span]().Size())
)

// hold counts bytes that the section keeps.
func (s *Section) hold(n int64) {
	if s.in.Hold != nil && s.err == nil && n > 0 {
		s.err = s.in.Hold(n)
	}
}

// grow returns a list with room for another element, and counts that.
func grow[T any](s *Section, list []T, cost int64) []T {
	if len(list) < cap(list) {
		return list
	}
	n := max(cap(list)/4, 64)
	if s.hold(int64(n) * cost); s.err != nil {
		return list
	}
	return append(make([]T, 0, cap(list)+n), list...)
}

// Steps of a byte of a program and of an expression, and the number of bytes or steps that are spent at
// once.
const (
	byteSteps  = 1
	exprSteps  = 4
	payStep    = 1 << 12
	spendSteps = 1 << 10
)

// spend counts steps of work, and takes them before what they are for. It reports whether the budget allows more.
func (s *Section) spend(n int64) bool {
	if s.in.Step == nil {
		return true
	}
	if all := s.steps.Add(n) + spendSteps - 1; all/spendSteps != (all-n)/spendSteps {
		if s.in.Step(max(n, spendSteps)) != nil {
			s.over.Store(true)
		}
	}
	return !s.over.Load()
}
