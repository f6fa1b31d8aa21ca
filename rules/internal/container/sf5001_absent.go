package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Absent finds files of code without SFrame data. It is opt-in, because most
// files have none.
var Absent = rules.New(rules.Rule{
	ID:       "SF5001",
	Title:    "code without SFrame data",
	Clause:   "Overview",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	OptIn:    true,
	Text: `The file has executable code but no SFrame data: the .sframe section is
missing or empty. A stack tracer that relies on SFrame stops at the first function of
this file. Some linkers lose the data without a message: ` + "`--gc-sections`" + ` of GNU ld
2.40 drops every .sframe section, mold drops sections of versions that it does not
merge, and GNU ld 2.45 and later write an empty section if they ignore the inputs'
sections. A file without code needs no SFrame data and is not reported.`,
	Fix:  `Assemble with ` + "`--gsframe`" + `. If the object files have the section, check what the linker did with it.`,
	Good: `.text and .sframe`,
	Bad:  `.text only`,
}, func(c *rules.Context) {
	o := c.Object
	if o.ELF == nil || !hasCode(o.ELF) {
		return
	}
	switch o.Status {
	case reader.StatusNoSFrame:
		c.File(ehdr, "the file has executable code but no SFrame data (%s): a stack tracer cannot pass its functions", o.Detail)
	case reader.StatusEmpty:
		for _, f := range o.SFrames {
			if s, ok := o.ELF.SectionOf(f); ok {
				c.File(shSize.in(s.Header), "sh_size of %s is 0, but the file has executable code: a stack tracer cannot pass its functions", s.Name)
			}
		}
	}
})

// hasCode reports whether the file contains code. A file of debug information
// has section headers for code but not the code.
func hasCode(e *reader.ELF) bool {
	for i := range e.Sections {
		s := &e.Sections[i]
		if s.Flags&elf.SHF_EXECINSTR != 0 && s.Type != elf.SHT_NOBITS && s.Size > 0 {
			return true
		}
	}
	if len(e.Sections) > 0 {
		return false
	}
	for _, p := range e.Segments {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && p.Filesz > 0 {
			return true
		}
	}
	return false
}
