package breaks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Mutation changes bytes without regard to what they mean, at places and to
// values that the seed decides. Whether a fault comes of it, nobody knows:
// it is there to see that no reader dies.
type Mutation struct {
	Name string
	Doc  string
	do   func(m *mutant)
}

// Apply returns changed bytes; those that it was given stay as they are. The
// other bytes are what a splice takes from: any other file, or none.
func (m *Mutation) Apply(b, other []byte, seed uint64) []byte {
	x := &mutant{b: slices.Clone(b), other: other, rnd: rand.New(rand.NewPCG(seed, 0x3074_7e0d))}
	m.do(x)
	return x.b
}

// Mutations returns the table of mutations.
func Mutations() []*Mutation {
	all := make([]*Mutation, len(mutations))
	for i := range mutations {
		all[i] = &mutations[i]
	}
	return all
}

// LookupMutation returns the mutation of a name, nil where there is none.
func LookupMutation(name string) *Mutation {
	for i := range mutations {
		if mutations[i].Name == name {
			return &mutations[i]
		}
	}
	return nil
}

type mutant struct {
	b, other []byte
	rnd      *rand.Rand
}

// at draws a place, one that is near the beginning as often as not: there
// the headers are. ok is false where there are no bytes.
func (m *mutant) at() (int, bool) {
	if len(m.b) == 0 {
		return 0, false
	}
	if m.rnd.IntN(2) == 0 {
		return m.rnd.IntN(min(len(m.b), 256)), true
	}
	return m.rnd.IntN(len(m.b)), true
}

// cut draws a place between two bytes.
func (m *mutant) cut(b []byte) int { return m.rnd.IntN(len(b) + 1) }

// times is how often something is done: mostly once.
func (m *mutant) times() int {
	if m.rnd.IntN(3) > 0 {
		return 1
	}
	return 1 + m.rnd.IntN(16)
}

var mutations = []Mutation{
	{"bit-flip", "Flips one or some bits.", func(m *mutant) {
		for range m.times() {
			if i, ok := m.at(); ok {
				m.b[i] ^= 1 << m.rnd.IntN(8)
			}
		}
	}},
	{"byte-set", "Sets one or some bytes to other values, those at the ends of a byte's range above all.", func(m *mutant) {
		for range m.times() {
			if i, ok := m.at(); ok {
				m.b[i] = []byte{0, 1, 0x7f, 0x80, 0xff, byte(m.rnd.Uint32())}[m.rnd.IntN(6)]
			}
		}
	}},
	{"truncate", "Cuts bytes off at the end.", func(m *mutant) { m.b = m.b[:m.cut(m.b)] }},
	{"extend", "Adds bytes at the end: zeros, noise or the beginning once more.", func(m *mutant) {
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
	{"delete", "Takes bytes out of the midst.", func(m *mutant) {
		if i, ok := m.at(); ok {
			m.b = slices.Delete(m.b, i, i+1+m.rnd.IntN(min(len(m.b)-i, 64)))
		}
	}},
	{"splice", "Goes on with the end of another file.", func(m *mutant) {
		m.b = append(m.b[:m.cut(m.b)], m.other[m.cut(m.other):]...)
	}},
	{"copy", "Puts bytes of another file into the midst.", func(m *mutant) {
		if i, ok := m.at(); ok && len(m.other) > 0 {
			from := m.rnd.IntN(len(m.other))
			copy(m.b[i:], m.other[from:from+1+m.rnd.IntN(min(len(m.other)-from, 64))])
		}
	}},
	{"number", "Sets 2, 4 or 8 bytes to a number at an end of its range.", func(m *mutant) {
		if i, ok := m.at(); ok {
			m.extreme(i, []int{2, 4, 8}[m.rnd.IntN(3)])
		}
	}},
}

// extreme writes a number that is easily got wrong, in either byte order.
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

// extreme is a field at an end of its range.
type extreme struct {
	name string
	span model.Span // in the section
	v    uint64
}

// FieldExtremes returns files in which one field of the section's header or
// of an FDE each is 0, 1, the largest value, or on either side of the sign;
// and in words what was set.
func FieldExtremes(s *Subject) (files [][]byte, names []string) {
	for _, x := range s.extremes() {
		files, names = append(files, x.in(s)), append(names, x.name)
	}
	return files, names
}

// FieldExtreme returns one of the files of [FieldExtremes], which the seed
// decides; the file as it is where a break has left no field whole.
func FieldExtreme(s *Subject, seed uint64) (file []byte, name string) {
	all := s.extremes()
	if len(all) == 0 {
		return slices.Clone(s.File()), "nothing to set"
	}
	x := all[rand.New(rand.NewPCG(seed, 0xf1e1_d000)).IntN(len(all))]
	return x.in(s), x.name
}

func (x extreme) in(s *Subject) []byte {
	b := slices.Clone(s.File())
	setNumber(s.order(), b[s.SectionOffset()+x.span.Off:][:x.span.Len], x.v)
	return b
}

// extremes lists them. Fields are where the subject has them while it is
// whole.
func (s *Subject) extremes() (all []extreme) {
	add := func(name string, sp model.Span) {
		if sp.End() > s.size || s.SectionOffset()+sp.End() > int64(len(s.File())) {
			return // a break has cut it off
		}
		top := uint64(math.MaxUint64) >> (64 - 8*sp.Len)
		for _, v := range []uint64{0, 1, top, top >> 1, top>>1 + 1} {
			all = append(all, extreme{fmt.Sprintf("%s = 0x%x", name, v), sp, v})
		}
	}
	for f := range model.HeaderField(model.NumHeaderFields) {
		add(f.String(), f.Span())
	}
	for i := range s.plan.Funcs {
		for f := model.FDEStart; f <= model.FDEPadding; f++ {
			if sp := s.field(i, f); sp.Len > 0 {
				add(fmt.Sprintf("FDE %d %s", i, model.FieldName(s.version(), f)), sp)
			}
		}
	}
	return all
}
