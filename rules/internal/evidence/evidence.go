// Package evidence gives rules what other sources than the SFrame data say of the same code: call frame information and what
// machine code proves.
package evidence

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// BoltedHelp says what to do about SFrame data that BOLT has left as they were.
const BoltedHelp = "remove the section with objcopy --remove-section .sframe before BOLT runs, or use BOLT's output without SFrame data"

// Proofs returns what the machine code of the section's functions proves.
func Proofs(c *rules.Context) *prereq.Proofs {
	return prereq.Get[*prereq.Proofs](c.Pass, rules.CodeProofs)
}

// Frames returns the call frame information of the object, nil if there is none.
func Frames(c *rules.Context) *cfi.Frames { return prereq.Get[*cfi.Frames](c.Pass, rules.CallFrames) }

// CFI returns the recovery rules of the call frame information for a PC, which in a
// relocatable file is an offset in section place. It reports whether there are any.
func CFI(c *rules.Context, place int, pc uint64) (r cfi.Recovered, ok bool) {
	fde, row, ok := Frames(c).RowAt(uint32(place), pc)
	if !ok {
		return r, false
	}
	return fde.Recover(&row, pc), true
}

// With returns a context whose reports have an advice. Without an advice it returns c.
func With(c *rules.Context, a proof.Advice) *rules.Context {
	switch {
	case a.Text == "":
		return c
	case len(a.Directives) == 0:
		return c.With(rules.Help(a.Text))
	}
	m := &rules.Correction{Help: a.Text, Start: a.Start, AtCalls: a.AtCalls}
	for _, d := range a.Directives {
		m.Directives = append(m.Directives, rules.Directive{Offset: d.Offset, Text: d.Text})
	}
	return c.With(m)
}
