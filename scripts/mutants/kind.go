package main

import (
	"bytes"
	"errors"
	"math/rand"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// kind is a fault as producers make it. One of the functions makes it in a random
// place, and reports whether that is possible; it changes nothing where it is not.
type kind struct {
	name  string
	about string
	row   func(m *mutation, f *generator.Func, j int) bool
	fn    func(m *mutation, f *generator.Func) bool
	plan  func(m *mutation) bool
}

// kinds returns all kinds, in the order of the tables.
func kinds() []kind {
	return slices.Concat(startKinds, missingKinds, cfaKinds, registerKinds, stateKinds, functionKinds, stubKinds, flexibleKinds)
}

// mutation is the plan that a kind changes.
type mutation struct {
	in  *input
	p   *generator.Plan
	rnd *rand.Rand
}

// mutant is a section with one fault.
type mutant struct {
	kind    *kind
	bytes   []byte
	section *model.Section
	touched ranges
	// What prove says of it: it is equivalent, or the code proves it right.
	equivalent, proven bool
}

// attempts is how many places are tried for a mutant that can be encoded.
const attempts = 16

// mutate makes a mutant; nil where the file has no place for it.
func (in *input) mutate(k *kind, rnd *rand.Rand) (*mutant, error) {
	for range attempts {
		m := &mutation{in, in.plan.Clone(), rnd}
		if !m.apply(k) {
			return nil, nil
		}
		touched := changes(in.plan, m.p)
		b, err := generator.Encode(m.p)
		if err != nil || int64(len(b)) > in.room || len(touched) == 0 || bytes.Equal(b, in.base.Bytes(model.Span{Len: in.base.Size()})) {
			continue
		}
		s, err := in.decode(b)
		if err == nil && s.NumFDEs() != len(m.p.Funcs) {
			err = errors.New(k.name + ": the mutant has other FDEs than its plan")
		}
		if err != nil {
			return nil, err
		}
		return &mutant{kind: k, bytes: b, section: s, touched: touched}, nil
	}
	return nil, nil
}

// apply makes the fault in the first place that has room for it, in random order.
func (m *mutation) apply(k *kind) bool {
	if k.plan != nil {
		return k.plan(m)
	}
	for _, i := range m.rnd.Perm(len(m.p.Funcs)) {
		f := &m.p.Funcs[i]
		if k.fn != nil {
			if k.fn(m, f) {
				return true
			}
			continue
		}
		for _, j := range m.rnd.Perm(len(f.Rows)) {
			if k.row(m, f, j) {
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

// changeAll changes the rules of a function's rows from one on. It reports
// whether any differs.
func changeAll(f *generator.Func, from int, how func(rules *model.Row) bool) bool {
	any := false
	for j := from; j < len(f.Rows); j++ {
		any = change(&f.Rows[j], how) || any
	}
	return any
}

// remove takes a row away.
func remove(f *generator.Func, j int) bool {
	f.Rows = slices.Delete(f.Rows, j, j+1)
	return true
}

// next and previous return the instruction after and before an offset.
func (m *mutation) next(f *generator.Func, off uint32) (uint32, bool) {
	insns, _ := m.in.instructions(f.Start, uint64(f.Size))
	k, _ := slices.BinarySearch(insns, int64(off)+1)
	if k == len(insns) {
		return 0, false
	}
	return uint32(insns[k]), true
}

func (m *mutation) previous(f *generator.Func, off uint32) (uint32, bool) {
	insns, _ := m.in.instructions(f.Start, uint64(f.Size))
	k, _ := slices.BinarySearch(insns, int64(off))
	if k == 0 {
		return 0, false
	}
	return uint32(insns[k-1]), true
}

// move gives a row another start between those of its neighbours.
func move(f *generator.Func, j int, to uint32) bool {
	end := f.Size
	if j+1 < len(f.Rows) {
		end = f.Rows[j+1].Start
	}
	if to >= end || j > 0 && to <= f.Rows[j-1].Start || to == f.Rows[j].Start {
		return false
	}
	f.Rows[j].Start = to
	return true
}

// entry returns the rules on entry to an ordinary function.
func (m *mutation) entry() model.Row {
	abi := &m.in.abi
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
