package model

import "github.com/sframe-lint/sframe-lint/internal/number"

// wire is a region of the section's bytes. Offsets count from the region;
// whoever reads has seen that the bytes are there.
type wire struct {
	b   []byte
	off int64 // of b[0] in the section
	big bool
}

// uint reads an unsigned field of 1, 2 or 4 bytes.
func (w wire) uint(at, width int) uint32 {
	switch width {
	case 1:
		return uint32(w.b[at])
	case 2:
		return uint32(number.U16(w.b[at:], w.big))
	}
	return number.U32(w.b[at:], w.big)
}

// sint reads a signed field of 1, 2 or 4 bytes.
func (w wire) sint(at, width int) int32 {
	switch width {
	case 1:
		return int32(int8(w.b[at]))
	case 2:
		return int32(int16(number.U16(w.b[at:], w.big)))
	}
	return int32(number.U32(w.b[at:], w.big))
}

// region returns a part of the section's bytes, cut to the section.
func (s *Section) region(sp Span) wire {
	sp = sp.Clip(s.Size())
	return wire{b: s.data[sp.Off:sp.End():sp.End()], off: sp.Off, big: s.big}
}
