package crosscheck

import (
	"cmp"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/evidence/drops"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Uncovered returns the rule on functions without an FDE. Objects and inputs whose names match a pattern of allowed may have
// such functions.
func Uncovered(allowed []string) *rules.Rule {
	return rules.New(rules.Rule{
		ID:       "SF6014",
		Clause:   "Generating Stack Traces using SFrame",
		Files:    rules.ELFFiles,
		Needs:    inputNeeds,
		Requires: []*analysis.Analyzer{joined, compared, foundGaps, rules.CodeProofs, prereq.Located, prereq.Elsewhere},
		Severity: rules.Warning,
	}, func(c *rules.Context) {
		o := c.Object
		if pltAlone(c) || !counts(c) || !c.Has(rules.SingleSection) || o.Linked() && c.Section.NumFDEs() == 0 ||
			!o.Linked() && matches(allowed, path.Base(escape.UTF8(cmp.Or(o.Member, o.Path)))) {
			return
		}
		u := uncovered{Context: c, frames: cmp.Or(evidence.Frames(c), &cfi.Frames{}), allowed: allowed, stray: map[uint64]int{}}
		if x := prereq.Get[*comparison](c.Pass, compared); x != nil {
			x.pass(c.Section, 1<<cfi.NoFDE|1<<cfi.NoCFI, u.add)
		} else if c.Section.NumFDEs() == 0 {
			u.all()
		}
		if c.Has(rules.SymbolsReadable) && c.Has(rules.CFIReadable) {
			u.bare()
		}
		u.reportOdd()
		u.report()
	})
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return lookup.Match(p, name) })
}

// uncovered finds the functions without an FDE.
type uncovered struct {
	*rules.Context
	frames  *cfi.Frames
	allowed []string
	left    []left
	stray   map[uint64]int // FDEs for code without CFI, by size
}

// left is a function that was left out or lost.
type left struct {
	cfi.Difference
	drops.Reason
	name string // of its input, if the file is linked
	most rules.Severity
}

var leftCost = 2 * int64(reflect.TypeFor[left]().Size())

func (u *uncovered) keep(d *cfi.Difference, r drops.Reason) {
	if u.Object.Hold(leftCost) == nil {
		d.Code = r.Code
		u.left = append(u.left, left{Difference: *d, Reason: r})
	}
}

// all adds the functions of a section without any FDE.
func (u *uncovered) all() {
	u.frames.Each(func(place uint32, start, end uint64, f cfi.FDE) bool {
		section := slices.IndexFunc(u.frames.Sections, func(s cfi.Loaded) bool { return s.Section == f.Section() })
		u.add(&cfi.Difference{Kind: cfi.NoFDE, Place: place, Start: start, End: end, FDE: -1, Section: section, CFI: f.Span})
		return true
	})
}

// add adds a function that only CFI, or only an FDE, describes.
func (u *uncovered) add(d *cfi.Difference) {
	c := u.Context
	switch {
	case isStub(c, d):
	case d.Kind == cfi.NoCFI:
		if len(u.stray) < maxStray && len(u.frames.Skipped) == 0 {
			u.stray[d.End-d.Start] = d.FDE
		}
	case isDescribedElsewhere(c, d.Start):
	default:
		r := whyLeftOut(c, u.frames, d)
		// SF6025 reports those of a kernel, and SF6021 the input of a single one.
		if !r.Lost || !c.Object.ELF.KernelPart() && !(d.Both && prereq.Get[*gaps](c.Pass, foundGaps).isOnlyOfInput(c, u.frames, d)) {
			u.keep(d, r)
		}
	}
}

// maxStray bounds the FDEs for code without CFI that a lost function may have: there are many in a file most of which has none.
const maxStray = 16

