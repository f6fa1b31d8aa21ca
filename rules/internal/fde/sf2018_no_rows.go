package fde

import (
	"github.com/sframe-lint/sframe-lint/internal/cfi"
	"github.com/sframe-lint/sframe-lint/internal/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var NoRows = rules.New(rules.Rule{
	ID:       "SF2018",
	Title:    "FDE without FREs",
	Clause:   "SFrame FDE",
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Warning,
	Text: `In versions 1 and 2 an FDE without FREs describes nothing: a trace ends when
it reaches the function, as it would without the FDE, and libsframe finds no FRE for
it. In version 3 it marks an outermost frame, but only an FDE of the default type may
do so.`,
	Fix:  `Leave out the FDE. To mark an outermost frame in version 2, write one FRE without data words.`,
	Good: `V2: sfde_func_num_fres = 1, an FRE without data words`,
	Bad:  `V2: sfde_func_num_fres = 0`,
}, func(c *rules.Context) {
	legal := c.Section.Version().Info().OutermostFDE
	c.Survey().Each(model.NoRows, func(f model.FDE) {
		switch {
		case f.ClaimedFREs() != 0 || legal && (!f.HasAttr() || f.Type() != model.SFRAME_FDE_TYPE_FLEX):
		case legal:
			c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0 in an FDE of the flexible type: only an FDE of the default type may have no FREs and thereby mark an outermost frame")
		default:
			c.FDE(f, model.FDENumFREs, "sfde_func_num_fres is 0: in %v such an FDE describes nothing, and every trace ends in the function", c.Section.Version())
		}
	})
})

// outermost are the versions in which an FDE without FREs marks an outermost frame.
const outermostClause = "Changes from Version 2 to Version 3"

var outermost = model.Versions(func(v model.VersionInfo) bool { return v.OutermostFDE })

// eachOutermost calls yield for the FDEs of the default type without FREs.
func eachOutermost(c *rules.Context, yield func(model.FDE)) {
	c.Survey().Each(model.NoRows, func(f model.FDE) {
		if f.Outermost() {
			yield(f)
		}
	})
}

// outermostRule makes a rule on such FDEs.
func outermostRule(r rules.Rule, report func(*rules.Context, model.FDE)) *rules.Rule {
	r.Clause, r.Versions, r.Severity = outermostClause, outermost, rules.Warning
	r.Needs = []rules.Fact{rules.AttributesKnown}
	return rules.New(r, func(c *rules.Context) {
		eachOutermost(c, func(f model.FDE) { report(c, f) })
	})
}

var SignalLeftOut = outermostRule(rules.Rule{
	ID:    "SF2023",
	Title: "signal frame without FREs",
	Text: `By the manual an FDE without FREs marks an outermost frame, where a trace ends. A
signal frame is never one: the interrupted function is its caller. GNU as writes such an
FDE for a signal trampoline whose CFI SFrame cannot express. A tracer that follows the
manual stops at the signal handler; the Linux kernel rejects the FDE and goes on by frame
pointers.`,
	Fix:  `Let tracers fall back to the CFI at a signal frame without FREs. The data cannot be corrected.`,
	Good: `sfda_func_info = 80, sfda_func_num_fres = 1`,
	Bad:  `sfda_func_info = 80, sfda_func_num_fres = 0`,
}, func(c *rules.Context, f model.FDE) {
	if f.Signal() && f.PCType() == model.SFRAME_FDE_PCTYPE_INC {
		c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0 in a signal frame. The CFI was left out: a tracer takes the frame for the outermost one and misses the interrupted function and all callers")
	}
})

var ReturnsOutermost = rules.New(rules.Rule{
	ID:       "SF2024",
	Title:    "function without FREs that returns",
	Clause:   outermostClause,
	Versions: outermost,
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.AttributesKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.CodeReadable},
	Severity: rules.Warning,
	Text: `An FDE without FREs marks an outermost frame, which has no caller. The last
instruction of this function is a return, so it has one, and a trace that reaches the
function misses it and all others. The rule reads machine code; it skips files with too
much of it, and functions of which the file has CFI: SF6011 compares with that.`,
	Fix:  `Write the FREs of the function, or correct its CFI.`,
	Good: `a function that ends in "hlt", without FREs`,
	Bad:  `a function that ends in "ret", without FREs`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	var code *proof.Code
	held := false
	eachOutermost(c, func(f model.FDE) {
		if f.Signal() || f.PCType() != model.SFRAME_FDE_PCTYPE_INC || f.Size() == 0 || held {
			return
		}
		if code == nil {
			if held = !c.MayReadCode(); held {
				return
			}
			code = proof.CodeOf(c.Object)
		}
		if !proof.EndsInReturn(code.Func(f), &abi) {
			return
		}
		if from, ok := c.CFI(f.Place(), f.Start()); ok && from.CFAReason == cfi.Comparable {
			return
		}
		c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0, which marks an outermost frame, but the function's last instruction is a return: it has a caller, which a tracer misses")
	})
})

var MaskOutermost = outermostRule(rules.Rule{
	ID:    "SF2025",
	Title: "MASK FDE without FREs",
	Text: `An FDE without FREs marks an outermost frame, which has no caller. An FDE of PC
type MASK describes stubs, as those of a PLT, to which other functions jump: all of them
have callers, and a trace that reaches a stub misses them.`,
	Fix:  `Write the FREs of a stub.`,
	Good: `MASK, rep_size 16, 2 FREs`,
	Bad:  `MASK, rep_size 16, 0 FREs`,
}, func(c *rules.Context, f model.FDE) {
	if f.PCType() == model.SFRAME_FDE_PCTYPE_MASK && f.RepSize() > 0 { // SF2007 reports 0
		c.FDE(f, model.FDENumFREs, "sfda_func_num_fres is 0 in a MASK FDE: it marks stubs, which other functions jump to, as outermost frames, and a tracer misses their callers")
	}
})
