package breaks

import (
	"math"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

func (s *Subject) row(i, j int) *generator.Row { return &s.fn(i).Rows[j] }

// limit returns the end of the PCs that a row covers.
func (s *Subject) limitOf(i, j int) uint32 {
	if rows := s.fn(i).Rows; j+1 < len(rows) {
		return rows[j+1].Start
	}
	return s.fn(i).Extent()
}

// isLast reports whether a row is its function's last one.
func (s *Subject) isLast(i, j int) bool { return j == len(s.fn(i).Rows)-1 }

// maxStart is the largest start that the function's rows can hold.
func (s *Subject) maxStart(i int) int64 { return 1<<(8*s.ix.funcs[i].width) - 1 }

// setStarts makes breaks that overwrite a row's start.
func setStarts(ok func(s *Subject, i, j int) bool, value func(d *draft, i, j int) int64) func(*Subject) []site {
	return eachRow(ok, func(d *draft, i, j int) anchor {
		v := value(d, i, j)
		d.failed = v < 0 || v > d.maxStart(i)
		return d.write(ofStart(i, j), uint64(v))
	})
}

// setInfo makes breaks that set a bit of a row's info byte.
func setInfo(ok func(s *Subject, i, j int) bool, bits ...uint64) func(*Subject) []site {
	return eachRow(ok, func(d *draft, i, j int) anchor {
		bit := bits[0]
		if len(bits) > 1 {
			bit = pick(d, bits...)
		}
		return d.orBits(ofInfo(i, j), bit)
	})
}

// startTooLate makes breaks whose last row starts too late, by from lo to one of hi: the present one, or
// another one after it.
func startTooLate(ok func(s *Subject, i int) bool, end func(d *draft, i int) int64, lo int64, hi ...int64) func(*Subject) []site {
	return eachFDE(func(s *Subject, i int) bool { return len(s.fn(i).Rows) > 0 && ok(s, i) }, func(d *draft, i int) anchor {
		at, n := end(d, i), len(d.fn(i).Rows)
		if len(hi) > 0 {
			at += d.upTo(lo, pick(d, hi...))
		}
		if at > math.MaxUint32 {
			return d.fail()
		}
		if n > 1 && d.rnd.IntN(2) == 0 {
			return d.replan(func(p *generator.Plan) { p.Funcs[i].Rows[n-1].Start = uint32(at) }).blame(ofStart(i, n-1))
		}
		d.failed = !d.framed(i, n-1)
		return d.replan(func(p *generator.Plan) {
			r := p.Funcs[i].Rows[n-1]
			r.Start = uint32(at)
			r.Rules.CFA.Offset += p.ABIInfo().CFAAlign
			p.Funcs[i].Rows = append(p.Funcs[i].Rows, r)
		}).blame(ofStart(i, n))
	})
}
func sizeOf(d *draft, i int) int64    { return int64(d.fn(i).Size) }
func repSizeOf(d *draft, i int) int64 { return int64(d.fn(i).RepSize) }

// entered reports whether enough functions of a section, and all, start with the entry CFA in FREs of the default type, so
// that the writer's reading of the base register shows.
func (s *Subject) entered() bool {
	for i := range s.plan.Funcs {
		f := s.fn(i)
		cfa := model.Recovery{Kind: model.InRegister, Reg: s.abi().SP, Offset: s.abi().EntryCFA}
		if !s.framedFunc(i) || s.mask(i) || f.FDEType != model.SFRAME_FDE_TYPE_DEFAULT || f.Rows[0].Rules.CFA != cfa {
			return false
		}
	}
	return len(s.plan.Funcs) >= 4 && (s.elf == nil || s.elf.named(".eh_frame") == nil)
}

var rowBreaks = []Break{
	spoiling("inverted-bases", "SF6027", "Inverts the bit for the base register in all FREs.", judged, rows|machine,
		eachFDE(func(s *Subject, i int) bool { return i == 0 && s.entered() }, func(d *draft, _ int) anchor {
			done := map[model.Span]bool{} // functions may share FREs
			for i := range d.plan.Funcs {
				for j := range d.fn(i).Rows {
					at := ofInfo(i, j).span(d.Subject)
					if !done[at] {
						d.set(at, d.get(at)^model.FREInfoBaseBit)
					}
					done[at] = true
				}
			}
			return ofInfo(0, 0)
		})),
	spoiling("word-size", "SF3001", "Sets a size of data words that does not exist.", decoded, rows,
		setInfo(func(*Subject, int, int) bool { return true }, 3<<model.FREInfoSizeShift)),
	spoiling("cut-off", "SF3002", "Claims more rows than there are up to the end of the FREs.", decoded, rows,
		claiming(eachFDE(func(s *Subject, i int) bool {
			return s.ix.funcs[i].end == s.ix.freEnd && len(s.fn(i).Rows) > 0 && len(s.fn(i).Rows) < math.MaxUint16
		}, func(d *draft, i int) anchor {
			d.add(ofField(i, model.FDENumFREs), 1)
			d.add(ofHeader(model.HdrNumFREs), 1)
			return ofSection(func(s *Subject) model.Span { return model.Span{Off: s.ix.freEnd} })
		}), model.HdrNumFREs.String())),
	spoiling("offset-beyond", "SF3003", "Sets an offset of a function's rows beyond the FREs.", decoded, rows,
		setFDE(model.FDEStartFREOff, func(s *Subject, i int) bool { return s.version().Info().AttrSize > 0 || len(s.fn(i).Rows) > 0 }, func(d *draft, i int) uint64 {
			n := d.ix.freEnd - d.ix.freOff
			if attr := int64(d.version().Info().AttrSize); attr > 0 && d.rnd.IntN(2) == 0 {
				return uint64(n - d.upTo(1, attr-1)) // no room for an attribute
			}
			return uint64(d.upTo(n, pick[int64](d, n+100, math.MaxUint32)))
		})),
	fault("late", "SF3004", "Makes a function's first row start after the function's start.", decoded,
		setStarts(func(s *Subject, i, j int) bool { return j == 0 && s.insn() < s.limitOf(i, j) }, func(d *draft, i, j int) int64 {
			return int64(d.insn()) * d.upTo(1, (min(int64(d.limitOf(i, j)), d.maxStart(i))-1)/int64(d.insn()))
		})),
	fault("disorder", "SF3005 SF3112 SF3114 SF3115 SF3116 SF3120", "Makes a row start no later than the previous one.", decoded,
		// A last row that starts early would need a narrower FRE type.
		setStarts(func(s *Subject, i, j int) bool { return j > 0 && (!s.isLast(i, j) || s.ix.funcs[i].width == 1) },
			func(d *draft, i, j int) int64 {
				return int64(d.insn()) * d.upTo(0, int64(d.row(i, j-1).Start/d.insn()))
			})),
	fault("at-end", "SF3006 SF3118", "Makes the last row start where the function ends.", decoded,
		startTooLate((*Subject).inc, sizeOf, 0)),
	fault("beyond-end", "SF3007 SF3112 SF3118", "Makes the last row start after the function.", decoded,
		startTooLate((*Subject).inc, sizeOf, 1, 1, 16, 1<<20)),
	fault("beyond-stub", "SF3008", "Makes the last row start after the stub.", decoded,
		startTooLate(func(s *Subject, i int) bool { return s.mask(i) && s.fn(i).RepSize != 0 }, repSizeOf, 0, 0, 16, 1<<20)),
	fault("row-gap", "SF3011", "Inserts zero bytes after the rows of a function.", decoded,
		rowGap(func(d *draft, n int64) []byte { return nil })),
	fault("row-stray", "SF3012", "Inserts bytes that are not zero after the rows of a function.", decoded,
		rowGap((*draft).noise)),
	fault("mangled", "SF3014", "Marks a return address as signed on an ABI without signed ones.", judged,
		setInfo(func(s *Subject, i, j int) bool { return !pauth(s) }, model.FREInfoMangledBit)),
	fault("no-words", "SF3015", "Removes all data words of a row of version 1.", decoded,
		eachRow(func(s *Subject, i, j int) bool { return !s.version().Info().Errata2 },
			func(d *draft, i, j int) anchor { return d.rewrite(i, j, []int64{}).blame(ofInfo(i, j)) })),
	fault("idle-bits", "SF3027", "Sets other bits in the info byte of a row without data words.", decoded,
		setInfo(func(s *Subject, i, j int) bool {
			r := s.row(i, j)
			return s.version().Info().Errata2 && r.Words == nil && r.Rules.RA.Kind == model.Undefined && r.Rules.CFA.Kind == model.Undefined
		}, 0x20, 0x40)),
	fault("many-rows", "SF2102", "Gives the last function more than 60000 rows.", decoded|starts,
		atLast(func(s *Subject, i int) bool {
			return s.plan.Style.MinFRE == 0 && s.plan.Style.MinWord == 0 && s.version().Info().MaxFREs == 65535
		}, func(d *draft, i int) anchor {
			n := d.upTo(60001, 65535)
			return d.structure(func(p *generator.Plan) { manyRows(p, &p.Funcs[i], n) }).blame(ofField(i, model.FDENumFREs))
		})),
	fault("inside-instruction", "SF3025 SF3114 SF3118", "Makes a row start between two instruction addresses.", judged,
		setStarts(func(s *Subject, i, j int) bool { return s.insn() > 1 && j > 0 },
			func(d *draft, i, j int) int64 { return int64(d.row(i, j).Start) + d.upTo(1, int64(d.insn())-1) })),
}

// rewrite gives a row other data words and keeps its rules in the plan, so that
// the code of its function stays the same.
func (d *draft) rewrite(i, j int, words []int64) *draft {
	base := model.BaseReg(d.ix.funcs[i].rows[j].info & model.FREInfoBaseBit)
	return d.replan(func(p *generator.Plan) { p.Funcs[i].Rows[j].Words, p.Funcs[i].Rows[j].Base = words, base })
}

// rowGap makes breaks that move rows apart.
func rowGap(fill func(d *draft, n int64) []byte) func(*Subject) []site {
	return eachFDE(func(s *Subject, i int) bool { return s.ix.funcs[i].end > s.ix.freOff }, func(d *draft, i int) anchor {
		n := d.upTo(1, 32)
		at := d.ix.funcs[i].end
		b := fill(d, n)
		return d.relayout(func(l *generator.Layout) {
			insert(l, uint32(at-d.ix.freOff), n)
			if b != nil {
				l.Fill = append(l.Fill, generator.Fill{Off: at, Bytes: b})
			}
		}).blame(ofSection(func(*Subject) model.Span { return model.Span{Off: at, Len: n} }))
	})
}
