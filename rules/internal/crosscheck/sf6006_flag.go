package crosscheck

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var AgainstFlag = newRule(rules.Rule{
	ID:      "SF6006",
	Files:   rules.LinkedFiles,
	Needs:   rules.FDEsKnown | rules.StartsKnown | rules.SymbolsReadable,
	Refutes: rules.StartsAsFlagged,
}, func(c *rules.Context, j *join) {
	if !j.opposed {
		return
	}
	c = c.With(againstFlag)
	is, base := "clear", "its field"
	if prereq.PCRel(c.Section) {
		is, base = "set", "the section"
	}
	if h := c.Section.Header(); model.DefinedFlags(h.Version)&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
		c = c.With(rules.Fix{Message: "change SFRAME_F_FDE_FUNC_START_PCREL", Reveals: true,
			Edits: []rules.Edit{rules.SetField(c.SFrame, model.HdrFlags.Span(), uint64(h.Flags^model.SFRAME_F_FDE_FUNC_START_PCREL))}})
	}
	c.At(model.HdrFlags.Span(), "SFRAME_F_FDE_FUNC_START_PCREL is %s, but most functions start at symbols only if each start is relative to %s: consumers find wrong FREs", is, base)
})

// contradicts reports whether the functions of a linked file start at symbols
// only if the start fields are read against the PCREL flag: at most a
// quarter as flagged, more than half the other way.
func (j *join) contradicts(c *rules.Context) bool {
	n := len(j.t.keys)
	if 4*j.named > n {
		return false
	}
	other := linkedTable(c, !prereq.PCRel(c.Section))
	found := make([]bool, n)
	count := 0
	err := j.fs.each(func(y symbol) {
		if p := other.at(y.value); p < n && other.keys[p] == y.value && !found[p] {
			found[p] = true
			count++
		}
	})
	return err == nil && 2*count > n
}
