package consumers

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
)

// Demands of readers that look up return addresses.
func returnTerms() map[Demand]term {
	return map[Demand]term{
		"return-addresses": {"the FRE at the address to which a call at the end of a function would return is that of the call", onLinked(findLastCalls)},
	}
}

// maxNamed is the number of functions that a verdict names.
const maxNamed = 4

// findLastCalls finds the functions that end with a call, as that of a function that does not return.
func findLastCalls(x *subject) *Verdict {
	var first *Verdict
	var names []string
	n := 0
	for f := range x.s.FDEs() {
		if !x.endsWithCall(f) {
			continue
		}
		if n++; n <= maxNamed {
			names = append(names, x.name(f))
		}
		if first == nil {
			first = inFDE(f, f.FieldSpan(model.FDEStart), "")
		}
	}
	switch {
	case n == 0:
		return nil
	case n == 1:
		first.Why = names[0] + " ends with a call"
	case n > maxNamed:
		first.Why = fmt.Sprintf("%s and %d more end with a call", strings.Join(names, ", "), n-maxNamed)
	default:
		first.Why = strings.Join(names, ", ") + " end with a call"
	}
	return first
}

// endsWithCall reports whether the last instruction of a function is a call, and another FRE than that of the call is
// found at the address after it, or none.
func (x *subject) endsWithCall(f model.FDE) bool {
	if f.Mask() || f.Size() == 0 {
		return false
	}
	if x.code == nil {
		x.code = proof.CodeOf(x.o)
	}
	if abi := x.s.ABI(); !x.code.EndsInCall(f, &abi) {
		return false
	}
	in, ok := f.At(uint64(f.Size()) - 1)
	_, after, found := x.s.At(f.End())
	return ok && !(found && after.Row() == in.Row())
}

// name returns the name of a function, or its start.
func (x *subject) name(f model.FDE) string {
	if y, ok := x.o.ELF.Symbols.Func(f.Place(), f.Start()); ok && y.Value == f.Start() && y.Name != "" {
		return y.Name
	}
	return fmt.Sprintf("the function at 0x%x", f.Start())
}
