package breaks

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// wider makes breaks that write starts and data words at least so wide.
func wider(starts, words bool, at func(*Subject) model.Span, claims ...string) func(*Subject) []site {
	return onlySite(func(s *Subject) bool {
		return (!starts || s.plan.Style.MinFRE == 0) && (!words || s.plan.Style.MinWord == 0)
	}, func(d *draft) anchor {
		to := int64(1)
		if len(claims) == 1 {
			to = d.upTo(1, 2)
		}
		return d.replan(func(p *generator.Plan) {
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
		wider(true, false, (*Subject).wideStart, "SF7001")),
	fault("wide-words", "SF7002 SF7006", "Writes all data words wider than needed.", decoded,
		wider(false, true, (*Subject).wideRow, "SF7002")),
	fault("needless-flex", "SF7007 SF7006", "Makes an FDE flexible that has no need of it.", judged,
		claiming(eachFDE(func(s *Subject, i int) bool {
			return s.version().Info().Flex && s.fn(i).FDEType == model.SFRAME_FDE_TYPE_DEFAULT && len(s.fn(i).Rows) > 0
		}, func(d *draft, i int) anchor {
			return d.structure(func(p *generator.Plan) { p.Funcs[i].FDEType = model.SFRAME_FDE_TYPE_FLEX }).blame(ofField(i, model.FDEInfo2))
		}), "SF7007")),
	fault("repeat", "SF7003 SF7006", "Repeats a row.", decoded,
		sitesWhere(func(s *Subject) bool { return !s.anyRow(s.repeats) }, eachRow(func(s *Subject, i, j int) bool { return s.limitOf(i, j)-s.row(i, j).Start > s.insn() }, func(d *draft, i, j int) anchor {
			again, insn := *d.row(i, j), int64(d.insn())
			again.Start += uint32(insn * d.upTo(1, (int64(d.limitOf(i, j)-again.Start)-1)/insn))
			return d.structure(func(p *generator.Plan) { p.Funcs[i].Rows = slices.Insert(p.Funcs[i].Rows, j+1, again) }).blame(ofRow(i, j+1))
		}))),
	fault("split-stubs", "SF7004 SF7006", "Describes a run of stubs with two FDEs.", decoded|starts,
		claimingAll(sitesWhere(func(s *Subject) bool {
			return s.firstFDE(func(i int) bool { return i > 0 && s.mask(i-1) && s.mask(i) }) < 0
		}, eachFDE((*Subject).manyStubs, func(d *draft, i int) anchor {
			rep := int64(d.fn(i).RepSize)
			size := uint32(rep * d.upTo(1, int64(d.fn(i).Size)/rep-1))
			return d.structure(func(p *generator.Plan) {
				g := p.Funcs[i]
				p.Funcs[i].Size = size
				g.Start, g.Size, g.Name = g.Start+uint64(size), g.Size-size, g.Name+".more"
				p.Funcs = slices.Insert(p.Funcs, i+1, g)
			}).blame(ofEntry(i + 1))
		})))),
	fault("unmarked", "SF7005", "Clears the SORTED flag of sorted FDEs.", sections|starts,
		setHeader(model.HdrFlags, func(s *Subject) bool { return s.linked() && s.has(model.SFRAME_F_FDE_SORTED) && len(s.plan.Funcs) > 1 },
			func(d *draft) uint64 { return uint64(d.plan.Flags &^ model.SFRAME_F_FDE_SORTED) })),
	fault("all-wide", "SF7006 SF7001 SF7002", "Writes all starts and all data words wider than needed.", decoded,
		wider(true, true, func(s *Subject) model.Span {
			if s.wideStart() == lost || s.wideRow() == lost {
				return lost
			}
			return model.Span{Off: s.ix.freOff, Len: s.ix.freEnd - s.ix.freOff}
		}, "SF7001", "SF7002")),
}

// firstFDE returns the first one that satisfies ok, -1 for none.
func (s *Subject) firstFDE(ok func(i int) bool) int {
	for i := range s.plan.Funcs {
		if ok(i) {
			return i
		}
	}
	return -1
}

// wideStart returns the FRE type of the first function whose starts fit fewer
// bytes. It looks at the bytes of the section, as a later break may have moved
// the last row.
func (s *Subject) wideStart() model.Span {
	i := s.firstFDE(func(i int) bool {
		f := &s.ix.funcs[i]
		n := len(f.rows)
		if n == 0 {
			return false
		}
		last := s.get(model.Span{Off: f.rows[n-1].at, Len: int64(f.width)})
		return f.width > 1 && last>>(4*f.width) == 0
	})
	if i < 0 {
		return lost
	}
	return s.field(i, model.FDEInfo)
}

// wideRow returns the info byte of the first row whose words fit half their
// size.
func (s *Subject) wideRow() model.Span {
	for i := range s.ix.funcs {
		for j, r := range s.ix.funcs[i].rows {
			if r.n > 0 && r.wordWidth > 1 && s.halved(i, j) {
				return model.Span{Off: r.infoAt(), Len: 1}
			}
		}
	}
	return lost
}

// halved reports whether the words of a row, as they are in the section, fit
// half their size.
func (s *Subject) halved(i, j int) bool {
	r := s.ix.funcs[i].rows[j]
	flex := s.version().Info().Flex &&
		model.FDEType(s.get(s.field(i, model.FDEInfo2))&model.Info2FDETypeMask) == model.SFRAME_FDE_TYPE_FLEX
	half := 4 * r.wordWidth // bits
	control := 0            // index of the next control word, which has no sign
	for k := range r.n {
		v := s.get(r.word(k))
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
func (s *Subject) repeats(i, j int) bool {
	if j == 0 {
		return false
	}
	a, b := s.row(i, j-1), s.row(i, j)
	return a.Rules == b.Rules && a.Mangled == b.Mangled
}
