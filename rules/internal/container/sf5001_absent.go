package container

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/evidence/drops"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Absent reports files with code but without SFrame data. It is opt-in, because most files have none.
var Absent = rules.New(rules.Rule{ID: "SF5001", Scope: rules.PerObject, OptIn: true}, func(c *rules.Context) {
	o := c.Object
	if o.ELF == nil || !hasCode(o.ELF) {
		return
	}
	switch o.Status {
	case reader.StatusNoSFrame:
		detail, help := o.Detail, ""
		switch named := len(o.ELF.Sections) > 0; {
		case slices.ContainsFunc(o.ELF.Sections, func(s reader.Section) bool { return s.Name == ".gopclntab" }):
			help = "use a tracer that follows frame pointers: the Go compiler writes no SFrame data"
		case named && !drops.HasCFI(o.ELF):
			detail, help = "no CFI to make it from", drops.NoCFIHelp
		case linked(o):
			help = dropped[producers.Linker(o.ELF)]
		}
		if help != "" {
			c = c.With(rules.Help(help))
		}
		c.File(elf64.Ehdr, "the file has executable code but no SFrame data (%s): a stack tracer stops at its functions", detail)
	case reader.StatusEmpty:
		for _, f := range o.SFrames {
			if s, ok := o.ELF.SectionOf(f); ok {
				c.File(shSize.in(s.Header), "sh_size of %s is 0, but the file has executable code: a stack tracer stops at its functions", s.Name)
			}
		}
	}
})

// dropped is the help for files of linkers that lose the data of their inputs.
var dropped = map[string]string{
	"lld":  "compile with -Wa,--gsframe, and link with GNU ld 2.46 or later or with mold 3 or later (-fuse-ld=bfd, -fuse-ld=mold): lld drops the section with --gc-sections, and does not merge it otherwise",
	"mold": "compile with -Wa,--gsframe of GNU as 2.46 or later, and link with mold 3 or later: mold drops sections that it does not merge",
}

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

// emptyRule makes a rule that reports sections of size 0 in one kind of file.
func emptyRule(r rules.Rule, in func(*rules.Context) bool, format string) *rules.Rule {
	r.Scope = rules.PerBytes
	return rules.New(r, func(c *rules.Context) {
		if !in(c) {
			return
		}
		if s, ok := c.Object.ELF.SectionOf(c.SFrame); ok && s.Size == 0 {
			c.File(s.Header, format, s.Name)
		}
	})
}

var Placeholder = emptyRule(rules.Rule{
	ID: "SF5002",
}, func(c *rules.Context) bool { return c.Object.Relocatable() }, "%s has size 0 and thus no header: GNU ld treats the section as absent, but other linkers have reported it as corrupt")
