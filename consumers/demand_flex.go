package consumers

import "github.com/sframe-lint/sframe-lint/model"

// Demands on the rows of flexible FDEs.
const (
	FlexCFA       Demand = "flexible-cfa"
	FlexPairs     Demand = "flexible-pairs"
	FlexRegister  Demand = "flexible-cfa-register"
	FlexWordsUsed Demand = "flexible-words-used"
	FlexKnownABI  Demand = "flexible-known-abi"
)

var flexTerms = map[Demand]term{
	FlexCFA: {plain("a flexible row has two words for the CFA, or none at all"), onFlex(
		func(r model.FRE) bool { return r.NumWords() == 1 },
		"a flexible row has 1 word")},
	FlexPairs: {plain("every control word of a flexible row has its offset word"), onFlex(
		func(r model.FRE) bool { return flexEnd(r) > r.NumWords() },
		"the last control word of a flexible row has no offset word")},
	FlexRegister: {plain("the CFA of a flexible row rests on a register"), onFlex(
		func(r model.FRE) bool { return r.NumWords() >= 2 && r.Control(0)&model.FlexRegP == 0 },
		"the control word for the CFA has reg_p clear")},
	FlexWordsUsed: {plain("a flexible row has pairs for CFA, RA and FP and no other words; an RA padding word stands in front of an FP pair alone"), onFlex(
		leftover, "a flexible row has words that belong to no pair")},
	FlexKnownABI: {plain("the ABI is known, or no flexible row names a register"), func(x *subject, a Arg) *hit {
		if x.s == nil || x.s.ABI().Known() {
			return nil
		}
		return onFlex(func(r model.FRE) bool { return r.NumWords() >= 2 && r.Control(0)&model.FlexRegP != 0 },
			"a flexible row names a register of an unknown ABI")(x, a)
	}},
}

// onFlex is a demand on the content of flexible rows.
func onFlex(bad func(model.FRE) bool, what string) func(*subject, Arg) *hit {
	return func(x *subject, _ Arg) *hit {
		return x.row(func(r model.FRE) bool { return r.FDEType() == model.SFRAME_FDE_TYPE_FLEX && bad(r) },
			func(r model.FRE) *hit { return inRow(r, r.Span(), "%s", what) })
	}
}

// flexEnd returns the word that the pairs for CFA, RA and FP would end at;
// beyond the row where the last pair is cut off.
func flexEnd(r model.FRE) int {
	k := 0
	for entity := 0; entity < 3 && k < r.NumWords(); entity++ {
		if entity > 0 && r.Control(k) == 0 {
			k++
		} else {
			k += 2
		}
	}
	return k
}

// leftover tells whether words are left for a reader that asks for two more
// before it looks at RA or FP, padding included.
func leftover(r model.FRE) bool {
	k, n := 2, r.NumWords()
	if n < 2 {
		return false
	}
	for entity := 0; entity < 2 && n-k >= 2; entity++ {
		if r.Control(k) == 0 {
			k++
		} else {
			k += 2
		}
	}
	return k < n
}
