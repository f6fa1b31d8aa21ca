package fde

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

// outermost are the versions in which an FDE without FREs marks an outermost frame.
var outermost = model.Versions(func(v model.VersionInfo) bool { return v.OutermostFDE })

// eachOutermost calls yield for the FDEs of the default type without FREs.
func eachOutermost(c *rules.Context, yield func(model.FDE)) {
	c.SFrame.Survey().Each(model.NoRows, func(f model.FDE) {
		if f.Outermost() {
			yield(f)
		}
	})
}

// outermostRule makes a rule on such FDEs.
func outermostRule(r rules.Rule, report func(*rules.Context, model.FDE)) *rules.Rule {
	r.Versions, r.Needs = outermost, rules.AttributesKnown
	return rules.New(r, func(c *rules.Context) {
		eachOutermost(c, func(f model.FDE) { report(c, f) })
	})
}

var SignalLeftOut = outermostRule(rules.Rule{ID: "SF2023"}, func(c *rules.Context, f model.FDE) {
	if f.Signal() && !f.Mask() {
		c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0 in a signal frame (SFrame cannot express its CFI): a tracer stops there and misses the interrupted function")
	}
})

var ReturnsOutermost = rules.New(rules.Rule{
	ID:       "SF2024",
	Versions: outermost,
	Files:    rules.ELFFiles,
	Needs:    rules.AttributesKnown | rules.StartsKnown | rules.StartsAsFlagged | rules.CodeReadable,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	var code *proof.Code
	held := false
	eachOutermost(c, func(f model.FDE) {
		if f.Signal() || f.Mask() || f.Size() == 0 || held {
			return
		}
		if code == nil {
			if held = !c.Has(rules.CodeReadable); held {
				return
			}
			code = proof.CodeOf(c.Object)
		}
		if !code.EndsInReturn(f, &abi) {
			return
		}
		if from, ok := evidence.CFI(c, f.Place(), f.Start()); ok && from.CFAReason == cfi.Comparable {
			return
		}
		c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0, which marks an outermost frame, but the function ends in a return instruction: a tracer misses the function's caller")
	})
})

var MaskOutermost = outermostRule(rules.Rule{ID: "SF2025"}, func(c *rules.Context, f model.FDE) {
	if f.Mask() && f.RepSize() > 0 { // SF2007 reports 0
		c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0 in a MASK FDE, which marks the stubs as outermost frames: a tracer misses the callers of the stubs")
	}
})
