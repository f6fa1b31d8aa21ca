package rules

import (
	"debug/elf"
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/survey"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Context is what a rule made with [New] works with.
type Context struct {
	Pass    *analysis.Pass
	Object  *reader.Object
	SFrame  *reader.SFrame // nil for a rule with scope PerObject
	Section *model.Section // nil where the section has no model

	bounds *Limits
	fixes  []Fix
}

// MayReadCode tells whether the object's machine code is small enough to be
// read. A rule that is told no must not look; the user is told that it did
// not.
func (c *Context) MayReadCode() bool {
	return c.within("machine code", func(l *Limits) int64 { return l.Code }, func(s *reader.Section) bool {
		return s.Flags&elf.SHF_EXECINSTR != 0 && s.Type != elf.SHT_NOBITS
	})
}

// MayReadSymbols tells the same of the object's symbol tables.
func (c *Context) MayReadSymbols() bool {
	return c.within("symbol tables", func(l *Limits) int64 { return l.Symbols }, func(s *reader.Section) bool {
		return s.Type == elf.SHT_SYMTAB || s.Type == elf.SHT_DYNSYM
	})
}

// within tells whether the sections of a kind are together within a limit.
func (c *Context) within(what string, limit func(*Limits) int64, kind func(*reader.Section) bool) bool {
	if c.bounds == nil || limit(c.bounds) < 0 || c.Object.ELF == nil {
		return true
	}
	var sum uint64
	for i := range c.Object.ELF.Sections {
		if s := &c.Object.ELF.Sections[i]; kind(s) {
			sum += s.Size
		}
	}
	if sum <= uint64(limit(c.bounds)) {
		return true
	}
	c.bounds.Skipped(fmt.Sprintf("%d bytes of %s, more than the limit of %d", sum, what, limit(c.bounds)))
	return false
}

// StartsTrusted tells whether the functions' starts can be relied on. In a
// relocatable file they can't where the relocations are not one for each FDE,
// which rules on the container report.
func (c *Context) StartsTrusted() bool {
	return !c.Relocatable() || len(c.SFrame.Relocs) == c.Section.NumFDEs() &&
		!c.Survey().Has(survey.FunctionUnknown)
}

// Survey returns the summary of the section's FDEs and FREs.
func (c *Context) Survey() *survey.Survey { return c.SFrame.Survey() }

// Header reports at a field of the section's header.
func (c *Context) Header(f model.HeaderField, format string, args ...any) {
	c.At(f.Span(), format, args...)
}

// At reports bytes of the section.
func (c *Context) At(sp model.Span, format string, args ...any) {
	c.report(sectionPos(sp.Off), sp.Len, Place{-1, -1}, format, args...)
}

// FDE reports a field of an FDE; where the version has no such field, or it
// could not be read, the whole entry.
func (c *Context) FDE(f model.FDE, field model.FDEField, format string, args ...any) {
	sp := f.FieldSpan(field)
	if sp.Len == 0 || sp.End() > c.Section.Size() {
		sp = f.Span()
	}
	c.report(sectionPos(sp.Off), sp.Len, Place{f.Index(), -1}, format, args...)
}

// InFDE reports bytes of the section that belong to an FDE.
func (c *Context) InFDE(fde int, sp model.Span, format string, args ...any) {
	c.report(sectionPos(sp.Off), sp.Len, Place{fde, -1}, format, args...)
}

// FRE reports bytes of a row.
func (c *Context) FRE(r model.FRE, sp model.Span, format string, args ...any) {
	c.report(sectionPos(sp.Off), sp.Len, Place{r.FDEIndex(), r.Index()}, format, args...)
}

// Fault reports the bytes of a reader's fault.
func (c *Context) Fault(f reader.Fault, format string, args ...any) {
	c.report(sectionPos(f.Span.Off), f.Span.Len, Place{f.FDE, f.FRE}, format, args...)
}

// File reports bytes of the object: of its ELF structure, say.
func (c *Context) File(sp model.Span, format string, args ...any) {
	c.report(filePos(sp.Off), sp.Len, Place{-1, -1}, format, args...)
}

// FileFDE reports bytes of the object that concern an FDE.
func (c *Context) FileFDE(fde int, sp model.Span, format string, args ...any) {
	c.report(filePos(sp.Off), sp.Len, Place{fde, -1}, format, args...)
}

func (c *Context) report(pos token.Pos, n int64, at Place, format string, args ...any) {
	// A message is not worth writing that would be cut.
	if c.bounds != nil && c.bounds.Room != nil && !c.bounds.Room() {
		return
	}
	c.Pass.Report(analysis.Diagnostic{
		Pos: pos, End: pos + token.Pos(n),
		Category: at.category(),
		Message:  fmt.Sprintf(format, args...),

		SuggestedFixes: c.suggested(),
	})
}

// Faults calls yield for the section's faults of a code.
func (c *Context) Faults(code reader.FaultCode, yield func(reader.Fault)) {
	for _, f := range c.SFrame.Faults {
		if f.Code == code {
			yield(f)
		}
	}
}

// EachFDE calls yield for every FDE.
func (c *Context) EachFDE(yield func(model.FDE)) {
	for i := range c.Section.NumFDEs() {
		yield(c.Section.FDE(i))
	}
}

// FDEs reports the FDEs whose info, info2 or rep_size are bad. It costs
// nothing where the survey shows that none is.
func (c *Context) FDEs(bad func(model.FDE) bool, report func(model.FDE)) {
	if !c.Survey().AnyKind(bad) {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if f.HasAttr() && bad(f) {
			report(f)
		}
	})
}

// Rows reports the rows whose content is bad: PC type, FDE type, info byte
// and data words, nothing else. It costs nothing where the survey shows that
// none is.
func (c *Context) Rows(bad func(model.FRE) bool, report func(model.FRE)) {
	if !c.Survey().AnyRow(bad) {
		return
	}
	c.EachRow(func(r model.FRE) {
		if bad(r) {
			report(r)
		}
	})
}

// EachRow calls yield for every row of the section.
func (c *Context) EachRow(yield func(model.FRE)) {
	c.EachFDE(func(f model.FDE) {
		for r := range f.FREs() {
			yield(r)
		}
	})
}

// Linked tells whether the section stands in a linked ELF file.
func (c *Context) Linked() bool { return c.Object.ELF != nil && !c.Relocatable() }

// Relocatable tells whether the section stands in a relocatable file, whose
// functions have no addresses yet.
func (c *Context) Relocatable() bool { return relocatable(c.Object) }

func relocatable(o *reader.Object) bool { return o.ELF != nil && o.ELF.Type == elf.ET_REL }
