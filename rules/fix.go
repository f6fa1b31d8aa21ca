package rules

import (
	"crypto/sha256"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Edit replaces bytes of the object. It can remove bytes only at the object's end.
type Edit struct {
	Span model.Span // in the object, bytes
	New  []byte     // as long as Span, or empty at the object's end
	// Sum is the SHA-256 hash of the replaced bytes, zero if unknown. Rules do not set it; package lint sets it
	// before it applies fixes.
	Sum [sha256.Size]byte
}

// Fix is a byte-exact repair of a finding.
type Fix struct {
	Message string
	// Safe says that every consumer then reads the data as it was meant. An unsafe fix is a guess and may be wrong.
	Safe bool
	// Reveals says that rules can check more data after the fix. New findings then do not mean that the fix does
	// harm.
	Reveals bool
	Edits   []Edit
}

// SectionEdit returns an edit of bytes of a section. The span counts from the start of the section.
func SectionEdit(sf *reader.SFrame, sp model.Span, data []byte) Edit {
	return Edit{Span: model.Span{Off: sp.Off + sf.Offset, Len: sp.Len}, New: data}
}

// SetField returns an edit that writes v to a field of a section.
func SetField(sf *reader.SFrame, sp model.Span, v uint64) Edit {
	b := make([]byte, sp.Len)
	number.Put(sf.Section.ByteOrder(), b, v)
	return SectionEdit(sf, sp, b)
}

// SetELF returns an edit that writes v to a field of an ELF header. It returns no edit if the byte order is unknown.
func SetELF(e *reader.ELF, sp model.Span, v uint64) Edit {
	if e.Order == nil {
		return Edit{}
	}
	b := make([]byte, sp.Len)
	number.Put(e.Order, b, v)
	return Edit{Span: sp, New: b}
}
