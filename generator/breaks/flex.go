package breaks

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// eachEntity has a site at every control word that satisfies ok.
func eachEntity(ok func(s *Subject, e entity) bool, do func(d *draft, i, j int, e entity) anchor) func(*Subject) []site {
	return func(s *Subject) (all []site) {
		for i := range s.plan.Funcs {
			for j := range s.fn(i).Rows {
				for _, e := range s.entities(i, j) {
					if ok(s, e) {
						all = append(all, site{[]string{claimFDE(i)}, func(d *draft) anchor { return do(d, i, j, e) }})
					}
				}
			}
		}
		return all
	}
}

// setControl makes breaks that overwrite a control word with one of the same
// size.
func setControl(ok func(s *Subject, e entity) bool, value func(d *draft, e entity) uint64) func(*Subject) []site {
	return eachEntity(ok, func(d *draft, i, j int, e entity) anchor { return d.write(ofWords(i, j, e.word, 1), value(d, e)) })
}

func anyEntity(*Subject, entity) bool     { return true }
func (s *Subject) flexible(i, j int) bool { return len(s.entities(i, j)) > 0 }

var flexBreaks = []Break{
	fault("control-reserved", "SF3016", "Sets the reserved bit of a control word.", decoded,
		setControl(anyEntity, func(d *draft, e entity) uint64 { return e.control | model.FlexReserved })),
	fault("control-alone", "SF3017", "Removes the last offset word.", decoded,
		eachEntity(anyEntity, func(d *draft, i, j int, e entity) anchor {
			w := d.words(i, j)
			d.failed = e.word != len(w)-2
			return d.rewrite(i, j, w[:len(w)-1]).blame(ofWords(i, j, e.word, 1))
		})),
	fault("no-base", "SF3018", "Removes the base register of a CFA.", decoded,
		setControl(func(_ *Subject, e entity) bool { return e.role == 0 }, func(d *draft, e entity) uint64 { return e.control &^ model.FlexRegP })),
	fault("no-register", "SF3019", "Names a register that the ABI does not have.", judged,
		eachEntity(func(_ *Subject, e entity) bool { return e.regP() }, func(d *draft, i, j int, e entity) anchor {
			limit := d.abi().HoldRegs
			if e.role == 0 || e.derefP() {
				limit = d.abi().AddrRegs
			}
			w := d.words(i, j)
			w[e.word] = (int64(limit)+d.upTo(0, pick[int64](d, 0, 15, 1000)))<<model.FlexRegShift | w[e.word]&(1<<model.FlexRegShift-1)
			return d.rewrite(i, j, w).blame(ofWords(i, j, e.word, 1))
		})),
	fault("leftover", "SF3020", "Adds words after those for CFA, RA and FP.", decoded,
		eachRow((*Subject).flexible, func(d *draft, i, j int) anchor {
			w := append(d.words(i, j), make([]int64, max(3-d.roles(i, j), 0))...) // padding words
			n := int(d.upTo(1, 3))
			at := len(w)
			for range n {
				w = append(w, d.upTo(1, 100))
			}
			return d.rewrite(i, j, w).blame(ofWords(i, j, at, n))
		})),
	fault("idle-ra-register", "SF3026", "Writes a register's number for RA, without the bit for it, in place of padding.", decoded,
		eachEntity(func(s *Subject, e entity) bool { return !tracksRA(s) && e.role == roleFP && e.word == 3 }, func(d *draft, i, j int, e entity) anchor {
			w := d.words(i, j)
			w[2] = d.upTo(1, 15)<<model.FlexRegShift | model.FlexDerefP
			return d.rewrite(i, j, slices.Insert(w, 3, -8)).blame(ofWords(i, j, 2, 1))
		})),
	fault("idle-register", "SF3021", "Writes a register's number for FP where the base is the CFA.", decoded,
		setControl(func(_ *Subject, e entity) bool { return e.role == roleFP && !e.regP() },
			func(d *draft, e entity) uint64 { return e.control | uint64(d.upTo(1, 31))<<model.FlexRegShift })),
	fault("sum", "SF3022", "Makes RA or FP a register plus an offset.", decoded,
		eachEntity(func(_ *Subject, e entity) bool { return e.role > 0 && e.regP() }, func(d *draft, i, j int, e entity) anchor {
			w := d.words(i, j)
			w[e.word] &^= model.FlexDerefP
			if w[e.word+1] == 0 {
				w[e.word+1] = 8 * d.upTo(1, 10)
			}
			return d.rewrite(i, j, w).blame(ofWords(i, j, e.word, 1))
		})),
	fault("flex-base", "SF3023", "Sets the base bit of a flexible row.", decoded,
		setInfo(func(s *Subject, i, j int) bool { return s.fn(i).FDEType == model.SFRAME_FDE_TYPE_FLEX }, model.FREInfoBaseBit)),
	fault("flex-idle-padding", "SF3024", "Ends a flexible row with a padding word that has no use.", decoded,
		eachRow(func(s *Subject, i, j int) bool { return s.flexible(i, j) && s.roles(i, j) < 3 }, func(d *draft, i, j int) anchor {
			w := d.words(i, j)
			n := int(d.upTo(1, int64(3-d.roles(i, j))))
			return d.rewrite(i, j, append(w, make([]int64, n)...)).blame(ofWords(i, j, len(w), n))
		})),
}

// roles returns how many of CFA, RA and FP a flexible row has words for.
func (s *Subject) roles(i, j int) int {
	n := s.ix.funcs[i].rows[j].n
	words := s.words(i, j)
	role := 0
	for k := 0; k < n; role++ {
		if words[k] == 0 {
			k++
		} else {
			k += 2
		}
	}
	return role
}
