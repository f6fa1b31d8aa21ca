package crosscheck

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var RangeDiffers = contradiction(rules.Rule{
	ID:     "SF6013",
	Clause: "SFrame FDE",
	Needs:  rangeNeeds,
}, 1<<cfi.RangeDiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	fde := c.Section.FDE(d.FDE)
	cfi, _ := f.Sections[d.Section].FDEAt(d.CFI.Off)
	at := model.FDEFuncSize
	if fde.Start() != cfi.Start.Addr {
		at = model.FDEStart
	}
	effect := "a tracer finds no FRE for the rest"
	inside := d.Start >= fde.Start() && d.Start < fde.End()
	if !inside && inPLT(c, d.Place, d.Start) {
		// The CFI of all stubs is one function: those that are left out have lost their FDE.
		c.With(rules.AtPC(int(d.Place), d.Start)).At(fde.FieldSpan(at), "no FDE covers the stubs from %s to 0x%x, which have CFI (%s); %s covers others, from 0x%x to 0x%x: a tracer stops there",
			c.Object.Address(d.Place, d.Start), d.End, source(f, d), rules.FDE(d.FDE), fde.Start(), fde.End())
		return
	}
	if inside {
		effect = "a tracer applies the FREs to code for which they were not made"
	}
	c.FDE(fde, at, "the function goes from %s to 0x%x, but from 0x%x to 0x%x by the CFI (%s): %s",
		c.Object.Address(d.Place, fde.Start()), fde.End(), cfi.Start.Addr, cfi.End(), source(f, d), effect)
})

// listed is the number of functions that a message names.
const listed = 3

var Uncovered = newCFIRule(rules.Rule{
	ID:       "SF6014",
	Clause:   "Generating Stack Traces using SFrame",
	Needs:    append([]rules.Fact{rules.AllFDEsKnown}, rangeNeeds...),
	Requires: []*analysis.Analyzer{foundGaps},
	Severity: rules.Note,
}, 1<<cfi.NoFDE, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
	if pltAlone(c) || !c.Has(rules.SingleSection) {
		return func(*cfi.Difference) {}, nil
	}
	var can, cannot, old functionList
	why := ""
	each := func(d *cfi.Difference) {
		if inPLT(c, d.Place, d.Start) || c.Object.Linked() && ofStartFile(c, f, d) {
			return
		}
		fde, _ := f.Sections[d.Section].FDEAt(d.CFI.Off)
		x, ok := fde.Obstacle(c.Section.Version(), true)
		switch {
		case !ok && leftOut(c, &fde):
			old.add(c, d)
			return
		case !ok:
			can.add(c, d)
			return
		}
		if cannot.add(c, d); cannot.n == 1 {
			d.Code = x.Code
			why = fmt.Sprintf("%s, %s", x.Why, source(f, d))
		}
	}
	return each, func(n *cfi.Comparison) {
		all := can.n + cannot.n + old.n
		if all == 0 {
			return
		}
		text := fmt.Sprintf("no FDE covers %d of %s with CFI", all, rules.Count(n.Functions+all, "function"))
		if can.n > 0 {
			text += ", among them " + can.String()
		}
		if old.n > 0 {
			text += fmt.Sprintf("; GNU as up to 2.44 leaves out %d for an instruction in the CFI that it does not support: %s", old.n, old.String())
		}
		if cannot.n > 0 {
			text += fmt.Sprintf("; version %d cannot express the CFI of %d: %s (%s)", c.Section.Version(), cannot.n, cannot.String(), why)
		}
		c.At(model.HdrNumFDEs.Span(), "%s: a tracer stops there", text)
	}
})

// ofStartFile reports whether a function is one of a start file of a linked program.
func ofStartFile(c *rules.Context, f *cfi.Frames, d *cfi.Difference) bool {
	x := prereq.Get[*gaps](c.Pass, foundGaps).find(c, f)
	return x != nil && x.Start(&coverage.Uncovered{Section: d.Section, Off: d.CFI.Off, Addr: d.Start})
}

// functionList counts functions and names the first ones.
type functionList struct {
	n     int
	names []string
}

