package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Wraps finds functions that reach beyond the address space.
var Wraps = rules.New(rules.Rule{
	ID:       "SF2019",
	Title:    "function beyond the address space",
	Clause:   "The SFrame FDE Index",
	Needs:    []rules.Fact{rules.FDEsKnown},
	Severity: rules.Error,
	Text: `Start and size of the function add up to more than 64 bits. A consumer that
computes the end gets an address before the start, so it finds either no PC or every
PC in the function.`,
	Fix:  `Correct the start or the size.`,
	Good: `start 0xffffffff80001000, size 0x40`,
	Bad:  `start 0xfffffffffffffff0, size 0x40`,
}, func(c *rules.Context) {
	s := c.Section
	if c.Relocatable() {
		return // SF2014 compares the offsets with the size of their section
	}
	first := 0
	if prereq.Distinct(s) {
		first = max(0, s.NumFDEs()-1) // any other function would overlap later ones
	}
	for i := first; i < s.NumFDEs(); i++ {
		if start := s.Function(i); start.Resolved && start.Start > start.Start+uint64(start.Size) {
			f := s.FDE(i)
			if !wraps(f) {
				continue
			}
			c.FDE(f, model.FDEFuncSize, "%s is %d: the function starts at 0x%x and would end beyond the 64-bit address space, so consumers compute an end before its start", name(c, model.FDEFuncSize), f.Size(), f.Start())
		}
	}
})

func wraps(f model.FDE) bool { return f.Size() > 0 && f.End()-1 < f.Start() }
