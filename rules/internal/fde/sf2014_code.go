package fde

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
	"github.com/sframe-lint/sframe-lint/rules/internal/starts"
)

// NotCode finds functions that do not lie in code.
var NotCode = sound.Rule(rules.Rule{
	ID:       "SF2014",
	Title:    "function outside executable sections",
	Clause:   "The SFrame FDE Index",
	Severity: rules.Error,
	Text: `Every byte of a function lies in one executable section (SHF_EXECINSTR). An FDE
whose function starts elsewhere, or runs over the end of its section, describes code that
is not there: a linker has kept the FDE of a section that it discarded, or has computed
the start wrongly. The Linux kernel rejects a section with such a start; others may find
the FDE for PCs that it was never meant for.

Code that is copied to where it runs is no fault where it stands, as in .init.text and
.rodata.text of Linux: ` + "`allow-sections`" + ` of the configuration names such sections.`,
	Fix:  `Find the function that the FDE was meant for; report the linker, if it was discarded.`,
	Good: `.text is 0x1000 to 0x1400: start 0x1000, size 0x40`,
	Bad:  `.text is 0x1000 to 0x1400: start 0x13f0, size 0x40`,
	Bugs: []string{"https://github.com/davidlattimore/wild/pull/1871"},
}, func(c *rules.Context) {
	if c.Relocatable() {
		c.EachFDE(func(f model.FDE) { checkPlace(c, f) })
		return
	}
	text := starts.CodeOf(c)
	if len(text) == 0 || starts.Misread(c) {
		return
	}
	if starts.Distinct(c.Section) {
		text.Suspects(c.Section, func(f model.FDE) { checkCode(c, text, f) })
		return
	}
	c.EachFDE(func(f model.FDE) { checkCode(c, text, f) })
})

// checkCode reports a function of a linked file that leaves the code. One
// that wraps around the address space is SF2019's.
func checkCode(c *rules.Context, text starts.Code, f model.FDE) {
	start := f.Start()
	if text.Holds(start, f.Size()) {
		return
	}
	switch r, ok := text.At(start); {
	case !ok:
		c.FDE(f, model.FDEStart, "the function starts at 0x%x, which is %s and not executable: the FDE describes code that is not there, and the Linux kernel rejects the section", start, sectionAt(c.Object.ELF, start))
	case !wraps(f):
		c.FDE(f, model.FDEFuncSize, "%s is %d: the function at 0x%x runs to 0x%x, but its executable section ends at 0x%x, so the FDE describes code that is not there",
			name(c, model.FDEFuncSize), f.Size(), start, f.End(), r.Last+1)
	}
}

// checkPlace reports a function of a relocatable file that does not lie in
// an executable section. Starts that are not known are the relocations'
// matter.
func checkPlace(c *rules.Context, f model.FDE) {
	secs := c.Object.ELF.Sections
	if !f.Resolved() || f.Place() <= 0 || f.Place() >= len(secs) {
		return
	}
	s := secs[f.Place()]
	switch {
	case s.Flags&elf.SHF_EXECINSTR == 0:
		c.FDE(f, model.FDEStart, "the function starts in section %d (%s), which is not executable: the FDE describes code that is not there", f.Place(), s.Name)
	case f.Start() > s.Size || f.Start() == s.Size && f.Size() > 0:
		c.FDE(f, model.FDEStart, "the function starts at 0x%x of section %d (%s), which has 0x%x bytes: the FDE describes code that is not there", f.Start(), f.Place(), s.Name, s.Size)
	case uint64(f.Size()) > s.Size-f.Start():
		c.FDE(f, model.FDEFuncSize, "%s is %d: the function runs from 0x%x to 0x%x of section %d (%s), which has 0x%x bytes, so the FDE describes code that is not there",
			name(c, model.FDEFuncSize), f.Size(), f.Start(), f.End(), f.Place(), s.Name, s.Size)
	}
}
