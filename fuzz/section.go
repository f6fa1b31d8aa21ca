package fuzz

import (
	"bytes"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Section returns a copy of a section with up to n changes. Most change an FRE, a function or a field, and keep counts and
// offsets correct; some convert the section to another version, ABI or byte order. Data without a valid header is changed as
// by [Mutator.Blind]. The result has at most Max bytes.
func (m *Mutator) Section(data []byte, n int) []byte {
	m.log = m.log[:0]
	b := m.section(data, 1+m.Rand.IntN(max(n, 1)))
	return m.another(b, data, m.sectionOnce)
}

func (m *Mutator) sectionOnce(b []byte) []byte { return m.section(b, 1) }

// section returns a copy with n changes. Those of the structure come first, as the
// section is decoded and written once for all of them.
func (m *Mutator) section(data []byte, n int) []byte {
	structure, fields := n, 0
	switch draw := m.Rand.IntN(40); {
	case draw < 3:
		return m.blind(data, n)
	case draw == 3: // more expensive than the others
		if b := m.breakOnce(data); b != nil && len(b) <= m.limit(data) {
			return b
		}
	case draw < 16:
		fields = 1 + m.Rand.IntN(n)
		structure -= fields
	}
	b := slices.Clone(data)
	if structure > 0 {
		if again := m.replan(data, structure); again != nil {
			b = again
		} else {
			fields += structure
		}
	}
	for range fields {
		b = m.setField(b)
	}
	return b
}

// limit returns the most bytes that a section may grow to in one call.
func (m *Mutator) limit(data []byte) int { return min(m.max(), 4*len(data)+1<<12) }

// plan returns a plan of a section that the caller may change, without its layout, nil if the data
// cannot be described. A fuzzer changes the same data many times.
func (m *Mutator) plan(data []byte) *generator.Plan {
	if m.seen == nil || !bytes.Equal(m.seen, data) {
		m.seen, m.seenPlan = append(m.seen[:0:0], data...), nil
		if s, _ := reader.DecodeSection(m.seen, reader.SectionOptions{}); s != nil {
			if p, err := generator.FromModel(s); err == nil {
				p.Layout = nil
				m.seenPlan = p
			}
		}
	}
	if m.seenPlan == nil {
		return nil
	}
	return m.seenPlan.Clone()
}

// replan makes n changes of the structure; nil if it cannot.
func (m *Mutator) replan(data []byte, n int) []byte {
	p, said := m.plan(data), len(m.log)
	if p == nil {
		return nil
	}
	for tries := 0; len(m.log) < said+n && tries < 4*n; tries++ {
		noted := len(m.log)
		if change := planOps[m.Rand.IntN(len(planOps))]; !change.apply(m, p) {
			m.log = m.log[:noted]
		}
	}
	b, err := generator.Encode(p)
	if err != nil || len(m.log) == said || len(b) > m.limit(data) {
		m.log = m.log[:said] // without changes that were dropped
		return nil
	}
	return b
}

// breakOnce makes one of the known faults in a section that is valid so far; nil
// if it cannot.
func (m *Mutator) breakOnce(data []byte) []byte {
	p := m.plan(data)
	if p == nil || generator.Valid(p) != nil {
		return nil
	}
	sub, err := breaks.New(p, breaks.Raw)
	if err != nil {
		return nil
	}
	all := smallBreaks()
	for range 8 { // tries, as some have no place in the section
		fault := all[m.Rand.IntN(len(all))]
		if broken, _, err := fault.Apply(sub, breaks.NewSeed(m.Rand)); err == nil {
			m.note("break %s", fault.Name)
			return slices.Clone(broken.Section())
		}
	}
	return nil
}

// smallBreaks are the known faults without the one that adds 60,000 FREs, which takes longer than all
// others together.
var smallBreaks = sync.OnceValue(func() []*breaks.Break {
	return slices.DeleteFunc(breaks.All(), func(b *breaks.Break) bool { return b.Name == "many-rows" })
})

// setField gives a field of the section another value.
func (m *Mutator) setField(b []byte) []byte {
	s, _ := reader.DecodeSection(b, reader.SectionOptions{})
	if s == nil || !s.Version().Known() {
		return m.blindOnce(b)
	}
	name, sp := m.drawField(s)
	if sp.Off < 0 || sp.Len < 1 || sp.Len > 8 || sp.End() > int64(len(b)) {
		return m.blindOnce(b)
	}
	field, bits := b[sp.Off:sp.End()], int(8*sp.Len)
	order := s.ByteOrder()
	v := number.Get(order, field)
	switch m.Rand.IntN(4) {
	case 0:
		v ^= 1 << m.Rand.IntN(bits)
	case 1:
		v += uint64(m.Rand.IntN(33) - 16)
	case 2:
		v = m.edge(bits)
	case 3:
		v = uint64(m.Rand.IntN(len(b) + 2))
	}
	number.Put(order, field, v)
	m.note("set %s at 0x%x to 0x%x", name, sp.Off, number.Get(order, field))
	return b
}

// drawField draws a field of the header, an FDE or an FRE, each with the same
// probability.
func (m *Mutator) drawField(s *model.Section) (string, model.Span) {
	kind := m.Rand.IntN(3)
	if n := s.NumFDEs(); kind > 0 && n > 0 {
		f := s.FDE(m.Rand.IntN(n))
		if rows := f.NumFREs(); kind == 2 && rows > 0 {
			return m.drawRowField(f.FRE(m.Rand.IntN(rows)))
		}
		return "a field of an FDE", f.FieldSpan(model.FDEField(m.Rand.IntN(int(model.FDEPadding) + 1)))
	}
	h := model.HdrVersion + model.HeaderField(m.Rand.IntN(int(s.Version().Info().LastField)))
	return h.String(), h.Span()
}

func (m *Mutator) drawRowField(r model.FRE) (string, model.Span) {
	switch k := m.Rand.IntN(3); {
	case k == 0:
		return "the start of a row", r.StartSpan()
	case k == 1 || r.NumWords() == 0:
		return "the info of a row", r.InfoSpan()
	}
	return "a data word", r.WordSpan(m.Rand.IntN(r.NumWords()))
}

// Cross returns a copy of a section in which up to three functions are from [Mutator.Other]. If the section or Other
// cannot be decoded, it changes the bytes as [Mutator.Section] does. The result has at most Max bytes.
func (m *Mutator) Cross(data []byte) []byte {
	m.log = m.log[:0]
	if p := m.plan(data); p != nil {
		taken := false
		for range 1 + m.Rand.IntN(3) {
			taken = otherFunc(m, p) || taken
		}
		if b, err := generator.Encode(p); err == nil && taken && len(b) <= m.max() {
			return b
		}
	}
	return m.Section(data, 1)
}
