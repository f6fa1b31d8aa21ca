package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Unsorted finds FDEs out of order in a section with the SORTED flag.
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

// SortedRelocatable finds the SORTED flag in a relocatable file.
var SortedRelocatable = rules.New(rules.Rule{
	ID:       "SF2011",
	Title:    "SORTED flag in a relocatable file",
	Clause:   "SFrame Flags",
	Files:    rules.RelocatableFiles,
	Needs:    []rules.Fact{rules.VersionKnown},
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
