package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// entities reports the bad entities of flexible FREs.
func entities(c *rules.Context, bad func(model.FlexEntity) bool, report func(model.FRE, model.FlexEntity)) {
	each := func(r model.FRE, report func(model.FRE, model.FlexEntity)) (found bool) {
		for e := range r.Entities() {
			if bad(e) {
				report(r, e)
				found = true
			}
		}
		return found
	}
	c.Rows(func(r model.FRE) bool { return each(r, func(model.FRE, model.FlexEntity) {}) }, func(r model.FRE) { each(r, report) })
}

// flexRule makes a rule on flexible FREs, which is run where there are some.
func flexRule(r rules.Rule, check func(*rules.Context)) *rules.Rule {
	r.Versions = model.Versions(func(v model.VersionInfo) bool { return v.Flex })
	if r.Needs == 0 {
		r.Needs = rules.FREsKnown
	}
	return rules.New(r, func(c *rules.Context) {
		if c.SFrame.Survey().AnyKind(model.FDE.Flex) {
			check(c)
		}
	})
}

var FlexReserved = flexRule(rules.Rule{ID: "SF3016"}, func(c *rules.Context) {
	entities(c, model.FlexEntity.Reserved, func(r model.FRE, e model.FlexEntity) {
		c := c.With(rules.Repair("clear the reserved bit", r.WordSpan(e.Word), uint64(e.Control&^model.FlexReserved)))
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v is 0x%x, but bit 2 is reserved and must be zero: later consumers may recover a wrong %v", e.Role, e.Control, e.Role)
	})
})

var FlexPair = flexRule(rules.Rule{ID: "SF3017"}, func(c *rules.Context) {
	bad := func(e model.FlexEntity) bool { return e.Control != 0 && !e.Whole } // SF3018 reports a 0 for the CFA
	entities(c, bad, func(r model.FRE, e model.FlexEntity) {
		c.FRE(r, r.WordSpan(e.Word), "no offset word follows the control word for %v (0x%x, the last of the FRE's %d words): a tracer cannot recover %v, and the Linux kernel rejects the FRE", e.Role, e.Control, r.NumWords(), e.Role)
	})
})

var FlexCFA = flexRule(rules.Rule{ID: "SF3018"}, func(c *rules.Context) {
	bad := func(e model.FlexEntity) bool { return e.Role == model.FlexCFA && !e.RegP() }
	entities(c, bad, func(r model.FRE, e model.FlexEntity) {
		c.FRE(r, r.WordSpan(e.Word), "reg_p is clear in the control word for CFA (0x%x), but the CFA needs a base register: the Linux kernel rejects the FRE", e.Control)
	})
})

var FlexRegister = flexRule(rules.Rule{ID: "SF3019", Needs: rules.FREsKnown | rules.ABIKnown}, func(c *rules.Context) {
	abi := c.ABI
	bad := func(e model.FlexEntity) bool { return e.RegP() && e.Reg() >= registers(abi, e) }
	entities(c, bad, func(r model.FRE, e model.FlexEntity) {
		use := "hold " + e.Role.String()
		if isAddress(e) {
			use = "be a base"
		}
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v (0x%x) names register %d, but on %s only registers 0 to %d can %s: tracers recover no value", e.Role, e.Control, e.Reg(), abi.Name, registers(abi, e)-1, use)
	})
})

// isAddress reports whether the entity's base plus offset is an address.
func isAddress(e model.FlexEntity) bool { return e.Role == model.FlexCFA || e.DerefP() }

// registers returns the number of registers that the entity may use.
func registers(abi *model.ABIInfo, e model.FlexEntity) uint32 {
	if isAddress(e) {
		return abi.AddrRegs
	}
	return abi.HoldRegs
}

var FlexLeftover = flexRule(rules.Rule{ID: "SF3020"}, func(c *rules.Context) {
	used := func(r model.FRE) (n int) {
		for e := range r.Entities() {
			n = e.End()
		}
		return n
	}
	bad := func(r model.FRE) bool { return r.Flex() && used(r) < r.NumWords() }
	c.Rows(bad, func(r model.FRE) {
		used := used(r)
		c.FRE(r, wordsFrom(r, used), "the FRE has %d words, but CFA, RA and FP use the first %d: the rest is meaningless, and the Linux kernel rejects the FRE", r.NumWords(), used)
	})
})

var FlexUnusedReg = flexRule(rules.Rule{ID: "SF3021"}, func(c *rules.Context) {
	bad := func(e model.FlexEntity) bool { return e.Role == model.FlexFP && !e.RegP() && e.Reg() != 0 }
	entities(c, bad, func(r model.FRE, e model.FlexEntity) {
		c.FRE(r, r.WordSpan(e.Word), "the control word for %v (0x%x) names register %d, but reg_p is clear: if the register was meant, a tracer reads FP from the wrong place", e.Role, e.Control, e.Reg())
	})
})

var FlexValue = flexRule(rules.Rule{ID: "SF3022"}, func(c *rules.Context) {
	bad := func(e model.FlexEntity) bool {
		return e.Role != model.FlexCFA && e.Whole && e.RegP() && !e.DerefP() && e.Offset != 0
	}
	entities(c, bad, func(r model.FRE, e model.FlexEntity) {
		c.FRE(r, r.WordSpan(e.Word), "deref_p is clear in the control word for %v (0x%x, offset %d): a tracer uses the address %s%+d as FP, not the value saved there",
			e.Role, e.Control, e.Offset, c.Section.ABI().RegName(e.Reg()), e.Offset)
	})
})

var FlexBase = flexRule(rules.Rule{ID: "SF3023"}, func(c *rules.Context) {
	bad := func(r model.FRE) bool {
		return r.Flex() && r.Base() == model.SFRAME_BASE_REG_SP
	}
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "bit 0 of the info byte 0x%02x is set, but flexible FREs do not use it: the FDE type may be wrong", r.Info())
	})
})

var FlexPadding = flexRule(rules.Rule{ID: "SF3024"}, func(c *rules.Context) {
	bad := func(r model.FRE) bool { return idlePadding(r) > 0 }
	c.Rows(bad, func(r model.FRE) {
		n := idlePadding(r)
		c.FRE(r, wordsFrom(r, r.NumWords()-n), "the FRE ends with %s and has no words for FP, which may be missing: the Linux kernel rejects the FRE", rules.Count(n, "padding word"))
	})
})

// wordsFrom returns the bytes of the data words from the k-th one on.
func wordsFrom(r model.FRE, k int) model.Span {
	off := r.WordSpan(k).Off
	return model.Span{Off: off, Len: r.WordsSpan().End() - off}
}

// idlePadding returns the number of padding words at the end of a flexible FRE. It returns 0 if other words follow
// the padding, or if the CFA has no base register, because the meaning of the words is then uncertain.
func idlePadding(r model.FRE) int {
	n, used := 0, 0
	for e := range r.Entities() {
		switch used = e.End(); {
		case e.Padding():
			n++
		case e.Role == model.FlexCFA && !e.RegP():
			return 0
		default:
			n = 0
		}
	}
	if used < r.NumWords() {
		return 0
	}
	return n
}
