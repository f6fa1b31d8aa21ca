// Package frame holds the rules of the family SF3 that judge an FRE by its values, which the
// format allows. Numbers from 100 on are for frames that no compiler writes, numbers from 200 on
// for frames that a tracer can use only as the topmost one.
package frame

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules are the rules on the values of FREs, sorted by ID.
var Rules = []*rules.Rule{
	LowCFA, MisalignedCFA, OutsideFrame, SlotsOverlap, UnsavedFP, EntryState, HugeOffset,
	FPBesideRecord, FPBesideSlot, OtherBase, InRegister,
}

// Judged reports whether these rules can judge an FRE: its type and words are
// valid for a known ABI. The rules on FREs and ABIs report the others.
func Judged(r model.FRE, row *model.Row, abi *model.ABIInfo) bool {
	return abi.Known() && row.Valid() && !row.Outermost() &&
		exists(row.CFA, abi, true) && exists(row.RA, abi, false) && exists(row.FP, abi, false) &&
		(r.FDEType() == model.SFRAME_FDE_TYPE_FLEX || r.NumWords() <= abi.MaxWords)
}

// exists reports whether a value comes from a register that is valid for it,
// if it comes from any. address selects the registers that can hold an address.
func exists(v model.Recovery, abi *model.ABIInfo, address bool) bool {
	if v.Kind == model.InRegister && (address || v.Deref) {
		return v.Reg < abi.AddrRegs
	}
	return v.Kind != model.InRegister || v.Reg < abi.HoldRegs
}

// rowRule makes a rule that reports the FREs for which judge returns a reason, at one of their words.
func rowRule(r rules.Rule, judge func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string)) *rules.Rule {
	r.Clause, r.Severity = "SFrame FRE", rules.Warning
	if r.Needs == nil {
		r.Needs = []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.FPKnown}
	}
	return rules.New(r, func(c *rules.Context) {
		abi := c.Section.ABI()
		var row model.Row
		verdict := func(r model.FRE) (int, string) {
			row = r.Row()
			if !Judged(r, &row, &abi) {
				return 0, ""
			}
			return judge(&abi, r, &row)
		}
		c.Rows(func(r model.FRE) bool {
			_, why := verdict(r)
			return why != ""
		}, func(r model.FRE) {
			if !c.Cut() {
				word, why := verdict(r)
				c.FRE(r, wordSpan(r, word), "%s", why)
			}
		})
	})
}

// Words that a verdict can point to.
const (
	cfaWord = iota
	raWord
	fpWord
)

// wordSpan returns the bytes of the data words for CFA, RA or FP. It returns
// the whole FRE if it has no such words.
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
		k-- // RA has no word
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
