// Package suspicious holds the rules on data that the format allows but that
// no compiler's frame looks like, or that a tracer can follow in the topmost
// frame alone: part of the families SF2 and SF3, with numbers from 100 on and
// from 200 on.
package suspicious

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// Rules are the rules on unlikely data, by ID.
var Rules = []*rules.Rule{
	NearLimit, ManyRows, LowCFA, MisalignedCFA, OutsideFrame, SlotsOverlap,
	UnsavedFP, EntryState, HugeOffset, ReturnState,
}

// TopmostRules are the rules on rows that a tracer can follow in the topmost
// frame alone, by ID.
var TopmostRules = []*rules.Rule{OtherBase, InRegister, CallsWithRA}

// judged tells whether a row is one that these rules can judge: of the
// default or a flexible type, with words that make sense for a known ABI.
// What is wrong with others is for the rules on FREs and ABIs to say.
func judged(r model.FRE, row model.Row, abi model.ABIInfo) bool {
	return abi.Known() && row.Valid() && !row.Outermost() &&
		exists(row.CFA, abi, true) && exists(row.RA, abi, false) && exists(row.FP, abi, false) &&
		(r.FDEType() == model.SFRAME_FDE_TYPE_FLEX || abi.ValidWords(model.SFRAME_VERSION_3, r.NumWords()))
}

// exists tells whether a value comes from a register that the ABI has, if it
// comes from any; address that it is an address in the register.
func exists(v model.Recovery, abi model.ABIInfo, address bool) bool {
	if v.Kind == model.InRegister && (address || v.Deref) {
		return v.Reg < abi.AddrRegs
	}
	return v.Kind != model.InRegister || v.Reg < abi.HoldRegs
}

// eachRow reports the rows of which judge says something, with its words.
func eachRow(c *rules.Context, judge func(r model.FRE, row model.Row) (word int, why string)) {
	abi, ok := sound.ABI(c)
	if !ok {
		return // every row would be judged by a header that is known to be wrong
	}
	verdict := func(r model.FRE) (int, string) {
		row := r.Row()
		if !judged(r, row, abi) {
			return 0, ""
		}
		return judge(r, row)
	}
	c.Rows(func(r model.FRE) bool {
		_, why := verdict(r)
		return why != ""
	}, func(r model.FRE) {
		word, why := verdict(r)
		c.FRE(r, wordSpan(r, word), "%s", why)
	})
}

// Words that a verdict can blame.
const (
	cfaWord = iota
	raWord
	fpWord
)

// wordSpan returns the bytes of the data words that say where CFA, RA or FP
// is; the whole row where it has no such words.
func wordSpan(r model.FRE, entity int) model.Span {
	k := entity
	if r.FDEType() == model.SFRAME_FDE_TYPE_FLEX {
		k = flexWord(r, entity)
		if k+1 < r.NumWords() {
			return model.Span{Off: r.WordSpan(k).Off, Len: 2 * r.WordSpan(k).Len}
		}
		return r.Span()
	}
	if entity > cfaWord && !r.FDE().Section().ABI().TracksRA() {
		k-- // RA is counted from the CFA
	}
	if k < r.NumWords() {
		return r.WordSpan(k)
	}
	return r.Span()
}

// flexWord returns the index of the control word of an entity.
func flexWord(r model.FRE, entity int) int {
	k := 0
	for ; entity > 0 && k < r.NumWords(); entity-- {
		if r.Control(k) == 0 {
			k++
		} else {
			k += 2
		}
	}
	return k
}
