package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/elf64"
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
sections. A file without code needs no SFrame data and is not reported.
With ` + "`--require-sframe`" + ` the rule also reports object files of one run whose versions differ: a linker
merges one version, and the functions of the other inputs then have no SFrame data.`,
	Fix:  "Compile with `-Wa,--gsframe`. If the object files have the section, check what the linker did with it.",
	Good: `.text and .sframe`,
	Bad:  `.text only`,
}, func(c *rules.Context) {
	o := c.Object
	if o.ELF == nil || !hasCode(o.ELF) {
		return
	}
	switch o.Status {
	case reader.StatusNoSFrame:
		c.File(elf64.Ehdr, "the file has executable code but no SFrame data (%s): a stack tracer cannot pass its functions", o.Detail)
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

// emptyRule makes a rule that reports sections of size 0 in one kind of file.
func emptyRule(r rules.Rule, in func(*rules.Context) bool, format string) *rules.Rule {
	r.Clause, r.Scope = "SFrame Section", rules.PerBytes
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
	ID:       "SF5002",
	Title:    "empty .sframe section in an object file",
	Severity: rules.Note,
	Text: `The section has no bytes, not even a header. gas 2.45 writes such a
placeholder for a file without a function to describe, and ` + "`ld -r`" + ` of GNU ld leaves one in
the output if it ignores the SFrame sections of its inputs. GNU ld treats it as absent;
other linkers have reported it as corrupt. SF5035 reports a linked file.`,
	Fix:  "Link inputs of the version that the linker writes, if `ld -r` wrote the file. A file without functions needs no fix.",
	Good: `no .sframe section, or sh_size = 0x1c with sfh_num_fdes = 0`,
	Bad:  `.sframe with sh_size = 0`,
	Bugs: []string{"https://github.com/rui314/mold/issues/1646"},
}, (*rules.Context).Relocatable, "%s has size 0 and so no header: GNU ld treats it as absent, other linkers have reported it as corrupt")

var Ignored = emptyRule(rules.Rule{
	ID:       "SF5035",
	Title:    "empty .sframe section in a linked file",
	Severity: rules.Note,
	Text: `The inputs had SFrame sections, or the linker would not have made one, but the section of the
output has no bytes. Either the link has the option --discard-sframe (GNU ld 2.46 and later), which leaves such
a section on purpose and without PT_GNU_SFRAME. Or the linker ignored the data of all inputs, as GNU ld 2.47
ignores sections of versions 1 and 2. The file does not show which. A tracer by SFrame stops at each function of
the file, as in a file without the section; ` + "`--require-sframe`" + ` reports it as an error, and ` + "`sframe-lint link`" + `
compares the output with the inputs.`,
	Fix: `Link inputs of the version that the linker writes, without --discard-sframe, and look for
"SFrame section ignored" in its output.`,
	Good: `.sframe with a header and FDEs`,
	Bad:  `.sframe with sh_size = 0 in an executable`,
}, func(c *rules.Context) bool { // SF5014 reports a segment that has bytes where the section has none
	p, ok := segment(c.Object)
	return c.Linked() && !(ok && p.Filesz > 0)
}, "%s has size 0 in a linked file: the link has discarded the SFrame data (--discard-sframe), or the linker ignored that of all inputs; a tracer stops at each function")

var NoABI = faultRule(rules.Rule{
	ID:    "SF5034",
	Title: "file without an SFrame ABI",
	Text: `The format has ABIs for 64-bit ELF files of a few machines and byte orders.
This file is another one, so no sfh_abi_arch is right for it. Linkers and unwinders of
its machine do not support the section; objdump and llvm-readobj print it by its own
sfh_abi_arch. The section was checked in the same way, as a raw section: relocations,
symbols and machine code were not read.`,
	Fix:  `Build the file for a machine that has an ABI, or leave the section out.`,
	Good: `ELFCLASS64, e_machine = 62 (x86-64), sfh_abi_arch = 3`,
	Bad:  `ELFCLASS64, e_machine = 243 (RISC-V), sfh_abi_arch = 3`,
}, reader.OtherMachine, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "the file is %s, for which the format has no ABI: its SFrame data were checked by their own sfh_abi_arch, without relocations, symbols and code", f.Detail)
})
