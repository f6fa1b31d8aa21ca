package generator

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Shrinks returns a function that returns a simpler plan than p with each call,
// the simplest first, and nil at the end. The plans have no layout. They are
// valid if p is.
func Shrinks(p *Plan) func() *Plan {
	valid := Valid(p) == nil
	steps := p.steps()
	return func() *Plan {
		for len(steps) > 0 {
			q := p.Clone()
			q.Layout = nil
			changed := steps[0](q)
			steps = steps[1:]
			if changed && (!valid || Valid(q) == nil) {
				return q
			}
		}
		return nil
	}
}

// step makes a plan simpler and reports whether it has changed.
type step func(*Plan) bool

// steps lists the steps to try on a plan.
func (p *Plan) steps() []step {
	var all []step
	if p.Layout != nil {
		all = append(all, func(*Plan) bool { return true })
	}
	for _, c := range cuts(len(p.Funcs)) {
		all = append(all, func(q *Plan) bool {
			q.Funcs = slices.Delete(q.Funcs, c.at, c.at+c.n)
			return true
		})
	}
	for i := range p.Funcs {
		for _, c := range cuts(len(p.Funcs[i].Rows)) {
			all = append(all, func(q *Plan) bool { return q.cutRows(&q.Funcs[i], c) })
		}
	}
	all = append(all, plainStyle, plainAux, plainHeader, moveNearby)
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

func (p *Plan) cutRows(f *Func, c cut) bool {
	f.Rows = slices.Delete(f.Rows, c.at, c.at+c.n)
	if len(f.Rows) > 0 {
		f.Rows[0].Start = 0
	}
	p.refit(f)
	return true
}

// refit chooses the FDE type again, unless rows have fixed data words.
func (p *Plan) refit(f *Func) {
	if !slices.ContainsFunc(f.Rows, func(r Row) bool { return r.Words != nil }) {
		p.FitType(f)
	}
}

func plainStyle(p *Plan) bool {
	was := p.Style
	p.Style = Style{}
	return was != Style{}
}

func plainAux(p *Plan) bool {
	had := len(p.Aux)
	p.Aux = nil
	return had > 0
}

// plainHeader removes what no producer writes.
func plainHeader(p *Plan) bool {
	was, flags, abi := p.absentFP(), p.Flags, p.ABIInfo()
	p.FixedFP = abi.FixedFP
	p.Flags |= p.Version.Info().NeedFlags
	for i := range p.Funcs {
		for j := range p.Funcs[i].Rows {
			if r := &p.Funcs[i].Rows[j]; r.Rules.FP == was {
				r.Rules.FP = p.absentFP()
			}
		}
	}
	return was != p.absentFP() || flags != p.Flags
}

// plainAddr is the simplest address of a section, and plainGap the simplest
// distance between functions.
const plainAddr, plainGap = 0x400000, 0x10

// moveNearby moves the section to plainAddr and the functions after it, in their
// order.
func moveNearby(p *Plan) bool {
	if p.Relocatable {
		return false
	}
	l, err := Arrange(p)
	if err != nil {
		return false
	}
	changed := p.Addr != plainAddr
	p.Addr = plainAddr
	at := uint64(align(plainAddr+l.Size+0x1000, 0x1000, 1<<62))
	for _, i := range p.byStart() {
		f := &p.Funcs[i]
		changed = changed || f.Start != at
		f.Start = at
		at = uint64(align(int64(at)+int64(f.Size)+plainGap, 16, 1<<62))
	}
	return changed
}

// funcSteps make a function smaller or plainer.
func funcSteps(i int) []step {
	return []step{
		func(p *Plan) bool { // rows as close as instructions can be
			f, insn, changed := &p.Funcs[i], uint32(p.ABIInfo().MinInsn), false
			for j := range f.Rows {
				changed = changed || f.Rows[j].Start != uint32(j)*insn
				f.Rows[j].Start = uint32(j) * insn
			}
			return changed
		},
		func(p *Plan) bool { // no code after the last row
			f := &p.Funcs[i]
			was, insn := f.Size, uint32(p.ABIInfo().MinInsn)
			switch {
			case f.RepSize != 0:
				f.Size = uint32(f.RepSize)
			case len(f.Rows) > 0:
				f.Size = f.Rows[len(f.Rows)-1].Start + insn
			default:
				f.Size = insn
			}
			return f.Size < was
		},
		func(p *Plan) bool {
			f := &p.Funcs[i]
			was, rep := f.PCType, f.RepSize
			f.PCType, f.RepSize = model.SFRAME_FDE_PCTYPE_INC, 0
			return was != f.PCType || rep != 0
		},
		func(p *Plan) bool {
			was := p.Funcs[i].Signal
			p.Funcs[i].Signal = false
			return was
		},
		func(p *Plan) bool {
			was := p.Funcs[i].PauthKey
			p.Funcs[i].PauthKey = model.SFRAME_AARCH64_PAUTH_KEY_A
			return was != 0
		},
	}
}

// rowSteps make a row's rules plainer.
func rowSteps(i, j int) []step {
	edit := func(change func(p *Plan, r *Row)) step {
		return func(p *Plan) bool {
			f := &p.Funcs[i]
			r := &f.Rows[j]
			if r.Words != nil && !r.Rules.Valid() {
				return false
			}
			was := *r
			change(p, r)
			if was.Rules == r.Rules && was.Mangled == r.Mangled {
				return false
			}
			r.Words = nil
			p.refit(f)
			return true
		}
	}
	return []step{
		func(p *Plan) bool { // the words that the rules need
			r := &p.Funcs[i].Rows[j]
			had := r.Words != nil && r.Rules.Valid()
			if had {
				r.Words = nil
				p.refit(&p.Funcs[i])
			}
			return had
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
