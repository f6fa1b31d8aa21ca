package rules

import (
	"fmt"
	"go/token"
	"maps"
	"runtime/debug"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Runner runs the rules of a [Driver] over one object after another. Rules run one at a time and share a context. It
// reuses memory and is not safe for concurrent use.
type Runner struct {
	d                 *Driver
	objects, sections []*Rule // the rules that are not off, by scope
	refuting          []*Rule // those on sections that refute facts, which run first
	fits              map[traits]fitting

	obj     *reader.Object
	sf      *reader.SFrame // that is looked at; nil: the object without regard to its sections
	res     *Result
	pass    analysis.Pass
	limits  Limits
	paid    account
	facts   Facts
	context *Context // of all rules

	prepared bool // the prerequisites of the section's rules have run
}

// Runner returns a runner with the driver's rules. The driver must not change afterwards.
func (d *Driver) Runner() *Runner {
	u := &Runner{d: d, fits: map[traits]fitting{}}
	for _, r := range d.Rules {
		switch {
		case d.SeverityOf(r) == Off:
		case r.Scope == PerObject:
			u.objects = append(u.objects, r)
		case r.Refutes != 0:
			u.refuting = append(u.refuting, r)
		default:
			u.sections = append(u.sections, r)
		}
	}
	u.pass = analysis.Pass{Fset: token.NewFileSet(), Report: noDiagnostics, ResultOf: map[*analysis.Analyzer]any{}}
	u.facts.pass, u.facts.assumed = &u.pass, d.Assume
	return u
}

// Run runs the rules over an object and returns the findings in file order. It returns early if the object's context
// is done.
func (u *Runner) Run(obj *reader.Object) *Result {
	u.obj, u.res = obj, &Result{}
	u.paid = account{budget: budget.Of(obj.Context)}
	u.enter(nil)
	u.runAll(u.objects)
	u.keepResults()
	for _, sf := range obj.SFrames {
		u.enter(sf)
		u.runAll(u.refuting)
		u.runFitting()
		if j := u.facts.judged; j != nil {
			u.res.Judged = append(u.res.Judged, *j)
		}
	}
	res := u.res
	res.Findings, res.lists = slices.Concat(res.lists...), nil
	res.Memory = u.paid.spent
	u.leave()
	slices.SortStableFunc(res.Findings, func(f, g Finding) int { return f.compare(&g) })
	causesFirst(res.Findings)
	return res
}

// keepResults keeps the results that the caller wants.
func (u *Runner) keepResults() {
	for _, a := range u.d.Wanted {
		if v, err := u.require(a); err == nil {
			if u.res.Values == nil {
				u.res.Values = map[*analysis.Analyzer]any{}
			}
			u.res.Values[a] = v
		}
	}
}

// enter prepares a run over a section, or over the object for nil.
func (u *Runner) enter(sf *reader.SFrame) {
	u.sf, u.prepared = sf, false
	u.limits = u.d.Limits
	u.limits.account, u.limits.severity = &u.paid, u.d.Severity
	u.facts.enter(u.obj, sf)
	results := u.pass.ResultOf
	maps.DeleteFunc(results, func(a *analysis.Analyzer, _ any) bool { return !prereq.PerObject(a) })
	results[Container], results[Contents], results[Bounds], results[Known] = u.obj, sf, &u.limits, &u.facts
	u.context = Look(&u.pass)
}

// leave drops what the run was about: it must not be held while the next one is read.
func (u *Runner) leave() {
	u.obj, u.sf, u.res, u.context = nil, nil, nil, nil
	u.facts.enter(nil, nil)
	clear(u.pass.ResultOf)
}

// manyFDEs is from how many FDEs on a rule may take long.
const manyFDEs = 256

// manyRules is the number of rules that are run on a small section between two looks at the budget.
const manyRules = 32

// runAll runs rules. Whatever one of them does, the others go on.
func (u *Runner) runAll(list []*Rule) {
	for len(list) > 0 {
		list = list[u.runSome(list):]
	}
}

// runSome runs rules until one panics, and returns how many it has run.
func (u *Runner) runSome(list []*Rule) (n int) {
	defer func() {
		if v := recover(); v != nil {
			u.fail(list[n], fmt.Sprint("panic: ", v), string(debug.Stack()))
			*u.context.out = Report{}
			n++
		}
	}()
	large := u.sf != nil && u.sf.Section != nil && u.sf.Section.NumFDEs() >= manyFDEs
	for ; n < len(list); n++ {
		if (large || n%manyRules == 0) && u.paid.budget.Err() != nil {
			return len(list)
		}
		if err := u.runOne(list[n]); err != nil {
			u.fail(list[n], err.Error(), "")
		}
	}
	return n
}

// runOne runs a rule and adds what it has found to the result. Where the rule does not apply, or something that
// it needs is not known, no prerequisite runs for it.
func (u *Runner) runOne(r *Rule) error {
	if len(r.Requires) > 0 && !u.prepared {
		if applies, missing := r.appliesTo(&u.facts); applies && missing == nil {
			if err := u.requireAll(r.Requires); err != nil {
				return err
			}
		}
	}
	u.context.rule = r
	out := r.check(u.context)
	for why, n := range out.Withheld {
		u.res.Withheld[why] += n
	}
	if len(out.Found)+len(out.HeldBack)+out.Cut == 0 {
		out.Withheld = [numWithheld]int{}
		return nil
	}
	u.res.lists = append(u.res.lists, out.Found)
	u.res.HeldBack = append(u.res.HeldBack, out.HeldBack...)
	if out.Cut > 0 {
		if u.res.Cut == nil {
			u.res.Cut = map[string]int{}
		}
		u.res.Cut[r.ID] += out.Cut
	}
	*out = Report{}
	return nil
}

// requireAll runs the prerequisites that have not been run.
func (u *Runner) requireAll(all []*analysis.Analyzer) error {
	for _, a := range all {
		if _, err := u.require(a); err != nil {
			return fmt.Errorf("prerequisite %s: %w", a.Name, err)
		}
	}
	return nil
}

// require returns the result of a prerequisite, which runs once.
func (u *Runner) require(a *analysis.Analyzer) (any, error) {
	if v, done := u.pass.ResultOf[a]; done {
		return v, nil
	}
	if err := u.requireAll(a.Requires); err != nil {
		return nil, err
	}
	u.pass.Analyzer = a
	v, err := a.Run(&u.pass)
	if err == nil {
		u.pass.ResultOf[a] = v
	}
	return v, err
}

// noDiagnostics fails a rule whose findings are not in its result.
func noDiagnostics(analysis.Diagnostic) { panic("a rule returns its findings in a *Report") }

func (u *Runner) fail(r *Rule, reason, stack string) {
	u.res.Failures = append(u.res.Failures, Failure{r.ID, u.obj.Path, u.obj.Member, reason, stack})
}
