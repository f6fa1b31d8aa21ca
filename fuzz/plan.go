package fuzz

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// planOp changes a plan, one of its functions or one of its rows, and reports whether it has.
type planOp struct {
	plan func(*Mutator, *generator.Plan) bool
	fn   func(m *Mutator, p *generator.Plan, i int, f *generator.Func) bool
	row  func(m *Mutator, f *generator.Func, j int) bool
}

// planOps are those that are drawn. Those that add to a plan are
// more frequent than those that remove from it, so that sections do not shrink.
// Copies of a row share its words: a change of them makes new ones.
var planOps = []planOp{
	{fn: doubleFunc}, {fn: doubleFunc}, {fn: dropFunc}, {plan: swapFuncs}, {fn: growFuncs},
	{plan: freshFunc}, {plan: otherFunc}, {fn: setExtent}, {fn: setKind}, {fn: setKind},
	{fn: setStub}, {fn: setFlexible},
	{row: doubleRow}, {row: doubleRow}, {row: dropRow}, {row: swapRows}, {plan: lendRow}, {row: growRows},
	{row: setRow}, {row: setWord}, {row: setWord}, {row: addWord}, {row: dropWord}, {row: dropWords},
	{plan: setStyle}, {plan: setHeader}, {plan: setVersion}, {plan: setABI}, {plan: flip}, {plan: order},
}

// apply draws the function or row that the operation changes.
func (op planOp) apply(m *Mutator, p *generator.Plan) bool {
	switch {
	case op.fn != nil:
		i, f := m.drawFunc(p)
		return f != nil && op.fn(m, p, i, f)
	case op.row != nil:
		f, j := m.drawRow(p)
		return f != nil && op.row(m, f, j)
	}
	return op.plan(m, p)
}

func (m *Mutator) drawFunc(p *generator.Plan) (int, *generator.Func) {
	if len(p.Funcs) == 0 {
		return 0, nil
	}
	i := m.Rand.IntN(len(p.Funcs))
	return i, &p.Funcs[i]
}

func (m *Mutator) drawRow(p *generator.Plan) (*generator.Func, int) {
	_, f := m.drawFunc(p)
	if f == nil || len(f.Rows) == 0 {
		return nil, 0
	}
	return f, m.Rand.IntN(len(f.Rows))
}

func doubleFunc(m *Mutator, p *generator.Plan, i int, f *generator.Func) bool {
	c := *f
	c.Rows = slices.Clone(f.Rows)
	to := i + 1
	if m.Rand.IntN(2) == 0 {
		c.Start += uint64(c.Size)
	} else {
		to = m.Rand.IntN(len(p.Funcs) + 1)
	}
	p.Funcs = slices.Insert(p.Funcs, to, c)
	m.note("double FDE %d as FDE %d", i, to)
	return true
}

// growFuncs appends up to a hundred copies of a function, one after the other.
func growFuncs(m *Mutator, p *generator.Plan, i int, f *generator.Func) bool {
	n, c := 1<<m.Rand.IntN(7)+m.Rand.IntN(3), *f
	if len(c.Rows) > 2 {
		c.Rows = c.Rows[:2]
	}
	for range n {
		c.Start += uint64(c.Size)
		c.Rows = slices.Clone(c.Rows)
		p.Funcs = append(p.Funcs, c)
	}
	m.note("append %d copies of FDE %d", n, i)
	return true
}

func dropFunc(m *Mutator, p *generator.Plan, i int, f *generator.Func) bool {
	p.Funcs = slices.Delete(p.Funcs, i, i+1)
	m.note("drop FDE %d", i)
	return true
}

func swapFuncs(m *Mutator, p *generator.Plan) bool {
	if len(p.Funcs) < 2 {
		return false
	}
	i, j := m.Rand.IntN(len(p.Funcs)), m.Rand.IntN(len(p.Funcs))
	p.Funcs[i], p.Funcs[j] = p.Funcs[j], p.Funcs[i]
	m.note("swap FDEs %d and %d", i, j)
	return i != j
}

