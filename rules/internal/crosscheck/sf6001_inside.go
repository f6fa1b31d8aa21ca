package crosscheck

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// InsideFunction finds FDEs that start inside another function.
var InsideFunction = newRule(rules.Rule{
	ID:       "SF6001",
	Title:    "FDE starts inside another function",
	Clause:   "SFrame FDE",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.AttributesKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.SymbolsReadable},
	Severity: rules.Warning,
	Text: `By the symbol table the function of the FDE starts inside another function,
and no symbol is there. The start field or its relocation is wrong: the FREs apply to
code for which they were not made, and a trace goes wrong. Where the file has CFI for
the code, the rule is silent and SF6013 compares with that. An exception is assembly
that describes parts of a function separately without labels between them.`,
	Fix:  `Compare the start with the function's symbol. Assemble and link again.`,
	Good: `FDE and symbol at 0x1040`,
	Bad:  `FDE at 0x1044, the only symbol there covers 0x1040 to 0x1080`,
}, func(c *rules.Context, j *join) {
	bad := j.suspects(c)
	switch n := len(bad); {
	case n > 8 && 2*n > len(j.t.keys):
		f := j.fde(c, bad[0])
		c.FDE(f, model.FDEStart, "%s points to 0x%x, inside %s, and %s also point inside functions: the FREs apply to code for which they were not made", c.FieldName(model.FDEStart), f.Start(), j.fs.name(j.inside[bad[0]]), rules.Count(n-1, "other FDE"))
	default:
		for _, p := range bad {
			f := j.fde(c, p)
			c.FDE(f, model.FDEStart, "%s points to 0x%x, inside \"%s\", where there is no symbol: the FREs apply to code for which they were not made", c.FieldName(model.FDEStart), f.Start(), j.fs.name(j.inside[p]))
		}
	}
})

// suspects lists the places whose function starts inside another one and not
// at a label.
func (j *join) suspects(c *rules.Context) []int {
	var all []int
	for p := range j.inside {
		if j.state[p] == unnamed && j.judges(j.fde(c, p)) {
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

// judges reports whether the symbols decide where the function of an FDE is: it is no
// stub, and no CFI covers it.
func (j *join) judges(f model.FDE) bool {
	return f.PCType() == model.SFRAME_FDE_PCTYPE_INC && !j.settled(f)
}
