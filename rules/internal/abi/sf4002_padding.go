package abi

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// RAPadding finds padding in front of nothing.
var RAPadding = sound.Rule(rules.Rule{
	ID:       "SF4002",
	Title:    "RA padding without an FP word",
	Clause:   "s390x",
	ABIs:     s390x,
	Severity: rules.Warning,
	Text: `On s390x the word 0 in the place of RA says that RA is not saved; it is there so
that the word of FP can follow. A row that ends with it means the same as the row with the
CFA's word alone, to every consumer, and wastes the word; perhaps the word of FP is
missing.`,
	Fix:  `Leave the word out, or add the one for FP.`,
	Good: `info = 07, words 00 00 b8: RA not saved, FP at CFA-72`,
	Bad:  `info = 05, words 00 00`,
}, func(c *rules.Context) {
	bad := func(abi model.ABIInfo, r model.FRE, w word) bool {
		return !flexible(r) && abi.RAPadding && r.NumWords() == 2 && w.value == model.SFRAME_FRE_RA_OFFSET_INVALID
	}
	eachSaved(c, bad, func(_ model.ABIInfo, r model.FRE, w word) {
		c.FRE(r, r.WordSpan(w.index), "the word for RA is 0, which says that RA is not saved and lets the word for FP follow; the row ends here, so the word is of no use or the one for FP is missing")
	})
})

// Register finds registers that RA and FP can't be in.
var Register = sound.Rule(rules.Rule{
	ID:       "SF4003",
	Title:    "odd word names no register",
	Clause:   "s390x",
	Versions: []model.Version{model.SFRAME_VERSION_2},
	ABIs:     s390x,
	Severity: rules.Error,
	Text: `In version 2 an odd word for RA or FP on s390x is a register: its DWARF number is
the word, shifted right by one. RA and FP are kept in general-purpose registers (0 to 15)
or floating-point registers (16 to 31). A tracer has no value for another number, and may
index its table of registers beyond the end.`,
	Fix:  `Set the register's number, doubled and plus 1, or an even slot offset.`,
	Good: `word 21: register 16, f0`,
	Bad:  `word 7f: register 63`,
}, func(c *rules.Context) {
	v := c.Section.Version()
	bad := func(abi model.ABIInfo, _ model.FRE, w word) bool {
		return isRegister(abi, v, w) && uint32(w.value>>1) >= abi.HoldRegs
	}
	eachSaved(c, bad, func(abi model.ABIInfo, r model.FRE, w word) {
		c.FRE(r, r.WordSpan(w.index), "the word for %s is %d: odd, so it names register %d; s390x keeps %s in registers 0 to %d only, and a tracer has no such value", w.role, w.value, w.value>>1, w.role, abi.HoldRegs-1)
	})
})

// SlotS390X finds slots that no instruction saves a register to.
var SlotS390X = sound.Rule(rules.Rule{
	ID:       "SF4004",
	Title:    "save slot is not aligned (s390x)",
	Clause:   "s390x",
	ABIs:     s390x,
	Severity: rules.Error,
	Text: `The s390x ABI aligns the stack and the slots that registers are saved to to 8
bytes, so the offset of RA and FP from the CFA is a multiple of 8. A tracer that reads
another place gets parts of two words; the Linux kernel refuses to. In version 2 odd words
are registers and not meant here.`,
	Fix:  `Set the offset of the slot that the code saves the register to.`,
	Good: `RA at CFA-48 (d0)`,
	Bad:  `RA at CFA-46 (d2)`,
}, func(c *rules.Context) {
	v := c.Section.Version()
	bad := func(abi model.ABIInfo, r model.FRE, w word) bool {
		return int64(w.value)%abi.SlotAlign != 0 && (flexible(r) || !isRegister(abi, v, w))
	}
	eachSaved(c, bad, func(abi model.ABIInfo, r model.FRE, w word) {
		c.FRE(r, r.WordSpan(w.index), "%s is said to be saved at CFA%+d; slots are aligned to %d bytes on s390x, so a tracer reads parts of two words, and the Linux kernel none", w.role, w.value, abi.SlotAlign)
	})
})

// FPZero finds an FP word that looks like padding.
var FPZero = sound.Rule(rules.Rule{
	ID:       "SF4005",
	Title:    "FP word is 0",
	Clause:   "s390x",
	ABIs:     s390x,
	Severity: rules.Warning,
	Text: `The third word of a row on s390x is the offset of FP's slot from the CFA. 0 would
be the caller's own stack, where a function saves nothing, and a tracer takes what is
there for FP. Unlike the word for RA, the one for FP has no padding value: where FP is not
saved the word is left out.`,
	Fix:  `Leave the word out where FP is not saved.`,
	Good: `info = 05, words 00 d0: RA at CFA-48, FP unchanged`,
	Bad:  `info = 07, words 00 d0 00`,
}, func(c *rules.Context) {
	bad := func(_ model.ABIInfo, r model.FRE, w word) bool {
		return !flexible(r) && w.index == 2 && w.value == 0
	}
	eachSaved(c, bad, func(_ model.ABIInfo, r model.FRE, w word) {
		c.FRE(r, r.WordSpan(w.index), "the word for FP is 0, a slot in the caller's frame; FP has no padding value, so a tracer loads it from there: where FP is not saved the word must be left out")
	})
})

func flexible(r model.FRE) bool { return r.FDEType() == model.SFRAME_FDE_TYPE_FLEX }
