package frame

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

var FPBesideRecord = fpBesideSlot(rules.Rule{ID: "SF3110", ABIs: model.ABIsWith(func(a model.ABIInfo) bool { return a.FrameRecord })})

var FPBesideSlot = fpBesideSlot(rules.Rule{ID: "SF3111", ABIs: model.ABIsWith(func(a model.ABIInfo) bool { return !a.TracksRA() })})

func fpBesideSlot(rule rules.Rule) *rules.Rule {
	rule.Needs = rules.FREsKnown | rules.RAKnown | rules.FPKnown
	rule.Text += `
The rule skips FREs whose CFA or FP contradicts the file's CFI, which SF6007 and SF6009 report.`
	return judgeRule(rule, func(abi *model.ABIInfo, _ model.FRE, row *model.Row) bool {
		return besideSlot(row, abi) != 0
	}, func(c *rules.Context, r model.FRE, row *model.Row) {
		if abi := c.ABI; !c.Cut() && !contradicted(c, r, row) && (abi.FrameRecord || !evidence.Proofs(c).FREs.Agrees(r.FDEIndex())) {
			evidence.With(c, proven(c, r, row)).FRE(r, wordSpan(r, cfaWord), "CFA = %s, but FP is saved %s the address in FP (FP = %s): unless the code sets FP unusually, tracers find a wrong caller",
				row.CFA.Format(*abi), distance(besideSlot(row, abi)), row.FP.Format(*abi))
		}
	})
}

// distance writes where an address is, n bytes from another one.
func distance(n int64) string {
	if n < 0 {
		return fmt.Sprintf("%d bytes below", -n)
	}
	return fmt.Sprintf("%d bytes above", n)
}

// besideSlot returns the distance of FP's slot from where FP points, 0 where the FRE does not
// give it, or other rules report an offset that is misaligned, too large or of a slot elsewhere.
func besideSlot(row *model.Row, abi *model.ABIInfo) int64 {
	cfa, fp := row.CFA, row.FP
	if cfa.Kind != model.InRegister || cfa.Deref || cfa.Reg != abi.FP || !fp.Deref ||
		outsideFrame(cfa, fp, abi) != "" || overlap(row.RA, fp) {
		return 0
	}
	off := fp.Offset
	switch {
	case fp.Kind == model.FromCFA:
		off += cfa.Offset
	case fp.Kind != model.InRegister || fp.Reg != abi.FP:
		return 0
	}
	if off%slotSize != 0 || off > hugeFrame || off < -hugeFrame {
		return 0
	}
	return off
}

// contradicted reports whether call frame information has another CFA or another rule for
// FP where the FRE begins.
func contradicted(c *rules.Context, r model.FRE, row *model.Row) bool {
	from, ok := cfiAt(c, r.FDE(), r.Start())
	return ok && (from.CFAReason == cfi.Comparable && from.CFA != row.CFA ||
		from.FPReason == cfi.Comparable && from.FP != row.FP)
}
