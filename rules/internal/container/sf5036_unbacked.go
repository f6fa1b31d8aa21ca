package container

import (
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

var Unbacked = rules.New(rules.Rule{ID: "SF5036", Scope: rules.PerObject}, func(c *rules.Context) {
	if c.Object.ELF == nil {
		return
	}
	faults(c, reader.SectionContradicted, func(f reader.Fault) {
		c.File(f.Span, "%s: rules that need these bytes did not check the file", f.Detail)
	})
	if !described(c.Object) {
		return
	}
	frames := evidence.Frames(c)
	if frames == nil {
		return
	}
	for i := range frames.Skipped {
		s := &frames.Skipped[i]
		if s.Limit || s.Index > 0 && isHeaderFault(c, s.Index) {
			continue
		}
		c.File(place(c, s.Index), "%s can't be read (%s): rules on CFI skipped the affected functions", s.Name, s.Why)
	}
	for i := range frames.Sections {
		longEntries(c, &frames.Sections[i])
	}
})

// described reports whether the object has an FDE.
func described(o *reader.Object) bool {
	for _, f := range o.SFrames {
		if f.Section != nil && f.Section.NumFDEs() > 0 {
			return true
		}
	}
	return false
}

// isHeaderFault reports whether a fault of the reader is about the header of a section.
func isHeaderFault(c *rules.Context, section int) bool {
	h := c.Object.ELF.Sections[section].Header
	for _, f := range c.Object.Faults {
		if f.Span.Off >= h.Off && f.Span.Off < h.End() {
			return true
		}
	}
	return false
}

// place returns the place of a section's header, of the ELF header for none.
func place(c *rules.Context, section int) model.Span {
	if section == 0 {
		return model.Span{Len: elf64.EhdrSize}
	}
	return elf64.In(c.Object.ELF.Sections[section].Header.Off, elf64.ShdrPlace)
}

// longEntries reports the entries after which a section with CFI cannot be read.
func longEntries(c *rules.Context, s *cfi.Loaded) {
	for _, f := range s.Faults() {
		if !f.Code.Ends() || s.Index > 0 && isHeaderFault(c, s.Index) {
			continue
		}
		at := f.Span
		if at.Off += s.Offset; s.Offset < 0 {
			at = place(c, s.Index)
		}
		c.File(at, "the rest of %s can't be read (%s+0x%x: %v): rules on CFI skipped the affected functions",
			s.Name, s.Name, f.Span.Off, f.Code)
	}
}
