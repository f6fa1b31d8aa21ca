package rules

import (
	"cmp"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/cfi"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// CallFrames gives a rule the *[cfi.Frames]: the call frame information of the object, nil if
// there is none. Sections larger than [Limits] allow are skipped.
var CallFrames = prereq.OfObject("call_frames", "the call frame information of the object", func(pass *analysis.Pass) *cfi.Frames {
	obj, _ := prereq.Input(pass)
	bounds := pass.ResultOf[Bounds].(*Limits)
	f, err := cfi.Load(obj, max(cmp.Or(bounds.CFI, DefaultCFILimit), 0))
	if err != nil || len(f.Sections)+len(f.Skipped) == 0 {
		return nil // it can't be read, or the budget is exceeded
	}
	return f
}, Bounds)

// MayReadCFI reports whether some of the object's call frame information can be read. A rule calls it when it has something to look up; its Needs
// include CFIReadable. If a section of CFI cannot be read, the rule is held back for it and must check the others.
func (c *Context) MayReadCFI() bool {
	f := c.Frames()
	if f == nil {
		return true
	}
	var damage, limit gaps
	for i := range f.Skipped {
		if s := &f.Skipped[i]; s.Limit {
			limit.add(s.Name + " can't be read: " + s.Why)
		} else {
			damage.add(s.Name + " can't be read: " + s.Why)
		}
	}
	ours := false // the user cannot set the limit
	for i := range f.Sections {
		for _, x := range f.Sections[i].Faults() {
			if x.Code.Ends() {
				damage.add(f.Sections[i].Name + " can't be read to its end")
			}
			ours = ours || x.Code == cfi.TooManyCIEs
		}
	}
	part := len(f.Sections) > 0
	whole := true
	if damage.n > 0 {
		whole = c.may(CFIReadable, &Absence{Fact: CFIReadable, Reason: damage.String(), Causes: []string{"SF5036"}, Part: part})
	}
	if limit.n > 0 {
		missing := c.bounds.exceeded(CFIReadable, limit.String())
		missing.Part = part
		whole = c.may(CFIReadable, missing) && whole
	}
	if ours {
		reason := fmt.Sprintf("a section has more than %d CIEs", cfi.MaxCIEs)
		whole = c.may(CFIReadable, &Absence{Fact: CFIReadable, Reason: reason, Limit: true, Part: true}) && whole
	}
	return whole
}

// gaps are reasons why something can't be read, of which the first one is named.
type gaps struct {
	first string
	n     int
}

func (g *gaps) add(reason string) {
	if g.n++; g.n == 1 {
		g.first = reason
	}
}

func (g *gaps) String() string {
	if g.n == 1 {
		return g.first
	}
	return g.first + ", and for " + Count(g.n-1, "other reason")
}

// Frames returns the value of [CallFrames].
func (c *Context) Frames() *cfi.Frames { return prereq.Get[*cfi.Frames](c.Pass, CallFrames) }

// CFI returns the recovery rules of the call frame information for a PC, which in a
// relocatable file is an offset in section place. It reports whether there are any.
func (c *Context) CFI(place int, pc uint64) (r cfi.Recovered, ok bool) {
	fde, row, ok := c.Frames().RowAt(uint32(place), pc)
	if !ok {
		return r, false
	}
	return fde.Recover(&row, pc), true
}
