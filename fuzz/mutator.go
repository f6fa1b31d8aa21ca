// Package fuzz changes bytes at random, for fuzzing. The same seed and the same input give the same result.
//
// [Mutator.Blind] ignores the format. [Mutator.Section] decodes as much of a section as it can and changes fields,
// FREs and functions, so most results can still be decoded. [Mutator.File] also changes ELF files and archives.
package fuzz

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
)

// Mutator makes random changes. It is not safe for concurrent use.
type Mutator struct {
	Rand *rand.Rand
	// Other is another input. The mutator may copy bytes and functions from it.
	Other []byte
	// Max is the maximum size of a result in bytes; 0 means 1 MiB.
	Max int

	log []string

	seen     []byte // the last data that was described
	seenPlan *generator.Plan
}

// New returns a mutator with a seed.
func New(seed uint64) *Mutator {
	return &Mutator{Rand: rand.New(rand.NewPCG(seed, 0x6d75_7461_7465))}
}

// Log returns the changes of the last call.
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

// Blind returns a copy of the bytes with up to n changes that ignore the format. The result has at most Max bytes and
// differs from the input if possible.
func (m *Mutator) Blind(data []byte, n int) []byte {
	m.log = m.log[:0]
	b := m.blind(data, 1+m.Rand.IntN(max(n, 1)))
	return m.another(b, data, m.blindOnce)
}

func (m *Mutator) blind(data []byte, n int) []byte {
	b := slices.Clone(data)
	for range n {
		b = m.blindOnce(b)
	}
	return b
}

// another makes more changes until the result differs from data, and cuts it to
// the longest size.
func (m *Mutator) another(b, data []byte, change func([]byte) []byte) []byte {
	for range 100 {
		if !slices.Equal(b, data) {
			break
		}
		b = change(b)
	}
	return b[:min(len(b), m.max())]
}

func (m *Mutator) blindOnce(b []byte) []byte {
	if k := m.Rand.IntN(len(blindOps) + 1); k < len(blindOps) {
		b = blindOps[k].do(m, b)
		m.note("%s", blindOps[k].name)
		return b[:min(len(b), m.max())]
	}
	return m.token(b)
}

// edge draws a number of the given bits that code often gets wrong: around zero,
// powers of two and the ends of the range.
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

// token overwrites bytes with a token.
func (m *Mutator) token(b []byte) []byte {
	all := Tokens()
	t := all[m.Rand.IntN(len(all))]
	if len(t.Bytes) > len(b) {
		return b
	}
	at := m.Rand.IntN(len(b) - len(t.Bytes) + 1)
	copy(b[at:], t.Bytes)
	m.note("%s at 0x%x", t.Name, at)
	return b
}
