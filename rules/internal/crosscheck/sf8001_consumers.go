package crosscheck

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Consumers returns the rules on how the selected consumers handle a section, sorted by ID. If selected is empty, the
// rules report nothing. asked is the analyzer that [Asked] returns.
func Consumers(selected []*consumers.Profile, asked *analysis.Analyzer) []*rules.Rule {
	return []*rules.Rule{
		bound(rules.Rule{ID: "SF8001"}, selected, asked, consumers.Rejects),
		bound(rules.Rule{ID: "SF8002"}, selected, asked, consumers.Misreads),
		bound(rules.Rule{ID: "SF8003"}, selected, asked, consumers.Crashes),
		bound(rules.Rule{ID: "SF8004"}, selected, asked, consumers.Ignores),
	}
}

// Asked returns an analyzer that runs, on an object, the rules that check what consumers require.
func Asked(all func() []*rules.Rule) *analysis.Analyzer {
	return prereq.OfObject("asked", "what consumers ask of the rules", func(pass *analysis.Pass) consumers.Findings {
		o, _ := prereq.Input(pass)
		ids, found := consumers.AskedRules(), consumers.Findings{}
		d := rules.Driver{Assume: true, Limits: rules.Limits{Findings: 1}}
		d.Rules = slices.DeleteFunc(all(), func(r *rules.Rule) bool { return !ids[r.ID] })
		res := d.Run(o)
		budget.Of(o.Context).Release(budget.Memory, res.Memory)
		for _, f := range res.Findings {
			found.Add(f.SectionIndex, consumers.Verdict{Rule: f.Rule.ID, Why: f.Message, Span: f.Span, InFile: !f.InSection, FDE: f.FDE, FRE: f.FRE})
		}
		return found
	})
}

// bound makes a rule that reports verdicts of one kind.
func bound(r rules.Rule, selected []*consumers.Profile, asked *analysis.Analyzer, kind consumers.Outcome) *rules.Rule {
	r.Scope = rules.PerBytes
	if len(selected) > 0 {
		r.Requires = []*analysis.Analyzer{asked}
	}
	return rules.New(r, func(c *rules.Context) {
		for _, p := range selected {
			for _, v := range p.Judge(c.Object, c.SFrame, prereq.Get[consumers.Findings](c.Pass, asked)) {
				if v.Outcome == kind && !v.Moot {
					report(c, p, &v)
				}
			}
		}
	})
}

// report reports a verdict at the bytes that caused it.
func report(c *rules.Context, p *consumers.Profile, v *consumers.Verdict) {
	const format = "%s %s the section because %s"
	args := []any{p.Name, v.OutcomeText(), v.Why}
	c = c.With(rules.Help(v.Help))
	if v.InFile {
		c.With(rules.FDE(v.FDE)).File(v.Span, format, args...)
		return
	}
	c.With(rules.OfFault(reader.Fault{FDE: v.FDE, FRE: v.FRE})).At(v.Span.Clip(int64(len(c.SFrame.Data))), format, args...)
}
