package frame

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/correction"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var FPBesideRecord = fpBesideSlot(rules.Rule{
	ID:       "SF3110",
	Title:    "FP does not point to the frame record",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return a.FrameRecord }),
	Severity: rules.Warning,
	Text: `The procedure call standard of AArch64 has FP point to a frame record: the caller's
FP, and RA after it. So if the CFA is FP+k, FP is saved at CFA-k. An FRE with another
offset disagrees with the code in the CFA or in the slot, and a trace goes wrong. GNU as
2.47 writes such FREs where the CFA's offset and its register change at one PC.`,
	Good: `CFA = x29+32, FP at CFA-32`,
	Bad:  `CFA = x29+16, FP at CFA-32`,
})

var FPBesideSlot = fpBesideSlot(rules.Rule{
	ID:       "SF3111",
	Title:    "FP does not point to its saved value",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return !a.TracksRA() }),
	Severity: rules.Note,
	Text: `A function of AMD64 that keeps a frame pointer saves the caller's and sets its own
right after that: it points to the saved value. So if the CFA is FP+k, FP is saved at
CFA-k. Hand-written code may differ: functions whose code agrees with all FREs are left out.
In an FRE of a compiler's function the CFA or the slot is wrong then, and a trace goes wrong.
GNU as 2.47 writes such FREs where the CFA's offset and its register change at one PC.`,
	Good: `CFA = rbp+16, FP at CFA-16`,
	Bad:  `CFA = rbp+8, FP at CFA-16`,
})

func fpBesideSlot(rule rules.Rule) *rules.Rule {
	rule.Clause = "SFrame FRE"
	rule.Needs = []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.FPKnown}
	rule.Text += `
The rule leaves out FREs whose CFA or FP contradicts the file's CFI: SF6007 and SF6009
report those.`
	rule.Fix = `Correct the offset of the CFA or of the slot.`
	return judgeRule(rule, func(abi *model.ABIInfo, _ model.FRE, row *model.Row) bool {
		return besideSlot(row, abi) != 0
	}, func(c *rules.Context, r model.FRE, row *model.Row) {
		if abi := c.ABI(); !c.Cut() && !contradicted(c, r, row) && (abi.FrameRecord || !prereq.Get[*prereq.Proofs](c.Pass, rules.CodeProofs).FREs.Agrees(r.FDEIndex())) {
			correction.With(c, proven(c, r, row)).FRE(r, wordSpan(r, cfaWord), "CFA = %s and FP = %s: by this FRE the caller's FP is saved %s the address in FP; if the code does not set FP in its own way, one of the offsets is wrong, and a tracer recovers a wrong caller",
				row.CFA.Format(*abi), row.FP.Format(*abi), distance(besideSlot(row, abi)))
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
		outside(cfa, fp, abi) != "" || overlap(row.RA, fp) {
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
