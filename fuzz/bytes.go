package fuzz

import (
	"encoding/binary"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
)

// blindOps are the changes that do not look at what bytes mean. They may change b in place.
var blindOps = []struct {
	name string
	do   func(m *Mutator, b []byte) []byte
}{
	{"bit-flip", func(m *Mutator, b []byte) []byte {
		for range m.drawCount(b) {
			b[m.drawOffset(b)] ^= 1 << m.Rand.IntN(8)
		}
		return b
	}},
	// Sets bytes to other values, mostly to those at the ends of a byte's range.
	{"byte-set", func(m *Mutator, b []byte) []byte {
		for range m.drawCount(b) {
			b[m.drawOffset(b)] = []byte{0, 1, 0x7f, 0x80, 0xff, byte(m.Rand.Uint32())}[m.Rand.IntN(6)]
		}
		return b
	}},
	{"truncate", func(m *Mutator, b []byte) []byte { return b[:m.drawCut(b)] }},
	// Appends zeros, noise or a copy of the beginning.
	{"extend", func(m *Mutator, b []byte) []byte {
		more := make([]byte, 1+m.Rand.IntN(300))
		switch m.Rand.IntN(3) {
		case 0:
			for i := range more {
				more[i] = byte(m.Rand.Uint32())
			}
		case 1:
			copy(more, b)
		}
		return append(b, more...)
	}},
	{"delete", func(m *Mutator, b []byte) []byte {
		if len(b) == 0 {
			return b
		}
		i := m.drawOffset(b)
		return slices.Delete(b, i, i+1+m.Rand.IntN(min(len(b)-i, 64)))
	}},
	// Continues with the end of the other input.
	{"splice", func(m *Mutator, b []byte) []byte { return append(b[:m.drawCut(b)], m.Other[m.drawCut(m.Other):]...) }},
	// Overwrites bytes with bytes of the other input.
	{"copy", func(m *Mutator, b []byte) []byte {
		if len(b) > 0 && len(m.Other) > 0 {
			from := m.Rand.IntN(len(m.Other))
			copy(b[m.drawOffset(b):], m.Other[from:from+1+m.Rand.IntN(min(len(m.Other)-from, 64))])
		}
		return b
	}},
	// Sets 2, 4 or 8 bytes to a number that code often gets wrong, in either byte order.
	{"number", func(m *Mutator, b []byte) []byte {
		if len(b) == 0 {
			return b
		}
		field := b[m.drawOffset(b):]
		field = field[:min([]int{2, 4, 8}[m.Rand.IntN(3)], len(field))]
		v := m.edge(8 * len(field))
		if m.Rand.IntN(4) == 0 {
			v = uint64(len(b) + m.Rand.IntN(3) - 1)
		}
		number.Put([]binary.ByteOrder{binary.LittleEndian, binary.BigEndian}[m.Rand.IntN(2)], field, v)
		return b
	}},
}

// drawOffset draws an offset, half of the time near the beginning, where headers are.
func (m *Mutator) drawOffset(b []byte) int {
	if m.Rand.IntN(2) == 0 {
		return m.Rand.IntN(min(len(b), 256))
	}
	return m.Rand.IntN(len(b))
}

// drawCut draws an offset between two bytes.
func (m *Mutator) drawCut(b []byte) int { return m.Rand.IntN(len(b) + 1) }

// drawCount draws how often something is done to bytes, if there are any: mostly once.
func (m *Mutator) drawCount(b []byte) int {
	switch {
	case len(b) == 0:
		return 0
	case m.Rand.IntN(3) > 0:
		return 1
	}
	return 1 + m.Rand.IntN(16)
}
