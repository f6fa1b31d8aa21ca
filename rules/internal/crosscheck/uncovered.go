package crosscheck

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/evidence/drops"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// uncovered are the functions of a section without an FDE, once they have been found.
type uncovered struct {
	found  bool
	frames *cfi.Frames
	left   []left
	inputs *coverage.Inputs
	stray  map[uint64]int // FDEs for code without CFI, by size
}

// left is a function that was left out or lost.
type left struct {
	cfi.Difference
	drops.Reason
	at      coverage.Uncovered // with its input, if the file is linked
	most    rules.Severity
	starts  bool // it is one of a start file
	byInput bool // its input has no data, or has lost a part of it
}

var foundUncovered = prereq.OfSection("uncovered", "the functions that no FDE of a section covers",
	func(*analysis.Pass) *uncovered { return new(uncovered) })

// newUncoveredRule makes a rule on the functions without an FDE.
func newUncoveredRule(r rules.Rule, report func(*rules.Context, *uncovered)) *rules.Rule {
	r.Clause, r.Needs = "Generating Stack Traces using SFrame", uncoveredNeeds|rules.SymbolsReadable
	r.Requires = []*analysis.Analyzer{foundUncovered, joined, compared, rules.CodeProofs, prereq.Located, prereq.Elsewhere}
	return rules.New(r, func(c *rules.Context) {
		if pltAlone(c) || !counts(c) || !c.Has(rules.SingleSection) || c.Object.Linked() && c.Section.NumFDEs() == 0 {
			return
		}
		u := prereq.Get[*uncovered](c.Pass, foundUncovered)
		if !u.found {
			u.found = true
			u.find(c)
		}
		report(c, u)
	})
}

// find finds the functions.
func (u *uncovered) find(c *rules.Context) {
	u.frames, u.stray = cmp.Or(evidence.Frames(c), &cfi.Frames{}), map[uint64]int{}
	add := func(d *cfi.Difference) { u.add(c, d) }
	if x := prereq.Get[*comparison](c.Pass, compared); x != nil {
		x.pass(c.Section, 1<<cfi.NoFDE|1<<cfi.NoCFI, add)
	} else if c.Section.NumFDEs() == 0 {
		u.all(add)
	}
	if j := prereq.Get[*join](c.Pass, joined); c.Has(rules.SymbolsReadable) && c.Has(rules.CFIReadable) && j != nil {
		u.bare(c, j)
	}
	for i := range u.left {
		u.grade(c, &u.left[i])
	}
	if c.Object.Linked() && len(u.left) > 0 {
		u.attribute(c)
	}
}

var leftCost = 2 * int64(reflect.TypeFor[left]().Size())

func (u *uncovered) keep(c *rules.Context, d *cfi.Difference, r drops.Reason) {
	if c.Object.Hold(leftCost) == nil {
		d.Code = r.Code
		u.left = append(u.left, left{Difference: *d, Reason: r})
	}
}

// all passes the functions of a section without any FDE to add.
func (u *uncovered) all(add func(*cfi.Difference)) {
	u.frames.Each(func(place uint32, start, end uint64, f cfi.FDE) bool {
		section := slices.IndexFunc(u.frames.Sections, func(s cfi.Loaded) bool { return s.Section == f.Section() })
		add(&cfi.Difference{Kind: cfi.NoFDE, Place: place, Start: start, End: end, FDE: -1, Section: section, CFI: f.Span})
		return true
	})
}

// maxStray bounds the FDEs for code without CFI that a lost function may have: there are many in a file most of which has none.
const maxStray = 16

// add adds a function that only CFI, or only an FDE, describes.
func (u *uncovered) add(c *rules.Context, d *cfi.Difference) {
	switch {
	case inPLT(c, d.Place, d.Start), producers.LikeStubs(c.Object.ELF, d.Start, d.PCs):
	case d.Kind == cfi.NoCFI:
		if len(u.stray) < maxStray && len(u.frames.Skipped) == 0 {
			u.stray[d.End-d.Start] = d.FDE
		}
	case !isDescribedElsewhere(c, d.Start):
		u.keep(c, d, whyLeftOut(c, u.frames, d))
	}
}

