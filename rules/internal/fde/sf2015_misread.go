package fde

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Misread finds start fields that make sense only against the PCREL flag.
var Misread = rules.New(rules.Rule{
	ID:       "SF2015",
	Title:    "start fields contradict the PCREL flag",
	Clause:   "SFrame Flags",
	Files:    rules.LinkedFiles,
	Needs:    []rules.Fact{rules.FDEsKnown},
	Requires: []*analysis.Analyzer{prereq.Misread},
	Severity: rules.Error,
	Text: `A start field counts from its own address if SFRAME_F_FDE_FUNC_START_PCREL is
set, and from the start of the section if it is clear. Here functions lie outside
executable sections or overlap when the fields are read as the flag requires, and fit
when they are read the other way, so the flag is wrong. A consumer that follows the
flag finds no function or wrong ones. Typical causes are a producer of mixed versions
and a linker that copies the flag from its first input.`,
	Fix:  `Set or clear the flag. It is better to assemble and link all parts with tools of one version.`,
	Good: `PCREL set, sfdi_func_start_offset = function - address of the field`,
	Bad:  `PCREL set, sfdi_func_start_offset = function - address of the section`,
}, func(c *rules.Context) {
	if !prereq.Get[bool](c.Pass, prereq.Misread) {
		return
	}
	is, from, other := "clear", "the section's start", "the field itself"
	if prereq.PCRel(c.Section) {
		is, from, other = "set", other, from
	}
	c.Header(model.HdrFlags, "SFRAME_F_FDE_FUNC_START_PCREL is %s, so the start fields count from %s, and functions lie outside executable sections or overlap; they fit if the fields count from %s: the flag is wrong, and consumers find wrong functions or none",
		is, from, other)
})