// bare adds the functions that only symbols show.
func (u *uncovered) bare() {
	j := prereq.Get[*join](u.Pass, joined)
	if j == nil {
		return
	}
	for _, y := range j.bare {
		d := cfi.Difference{Place: uint32(y.section), Start: y.value, End: y.value + y.size, Section: -1}
		if u.Object.Linked() {
			d.Place = 0
		}
		if _, ok := u.frames.At(d.Place, d.Start); !ok && !inPLT(u.Context, d.Place, d.Start) {
			u.keep(&d, drops.Reason{Why: drops.NoCFI, Help: drops.NoCFIHelp})
		}
	}
}

// report reports the functions in one finding for each input: those that the assembler left out, and those that were lost.
func (u *uncovered) report() {
	c := u.Context
	for i := range u.left {
		l := &u.left[i]
		l.most = rules.Note
		if k, ok := u.stray[l.End-l.Start]; ok && l.Lost {
			f := c.Section.FDE(k)
			l.Why, l.most = fmt.Sprintf("the start of %s seems to be wrong, which has the same size and covers code at %s without CFI", rules.FDE(k), c.Object.Address(uint32(f.Place()), f.Start())), rules.Error
		} else if l.Lost && (!c.Object.Linked() || l.Both && sameSection(c, int(l.Place), l.Start, l.Neighbours[0]) && sameSection(c, int(l.Place), l.Start, l.Neighbours[1])) || c.Section.NumFDEs() == 0 {
			l.most = rules.Error
		}
	}
	if c.Object.Linked() && len(u.left) > 0 {
		u.attribute()
	}
	slices.SortStableFunc(u.left, func(a, b left) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(b.most, a.most)) })
	for all := u.left; len(all) > 0; {
		n := slices.IndexFunc(all, func(l left) bool { return l.name != all[0].name || l.most != all[0].most })
		if n < 0 {
			n = len(all)
		}
		u.reportInput(all[:n])
		all = all[n:]
	}
}

// attribute finds the inputs of functions. Those of start files need no data, and no more do those of a system's libraries that
// have no CFI.
func (u *uncovered) attribute() {
	x := prereq.Get[*gaps](u.Pass, foundGaps).find(u.Context, u.frames)
	if x == nil {
		u.left = nil // the budget is exceeded
		return
	}
	all := make([]coverage.Uncovered, len(u.left))
	for i, l := range u.left {
		all[i] = coverage.Uncovered{Section: l.Section, Off: l.CFI.Off, Addr: l.Start}
	}
	kept := u.left[:0]
	for i, from := range x.Origins(all) {
		l := u.left[i]
		l.name = from.Input
		bySF6021 := l.Lost && !l.Both && l.most == rules.Note && !from.Start
		if !bySF6021 && !matches(u.allowed, from.Input) && !x.Start(&all[i]) && !(l.Section < 0 && (from.Start || coverage.Library(from.Input))) {
			kept = append(kept, l)
		}
	}
	u.left = kept
}

// reportInput reports functions of an input, or of an object file.
func (u *uncovered) reportInput(all []left) {
	c := u.Context
	lists := map[string]*functionList{}
	var order []*left
	for i := range all {
		l := &all[i]
		if lists[l.Why] == nil {
			lists[l.Why], order = new(functionList), append(order, l)
		}
		lists[l.Why].add(c, &l.Difference)
	}
	var words, help []string
	for _, l := range order[:min(listed, len(order))] {
		list := lists[l.Why]
		text := list.String()
		if more := list.n - len(list.names); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		if text += " (" + l.Why; l.Section >= 0 {
			text += ", " + source(u.frames, &l.Difference)
		}
		if words = append(words, text+")"); !slices.Contains(help, l.Help) {
			help = append(help, l.Help)
		}
	}
	what := rules.Count(len(all), "function")
	if all[0].name != "" {
		what += " of " + escape.Name(all[0].name)
	}
	c.With(rules.AtMost(all[0].most), rules.AtPC(int(all[0].Place), all[0].Start), rules.Help(strings.Join(help, "; "))).At(model.HdrNumFDEs.Span(),
		"no FDE covers %s: %s: a tracer stops there", what, strings.Join(words, "; "))
}

