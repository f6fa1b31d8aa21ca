package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
	"github.com/sframe-lint/sframe-lint/rules/internal/starts"
)

// Misread finds start fields whose flag says the opposite of what they hold.
var Misread = sound.Rule(rules.Rule{
	ID:       "SF2015",
	Title:    "start fields contradict the PCREL flag",
	Clause:   "SFrame Flags",
	Severity: rules.Error,
	Text: `A start field counts from itself where SFRAME_F_FDE_FUNC_START_PCREL is set, from
the start of the section where it is clear. Here functions land outside of all code and
overlap when the fields are read as the flag says, and fit when they are read the other
way: the flag is wrong. A consumer that goes by the flag finds no function or wrong ones.
Producers that only learned of the flag halfway, and linkers that copy it from their
first input, write such sections.`,
	Fix:  `Set or clear the flag; better, assemble and link all parts with tools of one version.`,
	Good: `PCREL set, sfdi_func_start_offset = function - address of the field`,
	Bad:  `PCREL set, sfdi_func_start_offset = function - address of the section`,
}, func(c *rules.Context) {
	if !starts.Misread(c) {
		return
	}
	is, from, other := "clear", "the section's start", "the field itself"
	if starts.PCRel(c.Section) {
		is, from, other = "set", other, from
	}
	c.Header(model.HdrFlags, "SFRAME_F_FDE_FUNC_START_PCREL is %s, so the start fields count from %s; read so, functions lie outside executable sections or overlap, but not where the fields count from %s: the flag is wrong, and consumers find wrong functions or none",
		is, from, other)
})
