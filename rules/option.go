package rules

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Option is what the reports of a [Context.With] have besides their bytes and their message: a [Fix], [Help],
// a *[Correction], a [Frame], an [FDE], an [Absence] or what the functions below return.
type Option interface{ add(c *Context) }

// extras are the options of reports.
type extras struct {
	fde, fre   int
	pc         *codeAt
	most       Severity // that a finding has; Off: any
	help       string   // "": the remedy of the rule
	fixes      []Fix
	frame      *Frame
	correction *Correction
	refutes    []Absence
	free       bool
}

// codeAt is a PC, in a relocatable file an offset in the section with index place.
type codeAt struct {
	place int
	pc    uint64
}

type option func(c *Context)

func (o option) add(c *Context) { o(c) }

// With returns a context whose reports have the options.
func (c *Context) With(options ...Option) *Context {
	d := *c
	for _, o := range options {
		o.add(&d)
	}
	return &d
}

// FDE is the number of an FDE of the section. In the arguments of a message it becomes the number and the name of the
// function, or the section that the function is in. As an [Option] it says that the reports are about the FDE.
type FDE int

func (f FDE) add(c *Context) { c.with.fde, c.with.fre = int(f), -1 }

// String returns the FDE without the name of its function.
func (f FDE) String() string { return fmt.Sprintf("FDE %d", int(f)) }

// OfFault says that the reports are about the FDE and the FRE of a fault.
func OfFault(f reader.Fault) Option {
	return option(func(c *Context) { c.with.fde, c.with.fre = f.FDE, f.FRE })
}

// AtPC says that the reports are about code that no FDE is known for. In a relocatable file pc is an offset in the section
// with index place.
func AtPC(place int, pc uint64) Option {
	return option(func(c *Context) { c.with.pc = &codeAt{place, pc} })
}

// AtMost bounds the severity of the findings. It is for the few that matter less
// than others of their rule. What a user has raised above the rule's own severity is not lowered.
func AtMost(s Severity) Option { return option(func(c *Context) { c.with.most = s }) }

// Help says what to do, instead of the remedy of the rule. An empty text leaves that.
type Help string

func (h Help) add(c *Context) { c.with.help = string(h) }

// Unbounded are reports that are kept even if the memory budget is exceeded, for findings that give the reason for that.
var Unbounded Option = option(func(c *Context) { c.with.free = true })

// add says that the findings refute the fact, which the rule's Refutes must include: rules that need it and run later are
// held back.
func (a Absence) add(c *Context) {
	c.with.refutes = append(c.with.refutes[:len(c.with.refutes):len(c.with.refutes)], a)
}

func (m *Correction) add(c *Context) { c.with.help, c.with.correction = m.Help, m }

func (x Fix) add(c *Context) {
	if len(x.Edits) > 0 {
		c.with.fixes = append(c.with.fixes[:len(c.with.fixes):len(c.with.fixes)], x)
	}
}

// Repair is a safe fix: v is the correct value of the field at sp in the section.
func Repair(message string, sp model.Span, v uint64) Option {
	return option(func(c *Context) {
		if sp.Len > 0 && sp.End() <= c.Section.Size() && !c.cuts() {
			Fix{Message: message, Safe: true, Edits: []Edit{SetField(c.SFrame, sp, v)}}.add(c)
		}
	})
}

// add lets a report of an FRE have the frame, to which the report adds ABI and the rules of the FRE.
func (f Frame) add(c *Context) {
	if !c.cuts() {
		f.ABI, f.Sides = c.ABI.ID, append([]Side{{}}, f.Sides...)
		c.with.frame = &f
	}
}
