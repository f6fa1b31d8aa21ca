package frame

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
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
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Flex }),
	Needs:    rules.FREsKnown | rules.ABIKnown | rules.AsDefined,
}, func(c *rules.Context) {
	if !c.SFrame.Survey().AnyKind(model.FDE.Flex) {
		return
	}
	abi := c.ABI
	other := func(v model.Recovery, address bool) bool {
		return inRegister(v, abi, address) && v.Reg != abi.SP && v.Reg != abi.FP
	}
	bad := func(r model.FRE) bool {
		row := r.Row()
		return r.Flex() && row.Valid() &&
			(other(row.CFA, true) || other(row.RA, false) || other(row.FP, false))
	}
	tally(c, bad, func(r model.FRE, rows, funcs int) {
		row := r.Row()
		c.FRE(r, r.Span(), "a tracer knows the registers that this FRE needs (CFA = %s, RA %s, FP %s) only in the topmost frame: elsewhere, traces stop at %s in %s",
			row.CFA.Format(*abi), row.RA.Format(*abi), row.FP.Format(*abi), rules.Count(rows, "such FRE"), rules.Count(funcs, "function"))
	})
})

var InRegister = rules.New(rules.Rule{
	ID:       "SF3202",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.WordRegs }),
	ABIs:     model.ABIsWith(func(a model.ABIInfo) bool { return a.LSBRegs }),
	Needs:    rules.FREsKnown | rules.RAKnown | rules.FPKnown,
}, func(c *rules.Context) {
	abi := c.ABI
	bad := func(r model.FRE) bool {
		row := r.Row()
		return row.Valid() && abi.ValidWords(c.Section.Version(), r.NumWords()) &&
			(inRegister(row.RA, abi, false) || inRegister(row.FP, abi, false))
	}
	tally(c, bad, func(r model.FRE, rows, funcs int) {
		row := r.Row()
		c.FRE(r, r.Span(), "a tracer knows the registers that this FRE needs (RA %s, FP %s) only in the topmost frame: elsewhere, traces stop at %s in %s",
			row.RA.Format(*abi), row.FP.Format(*abi), rules.Count(rows, "such FRE"), rules.Count(funcs, "function"))
	})
})
