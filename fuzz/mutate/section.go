package mutate

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Section returns a copy of a section with up to n changes, most of which follow
// the format: a field is set to another value, or an FRE or function is doubled,
// moved or removed together with the counts and offsets that depend on it. Data
// without a valid header is changed as by [Mutator.Blind]. The result is never
// longer than Max.
func (m *Mutator) Section(data []byte, n int) []byte {
	m.log = m.log[:0]
	b := slices.Clone(data)
	for range 1 + m.Rand.IntN(max(n, 1)) {
		b = m.sectionOnce(b)
	}
	return m.another(b, data, m.sectionOnce)
}

func (m *Mutator) sectionOnce(b []byte) []byte {
	draw := m.Rand.IntN(40)
	if draw < 4 {
		return m.blindOnce(b)
	}
	s, _ := reader.DecodeSection(b, reader.SectionOptions{})
	if s == nil || !s.Version().Known() {
		return m.blindOnce(b)
	}
	var again []byte
	said := len(m.log)
	switch {
	case draw < 20:
		again = m.replan(s)
	case draw == 20: // as expensive as a hundred others
		again = m.breakOnce(s)
	}
	if again != nil && len(again) <= min(m.max(), 4*len(b)+1<<12) {
		return again
	}
	m.log = m.log[:said] // without changes that were dropped
	return m.setField(b, s)
}

// breakOnce makes one of the known faults in a section that is valid so far; nil
// if it cannot.
func (m *Mutator) breakOnce(s *model.Section) []byte {
	p, err := generator.FromModel(s)
	if err != nil || generator.Valid(p) != nil {
		return nil
	}
	p.Layout = nil
	sub, err := breaks.New(p, breaks.Raw)
	if err != nil {
		return nil
	}
	broken, steps := breaks.Compose(sub, 1, m.Rand)
	if len(steps) == 0 {
		return nil
	}
	m.note("break %s", steps[0].Name)
	return slices.Clone(broken.Section())
}

// setField gives a field of the section another value.
func (m *Mutator) setField(b []byte, s *model.Section) []byte {
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
	h := model.HdrVersion + model.HeaderField(m.Rand.IntN(model.NumHeaderFields-1))
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

// Cross returns a copy of a section with up to three functions of [Mutator.Other]. If one
// of the two cannot be decoded, it changes the bytes as [Mutator.Section] does. The result
// is never longer than Max.
func (m *Mutator) Cross(data []byte) []byte {
	m.log = m.log[:0]
	s, _ := reader.DecodeSection(data, reader.SectionOptions{})
	if s != nil {
		if p, err := generator.FromModel(s); err == nil {
			p.Layout = nil
			taken := false
			for range 1 + m.Rand.IntN(3) {
				taken = m.otherFunc(p) || taken
			}
			if b, err := generator.Encode(p); err == nil && taken && len(b) <= m.max() {
				return b
			}
		}
	}
	return m.Section(data, 1)
}

// replan changes the section's plan and writes it again; nil if it cannot.
func (m *Mutator) replan(s *model.Section) []byte {
	p, err := generator.FromModel(s)
	if err != nil {
		return nil
	}
	p.Layout = nil
	if change := planOps[m.Rand.IntN(len(planOps))]; !change(m, p) {
		return nil
	}
	b, err := generator.Encode(p)
	if err != nil {
		return nil
	}
	return b
}
