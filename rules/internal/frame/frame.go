// Package frame has the rules of family SF3 on the values of FREs that the format allows. SF31xx report frames that
// no compiler writes. SF32xx report frames that a tracer can use only as the topmost frame.
package frame

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Rules are the rules on the values of FREs, sorted by ID.
var Rules = []*rules.Rule{
	LowCFA, MisalignedCFA, OutsideFrame, SlotsOverlap, UnsavedFP, EntryState, HugeOffset,
	FPBesideRecord, FPBesideSlot, OtherBase, InRegister,
}

// Judged reports whether the rules of this package can judge an FRE: its type and words are valid and its ABI is
// known. Other rules report the remaining FREs.
func Judged(r model.FRE, row *model.Row, abi *model.ABIInfo) bool {
	return abi.Spec != "" && row.Valid() && !row.Outermost() &&
		exists(row.CFA, abi, true) && exists(row.RA, abi, false) && exists(row.FP, abi, false) &&
		(r.Flex() || r.NumWords() <= abi.MaxWords)
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
func rowRule(r rules.Rule, judge rowJudge) *rules.Rule {
	return rowRuleUnless(func(*rules.Context, model.FRE, *model.Row) bool { return false }, r, judge)
}

type rowJudge func(abi *model.ABIInfo, r model.FRE, row *model.Row) (word int, why string)

// rowRuleUnless makes a rowRule that does not report some FREs.
func rowRuleUnless(skip func(c *rules.Context, r model.FRE, row *model.Row) bool, r rules.Rule, judge rowJudge) *rules.Rule {
	if r.Needs == 0 {
		r.Needs = rules.FREsKnown | rules.RAKnown | rules.FPKnown
	}
	return judgeRule(r, func(abi *model.ABIInfo, r model.FRE, row *model.Row) bool {
		_, why := judge(abi, r, row)
		return why != ""
	}, func(c *rules.Context, r model.FRE, row *model.Row) {
		if c.Cut() || skip(c, r, row) {
			return
		}
		word, why := judge(c.ABI, r, row)
		evidence.With(c, proven(c, r, row)).FRE(r, wordSpan(r, word), "%s", why)
	})
}

// proven writes what to do about an FRE of which the code proves the function's right rules, nothing if it proves nothing.
// The assembler makes FREs and CFI from the same directives, so these are right where the CFI has other rules that the code
// does not disprove.
func proven(c *rules.Context, r model.FRE, row *model.Row) proof.Advice {
	fde := r.FDEIndex()
	if contradicted(c, r, row) && !evidence.Proofs(c).CFI().Wrongs(fde) {
		return proof.Advice{Text: proof.OtherTools}
	}
	m := evidence.Proofs(c).FREs.Correction(fde)
	if m == nil {
		return proof.Advice{}
	}
	return proof.Words{ABI: *c.ABI, Address: c.Object.Address, Row: "FRE"}.CorrectAll(m)
}

// judgeRule makes a rule that calls report for the judged FREs that are bad.
func judgeRule(r rules.Rule, bad judge, report func(*rules.Context, model.FRE, *model.Row)) *rules.Rule {
	r.Requires = append(r.Requires, suspectRows, rules.CodeProofs)
	judges = append(judges, bad)
	return rules.New(r, func(c *rules.Context) {
		if all := prereq.Get[*suspects](c.Pass, suspectRows); !all.more && !all.any(c.ABI, bad) {
			return
		}
		abi := c.ABI
		c.Rows(func(r model.FRE) bool {
			row := r.Row()
			return Judged(r, &row, abi) && bad(abi, r, &row)
		}, func(r model.FRE) {
			row := r.Row()
			report(c, r, &row)
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
	if r.Flex() {
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
