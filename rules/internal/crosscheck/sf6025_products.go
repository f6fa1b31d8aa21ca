package crosscheck

import (
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// KernelLost returns the rule on lost SFrame data in relocatable files that a kernel loads. all says that all
// relocatable files are part of a kernel.
func KernelLost(all bool) *rules.Rule {
	return newCFIRule(rules.Rule{
		ID:    "SF6025",
		Files: rules.RelocatableFiles,
		Needs: uncoveredNeeds,
	}, 1<<cfi.NoFDE, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
		if !all && !c.Object.ELF.KernelPart() {
			return func(*cfi.Difference) {}, nil
		}
		var lost functionList
		each := func(d *cfi.Difference) {
			if whyLeftOut(c, f, d).Lost {
				lost.add(c, d)
			}
		}
		return each, func(*cfi.Comparison) {
			if lost.n > 0 {
				c.At(model.HdrNumFDEs.Span(), "no FDE covers %s with simple CFI in this part of a kernel: the kernel's unwinder stops in %v",
					rules.Count(lost.n, "function"), &lost)
			}
		}
	})
}

// Bolted reports SFrame data that BOLT did not update when it changed the code.
var Bolted = rules.New(rules.Rule{
	ID:    "SF6026",
	Files: rules.LinkedFiles,
	Needs: rules.FDEsKnown | rules.StartsAsFlagged,
}, func(c *rules.Context) {
	if i, n := countBolted(c); n > 0 {
		c.FDE(c.Section.FDE(i), model.FDEStart, "BOLT moved code and left the old code in %s, which %s of .sframe still describe: a tracer stops in the moved functions",
			boltedText, rules.Count(n, "FDE"))
	}
})

const boltedText = ".bolt.org.text"

// countBolted returns the number of FDEs for code of which BOLT has made other code, and the index of
// the first.
func countBolted(c *rules.Context) (first, n int) {
	if !c.Object.Linked() {
		return 0, 0
	}
	var old *reader.Section
	for _, i := range c.Object.ELF.BoltSections() {
		if s := &c.Object.ELF.Sections[i]; strings.HasPrefix(s.Name, boltedText) {
			old = s
		}
	}
	if old == nil {
		return 0, 0
	}
	for i := range c.Section.NumFDEs() {
		if f := c.Section.FDE(i); f.Resolved() && f.Start() >= old.Addr && f.Start()-old.Addr < old.Size {
			if n++; n == 1 {
				first = i
			}
		}
	}
	return first, n
}

// counts reports whether a program looks at the section for its functions, so that those without
// an FDE count. Of others SF5015 reports that no program does, and SF6026 what BOLT has moved.
func counts(c *rules.Context) bool {
	if !c.Object.Linked() {
		return true
	}
	if at := prereq.Get[*reader.SFrame](c.Pass, prereq.Located); at != nil && at != c.SFrame {
		return false
	}
	_, n := countBolted(c)
	return n == 0
}

// isDescribedElsewhere reports whether an SFrame section at which no program looks has an FDE for a function.
func isDescribedElsewhere(c *rules.Context, pc uint64) bool {
	_, ok := prereq.Get[reader.AddrRanges](c.Pass, prereq.Elsewhere).At(pc)
	return ok && c.Object.Linked()
}