func doubleRow(m *Mutator, f *generator.Func, j int) bool {
	r := f.Rows[j]
	r.Start += uint32(m.Rand.IntN(1 << m.Rand.IntN(9)))
	f.Rows = slices.Insert(f.Rows, j+1, r)
	m.cover(f, r.Start)
	m.note("double row %d", j)
	return true
}

// growRows appends up to a hundred copies of a row, in order.
func growRows(m *Mutator, f *generator.Func, j int) bool {
	n, step := 1<<m.Rand.IntN(7)+m.Rand.IntN(3), uint32(m.Rand.IntN(5))
	for range n {
		r := f.Rows[j]
		r.Start = f.Rows[len(f.Rows)-1].Start + step
		f.Rows = append(f.Rows, r)
	}
	m.cover(f, f.Rows[len(f.Rows)-1].Start)
	m.note("append %d copies of row %d", n, j)
	return true
}

// cover makes a function end after a row, except for one time in eight.
func (m *Mutator) cover(f *generator.Func, start uint32) {
	if start >= f.Size && m.Rand.IntN(8) > 0 {
		f.Size = start + uint32(m.Rand.IntN(3))
	}
}

func dropRow(m *Mutator, f *generator.Func, j int) bool {
	f.Rows = slices.Delete(f.Rows, j, j+1)
	m.note("drop row %d", j)
	return true
}

func swapRows(m *Mutator, f *generator.Func, j int) bool {
	if len(f.Rows) < 2 {
		return false
	}
	k := (j + 1) % len(f.Rows)
	f.Rows[j], f.Rows[k] = f.Rows[k], f.Rows[j]
	m.note("swap rows %d and %d", j, k)
	return true
}

// lendRow appends a row of one function to those of another.
func lendRow(m *Mutator, p *generator.Plan) bool {
	f, j := m.drawRow(p)
	to, g := m.drawFunc(p)
	if f == nil || g == f {
		return false
	}
	g.Rows = append(g.Rows, f.Rows[j])
	m.note("append row %d to the rows of FDE %d", j, to)
	return true
}

func setWord(m *Mutator, f *generator.Func, j int) bool {
	if len(f.Rows[j].Words) == 0 {
		return false
	}
	words := slices.Clone(f.Rows[j].Words)
	f.Rows[j].Words = words
	k := m.Rand.IntN(len(words))
	was := words[k]
	switch m.Rand.IntN(3) {
	case 0:
		words[k] += int64(m.Rand.IntN(33) - 16)
	case 1:
		words[k] = -words[k]
	case 2:
		words[k] = int64(int32(m.edge(32)))
	}
	m.note("change word %d of row %d from %d to %d", k, j, was, words[k])
	return words[k] != was
}

func addWord(m *Mutator, f *generator.Func, j int) bool {
	if len(f.Rows[j].Words) >= model.MaxWords {
		return false
	}
	r := &f.Rows[j]
	at := m.Rand.IntN(len(r.Words) + 1)
	r.Words = slices.Insert(slices.Clone(r.Words), at, int64(int8(m.Rand.Uint32())))
	m.note("insert word %d of row %d", at, j)
	return true
}

func dropWord(m *Mutator, f *generator.Func, j int) bool {
	if len(f.Rows[j].Words) == 0 {
		return false
	}
	r := &f.Rows[j]
	k := m.Rand.IntN(len(r.Words))
	r.Words = slices.Delete(slices.Clone(r.Words), k, k+1)
	m.note("drop word %d of row %d", k, j)
	return true
}

// dropWords makes a row one without data words: RA is undefined.
func dropWords(m *Mutator, f *generator.Func, j int) bool {
	if len(f.Rows[j].Words) == 0 {
		return false
	}
	f.Rows[j].Words = []int64{}
	m.note("drop all words of row %d", j)
	return true
}

// setKind changes one of the kinds of a function or row.
func setKind(m *Mutator, p *generator.Plan, i int, f *generator.Func) bool {
	switch m.Rand.IntN(5) {
	case 0:
		f.FDEType ^= 1
	case 1:
		f.PauthKey ^= 1
	case 2:
		f.Signal = !f.Signal
	default:
		if len(f.Rows) == 0 {
			return false
		}
		r := &f.Rows[m.Rand.IntN(len(f.Rows))]
		if m.Rand.IntN(2) == 0 {
			r.Base ^= 1
		} else {
			r.Mangled = !r.Mangled
		}
	}
	m.note("change the kind of FDE %d", i)
	return true
}

