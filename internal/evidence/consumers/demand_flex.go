package consumers

import "github.com/sframe-lint/sframe-lint/model"

// Demands on flexible FREs.
func flexTerms() map[Demand]term {
	return map[Demand]term{
		"flexible-cfa": {"every flexible FRE has two words for the CFA or no words at all", onFlex("a flexible FRE has 1 word",
			func(r model.FRE) bool { return r.NumWords() == 1 })},
		"flexible-pairs": {"every control word of a flexible FRE has its offset word", onFlex("the last control word of a flexible FRE has no offset word", cutOff)},
		"flexible-words-used": {"every flexible FRE has pairs for CFA, RA and FP and no other words, except an RA padding word before an FP pair",
			onFlex("a flexible FRE has words that belong to no pair", leftover)},
		"flexible-cfa-plain": {"no flexible FRE has the CFA in memory at SP or FP", onFlex("the CFA of a flexible FRE is in memory at SP or FP", func(r model.FRE) bool {
			cfa, abi := r.Row().CFA, section(r).ABI()
			return cfa.Kind == model.InRegister && cfa.Deref && (cfa.Reg == abi.SP || cfa.Reg == abi.FP)
		})},
		"flexible-slots": {"RA and FP of no flexible FRE are a sum with the CFA", onFlex("RA or FP of a flexible FRE is the address CFA plus an offset", func(r model.FRE) bool {
			sum := func(v model.Recovery) bool { return v.Kind == model.FromCFA && !v.Deref }
			return sum(r.Row().RA) || sum(r.Row().FP)
		})},
		"flexible-by-sp-fp": {"every flexible FRE has SP or FP plus an offset as the CFA, and RA and FP unchanged or saved at the CFA plus an offset",
			onRows("a flexible FRE has CFA = %s, RA %s and FP %s", model.FRE.Span, func(r model.FRE, _ Arg) bool {
				row, abi := r.Row(), section(r).ABI()
				plain := func(v model.Recovery) bool { return v.Kind != model.InRegister && (v.Kind != model.FromCFA || v.Deref) }
				return r.Flex() && r.NumWords() > 1 &&
					(!isSum(row.CFA) || row.CFA.Reg != abi.SP && row.CFA.Reg != abi.FP || !plain(row.RA) || !plain(row.FP))
			}, func(r model.FRE) any { return r.Row().CFA.Format(section(r).ABI()) },
				func(r model.FRE) any { return r.Row().RA.Format(section(r).ABI()) },
				func(r model.FRE) any { return r.Row().FP.Format(section(r).ABI()) })},
		"flexible-no-padding": {"no flexible FRE has padding for RA before words for FP", onFlex("a flexible FRE has padding for RA",
			func(r model.FRE) bool { return r.NumWords() > 3 && r.Control(2) == 0 })},
		"flexible-known-abi": {"the ABI is known, or no flexible FRE has a register", onFlex("a flexible FRE has a register of an unknown ABI", func(r model.FRE) bool {
			return r.NumWords() >= 2 && r.Control(0)&model.FlexRegP != 0 && !section(r).ABI().Known()
		})},
	}
}

// onFlex returns a demand on the contents of flexible FREs.
func onFlex(what string, bad func(model.FRE) bool) finder {
	return onRows(what, model.FRE.Span, func(r model.FRE, _ Arg) bool { return r.Flex() && bad(r) })
}

// cutOff reports whether the last of the pairs for CFA, RA and FP lacks its
// offset word.
func cutOff(r model.FRE) bool {
	for e := range r.Entities() {
		if !e.Padding() && !e.Whole {
			return true
		}
	}
	return false
}

// leftover reports whether words are left over for a reader that requires two
// more words, padding included, before it reads RA or FP.
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
