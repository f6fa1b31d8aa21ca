package breaks

import "github.com/sframe-lint/sframe-lint/model"

// defaults reports whether a row is of the default type and has n words, any
// number for n < 0.
func (s *Subject) defaults(i, j, n int) bool {
	r := s.ix.funcs[i].rows[j]
	return s.fn(i).FDEType == model.SFRAME_FDE_TYPE_DEFAULT && r.n > 0 && (n < 0 || r.n == n)
}

func (s *Subject) s390x() bool { return s.abi().RAPadding }

var abiBreaks = []Break{
	fault("extra-words", "SF4001 SF3114 SF3115 SF3116", "Gives a row more words than the ABI defines.", judged,
		eachRow(func(s *Subject, i, j int) bool { return s.defaults(i, j, -1) }, func(d *draft, i, j int) anchor {
			w := d.words(i, j)
			for n := int(d.upTo(int64(d.abi().MaxWords)+1, model.MaxWords)); len(w) < n; {
				w = append(w, d.upTo(-128, 127))
			}
			return d.rewrite(i, j, w).blame(ofInfo(i, j))
		})),
	fault("two-words", "SF4008 SF7003 SF7006", "Removes the word for FP from an AArch64 row.", judged,
		eachRow(func(s *Subject, i, j int) bool {
			return s.version() > 1 && pauth(s) && s.framed(i, j) && s.defaults(i, j, 3)
		},
			func(d *draft, i, j int) anchor { return d.rewrite(i, j, d.words(i, j)[:2]).blame(ofInfo(i, j)) })),
	fault("idle-padding", "SF4002", "Ends a row with the padding word for RA.", judged,
		eachRow(func(s *Subject, i, j int) bool { return s.s390x() && s.defaults(i, j, 1) },
			func(d *draft, i, j int) anchor {
				return d.rewrite(i, j, append(d.words(i, j), 0)).blame(ofWords(i, j, 1, 1))
			})),
	fault("odd-word", "SF4003", "Writes an odd word, which names a register that does not exist.", judged,
		eachRow(func(s *Subject, i, j int) bool {
			return s.s390x() && s.version().Info().WordRegs && s.free(i, j) && s.defaults(i, j, -1)
		}, func(d *draft, i, j int) anchor {
			w := d.words(i, j)
			if len(w) == 1 {
				w = append(w, 0)
			}
			k := int(d.upTo(1, int64(len(w)-1)))
			w[k] = d.upTo(int64(d.abi().HoldRegs), pick[int64](d, 63, 1000))<<1 | 1
			return d.rewrite(i, j, w).blame(ofWords(i, j, k, 1))
		})),
	fault("odd-slot-s390x", "SF4004", "Saves RA where no instruction can.", judged,
		eachRule(roleRA, true, func(s *Subject, i, j int) bool { return s.s390x() && s.raSaved(i, j) },
			func(d *draft, r *model.Row) { r.RA.Offset += 2 * d.upTo(1, 3) })),
	fault("fp-zero", "SF4005 SF3103", "Saves FP at the CFA, where a padding word would be.", judged,
		eachRule(roleFP, true, func(s *Subject, i, j int) bool { return s.s390x() && s.defaults(i, j, 3) && s.fpSaved(i, j) },
			func(d *draft, r *model.Row) { r.FP.Offset = 0 })),
	fault("odd-slot", "SF4006", "Saves FP at an offset that is not aligned.", judged,
		eachRow(func(s *Subject, i, j int) bool { return !s.s390x() && s.fpSaved(i, j) }, func(d *draft, i, j int) anchor {
			r, by := d.row(i, j).Rules, d.upTo(1, 7)
			d.failed = d.framed(i, j) && r.FP.Offset-by < -r.CFA.Offset-d.abi().RedZone // below SP
			return d.rule(i, j, func(r *model.Row) { r.FP.Offset -= by }).blame(ofEntity(i, j, roleFP, true))
		})),
}
