// Package table lists the instructions of an object. Each has its row of SFrame data, its row of call frame
// information, the state that the code proves, the findings of rules, and the source line. The text, JSON and HTML
// forms share this model.
package table

import (
	"cmp"
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Selection selects the contents of a table.
type Selection struct {
	// Func is a pattern for the names of functions, "" for all. PCs, unless nil, selects functions by addresses in
	// ascending order; in a relocatable file they are offsets in any section.
	Func string
	PCs  []uint64
	// CFI says that the rows of call frame information are also listed and compared.
	CFI bool
	// OnlyDifferences omits functions without findings in which the sources agree.
	OnlyDifferences bool
	// Findings are the findings in the object.
	Findings []rules.Finding
	// Line returns the source line, "" and 0 if it is unknown. If Line is nil, there are no source lines.
	Line func(place uint32, pc uint64) (file string, line int)
}

// Table has the functions of an object. It must be used while the object is visited.
type Table struct {
	Object *reader.Object
	ABI    model.ABIInfo
	opts   Selection

	frames  *cfi.Frames
	fdes    []fdeRange
	blocks  []block
	points  []point
	states  []state
	names   *names
	printer *insn.Printer
	decode  insn.Decoder
	proven  []proof.Range // whose rows the code agrees with
	found   map[address][]*rules.Finding
	called  map[address]bool // where symbols called Selection.Func are
	err     error
}

// address is an address, in a relocatable file an offset in a section.
type address struct {
	section uint32 // 0 in a linked file
	addr    uint64
}

func (p address) compare(q address) int {
	return cmp.Or(cmp.Compare(p.section, q.section), cmp.Compare(p.addr, q.addr))
}

// fdeRange is the code of an FDE.
type fdeRange struct {
	address
	end uint64
	sf  int32 // of the object's sections
	fde int32
}

// Open reads the data for a table of an object. Errors: I/O and the budget. The table is empty if the object has no
// code, or code of another machine.
func Open(o *reader.Object, opts Selection) (*Table, error) {
	t := &Table{Object: o, opts: opts, frames: &cfi.Frames{}}
	if o.ELF == nil || !o.ELF.ABI().Known() {
		return t, nil
	}
	t.ABI = o.ELF.ABI()
	if t.decode = insn.For(o.ELF.Machine); t.decode == nil {
		return t, nil
	}
	t.printer = insn.NewPrinter(o.ELF.Machine)
	if t.hold(insn.PrinterMemory) {
		t.frames, t.err = cfi.Load(o, 0)
	}
	for _, step := range [...]func(){t.findFDEs, t.findBlocks, t.readNames, t.attach, t.findCalled, t.follow} {
		if t.err != nil {
			return nil, t.err
		}
		step()
	}
	return t, t.err
}

// hold reserves memory until the object is closed. It reports whether to continue: t.err keeps the first error.
func (t *Table) hold(n int64) bool {
	if t.err == nil {
		t.err = t.Object.Hold(n)
	}
	return t.err == nil
}

// grow appends an element, unless an error has occurred. It returns the bytes of memory that were reserved for it and those
// that follow.
func grow[T any](t *Table, all *[]T, v T, cost int64) (held int64) {
	if len(*all)%holdStep == 0 {
		held = holdStep * cost
		if !t.hold(held) {
			return 0
		}
	}
	*all = append(*all, v)
	return held
}

// relocatable reports whether addresses are offsets in sections.
func (t *Table) relocatable() bool { return t.Object.ELF.Relocatable() }

// sectionOf returns the section by which symbols at an address are found, -1 in a linked file.
func (t *Table) sectionOf(p address) int {
	if t.relocatable() {
		return int(p.section)
	}
	return -1
}

// findFDEs lists the code of FDEs.
func (t *Table) findFDEs() {
	for k, sf := range t.Object.SFrames {
		if sf.Section == nil || !t.hold(int64(sf.Section.NumFDEs())*fdeCost) {
			continue
		}
		t.fdes = slices.Grow(t.fdes, sf.Section.NumFDEs())
		for f := range sf.Section.FDEs() {
			if f.Resolved() && f.End() > f.Start() {
				t.fdes = append(t.fdes, fdeRange{address{uint32(f.Place()), f.Start()}, f.End(), int32(k), int32(f.Index())})
			}
		}
	}
	slices.SortStableFunc(t.fdes, func(a, b fdeRange) int { return a.compare(b.address) })
}

// Approximate memory of the elements of a table, in bytes, with spare room of slices and, for an instruction, with the slice
// that grows.
const fdeCost, beginCost, blockCost, rangeCost, provenCost, pointCost = 40, 36, 50, 64, 40, 54

// holdStep is for how many of them memory is counted at once.
const holdStep = 1024

// fdeAt returns the FDE with the code at a place. Of FDEs that overlap, it is the one that starts last.
func (t *Table) fdeAt(p address) (fdeRange, bool) {
	i, exact := slices.BinarySearchFunc(t.fdes, p, fdeRange.compare)
	if exact {
		return t.fdes[i], true
	}
	for back := 1; back <= 8 && back <= i; back++ {
		if f := t.fdes[i-back]; f.section == p.section && p.addr < f.end {
			return f, true
		}
	}
	return fdeRange{}, false
}

// attach finds the instructions of findings.
func (t *Table) attach() {
	t.found = map[address][]*rules.Finding{}
	for i := range t.opts.Findings {
		if f := &t.opts.Findings[i]; f.HasPC {
			pc := f.PC
			if f.Frame != nil {
				pc = f.Frame.PC
			} else if fde, ok := t.fdeAt(address{f.Place, pc - 1}); ok && int(fde.fde) == f.FDE && fde.end == pc {
				pc-- // an FRE starts where its function ends
			}
			p := address{f.Place, pc}
			t.found[p] = append(t.found[p], f)
		}
	}
}

// findCalled looks up the symbols with the selected name.
func (t *Table) findCalled() {
	if t.opts.Func == "" {
		return
	}
	t.called = map[address]bool{}
	t.Object.ELF.Symbols.EachNamed(func(y reader.Symbol) bool { return y.Section != int(elf.SHN_UNDEF) && !y.Reserved }, func(_ int, y reader.Symbol, name []byte, _ bool) {
		if !lookup.Match(t.opts.Func, string(name)) {
			return
		}
		p := address{0, y.Value}
		if t.relocatable() {
			p.section = uint32(y.Section)
		}
		t.called[p] = true
	})
}

// OtherFindings returns the findings that are not about code.
func (t *Table) OtherFindings() (all []*rules.Finding) {
	for i := range t.opts.Findings {
		if f := &t.opts.Findings[i]; !f.HasPC || t.decode == nil {
			all = append(all, f)
		}
	}
	return all
}

// HasSFrame reports whether an FDE describes code of the object.
func (t *Table) HasSFrame() bool { return len(t.fdes) > 0 }

// executable lists the sections with code, and in a file without section headers the segments.
func (t *Table) executable() (all []area) {
	e := t.Object.ELF
	for i := range e.Sections {
		s := &e.Sections[i]
		if s.Flags&(elf.SHF_ALLOC|elf.SHF_EXECINSTR) != elf.SHF_ALLOC|elf.SHF_EXECINSTR || s.Type == elf.SHT_NOBITS || s.Size == 0 {
			continue
		}
		a := area{name: s.Name, index: i, end: s.Size, stub: proof.Stubs(s.Name) || s.Name == ".plt.got", step: s.EntSize}
		if t.relocatable() {
			a.section = uint32(i)
		} else {
			a.addr, a.end = s.Addr, s.Addr+s.Size
		}
		all = append(all, a)
	}
	if len(e.Sections) == 0 {
		for i := range e.Segments {
			s := &e.Segments[i]
			if s.Type == elf.PT_LOAD && s.Flags&elf.PF_X != 0 && s.Filesz > 0 {
				all = append(all, area{address: address{0, s.Vaddr}, end: s.Vaddr + s.Filesz, index: -1})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b area) int { return a.compare(b.address) })
	return all
}

// area is a section with code, or a segment.
type area struct {
	address
	end   uint64
	name  string
	index int // of the section, -1 for a segment
	stub  bool
	step  uint64 // bytes of a stub
}

// read reads the code of an area from one address to another; nil if the file does not have it.
func (t *Table) read(a *area, start, end uint64, buf []byte) []byte {
	e := t.Object.ELF
	var err error
	if a.index >= 0 {
		buf, err = e.SectionPart(a.index, start-a.addr, end-start, buf)
	} else {
		buf, err = e.Part(0, start, end-start, buf)
		t.err = cmp.Or(t.err, err)
	}
	if err != nil {
		return nil
	}
	return buf
}
