package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
)

// entities reports the bad entities of flexible FREs.
func entities(c *rules.Context, bad func(flex.Entity) bool, report func(model.FRE, flex.Entity)) {
	c.Rows(func(r model.FRE) bool { return flex.Any(r, bad) }, func(r model.FRE) {
		for _, e := range flex.Parse(r).Entities {
			if bad(e) {
				report(r, e)
			}
		}
	})
}

// flexRule makes a rule on flexible FREs, which is run where there are some.
func flexRule(r rules.Rule, check func(*rules.Context)) *rules.Rule {
	r.Clause, r.Versions = "Flexible FDE Type Interpretation", model.Versions(func(v model.VersionInfo) bool { return v.Flex })
	if r.Needs == nil {
		r.Needs = []rules.Fact{rules.FREsKnown}
	}
	return rules.New(r, func(c *rules.Context) {
		if c.Survey().AnyKind(flex.Function) {
			check(c)
		}
	})
}

var FlexReserved = flexRule(rules.Rule{
	ID:       "SF3016",
	Title:    "reserved bit set in a control word",
	Severity: rules.Error,
	Text: `Bit 2 of a control word has no meaning. It is reserved for later versions, so
it must be zero. A consumer that gives it a meaning recovers a wrong value.`,
	Fix:  `Clear the bit.`,
	Good: `control word 33: reg_p, deref_p, register 6`,
	Bad:  `control word 37`,
}, func(c *rules.Context) {
	entities(c, flex.Entity.Reserved, func(r model.FRE, e flex.Entity) {
		c := c.Repair("clear the reserved bit", r.WordSpan(e.Word), uint64(e.Control&^model.FlexReserved))
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v is 0x%x: bit 2 is reserved and must be zero; a consumer of a later version may recover a wrong %v", e.Role, e.Control, e.Role)
	})
})

var FlexPair = flexRule(rules.Rule{
	ID:       "SF3017",
	Title:    "control word without its offset word",
	Severity: rules.Error,
	Text: `A control word other than 0 is followed by an offset word. Here the FRE ends
after the control word, so the value cannot be recovered: the number of words is
wrong, or an earlier word is missing. libsframe treats the rule as absent. The Linux
kernel disables the section.`,
	Fix:  `Write the offset word, even if it is 0, or a single 0 if there is no rule.`,
	Good: `39 08 02 f0: CFA = rsp+8, RA = *(CFA-16)`,
	Bad:  `39 08 02`,
}, func(c *rules.Context) {
	bad := func(e flex.Entity) bool { return e.Control != 0 && !e.Whole } // SF3018 reports a 0 for the CFA
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v, 0x%x, is the last of the FRE's %d words, but an offset word must follow it: %v cannot be recovered, and the Linux kernel rejects the FRE", e.Role, e.Control, r.NumWords(), e.Role)
	})
})

var FlexCFA = flexRule(rules.Rule{
	ID:       "SF3018",
	Title:    "CFA without a base register",
	Severity: rules.Error,
	Text: `The CFA's control word has reg_p set, because its base is a register. With
reg_p clear the base would be the CFA itself. A control word 0, which means "no rule",
leaves the FRE without a CFA. In both cases the frame cannot be recovered: the Linux
kernel rejects the FRE, and objdump aborts on an assertion if the CFA has only one
word.`,
	Fix:  `Set reg_p and the number of the base register.`,
	Good: `39 08: CFA = rsp+8`,
	Bad:  `38 08`,
}, func(c *rules.Context) {
	bad := func(e flex.Entity) bool { return e.Role == flex.CFA && !e.RegP() }
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for the CFA is 0x%x, with reg_p clear, but the CFA needs a base register: the frame cannot be recovered, and the Linux kernel rejects the FRE", e.Control)
	})
})

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
	abi := c.ABI()
	bad := func(e flex.Entity) bool { return e.RegP() && e.Reg() >= registers(abi, e) }
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		use := "hold " + e.Role.String()
		if isAddress(e) {
			use = "be the base of an address"
		}
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v, 0x%x, has register %d, but on %s only registers 0 to %d can %s: a tracer has no value for it", e.Role, e.Control, e.Reg(), abi.Name, registers(abi, e)-1, use)
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
		c.FRE(r, wordsFrom(r, used), "the FRE has %d words, but CFA, RA and FP use the first %d: the rest has no meaning, and the Linux kernel rejects the FRE", r.NumWords(), used)
	})
})

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
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v is 0x%x: with reg_p clear the base is the CFA and register number %d has no effect, so that a tracer reads FP from the wrong place if the register was meant", e.Role, e.Control, e.Reg())
	})
})

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

