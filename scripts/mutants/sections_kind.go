package main

import (
	"bytes"
	"errors"
	"math/rand"
	"reflect"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// sectionKind makes a fault as producers make it, in a row, in a function or in the plan as a whole.
type sectionKind struct {
	name  string
	about string
	of    func(*generator.Func) bool // the functions that have it; nil: ordinary ones
	row   edit
	fn    edit
	plan  func(m *mutation) bool
}

// Describe returns the name and what is wrong.
func (k *sectionKind) Describe() (name, about string) { return k.name, k.about }

// edit makes a fault in a function, at the index of a row or, for all of the function, at its own
// index. It reports whether that is possible, and changes nothing where it is not.
type edit = func(m *mutation, f *generator.Func, at int) bool

// sectionKinds returns all kinds, in the order of the tables.
func sectionKinds() (all []*sectionKind) {
	for _, k := range slices.Concat(startKinds, callKinds, codeKinds, missingKinds, cfaKinds, registerKinds, stateKinds, functionKinds, stubKinds, flexibleKinds) {
		all = append(all, &k)
	}
	return all
}

// mutation is the plan that a sectionKind changes.
type mutation struct {
	in  *input
	p   *generator.Plan
	rnd *rand.Rand
}

// mutant is a section with one fault.
type mutant struct {
	Change
	kind  *sectionKind
	bytes []byte
}

// attempts is the number of places that are tried for a mutant that can be encoded.
const attempts = 16

// mutate makes a mutant; nil where the file has no place for it.
func (in *input) mutate(k *sectionKind, rnd *rand.Rand) (*mutant, error) {
	for range attempts {
		m := &mutation{in, in.plan.Clone(), rnd}
		if !m.apply(k) {
			return nil, nil
		}
		touched := changes(in.plan, m.p)
		b, err := generator.Encode(m.p)
		if err != nil || int64(len(b)) > in.room || len(touched) == 0 || bytes.Equal(b, in.Base.Bytes(model.Span{Len: in.Base.Size()})) {
			continue
		}
		s, err := in.decode(b)
		if err == nil && s.NumFDEs() != len(m.p.Funcs) {
			err = errors.New(k.name + ": the mutant has other FDEs than its plan")
		}
		if err != nil {
			return nil, err
		}
		return &mutant{Change{Section: s, Touched: touched}, k, b}, nil
	}
	return nil, nil
}

// apply makes the fault in the first place that has room for it, in random order.
func (m *mutation) apply(k *sectionKind) bool {
	if k.plan != nil {
		return k.plan(m)
	}
	of := k.of
	if of == nil {
		of = ordinary
	}
	for _, i := range m.rnd.Perm(len(m.p.Funcs)) {
		f := &m.p.Funcs[i]
		if k.fn != nil {
			if of(f) && k.fn(m, f, i) {
				return true
			}
			continue
		}
		for _, j := range m.rnd.Perm(len(f.Rows)) {
			if of(f) && k.row(m, f, j) {
				return true
			}
		}
	}
	return false
}

// ordinary reports whether a function is no stub and has code.
func ordinary(f *generator.Func) bool {
	return f.PCType == model.SFRAME_FDE_PCTYPE_INC && f.Size > 0 && len(f.Rows) > 0
}

// stub reports whether an FDE describes stubs.
func stub(f *generator.Func) bool {
	return f.PCType == model.SFRAME_FDE_PCTYPE_MASK && len(f.Rows) > 0
}

func flexible(f *generator.Func) bool { return f.FDEType == model.SFRAME_FDE_TYPE_FLEX }

func anyFunc(*generator.Func) bool { return true }

// set gives a row other rules, and reports whether they differ.
func set(r *generator.Row, rules model.Row) bool {
	if r.Rules == rules {
		return false
	}
	r.Rules, r.Words = rules, nil
	return true
}

// change changes the rules of a row.
func change(r *generator.Row, how func(rules *model.Row) bool) bool {
	rules := r.Rules
	return !rules.Outermost() && how(&rules) && set(r, rules)
}

// inRow changes the rules of one row, but not of those before the first-th one.
func inRow(first int, how func(m *mutation, r *model.Row) bool) edit {
	return func(m *mutation, f *generator.Func, j int) bool {
		return j >= first && change(&f.Rows[j], func(r *model.Row) bool { return how(m, r) })
	}
}

// each makes a fault in all rows of a function from the first-th one on, where that is possible.
func each(first int, one edit) edit {
	return func(m *mutation, f *generator.Func, _ int) bool {
		any := false
		for j := first; j < len(f.Rows); j++ {
			any = one(m, f, j) || any
		}
		return any
	}
}

// fromRowOn makes a fault in a row and all rows after it, but not in the first two.
func fromRowOn(one edit) edit {
	return func(m *mutation, f *generator.Func, j int) bool { return j > 1 && each(j, one)(m, f, j) }
}

// exchanged makes a row and the previous one exchange their rules.
func exchanged(_ *mutation, f *generator.Func, j int) bool {
	if j == 0 {
		return false
	}
	a, b := f.Rows[j-1].Rules, f.Rows[j].Rules
	return set(&f.Rows[j-1], b) && set(&f.Rows[j], a)
}

// remove takes a row away.
func remove(f *generator.Func, j int) bool {
	f.Rows = slices.Delete(f.Rows, j, j+1)
	return true
}

// drop takes an FDE away.
func drop(m *mutation, _ *generator.Func, i int) bool {
	m.p.Funcs = slices.Delete(m.p.Funcs, i, i+1)
	return true
}

// step returns the next instruction after an offset, with by = 1, or the previous one, with by = -1.
func (m *mutation) step(f *generator.Func, off uint32, by int) (uint32, bool) {
	insns, _ := m.in.Instructions(f.Start, uint64(f.Size))
	k, _ := slices.BinarySearch(insns, int64(off+uint32(max(by, 0))))
	if k += min(by, 0); k < 0 || k >= len(insns) {
		return 0, false
	}
	return uint32(insns[k]), true
}

// end returns where a row ends.
func end(f *generator.Func, j int) uint32 {
	if j+1 < len(f.Rows) {
		return f.Rows[j+1].Start
	}
	return f.Size
}

// move gives a row another start between those of its neighbours.
func move(f *generator.Func, j int, to uint32) bool {
	if to >= end(f, j) || j > 0 && to <= f.Rows[j-1].Start || to == f.Rows[j].Start {
		return false
	}
	f.Rows[j].Start = to
	return true
}

// entry returns the rules on entry to an ordinary function.
func (m *mutation) entry() model.Row {
	abi := &m.in.ABI
	r := model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: abi.EntryCFA}, RA: unchanged, FP: unchanged}
	if !abi.TracksRA() {
		r.RA = slot(int64(m.p.FixedRA))
	}
	return r
}

var unchanged = model.Recovery{Kind: model.Unchanged}

func slot(off int64) model.Recovery {
	return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: off}
}

// changes returns the addresses of the functions that differ between two plans, before and after.
func changes(a, b *generator.Plan) (out Ranges) {
	for _, p := range [][2]*generator.Plan{{a, b}, {b, a}} {
		for _, f := range p[0].Funcs {
			if !slices.ContainsFunc(p[1].Funcs, func(g generator.Func) bool { return f.Start == g.Start && reflect.DeepEqual(f, g) }) {
				out = append(out, Span(f.Start, f.Size))
			}
		}
	}
	return out
}
