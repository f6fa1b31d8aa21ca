package abi

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Slot finds misaligned save slots on AMD64 and AArch64.
var Slot = rules.New(rules.Rule{
	ID:       "SF4006",
	Title:    "misaligned save slot",
	Clause:   "Default FDE Type Interpretation",
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return !a.LSBRegs }),
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.FPKnown},
	Severity: rules.Warning,
	Text: `AMD64 and AArch64 align the stack to 16 bytes at calls, and code saves
registers in whole words, so the offsets of RA and FP from the CFA are multiples of 8.
Another offset is legal but usually wrong, and the Linux kernel does not read from it.`,
	Fix:  `Check the CFI of the function, and set the offset of the slot that the code uses.`,
	Good: `FP at CFA-16 (f0)`,
	Bad:  `FP at CFA-15 (f1)`,
}, func(c *rules.Context) {
	bad := func(abi *model.ABIInfo, _ model.FRE, w word) bool { return int64(w.value)%abi.SlotAlign != 0 }
	eachSaved(c, bad, func(abi *model.ABIInfo, r model.FRE, w word) {
		c.FRE(r, r.WordSpan(w.index), "%s is at CFA%+d, but code for %s saves registers at multiples of %d bytes: the offset is probably wrong, and the Linux kernel does not read from it", w.role, w.value, abi.Name, abi.SlotAlign)
	})
})
