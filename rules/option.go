package rules

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Option adds to the reports of a [Context.With]. It is a [Fix], [Help], *[Correction], [Frame], [FDE] or [Absence],
// or comes from a function below.
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

// With returns a context that adds the options to its reports.
func (c *Context) With(options ...Option) *Context {
	d := *c
	for _, o := range options {
		o.add(&d)
	}
	return &d
}

// FDE is the index of an FDE. In the arguments of a message, it is formatted with the name of the function, or of the
// section if that is unknown. As an [Option], it says which FDE the report is about.
type FDE int

func (f FDE) add(c *Context) { c.with.fde, c.with.fre = int(f), -1 }

// String returns the FDE without the name of its function.
func (f FDE) String() string { return fmt.Sprintf("FDE %d", int(f)) }

// OfFault says that the reports are about the FDE and FRE of a fault.
func OfFault(f reader.Fault) Option {
	return option(func(c *Context) { c.with.fde, c.with.fre = f.FDE, f.FRE })
}

// AtPC says that the reports are about code without a known FDE. In a relocatable file, pc is an offset in the
// section with index place.
func AtPC(place int, pc uint64) Option {
	return option(func(c *Context) { c.with.pc = &codeAt{place, pc} })
}

// AtMost limits the severity of findings that matter less than others of their rule. It does not apply if the user
// has raised the rule's severity.
func AtMost(s Severity) Option { return option(func(c *Context) { c.with.most = s }) }

// Help says what to do, instead of the rule's remedy. An empty text keeps the remedy.
type Help string

func (h Help) add(c *Context) { c.with.help = string(h) }

// Unbounded keeps findings even if the memory budget is exceeded. It is for findings that say so.
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

// Repair adds a safe fix that writes v to the field at sp in the section.
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
