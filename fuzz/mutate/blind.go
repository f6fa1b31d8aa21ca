package mutate

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Mutator draws changes. It is not safe for concurrent use.
type Mutator struct {
	Rand *rand.Rand
	// Max is the most bytes that a result may have; 0 means 1 MiB.
	Max int

	log []string
}

// New returns a mutator whose draws start from a seed.
func New(seed uint64) *Mutator {
	return &Mutator{Rand: rand.New(rand.NewPCG(seed, 0x6d75_7461_7465))}
}

// Log tells what the last call has done, change by change.
func (m *Mutator) Log() []string { return slices.Clone(m.log) }

func (m *Mutator) note(format string, args ...any) {
	m.log = append(m.log, fmt.Sprintf(format, args...))
}

func (m *Mutator) max() int {
	if m.Max > 0 {
		return m.Max
	}
	return 1 << 20
}

// Blind returns a copy of the bytes with up to n changes of which none looks
// at what the bytes mean. The result is never longer than Max, and differs
// from the input unless there is nothing to change.
func (m *Mutator) Blind(data []byte, n int) []byte {
	m.log = m.log[:0]
	b := slices.Clone(data)
	for range 1 + m.Rand.IntN(max(n, 1)) {
		b = m.blindOnce(b)
	}
	for range 8 {
		if !slices.Equal(b, data) {
			break
		}
		b = m.blindOnce(b)
	}
	return b
}

// blindOps are the changes, each as often as it stands here. Those that keep
// the length come more often: a section's offsets survive them.
var blindOps = []func(*Mutator, []byte) []byte{
	(*Mutator).flipBit, (*Mutator).flipBit, (*Mutator).setByte, (*Mutator).setByte,
	(*Mutator).add, (*Mutator).add, (*Mutator).interesting, (*Mutator).interesting,
	(*Mutator).token, (*Mutator).copyRange, (*Mutator).fill,
	(*Mutator).remove, (*Mutator).duplicate, (*Mutator).insert, (*Mutator).truncate,
}

func (m *Mutator) blindOnce(b []byte) []byte {
	if len(b) == 0 {
		return m.insert(b)
	}
	return blindOps[m.Rand.IntN(len(blindOps))](m, b)
}

func (m *Mutator) flipBit(b []byte) []byte {
	at := m.Rand.IntN(8 * len(b))
	b[at/8] ^= 1 << (at % 8)
	m.note("flip bit %d of 0x%x", at%8, at/8)
	return b
}

func (m *Mutator) setByte(b []byte) []byte {
	at := m.Rand.IntN(len(b))
	b[at] = byte(m.Rand.Uint32())
	m.note("set 0x%x to 0x%02x", at, b[at])
	return b
}

// field draws a place for a number: its width and byte order, too.
func (m *Mutator) field(b []byte) (at, width int, order binary.ByteOrder) {
	width = 1 << m.Rand.IntN(4)
	for width > len(b) {
		width /= 2
	}
	order = binary.LittleEndian
	if m.Rand.IntN(2) == 0 {
		order = binary.BigEndian
	}
	return m.Rand.IntN(len(b) - width + 1), width, order
}

func (m *Mutator) add(b []byte) []byte {
	at, width, order := m.field(b)
	by := int64(1 + m.Rand.IntN(35))
	if m.Rand.IntN(2) == 0 {
		by = -by
	}
	put(b[at:at+width], order, get(b[at:at+width], order)+uint64(by))
	m.note("add %d to the %d bytes at 0x%x, %v", by, width, at, order)
	return b
}

func (m *Mutator) interesting(b []byte) []byte {
	at, width, order := m.field(b)
	v := m.edge(8 * width)
	put(b[at:at+width], order, v)
	m.note("set the %d bytes at 0x%x to 0x%x, %v", width, at, v, order)
	return b
}

// edge draws a number of so many bits from where code goes wrong: around
// zero, powers of two and the ends of the range.
func (m *Mutator) edge(bits int) uint64 {
	v := uint64(0)
	switch m.Rand.IntN(4) {
	case 0:
		v = 1 << m.Rand.IntN(bits)
	case 1:
		v = ^uint64(0) >> m.Rand.IntN(bits)
	case 2:
		v = m.Rand.Uint64()
	}
	v += uint64(m.Rand.IntN(5) - 2)
	if bits == 64 {
		return v
	}
	return v & (1<<bits - 1)
}

func (m *Mutator) token(b []byte) []byte {
	all := Tokens()
	t := all[m.Rand.IntN(len(all))]
	if len(t.Bytes) > len(b) {
		return m.setByte(b)
	}
	at := m.Rand.IntN(len(b) - len(t.Bytes) + 1)
	copy(b[at:], t.Bytes)
	m.note("write %s at 0x%x", t.Name, at)
	return b
}

// span draws a run of bytes; short ones are as likely as long ones.
func (m *Mutator) span(b []byte) (at, n int) {
	n = 1 + m.Rand.IntN(min(len(b), 1<<m.Rand.IntN(12)))
	return m.Rand.IntN(len(b) - n + 1), n
}

func (m *Mutator) copyRange(b []byte) []byte {
	from, n := m.span(b)
	to := m.Rand.IntN(len(b) - n + 1)
	copy(b[to:], slices.Clone(b[from:from+n]))
	m.note("copy %d bytes from 0x%x to 0x%x", n, from, to)
	return b
}

func (m *Mutator) fill(b []byte) []byte {
	at, n := m.span(b)
	v := []byte{0, 0xff, byte(m.Rand.Uint32())}[m.Rand.IntN(3)]
	for i := range n {
		b[at+i] = v
	}
	m.note("fill %d bytes at 0x%x with 0x%02x", n, at, v)
	return b
}

func (m *Mutator) remove(b []byte) []byte {
	at, n := m.span(b)
	m.note("remove %d bytes at 0x%x", n, at)
	return slices.Delete(b, at, at+n)
}

func (m *Mutator) duplicate(b []byte) []byte {
	at, n := m.span(b)
	if len(b)+n > m.max() {
		return m.remove(b)
	}
	to := m.Rand.IntN(len(b) + 1)
	m.note("insert %d bytes of 0x%x at 0x%x", n, at, to)
	return slices.Insert(b, to, slices.Clone(b[at:at+n])...)
}

func (m *Mutator) insert(b []byte) []byte {
	n := 1 + m.Rand.IntN(1<<m.Rand.IntN(7))
	if len(b)+n > m.max() {
		return m.remove(b)
	}
	some := make([]byte, n)
	if m.Rand.IntN(2) == 0 {
		for i := range some {
			some[i] = byte(m.Rand.Uint32())
		}
	}
	at := m.Rand.IntN(len(b) + 1)
	m.note("insert %d bytes at 0x%x", n, at)
	return slices.Insert(b, at, some...)
}

func (m *Mutator) truncate(b []byte) []byte {
	n := m.Rand.IntN(len(b))
	m.note("cut to %d bytes", n)
	return b[:n]
}

func get(b []byte, order binary.ByteOrder) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	case 8:
		return order.Uint64(b)
	}
	return 0
}

func put(b []byte, order binary.ByteOrder, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		order.PutUint16(b, uint16(v))
	case 4:
		order.PutUint32(b, uint32(v))
	case 8:
		order.PutUint64(b, v)
	}
}

// Describe joins what a log says to one line.
func Describe(log []string) string { return strings.Join(log, "; ") }
