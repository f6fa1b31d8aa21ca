package rules

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// DefaultLimit is how many findings of a rule are kept for a section.
const DefaultLimit = budget.DefaultFindings

// Driver runs rules over objects. It may be used by several goroutines at
// once.
type Driver struct {
	Rules []*Rule
	// Severity overrides the rules' defaults, by ID; Off leaves a rule out.
	Severity map[string]Severity
	// Limit is how many findings of a rule are kept for a section or object;
	// 0 means DefaultLimit, below 0 all.
	Limit int
	// CodeLimit is how many bytes of an object's machine code are read by the
	// rules that look at code; 0 means DefaultCodeLimit, below 0 any number.
	CodeLimit int64
	// SymbolLimit is the same for symbol tables; 0 means DefaultSymbolLimit.
	SymbolLimit int64
	// CFILimit is the same for a section .eh_frame or .debug_frame; 0 means DefaultCFILimit.
	CFILimit int64
	// Chosen is that of [Limits].
	Chosen []Fact
	// Keep, if there is one, reports whether a finding is to be kept; it is asked
	// while the object is visited, about the rules that Filters names. What is not
	// kept does not count for Limit.
	Keep    func(*reader.Object, *Finding) bool
	Filters func(*Rule) bool
}

// DefaultCodeLimit keeps the rules that look at machine code from files with more of it than any
// real one has.
const DefaultCodeLimit = budget.DefaultCode

// DefaultSymbolLimit does the same for symbol tables.
const DefaultSymbolLimit = budget.DefaultSymbols

// DefaultCFILimit does the same for call frame information.
const DefaultCFILimit = budget.DefaultCFI

// Failure is a rule that panicked or returned an error: a fault of ours.
type Failure struct {
	Rule   string
	Path   string
	Member string
	Reason string
	Stack  string // "" for an error
}

// Result is what the rules have found in an object.
type Result struct {
	Findings []Finding
	Failures []Failure
	// Cut counts, by rule, the findings beyond the limit; nil if there are none.
	Cut map[string]int
	// Dropped counts the findings that were not to be kept.
	Dropped int
	// Memory is what the findings have taken from [budget.Memory] of the object's
	// budget, in bytes. Who drops them gives it back.
	Memory int64
	// HeldBack are the rules that did not check a section, as a fact that they
	// need is not known or a limit forbids it.
	HeldBack []HeldBack

	later []*found
}

// Run runs the rules over an object as [Runner.Run] does.
func (d *Driver) Run(obj *reader.Object) *Result { return d.Runner().Run(obj) }

// SeverityOf returns a rule's severity in runs of the driver.
func (d *Driver) SeverityOf(r *Rule) Severity {
	if s, ok := d.Severity[r.ID]; ok {
		return s
	}
	return r.Severity
}

// found is a piece of what a rule has found. It waits for the end of the run, when the
// size of the result is known: the list of findings is not copied to grow.
type found struct {
	sf   *reader.SFrame
	rule *Rule
	list []Found
}

// complete adds the findings that have waited.
func (res *Result) complete(u *unit) {
	if len(res.later) == 0 {
		return
	}
	n := 0
	for _, x := range res.later {
		n += len(x.list)
	}
	res.Findings = slices.Grow(res.Findings, n)
	for at, x := range res.later {
		for i := range x.list {
			res.Findings = append(res.Findings, u.finding(x.sf, x.rule, &x.list[i]))
		}
		res.later[at] = nil
	}
	res.later = nil
}

// add adds what a rule has found to the result.
func (u *unit) add(r *Rule, out *Report) {
	for _, x := range out.pieces {
		u.res.later = append(u.res.later, &found{u.sf, r, x})
	}
	out.pieces = nil
	for i := range out.Found {
		u.res.Findings = append(u.res.Findings, u.finding(u.sf, r, &out.Found[i]))
	}
	if out.Cut > 0 {
		if u.res.Cut == nil {
			u.res.Cut = map[string]int{}
		}
		u.res.Cut[r.ID] += out.Cut
	}
}

// keep reports whether a rule's finding is to be kept.
func (u *unit) keep(r *Rule, f *Found) bool {
	kept := u.finding(u.sf, r, f)
	if u.d.Keep(u.obj, &kept) {
		return true
	}
	u.res.Dropped++
	return false
}

// report returns what a rule finds; the next call overwrites it.
func (u *unit) report(r *Rule) (*Report, error) {
	c := u.ctx
	*c.out = Report{Found: c.out.Found[:0]}
	c.rule = r
	if r.run == nil {
		return u.foreign(r, c)
	}
	r.check(c)
	return c.out, nil
}

// foreign runs a rule that New has not made: what New does for its own rules,
// the driver does for it.
func (u *unit) foreign(r *Rule, c *Context) (*Report, error) {
	if applies, missing := r.gate(c.facts); !applies || missing != nil {
		if applies {
			c.HoldBack(*missing)
		}
		return c.out, nil
	}
	v, err := u.result(r.Analyzer)
	if err != nil {
		return nil, err
	}
	out, ok := v.(*Report)
	if !ok {
		return nil, fmt.Errorf("the result is a %T, not a %T", v, out)
	}
	c.out.HeldBack, c.out.Cut = out.HeldBack, out.Cut
	for _, f := range out.Found {
		if !f.HasPC {
			c.facts.locate(&f)
		}
		c.out.add(f, c.bounds)
	}
	return c.out, nil
}

// result runs an analyzer after those that it requires.
func (u *unit) result(a *analysis.Analyzer) (any, error) {
	for _, req := range a.Requires {
		if _, err := u.require(req); err != nil {
			return nil, fmt.Errorf("prerequisite %s: %w", req.Name, err)
		}
	}
	pass := u.pass
	pass.Analyzer = a
	return a.Run(&pass)
}

// require returns the result of a prerequisite, which runs once.
func (u *unit) require(a *analysis.Analyzer) (any, error) {
	if v, done := u.pass.ResultOf[a]; done {
		return v, nil
	}
	v, err := u.result(a)
	if err == nil {
		u.pass.ResultOf[a] = v
	}
	return v, err
}

// noDiagnostics fails a rule whose findings are not in its result.
func noDiagnostics(analysis.Diagnostic) { panic("a rule returns its findings in a *Report") }

func (u *unit) fail(r *Rule, reason, stack string) {
	u.res.Failures = append(u.res.Failures, Failure{r.ID, u.obj.Path, u.obj.Member, reason, stack})
}

// finding adds to what a rule has found where it was found.
func (u *unit) finding(sf *reader.SFrame, r *Rule, x *Found) Finding {
	f := Finding{
		Rule: r, Severity: u.d.SeverityOf(r), Message: x.Message,
		Path: u.obj.Path, Member: u.obj.Member, Base: u.obj.Base,
		Span: x.Span, FileOffset: u.obj.Base + x.Span.Off, FDE: x.FDE, FRE: x.FRE,
		Function: x.Function, PC: x.PC, HasPC: x.HasPC, Fixes: x.Fixes, Frame: x.Frame,
	}
	if sf == nil {
		return f
	}
	f.Section, f.SectionIndex, f.InSection = sf.Name, sf.Index, x.InSection
	if f.InSection {
		f.FileOffset += sf.Offset
	}
	return f
}
