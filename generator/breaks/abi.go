package breaks

import "github.com/sframe-lint/sframe-lint/model"

// defaults reports whether a row is of the default type and has n words, any
// number for n < 0.
func (x spot) defaults(n int) bool {
	r := x.line()
	return x.fn().FDEType == model.SFRAME_FDE_TYPE_DEFAULT && r.n > 0 && (n < 0 || r.n == n)
}

func (s *Subject) s390x() bool { return s.abi().RAPadding }

var abiBreaks = []Break{
	fault("extra-words", "SF4001 SF3114 SF3115 SF3116", "Gives a row more words than the ABI defines.", judged,
		eachRow(func(x spot) bool { return x.defaults(-1) }, func(x spot) anchor {
			w := x.words()
			for n := int(x.upTo(int64(x.abi().MaxWords)+1, model.MaxWords)); len(w) < n; {
				w = append(w, x.upTo(-128, 127))
			}
			return x.rewrite(w).blame(x.ofInfo())
		})),
	fault("two-words", "SF4008 SF7003 SF7006", "Removes the word for FP from an AArch64 row.", judged,
		eachRow(func(x spot) bool {
			return x.version() > 1 && pauth(x) && x.framed() && x.defaults(3)
		},
			func(x spot) anchor { return x.rewrite(x.words()[:2]).blame(x.ofInfo()) })),
	fault("idle-padding", "SF4002", "Ends a row with the padding word for RA.", judged,
		eachRow(func(x spot) bool { return x.s390x() && x.defaults(1) },
			func(x spot) anchor {
				return x.rewrite(append(x.words(), 0)).blame(x.ofWords(1, 1))
			})),
	fault("odd-word", "SF4003", "Writes an odd word, which names a register that does not exist.", judged,
		eachRow(func(x spot) bool {
			return x.s390x() && x.format().WordRegs && x.free() && x.defaults(-1)
		}, func(x spot) anchor {
			w := x.words()
			if len(w) == 1 {
				w = append(w, 0)
			}
			k := int(x.upTo(1, int64(len(w)-1)))
			w[k] = x.upTo(int64(x.abi().HoldRegs), pick[int64](x, 63, 1000))<<1 | 1
			return x.rewrite(w).blame(x.ofWords(k, 1))
		})),
	fault("odd-slot-s390x", "SF4004", "Saves RA where no instruction can.", judged,
		eachRule(roleRA, true, func(x spot) bool { return x.s390x() && x.raSaved() },
			func(x spot, r *model.Row) { r.RA.Offset += 2 * x.upTo(1, 3) })),
	fault("fp-zero", "SF4005 SF3103", "Saves FP at the CFA, where a padding word would be.", judged,
		eachRule(roleFP, true, func(x spot) bool { return x.s390x() && x.defaults(3) && x.fpSaved() },
			func(_ spot, r *model.Row) { r.FP.Offset = 0 })),
	fault("odd-slot", "SF4006", "Saves FP at an offset that is not aligned.", judged,
		eachRow(func(x spot) bool { return !x.s390x() && x.fpSaved() }, func(x spot) anchor {
			r, by := x.row().Rules, x.upTo(1, 7)
			x.failed = x.framed() && r.FP.Offset-by < -r.CFA.Offset-x.abi().RedZone // below SP
			return x.rule(func(r *model.Row) { r.FP.Offset -= by }).blame(x.ofEntity(roleFP, true))
		})),
}