func (l *functionList) add(c *rules.Context, d *cfi.Difference) {
	if l.n++; l.n <= listed {
		l.names = append(l.names, nameAt(c, d.Place, d.Start))
	}
}

func (l *functionList) String() string { return strings.Join(l.names, ", ") }

// nameAt returns the name of the function at a PC, or its address.
func nameAt(c *rules.Context, place uint32, pc uint64) string {
	if y, ok := c.Object.ELF.Symbols.Func(int(place), pc); ok && y.Name != "" && y.Value == pc {
		return `"` + escape.Cut(y.Name, escape.MaxName) + `"`
	}
	return c.Object.Address(place, pc)
}

// inPLT reports whether a PC is in a linker's stub.
func inPLT(c *rules.Context, place uint32, pc uint64) bool {
	i, _, ok := c.Object.ELF.Within(int(place), pc)
	return ok && isPLT(&c.Object.ELF.Sections[i])
}

var WithoutCFI = newCFIRule(rules.Rule{
	ID:       "SF6015",
	Clause:   "SFrame FDE",
	Needs:    rangeNeeds,
	Severity: rules.Note,
}, 1<<cfi.NoCFI, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
	var all []int
	each := func(d *cfi.Difference) {
		if !inPLT(c, d.Place, d.Start) && len(f.Skipped) == 0 { // else the CFI may be there
			all = append(all, d.FDE)
		}
	}
	return each, func(n *cfi.Comparison) {
		if 2*len(all) > n.Functions {
			return
		}
		for _, i := range all {
			f := c.Section.FDE(i)
			c.FDE(f, model.FDEStart, "%s points to %s, where there is no CFI, unlike that of %s: the FREs may apply to code for which they were not made",
				c.Section.FieldName(model.FDEStart), c.Object.Address(uint32(f.Place()), f.Start()), rules.Count(n.Functions, "other FDE"))
		}
	}
})

var Inexpressible = newCFIRule(rules.Rule{
	ID:       "SF6016",
	Clause:   "SFrame FRE",
	Needs:    rowNeeds,
	Severity: rules.Note,
}, 1<<cfi.CFADiffers|1<<cfi.RADiffers|1<<cfi.FPDiffers|1<<cfi.OutermostDiffers, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
	var first cfi.Difference
	n, last := 0, -1
	each := func(d *cfi.Difference) {
		if !d.Inexpressible || d.FDE == last {
			return
		}
		if last = d.FDE; n == 0 {
			first = *d
		}
		n++
	}
	return each, func(*cfi.Comparison) {
		if n == 0 {
			return
		}
		what := "RA is undefined"
		if first.Kind != cfi.OutermostDiffers {
			_, cfi := first.Of(first.Kind)
			what = fmt.Sprintf("%v is %s", first.Kind, cfi.Format(c.Section.ABI()))
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf(", and that of %s", rules.Count(n-1, "other function"))
		}
		c.FRE(first.FRE, first.FRE.Span(), "version %d cannot express the CFI of the function, by which %s %s (%s)%s: a tracer goes wrong there",
			c.Section.Version(), what, span(c, &first), source(f, &first), more)
	}
})

var DamagedCFI = newCFIRule(rules.Rule{
	ID:       "SF6017",
	Clause:   "SFrame FDE",
	Needs:    rangeNeeds,
	Severity: rules.Note,
}, 0, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
	report := func(d cfi.Damage, what string) {
		s := &f.Sections[d.Section]
		at := d.Fault.Span
		if at.Off += s.Offset; s.Offset < 0 {
			at = elf64.In(c.Object.ELF.Sections[s.Index].Header.Off, elf64.ShdrPlace)
		}
		c.File(at, "%s of %s can't be decoded (%s+0x%x: %v): rules that compare the section with it did not check the functions concerned",
			rules.Count(d.Count, what), s.Name, s.Name, d.Fault.Span.Off, d.Fault.Code)
	}
	return nil, func(n *cfi.Comparison) {
		for _, d := range f.Damage() {
			report(d, "part")
		}
		if n.Damage.Count > 0 {
			report(n.Damage, "program")
		}
	}
})
