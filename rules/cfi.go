package rules

import (
	"cmp"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// CallFrames gives a rule a func() *[ehframe.Frames]: the call frame information of the
// object, nil where there is none. Sections with more than [Limits] allow are skipped.
var CallFrames = prereq.OfObject("call_frames", "the call frame information of the object", func(pass *analysis.Pass, o *reader.Object) *ehframe.Frames {
	bounds := pass.ResultOf[Bounds].(*Limits)
	f, err := ehframe.Load(o, max(cmp.Or(bounds.CFI, DefaultCFILimit), 0))
	if err != nil || len(f.Sections)+len(f.Skipped) == 0 {
		return nil // it can't be read, or the budget is exceeded
	}
	return f
}, Bounds)

// MayReadCFI reports whether some of the object's call frame information can be read. A rule
// that requires [CallFrames] asks when there is something to look up; its Needs name
// CFIReadable. If a section cannot be read, the rule is held back, and has to judge the others.
func (c *Context) MayReadCFI() bool {
	f := c.Frames()
	if f == nil {
		return true
	}
	var first [2]*ehframe.Skipped // of damage, and of the limit
	var n [2]int
	for i := range f.Skipped {
		k := 0
		if f.Skipped[i].Limit {
			k = 1
		}
		if n[k]++; first[k] == nil {
			first[k] = &f.Skipped[i]
		}
	}
	whole := true
	for k, s := range first {
		if s == nil {
			continue
		}
		missing := c.unread(s, n[k]-1)
		missing.Part = len(f.Sections) > 0
		whole = c.may(CFIReadable, missing) && whole
	}
	return whole
}

// unread returns why a section with call frame information was not read, and more others.
func (c *Context) unread(s *ehframe.Skipped, more int) *Absence {
	name := s.Name
	if more > 0 {
		name += " and " + Count(more, "other section")
	}
	reason := name + " can't be read: " + s.Why
	if s.Limit {
		return c.bounds.exceeded(CFIReadable, reason)
	}
	return &Absence{Fact: CFIReadable, Reason: reason, Causes: []string{"SF5036"}}
}

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
