// Package compat holds family SF8: rules on what consumers do with a section.
// Package consumers has the demands of consumers; the user selects the
// consumers that matter.
package compat

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules returns the rules of the family, sorted by ID, for the selected
// consumers. Without a selection the rules report nothing.
func Rules(selected []*consumers.Profile) []*rules.Rule {
	return []*rules.Rule{
		bound(rules.Rule{ID: "SF8001", Severity: rules.Error}, selected, consumers.Rejects),
		bound(rules.Rule{ID: "SF8002", Severity: rules.Error}, selected, consumers.Misreads),
		bound(rules.Rule{ID: "SF8003", Severity: rules.Error}, selected, consumers.Crashes),
		bound(rules.Rule{ID: "SF8004", Severity: rules.Note}, selected, consumers.Ignores),
	}
}

// bound makes a rule that reports verdicts of one kind.
func bound(r rules.Rule, selected []*consumers.Profile, kind consumers.Outcome) *rules.Rule {
	r.Scope = rules.PerBytes
	return rules.New(r, func(c *rules.Context) {
		for _, p := range selected {
			for _, v := range p.Judge(c.Object, c.SFrame) {
				if v.Outcome == kind && !v.Moot {
					report(c, p, &v)
				}
			}
		}
	})
}

// report reports a verdict at the bytes that caused it.
func report(c *rules.Context, p *consumers.Profile, v *consumers.Verdict) {
	const format = "%s %s the section: %s"
	args := []any{p.Name, v.OutcomeText(), v.Why}
	c = c.With(rules.Help(v.Help))
	if v.InFile {
		c.With(rules.FDE(v.FDE)).File(v.Span, format, args...)
		return
	}
	c.With(rules.OfFault(reader.Fault{FDE: v.FDE, FRE: v.FRE})).At(v.Span.Clip(int64(len(c.SFrame.Data))), format, args...)
}
