package rules

import (
	"crypto/sha256"

	"github.com/sframe-lint/sframe-lint/internal/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// Edit replaces bytes of the object. Bytes can be removed only where the
// object ends.
type Edit struct {
	Span model.Span // in the object, bytes
	New  []byte     // as long as Span, or empty at the object's end
	// Sum is the SHA-256 of the bytes that are replaced, zero where it is not known.
	// Rules leave it out; package lint sets it before it applies fixes.
	Sum [sha256.Size]byte
}

// Fix is a byte-exact repair of a finding.
type Fix struct {
	Message string
	// Safe reports that no consumer can read the repaired data otherwise than
	// it was meant; an unsafe fix rests on a guess at what was meant.
	Safe bool
	// Reveals reports that rules can check more of the repaired data than before: new
	// findings do not show that the fix does harm.
	Reveals bool
	Edits   []Edit
}

// WithFix returns a context whose reports carry the fix.
func (c *Context) WithFix(fix Fix) *Context {
	if len(fix.Edits) == 0 {
		return c
	}
	d := *c
	d.fixes = append(d.fixes[:len(d.fixes):len(d.fixes)], fix)
	return &d
}

// WithoutBudget returns a context whose reports are kept whatever is left of the budget
// of memory: the reason why it is exceeded must not be left out for it.
func (c *Context) WithoutBudget() *Context {
	d := *c
	d.free = true
	return &d
}

// SectionEdit is an edit of bytes that count from the section's start.
func (c *Context) SectionEdit(sp model.Span, data []byte) Edit {
	return Edit{Span: model.Span{Off: sp.Off + c.SFrame.Offset, Len: sp.Len}, New: data}
}

// SetField is an edit that writes a number to a field of the section.
func (c *Context) SetField(sp model.Span, v uint64) Edit {
	b := make([]byte, sp.Len)
	number.Put(c.Section.ByteOrder(), b, v)
	return c.SectionEdit(sp, b)
}

// SetELF is an edit that writes a number to a field of a header of the ELF file; no edit where
// the order of bytes is not known.
func (c *Context) SetELF(sp model.Span, v uint64) Edit {
	if c.Object.ELF.Order == nil {
		return Edit{}
	}
	b := make([]byte, sp.Len)
	number.Put(c.Object.ELF.Order, b, v)
	return Edit{Span: sp, New: b}
}

// Repair returns a context whose reports carry a safe fix: the number that
// belongs in a field of the section.
func (c *Context) Repair(message string, sp model.Span, v uint64) *Context {
	if sp.Len == 0 || sp.End() > c.Section.Size() || c.cuts() {
		return c
	}
	return c.WithFix(Fix{Message: message, Safe: true, Edits: []Edit{c.SetField(sp, v)}})
}
