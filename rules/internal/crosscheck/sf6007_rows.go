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
the linker. The rule compares them by address, in each function that has FREs and CFI. It does not
judge expressions of CFI that are not a register
and an offset, or a word there.`

var CFADiffers = contradiction(rules.Rule{ID: "SF6007"}, 1<<cfi.CFADiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	sframe, frames := d.Of(cfi.CFADiffers)
	if d.Rules.CFAReason == cfi.NoCFARule {
		c.FRE(d.FRE, d.FRE.Span(), "the CFA is %s %s%s, but the CFI (%s) defines none%s: the FRE is a guess, by which a tracer reads RA and FP",
			sframe.Format(c.Section.ABI()), span(c, d), otherDifferences(c, d), source(f, d), moreRuns(d))
		return
	}
	x, proven := addEvidence(c, d)
	x.FRE(d.FRE, d.FRE.Span(), "the CFA is %s %s%s, but %s by the CFI (%s)%s%s: a tracer that finds the wrong one reads RA and FP from the wrong place",
		sframe.Format(c.Section.ABI()), span(c, d), otherDifferences(c, d), frames.Format(c.Section.ABI()), source(f, d), moreRuns(d), proven)
})

var RADiffers = contradiction(rules.Rule{ID: "SF6008"}, 1<<cfi.RADiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	register(c, f, d, "RA", "a tracer that finds the wrong one continues in a wrong function")
})

var FPDiffers = contradiction(rules.Rule{ID: "SF6009"}, 1<<cfi.FPDiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	register(c, f, d, "FP", "with the wrong one a trace goes wrong in the next caller whose CFA counts from FP")
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
	x.FRE(d.FRE, d.FRE.Span(), "%s is %s %s%s, but %s by the CFI (%s)%s%s: %s",
		name, sframe.Format(c.Section.ABI()), span(c, d), otherDifferences(c, d), cfi.Format(c.Section.ABI()), source(f, d), moreRuns(d), proven, effect)
}

var SignedDiffers = contradiction(rules.Rule{
	ID:   "SF6010",
	ABIs: model.ABIsWith(func(a model.ABIInfo) bool { return a.Pauth }),
}, 1<<cfi.MangledDiffers|1<<cfi.KeyDiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	if d.Kind == cfi.KeyDiffers {
		c.FDE(c.Section.FDE(d.FDE), model.FDEInfo, "the key of signed return addresses is %s, but %s by the CFI (%s): a tracer that authenticates RA rejects it",
			proof.Key(!d.Says), proof.Key(d.Says), source(f, d))
		return
	}
	x, proven := addEvidence(c, d)
	x.FRE(d.FRE, d.FRE.InfoSpan(), "RA is %s %s, but %s by the CFI (%s)%s%s: a tracer that does not remove the signature gets a wrong address",
		proof.Signed(!d.Says), span(c, d), proof.Signed(d.Says), source(f, d), moreRuns(d), proven)
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
		report("RA is undefined %s by the CFI (%s), but the FRE has CFA = %s%s: the frame is the outermost one, and a tracer does not stop there",
			span(c, d), source(f, d), d.Row.CFA.Format(c.Section.ABI()), moreRuns(d))
		return
	}
	report("RA is undefined %s and the frame is the outermost one, but by the CFI (%s) RA is %s%s: a tracer stops there and misses all callers",
		span(c, d), source(f, d), d.Rules.RA.Format(c.Section.ABI()), moreRuns(d))
})

var SignalDiffers = contradiction(rules.Rule{
	ID:       "SF6012",
	Clause:   "SFrame FDE",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Signal }),
	Needs:    rangeNeeds,
}, 1<<cfi.SignalDiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	fde := c.Section.FDE(d.FDE)
	if d.Says {
		c.FDE(fde, model.FDEInfo, "the FDE does not mark a signal frame, but the CFI does (%s): a tracer looks up the instruction before the one that was interrupted", source(f, d))
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
		return "; the code contradicts the FRE: BOLT has changed the code and left .sframe as it was", proof.Advice{Text: evidence.BoltedHelp}, words.Proof(fre)
	case fre != nil && cfi != nil:
		return "; the code contradicts the FRE and the CFI, so the source's CFI is also wrong", help, insns
	case fre != nil:
		return "; the code contradicts the FRE, so the assembler or the linker is wrong", proof.Advice{Text: proof.OtherTools}, words.Proof(fre)
	case cfi != nil:
		return "; the code contradicts the CFI, so the CFI is wrong in the source or was damaged later", help, insns
	case rows.Agrees(d.FDE) && !fres.Agrees(d.FDE):
		return "; the code agrees with the CFI, so the assembler or the linker is wrong", proof.Advice{Text: proof.OtherTools}, nil
	}
	return "; the code decides for neither: the assembler, the linker or a later change of the file made them differ", proof.Advice{Text: proof.OtherTools}, nil
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
