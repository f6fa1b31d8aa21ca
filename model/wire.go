package model

import "encoding/binary"

// wire is a region of the section's bytes. Offsets count from the region;
// whoever reads has seen that the bytes are there.
type wire struct {
	b   []byte
	off int64 // of b[0] in the section
	big bool
}

func u16(b []byte, big bool) uint16 {
	if big {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

func u32(b []byte, big bool) uint32 {
	if big {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

func u64(b []byte, big bool) uint64 {
	if big {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

// uint reads an unsigned field of 1, 2 or 4 bytes.
func (w wire) uint(at, width int) uint32 {
	switch width {
	case 1:
		return uint32(w.b[at])
	case 2:
		return uint32(u16(w.b[at:], w.big))
	}
	return u32(w.b[at:], w.big)
}

// sint reads a signed field of 1, 2 or 4 bytes.
func (w wire) sint(at, width int) int32 {
	switch width {
	case 1:
		return int32(int8(w.b[at]))
	case 2:
		return int32(int16(u16(w.b[at:], w.big)))
	}
	return int32(u32(w.b[at:], w.big))
}

// region returns a part of the section's bytes, cut to the section.
func (s *Section) region(sp Span) wire {
	sp = sp.Clip(s.Size())
	return wire{b: s.data[sp.Off:sp.End():sp.End()], off: sp.Off, big: s.big}
}
