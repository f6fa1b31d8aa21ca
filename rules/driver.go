package rules

import (
	"fmt"
	"go/token"
	"runtime/debug"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
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
	// Keep, if there is one, reports whether a finding is to be kept; it is asked
	// while the object is visited, about the rules that Filters names. What is not
	// kept does not count for Limit.
	Keep    func(*reader.Object, *Finding) bool
	Filters func(*Rule) bool
}

// DefaultCodeLimit keeps the rules that look at machine code from reading
// much more of a large file than all others together.
const DefaultCodeLimit = budget.DefaultCode

// DefaultSymbolLimit does the same for symbol tables; it is enough for
// 100,000 symbols.
const DefaultSymbolLimit = budget.DefaultSymbols

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
	// Cut counts, by rule, the findings beyond the limit.
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

// unit is what one run of the rules looks at: a section, or an object
// without regard to its sections. Its rules run one after the other and share
// one pass and one context.
type unit struct {
	d    *Driver
	obj  *reader.Object
	sf   *reader.SFrame // nil: the object itself
	res  *Result
	pass *analysis.Pass
	ctx  *Context
}

// Run runs the rules over an object and returns the findings, ordered by
// their place in the file. It returns early if the context of the object's budget
// ends.
func (d *Driver) Run(obj *reader.Object) *Result {
	res := &Result{Cut: map[string]int{}}
	paid := &account{budget: obj.Budget, messages: map[string]string{}}
	fset := token.NewFileSet()
	u := d.unit(obj, nil, fset, res, paid)
	ended := func() bool { return obj.Budget.Err() != nil }
	for _, r := range d.Rules {
		if r.Scope == PerObject && !ended() {
			u.run(r)
		}
	}
	for _, sf := range obj.SFrames {
		u := d.unit(obj, sf, fset, res, paid)
		for _, r := range d.Rules {
			if r.Scope != PerObject && !ended() {
				u.run(r)
			}
		}
		u.ctx.sweep.Stop = ended
		u.sweep()
	}
	res.complete()
	res.Memory = paid.spent
	slices.SortStableFunc(res.Findings, func(f, g Finding) int { return f.compare(&g) })
	return res
}

// unit makes what rules share that look at the same section.
func (d *Driver) unit(obj *reader.Object, sf *reader.SFrame, fset *token.FileSet, res *Result, paid *account) *unit {
	limits := &Limits{Findings: d.Limit, Code: d.CodeLimit, Symbols: d.SymbolLimit, account: paid}
	pass := &analysis.Pass{Fset: fset, Report: noDiagnostics,
		ResultOf: map[*analysis.Analyzer]any{Container: obj, Contents: sf, Bounds: limits, prereq.OnDemand: true}}
	pass.ResultOf[Known] = factsOf(pass)
	return &unit{d: d, obj: obj, sf: sf, res: res, pass: pass, ctx: newContext(pass)}
}

// SeverityOf returns a rule's severity in runs of the driver.
func (d *Driver) SeverityOf(r *Rule) Severity {
	if s, ok := d.Severity[r.ID]; ok {
		return s
	}
	return r.Severity
}

// run runs one rule. Whatever it does, the others go on.
func (u *unit) run(r *Rule) {
	if u.d.SeverityOf(r) == Off {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			u.fail(r, fmt.Sprint("panic: ", v), string(debug.Stack()))
			if s := u.ctx.sweep; s != nil && s.asked(u.ctx) {
				s.forget()
				u.ctx = u.ctx.another(s)
			}
		}
	}()
	u.ctx.bounds.Keep = nil
	if u.d.Keep != nil && (u.d.Filters == nil || u.d.Filters(r)) {
		u.ctx.bounds.Keep = func(f *Found) bool { return u.keep(r, f) }
	}
	out, err := u.report(r)
	if err != nil {
		u.fail(r, err.Error(), "")
		return
	}
	u.res.HeldBack = append(u.res.HeldBack, out.HeldBack...)
	if s := u.ctx.sweep; s != nil && s.asked(u.ctx) {
		u.ctx = u.ctx.another(s) // this one is in use until the sweep is done
		return
	}
	u.add(r, out)
}

// sweep walks over the section for the rules that have asked for it, and adds what
// they find.
func (u *unit) sweep() {
	s, dropped := u.ctx.sweep, u.res.Dropped
	if len(s.askers) == 0 {
		return
	}
	if s.try(u.sf.Section) {
		for _, x := range s.askers {
			u.add(x.rule, x.out)
		}
		return
	}
	// A rule has failed. Each walks by itself now, so that the others go on.
	u.res.Dropped = dropped
	held := len(u.res.HeldBack)
	for _, x := range s.askers {
		u.ctx = u.ctx.another(nil)
		u.run(x.rule)
		u.res.HeldBack = u.res.HeldBack[:held]
	}
}

// found is a piece of what a rule has found. It waits for the end of the run, when the
// size of the result is known: the list of findings is not copied to grow.
type found struct {
	u    *unit
	rule *Rule
	list []Found
}

// complete adds the findings that have waited.
func (res *Result) complete() {
	n := 0
	for _, x := range res.later {
		n += len(x.list)
	}
	res.Findings = slices.Grow(res.Findings, n)
	for at, x := range res.later {
		for i := range x.list {
			res.Findings = append(res.Findings, x.u.finding(x.rule, &x.list[i]))
		}
		res.later[at] = nil
	}
	res.later = nil
}

// add adds what a rule has found to the result.
func (u *unit) add(r *Rule, out *Report) {
	for _, x := range out.pieces {
		u.res.later = append(u.res.later, &found{u, r, x})
	}
	out.pieces = nil
	for i := range out.Found {
		u.res.Findings = append(u.res.Findings, u.finding(r, &out.Found[i]))
	}
	if out.Cut > 0 {
		u.res.Cut[r.ID] += out.Cut
	}
}

// keep reports whether a rule's finding is to be kept.
func (u *unit) keep(r *Rule, f *Found) bool {
	kept := u.finding(r, f)
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
	if r.run == nil {
		c.rule = r
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
	pass := *u.pass
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
func (u *unit) finding(r *Rule, x *Found) Finding {
	f := Finding{
		Rule: r, Severity: u.d.SeverityOf(r), Message: x.Message,
		Path: u.obj.Path, Member: u.obj.Member, Base: u.obj.Base,
		Span: x.Span, FileOffset: u.obj.Base + x.Span.Off, FDE: x.FDE, FRE: x.FRE,
		Function: x.Function, PC: x.PC, HasPC: x.HasPC, Fixes: x.Fixes,
	}
	if u.sf == nil {
		return f
	}
	f.Section, f.SectionIndex, f.InSection = u.sf.Name, u.sf.Index, x.InSection
	if f.InSection {
		f.FileOffset += u.sf.Offset
	}
	return f
}
