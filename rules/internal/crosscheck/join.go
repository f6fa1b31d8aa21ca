package crosscheck

import (
	"cmp"
	"debug/elf"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// agreement is how the size of an FDE's function compares with the sizes of the
// symbols at its start.
type agreement uint8

const (
	unnamed   agreement = iota // no symbol starts there
	other                      // all symbols there have the same size, which is not the FDE's
	same                       // one of them has the FDE's size
	ambiguous                  // the symbols have several sizes, none of them the FDE's
)

// join is the comparison of a section's FDEs with the function symbols of
// the file. All fields are nil or 0 if there is nothing to compare, or if the
// starts of the section are wrong as a whole.
type join struct {
	fs functions
	t  table
	l  layout
	// cfi is what SF6013 and SF6014 compare: where it covers code, the symbols do not
	// decide.
	cfi *cfi.Frames

	// By place in the table: the agreement, a differing size of the symbols, and
	// the symbol inside of which the function starts.
	state  []agreement
	size   map[int]uint32
	inside map[int]int
	steps  int // left for inside

	named   int      // places where a symbol starts
	bare    []symbol // functions that no FDE and no CFI covers
	opposed bool     // only the symbols show that the PCREL flag is wrong
}

// mostBare bounds the functions without an FDE that are listed.
const mostBare = 1 << 12

// joined gives a rule the comparison of its section.
var joined = prereq.OfSection("functions", "the FDEs of a section beside the function symbols of its file", compare, prereq.Misread, rules.CallFrames, rules.Known, rules.Bounds)

// newRule makes a rule that works with the comparison.
func newRule(r rules.Rule, run func(*rules.Context, *join)) *rules.Rule {
	r.Requires = append(r.Requires, joined, prereq.Located)
	return rules.New(r, func(c *rules.Context) {
		if c.Section.NumFDEs() == 0 || !c.Has(rules.SymbolsReadable) {
			return
		}
		j := prereq.Get[*join](c.Pass, joined)
		switch {
		case j == nil:
		case j.opposed && r.Needs&rules.StartsAsFlagged != 0:
			c.HoldBack(againstFlag) // SF6006 is off
		default:
			run(c, j)
		}
	})
}

// againstFlag is why rules on starts are held back that SF6006 finds wrong.
var againstFlag = rules.Absence{Fact: rules.StartsAsFlagged, Reason: "the start fields contradict the PCREL flag by the symbols", Causes: []string{"SF6006"}}

// compare makes the comparison. It returns nil if there are no symbols.
func compare(pass *analysis.Pass) *join {
	c := rules.Look(pass)
	if c.Object.ELF == nil || c.Section.NumFDEs() == 0 || !c.Has(rules.SymbolsReadable) {
		return nil
	}
	j := &join{fs: functions{c.Object.ELF}, cfi: prereq.Get[*cfi.Frames](pass, rules.CallFrames)}
	if j.fs.Symbols.Len() == 0 || !j.fs.Symbols.Whole() {
		return nil
	}
	if c.Object.Relocatable() {
		j.l = layoutOf(c)
		j.t = objectTable(c, j.l)
	} else {
		j.t = linkedTable(c, prereq.PCRel(c.Section))
	}
	n := len(j.t.keys)
	j.state = make([]agreement, n)
	j.steps = 4*n + 64
	var labels []symbol
	if j.fs.walk(functionTypes|1<<elf.STT_NOTYPE, func(y symbol) {
		switch {
		case y.typed && y.size > 0:
			j.add(y)
		case (y.typed || y.global) && len(labels) < mostBare && j.isBare(y):
			labels = append(labels, y)
		}
	}) != nil {
		return nil
	}
	j.addLabels(labels)
	j.opposed = c.Object.Linked() && !prereq.Get[bool](pass, prereq.Misread) && j.contradicts(c)
	return j
}

// key returns the key of a symbol.
func (j *join) key(y symbol) (uint64, bool) {
	if j.l.base == nil {
		return y.value, true
	}
	return j.l.key(y.section, y.value)
}

// add compares a function's symbol with the FDEs.
func (j *join) add(y symbol) {
	key, ok := j.key(y)
	if !ok {
		return
	}
	n, p := len(j.t.keys), j.t.at(key)
	first := p
	if p < n && j.t.keys[p] == key && uint64(j.t.sizes[p]) == y.size && (p+1 == n || j.t.keys[p+1]-key >= y.size) {
		// The function of one FDE, as nearly always.
		if j.state[p] == unnamed {
			j.named++
		}
		j.state[p] = same
		return
	}
	for ; p < n && j.t.keys[p] == key; p++ {
		j.meet(p, uint32(min(y.size, 1<<32-1)))
	}
	apart := p == n || j.t.keys[p]-key >= y.size // from the FDEs that follow
	if p == first && apart && (p == 0 || key-j.t.keys[p-1] >= uint64(j.t.sizes[p-1])) && !j.hasCFI(y.section, y.value) && len(j.bare) < mostBare {
		j.bare = append(j.bare, y)
	}
	for ; p < n && j.t.keys[p]-key < y.size && j.steps > 0; p++ {
		if j.inside == nil {
			j.inside = map[int]int{}
		}
		j.inside[p] = y.index
		j.steps--
	}
}

// isBare reports whether neither an FDE nor CFI covers the code at a symbol.
func (j *join) isBare(y symbol) bool {
	key, ok := j.key(y)
	p := j.t.search(key)
	s := &j.fs.Sections[y.section]
	return ok && (p == len(j.t.keys) || j.t.keys[p] != key) && (p == 0 || key-j.t.keys[p-1] >= uint64(j.t.sizes[p-1])) && !j.hasCFI(y.section, y.value) &&
		(j.l.base != nil || y.value-s.Addr < s.Size)
}

// addLabels adds functions of assembly whose symbols have no size or no type. Labels in other functions, and those of padding,
// such as the end of some code, are none.
func (j *join) addLabels(labels []symbol) {
	byPlace := func(a, b symbol) int { return cmp.Or(cmp.Compare(a.section, b.section), cmp.Compare(a.value, b.value)) }
	if len(labels) == 0 {
		return
	}
	sized := slices.SortedFunc(slices.Values(j.bare), byPlace)
	slices.SortStableFunc(labels, byPlace)
	for i, y := range labels {
		p, same := slices.BinarySearchFunc(sized, y, byPlace)
		if same || p > 0 && sized[p-1].section == y.section && y.value-sized[p-1].value < sized[p-1].size || i > 0 && byPlace(labels[i-1], y) == 0 {
			continue
		}
		place := y.section
		if j.l.base == nil {
			place = 0
		}
		if code, err := j.fs.Part(place, y.value, mostPadding, nil); err == nil && len(code) > 0 && !machinecode.Pads(j.fs.Machine, code) && len(j.bare) < mostBare {
			j.bare = append(j.bare, y)
		}
	}
}

// mostPadding is the number of bytes that show whether code is padding.
const mostPadding = 4

// hasCFI reports whether the CFI covers an address, in a relocatable file an offset in a
// section.
func (j *join) hasCFI(section int, addr uint64) bool {
	if j.cfi == nil {
		return false
	}
	if j.l.base == nil {
		section = 0
	}
	_, ok := j.cfi.At(uint32(section), addr)
	return ok
}

// coversStart reports whether the CFI covers the start of an FDE.
func (j *join) coversStart(f model.FDE) bool { return j.hasCFI(f.Place(), f.Start()) }

// meet records a symbol at the start of the function at a place.
func (j *join) meet(p int, size uint32) {
	switch s := &j.state[p]; {
	case size == j.t.sizes[p]:
		if *s == unnamed {
			j.named++
		}
		*s = same
	case *s == unnamed:
		j.named++
		if j.size == nil {
			j.size = map[int]uint32{}
		}
		*s, j.size[p] = other, size
	case *s == other && size != j.size[p]:
		*s = ambiguous
	}
}

// fde returns the FDE at a place.
func (j *join) fde(c *rules.Context, p int) model.FDE { return c.Section.FDE(j.t.number(p)) }

// functions walks the function symbols of a file that have a size and lie in
// executable sections.
type functions struct{ *reader.ELF }

// isCode reports whether the section contains code.
func isCode(s *reader.Section) bool {
	return s.Flags&elf.SHF_ALLOC != 0 && s.Flags&elf.SHF_EXECINSTR != 0 && s.Size > 0 && s.Type != elf.SHT_NOBITS
}

// symbol is a function symbol.
type symbol struct {
	index       int // in the symbol table
	section     int
	value, size uint64
	typed       bool // it has the type of a function
	global      bool
}

// Sets of symbol types, a bit each.
const (
	functionTypes = 1<<elf.STT_FUNC | 1<<elf.STT_GNU_IFUNC
	labelTypes    = 1<<elf.STT_NOTYPE | 1<<elf.STT_OBJECT | functionTypes
)

// each calls yield for every function. Errors: I/O and the budget.
func (fs *functions) each(yield func(symbol)) error {
	return fs.walk(functionTypes, func(y symbol) {
		if y.size > 0 {
			yield(y)
		}
	})
}

// labels calls yield for every other symbol in the code: assembly often leaves
// out type or size.
func (fs *functions) labels(yield func(symbol)) {
	_ = fs.walk(labelTypes, func(y symbol) {
		if y.size == 0 {
			yield(y)
		}
	})
}

// walk calls yield for the symbols of some types that lie in code.
func (fs *functions) walk(types uint16, yield func(symbol)) error {
	return fs.Symbols.Each(func(i int, y reader.Symbol) {
		if types>>y.Type&1 != 0 && !y.Reserved && y.Section < len(fs.Sections) && isCode(&fs.Sections[y.Section]) {
			yield(symbol{i, y.Section, y.Value, y.Size, functionTypes>>y.Type&1 != 0, y.Bind != elf.STB_LOCAL})
		}
	})
}

// name returns the name of a symbol.
func (fs *functions) name(index int) string {
	y, _ := fs.Symbols.Symbol(index)
	return y.Name
}
