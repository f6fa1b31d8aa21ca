package frame

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// slotSize is the size of a saved register in bytes, on all three ABIs.
const slotSize = 8

// OutsideFrame finds save slots outside the range from SP to the CFA.
var OutsideFrame = rules.New(rules.Rule{
	ID:       "SF3103",
	Title:    "saved RA or FP outside the frame",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.FPKnown},
	Severity: rules.Warning,
	Text: `A function saves RA and FP in its own frame. The frame ends below the CFA and,
if the CFA counts from SP, begins at SP. A slot at or above the CFA belongs to the
caller, and a slot below SP may be overwritten at any time, so a tracer reads wrong
values of RA or FP. The red zone of AMD64, the 128 bytes below SP that signal handlers
do not use, counts as part of the frame: GCC relies on it for the last instruction of
a function. A word 0 for RA on AArch64 is a slot at the CFA by the manual; libsframe and
the Linux kernel read it as RA unchanged, as on s390x.`,
	Fix:  `Correct the offset of the slot, or the CFA offset from which it counts.`,
	Good: `AMD64: CFA = rsp+16, FP at CFA-16`,
	Bad:  `AMD64: CFA = rsp+16, FP at CFA+16`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	eachRow(c, func(r model.FRE, row *model.Row) (int, string) {
		if row.CFA.Deref || frameRecord(row, &abi) {
			return 0, ""
		}
		for i, v := range [...]model.Recovery{row.RA, row.FP} {
			if why := outside(row.CFA, v, &abi); why != "" {
				if i == 0 && v.Offset == 0 && r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT {
					why += "; libsframe and the Linux kernel read the word 0 as RA unchanged"
				}
				return raWord + i, fmt.Sprintf("%s is at CFA%+d, %s (CFA = %s)", entityName(raWord+i), v.Offset, why, row.CFA.Format(abi))
			}
		}
		return 0, ""
	})
})

// frameRecord reports whether the FRE is that of a signal trampoline, which has CFA = FP and
// finds a frame record there: the caller's FP and, above it, RA.
func frameRecord(row *model.Row, abi *model.ABIInfo) bool {
	at := func(off int64) model.Recovery {
		return model.Recovery{Kind: model.FromCFA, Offset: off, Deref: true}
	}
	return row.CFA == model.Recovery{Kind: model.InRegister, Reg: abi.FP} && row.FP == at(0) && row.RA == at(slotSize)
}

func outside(cfa, v model.Recovery, abi *model.ABIInfo) string {
	switch {
	case v.Kind != model.FromCFA || !v.Deref:
		return ""
	case v.Offset > -slotSize:
		return "which lies in the caller's frame"
	case cfa.Reg == abi.SP && v.Offset < -cfa.Offset-abi.RedZone:
		return "which lies below SP, outside the frame"
	}
	return ""
}

func entityName(word int) string { return [...]string{"CFA", "RA", "FP"}[word] }

// SlotsOverlap finds RA and FP saved in the same bytes.
var SlotsOverlap = rules.New(rules.Rule{
	ID:       "SF3104",
	Title:    "RA and FP saved in the same bytes",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.FPKnown},
	Severity: rules.Warning,
	Text: `RA and FP have 8 bytes each. If their slots share bytes, a tracer recovers at
least one of them wrongly.`,
	Fix:  `Correct the offset of one of the slots.`,
	Good: `AArch64: RA at CFA-8, FP at CFA-16`,
	Bad:  `AArch64: RA at CFA-8, FP at CFA-8`,
}, func(c *rules.Context) {
	eachRow(c, func(r model.FRE, row *model.Row) (int, string) {
		ra, fp := row.RA, row.FP
		if !overlap(ra, fp) {
			return 0, ""
		}
		return fpWord, fmt.Sprintf("RA is at CFA%+d and FP at CFA%+d, so their slots share bytes: a tracer recovers at least one of them wrongly", ra.Offset, fp.Offset)
	})
})

// overlap reports whether two registers are saved in slots that share bytes.
func overlap(ra, fp model.Recovery) bool {
	if ra.Kind != fp.Kind || ra.Kind != model.FromCFA || !ra.Deref || !fp.Deref {
		return false
	}
	d := ra.Offset - fp.Offset
	return d < slotSize && d > -slotSize
}
