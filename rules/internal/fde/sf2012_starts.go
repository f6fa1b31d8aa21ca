package fde

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var EmptyFunction = rules.New(rules.Rule{
	ID:       "SF2009",
	Title:    "function of size 0",
	Clause:   "The SFrame FDE Index",
	Needs:    []rules.Fact{rules.FDEsKnown},
	Requires: []*analysis.Analyzer{prereq.ByStart},
	Severity: rules.Warning,
	Text: `No PC lies in a function of size 0, so its FDE is useless. GNU as writes such an
FDE for CFI directives without an instruction between them. Usually the next function
starts at the same address, and the Linux kernel rejects a section in which two FDEs have the
same start. SF2012 reports these cases, and this rule the others.`,
	Fix:  `Leave out the FDE: remove the empty function or the CFI directives around it.`,
	Good: `V3: sfdi_func_size = 0x10`,
	Bad:  `V3: sfdi_func_size = 0`,
	Bugs: []string{"https://github.com/rui314/mold/issues/1648"},
}, func(c *rules.Context) {
	if !c.Survey().Has(model.EmptyFunction) {
		return
	}
	twin := map[int32]bool{} // reported by SF2012
	if c.Has(rules.StartsAsFlagged) {
		eachTwin(c, func(f, prev model.Function) { twin[f.FDE], twin[prev.FDE] = true, true })
	}
	c.Survey().Each(model.EmptyFunction, func(f model.FDE) {
		if f.Size() == 0 && !twin[int32(f.Index())] {
			c.FDE(f, model.FDEFuncSize, "%s is 0: no PC lies in the function", c.FieldName(model.FDEFuncSize))
		}
	})
})

var SameStart = rules.New(rules.Rule{
	ID:       "SF2012",
	Title:    "two FDEs for one function start",
	Clause:   "The SFrame FDE Index",
	Needs:    []rules.Fact{rules.FDEsKnown, rules.StartsAsFlagged},
	Requires: []*analysis.Analyzer{prereq.ByStart},
	Severity: rules.Error,
	Text: `Two FDEs have the same start, so which FREs a consumer finds is arbitrary. The
Linux kernel requires strictly ascending starts and rejects the whole section. Usual
causes are a function of size 0 and FDEs of discarded functions that a linker kept.`,
	Fix:  `Keep one of the FDEs, not one of size 0.`,
	Good: `starts at 0x1000 and 0x1040`,
	Bad:  `starts at 0x1000 and 0x1000`,
	Bugs: []string{"https://github.com/rui314/mold/issues/1648"},
}, func(c *rules.Context) {
	eachTwin(c, func(f, prev model.Function) {
		why := "which FREs a lookup finds is arbitrary"
		switch {
		case f.Size == 0:
			why = "this one has size 0"
		case prev.Size == 0:
			why = "that one has size 0"
		}
		c.FDE(c.Section.FDE(int(f.FDE)), model.FDEStart, "the function starts at 0x%x, as does that of %s: %s, and the Linux kernel rejects the section", f.Start, c.Label(int(prev.FDE)), why)
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
	Title:    "functions overlap",
	Clause:   "The SFrame FDE Index",
	Needs:    []rules.Fact{rules.FDEsKnown, rules.StartsAsFlagged},
	Requires: []*analysis.Analyzer{prereq.ByStart},
	Severity: rules.Error,
	Text: `A function reaches beyond the start of the next one. Two sets of FREs cover
the shared bytes: a consumer that bisects finds the later function, and one that walks
the FDEs usually finds the first. No consumer checks for overlap. In the output of GNU
ld -r up to 2.44 the cause is that FDEs were sorted without their relocations; nearly
all functions then have the size and FREs of another.`,
	Fix:  `Correct the size of the longer function, or remove the FDE that does not belong there.`,
	Good: `0x1000 of 0x40 bytes, 0x1040 of 0x200 bytes`,
	Bad:  `0x1000 of 0x60 bytes, 0x1040 of 0x200 bytes`,
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
			c.FDE(c.Section.FDE(int(f.FDE)), model.FDEFuncSize, "%s is %d: the function at 0x%x ends at 0x%x, beyond the start of that of %s at 0x%x; which FREs a lookup finds there depends on the consumer",
				c.FieldName(model.FDEFuncSize), f.Size, f.Start, f.Start+uint64(f.Size), c.Label(int(later.FDE)), later.Start)
		}
	}
})

