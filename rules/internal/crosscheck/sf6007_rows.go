package crosscheck

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

const contradictionText = ` The assembler makes FREs and CFI from the
same directives, so one of the two is wrong, usually because of a fault of the assembler or
the linker. The rule compares them by address, in each function that has FREs and CFI. It skips
CFI expressions unless they are a register
plus an offset, or a word at such an address.`

var CFADiffers = contradiction(rules.Rule{ID: "SF6007"}, 1<<cfi.CFADiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	sframe, frames := d.Of(cfi.CFADiffers)
	if d.Rules.CFAReason == cfi.NoCFARule {
		c.FRE(d.FRE, d.FRE.Span(), "the CFA %s is %s in the FRE, but undefined in the CFI (%s%s%s): a tracer guesses the places of RA and FP",
			span(c, d), sframe.Format(c.Section.ABI()), source(f, d), moreRuns(d), otherDifferences(c, d))
		return
	}
	x, proven := addEvidence(c, d)
	x.FRE(d.FRE, d.FRE.Span(), "the CFA %s is %s in the FRE, but %s in the CFI (%s%s%s%s): tracers may find wrong callers",
		span(c, d), sframe.Format(c.Section.ABI()), frames.Format(c.Section.ABI()), source(f, d), moreRuns(d), otherDifferences(c, d), proven)
})

var RADiffers = contradiction(rules.Rule{ID: "SF6008"}, 1<<cfi.RADiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	register(c, f, d, "RA", "tracers may find wrong callers")
})

var FPDiffers = contradiction(rules.Rule{ID: "SF6009"}, 1<<cfi.FPDiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	register(c, f, d, "FP", "tracers may lose callers that use FP")
})

// addEvidence adds what the CFI says to the reports of a difference, and what the machine code proves. It
// returns a phrase about that.
func addEvidence(c *rules.Context, d *cfi.Difference) (*rules.Context, string) {
	text, help, insns := blameText(c, d)
	c = evidence.With(c, help)
	side := rules.Side{Source: "CFI", Row: d.Rules.Row, Signed: d.Kind == cfi.MangledDiffers && d.Says}
	return c.With(rules.Frame{PC: d.Start, Sides: []rules.Side{side}, Proof: insns}), text
}

// register reports a difference of RA or FP.
func register(c *rules.Context, f *cfi.Frames, d *cfi.Difference, name, effect string) {
	sframe, cfi := d.Of(d.Kind)
	x, proven := addEvidence(c, d)
	x.FRE(d.FRE, d.FRE.Span(), "%s %s is %s in the FRE, but %s in the CFI (%s%s%s%s): %s",
		name, span(c, d), sframe.Format(c.Section.ABI()), cfi.Format(c.Section.ABI()), source(f, d), moreRuns(d), otherDifferences(c, d), proven, effect)
}

var SignedDiffers = contradiction(rules.Rule{
	ID:   "SF6010",
	ABIs: model.ABIsWith(func(a model.ABIInfo) bool { return a.Pauth }),
}, 1<<cfi.MangledDiffers|1<<cfi.KeyDiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	if d.Kind == cfi.KeyDiffers {
		c.FDE(c.Section.FDE(d.FDE), model.FDEInfo, "the FDE says that key %s signs RA, but the CFI says key %s (%s): a tracer that authenticates RA rejects the value",
			proof.Key(!d.Says), proof.Key(d.Says), source(f, d))
		return
	}
	x, proven := addEvidence(c, d)
	x.FRE(d.FRE, d.FRE.InfoSpan(), "RA %s is %s in the FRE, but %s in the CFI (%s%s%s): tracers find a wrong return address",
		span(c, d), proof.Signed(!d.Says), proof.Signed(d.Says), source(f, d), moreRuns(d), proven)
})

var OutermostDiffers = contradiction(rules.Rule{ID: "SF6011"}, 1<<cfi.OutermostDiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	report := func(format string, args ...any) {
		if fde := c.Section.FDE(d.FDE); fde.NumFREs() == 0 {
			c.FDE(fde, model.FDENumFREs, format, args...)
		} else {
			x, _ := addEvidence(c, d)
			x.FRE(d.FRE, d.FRE.Span(), format, args...)
		}
	}
	if d.Says {
		report("the CFI (%s%s) marks an outermost frame %s, but the FRE has CFA = %s: a tracer does not stop there",
			source(f, d), moreRuns(d), span(c, d), d.Row.CFA.Format(c.Section.ABI()))
		return
	}
	report("the FRE marks an outermost frame %s, but RA is %s in the CFI (%s%s): a tracer misses all callers",
		span(c, d), d.Rules.RA.Format(c.Section.ABI()), source(f, d), moreRuns(d))
})

var SignalDiffers = contradiction(rules.Rule{
	ID:       "SF6012",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Signal }),
	Needs:    rangeNeeds,
}, 1<<cfi.SignalDiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	fde := c.Section.FDE(d.FDE)
	if d.Says {
		c.FDE(fde, model.FDEInfo, "the FDE does not mark a signal frame, but the CFI does (%s): a tracer looks up the instruction before the interrupted one", source(f, d))
		return
	}
	c.FDE(fde, model.FDEInfo, "the FDE marks a signal frame, but the CFI does not (%s): a tracer looks up the instruction after the call", source(f, d))
})

// judged are the kinds of difference on which the machine code may decide.
var judged = map[cfi.Aspect]proof.Aspect{
	cfi.CFADiffers: proof.WrongCFA, cfi.RADiffers: proof.WrongRA,
	cfi.FPDiffers: proof.WrongFP, cfi.MangledDiffers: proof.WrongSigning,
}

// blameText writes which of the FRE and the CFI the machine code proves wrong, what corrects that, and the
// instructions that prove it; nothing if it proves neither wrong.
func blameText(c *rules.Context, d *cfi.Difference) (text string, help proof.Advice, insns []string) {
	if !c.Has(rules.CodeReadable) {
		return "", proof.Advice{}, nil
	}
	fres, rows := evidence.Proofs(c).FREs, evidence.Proofs(c).CFI()
	fre, cfi := proven(fres, d), proven(rows, d)
	words := proof.Words{ABI: c.Section.ABI(), Address: c.Object.Address, Row: "row"}
	if cfi != nil {
		help, insns = words.Correction(cfi), words.Proof(cfi)
	}
	switch {
	case c.Object.Bolted() && fre != nil:
		return "; BOLT changed only the code", proof.Advice{Text: evidence.BoltedHelp}, words.Proof(fre)
	case fre != nil && cfi != nil:
		return "; the code contradicts both", help, insns
	case fre != nil:
		return "; the code contradicts the FRE", proof.Advice{Text: proof.OtherTools}, words.Proof(fre)
	case cfi != nil:
		return "; the code contradicts the CFI", help, insns
	case rows.Agrees(d.FDE) && !fres.Agrees(d.FDE):
		return "; the code agrees with the CFI", proof.Advice{Text: proof.OtherTools}, nil
	}
	return "; the code confirms neither", proof.Advice{Text: proof.OtherTools}, nil
}

// proven returns what the code proves wrong where two sources differ, nil for nothing.
func proven(found *proof.Found, d *cfi.Difference) *proof.Wrong {
	kind, ok := judged[d.Kind]
	if !ok || found == nil {
		return nil
	}
	for i := range found.Wrong {
		if w := &found.Wrong[i]; w.Func == d.FDE && w.Kind == kind && w.Start < d.End && d.Start < w.End {
			return w
		}
	}
	return nil
}