var FlexValue = flexRule(rules.Rule{
	ID:       "SF3022",
	Title:    "RA or FP is a register plus an offset",
	Severity: rules.Warning,
	Text: `RA and FP of the caller are saved in memory (deref_p set) or kept unchanged in
a register (offset 0). A register plus an offset is an address, usually one inside the
frame. It is not a return address and hardly ever a frame pointer, so a trace goes
wrong. Probably deref_p should be set.`,
	Fix:  `Set deref_p, or the offset to 0.`,
	Good: `33 08: *(rbp+8)`,
	Bad:  `31 08: rbp+8`,
}, func(c *rules.Context) {
	bad := func(e flex.Entity) bool {
		return e.Role != flex.CFA && e.Whole && e.RegP() && !e.DerefP() && e.Offset != 0
	}
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v is 0x%x and the offset %d: with deref_p clear the value is %s%+d, an address and not the value saved there, and a tracer takes one for the other",
			e.Role, e.Control, e.Offset, c.Section.ABI().RegName(e.Reg()), e.Offset)
	})
})

var FlexBase = flexRule(rules.Rule{
	ID:       "SF3023",
	Title:    "base register bit set in a flexible FRE",
	Severity: rules.Warning,
	Text: `Bit 0 of the info byte selects SP or FP as the base of the CFA in an FRE of
the default type. A flexible FRE has the base in a control word and ignores the bit;
GNU as always writes 0. If the bit is set, the FRE may have been written for the
default type, and a tracer misreads its words.`,
	Fix:  `Clear the bit, or correct the FDE type.`,
	Good: `flexible: info = 04`,
	Bad:  `flexible: info = 05`,
}, func(c *rules.Context) {
	bad := func(r model.FRE) bool {
		return r.FDEType() == model.SFRAME_FDE_TYPE_FLEX && r.Base() == model.SFRAME_BASE_REG_SP
	}
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x, with bit 0 set: flexible FREs have the CFA's base in a control word, and producers write 0; if the FDE type is wrong, a tracer misreads the words", r.Info())
	})
})

var FlexPadding = flexRule(rules.Rule{
	ID:       "SF3024",
	Title:    "padding word at the end of a flexible FRE",
	Severity: rules.Warning,
	Text: `In a flexible FRE a single word 0 means that there is no rule for RA or FP.
For RA it lets the words for FP follow. At the end of an FRE it is redundant, or the
words for FP are missing. The Linux kernel accepts padding only if two more words
follow, and rejects the FRE. GNU as leaves out such words.`,
	Fix:  `Leave out the padding, or add the words for FP.`,
	Good: `33 f8 00 33 00: CFA, padding for RA, FP`,
	Bad:  `39 08 00`,
}, func(c *rules.Context) {
	bad := func(r model.FRE) bool { return idlePadding(r) > 0 }
	c.Rows(bad, func(r model.FRE) {
		n := idlePadding(r)
		what := "word is padding"
		if n > 1 {
			what = "2 words are padding"
		}
		c.FRE(r, wordsFrom(r, r.NumWords()-n), "the FRE's last %s, but no words for FP follow: the padding is redundant or the words for FP are missing, and the Linux kernel rejects the FRE", what)
	})
})

// wordsFrom returns the bytes of the data words from the k-th one on.
func wordsFrom(r model.FRE, k int) model.Span {
	off := r.WordSpan(k).Off
	return model.Span{Off: off, Len: r.WordsSpan().End() - off}
}

// idlePadding returns the number of padding words at the end of a flexible
// FRE. It returns 0 if words are left over, because the FRE then does not end
// in padding, and if the CFA has no base register, because the meaning of the
// words is then in doubt.
func idlePadding(r model.FRE) int {
	if !flex.Is(r) {
		return 0
	}
	row := flex.Parse(r)
	if row.Used < r.NumWords() {
		return 0
	}
	n := 0
	for _, e := range row.Entities {
		switch {
		case e.Padding():
			n++
		case e.Role == flex.CFA && !e.RegP():
			return 0
		default:
			n = 0
		}
	}
	return n
}
