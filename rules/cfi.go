package rules

import (
	"cmp"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// CallFrames gives a rule the *[ehframe.Frames]: the call frame information of the
// object, nil where there is none or more than [Limits] allow.
var CallFrames = prereq.OfObject("call_frames", "the call frame information of the object", func(pass *analysis.Pass) *ehframe.Frames {
	obj, _ := prereq.Input(pass)
	if (&Facts{obj: obj}).beyondCFI(pass.ResultOf[Bounds].(*Limits)) != nil {
		return nil
	}
	return prereq.Get[*ehframe.Frames](pass, prereq.Frames)
}, Bounds, prereq.Frames)

func (k *Facts) beyondCFI(b *Limits) *Absence {
	return k.beyond(CFIReadable, "call frame information", cmp.Or(b.CFI, DefaultCFILimit), ehframe.Size)
}

// MayReadCFI reports the same as MayReadCode of the object's call frame information
// and CFIReadable.
func (c *Context) MayReadCFI() bool { return c.may(CFIReadable, c.facts.beyondCFI(c.bounds)) }

// Frames returns the value of [CallFrames], which the rule must require.
func (c *Context) Frames() *ehframe.Frames { return prereq.Get[*ehframe.Frames](c.Pass, CallFrames) }

// CFI returns what the call frame information says of a PC, in a relocatable file an
// offset in a section. It reports whether there is any. The rule must require
// [CallFrames].
func (c *Context) CFI(place int, pc uint64) (r ehframe.Recovered, ok bool) {
	f := c.Frames()
	if f == nil {
		return r, false
	}
	fde, ok := f.At(uint32(place), pc)
	if !ok {
		return r, false
	}
	row, ok := fde.RowAt(pc)
	if !ok {
		return r, false
	}
	return fde.Recover(&row, pc), true
}
