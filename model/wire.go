package model

import "encoding/binary"

// wire is a region of the section's bytes. Offsets count from the region;
// whoever reads has seen that the bytes are there.
type wire struct {
	b   []byte
	off int64 // of b[0] in the section
	big bool
}

func (w wire) u8(at int) uint8 { return w.b[at] }

func (w wire) u16(at int) uint16 {
	if w.big {
		return binary.BigEndian.Uint16(w.b[at:])
	}
	return binary.LittleEndian.Uint16(w.b[at:])
}

func (w wire) u32(at int) uint32 {
	if w.big {
		return binary.BigEndian.Uint32(w.b[at:])
	}
	return binary.LittleEndian.Uint32(w.b[at:])
}

func (w wire) u64(at int) uint64 {
	if w.big {
		return binary.BigEndian.Uint64(w.b[at:])
	}
	return binary.LittleEndian.Uint64(w.b[at:])
}

// uint reads an unsigned field of 1, 2 or 4 bytes.
func (w wire) uint(at, width int) uint32 {
	switch width {
	case 1:
		return uint32(w.b[at])
	case 2:
		return uint32(w.u16(at))
	}
	return w.u32(at)
}

// sint reads a signed field of 1, 2 or 4 bytes.
func (w wire) sint(at, width int) int32 {
	switch width {
	case 1:
		return int32(int8(w.b[at]))
	case 2:
		return int32(int16(w.u16(at)))
	}
	return int32(w.u32(at))
}

// region returns a part of the section's bytes, cut to the section.
func (s *Section) region(sp Span) wire {
	sp = sp.Clip(s.Size())
	return wire{b: s.data[sp.Off:sp.End():sp.End()], off: sp.Off, big: s.big}
}
