// Package code has the rules of family SF3 that compare FREs with the machine code of their functions.
package code

import (
	"cmp"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
)

// Rules are the rules of this package, sorted by ID.
var Rules = []*rules.Rule{
	SignedAgainstCode, KeyAgainstCode, CFAAgainstCode, RAAgainstCode, FPAgainstCode,
	InsideInstruction, BoundaryAgainstCode, SignalAgainstCode, StaleFP, VeneerUncovered, CallsWithRA,
}

// codeNeeds are the facts on which rules on tracked code rest.
const codeNeeds = rules.FREsKnown | rules.AttributesKnown | rules.ABIKnown | rules.RAKnown | rules.FPKnown | rules.StartsKnown | rules.StartsAsFlagged | rules.CodeReadable

const codeText = `
The tool follows the stack through the machine code of each function. It reports
only what the instructions prove, on every path; the finding names the
instructions with their addresses and bytes. If the file's CFI contradicts the FRE,
the rules on CFI report the fault. SF3106 reports a first FRE that differs from the entry state. The rule
skips files with too much code.`

// againstCode makes a rule on a kind of contradiction.
func againstCode(r rules.Rule, kind proof.Aspect, effect string) *rules.Rule {
	r.Text += codeText
	r.InSource = true
	return codeRule(r, func(c *rules.Context, found *proof.Found) { reportProofs(c, found, kind, effect) })
}

// codeRule makes a rule on what the code proves, which is run where the code is read.
func codeRule(r rules.Rule, check func(*rules.Context, *proof.Found)) *rules.Rule {
	r.Files = cmp.Or(r.Files, rules.ELFFiles)
	if r.Needs == 0 {
		r.Needs = codeNeeds
	}
	r.Requires = []*analysis.Analyzer{rules.CodeProofs}
	return rules.New(r, func(c *rules.Context) {
		if found := proofs(c); found != nil {
			check(c, found)
		}
	})
}

// proofs returns what the code proves, nil where it is not read.
func proofs(c *rules.Context) *proof.Found {
	if c.Section.NumFDEs() == 0 || !c.Has(rules.CodeReadable) {
		return nil
	}
	return evidence.Proofs(c).FREs
}

// reportProofs reports the contradictions of a kind.
func reportProofs(c *rules.Context, found *proof.Found, kind proof.Aspect, effect string) {
	if n := found.Unconfirmed[kind]; n > 0 {
		c.HoldBack(rules.Absence{Fact: rules.CodeReadable, Reason: "the paths to wrong FREs of " + rules.Count(n, "function") + " are too long to follow", Limit: true, Part: true})
	}
	abi := c.ABI
	t := proof.Words{ABI: *abi, Address: c.Object.Address, Row: "FRE"}
	for i := range found.Wrong {
		w := &found.Wrong[i]
		f := c.Section.FDE(w.Func)
		if w.Kind != kind {
			continue
		}
		cfi, ok := cfiRow(c, f.Place(), w.Start)
		switch {
		case inKnownStub(c, f, w.Start), w.At == f.Start() && frame.StartsWithFrame(c, f, abi), ok && cfi.contradicts(w):
			rules.Withhold(c, rules.Elsewhere)
			continue
		case ok && cfi.excuses(w), !ok && unwitnessed(w):
			rules.Withhold(c, rules.Excused)
			continue
		case c.Cut():
			continue
		}
		r, found := f.At(w.At - f.Start())
		if !found {
			reportReturn(c, f, w)
			continue
		}
		var more []string
		x := c
		if c.Object.Bolted() {
			more = append(more, "BOLT changed only the code")
			x = c.With(rules.Help(evidence.BoltedHelp))
		} else if ok && kind != proof.Inside {
			more = append(more, "the CFI has the same error")
		}
		if x == c {
			x = evidence.With(c, t.Correction(w))
		}
		if w.Restored {
			x = x.With(rules.AtMost(rules.Note))
		}
		var agreed *cfiAtPC
		if ok && kind != proof.Inside {
			agreed = &cfi
		}
		x.With(rules.Frame{PC: w.Start, Sides: sides(r, w, agreed), Proof: t.Proof(w), Witness: t.Witness(w)}).FRE(r, spanOf(r, kind), "%s: %s", t.Contradiction(w, more...), effect)
	}
}

