package execute

import (
	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// CFI returns the row of the module's CFI for an address of the program. It reports false if there is none. A rule
// that cannot be compared has the kind Invalid.
func (x *Module) CFI(pc uint64) (unwind.Rules, bool) {
	if x.frames == nil {
		return unwind.Rules{}, false
	}
	pc -= x.Bias
	if known, ok := x.rules[pc]; ok {
		return known.Rules, known.found
	}
	r, ok := lookUpCFI(x.frames, pc)
	if len(x.rules) < maxRules && remember(x.budget, ruleBytes) {
		x.rules[pc] = cfiRules{r, ok}
	}
	return r, ok
}

// cfiRules are rules that were looked up: the frames of a recursion have one PC.
type cfiRules struct {
	unwind.Rules
	found bool
}

// maxRules bounds the rules that are kept of a file, and ruleBytes is about what one takes.
const maxRules, ruleBytes = 1 << 16, 400

// remember spends the memory for what need not be kept, and reports false where there is none.
func remember(b *budget.Budget, n int64) bool {
	most := b.Limit(budget.Memory)
	return (most < 0 || b.Used(budget.Memory)+n <= most) && b.Spend(budget.Memory, n) == nil
}

// StartsCFI reports whether the CFI of a function starts at an address of the program.
func (x *Module) StartsCFI(pc uint64) bool {
	f, ok := x.frames.At(0, pc-x.Bias)
	return ok && f.Start.Addr == pc-x.Bias
}

func lookUpCFI(frames *cfi.Frames, pc uint64) (unwind.Rules, bool) {
	f, row, ok := frames.RowAt(0, pc)
	if !ok {
		return unwind.Rules{}, false
	}
	r := unwind.Rules{Row: f.Recover(&row, pc).Row, Mangled: row.Sign&cfi.RASigned != 0, Signal: f.CIE.Signal}
	if f.CIE.KeyB {
		r.Key = model.SFRAME_AARCH64_PAUTH_KEY_B
	}
	if row.Sign&cfi.RAUnknown != 0 {
		r.RA = model.Recovery{}
	}
	return r, true
}