// maxOdd bounds the functions that were left out and whose code is compared with their CFI.
const maxOdd = 1 << 10

// reportOdd reports functions that were left out because of CFI that their code contradicts, and forgets them.
func (u *uncovered) reportOdd() {
	c := u.Context
	var odd []int
	var all []proof.Range
	for i := range u.left {
		if d := &u.left[i].Difference; d.Section >= 0 && len(odd) < maxOdd && hasDescribedNeighbour(c, d) {
			odd, all = append(odd, i), append(all, proof.Range{Place: d.Place, Start: d.Start, End: d.End})
		}
	}
	if len(odd) == 0 || evidence.Proofs(c).FREs == nil {
		return // the code cannot be read
	}
	found, _ := cfiProofs(c, u.frames, all)
	t := proof.Words{ABI: c.Section.ABI(), Address: c.Object.Address, Row: "row"}
	wrong := map[int]bool{}
	for k, i := range odd {
		l := &u.left[i]
		m := found.Correction(k)
		if m == nil || !slices.ContainsFunc(m.Repairs, func(r proof.Repair) bool { return answers(c.ABI, &r) }) || c.Cut() {
			continue
		}
		wrong[i] = true
		evidence.With(c, t.CorrectAll(m)).With(rules.AtPC(int(l.Place), l.Start)).At(model.HdrNumFDEs.Span(), "no FDE covers %s (%s, %s); but %s: a tracer stops there",
			nameAt(c, l.Place, l.Start), l.Why, source(u.frames, &l.Difference), t.Repair(m))
	}
	i := -1
	u.left = slices.DeleteFunc(u.left, func(left) bool { i++; return wrong[i] })
}

// hasDescribedNeighbour reports whether the function before or the one after has an FDE, and is in the same section.
func hasDescribedNeighbour(c *rules.Context, d *cfi.Difference) bool {
	for k, start := range d.Neighbours {
		if d.Near[k] && sameSection(c, int(d.Place), d.Start, start) {
			return true
		}
	}
	return false
}

// answers reports whether a repair replaces a rule that no FRE of the default type has, or one without which
// FREs cannot state another: where FP is saved, RA must be.
func answers(abi *model.ABIInfo, r *proof.Repair) bool {
	switch r.Kind {
	case proof.WrongCFA:
		return r.Old.Deref || r.Old.Reg != abi.SP && r.Old.Reg != abi.FP
	case proof.WrongRA:
		return abi.TracksRA() && r.Old.Kind == model.Unchanged && r.New.Deref
	case proof.WrongFP:
		return abi.TracksRA() && r.Old.Kind == model.FromCFA && r.New.Kind == model.Unchanged
	}
	return false
}

// whyLeftOut returns why a function with CFI has no FDE. One that is outermost is never lost.
func whyLeftOut(c *rules.Context, f *cfi.Frames, d *cfi.Difference) drops.Reason {
	fde, _ := f.Sections[d.Section].FDEAt(d.CFI.Off)
	r := drops.Of(c.Section.Header(), c.Object.ELF, &fde)
	row, ok := fde.RowAt(d.Start)
	r.Lost = r.Lost && (!ok || row.RA.Kind != cfi.Undefined)
	return r
}

// sameSection reports whether two addresses of one place are in the same section.
func sameSection(c *rules.Context, place int, a, b uint64) bool {
	if len(c.Object.ELF.Sections) == 0 { // only segments are known
		x, ok := c.Object.ELF.LoadedAt(min(a, b))
		return ok && max(a, b)-min(a, b) < uint64(x.Len)
	}
	i, _, ok := c.Object.ELF.Within(place, a)
	k, _, found := c.Object.ELF.Within(place, b)
	return ok && found && i == k
}
