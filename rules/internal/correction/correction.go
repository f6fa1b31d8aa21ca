// Package correction gives findings the directives that the machine code proves to be right.
package correction

import (
	"github.com/sframe-lint/sframe-lint/internal/proof"
	"github.com/sframe-lint/sframe-lint/rules"
)

// With returns a context whose reports have an advice. Without an advice it returns c.
func With(c *rules.Context, a proof.Advice) *rules.Context {
	if a.Text == "" {
		return c
	}
	if len(a.Directives) == 0 {
		return c.WithCorrection(a.Text, nil)
	}
	m := &rules.Correction{Help: a.Text, Start: a.Start, AtCalls: a.AtCalls}
	for _, d := range a.Directives {
		m.Directives = append(m.Directives, rules.Directive{Offset: d.Offset, Text: d.Text})
	}
	return c.WithCorrection(a.Text, m)
}
