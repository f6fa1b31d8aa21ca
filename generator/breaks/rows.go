package breaks

import (
	"math"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

func (x spot) row() *generator.Row { return &x.fn().Rows[x.j] }

// limit returns the end of the PCs that a row covers.
func (x spot) limitOf() uint32 {
	if rows := x.fn().Rows; x.j+1 < len(rows) {
		return rows[x.j+1].Start
	}
	return x.fn().Extent()
}

// isLast reports whether a row is its function's last one.
func (x spot) isLast() bool { return x.j == len(x.fn().Rows)-1 }

// maxStart is the largest start that the function's rows can hold.
func (x spot) maxStart() int64 { return 1<<(8*x.written().width) - 1 }

// setStarts makes breaks that overwrite a row's start.
func setStarts(ok test, value func(spot) int64) sites {
	return eachRow(ok, func(x spot) anchor {
		v := value(x)
		x.failed = v < 0 || v > x.maxStart()
		return x.write(x.ofStart(), uint64(v))
	})
}

// setInfo makes breaks that set a bit of a row's info byte.
func setInfo(ok test, bits ...uint64) sites {
	return eachRow(ok, func(x spot) anchor {
		bit := bits[0]
		if len(bits) > 1 {
			bit = pick(x, bits...)
		}
		return x.orBits(x.ofInfo(), bit)
	})
}

// startTooLate makes breaks whose last row starts too late, by from lo to one of hi: the present one, or
// another one after it.
func startTooLate(ok test, end func(spot) int64, lo int64, hi ...int64) sites {
	return eachFDE(func(x spot) bool { return len(x.fn().Rows) > 0 && ok(x) }, func(x spot) anchor {
		at, n := end(x), len(x.fn().Rows)
		if len(hi) > 0 {
			at += x.upTo(lo, pick(x, hi...))
		}
		if at > math.MaxUint32 {
			return x.fail()
		}
		if n > 1 && x.rnd.IntN(2) == 0 {
			return x.replan(func(p *generator.Plan) { p.Funcs[x.i].Rows[n-1].Start = uint32(at) }).blame(x.nth(n - 1).ofStart())
		}
		x.failed = !x.nth(n - 1).framed()
		return x.replan(func(p *generator.Plan) {
			r := p.Funcs[x.i].Rows[n-1]
			r.Start = uint32(at)
			r.Rules.CFA.Offset += p.ABIInfo().CFAAlign
			p.Funcs[x.i].Rows = append(p.Funcs[x.i].Rows, r)
		}).blame(x.nth(n).ofStart())
	})
}
func sizeOf(x spot) int64    { return int64(x.fn().Size) }
func repSizeOf(x spot) int64 { return int64(x.fn().RepSize) }

// entered reports whether enough functions of a section, and all, start with the entry CFA in FREs of the default type, so
// that the writer's reading of the base register shows.
func (x spot) entered() bool {
	for x.i = range x.plan.Funcs {
		f := x.fn()
		cfa := model.Recovery{Kind: model.InRegister, Reg: x.abi().SP, Offset: x.abi().EntryCFA}
		if !x.framedFunc() || x.mask() || f.FDEType != model.SFRAME_FDE_TYPE_DEFAULT || f.Rows[0].Rules.CFA != cfa {
			return false
		}
	}
	return len(x.plan.Funcs) >= 4 && (x.elf == nil || x.elf.named(".eh_frame") == nil)
}

var rowBreaks = []Break{
	spoiling("inverted-bases", "SF6027", "Inverts the bit for the base register in all FREs.", judged, rows|machine,
		eachFDE(func(x spot) bool { return x.i == 0 && x.entered() }, func(x spot) anchor {
			done := map[model.Span]bool{} // functions may share FREs
			for x.i = range x.plan.Funcs {
				for x.j = range x.fn().Rows {
					at := x.ofInfo().of(x.Subject)
					if !done[at] {
						x.set(at, x.get(at)^model.FREInfoBaseBit)
					}
					done[at] = true
				}
			}
			return x.fde(0).nth(0).ofInfo()
		})),
	spoiling("word-size", "SF3001", "Sets a size of data words that does not exist.", decoded, rows,
		setInfo(always, 3<<model.FREInfoSizeShift)),
	spoiling("cut-off", "SF3002", "Claims more rows than there are up to the end of the FREs.", decoded, rows,
		claiming(eachFDE(func(x spot) bool {
			return x.written().end == x.ix.freEnd && len(x.fn().Rows) > 0 && len(x.fn().Rows) < math.MaxUint16
		}, func(x spot) anchor {
			x.add(x.ofField(model.FDENumFREs), 1)
			x.add(ofHeader(model.HdrNumFREs), 1)
			return ofSection(func(x spot) model.Span { return model.Span{Off: x.ix.freEnd} })
		}), model.HdrNumFREs.String())),
	spoiling("offset-beyond", "SF3003", "Sets an offset of a function's rows beyond the FREs.", decoded, rows,
		setFDE(model.FDEStartFREOff, func(x spot) bool { return x.format().AttrSize > 0 || len(x.fn().Rows) > 0 }, func(x spot) uint64 {
			n := x.ix.freEnd - x.ix.freOff
			if attr := int64(x.format().AttrSize); attr > 0 && x.rnd.IntN(2) == 0 {
				return uint64(n - x.upTo(1, attr-1)) // no room for an attribute
			}
			return uint64(x.upTo(n, pick[int64](x, n+100, math.MaxUint32)))
		})),
	fault("late", "SF3004", "Makes a function's first row start after the function's start.", decoded,
		setStarts(func(x spot) bool { return x.j == 0 && x.insn() < x.limitOf() }, func(x spot) int64 {
			return int64(x.insn()) * x.upTo(1, (min(int64(x.limitOf()), x.maxStart())-1)/int64(x.insn()))
		})),
	fault("disorder", "SF3005 SF3112 SF3114 SF3115 SF3116 SF3120", "Makes a row start no later than the previous one.", decoded,
		// A last row that starts early would need a narrower FRE type.
		setStarts(func(x spot) bool { return x.j > 0 && (!x.isLast() || x.written().width == 1) },
			func(x spot) int64 {
				return int64(x.insn()) * x.upTo(0, int64(x.nth(x.j-1).row().Start/x.insn()))
			})),
	fault("at-end", "SF3006 SF3118", "Makes the last row start where the function ends.", decoded,
		startTooLate(spot.inc, sizeOf, 0)),
	fault("beyond-end", "SF3007 SF3112 SF3118", "Makes the last row start after the function.", decoded,
		startTooLate(spot.inc, sizeOf, 1, 1, 16, 1<<20)),
	fault("beyond-stub", "SF3008", "Makes the last row start after the stub.", decoded,
		startTooLate(func(x spot) bool { return x.mask() && x.fn().RepSize != 0 }, repSizeOf, 0, 0, 16, 1<<20)),
	fault("row-gap", "SF3011", "Inserts zero bytes after the rows of a function.", decoded,
		rowGap(func(_ spot, n int64) []byte { return nil })),
	fault("row-stray", "SF3012", "Inserts bytes that are not zero after the rows of a function.", decoded,
		rowGap(spot.noise)),
	fault("mangled", "SF3014", "Marks a return address as signed on an ABI without signed ones.", judged,
		setInfo(func(x spot) bool { return !pauth(x) }, model.FREInfoMangledBit)),
	fault("no-words", "SF3015", "Removes all data words of a row of version 1.", decoded,
		eachRow(func(x spot) bool { return !x.format().Errata2 },
			func(x spot) anchor { return x.rewrite([]int64{}).blame(x.ofInfo()) })),
	fault("idle-bits", "SF3027", "Sets other bits in the info byte of a row without data words.", decoded,
		setInfo(func(x spot) bool {
			r := x.row()
			return x.format().Errata2 && r.Words == nil && r.Rules.RA.Kind == model.Undefined && r.Rules.CFA.Kind == model.Undefined
		}, 0x20, 0x40)),
	fault("many-rows", "SF2102", "Gives the last function more than 60000 rows.", decoded|starts,
		atLast(func(x spot) bool {
			return x.plan.Style.MinFRE == 0 && x.plan.Style.MinWord == 0 && x.format().MaxFREs == 65535
		}, func(x spot) anchor {
			n := x.upTo(60001, 65535)
			return x.structure(func(p *generator.Plan) { manyRows(p, &p.Funcs[x.i], n) }).blame(x.ofField(model.FDENumFREs))
		})),
	fault("inside-instruction", "SF3025 SF3114 SF3118", "Makes a row start between two instruction addresses.", judged,
		setStarts(func(x spot) bool { return x.insn() > 1 && x.j > 0 },
			func(x spot) int64 { return int64(x.row().Start) + x.upTo(1, int64(x.insn())-1) })),
}

// rewrite gives a row other data words and keeps its rules in the plan, so that
// the code of its function stays the same.
func (x spot) rewrite(words []int64) spot {
	base := model.BaseReg(x.line().info & model.FREInfoBaseBit)
	return x.replan(func(p *generator.Plan) { p.Funcs[x.i].Rows[x.j].Words, p.Funcs[x.i].Rows[x.j].Base = words, base })
}

// rowGap makes breaks that move rows apart.
func rowGap(fill func(x spot, n int64) []byte) sites {
	return eachFDE(func(x spot) bool { return x.written().end > x.ix.freOff }, func(x spot) anchor {
		n := x.upTo(1, 32)
		at := x.written().end
		b := fill(x, n)
		return x.relayout(func(l *generator.Layout) {
			insert(l, uint32(at-x.ix.freOff), n)
			if b != nil {
				l.Fill = append(l.Fill, generator.Fill{Off: at, Bytes: b})
			}
		}).blame(ofSection(func(spot) model.Span { return model.Span{Off: at, Len: n} }))
	})
}
