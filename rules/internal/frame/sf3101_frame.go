package frame

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

var LowCFA = rowRule(rules.Rule{
	ID:    "SF3101",
	Needs: rules.FREsKnown | rules.ABIKnown | rules.AsDefined,
}, func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string) {
	v := row.CFA
	if v.Deref || v.Reg != abi.SP || v.Offset >= abi.EntryCFA || ReturnsByRegister(*row) {
		return 0, ""
	}
	return cfaWord, fmt.Sprintf("CFA = %s, but on %s the CFA is %s+%d at function entry and never lower: a tracer finds a wrong caller",
		v.Format(*abi), abi.Name, abi.SPName, abi.EntryCFA)
})

// ReturnsByRegister reports whether RA is no longer on the stack, as in a function that pops it before it jumps.
func ReturnsByRegister(row model.Row) bool {
	return row.RA.Kind == model.InRegister && !row.RA.Deref
}

var MisalignedCFA = rowRuleUnless(loweredBy4, rules.Rule{
	ID:    "SF3102",
	Needs: rules.FREsKnown | rules.ABIKnown | rules.AsDefined,
}, func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string) {
	v := row.CFA
	step := abi.CFAAlign
	if v.Reg != abi.SP {
		step = abi.SlotAlign
	}
	if v.Deref || v.Reg != abi.SP && v.Reg != abi.FP || v.Offset%step == 0 {
		return 0, ""
	}
	from := "parts of two words"
	if v.Offset%slotSize == 0 {
		from = "other slots"
	}
	return cfaWord, fmt.Sprintf("CFA = %s, but the offset must be a multiple of %d on %s: a tracer reads RA and FP from %s", v.Format(*abi), step, abi.Name, from)
})

// loweredBy4 reports whether the CFA of an FRE is at a multiple of 4, and the code of its function
// agrees with all FREs.
func loweredBy4(c *rules.Context, r model.FRE, row *model.Row) bool {
	return row.CFA.Offset%4 == 0 && evidence.Proofs(c).FREs.Agrees(r.FDEIndex())
}

// slotSize is the size of a saved register in bytes, on all three ABIs.
const slotSize = 8

var OutsideFrame = rowRuleUnless(shadowed, rules.Rule{ID: "SF3103"}, func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string) {
	if row.CFA.Deref || frameRecord(row, abi) {
		return 0, ""
	}
	for i, v := range [...]model.Recovery{row.RA, row.FP} {
		if why := outsideFrame(row.CFA, v, abi); why != "" {
			if i == 0 && v.Offset == 0 && r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT {
				why += " (libsframe and the Linux kernel treat this 0 as unchanged RA)"
			}
			return raWord + i, fmt.Sprintf("%s is saved at CFA%+d (CFA = %s), %s", entityName(raWord+i), v.Offset, row.CFA.Format(*abi), why)
		}
	}
	return 0, ""
})

// shadowed reports whether only the slot of RA is below SP, and the function has RA on a shadow call stack, too.
func shadowed(c *rules.Context, r model.FRE, row *model.Row) bool {
	return outsideFrame(row.CFA, row.RA, c.ABI) == belowSP && outsideFrame(row.CFA, row.FP, c.ABI) == "" &&
		proof.CodeOf(c.Object).UsesShadow(c.Section.FDE(r.FDEIndex()), c.ABI)
}

const (
	inCaller = "in the caller's frame: a tracer recovers a wrong value"
	belowSP  = "below SP: a signal handler may overwrite the slot, and a tracer recovers a wrong value"
)

// frameRecord reports whether the FRE is that of a signal trampoline, which has CFA = FP and
// finds a frame record there: the caller's FP and, above it, RA.
func frameRecord(row *model.Row, abi *model.ABIInfo) bool {
	at := func(off int64) model.Recovery {
		return model.Recovery{Kind: model.FromCFA, Offset: off, Deref: true}
	}
	return row.CFA == model.Recovery{Kind: model.InRegister, Reg: abi.FP} && row.FP == at(0) && row.RA == at(slotSize)
}

func outsideFrame(cfa, v model.Recovery, abi *model.ABIInfo) string {
	switch {
	case v.Kind != model.FromCFA || !v.Deref:
		return ""
	case cfa.Kind == model.InRegister && !cfa.Deref && cfa.Reg != abi.SP && cfa.Reg != abi.FP:
		return "" // not in the stack, as in longjmp, where the CFA is the address of the saved registers
	case v.Offset > -slotSize:
		return inCaller
	case cfa.Reg == abi.SP && v.Offset < -cfa.Offset-abi.RedZone:
		return belowSP
	}
	return ""
}

func entityName(word int) string { return [...]string{"CFA", "RA", "FP"}[word] }

var SlotsOverlap = rowRule(rules.Rule{ID: "SF3104"}, func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string) {
	ra, fp := row.RA, row.FP
	if !overlap(ra, fp) {
		return 0, ""
	}
	return fpWord, fmt.Sprintf("RA is saved at CFA%+d and FP at CFA%+d, but these slots overlap: a tracer recovers at least one wrong value", ra.Offset, fp.Offset)
})

// overlap reports whether two registers are saved in slots that share bytes.
func overlap(ra, fp model.Recovery) bool {
	if ra.Kind != fp.Kind || ra.Kind != model.FromCFA || !ra.Deref || !fp.Deref {
		return false
	}
	d := ra.Offset - fp.Offset
	return d < slotSize && d > -slotSize
}

var UnsavedFP = rowRule(rules.Rule{ID: "SF3105"}, func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string) {
	if row.CFA.Reg != abi.FP || row.FP.Kind != model.Unchanged {
		return 0, ""
	}
	return cfaWord, fmt.Sprintf("CFA = %s is based on FP, but the FRE has no slot for the caller's FP: a tracer uses this function's FP instead", row.CFA.Format(*abi))
})
