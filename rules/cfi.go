package rules

import (
	"cmp"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// CallFrames gives a rule the *[cfi.Frames] of the object, or nil if it has no call frame information. It skips
// sections larger than [Limits] allow.
var CallFrames = prereq.OfObject("call_frames", "the call frame information of the object", func(pass *analysis.Pass) *cfi.Frames {
	obj, _ := prereq.Input(pass)
	bounds := pass.ResultOf[Bounds].(*Limits)
	f, err := cfi.Load(obj, max(cmp.Or(bounds.CFI, budget.DefaultCFI), 0))
	if err != nil || len(f.Sections)+len(f.Skipped) == 0 {
		return nil // it can't be read, or the budget is exceeded
	}
	return f
}, Bounds)

// missingCFI returns why some of the object's call frame information cannot be read. The rules check what can be read of it.
func (c *Context) missingCFI() (all []*Absence) {
	f := prereq.Get[*cfi.Frames](c.Pass, CallFrames)
	if f == nil {
		return nil
	}
	var damage, limit gaps
	for i := range f.Skipped {
		s, into := &f.Skipped[i], &damage
		if s.Limit {
			into = &limit
		}
		into.add(s.Name + " can't be read: " + s.Why)
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
	if damage.n > 0 {
		all = append(all, &Absence{Fact: CFIReadable, Reason: damage.String(), Causes: []string{"SF5036"}, Part: part})
	}
	if limit.n > 0 {
		missing := c.bounds.limitAbsence(CFIReadable, limit.String())
		missing.Part = part
		all = append(all, missing)
	}
	if ours {
		reason := fmt.Sprintf("a section has more than %d CIEs", cfi.MaxCIEs)
		all = append(all, &Absence{Fact: CFIReadable, Reason: reason, Limit: true, Part: true})
	}
	return all
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
