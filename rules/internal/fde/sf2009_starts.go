package fde

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var EmptyFunction = rules.New(rules.Rule{
	ID:       "SF2009",
	Needs:    rules.FDEsKnown,
	Requires: []*analysis.Analyzer{prereq.ByStart},
}, func(c *rules.Context) {
	if !c.SFrame.Survey().Has(model.EmptyFunction) {
		return
	}
	twin := map[int32]bool{} // reported by SF2012
	if c.Has(rules.StartsAsFlagged) {
		eachTwin(c, func(f, prev model.Function) { twin[f.FDE], twin[prev.FDE] = true, true })
	}
	c.SFrame.Survey().Each(model.EmptyFunction, func(f model.FDE) {
		if f.Size() == 0 && !twin[int32(f.Index())] {
			c.FDE(f, model.FDEFuncSize, "%s is 0: no PC lies in the function", c.Section.FieldName(model.FDEFuncSize))
		}
	})
})

var SameStart = rules.New(rules.Rule{
	ID:       "SF2012",
	Needs:    rules.FDEsKnown | rules.StartsAsFlagged,
	Requires: []*analysis.Analyzer{prereq.ByStart},
}, func(c *rules.Context) {
	eachTwin(c, func(f, prev model.Function) {
		why := "consumers find one FDE or the other"
		switch {
		case f.Size == 0:
			why = "this FDE has size 0"
		case prev.Size == 0:
			why = "the other FDE has size 0"
		}
		c.FDE(c.Section.FDE(int(f.FDE)), model.FDEStart, "the function starts at 0x%x, like that of %s: %s, and the Linux kernel rejects the section", f.Start, rules.FDE(int(prev.FDE)), why)
	})
})

// eachTwin calls yield for the functions that start where the previous one does.
func eachTwin(c *rules.Context, yield func(f, prev model.Function)) {
	if prereq.Distinct(c.Section) {
		return
	}
	all := prereq.Get[func() prereq.Order](c.Pass, prereq.ByStart)()
	if all.Len() == 0 {
		return
	}
	prev := all.At(0)
	for i := 1; i < all.Len(); i++ {
		f := all.At(i)
		if f.Place == prev.Place && f.Start == prev.Start {
			yield(f, prev)
		}
		prev = f
	}
}

var Overlap = rules.New(rules.Rule{
	ID:       "SF2013",
	Needs:    rules.FDEsKnown | rules.StartsAsFlagged,
	Requires: []*analysis.Analyzer{prereq.ByStart},
}, func(c *rules.Context) {
	if prereq.Distinct(c.Section) {
		return
	}
	all := prereq.Get[func() prereq.Order](c.Pass, prereq.ByStart)()
	insn := uint64(1) // SF2016 reports a start that no function can have
	if c.Has(rules.ABIKnown) {
		insn = uint64(c.Section.ABI().MinInsn)
	}
	// later is the nearest function with a later start, here one with the
	// start of f; neither is empty.
	var later, here, after model.Function
	for i := all.Len() - 1; i >= 0; i-- {
		f := all.At(i)
		if i+1 < all.Len() && (after.Start != f.Start || after.Place != f.Place) && here.Size > 0 {
			later, here = here, model.Function{}
		}
		after = f
		if f.Size == 0 {
			continue
		}
		here = f
		if later.Size == 0 || later.Place != f.Place || f.Start%insn != 0 {
			continue
		}
		if uint64(f.Size) > later.Start-f.Start {
			c.FDE(c.Section.FDE(int(f.FDE)), model.FDEFuncSize, "%s is %d, so the function at 0x%x ends at 0x%x, after the start of %s (0x%x): consumers disagree about the FREs there",
				c.Section.FieldName(model.FDEFuncSize), f.Size, f.Start, f.Start+uint64(f.Size), rules.FDE(int(later.FDE)), later.Start)
		}
	}
})

var Unsorted = rules.New(rules.Rule{
	ID:       "SF2010",
	Needs:    rules.FDEsKnown | rules.StartsAsFlagged,
	Requires: []*analysis.Analyzer{prereq.ByStart},
}, func(c *rules.Context) {
	s := c.Section
	unplaced := prereq.Unplaced(c.Object, s)
	if !prereq.Sorted(s) || c.Object.Relocatable() || s.StartsAscend() && !unplaced {
		return
	}
	var sorted *rules.Context // with the fix, if there is one
	var f, prev model.Function
	for x := range s.Functions() {
		prev, f = f, x
		if f.FDE == 0 || !before(f, prev, unplaced) || c.Cut() {
			continue
		}
		if sorted == nil {
			sorted = c
			if data, ok := prereq.SortedFDEs(c.Pass); ok {
				sorted = c.With(rules.Fix{Message: "sort the FDEs", Safe: true, Edits: []rules.Edit{rules.SectionEdit(c.SFrame, s.FDESubsection(), data)}})
			}
		}
		sorted.FDE(s.FDE(int(f.FDE)), model.FDEStart, "the function starts at 0x%x, before that of %s (0x%x), but SFRAME_F_FDE_SORTED is set: bisection misses functions, and the Linux kernel rejects the section", f.Start, rules.FDE(int(prev.FDE)), prev.Start)
	}
})

// before reports whether f starts before g. In an unplaced section, starts are negative numbers where functions come before it.
func before(f, g model.Function, unplaced bool) bool {
	if unplaced {
		return int64(f.Start) < int64(g.Start)
	}
	return f.Start < g.Start
}

var SortedRelocatable = rules.New(rules.Rule{
	ID:    "SF2011",
	Files: rules.RelocatableFiles,
	Needs: rules.VersionKnown | rules.AsDefined,
}, func(c *rules.Context) {
	if prereq.Sorted(c.Section) && c.Object.Relocatable() {
		c := c.With(rules.Repair("clear SFRAME_F_FDE_SORTED", model.HdrFlags.Span(), uint64(c.Section.Header().Flags&^model.SFRAME_F_FDE_SORTED)))
		c.At(model.HdrFlags.Span(), "SFRAME_F_FDE_SORTED is set in a relocatable file, where functions have no addresses yet: a consumer that bisects finds wrong functions")
	}
})
