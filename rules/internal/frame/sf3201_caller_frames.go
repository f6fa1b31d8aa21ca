package frame

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/flex"
)

// tally reports the first bad FRE of the section, with the number of bad FREs
// and of the functions that have them.
func tally(c *rules.Context, bad func(model.FRE) bool, report func(r model.FRE, rows, funcs int)) {
	var first model.FRE
	rows, funcs, last := 0, 0, -1
	c.Rows(bad, func(r model.FRE) {
		if rows == 0 {
			first = r
		}
		rows++
		if r.FDEIndex() != last {
			funcs, last = funcs+1, r.FDEIndex()
		}
	})
	if rows > 0 {
		report(first, rows, funcs)
	}
}

// inRegister reports whether a value comes from a register that is valid for
// it. address selects the registers that can hold an address. Other rules
// report invalid registers.
func inRegister(v model.Recovery, abi *model.ABIInfo, address bool) bool {
	if address || v.Deref {
		return v.Kind == model.InRegister && v.Reg < abi.AddrRegs
	}
	return v.Kind == model.InRegister && v.Reg < abi.HoldRegs
}

var OtherBase = rules.New(rules.Rule{
	ID:       "SF3201",
	Title:    "FRE for the topmost frame: base other than SP and FP",
	Clause:   "Generating Stack Traces using SFrame",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Flex }),
	Needs:    []rules.Fact{rules.FREsKnown, rules.ABIKnown, rules.AsDefined},
	Severity: rules.Note,
	Text: `A flexible FDE may count from any register. A tracer has the values of SP and
FP in every frame, but those of other registers only in the topmost frame, where the
program was interrupted. In any other frame it must stop at such an FRE; otherwise it
uses the present value of the register for that of the frame.`,
	Fix:  `Avoid such a frame in functions that call others. In other functions nothing is wrong.`,
	Good: `CFA = *(rbp-8)`,
	Bad:  `CFA = r10+0`,
}, func(c *rules.Context) {
	if !c.Survey().AnyKind(flex.Function) {
		return
	}
	abi := c.ABI()
	other := func(v model.Recovery, address bool) bool {
		return inRegister(v, abi, address) && v.Reg != abi.SP && v.Reg != abi.FP
	}
	bad := func(r model.FRE) bool {
		row := r.Row()
		return r.FDEType() == model.SFRAME_FDE_TYPE_FLEX && row.Valid() &&
			(other(row.CFA, true) || other(row.RA, false) || other(row.FP, false))
	}
	tally(c, bad, func(r model.FRE, rows, funcs int) {
		row := r.Row()
		c.FRE(r, r.Span(), "a tracer can use %s of %s only in the topmost frame and must stop in any other; the first has CFA = %s, RA %s, FP %s",
			rules.Count(rows, "FRE"), rules.Count(funcs, "function"), row.CFA.Format(*abi), row.RA.Format(*abi), row.FP.Format(*abi))
	})
})

var InRegister = rules.New(rules.Rule{
	ID:       "SF3202",
	Title:    "FRE for the topmost frame: RA or FP in a register",
	Clause:   "s390x",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.WordRegs }),
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return a.LSBRegs }),
	Needs:    []rules.Fact{rules.FREsKnown, rules.RAKnown, rules.FPKnown},
	Severity: rules.Note,
	Text: `A leaf function on s390x may keep RA or FP in another register. Version 2
encodes that as an odd word. A tracer has the value of the register only in the
topmost frame, so it must stop in any other frame.`,
	Fix:  `Check that the function calls no other one. Then nothing is wrong.`,
	Good: `RA at CFA-48`,
	Bad:  `RA in f0: word 0x21`,
}, func(c *rules.Context) {
	abi := c.ABI()
	bad := func(r model.FRE) bool {
		row := r.Row()
		return row.Valid() && abi.ValidWords(c.Section.Version(), r.NumWords()) &&
			(inRegister(row.RA, abi, false) || inRegister(row.FP, abi, false))
	}
	tally(c, bad, func(r model.FRE, rows, funcs int) {
		row := r.Row()
		c.FRE(r, r.Span(), "a tracer can use %s of %s only in the topmost frame and must stop in any other; the first has RA %s, FP %s",
			rules.Count(rows, "FRE"), rules.Count(funcs, "function"), row.RA.Format(*abi), row.FP.Format(*abi))
	})
})
