package crosscheck

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// InsideFunction finds FDEs that begin in the middle of a function.
var InsideFunction = newRule(rules.Rule{
	ID:       "SF6001",
	Title:    "FDE starts inside another function",
	Clause:   "SFrame FDE",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.AttributesKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.SymbolsReadable},
	Severity: rules.Warning,
	Text: `By the symbol table the FDE's function starts in the middle of another one, and
nothing else starts there. The start field, or its relocation, is wrong: the rows are
applied to code that they were not made for, and a tracer goes astray there.

Assembly that describes parts of a function one by one, without a label between them, is
an exception.`,
	Fix:  `Compare the start with the function's symbol; assemble and link anew.`,
	Good: `FDE and symbol at 0x1040`,
	Bad:  `FDE at 0x1044, the only symbol there covers 0x1040 to 0x1080`,
}, func(c *rules.Context, j *join) {
	bad := j.suspects(c)
	switch n := len(bad); {
	case n > 8 && 2*n > len(j.t.keys):
		f := j.fde(c, bad[0])
		c.FDE(f, model.FDEStart, "%s leads to 0x%x, inside %s, and %s lead to the middle of functions, too: rows are applied to code that they were not made for", field(c, model.FDEStart), f.Start(), j.fs.name(j.inside[bad[0]]), rules.Count(n-1, "other FDE"))
	default:
		for _, p := range bad {
			f := j.fde(c, p)
			c.FDE(f, model.FDEStart, "%s leads to 0x%x, inside %s, where no symbol is: the rows are applied to code that they were not made for", field(c, model.FDEStart), f.Start(), j.fs.name(j.inside[p]))
		}
	}
})

// suspects lists the places whose function starts inside of another one and
// at no label.
func (j *join) suspects(c *rules.Context) []int {
	var all []int
	for p := range j.inside {
		if j.state[p] == unnamed && j.fde(c, p).PCType() == model.SFRAME_FDE_PCTYPE_INC {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	labelled := map[uint64]bool{}
	for _, p := range all {
		labelled[j.t.keys[p]] = false
	}
	j.fs.labels(func(y symbol) {
		if key, ok := j.key(y); ok {
			if _, wanted := labelled[key]; wanted {
				labelled[key] = true
			}
		}
	})
	kept := all[:0]
	for _, p := range all {
		if !labelled[j.t.keys[p]] {
			kept = append(kept, p)
		}
	}
	return kept
}

// field names a field of an FDE.
func field(c *rules.Context, f model.FDEField) string {
	return model.FieldName(c.Section.Version(), f)
}
