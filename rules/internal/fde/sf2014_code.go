package fde

import (
	"debug/elf"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// NotCode returns the rule on functions outside executable sections. It skips sections whose names match a pattern in
// allowed.
func NotCode(allowed []string) *rules.Rule {
	return rules.New(rules.Rule{
		ID:       "SF2014",
		Files:    rules.ELFFiles,
		Needs:    rules.FDEsKnown | rules.StartsAsFlagged,
		Requires: []*analysis.Analyzer{prereq.CodeRanges},
	}, func(c *rules.Context) {
		if c.Object.Relocatable() {
			c.FDEs(nil, func(f model.FDE) {
				if !allows(allowed, c.Object.ELF, f) {
					checkPlace(c, f)
				}
			})
			return
		}
		text := prereq.Get[prereq.Code](c.Pass, prereq.CodeRanges)
		if len(text.AddrRanges) == 0 {
			return
		}
		check := func(f model.FDE) {
			if !text.Holds(f.Start(), f.Size()) && !allows(allowed, c.Object.ELF, f) {
				checkCode(c, text, f)
			}
		}
		if prereq.Distinct(c.Section) {
			text.Suspects(c.Section, check)
			return
		}
		for f := range c.Section.Functions() {
			if !text.Holds(f.Start, f.Size) {
				check(c.Section.FDE(int(f.FDE)))
			}
		}
	})
}

// allows reports whether a function is in a section whose name matches one of the patterns.
func allows(patterns []string, e *reader.ELF, f model.FDE) bool {
	section, _, ok := e.Within(f.Place(), f.Start())
	return ok && section > 0 && slices.ContainsFunc(patterns, func(p string) bool { return lookup.Match(p, e.Sections[section].Name) })
}

// checkCode reports a function of a linked file that leaves the code. SF2019
// reports one that wraps around the address space.
func checkCode(c *rules.Context, text prereq.Code, f model.FDE) {
	start := f.Start()
	switch r, ok := text.At(start); {
	case !ok:
		c.FDE(f, model.FDEStart, "the function starts at 0x%x, which is %s and not executable: the FDE describes code that does not exist", start, sectionAt(c.Object.ELF, start))
	case !wraps(f):
		c.FDE(f, model.FDEFuncSize, "the function at 0x%x ends at 0x%x (%s %d), but its executable section ends at 0x%x: the FDE describes code that does not exist",
			start, f.End(), c.Section.FieldName(model.FDEFuncSize), f.Size(), r.Last+1)
	}
}

// checkPlace reports a function of a relocatable file that does not lie in
// an executable section. The rules on relocations report unknown prereq.
func checkPlace(c *rules.Context, f model.FDE) {
	secs := c.Object.ELF.Sections
	if !f.Resolved() || f.Place() <= 0 || f.Place() >= len(secs) {
		return
	}
	s := secs[f.Place()]
	switch {
	case s.Flags&elf.SHF_EXECINSTR == 0:
		c.With(rules.Help("give the section the flags \"ax\" in the source if it is code")).FDE(f, model.FDEStart, "the function starts in section %d (%s), which is not executable: the FDE describes code that does not exist", f.Place(), s.Name)
	case f.Start() > s.Size || f.Start() == s.Size && f.Size() > 0:
		c.FDE(f, model.FDEStart, "the function starts at 0x%x of section %d (%s), which has 0x%x bytes: the FDE describes code that does not exist", f.Start(), f.Place(), s.Name, s.Size)
	case uint64(f.Size()) > s.Size-f.Start():
		c.FDE(f, model.FDEFuncSize, "the function from 0x%x to 0x%x (%s %d) exceeds section %d (%s) of 0x%x bytes: the FDE describes code that does not exist",
			f.Start(), f.End(), c.Section.FieldName(model.FDEFuncSize), f.Size(), f.Place(), s.Name, s.Size)
	}
}

// sectionAt describes the place of an address in a linked file.
func sectionAt(e *reader.ELF, addr uint64) string {
	if i, ok := e.SectionAt(addr); ok && e.Sections[i].Name != "" {
		return "in " + e.Sections[i].Name
	}
	return "in no section"
}

var Misread = rules.New(rules.Rule{
	ID:       "SF2015",
	Files:    rules.LinkedFiles,
	Needs:    rules.FDEsKnown,
	Requires: []*analysis.Analyzer{prereq.Misread},
}, func(c *rules.Context) {
	if !prereq.Get[bool](c.Pass, prereq.Misread) {
		return
	}
	is, base := "clear", "its field"
	if prereq.PCRel(c.Section) {
		is, base = "set", "the section"
	}
	c.At(model.HdrFlags.Span(), "SFRAME_F_FDE_FUNC_START_PCREL is %s, but the functions lie in code only if each start is relative to %s: consumers find wrong functions or none", is, base)
})
