package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var WordCount = rules.New(rules.Rule{ID: "SF4001", Needs: rules.FREsKnown | rules.ABIKnown}, func(c *rules.Context) {
	abi := c.ABI
	v := c.Section.Version()
	bad := func(r model.FRE) bool {
		return r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && r.NumWords() > 0 && !abi.ValidWords(v, r.NumWords())
	}
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the FRE has %d data words, but %s uses at most %d: the Linux kernel rejects the FRE, and others may misread the next FRE", r.NumWords(), abi.Name, abi.MaxWords)
	})
})

var TwoWords = rules.New(rules.Rule{
	ID:       "SF4008",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Errata2 }),
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return a.TracksRA() && !a.RAPadding }), // AArch64
	Needs:    rules.FREsKnown | rules.ABIKnown,
	OptIn:    true,
}, func(c *rules.Context) {
	two := func(r model.FRE) bool { return r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && r.NumWords() == 2 }
	c.Rows(two, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the FRE has 2 data words, but the manual allows only 1 or 3 on AArch64: a consumer that follows the manual rejects the FRE")
	})
})

// word is a data word with the offset of RA or FP from the CFA.
type word struct {
	role  string
	index int
	value int32
}

// saved lists the words of an FRE with the places of RA and FP. An FRE with an
// invalid number of words has none; SF4001 reports it.
func saved(abi *model.ABIInfo, v model.Version, r model.FRE) (out [2]word, n int) {
	switch {
	case r.Flex():
		for e := range r.Entities() {
			if e.Whole && e.DerefP() && !e.RegP() && e.Role != model.FlexCFA {
				out[n] = word{e.Role.String(), e.Word + 1, e.Offset}
				n++
			}
		}
	case r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && abi.ValidWords(v, r.NumWords()):
		roles := [...]string{"RA", "FP"}
		first := 0
		if !abi.TracksRA() {
			first = 1
		}
		for k := 1; k < r.NumWords() && first+n < len(roles); k++ {
			out[n] = word{roles[first+n], k, r.Word(k)}
			n++
		}
	}
	return out, n
}

// savedRule makes a rule that reports the bad words among those for RA and FP.
func savedRule(r rules.Rule, bad func(*model.ABIInfo, model.FRE, word) bool, report func(*rules.Context, *model.ABIInfo, model.FRE, word)) *rules.Rule {
	if r.Needs == 0 {
		r.Needs = rules.FREsKnown | rules.RAKnown | rules.FPKnown
	}
	return rules.New(r, func(c *rules.Context) {
		abi := c.ABI
		each := func(r model.FRE, do func(word)) (found bool) {
			words, n := saved(abi, c.Section.Version(), r)
			for _, w := range words[:n] {
				if bad(abi, r, w) {
					found = true
					do(w)
				}
			}
			return found
		}
		c.Rows(func(r model.FRE) bool { return each(r, func(word) {}) }, func(r model.FRE) {
			each(r, func(w word) { report(c, abi, r, w) })
		})
	})
}

// isRegister reports whether a word of an FRE is a register, not a slot.
func isRegister(abi *model.ABIInfo, r model.FRE, w word) bool {
	return abi.LSBRegs && r.FDE().Section().Version().Info().WordRegs && w.value&1 != 0
}

var RAPadding = savedRule(rules.Rule{
	ID:    "SF4002",
	ABIs:  s390x,
	Needs: rules.FREsKnown | rules.RAKnown,
}, func(abi *model.ABIInfo, r model.FRE, w word) bool {
	return !r.Flex() && abi.RAPadding && r.NumWords() == 2 && w.value == model.SFRAME_FRE_RA_OFFSET_INVALID
}, func(c *rules.Context, _ *model.ABIInfo, r model.FRE, w word) {
	c.FRE(r, r.WordSpan(w.index), "the data word for RA is 0, useful only before a word for FP: if that word is missing, a tracer loses the caller's FP")
})

var Register = savedRule(rules.Rule{
	ID:       "SF4003",
	Versions: []model.Version{model.SFRAME_VERSION_2},
	ABIs:     s390x,
}, func(abi *model.ABIInfo, r model.FRE, w word) bool {
	return isRegister(abi, r, w) && uint32(w.value>>1) >= abi.HoldRegs
}, func(c *rules.Context, abi *model.ABIInfo, r model.FRE, w word) {
	c.FRE(r, r.WordSpan(w.index), "the data word for %s is %d (register %d), but on s390x only registers 0 to %d can hold %s: tracers cannot recover %s", w.role, w.value, w.value>>1, abi.HoldRegs-1, w.role, w.role)
})

var SlotS390X = savedRule(rules.Rule{ID: "SF4004", ABIs: s390x}, func(abi *model.ABIInfo, r model.FRE, w word) bool {
	return int64(w.value)%abi.SlotAlign != 0 && (r.Flex() || !isRegister(abi, r, w))
}, func(c *rules.Context, abi *model.ABIInfo, r model.FRE, w word) {
	c.FRE(r, r.WordSpan(w.index), "%s is saved at CFA%+d, but s390x aligns slots to %d bytes: tracers read parts of two words, and the Linux kernel rejects the slot", w.role, w.value, abi.SlotAlign)
})

var FPZero = savedRule(rules.Rule{ID: "SF4005", ABIs: s390x}, func(_ *model.ABIInfo, r model.FRE, w word) bool {
	return !r.Flex() && w.index == 2 && w.value == 0
}, func(c *rules.Context, _ *model.ABIInfo, r model.FRE, w word) {
	c.FRE(r, r.WordSpan(w.index), "the data word for FP is 0, which is not padding but a slot in the caller's frame (CFA+0): a tracer loads a wrong FP")
})

var Slot = savedRule(rules.Rule{
	ID:   "SF4006",
	ABIs: model.ABIsWith(func(a model.ABIInfo) bool { return !a.LSBRegs }),
}, func(abi *model.ABIInfo, _ model.FRE, w word) bool { return int64(w.value)%abi.SlotAlign != 0 }, func(c *rules.Context, abi *model.ABIInfo, r model.FRE, w word) {
	c.FRE(r, r.WordSpan(w.index), "%s is saved at CFA%+d, but %s aligns slots to %d bytes: the offset is probably wrong, and the Linux kernel rejects the slot", w.role, w.value, abi.Name, abi.SlotAlign)
})
