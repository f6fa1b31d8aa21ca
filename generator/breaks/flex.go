package breaks

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// eachEntity has a site at every control word that satisfies ok.
func eachEntity(ok test, do edit) sites {
	return func(x spot) (all []site) {
		for x.i = range x.plan.Funcs {
			for x.j = range x.fn().Rows {
				for _, x.entity = range x.entities() {
					all = x.site(all, ok, do, x.i)
				}
			}
		}
		return all
	}
}

// setControl makes breaks that overwrite a control word with one of the same
// size.
func setControl(ok test, value drawn) sites {
	return eachEntity(ok, func(x spot) anchor { return x.write(x.ofWords(x.word, 1), value(x)) })
}

func (x spot) flexible() bool { return len(x.entities()) > 0 }

var flexBreaks = []Break{
	fault("control-reserved", "SF3016", "Sets the reserved bit of a control word.", decoded,
		setControl(always, func(x spot) uint64 { return x.control | model.FlexReserved })),
	fault("control-alone", "SF3017", "Removes the last offset word.", decoded,
		eachEntity(always, func(x spot) anchor {
			w := x.words()
			x.failed = x.word != len(w)-2
			return x.rewrite(w[:len(w)-1]).blame(x.ofWords(x.word, 1))
		})),
	fault("no-base", "SF3018", "Removes the base register of a CFA.", decoded,
		setControl(func(x spot) bool { return x.role == 0 }, func(x spot) uint64 { return x.control &^ model.FlexRegP })),
	fault("no-register", "SF3019", "Names a register that the ABI does not have.", judged,
		eachEntity(spot.regP, func(x spot) anchor {
			limit := x.abi().HoldRegs
			if x.role == 0 || x.derefP() {
				limit = x.abi().AddrRegs
			}
			w := x.words()
			w[x.word] = (int64(limit)+x.upTo(0, pick[int64](x, 0, 15, 1000)))<<model.FlexRegShift | w[x.word]&(1<<model.FlexRegShift-1)
			return x.rewrite(w).blame(x.ofWords(x.word, 1))
		})),
	fault("leftover", "SF3020", "Adds words after those for CFA, RA and FP.", decoded,
		eachRow(spot.flexible, func(x spot) anchor {
			w := append(x.words(), make([]int64, max(3-x.roles(), 0))...) // padding words
			n := int(x.upTo(1, 3))
			at := len(w)
			for range n {
				w = append(w, x.upTo(1, 100))
			}
			return x.rewrite(w).blame(x.ofWords(at, n))
		})),
	fault("idle-ra-register", "SF3026", "Writes a register's number for RA, without the bit for it, in place of padding.", decoded,
		eachEntity(func(x spot) bool { return !tracksRA(x) && x.role == roleFP && x.word == 3 }, func(x spot) anchor {
			w := x.words()
			w[2] = x.upTo(1, 15)<<model.FlexRegShift | model.FlexDerefP
			return x.rewrite(slices.Insert(w, 3, -8)).blame(x.ofWords(2, 1))
		})),
	fault("idle-register", "SF3021", "Writes a register's number for FP where the base is the CFA.", decoded,
		setControl(func(x spot) bool { return x.role == roleFP && !x.regP() },
			func(x spot) uint64 { return x.control | uint64(x.upTo(1, 31))<<model.FlexRegShift })),
	fault("sum", "SF3022", "Makes RA or FP a register plus an offset.", decoded,
		eachEntity(func(x spot) bool { return x.role > 0 && x.regP() }, func(x spot) anchor {
			w := x.words()
			w[x.word] &^= model.FlexDerefP
			if w[x.word+1] == 0 {
				w[x.word+1] = 8 * x.upTo(1, 10)
			}
			return x.rewrite(w).blame(x.ofWords(x.word, 1))
		})),
	fault("flex-base", "SF3023", "Sets the base bit of a flexible row.", decoded,
		setInfo(func(x spot) bool { return x.fn().FDEType == model.SFRAME_FDE_TYPE_FLEX }, model.FREInfoBaseBit)),
	fault("flex-idle-padding", "SF3024", "Ends a flexible row with a padding word that has no use.", decoded,
		eachRow(func(x spot) bool { return x.flexible() && x.roles() < 3 }, func(x spot) anchor {
			w := x.words()
			n := int(x.upTo(1, int64(3-x.roles())))
			return x.rewrite(append(w, make([]int64, n)...)).blame(x.ofWords(len(w), n))
		})),
}

// roles returns how many of CFA, RA and FP a flexible row has words for.
func (x spot) roles() int {
	n := x.line().n
	words := x.words()
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
