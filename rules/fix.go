package rules

import (
	"crypto/sha256"

	"github.com/sframe-lint/sframe-lint/internal/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// Edit replaces bytes of the object. Bytes can be removed only at the object's
// end.
type Edit struct {
	Span model.Span // in the object, bytes
	New  []byte     // as long as Span, or empty at the object's end
	// Sum is the SHA-256 of the replaced bytes, zero if it is not known. Rules do
	// not set it; package lint does before it applies fixes.
	Sum [sha256.Size]byte
}

// Fix is a byte-exact repair of a finding.
type Fix struct {
	Message string
	// Safe says that every consumer reads the repaired data as it was meant. An
	// unsafe fix may be wrong: it rests on a guess.
	Safe bool
	// Reveals says that rules can check more of the repaired data than before, so
	// that new findings do not show that the fix does harm.
	Reveals bool
	Edits   []Edit
}

// WithFix returns a context whose reports include the fix.
func (c *Context) WithFix(fix Fix) *Context {
	if len(fix.Edits) == 0 {
		return c
	}
	d := *c
	d.fixes = append(d.fixes[:len(d.fixes):len(d.fixes)], fix)
	return &d
}

// WithoutBudget returns a context whose reports are kept even if the memory budget is
// exceeded, for findings that give the reason for that.
func (c *Context) WithoutBudget() *Context {
	d := *c
	d.free = true
	return &d
}

// SectionEdit returns an edit of bytes of the section, relative to its start.
func (c *Context) SectionEdit(sp model.Span, data []byte) Edit {
	return Edit{Span: model.Span{Off: sp.Off + c.SFrame.Offset, Len: sp.Len}, New: data}
}

// SetField returns an edit that writes v to a field of the section.
func (c *Context) SetField(sp model.Span, v uint64) Edit {
	b := make([]byte, sp.Len)
	number.Put(c.Section.ByteOrder(), b, v)
	return c.SectionEdit(sp, b)
}

// SetELF returns an edit that writes v to a field of an ELF header, or no edit if the byte
// order is not known.
func (c *Context) SetELF(sp model.Span, v uint64) Edit {
	if c.Object.ELF.Order == nil {
		return Edit{}
	}
	b := make([]byte, sp.Len)
	number.Put(c.Object.ELF.Order, b, v)
	return Edit{Span: sp, New: b}
}

// Repair returns a context whose reports include a safe fix: v is the correct
// value of the field at sp in the section.
func (c *Context) Repair(message string, sp model.Span, v uint64) *Context {
	if sp.Len == 0 || sp.End() > c.Section.Size() || c.cuts() {
		return c
	}
	return c.WithFix(Fix{Message: message, Safe: true, Edits: []Edit{c.SetField(sp, v)}})
}