// setStub gives a function another PC type or size of stubs.
func setStub(m *Mutator, p *generator.Plan, i int, f *generator.Func) bool {
	if p.Version == model.SFRAME_VERSION_1 {
		return false
	}
	if m.Rand.IntN(2) == 0 {
		f.PCType ^= 1
	}
	f.RepSize = byte(m.Rand.IntN(40))
	m.note("give FDE %d stubs of %d bytes", i, f.RepSize)
	return true
}

// setFlexible makes a function one of flexible type, with new control words and offsets for CFA, RA
// and FP.
func setFlexible(m *Mutator, p *generator.Plan, i int, f *generator.Func) bool {
	if !p.Version.Info().Flex {
		return false
	}
	f.FDEType = model.SFRAME_FDE_TYPE_FLEX
	for j := range f.Rows {
		var words []int64
		for range 1 + m.Rand.IntN(3) {
			if len(words) > 0 && m.Rand.IntN(4) == 0 {
				words = append(words, 0) // padding
				continue
			}
			reg := []int{0, 6, 7, 11, 15, 29, 30, 31, m.Rand.IntN(40)}[m.Rand.IntN(9)]
			words = append(words, int64(reg<<model.FlexRegShift|m.Rand.IntN(4)), int64(int8(m.Rand.Uint32())))
		}
		f.Rows[j].Words = words
	}
	m.note("make FDE %d flexible", i)
	return true
}

// setExtent moves a function or its end.
func setExtent(m *Mutator, p *generator.Plan, i int, f *generator.Func) bool {
	switch m.Rand.IntN(4) {
	case 0:
		f.Start += uint64(m.Rand.IntN(64) - 32)
	case 1:
		f.Start = p.Funcs[m.Rand.IntN(len(p.Funcs))].Start
	case 2: // with a field for the starts of FREs of any width
		f.Size = 1<<(8*m.Rand.IntN(4)) + uint32(m.Rand.IntN(3)) - 1
	default:
		f.Size = uint32(m.edge(32))
	}
	m.note("change where FDE %d lies", i)
	return true
}

// setRow moves a row in its function, or beyond.
func setRow(m *Mutator, f *generator.Func, j int) bool {
	was := f.Rows[j].Start
	f.Rows[j].Start = uint32(m.edge(1 + m.Rand.IntN(20)))
	m.cover(f, f.Rows[j].Start)
	m.note("move row %d from 0x%x to 0x%x", j, was, f.Rows[j].Start)
	return f.Rows[j].Start != was
}

// freshFunc adds functions of a generated section of the same kind.
func freshFunc(m *Mutator, p *generator.Plan) bool {
	c := generator.SwarmWide(m.Rand)
	c.Version, c.ABI, c.Funcs, c.Rows = p.Version, p.ABI, 1, min(c.Rows, 8)
	q, err := generator.Generate(c)
	if err != nil {
		return false
	}
	f := q.Funcs[0]
	f.Start = p.Addr
	if n := len(p.Funcs); n > 0 {
		f.Start = p.Funcs[n-1].Start + uint64(p.Funcs[n-1].Size)
	}
	p.Funcs = append(p.Funcs, f)
	m.note("append a generated function")
	return true
}

// otherFunc copies a function of the other input.
func otherFunc(m *Mutator, p *generator.Plan) bool {
	s, _ := reader.DecodeSection(m.Other, reader.SectionOptions{})
	if s == nil || s.NumFDEs() == 0 {
		return false
	}
	q, err := generator.FromModel(s)
	if err != nil {
		return false
	}
	f := q.Funcs[m.Rand.IntN(len(q.Funcs))]
	to := m.Rand.IntN(len(p.Funcs) + 1)
	p.Funcs = slices.Insert(p.Funcs, to, f)
	m.note("take over a function as FDE %d", to)
	return true
}
