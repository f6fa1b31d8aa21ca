package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
	"github.com/sframe-lint/sframe-lint/rules/internal/starts"
)

// Unsorted finds FDEs out of order in a section that claims order.
var Unsorted = sound.Rule(rules.Rule{
	ID:       "SF2010",
	Title:    "FDEs are not sorted",
	Clause:   "The SFrame FDE Index",
	Severity: rules.Error,
	Text: `SFRAME_F_FDE_SORTED says that the FDEs stand in the order of the functions'
start addresses, and consumers look a PC up by bisection when it is set. Where an FDE is
out of order they miss functions, and which ones depends on how many FDEs there are; the
Linux kernel rejects the section. It is the addresses that ascend: the start fields
themselves need not where they count from their own place.`,
	Fix:  `Sort the FDEs by start address, or clear the flag.`,
	Good: `SORTED, starts at 0x1000, 0x1040, 0x1240`,
	Bad:  `SORTED, starts at 0x1000, 0x1240, 0x1040`,
}, func(c *rules.Context) {
	s := c.Section
	if !starts.Sorted(s) || c.Relocatable() || s.StartsAscend() && !c.Unplaced() || starts.Misread(c) {
		return
	}
	var sorted *rules.Context // with the fix, if there is one
	for i := 1; i < s.NumFDEs(); i++ {
		f, prev := s.FDE(i), s.FDE(i-1)
		if !c.Before(f, prev) {
			continue
		}
		if sorted == nil {
			sorted = c
			if sorting, ok := c.SortFDEs(); ok {
				sorted = c.WithFix(rules.Fix{Message: "sort the FDEs", Safe: true, Edits: []rules.Edit{sorting}})
			}
		}
		sorted.FDE(f, model.FDEStart, "the function starts at 0x%x, the one in front of it at 0x%x, but SFRAME_F_FDE_SORTED is set: consumers that bisect miss functions, and the Linux kernel rejects the section", f.Start(), prev.Start())
	}
})

// SortedRelocatable finds a claim of order where nothing has an address.
var SortedRelocatable = sound.Rule(rules.Rule{
	ID:       "SF2011",
	Title:    "SORTED in a relocatable file",
	Clause:   "SFrame Flags",
	Severity: rules.Warning,
	Text: `In a relocatable file the functions have no addresses yet: every start field
awaits its relocation, and the functions may lie in several sections. That the FDEs are
sorted can't be known, so SFRAME_F_FDE_SORTED claims too much, and a tool that trusts the
claim finds wrong functions. GNU ld -r up to 2.44 sets the flag all the same. It has
sorted the FDEs by their unrelocated fields and left the relocations where they were, so
that functions may have the sizes and rows of others, which shows as overlap (SF2013).`,
	Fix:  `Clear the flag; the final link sorts the FDEs. Better, link with a later GNU ld.`,
	Good: `ET_REL: sfp_flags = 04 (PCREL)`,
	Bad:  `ET_REL: sfp_flags = 05 (SORTED, PCREL)`,
}, func(c *rules.Context) {
	if starts.Sorted(c.Section) && c.Relocatable() {
		c := c.Repair("clear SFRAME_F_FDE_SORTED", model.HdrFlags.Span(), uint64(c.Section.Header().Flags&^model.SFRAME_F_FDE_SORTED))
		c.Header(model.HdrFlags, "sfp_flags has SFRAME_F_FDE_SORTED set, but in a relocatable file no function has an address yet: the order can't be known, and a consumer that bisects finds wrong functions")
	}
})
