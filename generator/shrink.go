package generator

import (
	"reflect"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Shrinks returns an iterator over plans that are simpler than p, the simplest first. Each call returns the next
// plan, and nil at the end. The plans have no layout. They are valid if p is.
func Shrinks(p *Plan) func() *Plan {
	valid := Valid(p) == nil
	canonical := p.Clone()
	canonical.Layout = nil
	steps := canonical.steps()
	if p.Layout != nil {
		steps = append([]step{nil}, steps...)
	}
	return func() *Plan {
		for len(steps) > 0 {
			q, do := canonical.Clone(), steps[0]
			if steps = steps[1:]; do != nil {
				do(q)
			}
			if (do == nil || !reflect.DeepEqual(q, canonical)) && (!valid || Valid(q) == nil) {
				return q
			}
		}
		return nil
	}
}

// step makes a plan simpler. It changes nothing where it cannot.
type step func(*Plan)

// steps lists the steps to try on a plan.
func (p *Plan) steps() []step {
	var all []step
	for _, c := range cuts(len(p.Funcs)) {
		all = append(all, func(q *Plan) { q.Funcs = slices.Delete(q.Funcs, c.at, c.at+c.n) })
	}
	for i := range p.Funcs {
		for _, c := range cuts(len(p.Funcs[i].Rows)) {
			all = append(all, func(q *Plan) { q.cutRows(&q.Funcs[i], c) })
		}
	}
	all = append(all, func(q *Plan) { q.Style = Style{} }, func(q *Plan) { q.Aux = nil }, plainHeader, moveNearby)
	for i := range p.Funcs {
		all = append(all, funcSteps(i)...)
		for j := range p.Funcs[i].Rows {
			all = append(all, rowSteps(i, j)...)
		}
	}
	return all
}

// cut is a run of n things from the at-th on.
type cut struct{ at, n int }

// cuts lists the runs of n things that may be left out: halves first, single
// ones last.
func cuts(n int) (all []cut) {
	for size := n; size > 0; size /= 2 {
		for at := 0; at < n; at += size {
			all = append(all, cut{at, min(size, n-at)})
		}
	}
	return all
}

func (p *Plan) cutRows(f *Func, c cut) {
	f.Rows = slices.Delete(f.Rows, c.at, c.at+c.n)
	if len(f.Rows) > 0 {
		f.Rows[0].Start = 0
	}
	p.refit(f)
}

// refit chooses the FDE type again, unless rows have fixed data words.
func (p *Plan) refit(f *Func) {
	if !slices.ContainsFunc(f.Rows, func(r Row) bool { return r.Words != nil }) {
		p.FitType(f)
	}
}

// plainHeader removes what no producer writes.
func plainHeader(p *Plan) {
	was := p.absentFP()
	p.FixedFP = p.ABIInfo().FixedFP
	p.Flags |= p.Version.Info().NeedFlags
	for i := range p.Funcs {
		for j := range p.Funcs[i].Rows {
			if r := &p.Funcs[i].Rows[j]; r.Rules.FP == was {
				r.Rules.FP = p.absentFP()
			}
		}
	}
}

// plainAddr is the simplest address of a section, and plainGap the simplest
// distance between functions.
const plainAddr, plainGap = 0x400000, 0x10

// moveNearby moves the section to plainAddr and the functions after it, in their
// order.
func moveNearby(p *Plan) {
	l, err := Arrange(p)
	if p.Relocatable || err != nil {
		return
	}
	p.Addr = plainAddr
	at := uint64(align(plainAddr+l.Size+0x1000, 0x1000, 1<<62))
	for _, i := range p.byStart() {
		f := &p.Funcs[i]
		f.Start = at
		at = uint64(align(int64(at)+int64(f.Size)+plainGap, 16, 1<<62))
	}
}

// funcSteps make a function smaller or plainer.
func funcSteps(i int) []step {
	edit := func(change func(p *Plan, f *Func)) step { return func(p *Plan) { change(p, &p.Funcs[i]) } }
	return []step{
		edit(func(p *Plan, f *Func) { // rows as close as instructions can be
			for j := range f.Rows {
				f.Rows[j].Start = uint32(j) * uint32(p.ABIInfo().MinInsn)
			}
		}),
		edit(func(p *Plan, f *Func) { // no code after the last row
			size := uint32(p.ABIInfo().MinInsn)
			switch {
			case f.RepSize != 0:
				size = uint32(f.RepSize)
			case len(f.Rows) > 0:
				size += f.Rows[len(f.Rows)-1].Start
			}
			f.Size = min(f.Size, size)
		}),
		edit(func(_ *Plan, f *Func) { f.PCType, f.RepSize = model.SFRAME_FDE_PCTYPE_INC, 0 }),
		edit(func(_ *Plan, f *Func) { f.Signal = false }),
		edit(func(_ *Plan, f *Func) { f.PauthKey = model.SFRAME_AARCH64_PAUTH_KEY_A }),
	}
}

// rowSteps make a row's rules plainer.
func rowSteps(i, j int) []step {
	edit := func(change func(p *Plan, r *Row)) step {
		return func(p *Plan) {
			r := &p.Funcs[i].Rows[j]
			if r.Words != nil && !r.Rules.Valid() {
				return
			}
			was := *r
			if change(p, r); was.Rules != r.Rules || was.Mangled != r.Mangled {
				r.Words = nil
				p.refit(&p.Funcs[i])
			}
		}
	}
	return []step{
		func(p *Plan) { // the words that the rules need
			if r := &p.Funcs[i].Rows[j]; r.Words != nil && r.Rules.Valid() {
				r.Words = nil
				p.refit(&p.Funcs[i])
			}
		},
		edit(func(_ *Plan, r *Row) { r.Mangled = false }),
		edit(func(p *Plan, r *Row) { r.Rules.RA = p.absentRA() }),
		edit(func(p *Plan, r *Row) { r.Rules.FP = p.absentFP() }),
		edit(func(p *Plan, r *Row) { r.Rules.CFA.Offset = closer(r.Rules.CFA.Offset, p.ABIInfo(), 2) }),
		edit(func(p *Plan, r *Row) { r.Rules.CFA.Offset = closer(r.Rules.CFA.Offset, p.ABIInfo(), 0) }),
	}
}

// closer brings a CFA offset closer to that at entry: by a part of the distance,
// or by a single step.
func closer(off int64, abi model.ABIInfo, part int64) int64 {
	way := off - abi.EntryCFA
	switch {
	case way <= 0:
		return off
	case part > 0:
		return abi.EntryCFA + way/part/abi.CFAAlign*abi.CFAAlign
	}
	return off - abi.CFAAlign
}
