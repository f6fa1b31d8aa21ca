package breaks

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// relayout writes the section in another layout. Nothing can be planned
// afterwards, as the layout would have to follow.
func (d *draft) relayout(change func(*generator.Layout)) *draft {
	d.replan(func(p *generator.Plan) {
		if l, err := generator.Arrange(p); err == nil { // the plan was written before
			change(l)
			p.Layout = l
		}
	})
	d.sealed = true
	return d
}

// insert makes room for n bytes at an offset of the FREs.
func insert(l *generator.Layout, off uint32, n int64) {
	for k := range l.Funcs {
		if l.Funcs[k].StartFREOff >= off {
			l.Funcs[k].StartFREOff += uint32(n)
		}
	}
	l.FRELen += uint32(n)
	l.Size += n
}

// dataLen is the number of bytes that a function has in the FRE sub-section.
func (s *Subject) dataLen(i int) int64 { return s.ix.funcs[i].end - s.ix.funcs[i].data }

// share makes the function g refer to bytes of the function f from its off-th on. Its own bytes are removed.
func (d *draft) share(f, g int, off uint32) anchor {
	own := d.dataLen(g)
	return d.relayout(func(l *generator.Layout) {
		to := l.Funcs[f].StartFREOff + off
		insert(l, l.Funcs[g].StartFREOff+1, -own)
		if to > l.Funcs[g].StartFREOff {
			to -= uint32(own)
		}
		l.Funcs[g].StartFREOff = to
	}).blame(ofField(g, model.FDEStartFREOff))
}

// shapeOf copies everything that a function's rows depend on from f to g.
func shapeOf(f, g *generator.Func, rows []generator.Row) {
	g.PCType, g.RepSize, g.FDEType, g.PauthKey, g.Signal = f.PCType, f.RepSize, f.FDEType, f.PauthKey, f.Signal
	g.Rows = slices.Clone(rows)
}

var sharingBreaks = []Break{
	fault("shared-start", "SF3009", "Makes a second FDE refer to the first row of a function, and to no other.", decoded,
		eachTwo(func(s *Subject, f, g int) bool { return s.sharable(f, 2) && s.ix.funcs[f].width == 1 }, func(d *draft, f, g int) anchor {
			return d.structure(func(p *generator.Plan) { shapeOf(&p.Funcs[f], &p.Funcs[g], p.Funcs[f].Rows[:1]) }).share(f, g, 0)
		})),
	fault("shared-attribute", "SF3009", "Makes a second FDE refer to zero bytes inside a function's rows, which are an attribute without rows to it.", decoded|starts,
		eachTwo(func(s *Subject, f, g int) bool {
			return f == s.last() && s.version().Info().AttrSize > 0 && s.inc(f) && s.fn(f).FDEType == model.SFRAME_FDE_TYPE_DEFAULT && len(s.fn(f).Rows) > 1
		}, func(d *draft, f, g int) anchor {
			// A row that starts late needs 4 bytes for the starts, and
			// those of the first, after info2 and rep_size, are all zero.
			const far = 1 << 16
			return d.structure(func(p *generator.Plan) {
				fn, h := &p.Funcs[f], &p.Funcs[g]
				fn.Size = max(fn.Size, far+256)
				fn.Rows[len(fn.Rows)-1].Start = max(fn.Rows[len(fn.Rows)-1].Start, far)
				*h = generator.Func{Name: h.Name, Start: h.Start, Size: h.Size}
			}).share(f, g, 3)
		})),
	fault("same-rows", "SF3010", "Makes a second FDE refer to the rows of a function, in versions 1 and 2.", decoded,
		eachTwo(func(s *Subject, f, g int) bool { return s.sharable(f, 1) && s.lastStart(f) < int64(s.fn(g).Size) }, func(d *draft, f, g int) anchor {
			d.structure(func(p *generator.Plan) { shapeOf(&p.Funcs[f], &p.Funcs[g], p.Funcs[f].Rows) }).share(f, g, 0)
			return ofField(max(f, g), model.FDEStartFREOff)
		})),
	spoiling("rows-for-all", "SF3013 SF3010 SF4008", "Makes so many FDEs refer to the same rows that they claim more than twice the FREs, in versions 1 and 2.", decoded, rows,
		claimingAll(eachFDE(func(s *Subject, i int) bool { return s.sharable(i, 1) }, rowsForAll))),
}

// sharable reports whether a function has n rows or more, to which any FDE can refer.
func (s *Subject) sharable(i, n int) bool {
	return s.version().Info().AttrSize == 0 && len(s.fn(i).Rows) >= n && s.inc(i)
}

// rowsForAll keeps the function and as many others as are needed, all with its
// rows. A reader walks rows until it has read twice the sub-section.
func rowsForAll(d *draft, f int) anchor {
	const n = 3 // twice the sub-section, and one more
	size, others := d.dataLen(f), n-1
	var keep []generator.Func
	for g, fn := range d.base.Funcs {
		if g != f {
			if others == 0 || d.lastStart(f) >= int64(d.fn(g).Size) {
				continue
			}
			others--
		}
		shapeOf(&d.base.Funcs[f], &fn, d.base.Funcs[f].Rows)
		keep = append(keep, fn)
	}
	d.failed = others > 0
	d.structure(func(p *generator.Plan) { p.Funcs = keep })
	return d.relayout(func(l *generator.Layout) {
		l.Size -= int64(l.FRELen) - size
		l.FRELen = uint32(size)
		for k := range l.Funcs {
			l.Funcs[k].StartFREOff = 0
		}
	}).blame(ofField(n-1, model.FDEStartFREOff))
}

// allPairs is the number of functions up to which any two are a site; of more functions, only those are that are at most
// nearPairs apart in the section.
const (
	allPairs  = 64
	nearPairs = 4
)

// eachTwo has a site at every two functions, in both orders.
func eachTwo(ok func(s *Subject, f, g int) bool, do func(d *draft, f, g int) anchor) func(*Subject) []site {
	return func(s *Subject) (all []site) {
		n := len(s.plan.Funcs)
		apart := n
		if n > allPairs {
			apart = nearPairs
		}
		for f := range n {
			for g := max(0, f-apart); g < min(n, f+apart+1); g++ {
				if f != g && ok(s, f, g) {
					all = append(all, site{[]string{claimFDE(f), claimFDE(g)}, func(d *draft) anchor { return do(d, f, g) }})
				}
			}
		}
		return all
	}
}

// manyRows gives a function n rows, in which its frame is set up and removed.
func manyRows(p *generator.Plan, f *generator.Func, n int64) {
	abi := p.ABIInfo()
	insn := uint32(abi.MinInsn)
	*f = generator.Func{Name: f.Name, Start: f.Start, Size: max(f.Size, uint32(n)*insn), Rows: make([]generator.Row, 0, n)}
	rules := model.Row{
		CFA: model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: abi.EntryCFA},
		RA:  model.Recovery{Kind: model.FromCFA, Deref: true, Offset: int64(p.FixedRA)},
		FP:  model.Recovery{Kind: model.Unchanged},
	}
	if abi.TracksRA() {
		rules.RA = model.Recovery{Kind: model.Unchanged}
	}
	for j := range n {
		r := generator.Row{Start: uint32(j) * insn, Rules: rules}
		if (n-j)%2 == 0 {
			r.Rules.CFA.Offset += abi.CFAAlign
		}
		f.Rows = append(f.Rows, r)
	}
	if n%2 == 0 { // the state at entry
		f.Rows[0].Rules = rules
		f.Rows[1].Rules.CFA.Offset = rules.CFA.Offset + 2*abi.CFAAlign
	}
}
