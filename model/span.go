package model

import "fmt"

// Span is a range of bytes, counted from the start of the section.
type Span struct {
	Off int64 // first byte
	Len int64 // bytes; 0 marks a place between two bytes
}

// End returns the offset just past the span.
func (s Span) End() int64 { return s.Off + s.Len }

// Contains reports whether the byte at off lies in the span.
func (s Span) Contains(off int64) bool { return off >= s.Off && off < s.End() }

// Overlaps reports whether the two spans share a byte.
func (s Span) Overlaps(t Span) bool { return s.Off < t.End() && t.Off < s.End() }

// Clip returns the part of the span that lies in a section of size bytes.
func (s Span) Clip(size int64) Span {
	off := min(max(s.Off, 0), size)
	end := min(max(s.End(), off), size)
	return Span{Off: off, Len: end - off}
}

func (s Span) String() string { return fmt.Sprintf("[0x%x,0x%x)", s.Off, s.End()) }
