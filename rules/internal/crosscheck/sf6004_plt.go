package crosscheck

import (
	"debug/elf"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

// isPLT reports whether a section contains a linker's stubs.
func isPLT(s *reader.Section) bool {
	return isCode(s) && proof.Stubs(s.Name)
}

// plts lists the indices of the sections of a linked file that contain stubs.
func plts(c *rules.Context) []int {
	var all []int
	for _, i := range c.Object.ELF.CodeSections() {
		if isPLT(&c.Object.ELF.Sections[i]) {
			all = append(all, i)
		}
	}
	return all
}

// pltAlone reports whether all functions of a linked file's section are stubs.
func pltAlone(c *rules.Context) bool {
	if !c.Object.Linked() || c.Section.NumFDEs() == 0 {
		return false
	}
	var all reader.AddrRanges
	for _, i := range plts(c) {
		s := &c.Object.ELF.Sections[i]
		all = all.With(s.Addr, s.Size)
	}
	all = all.Normal()
	// A PLT has few FDEs, so the first that is not in it comes soon.
	for i := range c.Section.NumFDEs() {
		if _, ok := all.At(c.Section.FDE(i).Start()); !ok {
			return false
		}
	}
	return true
}

// covered returns the addresses that the functions of a section cover.
func covered(s *model.Section) reader.AddrRanges {
	var all reader.AddrRanges
	for i := range s.NumFDEs() {
		if f := s.FDE(i); f.Resolved() {
			all = all.With(f.Start(), uint64(f.Size()))
		}
	}
	return all.Normal()
}

var PLTAlone = rules.New(rules.Rule{
	ID:    "SF6004",
	Files: rules.LinkedFiles,
	Needs: rules.FDEsKnown | rules.AllFDEsKnown | rules.StartsAsFlagged,
}, func(c *rules.Context) {
	if !pltAlone(c) {
		return
	}
	if name, ok := anyFunction(c); ok {
		c.At(model.HdrNumFDEs.Span(), "the section has %s for the PLT, but none for functions such as \"%s\": a tracer stops there", rules.Count(c.Section.NumFDEs(), "FDE"), name)
	}
})

// anyFunction returns the name of a function that is not a stub.
func anyFunction(c *rules.Context) (name string, ok bool) {
	e := c.Object.ELF
	for i := range e.Symbols.Len() {
		y, ok := e.Symbols.Symbol(i)
		if !ok {
			break // the rest can't be read, or the budget is exceeded
		}
		if y.Type == elf.STT_FUNC && !y.Reserved && y.Section > 0 && y.Section < len(e.Sections) && isCode(&e.Sections[y.Section]) && !isPLT(&e.Sections[y.Section]) {
			return y.Name, true
		}
	}
	return "", false
}

var PLTUncovered = rules.New(rules.Rule{
	ID:    "SF6005",
	Files: rules.LinkedFiles,
	Needs: rules.FDEsKnown | rules.AllFDEsKnown | rules.StartsAsFlagged,
}, func(c *rules.Context) {
	if !c.Object.Linked() || c.Section.NumFDEs() == 0 {
		return
	}
	all := plts(c)
	if len(all) == 0 {
		return
	}
	fdes := covered(c.Section)
	whole := false // an FDE covers the first stub of a PLT
	for _, i := range all {
		s := &c.Object.ELF.Sections[i]
		_, ok := fdes.At(s.Addr)
		whole = whole || ok
	}
	switch {
	case c.Object.ELF.Machine != elf.EM_X86_64 || !isDynamic(c.Object.ELF):
		c = c.With(rules.Help("leave it so: no linker writes an FDE for these stubs"))
	case c.Section.Version().Info().OutermostFDE && !strings.Contains(producers.Of(c.Object).Comment, mold):
		c = c.With(rules.Help("link without --gc-sections: with it GNU ld drops the FDEs of a PLT"))
	}
	for _, i := range all {
		s := &c.Object.ELF.Sections[i]
		first, last := gap(fdes, s)
		switch {
		case first == last:
		case first == s.Addr && last == s.Addr+s.Size:
			const text = "no FDE covers %s (0x%x to 0x%x): a tracer stops in its stubs"
			if whole && c.Section.Version().Info().OutermostFDE { // linkers that write such a version cover all stubs
				c.With(rules.Help(lostStubs)).With(rules.AtPC(0, s.Addr)).File(s.Header, text, s.Name, s.Addr, s.Addr+s.Size)
			} else {
				c.With(rules.AtMost(rules.Note)).File(s.Header, text, s.Name, s.Addr, s.Addr+s.Size)
			}
		default:
			if _, ok := evidence.Frames(c).At(0, first); !ok {
				c.With(rules.Help(lostStubs)).With(rules.AtPC(0, first)).File(s.Header, "the FDEs cover only part of %s (0x%x to 0x%x), not the stubs from 0x%x to 0x%x: a tracer stops there",
					s.Name, s.Addr, s.Addr+s.Size, first, last)
			}
		}
	}
})

// mold is in the .comment of what it has linked.
const mold = "mold "

func isDynamic(e *reader.ELF) bool {
	return slices.ContainsFunc(e.Segments, func(s reader.Segment) bool { return s.Type == elf.PT_DYNAMIC })
}

// lostStubs is the advice where the linker has covered other stubs.
const lostStubs = "link again: GNU ld 2.46 and later cover all stubs"

// gap returns the first addresses of a section that are not among others, or the last ones. They are the same if both
// its first and its last address are.
func gap(fdes reader.AddrRanges, s *reader.Section) (first, last uint64) {
	end := s.Addr + s.Size
	if _, ok := fdes.At(s.Addr); ok {
		first = s.Addr
		for _, r := range fdes {
			if r.First < end {
				first = max(first, r.Last+1)
			}
		}
		return min(first, end), end
	}
	last = end
	for _, r := range fdes {
		if r.First > s.Addr {
			last = min(last, r.First)
		}
	}
	return s.Addr, last
}
