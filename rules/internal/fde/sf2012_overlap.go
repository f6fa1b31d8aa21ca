package fde

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// SameStart finds two FDEs for one start.
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
		c.FDE(c.Section.FDE(int(f.FDE)), model.FDEStart, "the function starts at 0x%x, as does that of FDE %d: %s, and the Linux kernel rejects the section", f.Start, prev.FDE, why)
	})
})

// eachTwin calls yield for the functions that start where the previous one does.
func eachTwin(c *rules.Context, yield func(f, prev model.Function)) {
	if prereq.Distinct(c.Section) {
		return
	}
	all := prereq.Get[prereq.Order](c.Pass, prereq.ByStart)
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

// Overlap finds functions that reach beyond the start of the next one.
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
	all := prereq.Get[prereq.Order](c.Pass, prereq.ByStart)
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
			c.FDE(c.Section.FDE(int(f.FDE)), model.FDEFuncSize, "%s is %d: the function at 0x%x ends at 0x%x, beyond the start of that of FDE %d at 0x%x; which FREs a lookup finds there depends on the consumer",
				name(c, model.FDEFuncSize), f.Size, f.Start, f.Start+uint64(f.Size), later.FDE, later.Start)
		}
	}
})
