package crosscheck

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// AgainstFlag finds start fields whose flag is wrong by the symbols.
var AgainstFlag = newRule(rules.Rule{
	ID:       "SF6006",
	Title:    "start fields contradict PCREL by the symbols",
	Clause:   "SFrame Flags",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.StartsKnown, rules.SymbolsReadable},
	Severity: rules.Error,
	Text: `A start field counts from itself where SFRAME_F_FDE_FUNC_START_PCREL is set, from
the start of the section where it is clear. Read as the flag says, the functions start
where no function is; read the other way, most start at a function's symbol: the flag is
wrong. A consumer that goes by it finds wrong rows or none.

SF2015 reports the same where functions leave the code, which needs no symbols.`,
	Fix:  `Set or clear the flag; better, assemble and link all parts with tools of one version.`,
	Good: `PCREL set, sfdi_func_start_offset = function - address of the field`,
	Bad:  `PCREL clear, sfdi_func_start_offset = function - address of the field`,
}, func(c *rules.Context, j *join) {
	if !j.opposed {
		return
	}
	is, from, other := "clear", "the section's start", "the field itself"
	if prereq.PCRel(c.Section) {
		is, from, other = "set", other, from
	}
	if h := c.Section.Header(); model.DefinedFlags(h.Version)&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
		c = c.WithFix(rules.Fix{Message: "change SFRAME_F_FDE_FUNC_START_PCREL",
			Edits: []rules.Edit{c.SetField(model.HdrFlags.Span(), uint64(h.Flags^model.SFRAME_F_FDE_FUNC_START_PCREL))}})
	}
	c.Header(model.HdrFlags, "SFRAME_F_FDE_FUNC_START_PCREL is %s, so the start fields count from %s; read so, few functions start at a symbol, but most do where the fields count from %s: the flag is wrong, and consumers find wrong rows",
		is, from, other)
})
