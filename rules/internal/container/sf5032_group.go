package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// InGroup reports FDEs of functions that a linker may discard. It is opt-in, because every C++ object has such
// functions.
var InGroup = rules.New(rules.Rule{ID: "SF5032", OptIn: true}, func(c *rules.Context) {
	if !c.Object.Relocatable() {
		return
	}
	if s, ok := c.Object.ELF.SectionOf(c.SFrame); !ok || s.Flags&elf.SHF_GROUP != 0 {
		return
	}
	secs := c.Object.ELF.Sections
	c.FDEs(nil, func(f model.FDE) {
		if p := f.Place(); f.Resolved() && p < len(secs) && secs[p].Flags&elf.SHF_GROUP != 0 {
			c.FDE(f, model.FDEStart, "the function is in %s of a section group, but the SFrame section is not: a linker without SFrame support may discard only the function", secs[p].Name)
		}
	})
})

var Exceeded = faultRule(rules.Rule{ID: "SF5033"}, reader.BudgetExceeded, func(c *rules.Context, f reader.Fault) {
	c.With(rules.Unbounded).File(f.Span, "%s: some checks are incomplete", f.Detail)
})

var NoABI = faultRule(rules.Rule{ID: "SF5034"}, reader.OtherMachine, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "SFrame defines no ABI for such a file (%s): the SFrame data was checked as sfh_abi_arch says, without relocations, symbols and code", f.Detail)
})

var Ignored = emptyRule(rules.Rule{ID: "SF5035"}, func(c *rules.Context) bool { // SF5014 reports a segment that has bytes where the section has none
	p, ok := segment(c.Object)
	return c.Object.Linked() && !(ok && p.Filesz > 0)
}, "%s has size 0 in a linked file, because of --discard-sframe or because the linker ignored all inputs: a tracer stops at each function")
