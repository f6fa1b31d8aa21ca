package dump

import (
	"cmp"
	"debug/elf"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Selection selects the parts of a section that [Full] and [JSON] write.
type Selection struct {
	// Func is a pattern for any symbol of the functions to write; "" means all functions.
	Func string
	// PC, with ByPC, is an address in the only function to write. In a relocatable file it is an offset in any
	// section.
	PC   uint64
	ByPC bool
}

// filtered reports whether some FDEs are omitted.
func (o Selection) filtered() bool { return o.Func != "" || o.ByPC }

// Selects reports whether the options select a function of a section.
func (opts Selection) Selects(o *reader.Object, s *reader.SFrame) bool {
	if !opts.filtered() {
		return true
	}
	if s.Section == nil {
		return false
	}
	v := newView(o, s, opts)
	for f := range s.Section.FDEs() {
		if v.shows(&f) {
			return true
		}
	}
	return false
}

// view is a section with the facts about it in its object.
type view struct {
	o       *reader.Object
	s       *reader.SFrame
	sec     *model.Section // nil if there is none
	opts    Selection
	faults  []reader.Fault // of the section, by FDE and FRE
	relocs  []reader.Reloc // by offset
	relABI  model.ABIInfo  // of the ELF machine, not known for none
	named   map[point]bool // where symbols called opts.Func are
	nameBuf []byte         // of a function
}

// point is a place in the code: an address, in a relocatable file an offset
// in a section.
type point struct {
	section int // 0 in a linked file
	addr    uint64
}

func newView(o *reader.Object, s *reader.SFrame, opts Selection) *view {
	v := &view{o: o, s: s, sec: s.Section, opts: opts}
	v.faults = slices.Clone(s.Faults)
	slices.SortStableFunc(v.faults, func(a, b reader.Fault) int {
		return cmp.Or(cmp.Compare(a.FDE, b.FDE), cmp.Compare(a.FRE, b.FRE))
	})
	byOffset := func(a, b reader.Reloc) int { return cmp.Compare(a.Offset, b.Offset) }
	v.relocs = s.Relocs
	if !slices.IsSortedFunc(v.relocs, byOffset) {
		v.relocs = slices.Clone(v.relocs)
		slices.SortStableFunc(v.relocs, byOffset)
	}
	if o.ELF != nil {
		v.relABI = o.ELF.ABI()
		v.findNamed()
	}
	return v
}

// relocatable reports whether starts count from sections.
func (v *view) relocatable() bool { return v.o.ELF != nil && v.o.ELF.Relocatable() }

// findNamed looks up the symbols with the selected name.
func (v *view) findNamed() {
	if v.opts.Func == "" {
		return
	}
	v.named = map[point]bool{}
	symbols := v.o.ELF.Symbols
	for i := 1; i < symbols.Len(); i++ {
		y, ok := symbols.Symbol(i)
		if !ok || !lookup.Match(v.opts.Func, y.Name) || y.Section == int(elf.SHN_UNDEF) {
			continue
		}
		if !v.relocatable() {
			y.Section = 0
		}
		v.named[point{y.Section, y.Value}] = true
	}
}

// function returns the name of the function that the FDE describes, until the next call,
// with the distance from the symbol if the FDE does not start at it.
func (v *view) function(f *model.FDE) (name []byte, off uint64, ok bool) {
	if v.o.ELF == nil || !f.Resolved() {
		return nil, 0, false
	}
	section := -1
	if v.relocatable() {
		section = f.Place()
	}
	start, ok := uint64(0), false
	v.nameBuf, start, ok = v.o.ELF.Symbols.AppendFunc(v.nameBuf[:0], section, f.Start())
	return v.nameBuf, f.Start() - start, ok && len(v.nameBuf) > 0
}

// shows reports whether the options select the FDE.
func (v *view) shows(f *model.FDE) bool {
	if v.opts.ByPC && (!f.Resolved() || v.opts.PC-f.Start() >= uint64(f.Size())) {
		return false
	}
	if v.opts.Func == "" || f.Resolved() && v.named[point{f.Place(), f.Start()}] {
		return true
	}
	name, _, _ := v.function(f)
	return lookup.Match(v.opts.Func, string(name))
}

// section returns the name of the ELF section that an FDE's start counts
// from or lies in.
func (v *view) section(f *model.FDE) (index int, name string, ok bool) {
	e := v.o.ELF
	if e == nil || !f.Resolved() {
		return 0, "", false
	}
	if index, ok = f.Place(), f.Place() > 0; !v.relocatable() {
		index, ok = e.SectionAt(f.Start())
	}
	if !ok || index >= len(e.Sections) {
		return 0, "", false
	}
	return index, cleanText(e.Sections[index].Name), true
}

// maxRepeated limits the facts about the object that are written with each of
// its sections: a hostile file could have very many of the two.
const maxRepeated = 64

// segmentsOf returns the program headers that concern the section: those
// made for SFrame, and those that load it; the first maxRepeated of them.
func (v *view) segmentsOf() []int {
	var out []int
	h, ok := v.o.ELF.SectionOf(v.s)
	for i, p := range v.o.ELF.Segments {
		loads := p.Type == elf.PT_LOAD && ok && h.Size > 0 && h.Offset >= p.Offset && h.Offset-p.Offset < p.Filesz
		if p.Type != reader.PT_GNU_SFRAME && !loads {
			continue
		}
		if out = append(out, i); len(out) == maxRepeated {
			break
		}
	}
	return out
}

// objectFaults returns the first maxRepeated faults of the container and how
// many more there are.
func (v *view) objectFaults() (faults []reader.Fault, more int) {
	n := min(len(v.o.Faults), maxRepeated)
	return v.o.Faults[:n], len(v.o.Faults) - n
}

// faultsOf returns the section's faults in an FDE and, with fre >= 0, in an FRE;
// -1 selects those outside.
func (v *view) faultsOf(fde, fre int) []reader.Fault {
	return v.faults[v.firstFault(fde, fre):v.firstFault(fde, fre+1)]
}

// faultsFrom returns the faults of an FDE's FREs from fre on.
func (v *view) faultsFrom(fde, fre int) []reader.Fault {
	return v.faults[v.firstFault(fde, fre):v.firstFault(fde+1, -1)]
}

// firstFault returns the index of the first fault in an FRE, or after it.
func (v *view) firstFault(fde, fre int) int {
	return sort.Search(len(v.faults), func(i int) bool {
		f := &v.faults[i]
		return f.FDE > fde || f.FDE == fde && f.FRE >= fre
	})
}

// relocsIn returns the relocations whose offset lies in a span.
func (v *view) relocsIn(sp model.Span) []reader.Reloc {
	at := func(off int64) int {
		return sort.Search(len(v.relocs), func(i int) bool { return v.relocs[i].Offset >= off })
	}
	return v.relocs[at(sp.Off):at(sp.End())]
}

// onStart reports whether a relocation applies to the first byte of a start
// field.
func (v *view) onStart(r reader.Reloc) bool {
	if v.sec == nil || v.sec.NumFDEs() == 0 {
		return false
	}
	n := int64(model.FDESize(v.sec.Version()))
	off := r.Offset - v.sec.FDESubsection().Off
	return off >= 0 && off%n == 0 && off/n < int64(v.sec.NumFDEs())
}

// symbol returns the name of a relocation's symbol; section symbols have the
// name of their section.
func (v *view) symbol(r reader.Reloc) string {
	if v.o.ELF == nil || r.Symbol == 0 {
		return ""
	}
	y, ok := v.o.ELF.Symbols.Symbol(int(r.Symbol))
	if !ok {
		return ""
	}
	if y.Type == elf.STT_SECTION && y.Name == "" && y.Section > 0 && y.Section < len(v.o.ELF.Sections) {
		return cleanText(v.o.ELF.Sections[y.Section].Name)
	}
	return cleanText(y.Name)
}

// cleanText returns a name as it is written.
func cleanText(name string) string { return escape.Cut(name, escape.MaxName) }

// relocName returns the name of a relocation type of the object's machine.
func (v *view) relocName(t uint32) string {
	if !v.relABI.Known() {
		return ""
	}
	return v.relABI.RelocName(t)
}
