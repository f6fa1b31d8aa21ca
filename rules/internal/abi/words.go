package abi

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
)

// word is a data word with the offset of RA or FP from the CFA.
type word struct {
	role  string
	index int
	value int32
}

// saved lists the words of an FRE with the places of RA and FP. An FRE with an
// invalid number of words has none; SF4001 reports it.
func saved(abi *model.ABIInfo, v model.Version, r model.FRE) []word {
	var out []word
	switch {
	case flex.Is(r):
		for _, e := range flex.Parse(r).Entities {
			if e.Whole && e.DerefP() && !e.RegP() && e.Role != flex.CFA {
				out = append(out, word{e.Role.String(), e.Word + 1, e.Offset})
			}
		}
	case r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && abi.ValidWords(v, r.NumWords()):
		roles := []string{"CFA", "RA", "FP"}
		if !abi.TracksRA() {
			roles = []string{"CFA", "FP"}
		}
		for k := 1; k < min(len(roles), r.NumWords()); k++ {
			out = append(out, word{roles[k], k, r.Word(k)})
		}
	}
	return out
}

// eachSaved reports the bad words among those for RA and FP.
func eachSaved(c *rules.Context, bad func(*model.ABIInfo, model.FRE, word) bool, report func(*model.ABIInfo, model.FRE, word)) {
	abi := c.Section.ABI()
	find := func(r model.FRE, yield func(word)) {
		for _, w := range saved(&abi, c.Section.Version(), r) {
			if bad(&abi, r, w) {
				yield(w)
			}
		}
	}
	anyBad := func(r model.FRE) bool {
		found := false
		find(r, func(word) { found = true })
		return found
	}
	c.Rows(anyBad, func(r model.FRE) {
		find(r, func(w word) { report(&abi, r, w) })
	})
}

// isRegister reports whether a word of version v is a register, not a slot.
func isRegister(abi *model.ABIInfo, v model.Version, w word) bool {
	return abi.LSBRegs && v.Info().WordRegs && w.value&1 != 0
}
