package rules

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// DefaultLimit is the number of findings of a rule that are kept for a section.
const DefaultLimit = budget.DefaultFindings

// Driver runs rules over objects. It may be used by several goroutines at
// once.
type Driver struct {
	Rules []*Rule
	// Severity overrides the rules' defaults, by ID; Off disables a rule.
	Severity map[string]Severity
	// Limit is the number of findings of a rule that are kept for a section or
	// object; 0 means DefaultLimit, a negative number all.
	Limit int
	// CodeLimit is the maximum size, in bytes, of an object's machine code that
	// rules check; 0 means DefaultCodeLimit, a negative number no limit.
	CodeLimit int64
	// SymbolLimit is the same for symbol tables; 0 means DefaultSymbolLimit.
	SymbolLimit int64
	// CFILimit is the same for a section .eh_frame or .debug_frame; 0 means DefaultCFILimit.
	CFILimit int64
	// Chosen is as in [Limits].
	Chosen []Fact
	// Keep, if not nil, reports whether to keep a finding of a rule for which
	// Filters is true; it is called while the object is visited. Findings that are
	// not kept do not count for Limit.
	Keep    func(*reader.Object, *Finding) bool
	Filters func(*Rule) bool
}

// DefaultCodeLimit is the maximum size, in bytes, of machine code that rules check. No real file
// has more.
const DefaultCodeLimit = budget.DefaultCode

// DefaultSymbolLimit is the same for symbol tables, in bytes.
const DefaultSymbolLimit = budget.DefaultSymbols

// DefaultCFILimit is the same for call frame information, in bytes.
const DefaultCFILimit = budget.DefaultCFI

// Failure is a rule that panicked or returned an error: a bug in the rule.
type Failure struct {
	Rule   string
	Path   string
	Member string
	Reason string
	Stack  string // "" for an error
}

// Result has the findings of the rules in an object.
type Result struct {
	Findings []Finding
	Failures []Failure
	// Cut counts, by rule, the findings beyond the limit; nil if there are none.
	Cut map[string]int
	// Dropped counts the findings that were not kept.
	Dropped int
	// Memory is what the findings have taken from [budget.Memory] of the object's
	// budget, in bytes. The caller gives it back when it drops them.
	Memory int64
	// HeldBack are the rules that did not check a section because a fact is not
	// known or a limit forbids it.
	HeldBack []HeldBack

	lists [][]Finding // that Findings will consist of
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

// add adds what a rule has found to the result.
func (u *unit) add(r *Rule, out *Report) {
	if len(out.Found) > 0 {
		u.res.lists, out.Found = append(u.res.lists, out.Found), nil
	}
	if out.Cut > 0 {
		if u.res.Cut == nil {
			u.res.Cut = map[string]int{}
		}
		u.res.Cut[r.ID] += out.Cut
	}
}

// keep reports whether a finding is to be kept.
func (u *unit) keep(f *Finding) bool {
	if u.d.Keep(u.obj, f) {
		return true
	}
	u.res.Dropped++
	return false
}

// report returns what a rule finds; the next call overwrites it.
func (u *unit) report(p *planned) (*Report, error) {
	c, r := u.ctx, p.Rule
	*c.out = Report{}
	c.rule, c.severity = r, p.severity
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
		c.add(f)
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
