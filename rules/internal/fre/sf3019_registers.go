package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
)

// FlexRegister finds register numbers that are invalid for the ABI.
var FlexRegister = flexRule(rules.Rule{
	ID:       "SF3019",
	Title:    "control word with an invalid register number",
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown},
	Severity: rules.Error,
	Text: `Bits 3 and up of a control word are the DWARF number of a register. Only a
general-purpose register can hold an address: 0 to 15 on AMD64 and s390x, 0 to 31 on
AArch64. Other registers may hold RA and FP themselves; leaf functions of s390x use
the floating-point registers, 16 to 31. With another number a tracer has no value to
use, and may index its table of registers out of bounds.`,
	Fix:  `Set the number of the register that the code uses.`,
	Good: `AMD64: 51 00: CFA = r10`,
	Bad:  `AMD64: 89 00: register 17`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	bad := func(e flex.Entity) bool { return e.RegP() && e.Reg() >= registers(&abi, e) }
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		use := "hold " + e.Role.String()
		if isAddress(e) {
			use = "be the base of an address"
		}
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v, 0x%x, has register %d, but on %s only registers 0 to %d can %s: a tracer has no value for it", e.Role, e.Control, e.Reg(), abi.Name, registers(&abi, e)-1, use)
	})
})

// isAddress reports whether the entity's base plus offset is an address.
func isAddress(e flex.Entity) bool { return e.Role == flex.CFA || e.DerefP() }

// registers returns the number of registers that the entity may use.
func registers(abi *model.ABIInfo, e flex.Entity) uint32 {
	if isAddress(e) {
		return abi.AddrRegs
	}
	return abi.HoldRegs
}

// FlexLeftover finds words after those for CFA, RA and FP.
var FlexLeftover = flexRule(rules.Rule{
	ID:       "SF3020",
	Title:    "words left over in a flexible FRE",
	Severity: rules.Error,
	Text: `The words of a flexible FRE are for the CFA, RA and FP, in this order. Words
after those for FP have no meaning: the number of words is wrong, or earlier padding
has shifted all words. The Linux kernel disables the section; libsframe skips the
words.`,
	Fix:  `Correct the number of words in the info byte, or remove the words.`,
	Good: `33 f8 00 33 00: CFA, padding for RA, FP`,
	Bad:  `33 f8 00 33 00 08`,
}, func(c *rules.Context) {
	bad := func(r model.FRE) bool { return flex.Is(r) && flex.Parse(r).Used < r.NumWords() }
	c.Rows(bad, func(r model.FRE) {
		used := flex.Parse(r).Used
		sp := r.WordsSpan()
		end := sp.End()
		sp.Off = r.WordSpan(used).Off
		sp.Len = end - sp.Off
		c.FRE(r, sp, "the FRE has %d words, but CFA, RA and FP use the first %d: the rest has no meaning, and the Linux kernel rejects the FRE", r.NumWords(), used)
	})
})

// FlexUnusedReg finds register numbers without effect.
var FlexUnusedReg = flexRule(rules.Rule{
	ID:       "SF3021",
	Title:    "register number of FP without reg_p",
	Severity: rules.Warning,
	Text: `With reg_p clear the base of FP is the CFA, and the register number in the
control word has no effect; producers leave it 0. Another number suggests that reg_p
should be set. Then a tracer recovers the value from the wrong place. SF3026 reports the
same of RA.`,
	Fix:  `Clear the number, or set reg_p.`,
	Good: `02 f0: *(CFA-16)`,
	Bad:  `32 f0: *(CFA-16), with the number of rbp`,
}, func(c *rules.Context) {
	bad := func(e flex.Entity) bool { return e.Role == flex.FP && !e.RegP() && e.Reg() != 0 }
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v is 0x%x: with reg_p clear the base is the CFA and register number %d has no effect; clear it, or set reg_p", e.Role, e.Control, e.Reg())
	})
})

// FlexUnusedRA finds register numbers of RA without effect.
var FlexUnusedRA = flexRule(rules.Rule{
	ID:       "SF3026",
	Title:    "register number of RA without reg_p",
	Severity: rules.Error,
	Text: `With reg_p clear the base of RA is the CFA, and the register number in the control
word has no effect, so that it has to be 0. With another number the FRE states a register
that no tracer reads. With deref_p clear as well, RA is the CFA plus an offset, an address of
the stack: the manual says that no ABI needs that, and the Linux kernel rejects the FRE.`,
	Fix:  `Set reg_p if RA is in or near the register, else clear the number.`,
	Good: `71 00: RA in r14`,
	Bad:  `70 00: the number of r14 without reg_p`,
}, func(c *rules.Context) {
	bad := func(e flex.Entity) bool { return e.Role == flex.RA && !e.RegP() && e.Reg() != 0 }
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for RA is 0x%x, with register %d, but reg_p is clear: a tracer counts from the CFA instead of the register and recovers a wrong caller, or rejects the FRE", e.Control, e.Reg())
	})
})
