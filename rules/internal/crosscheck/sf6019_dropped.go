package crosscheck

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var Dropped = newCFIRule(rules.Rule{
	ID:       "SF6019",
	Clause:   "Generating Stack Traces using SFrame",
	Needs:    append([]rules.Fact{rules.AllFDEsKnown}, rangeNeeds...),
	Severity: rules.Warning,
	Requires: []*analysis.Analyzer{foundGaps},
}, 1<<cfi.NoFDE|1<<cfi.NoCFI, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
	g := prereq.Get[*gaps](c.Pass, foundGaps)
	var lost []cfi.Difference // functions of which the neighbours prove nothing, the first ones
	n := 0                    // all of them
	var odd []cfi.Difference  // functions whose CFI cannot be expressed
	stray := map[uint64]int{} // FDEs for code without CFI, by size
	each := func(d *cfi.Difference) {
		switch {
		case !c.Has(rules.SingleSection) || inPLT(c, d.Place, d.Start) || c.Object.ELF.KernelPart(): // SF6025 reports those of a module
		case d.Kind == cfi.NoCFI:
			if len(stray) < maxLost && len(f.Skipped) == 0 {
				stray[d.End-d.Start] = d.FDE
			}
		case !expressible(c, f, d):
			if len(odd) < maxOdd && hasDescribedNeighbour(c, d) {
				odd = append(odd, *d)
			}
		case d.Both && sameSection(c, int(d.Place), d.Start, d.Neighbours[0]) && sameSection(c, int(d.Place), d.Start, d.Neighbours[1]):
			if g.isOnlyOfInput(c, f, d) || c.Object.Linked() && ofStartFile(c, f, d) {
				return // SF6021 reports the input
			}
			c.With(rules.AtPC(int(d.Place), d.Start)).At(model.HdrNumFDEs.Span(), "no FDE covers %s, whose CFI (%s) is simple, between %s and %s, which have FDEs: a tracer stops there",
				nameAt(c, d.Place, d.Start), source(f, d), nameAt(c, d.Place, d.Neighbours[0]), nameAt(c, d.Place, d.Neighbours[1]))
		default:
			if n++; len(lost) < maxLost {
				lost = append(lost, *d)
			}
		}
	}
	return each, func(*cfi.Comparison) {
		reportOdd(c, f, odd)
		few := n < maxLost && 2*n <= c.Section.NumFDEs()
		var rest functionList
		for i := range lost {
			d := &lost[i]
			if k, ok := stray[d.End-d.Start]; ok {
				fde := c.Section.FDE(k)
				c.With(rules.AtPC(int(d.Place), d.Start)).At(model.HdrNumFDEs.Span(), "no FDE covers %s, whose CFI (%s) is simple, while %s of the same size covers code at %s without CFI: its start seems to be wrong, and a tracer stops in %s",
					nameAt(c, d.Place, d.Start), source(f, d), rules.FDE(k), c.Object.Address(uint32(fde.Place()), fde.Start()), nameAt(c, d.Place, d.Start))
			} else if !few {
				rest.add(c, d)
			} else if !c.Object.Linked() {
				c.With(rules.AtPC(int(d.Place), d.Start)).At(model.HdrNumFDEs.Span(), "no FDE covers %s, whose CFI (%s) is simple, while %s of the file cover others: a tracer stops there",
					nameAt(c, d.Place, d.Start), source(f, d), rules.Count(c.Section.NumFDEs(), "FDE"))
			}
		}
		if rest.n += n - len(lost); rest.n > 0 && !c.Object.Linked() && c.Section.NumFDEs() > 0 {
			c.At(model.HdrNumFDEs.Span(), "no FDE covers %s whose CFI is simple, among them %s: a tracer stops there; an input of 'ld -r' was assembled without SFrame data, or the assembler does not support the CFI",
				rules.Count(rest.n, "function"), rest.String())
		}
	}
})

// maxLost is the number of functions that are compared with how many FDEs for code without CFI: there
// are many in a file most of which was assembled without SFrame data or without CFI.
const maxLost = 16

// maxOdd bounds the functions with CFI that FREs cannot express whose code is compared.
const maxOdd = 1 << 10

// reportOdd reports functions that have no FDE because of CFI that their code contradicts.
func reportOdd(c *rules.Context, f *cfi.Frames, odd []cfi.Difference) {
	if len(odd) == 0 || evidence.Proofs(c).FREs == nil {
		return // the code cannot be read
	}
	all := make([]proof.Range, len(odd))
	for i := range odd {
		all[i] = proof.Range{Place: odd[i].Place, Start: odd[i].Start, End: odd[i].End}
	}
	found, _ := cfiProofs(c, f, all)
	t := proof.Words{ABI: c.Section.ABI(), Address: c.Object.Address, Row: "row"}
	for i := range odd {
		d := &odd[i]
		m := found.Correction(i)
		if m == nil || !slices.ContainsFunc(m.Repairs, func(r proof.Repair) bool { return answers(c.ABI, &r) }) || c.Cut() {
			continue
		}
		fde, _ := f.Sections[d.Section].FDEAt(d.CFI.Off)
		why := "which they do not support"
		if x, ok := fde.Obstacle(c.Section.Version(), false); ok {
			why = "by which " + x.Why
		}
		evidence.With(c, t.CorrectAll(m)).With(rules.AtPC(int(d.Place), d.Start)).At(model.HdrNumFDEs.Span(), "no FDE covers %s, for whose CFI (%s), %s, the tools write none; but %s: a tracer stops there",
			nameAt(c, d.Place, d.Start), source(f, d), why, t.Repair(m))
	}
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

// expressible reports whether FREs of the default type can express the CFI of a function that
// is not outermost and that the assembler does not always leave out.
func expressible(c *rules.Context, f *cfi.Frames, d *cfi.Difference) bool {
	fde, _ := f.Sections[d.Section].FDEAt(d.CFI.Off)
	if _, ok := fde.Obstacle(c.Section.Version(), false); ok {
		return false
	}
	if leftOut(c, &fde) {
		return false
	}
	row, ok := fde.RowAt(d.Start)
	return !ok || row.RA.Kind != cfi.Undefined
}

// leftOut reports whether a section is one of GNU as up to 2.44, which leaves out a function
// with such CFI.
func leftOut(c *rules.Context, fde *cfi.FDE) bool {
	h := c.Section.Header()
	return !h.Version.Info().Flex && h.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL == 0 && fde.LeftOut(h.Version)
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
