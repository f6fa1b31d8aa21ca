// Package evidence gives rules facts about the code from other sources than the SFrame data: call frame information
// and proofs from machine code.
package evidence

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// BoltedHelp is the advice for SFrame data that BOLT did not update.
const BoltedHelp = "remove the section with objcopy --remove-section .sframe before BOLT runs, or use BOLT's output without SFrame data"

// Proofs returns what machine code proves about the functions of the section.
func Proofs(c *rules.Context) *prereq.Proofs {
	return prereq.Get[*prereq.Proofs](c.Pass, rules.CodeProofs)
}

// Frames returns the call frame information of the object, or nil if it has none.
func Frames(c *rules.Context) *cfi.Frames { return prereq.Get[*cfi.Frames](c.Pass, rules.CallFrames) }

// CFI returns the recovery rules of the call frame information at a PC, and whether there are any. In a relocatable
// file, the PC is an offset in section place.
func CFI(c *rules.Context, place int, pc uint64) (r cfi.Recovered, ok bool) {
	fde, row, ok := Frames(c).RowAt(uint32(place), pc)
	if !ok {
		return r, false
	}
	return fde.Recover(&row, pc), true
}

// With returns a context whose reports have this help. If the help is empty, it returns c.
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
