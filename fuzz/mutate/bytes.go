package mutate

import (
	"math"
	"math/rand/v2"
	"slices"
)

// mutation changes bytes at offsets and to values that a seed decides.
type mutation struct {
	name string
	do   func(m *mutant)
}

// apply returns a changed copy of b. A splice takes bytes from other, which may
// be empty.
func (c *mutation) apply(b, other []byte, seed uint64) []byte {
	m := &mutant{b: slices.Clone(b), other: other, rnd: rand.New(rand.NewPCG(seed, 0x3074_7e0d))}
	c.do(m)
	return m.b
}

type mutant struct {
	b, other []byte
	rnd      *rand.Rand
}

// at draws an offset, half of the time near the beginning, where headers are.
// ok is false if there are no bytes.
func (m *mutant) at() (int, bool) {
	if len(m.b) == 0 {
		return 0, false
	}
	if m.rnd.IntN(2) == 0 {
		return m.rnd.IntN(min(len(m.b), 256)), true
	}
	return m.rnd.IntN(len(m.b)), true
}

// cut draws an offset between two bytes.
func (m *mutant) cut(b []byte) int { return m.rnd.IntN(len(b) + 1) }

// times draws how often something is done: mostly once.
func (m *mutant) times() int {
	if m.rnd.IntN(3) > 0 {
		return 1
	}
	return 1 + m.rnd.IntN(16)
}

// mutations are the changes that do not look at what bytes mean.
var mutations = []mutation{
	{"bit-flip", func(m *mutant) {
		for range m.times() {
			if i, ok := m.at(); ok {
				m.b[i] ^= 1 << m.rnd.IntN(8)
			}
		}
	}},
	// Sets bytes to other values, mostly to those at the ends of a byte's range.
	{"byte-set", func(m *mutant) {
		for range m.times() {
			if i, ok := m.at(); ok {
				m.b[i] = []byte{0, 1, 0x7f, 0x80, 0xff, byte(m.rnd.Uint32())}[m.rnd.IntN(6)]
			}
		}
	}},
	{"truncate", func(m *mutant) { m.b = m.b[:m.cut(m.b)] }},
	// Appends zeros, noise or a copy of the beginning.
	{"extend", func(m *mutant) {
		more := make([]byte, 1+m.rnd.IntN(300))
		switch m.rnd.IntN(3) {
		case 0:
			for i := range more {
				more[i] = byte(m.rnd.Uint32())
			}
		case 1:
			copy(more, m.b)
		}
		m.b = append(m.b, more...)
	}},
	{"delete", func(m *mutant) {
		if i, ok := m.at(); ok {
			m.b = slices.Delete(m.b, i, i+1+m.rnd.IntN(min(len(m.b)-i, 64)))
		}
	}},
	// Continues with the end of the other file.
	{"splice", func(m *mutant) {
		m.b = append(m.b[:m.cut(m.b)], m.other[m.cut(m.other):]...)
	}},
	// Overwrites bytes with bytes of the other file.
	{"copy", func(m *mutant) {
		if i, ok := m.at(); ok && len(m.other) > 0 {
			from := m.rnd.IntN(len(m.other))
			copy(m.b[i:], m.other[from:from+1+m.rnd.IntN(min(len(m.other)-from, 64))])
		}
	}},
	// Sets 2, 4 or 8 bytes to a number at an end of its range.
	{"number", func(m *mutant) {
		if i, ok := m.at(); ok {
			m.extreme(i, []int{2, 4, 8}[m.rnd.IntN(3)])
		}
	}},
}

// extreme writes a number that code often gets wrong, in either byte order.
func (m *mutant) extreme(at, width int) {
	b := m.b[at:min(at+width, len(m.b))]
	bits := 8 * len(b)
	var top uint64 = math.MaxUint64 >> (64 - bits)
	v := []uint64{0, 1, 2, top, top - 1, top >> 1, top>>1 + 1, uint64(len(m.b)), uint64(len(m.b)) - 1, uint64(len(m.b)) + 1}[m.rnd.IntN(10)]
	big := m.rnd.IntN(2) == 0
	for k := range b {
		if big {
			b[len(b)-1-k] = byte(v >> (8 * k))
		} else {
			b[k] = byte(v >> (8 * k))
		}
	}
}
