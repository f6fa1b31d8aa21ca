package breaks

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// eachEntity has a site at every control word that satisfies ok.
func eachEntity(ok func(s *Subject, e entity) bool, do func(d *draft, i, j int, e entity) (anchor, error)) func(*Subject) []site {
	return func(s *Subject) []site {
		var all []site
		for i := range s.plan.Funcs {
			for j := range s.fn(i).Rows {
				for _, e := range s.entities(i, j) {
					if ok(s, e) {
						all = append(all, site{[]string{claimFDE(i)}, func(d *draft) (anchor, error) { return do(d, i, j, e) }})
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
	return eachEntity(ok, func(d *draft, i, j int, e entity) (anchor, error) {
		d.set(d.ix.funcs[i].rows[j].word(e.word), value(d, e))
		return ofWords(i, j, e.word, 1), nil
	})
}

var flexBreaks = []Break{
	{
		Name: "control-reserved", Rule: "SF3016",
		Doc:   "Sets the reserved bit of a control word.",
		needs: sections | rows,
		sites: setControl(func(*Subject, entity) bool { return true }, func(d *draft, e entity) uint64 { return e.control | model.FlexReserved }),
	},
	{
		Name: "control-alone", Rule: "SF3017",
		Doc:   "Removes the last offset word.",
		needs: sections | rows,
		sites: eachEntity(func(*Subject, entity) bool { return true }, func(d *draft, i, j int, e entity) (anchor, error) {
			w := d.words(i, j)
			if e.word != len(w)-2 {
				return anchor{}, errNoRoom
			}
			return ofWords(i, j, e.word, 1), d.rewrite(i, j, w[:len(w)-1])
		}),
	},
	{
		Name: "no-base", Rule: "SF3018",
		Doc:   "Removes the base register of a CFA.",
		needs: sections | rows,
		sites: setControl(func(_ *Subject, e entity) bool { return e.role == 0 }, func(d *draft, e entity) uint64 { return e.control &^ model.FlexRegP }),
	},
	{
		Name: "no-register", Rule: "SF3019",
		Doc:   "Names a register that the ABI does not have.",
		needs: sections | rows | machine,
		sites: eachEntity(func(_ *Subject, e entity) bool { return e.regP() }, func(d *draft, i, j int, e entity) (anchor, error) {
			limit := d.abi().HoldRegs
			if e.role == 0 || e.derefP() {
				limit = d.abi().AddrRegs
			}
			w := d.words(i, j)
			w[e.word] = (int64(limit)+d.upTo(0, pick[int64](d, 0, 15, 1000)))<<model.FlexRegShift | w[e.word]&(1<<model.FlexRegShift-1)
			return ofWords(i, j, e.word, 1), d.rewrite(i, j, w)
		}),
	},
	{
		Name: "leftover", Rule: "SF3020",
		Doc:   "Adds words after those for CFA, RA and FP.",
		needs: sections | rows,
		sites: eachRow(func(s *Subject, i, j int) bool { return len(s.entities(i, j)) > 0 }, func(d *draft, i, j int) (anchor, error) {
			w := d.words(i, j)
			for used := d.roles(i, j); used < 3; used++ {
				w = append(w, 0) // a padding word
			}
			n := int(d.upTo(1, 3))
			at := len(w)
			for range n {
				w = append(w, d.upTo(1, 100))
			}
			return ofWords(i, j, at, n), d.rewrite(i, j, w)
		}),
	},
	{
		Name: "idle-ra-register", Rule: "SF3026",
		Doc:   "Writes a register's number for RA, without the bit for it, in place of padding.",
		needs: sections | rows,
		sites: eachEntity(func(s *Subject, e entity) bool { return !s.abi().TracksRA() && e.role == roleFP && e.word == 3 }, func(d *draft, i, j int, e entity) (anchor, error) {
			w := slices.Clone(d.words(i, j))
			w[2] = d.upTo(1, 15)<<model.FlexRegShift | model.FlexDerefP
			return ofWords(i, j, 2, 1), d.rewrite(i, j, slices.Insert(w, 3, -8))
		}),
	},
	{
		Name: "idle-register", Rule: "SF3021",
		Doc:   "Writes a register's number for FP where the base is the CFA.",
		needs: sections | rows,
		sites: setControl(func(_ *Subject, e entity) bool { return e.role == roleFP && !e.regP() },
			func(d *draft, e entity) uint64 { return e.control | uint64(d.upTo(1, 31))<<model.FlexRegShift }),
	},
	{
		Name: "sum", Rule: "SF3022",
		Doc:   "Makes RA or FP a register plus an offset.",
		needs: sections | rows,
		sites: eachEntity(func(_ *Subject, e entity) bool { return e.role > 0 && e.regP() }, func(d *draft, i, j int, e entity) (anchor, error) {
			w := slices.Clone(d.words(i, j))
			w[e.word] &^= model.FlexDerefP
			if w[e.word+1] == 0 {
				w[e.word+1] = 8 * d.upTo(1, 10)
			}
			return ofWords(i, j, e.word, 1), d.rewrite(i, j, w)
		}),
	},
	{
		Name: "flex-base", Rule: "SF3023",
		Doc:   "Sets the base bit of a flexible row.",
		needs: sections | rows,
		sites: setInfo(func(s *Subject, i, j int) bool { return s.fn(i).FDEType == model.SFRAME_FDE_TYPE_FLEX }, model.FREInfoBaseBit),
	},
	{
		Name: "flex-idle-padding", Rule: "SF3024",
		Doc:   "Ends a flexible row with a padding word that has no use.",
		needs: sections | rows,
		sites: eachRow(func(s *Subject, i, j int) bool { return len(s.entities(i, j)) > 0 && s.roles(i, j) < 3 }, func(d *draft, i, j int) (anchor, error) {
			w := d.words(i, j)
			at, n := len(w), int(d.upTo(1, int64(3-d.roles(i, j))))
			return ofWords(i, j, at, n), d.rewrite(i, j, append(w, make([]int64, n)...))
		}),
	},
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
