package container

import "github.com/sframe-lint/sframe-lint/rules"

// Placeholder finds sections of size 0.
var Placeholder = rules.New(rules.Rule{
	ID:       "SF5002",
	Title:    "empty .sframe section in an object file",
	Clause:   "SFrame Section",
	Severity: rules.Note,
	Scope:    rules.PerBytes,
	Text: `The section has no bytes, not even a header. gas 2.45 writes such a
placeholder for a file without a function to describe, and ` + "`ld -r`" + ` of GNU ld leaves one in
the output if it ignores the SFrame sections of its inputs. GNU ld treats it as absent;
other linkers have reported it as corrupt. SF5035 reports a linked file.`,
	Fix:  `An object file without functions needs no fix. After ` + "`ld -r`" + `, link inputs of the version that the linker writes.`,
	Good: `no .sframe section, or sh_size = 0x1c with sfh_num_fdes = 0`,
	Bad:  `.sframe with sh_size = 0`,
	Bugs: []string{"https://github.com/rui314/mold/issues/1646"},
}, func(c *rules.Context) {
	if c.Object.ELF == nil || !c.Relocatable() {
		return
	}
	if s, ok := c.Object.ELF.SectionOf(c.SFrame); ok && s.Size == 0 {
		c.File(s.Header, "%s has size 0 and so no header: GNU ld treats it as absent, other linkers have reported it as corrupt", s.Name)
	}
})
