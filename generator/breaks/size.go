package breaks

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// wider makes breaks that write starts and data words at least so wide.
func wider(starts, words bool, at func(spot) model.Span, claims ...string) sites {
	return onlySite(func(x spot) bool {
		return (!starts || x.plan.Style.MinFRE == 0) && (!words || x.plan.Style.MinWord == 0)
	}, func(x spot) anchor {
		to := int64(1)
		if len(claims) == 1 {
			to = x.upTo(1, 2)
		}
		return x.replan(func(p *generator.Plan) {
			if starts {
				p.Style.MinFRE = model.FREType(to)
			}
			if words {
				p.Style.MinWord = model.WordSize(to)
			}
		}).blame(ofSection(at))
	}, claims...)
}

var sizeBreaks = []Break{
	fault("wide-starts", "SF7001 SF7006", "Writes all starts wider than needed.", decoded,
		wider(true, false, spot.wideStart, "SF7001")),
	fault("wide-words", "SF7002 SF7006", "Writes all data words wider than needed.", decoded,
		wider(false, true, spot.wideRow, "SF7002")),
	fault("needless-flex", "SF7007 SF7006", "Makes an FDE flexible that has no need of it.", judged,
		claiming(eachFDE(func(x spot) bool {
			return x.format().Flex && x.fn().FDEType == model.SFRAME_FDE_TYPE_DEFAULT && len(x.fn().Rows) > 0
		}, func(x spot) anchor {
			return x.structure(func(p *generator.Plan) { p.Funcs[x.i].FDEType = model.SFRAME_FDE_TYPE_FLEX }).blame(x.ofField(model.FDEInfo2))
		}), "SF7007")),
	fault("repeat", "SF7003 SF7006", "Repeats a row.", decoded,
		sitesWhere(func(x spot) bool { return !x.anyRow(spot.repeats) }, eachRow(func(x spot) bool { return x.limitOf()-x.row().Start > x.insn() }, func(x spot) anchor {
			again, insn := *x.row(), int64(x.insn())
			again.Start += uint32(insn * x.upTo(1, (int64(x.limitOf()-again.Start)-1)/insn))
			return x.structure(func(p *generator.Plan) { p.Funcs[x.i].Rows = slices.Insert(p.Funcs[x.i].Rows, x.j+1, again) }).blame(x.nth(x.j + 1).ofRow())
		}))),
	fault("split-stubs", "SF7004 SF7006", "Describes a run of stubs with two FDEs.", decoded|starts,
		claimingAll(sitesWhere(func(x spot) bool {
			return x.firstFDE(func(x spot) bool { return x.i > 0 && x.fde(x.i-1).mask() && x.mask() }) < 0
		}, eachFDE(spot.manyStubs, func(x spot) anchor {
			rep := int64(x.fn().RepSize)
			size := uint32(rep * x.upTo(1, int64(x.fn().Size)/rep-1))
			return x.structure(func(p *generator.Plan) {
				g := p.Funcs[x.i]
				p.Funcs[x.i].Size = size
				g.Start, g.Size, g.Name = g.Start+uint64(size), g.Size-size, g.Name+".more"
				p.Funcs = slices.Insert(p.Funcs, x.i+1, g)
			}).blame(x.fde(x.i + 1).ofEntry())
		})))),
	fault("unmarked", "SF7005", "Clears the SORTED flag of sorted FDEs.", sections|starts,
		setHeader(model.HdrFlags, func(x spot) bool { return x.linked() && x.has(model.SFRAME_F_FDE_SORTED) && len(x.plan.Funcs) > 1 },
			func(x spot) uint64 { return uint64(x.plan.Flags &^ model.SFRAME_F_FDE_SORTED) })),
	fault("all-wide", "SF7006 SF7001 SF7002", "Writes all starts and all data words wider than needed.", decoded,
		wider(true, true, func(x spot) model.Span {
			if x.wideStart() == lost || x.wideRow() == lost {
				return lost
			}
			return model.Span{Off: x.ix.freOff, Len: x.ix.freEnd - x.ix.freOff}
		}, "SF7001", "SF7002")),
}

// firstFDE returns the first one that satisfies ok, -1 for none.
func (x spot) firstFDE(ok test) int {
	for x.i = range x.plan.Funcs {
		if ok(x) {
			return x.i
		}
	}
	return -1
}

// wideStart returns the FRE type of the first function whose starts fit fewer
// bytes. It looks at the bytes of the section, as a later break may have moved
// the last row.
func (x spot) wideStart() model.Span {
	i := x.firstFDE(func(x spot) bool {
		f := x.written()
		n := len(f.rows)
		if n == 0 {
			return false
		}
		last := x.get(model.Span{Off: f.rows[n-1].at, Len: int64(f.width)})
		return f.width > 1 && last>>(4*f.width) == 0
	})
	if i < 0 {
		return lost
	}
	return x.fde(i).field(model.FDEInfo)
}

// wideRow returns the info byte of the first row whose words fit half their
// size.
func (x spot) wideRow() model.Span {
	var r rowIndex
	for x.i = range x.ix.funcs {
		for x.j, r = range x.written().rows {
			if r.n > 0 && r.wordWidth > 1 && x.halved() {
				return model.Span{Off: r.infoAt(), Len: 1}
			}
		}
	}
	return lost
}

// halved reports whether the words of a row, as they are in the section, fit
// half their size.
func (x spot) halved() bool {
	r := x.line()
	flex := x.format().Flex &&
		model.FDEType(x.get(x.field(model.FDEInfo2))&model.Info2FDETypeMask) == model.SFRAME_FDE_TYPE_FLEX
	half := 4 * r.wordWidth // bits
	control := 0            // index of the next control word, which has no sign
	for k := range r.n {
		v := x.get(r.word(k))
		if flex && k == control {
			if v>>half != 0 {
				return false
			}
			control += 2
			if v == 0 {
				control--
			}
			continue
		}
		if shift := 64 - 2*half; int64(v)<<shift>>shift != int64(v)<<(64-half)>>(64-half) {
			return false
		}
	}
	return true
}

// repeats reports whether a row has the same content as the previous one.
func (x spot) repeats() bool {
	if x.j == 0 {
		return false
	}
	a, b := x.nth(x.j-1).row(), x.row()
	return a.Rules == b.Rules && a.Mangled == b.Mangled
}
