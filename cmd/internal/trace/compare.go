package trace

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// callerByCFI is what CFI says of the caller of a frame.
type callerByCFI struct {
	known bool // CFI has rules that can be compared
	noFP  bool // but none for FP
	frame unwind.Frame
	stop  *unwind.Stop
}

// Compared counts frames that were compared with CFI.
type Compared struct {
	Frames int `json:"frames"` // with rules of CFI for the caller
	Of     int `json:"of"`     // all frames
	Differ int `json:"differ"` // threads with a frame for which CFI gives another caller
}

// byCFI applies the CFI for the cursor's frame to the frame's state. Frames without SFrame data
// are not compared. Its error is that of the budget.
func byCFI(c *unwind.Cursor, mods *corefile.Modules, b *budget.Budget) (by callerByCFI, err error) {
	f := c.Frame()
	m, ok := mods.At(f.Lookup)
	if !ok || len(m.Sections) == 0 {
		return by, nil
	}
	if err := b.Step(m.CFICost(f.Lookup)); err != nil {
		return by, err
	}
	rules, ok := m.CFI(f.Lookup)
	if !ok || !evaluated(&rules) {
		return by, nil
	}
	if k := rules.FP.Kind; k == model.Invalid || k == model.Undefined {
		by.noFP, rules.FP = true, model.Recovery{Kind: model.Unchanged}
	}
	by.known = true
	by.frame, by.stop = c.Caller(rules)
	return by, nil
}

// differs returns how CFI disagrees with the step to a frame, or with the reason why
// there was none; "" if it does not.
func (by *callerByCFI) differs(next *unwind.Frame, stop *unwind.Stop) string {
	switch {
	case !by.known || by.stop != nil && !by.stop.Complete():
		return "" // CFI leads no further
	case by.stop != nil && stop != nil && stop.Complete():
		return ""
	case by.stop != nil:
		return "by CFI this is the outermost frame"
	case stop != nil && stop.Reason == unwind.TooManyFrames:
		return ""
	case stop != nil:
		return fmt.Sprintf("by CFI the caller is at 0x%x", by.frame.PC)
	}
	for _, x := range []struct {
		what      string
		cfi, have uint64
		skip      bool
	}{
		{"PC", by.frame.PC, next.PC, false},
		{"SP", by.frame.SP, next.SP, false},
		{"FP", by.frame.FP, next.FP, by.noFP || !by.frame.FPKnown || !next.FPKnown},
	} {
		if !x.skip && x.cfi != x.have {
			return fmt.Sprintf("by CFI the caller's %s is 0x%x, not 0x%x", x.what, x.cfi, x.have)
		}
	}
	return ""
}
