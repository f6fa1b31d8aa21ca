package lintcmd

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// expectRepeated is a function with FREs that say the same as the previous one.
type expectRepeated struct {
	Member   string `json:"member,omitempty"`
	Function string `json:"function,omitempty"`
	Start    string `json:"start"`
	FREs     int    `json:"fres"`
	First    string `json:"first"` // counted from Start
}

// mostRepeated is the number of functions with repeated FREs that are listed.
const mostRepeated = 1000

// name names the function for a line of text.
func (x *expectRepeated) name() string {
	name := x.Start
	if x.Function != "" {
		name = escape.Name(x.Function)
	}
	if x.Member != "" {
		name = "(" + escape.Name(x.Member) + ") " + name
	}
	return name
}

// repeated adds the functions of an object with FREs that could be left out.
func (r *expectReport) repeated(o *reader.Object) {
	for _, sf := range o.SFrames {
		if sf.Section == nil {
			continue
		}
		for i := range sf.Section.NumFDEs() {
			if len(r.Repeated) == mostRepeated {
				return
			}
			f := sf.Section.FDE(i)
			if n, first := repeats(f); n > 0 {
				x := expectRepeated{Member: escape.UTF8(o.Member), Start: fmt.Sprintf("0x%x", f.Start()), FREs: n, First: fmt.Sprintf("0x%x", first)}
				if y, ok := o.ELF.Symbols.Func(f.Place(), f.Start()); ok && y.Value == f.Start() {
					x.Function = escape.UTF8(y.Name)
				}
				r.Repeated = append(r.Repeated, x)
			}
		}
	}
}

// repeats counts the FREs of a function whose rows are those of the previous one, and returns the
// start offset of the first one.
func repeats(f model.FDE) (n int, first uint32) {
	var last model.FRE
	for x := range f.FREs() {
		if x.Index() > 0 && x.Row() == last.Row() && x.MangledRA() == last.MangledRA() {
			if n == 0 {
				first = x.Start()
			}
			n++
		}
		last = x
	}
	return n, first
}
