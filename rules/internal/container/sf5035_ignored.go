package container

import "github.com/sframe-lint/sframe-lint/rules"

var Ignored = emptyRule(rules.Rule{
	ID:       "SF5035",
	Severity: rules.Note,
}, func(c *rules.Context) bool { // SF5014 reports a segment that has bytes where the section has none
	p, ok := segment(c.Object)
	return c.Object.Linked() && !(ok && p.Filesz > 0)
}, "%s has size 0 in a linked file: the link has discarded the SFrame data (--discard-sframe), or the linker ignored that of all inputs; a tracer stops at each function")
