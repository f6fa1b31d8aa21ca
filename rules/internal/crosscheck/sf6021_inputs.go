package crosscheck

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Missing returns the rule on inputs without SFrame data. It skips inputs whose names match a pattern in allowed.
func Missing(allowed []string) *rules.Rule {
	return newInputRule(rules.Rule{ID: "SF6021"}, false, allowed,
		"no FDE covers %s with CFI from inputs without SFrame data, or whose SFrame data the linker ignored (%s): a tracer stops there")
}

// newInputRule makes a rule on the inputs of a link that have no data, or have lost a part of it.
func newInputRule(r rules.Rule, lost bool, allowed []string, format string) *rules.Rule {
	r.Files = rules.LinkedFiles
	return newUncoveredRule(r, func(c *rules.Context, u *uncovered) {
		var all []coverage.Uncovered
		for i := range u.left {
			if l := &u.left[i]; l.byInput && l.at.From.Lost == lost && !matches(allowed, l.at.From.Input) {
				all = append(all, l.at)
			}
		}
		if len(all) > 0 {
			c.At(model.HdrNumFDEs.Span(), format, rules.Count(len(all), "function"), inputList(u.inputs.Group(all)))
		}
	})
}

// inputList names the first inputs, with the number of functions and the first of these.
func inputList(all []coverage.Input) string {
	var words []string
	for _, in := range all[:min(listed, len(all))] {
		name := cmp.Or(escape.Name(in.Name), "inputs "+cmp.Or(in.Between, "that no symbol names"))
		text := fmt.Sprintf("%d in %s", in.Functions, name)
		if len(in.First) > 0 && !coverage.Library(in.Name) {
			more := ""
			if in.Functions > len(in.First) {
				more = ", ..."
			}
			text += ", " + strings.Join(in.First, ", ") + more
		}
		words = append(words, text)
	}
	if more := len(all) - listed; more > 0 {
		n := 0
		for _, in := range all[listed:] {
			n += in.Functions
		}
		words = append(words, fmt.Sprintf("%d in %s", n, rules.Count(more, "other input")))
	}
	return strings.Join(words, "; ")
}
