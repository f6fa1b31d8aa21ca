package frame

import (
	"strings"

	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

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

// settled reports whether call frame information has a CFA for the first instruction of
// the function, so that it is not for heuristics to judge.
func settled(c *rules.Context, f model.FDE) bool {
	r, ok := cfiAt(c, f, 0)
	return ok && r.CFAReason == ehframe.Comparable
}

// cfiAt returns what call frame information says of an offset in a function.
func cfiAt(c *rules.Context, f model.FDE, off uint32) (ehframe.Recovered, bool) {
	return c.CFI(f.Place(), f.Start()+uint64(off))
}
