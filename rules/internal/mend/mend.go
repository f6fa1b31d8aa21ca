// Package mend gives findings the directives that the machine code proves to be right.
package mend

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
		return c.WithMend(a.Text, nil)
	}
	m := &rules.Mend{Help: a.Text, Start: a.Start, AtCalls: a.AtCalls}
	for _, d := range a.Directives {
		m.Directives = append(m.Directives, rules.Directive{Offset: d.Offset, Text: d.Text})
	}
	return c.WithMend(a.Text, m)
}
