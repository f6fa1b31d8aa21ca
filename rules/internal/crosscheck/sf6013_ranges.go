package crosscheck

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var RangeDiffers = contradiction(rules.Rule{
	ID:    "SF6013",
	Needs: rangeNeeds,
}, 1<<cfi.RangeDiffers, func(c *rules.Context, f *cfi.Frames, d *cfi.Difference) {
	fde := c.Section.FDE(d.FDE)
	cfi, _ := f.Sections[d.Section].FDEAt(d.CFI.Off)
	at := model.FDEFuncSize
	if fde.Start() != cfi.Start.Addr {
		at = model.FDEStart
	}
	effect := "the rest has no FRE"
	inside := d.Start >= fde.Start() && d.Start < fde.End()
	if !inside && inPLT(c, d.Place, d.Start) {
		// The CFI of all stubs is one function: those that are left out have lost their FDE.
		c.With(rules.AtPC(int(d.Place), d.Start)).At(fde.FieldSpan(at), "no FDE covers the stubs from %s to 0x%x, which have CFI (%s), and %s covers only 0x%x to 0x%x: a tracer stops there",
			c.Object.Address(d.Place, d.Start), d.End, source(f, d), rules.FDE(d.FDE), fde.Start(), fde.End())
		return
	}
	if inside {
		effect = "the FREs also apply to other code"
	}
	c.FDE(fde, at, "the function extends from %s to 0x%x in the FDE, but from 0x%x to 0x%x in the CFI (%s): %s",
		c.Object.Address(d.Place, fde.Start()), fde.End(), cfi.Start.Addr, cfi.End(), source(f, d), effect)
})

// listed is the number of functions that a message names.
const listed = 3

// functionList counts functions and names the first ones.
type functionList struct {
	n     int
	names []string
}

func (l *functionList) add(c *rules.Context, d *cfi.Difference) {
	if l.n++; l.n <= listed {
		l.names = append(l.names, nameAt(c, d.Place, d.Start))
	}
}

func (l *functionList) String() string {
	text := strings.Join(l.names, ", ")
	if more := l.n - len(l.names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// nameAt returns the name of the function at a PC, or its address.
func nameAt(c *rules.Context, place uint32, pc uint64) string {
	if y, ok := c.Object.ELF.Symbols.Func(int(place), pc); ok && y.Name != "" && y.Value == pc {
		return `"` + escape.Cut(y.Name, escape.MaxName) + `"`
	}
	return c.Object.Address(place, pc)
}

// inPLT reports whether a PC is in a linker's stub.
func inPLT(c *rules.Context, place uint32, pc uint64) bool {
	i, _, ok := c.Object.ELF.Within(int(place), pc)
	return ok && isPLT(&c.Object.ELF.Sections[i])
}
