package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
	"github.com/sframe-lint/sframe-lint/rules/internal/starts"
)

// SameStart finds two FDEs for one start.
var SameStart = sound.Rule(rules.Rule{
	ID:       "SF2012",
	Title:    "two FDEs for one function start",
	Clause:   "The SFrame FDE Index",
	Severity: rules.Error,
	Text: `Two FDEs begin at the same address, so it is a matter of chance whose rows a
consumer finds. The Linux kernel demands that starts ascend strictly and rejects the
whole section. The usual causes are a function of size 0 (SF2009) and FDEs of discarded
functions that a linker has kept.`,
	Fix:  `Keep one of the FDEs.`,
	Good: `starts at 0x1000 and 0x1040`,
	Bad:  `starts at 0x1000 and 0x1000`,
	Bugs: []string{"https://github.com/rui314/mold/issues/1648"},
}, func(c *rules.Context) {
	if starts.Distinct(c.Section) || starts.Misread(c) {
		return
	}
	all := byStart(c)
	for i := 1; i < len(all); i++ {
		f, prev := all[i], all[i-1]
		if f.place == prev.place && f.start == prev.start {
			c.FDE(c.Section.FDE(int(f.fde)), model.FDEStart, "the function starts at 0x%x, as that of FDE %d does: which rows a look-up finds is chance, and the Linux kernel rejects the section", f.start, prev.fde)
		}
	}
})

// Overlap finds functions that run into the next one.
var Overlap = sound.Rule(rules.Rule{
	ID:       "SF2013",
	Title:    "functions overlap",
	Clause:   "The SFrame FDE Index",
	Severity: rules.Error,
	Text: `A function runs over the start of the next one. For the bytes that both claim,
two sets of rows compete: a consumer that bisects finds the later function, one that
walks the FDEs mostly the first. No consumer checks this. In the output of GNU ld -r up
to 2.44 it means that FDEs were sorted without their relocations: nearly all functions
then have the size and rows of another one.`,
	Fix:  `Correct the size of the function that runs too far, or leave out the FDE that is not meant.`,
	Good: `0x1000 of 0x40 bytes, 0x1040 of 0x200 bytes`,
	Bad:  `0x1000 of 0x60 bytes, 0x1040 of 0x200 bytes`,
}, func(c *rules.Context) {
	if starts.Distinct(c.Section) || starts.Misread(c) {
		return
	}
	all := byStart(c)
	insn := uint64(1) // a start that no function can have is SF2016's
	if abi, ok := sound.ABI(c); ok {
		insn = uint64(abi.MinInsn)
	}
	// behind is the nearest function that starts later, here one of those
	// that start where f does; both have bytes, for others share none.
	behind, here := -1, -1
	for i := len(all) - 1; i >= 0; i-- {
		f := all[i]
		if i+1 < len(all) && (all[i+1].start != f.start || all[i+1].place != f.place) && here >= 0 {
			behind, here = here, -1
		}
		if f.size == 0 {
			continue
		}
		here = i
		if behind < 0 || all[behind].place != f.place || f.start%insn != 0 {
			continue
		}
		if next := all[behind]; uint64(f.size) > next.start-f.start {
			c.FDE(c.Section.FDE(int(f.fde)), model.FDEFuncSize, "%s is %d: the function at 0x%x runs to 0x%x, over the start of that of FDE %d at 0x%x, and which rows a look-up finds there depends on the consumer",
				name(c, model.FDEFuncSize), f.size, f.start, f.start+uint64(f.size), next.fde, next.start)
		}
	}
})
