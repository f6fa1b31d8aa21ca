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

// flexRule makes a rule on flexible FREs.
func flexRule(r rules.Rule, check func(*rules.Context)) *rules.Rule {
	r.Clause, r.Versions = "Flexible FDE Type Interpretation", model.Versions(func(v model.VersionInfo) bool { return v.Flex })
	if r.Needs == nil {
		r.Needs = []rules.Fact{rules.FREsKnown}
	}
	return rules.New(r, check)
}

// FlexReserved finds control words with the reserved bit set.
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

// FlexPair finds control words without an offset word.
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

// FlexCFA finds a CFA without a base register.
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