// sides returns the frame by the code where it is known, and by CFI that has the same fault as the row.
func sides(r model.FRE, w *proof.Wrong, from *cfiAtPC) (all []rules.Side) {
	side, known := rules.FrameOf(r), true
	side.Source = "code"
	switch {
	case w.Kind == proof.WrongSigning:
		side.Signed = w.Got.Signed
	case w.Truth.Kind == model.Invalid || w.Says.Kind == model.Undefined || w.Kind == proof.Inside:
		known = false
	case w.Kind == proof.WrongCFA:
		side.Row.CFA = w.Truth
	case w.Kind == proof.WrongRA:
		side.Row.RA = w.Truth
	case w.Kind == proof.WrongFP || w.Kind == proof.StaleFP:
		side.Row.FP = w.Truth
	}
	if known {
		all = append(all, side)
	}
	if known && from != nil && from.CFAReason == cfi.Comparable {
		all = append(all, rules.Side{Source: "CFI", Row: from.Row, Signed: from.signed})
	}
	return all
}

// spanOf returns the bytes of a row that a contradiction is about.
func spanOf(r model.FRE, kind proof.Aspect) model.Span {
	switch kind {
	case proof.WrongSigning:
		return r.InfoSpan()
	case proof.Inside:
		return r.StartSpan()
	}
	return r.Span()
}

// cfiAtPC is what call frame information states at a PC.
type cfiAtPC struct {
	cfi.Recovered
	signed, signal bool
}

func cfiRow(c *rules.Context, place int, pc uint64) (out cfiAtPC, ok bool) {
	fde, row, ok := evidence.Frames(c).RowAt(uint32(place), pc)
	if ok {
		out = cfiAtPC{fde.Recover(&row, pc), row.Sign&cfi.RASigned != 0, fde.CIE.Signal}
	}
	return out, ok
}

// excuses reports whether call frame information makes a contradiction no fault. It may describe a signal frame, which
// old versions cannot mark, an outermost frame that does not return, or a function that interrupts enter with more
// on the stack. A row of that last kind is still wrong if what it names changes while it is in force.
func (r *cfiAtPC) excuses(w *proof.Wrong) bool {
	return w.Kind != proof.Inside && (r.signal || r.RA.Kind == model.Undefined && !returns(w) || w.At == w.Range.Start && !w.Entered && !w.Inside && !returns(w))
}

// returns reports whether a row of an outermost frame is refuted by a return or inside.
func returns(w *proof.Wrong) bool {
	return w.Says.Kind == model.Undefined && (len(w.Proof) > 0 || w.Inside)
}

// unwitnessed reports whether a contradiction rests only on the state at the entry of a function that is known by no
// more than a reference. Such an address may also be a place in an interpreter, or that of a function that stubs enter
// with more on the stack.
func unwitnessed(w *proof.Wrong) bool {
	return w.Kind != proof.Inside && w.Referred && w.Start == w.Range.Start && !w.Inside && !returns(w)
}

// contradicts reports whether call frame information states otherwise than a row: the rules
// that compare them report that.
func (r *cfiAtPC) contradicts(w *proof.Wrong) bool {
	switch w.Kind {
	case proof.WrongCFA:
		return r.CFAReason == cfi.Comparable && r.CFA != w.Says
	case proof.WrongRA:
		return r.RAReason == cfi.Comparable && r.RA != w.Says
	case proof.WrongFP, proof.StaleFP:
		return r.FPReason == cfi.Comparable && r.FP != w.Says
	case proof.WrongSigning:
		return r.signed == w.Got.Signed
	}
	return false
}
