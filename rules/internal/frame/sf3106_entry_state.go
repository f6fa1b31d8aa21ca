package frame

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

var EntryState = rules.New(rules.Rule{
	ID:    "SF3106",
	Files: rules.ELFFiles,
	Needs: rules.FREsKnown | rules.RAKnown | rules.FPKnown | rules.StartsKnown | rules.StartsAsFlagged,
}, func(c *rules.Context) {
	abi := c.ABI
	if !c.SFrame.Survey().Any(model.FirstList, func(r model.FRE) bool { return unlikeEntry(r, abi) }) {
		return
	}
	c.FDEs(nil, func(f model.FDE) {
		if !StartsWithFrame(c, f, abi) {
			return
		}
		r := f.FRE(0)
		row := r.Row()
		if atEntry(row, abi) {
			c.FRE(r, r.InfoSpan(), "the function's first FRE has the mangled bit set, but RA is not signed at function entry: a tracer recovers a wrong return address")
			return
		}
		c.FRE(r, r.Span(), "the function's first FRE (CFA = %s, RA %s, FP %s) differs from the state at function entry (CFA = %s+%d, nothing saved): tracers find a wrong caller",
			row.CFA.Format(*abi), row.RA.Format(*abi), row.FP.Format(*abi), abi.SPName, abi.EntryCFA)
	})
})

// unlikeEntry reports whether an FRE has another state than that on entry.
func unlikeEntry(r model.FRE, abi *model.ABIInfo) bool {
	row := r.Row()
	return Judged(r, &row, abi) && (!atEntry(row, abi) || r.MangledRA() && abi.Pauth)
}

// StartsWithFrame reports whether SF3106 reports the first FRE of a function.
func StartsWithFrame(c *rules.Context, f model.FDE, abi *model.ABIInfo) bool {
	return f.NumFREs() > 0 && !f.Signal() && unlikeEntry(f.FRE(0), abi) && enteredByCall(c, f) && !hasEntryCFA(c, f)
}

// enteredByCall reports whether the function is entered by a call, as the ABI
// defines it.
func enteredByCall(c *rules.Context, f model.FDE) bool {
	name, ok := symbolAt(c, f)
	return ok && !coldPart(name) && !f.Mask()
}

// atEntry reports whether an FRE describes the entry state of the ABI: nothing
// is pushed or saved except by the call itself.
func atEntry(row model.Row, abi *model.ABIInfo) bool {
	return EntryCFA(row, abi) && row.FP.Kind == model.Unchanged &&
		(!abi.TracksRA() || row.RA.Kind == model.Unchanged)
}

func EntryCFA(row model.Row, abi *model.ABIInfo) bool {
	v := row.CFA
	return v.Kind == model.InRegister && !v.Deref && v.Reg == abi.SP && v.Offset == abi.EntryCFA
}

// symbolAt returns the name of the function symbol that starts where the FDE
// does.
func symbolAt(c *rules.Context, f model.FDE) (string, bool) {
	if c.Object.ELF == nil || c.Object.ELF.Symbols == nil || !f.Resolved() {
		return "", false
	}
	sym, ok := c.Object.ELF.Symbols.Func(f.Place(), f.Start())
	return sym.Name, ok && sym.Value == f.Start() && sym.Name != ""
}

// coldPart reports whether a symbol, by its name, is a part that a compiler has
// moved out of a function. Code jumps to it with the frame set up.
func coldPart(name string) bool { return strings.Contains(name, ".cold") }

// hasEntryCFA reports whether call frame information has a CFA for the first instruction of
// the function, so that it is not for heuristics to judge.
func hasEntryCFA(c *rules.Context, f model.FDE) bool {
	r, ok := cfiAt(c, f, 0)
	return ok && r.CFAReason == cfi.Comparable
}

// cfiAt returns what call frame information says of an offset in a function.
func cfiAt(c *rules.Context, f model.FDE, off uint32) (cfi.Recovered, bool) {
	return evidence.CFI(c, f.Place(), f.Start()+uint64(off))
}

// hugeFrame is larger than the default stack (8 MiB on Linux).
const hugeFrame = 16 << 20

var HugeOffset = rowRule(rules.Rule{ID: "SF3108"}, func(abi *model.ABIInfo, _ model.FRE, row *model.Row) (word int, why string) {
	for word, v := range [...]model.Recovery{row.CFA, row.RA, row.FP} {
		if v.Offset > hugeFrame || v.Offset < -hugeFrame {
			return word, fmt.Sprintf("%s = %s, but an offset of more than 16 MiB exceeds the default stack of a thread: a tracer leaves the stack", entityName(word), v.Format(*abi))
		}
	}
	return 0, ""
})
