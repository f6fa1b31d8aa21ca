package breaks

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// relayout writes the section in another layout. Nothing can be planned
// afterwards, as the layout would have to follow.
func (x spot) relayout(change func(*generator.Layout)) spot {
	x.replan(func(p *generator.Plan) {
		if l, err := generator.Arrange(p); err == nil { // the plan was written before
			change(l)
			p.Layout = l
		}
	})
	x.sealed = true
	return x
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
func (x spot) dataLen() int64 { return x.written().end - x.written().data }

// share makes the function g refer to bytes of the function f from its off-th on. Its own bytes are removed.
func (x spot) share(off uint32) anchor {
	own := x.other().dataLen()
	return x.relayout(func(l *generator.Layout) {
		to := l.Funcs[x.i].StartFREOff + off
		insert(l, l.Funcs[x.g].StartFREOff+1, -own)
		if to > l.Funcs[x.g].StartFREOff {
			to -= uint32(own)
		}
		l.Funcs[x.g].StartFREOff = to
	}).blame(x.other().ofField(model.FDEStartFREOff))
}

// shapeOf copies everything that a function's rows depend on from f to g.
func shapeOf(f, g *generator.Func, rows []generator.Row) {
	g.PCType, g.RepSize, g.FDEType, g.PauthKey, g.Signal = f.PCType, f.RepSize, f.FDEType, f.PauthKey, f.Signal
	g.Rows = slices.Clone(rows)
}

var sharingBreaks = []Break{
	fault("shared-start", "SF3009", "Makes a second FDE refer to the first row of a function, and to no other.", decoded,
		eachTwo(func(x spot) bool { return x.sharable(2) && x.written().width == 1 }, func(x spot) anchor {
			return x.structure(func(p *generator.Plan) { shapeOf(&p.Funcs[x.i], &p.Funcs[x.g], p.Funcs[x.i].Rows[:1]) }).share(0)
		})),
	fault("shared-attribute", "SF3009", "Makes a second FDE refer to zero bytes inside a function's rows, which are an attribute without rows to it.", decoded|starts,
		eachTwo(func(x spot) bool {
			return x.i == x.last() && x.format().AttrSize > 0 && x.inc() && x.fn().FDEType == model.SFRAME_FDE_TYPE_DEFAULT && len(x.fn().Rows) > 1
		}, func(x spot) anchor {
			// A row that starts late needs 4 bytes for the starts, and
			// those of the first, after info2 and rep_size, are all zero.
			const far = 1 << 16
			return x.structure(func(p *generator.Plan) {
				fn, h := &p.Funcs[x.i], &p.Funcs[x.g]
				fn.Size = max(fn.Size, far+256)
				fn.Rows[len(fn.Rows)-1].Start = max(fn.Rows[len(fn.Rows)-1].Start, far)
				*h = generator.Func{Name: h.Name, Start: h.Start, Size: h.Size}
			}).share(3)
		})),
	fault("same-rows", "SF3010", "Makes a second FDE refer to the rows of a function, in versions 1 and 2.", decoded,
		eachTwo(func(x spot) bool { return x.sharable(1) && x.lastStart() < int64(x.other().fn().Size) }, func(x spot) anchor {
			x.structure(func(p *generator.Plan) { shapeOf(&p.Funcs[x.i], &p.Funcs[x.g], p.Funcs[x.i].Rows) }).share(0)
			return x.fde(max(x.i, x.g)).ofField(model.FDEStartFREOff)
		})),
	spoiling("rows-for-all", "SF3013 SF3010 SF4008", "Makes so many FDEs refer to the same rows that they claim more than twice the FREs, in versions 1 and 2.", decoded, rows,
		claimingAll(eachFDE(func(x spot) bool { return x.sharable(1) }, rowsForAll))),
}

// sharable reports whether a function has n rows or more, to which any FDE can refer.
func (x spot) sharable(n int) bool {
	return x.format().AttrSize == 0 && len(x.fn().Rows) >= n && x.inc()
}

// rowsForAll keeps the function and as many others as are needed, all with its
// rows. A reader walks rows until it has read twice the sub-section.
func rowsForAll(x spot) anchor {
	const n = 3 // twice the sub-section, and one more
	size, others := x.dataLen(), n-1
	var keep []generator.Func
	for g, fn := range x.base.Funcs {
		if g != x.i {
			if others == 0 || x.lastStart() >= int64(x.fde(g).fn().Size) {
				continue
			}
			others--
		}
		shapeOf(&x.base.Funcs[x.i], &fn, x.base.Funcs[x.i].Rows)
		keep = append(keep, fn)
	}
	x.failed = others > 0
	x.structure(func(p *generator.Plan) { p.Funcs = keep })
	return x.relayout(func(l *generator.Layout) {
		l.Size -= int64(l.FRELen) - size
		l.FRELen = uint32(size)
		for k := range l.Funcs {
			l.Funcs[k].StartFREOff = 0
		}
	}).blame(x.fde(n - 1).ofField(model.FDEStartFREOff))
}

// allPairs is the number of functions up to which any two are a site; of more functions, only those are that are at most
// nearPairs apart in the section.
const (
	allPairs  = 64
	nearPairs = 4
)

// eachTwo has a site at every two functions, in both orders.
func eachTwo(ok test, do edit) sites {
	return func(x spot) (all []site) {
		n := len(x.plan.Funcs)
		apart := n
		if n > allPairs {
			apart = nearPairs
		}
		for x.i = range n {
			for x.g = max(0, x.i-apart); x.g < min(n, x.i+apart+1); x.g++ {
				if x.i != x.g {
					all = x.site(all, ok, do, x.i, x.g)
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