var Unsorted = rules.New(rules.Rule{
	ID:       "SF2010",
	Title:    "FDEs are not sorted",
	Clause:   "The SFrame FDE Index",
	Needs:    []rules.Fact{rules.FDEsKnown, rules.StartsAsFlagged},
	Severity: rules.Error,
	Text: `SFRAME_F_FDE_SORTED is set when the FDEs are sorted by the start addresses of
their functions. Consumers then look up a PC by bisection. If an FDE is out of order
they miss functions, and which ones they miss depends on the number of FDEs. The Linux
kernel rejects the section. The addresses must ascend; the start fields themselves
need not, where they count from their own place.`,
	Fix:  `Sort the FDEs by start address, or clear the flag.`,
	Good: `SORTED, starts at 0x1000, 0x1040, 0x1240`,
	Bad:  `SORTED, starts at 0x1000, 0x1240, 0x1040`,
}, func(c *rules.Context) {
	s := c.Section
	if !prereq.Sorted(s) || c.Relocatable() || s.StartsAscend() && !c.Unplaced() {
		return
	}
	var sorted *rules.Context // with the fix, if there is one
	var f, prev model.Function
	for i := range s.NumFDEs() {
		prev, f = f, s.Function(i)
		if i == 0 || !c.Before(f, prev) || c.Cut() {
			continue
		}
		if sorted == nil {
			sorted = c
			if sorting, ok := c.SortFDEs(); ok {
				sorted = c.WithFix(rules.Fix{Message: "sort the FDEs", Safe: true, Edits: []rules.Edit{sorting}})
			}
		}
		sorted.FDE(s.FDE(i), model.FDEStart, "the function starts at 0x%x, the previous one at 0x%x, but SFRAME_F_FDE_SORTED is set: consumers that bisect miss functions, and the Linux kernel rejects the section", f.Start, prev.Start)
	}
})

var SortedRelocatable = rules.New(rules.Rule{
	ID:       "SF2011",
	Title:    "SORTED flag in a relocatable file",
	Clause:   "SFrame Flags",
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.VersionKnown, rules.AsDefined},
	Severity: rules.Warning,
	Text: `In a relocatable file functions have no addresses yet: the linker relocates
every start field, and functions may lie in several sections. Their order is unknown,
so SFRAME_F_FDE_SORTED must be clear. A tool that trusts the flag finds wrong
functions. GNU ld -r up to 2.44 sets the flag. It sorts the FDEs by their unrelocated
fields and leaves the relocations where they were, so functions may get the sizes and
FREs of others; SF2013 then reports overlaps.`,
	Fix:  `Clear the flag; the final link sorts the FDEs. It is better to link with a later GNU ld.`,
	Good: `ET_REL: sfp_flags = 04 (PCREL)`,
	Bad:  `ET_REL: sfp_flags = 05 (SORTED, PCREL)`,
}, func(c *rules.Context) {
	if prereq.Sorted(c.Section) && c.Relocatable() {
		c := c.Repair("clear SFRAME_F_FDE_SORTED", model.HdrFlags.Span(), uint64(c.Section.Header().Flags&^model.SFRAME_F_FDE_SORTED))
		c.Header(model.HdrFlags, "SFRAME_F_FDE_SORTED is set in a relocatable file, where functions have no addresses yet: their order is unknown, and a consumer that bisects finds wrong functions")
	}
})