// bare adds the functions that only symbols show.
func (u *uncovered) bare(c *rules.Context, j *join) {
	for _, y := range j.bare {
		d := cfi.Difference{Place: uint32(y.section), Start: y.value, End: y.value + y.size, Section: -1}
		if c.Object.Linked() {
			d.Place = 0
		}
		if _, ok := u.frames.At(d.Place, d.Start); !ok && !inPLT(c, d.Place, d.Start) {
			u.keep(c, &d, drops.Reason{Why: drops.NoCFI, Help: drops.NoCFIHelp})
		}
	}
}

// grade sets the severity of a function: an error if its data was lost for certain.
func (u *uncovered) grade(c *rules.Context, l *left) {
	l.most = rules.Note
	if k, ok := u.stray[l.End-l.Start]; ok && l.Lost {
		f := c.Section.FDE(k)
		l.Why, l.most = fmt.Sprintf("%s of the same size covers code without CFI at %s and probably has a wrong start", rules.FDE(k), c.Object.Address(uint32(f.Place()), f.Start())), rules.Error
	} else if l.Lost && (!c.Object.Linked() || l.Both && sameSection(c, l, 0) && sameSection(c, l, 1)) || c.Section.NumFDEs() == 0 {
		l.most = rules.Error
	}
}

// mostSingle is the number of single functions that are looked up in debug information.
const mostSingle = 64

// attribute finds the inputs of functions.
func (u *uncovered) attribute(c *rules.Context) {
	t := linkedTable(c, prereq.PCRel(c.Section))
	x, err := coverage.NewInputs(c.Object, u.frames, func(addr uint64) bool {
		p := t.search(addr)
		return p < len(t.keys) && t.keys[p] == addr || p > 0 && addr-t.keys[p-1] < uint64(t.sizes[p-1])
	})
	if err != nil {
		u.left = nil // the budget is exceeded, which is reported
		return
	}
	all := make([]coverage.Uncovered, len(u.left))
	for i, l := range u.left {
		all[i] = coverage.Uncovered{Section: l.Section, Off: l.CFI.Off, Addr: l.Start}
	}
	x.Locate(all)
	single := 0
	for i := range u.left {
		l := &u.left[i]
		l.at, l.starts, l.byInput = all[i], x.Start(&all[i]), l.Lost && !all[i].From.Start && !l.Both && l.most == rules.Note
		if l.Lost && l.Both && single < mostSingle {
			single++
			l.byInput = x.Own(l.Start, l.Neighbours)
		}
	}
	u.inputs = x
}

// hasDescribedNeighbour reports whether the function before or the one after has an FDE, and is in the same section.
func hasDescribedNeighbour(c *rules.Context, l *left) bool {
	return l.Near[0] && sameSection(c, l, 0) || l.Near[1] && sameSection(c, l, 1)
}

// sameSection reports whether a function is in the same section as one of its neighbours.
func sameSection(c *rules.Context, l *left, neighbour int) bool {
	a, b, e := l.Start, l.Neighbours[neighbour], c.Object.ELF
	if len(e.Sections) == 0 { // only segments are known
		x, ok := e.LoadedAt(min(a, b))
		return ok && max(a, b)-min(a, b) < uint64(x.Len)
	}
	i, _, ok := e.Within(int(l.Place), a)
	k, _, found := e.Within(int(l.Place), b)
	return ok && found && i == k
}

// whyLeftOut returns why a function with CFI has no FDE. One that is outermost is never lost.
func whyLeftOut(c *rules.Context, f *cfi.Frames, d *cfi.Difference) drops.Reason {
	fde, _ := f.Sections[d.Section].FDEAt(d.CFI.Off)
	r := drops.Of(c.Section.Header(), c.Object.ELF, &fde)
	row, ok := fde.RowAt(d.Start)
	r.Lost = r.Lost && (!ok || row.RA.Kind != cfi.Undefined)
	return r
}
