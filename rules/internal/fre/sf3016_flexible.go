package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

const flexClause = "Flexible FDE Type Interpretation"

// entities reports the entities of flexible rows that are bad.
func entities(c *rules.Context, bad func(flex.Entity) bool, report func(model.FRE, flex.Entity)) {
	c.Rows(func(r model.FRE) bool { return flex.Any(r, bad) }, func(r model.FRE) {
		for _, e := range flex.Parse(r).Entities {
			if bad(e) {
				report(r, e)
			}
		}
	})
}

// FlexReserved finds control words with the bit that has no meaning.
var FlexReserved = sound.Rule(rules.Rule{
	ID:       "SF3016",
	Title:    "reserved bit of a control word",
	Clause:   flexClause,
	Versions: onlyV3,
	Severity: rules.Error,
	Text: `Bit 2 of a control word has no meaning. It is free for later versions, so it has to
be zero: a consumer that gives it a meaning recovers another value.`,
	Fix:  `Clear the bit.`,
	Good: `control word 33: reg_p, deref_p, register 6`,
	Bad:  `control word 37`,
}, func(c *rules.Context) {
	entities(c, flex.Entity.Reserved, func(r model.FRE, e flex.Entity) {
		c := c.Repair("clear the reserved bit", r.WordSpan(e.Word), uint64(e.Control&^model.FlexReserved))
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v is 0x%x: bit 2 has no meaning and must be zero; a consumer of a later version may recover %v in another way", e.Role, e.Control, e.Role)
	})
})

// FlexPair finds control words without an offset word.
var FlexPair = sound.Rule(rules.Rule{
	ID:       "SF3017",
	Title:    "control word without its offset word",
	Clause:   flexClause,
	Versions: onlyV3,
	Severity: rules.Error,
	Text: `A control word other than 0 is followed by an offset word. Here the row ends behind
the control word, so the value can't be recovered: the number of words is wrong, or a word
is missing in front. libsframe takes the rule for absent; the Linux kernel takes the
section out of use.`,
	Fix:  `Write the offset word, be it 0, or a single 0 where there is no rule.`,
	Good: `39 08 02 f0: CFA = rsp+8, RA = *(CFA-16)`,
	Bad:  `39 08 02`,
}, func(c *rules.Context) {
	bad := func(e flex.Entity) bool { return e.Control != 0 && !e.Whole } // a CFA's 0 is SF3018's
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v, 0x%x, is the last of the row's %d words, but an offset word must follow: %v can't be recovered, and the Linux kernel rejects the row", e.Role, e.Control, r.NumWords(), e.Role)
	})
})

// FlexCFA finds a CFA that is to be computed from itself.
var FlexCFA = sound.Rule(rules.Rule{
	ID:       "SF3018",
	Title:    "CFA without a base register",
	Clause:   flexClause,
	Versions: onlyV3,
	Severity: rules.Error,
	Text: `The CFA's control word has reg_p set: its base is a register. With reg_p clear, the
base would be the CFA itself, and a control word 0, which stands for "no rule", leaves the
row without a CFA. Either way the frame can't be recovered: the Linux kernel rejects the
row, and objdump dies of an assertion where the CFA has no two words.`,
	Fix:  `Set reg_p and the number of the base register.`,
	Good: `39 08: CFA = rsp+8`,
	Bad:  `38 08`,
}, func(c *rules.Context) {
	bad := func(e flex.Entity) bool { return e.Role == flex.CFA && !e.RegP() }
	entities(c, bad, func(r model.FRE, e flex.Entity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for the CFA is 0x%x with reg_p clear: the CFA needs a base register, so no frame can be recovered, and the Linux kernel rejects the row", e.Control)
	})
})
