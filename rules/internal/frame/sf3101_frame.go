package frame

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var LowCFA = rowRule(rules.Rule{
	ID:    "SF3101",
	Title: "CFA below the stack contents of a call",
	Needs: []rules.Fact{rules.FREsKnown, rules.ABIKnown, rules.AsDefined},
	Text: `The CFA is the caller's SP at the call. Between it and the current SP lies
what the call puts on the stack: 8 bytes of return address on AMD64, the register save
area of 160 bytes on s390x, nothing on AArch64. A CFA closer to SP places these bytes
below SP, where a tracer reads remains of earlier calls. The only exception is a
function that has dropped its frame to jump elsewhere.`,
	Fix:  `Correct the CFA offset. On s390x the word is the offset less 160, divided by 8.`,
	Good: `AMD64: CFA = rsp+8`,
	Bad:  `AMD64: CFA = rsp+0`,
}, func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string) {
	v := row.CFA
	if v.Deref || v.Reg != abi.SP || v.Offset >= abi.EntryCFA || ReturnsByRegister(*row) {
		return 0, ""
	}
	return cfaWord, fmt.Sprintf("CFA = %s is lower than at function entry on %s (%s+%d), where a frame is smallest: a tracer recovers a wrong caller",
		v.Format(*abi), abi.Name, abi.SPName, abi.EntryCFA)
})

// ReturnsByRegister reports whether RA has been taken off the stack, as in a
// function that pops it before it jumps.
func ReturnsByRegister(row model.Row) bool {
	return row.RA.Kind == model.InRegister && !row.RA.Deref
}

var MisalignedCFA = rowRuleUnless(loweredBy4, rules.Rule{
	ID:    "SF3102",
	Title: "misaligned CFA offset",
	Needs: []rules.Fact{rules.FREsKnown, rules.ABIKnown, rules.AsDefined},
	Text: `SP moves in steps: 8 bytes on AMD64 and s390x, and 16 bytes on AArch64, whose
hardware faults on a misaligned SP. The offset of the CFA from SP or FP is a multiple
of the step (on AArch64 of 8 from FP). With another offset a tracer reads RA and FP
from other slots or from parts of two words. LLVM lowers rsp by 4 in a function that
calls nothing: a multiple of 4 is skipped where the code agrees with all FREs of a function.`,
	Fix:  `Correct the CFA offset.`,
	Good: `AMD64: CFA = rsp+16`,
	Bad:  `AMD64: CFA = rsp+17`,
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
	return cfaWord, fmt.Sprintf("CFA = %s: the offset is not a multiple of %d, the stack alignment of %s, and a tracer reads RA and FP from %s", v.Format(*abi), step, abi.Name, from)
})

// loweredBy4 reports whether the CFA of an FRE is at a multiple of 4, and the code of its function
// agrees with all FREs.
func loweredBy4(c *rules.Context, r model.FRE, row *model.Row) bool {
	return row.CFA.Offset%4 == 0 && prereq.Get[*prereq.Proofs](c.Pass, rules.CodeProofs).FREs.Agrees(r.FDEIndex())
}

// slotSize is the size of a saved register in bytes, on all three ABIs.
const slotSize = 8

var OutsideFrame = rowRule(rules.Rule{
	ID:    "SF3103",
	Title: "saved RA or FP outside the frame",
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
}, func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string) {
	if row.CFA.Deref || frameRecord(row, abi) {
		return 0, ""
	}
	for i, v := range [...]model.Recovery{row.RA, row.FP} {
		if why := outside(row.CFA, v, abi); why != "" {
			if i == 0 && v.Offset == 0 && r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT {
				why += ", but libsframe and the Linux kernel read the word 0 as RA unchanged"
			}
			return raWord + i, fmt.Sprintf("%s is at CFA%+d with CFA = %s, %s: a tracer recovers a wrong value", entityName(raWord+i), v.Offset, row.CFA.Format(*abi), why)
		}
	}
	return 0, ""
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
	case cfa.Kind == model.InRegister && !cfa.Deref && cfa.Reg != abi.SP && cfa.Reg != abi.FP:
		return "" // not in the stack, as in longjmp, where the CFA is the address of the saved registers
	case v.Offset > -slotSize:
		return "which lies in the caller's frame"
	case cfa.Reg == abi.SP && v.Offset < -cfa.Offset-abi.RedZone:
		return "which lies below SP, outside the frame"
	}
	return ""
}

func entityName(word int) string { return [...]string{"CFA", "RA", "FP"}[word] }

var SlotsOverlap = rowRule(rules.Rule{
	ID:    "SF3104",
	Title: "RA and FP saved in the same bytes",
	Text: `RA and FP have 8 bytes each. If their slots share bytes, a tracer recovers at
least one of them wrongly.`,
	Fix:  `Correct the offset of one of the slots.`,
	Good: `AArch64: RA at CFA-8, FP at CFA-16`,
	Bad:  `AArch64: RA at CFA-8, FP at CFA-8`,
}, func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string) {
	ra, fp := row.RA, row.FP
	if !overlap(ra, fp) {
		return 0, ""
	}
	return fpWord, fmt.Sprintf("RA is at CFA%+d and FP at CFA%+d, so their slots share bytes: a tracer recovers at least one of them wrongly", ra.Offset, fp.Offset)
})

// overlap reports whether two registers are saved in slots that share bytes.
func overlap(ra, fp model.Recovery) bool {
	if ra.Kind != fp.Kind || ra.Kind != model.FromCFA || !ra.Deref || !fp.Deref {
		return false
	}
	d := ra.Offset - fp.Offset
	return d < slotSize && d > -slotSize
}

var UnsavedFP = rowRule(rules.Rule{
	ID:    "SF3105",
	Title: "CFA from FP although FP is not saved",
	Text: `A function whose CFA counts from FP has set FP and so must have saved the
caller's FP. If the FRE gives FP as unchanged, a tracer passes the function's own FP
on to the caller's frame, and the trace goes wrong there.`,
	Fix:  `Add the place where FP is saved, or count the CFA from SP.`,
	Good: `AMD64: CFA = rbp+16, FP at CFA-16`,
	Bad:  `AMD64: CFA = rbp+16, FP unchanged`,
}, func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string) {
	if row.CFA.Reg != abi.FP || row.FP.Kind != model.Unchanged {
		return 0, ""
	}
	return cfaWord, fmt.Sprintf("CFA = %s counts from FP, but the FRE has no place for the caller's FP: a tracer uses this function's FP for the next frame", row.CFA.Format(*abi))
})

// hugeFrame is larger than the default stack (8 MiB on Linux).
const hugeFrame = 16 << 20

var HugeOffset = rowRule(rules.Rule{
	ID:    "SF3108",
	Title: "implausibly large offset",
	Text: `A frame of 16 MiB is larger than the default stack of a thread. An offset of
that size is usually damaged data, and leads a tracer out of the stack.`,
	Fix:  `Correct the data word.`,
	Good: `CFA = rsp+4112`,
	Bad:  `CFA = rsp+16777224`,
}, func(abi *model.ABIInfo, _ model.FRE, row *model.Row) (word int, why string) {
	for word, v := range [...]model.Recovery{row.CFA, row.RA, row.FP} {
		if v.Offset > hugeFrame || v.Offset < -hugeFrame {
			return word, fmt.Sprintf("%s = %s: the offset exceeds 16 MiB, which is larger than the default stack of a thread", entityName(word), v.Format(*abi))
		}
	}
	return 0, ""
})
