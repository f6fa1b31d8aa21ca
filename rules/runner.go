package rules

import (
	"fmt"
	"go/token"
	"maps"
	"runtime/debug"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Runner runs the rules of a [Driver] over one object after the other. It reuses
// memory and is not safe for concurrent use. The rules run one after the other and share
// one pass and, unless they ask for a sweep, one context.
type Runner struct {
	d                 *Driver
	objects, sections []step // the rules that are not off, by scope
	refuting          []step // those on sections that refute facts, which run first
	fits              map[kind][]step

	obj    *reader.Object
	sf     *reader.SFrame // that is looked at; nil: the object without regard to its sections
	res    *Result
	pass   analysis.Pass
	limits Limits
	paid   account
	facts  Facts
	ctx    *Context

	// What the first context of each section uses.
	first struct {
		Context
		out   Report
		sweep sweep
	}
}

// step is a rule with its severity in runs of the driver.
type step struct {
	rule     *Rule
	severity Severity
}

// step returns the step of a rule.
func (u *Runner) step(r *Rule) step { return step{r, u.d.SeverityOf(r)} }

// Runner returns a runner with the rules of the driver, which must not change
// afterwards.
func (d *Driver) Runner() *Runner {
	u := &Runner{d: d, fits: map[kind][]step{}}
	for _, x := range d.Rules {
		switch x := u.step(x); {
		case x.severity == Off:
		case x.rule.Scope == PerObject:
			u.objects = append(u.objects, x)
		case len(x.rule.Refutes) > 0:
			u.refuting = append(u.refuting, x)
		default:
			u.sections = append(u.sections, x)
		}
	}
	u.pass = analysis.Pass{Fset: token.NewFileSet(), Report: noDiagnostics, ResultOf: map[*analysis.Analyzer]any{}}
	u.facts.pass = &u.pass
	return u
}

// Run runs the rules over an object and returns the findings, ordered by
// their place in the file. It returns early if the context of the object's budget
// ends.
func (u *Runner) Run(obj *reader.Object) *Result {
	u.obj, u.res = obj, &Result{}
	u.paid = account{budget: obj.Budget}
	u.enter(nil)
	u.runAll(u.objects)
	u.want()
	for _, sf := range obj.SFrames {
		u.enter(sf)
		u.runAll(u.refuting)
		u.runAll(u.fitting())
		u.sweep()
	}
	res := u.res
	res.Findings, res.lists = slices.Concat(res.lists...), nil
	res.Memory = u.paid.spent
	u.leave()
	slices.SortStableFunc(res.Findings, func(f, g Finding) int { return f.compare(&g) })
	causesFirst(res.Findings)
	return res
}

// want keeps the results that the caller wants.
func (u *Runner) want() {
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
	u.sf = sf
	u.limits = u.d.Limits
	u.limits.account = &u.paid
	u.facts.enter(u.obj, sf)
	results := u.pass.ResultOf
	maps.DeleteFunc(results, func(a *analysis.Analyzer, _ any) bool { return !prereq.PerObject(a) })
	results[Container], results[Contents], results[Bounds], results[Known] = u.obj, sf, &u.limits, &u.facts
	f := &u.first
	f.out = Report{}
	f.sweep.reset(u.ended)
	f.Context = Context{Pass: &u.pass, Object: u.obj, SFrame: sf, facts: &u.facts, bounds: &u.limits, out: &f.out, sweep: &f.sweep}
	if sf != nil {
		f.Section = sf.Section
	}
	u.ctx = &f.Context
}

// leave drops what the run was about: it must not be held while the next one is read.
func (u *Runner) leave() {
	u.obj, u.sf, u.res, u.ctx = nil, nil, nil, nil
	u.first.Context, u.first.out = Context{}, Report{}
	u.first.sweep.leave()
	u.facts.enter(nil, nil)
	clear(u.pass.ResultOf)
}

// ended reports whether the context of the object's budget has ended.
func (u *Runner) ended() bool { return u.obj.Budget.Err() != nil }

// manyFDEs is from how many FDEs on a rule may take long.
const manyFDEs = 256

// manyRules is how many rules are run on a small section between two looks at the budget.
const manyRules = 32

// runAll runs rules. Whatever one of them does, the others go on.
func (u *Runner) runAll(list []step) {
	for len(list) > 0 {
		list = list[u.runSome(list):]
	}
}

// runSome runs rules up to one that panics, and returns how many it has run.
func (u *Runner) runSome(list []step) (n int) {
	defer func() {
		if v := recover(); v != nil {
			u.fail(list[n].rule, fmt.Sprint("panic: ", v), string(debug.Stack()))
			if s := u.ctx.sweep; s != nil && s.asked(u.ctx) {
				s.forget()
				u.ctx = u.ctx.another(s)
			}
			*u.ctx.out = Report{}
			n++
		}
	}()
	large := u.sf != nil && u.sf.Section != nil && u.sf.Section.NumFDEs() >= manyFDEs
	for n = range list {
		if (large || n%manyRules == 0) && u.ended() {
			break
		}
		u.run(&list[n])
	}
	return len(list)
}

// run runs one rule. The report of the context is empty before and after.
func (u *Runner) run(x *step) {
	c, r := u.ctx, x.rule
	c.rule, c.severity = r, x.severity
	if r.run != nil {
		r.check(c)
	} else if err := u.foreign(r, c); err != nil {
		u.fail(r, err.Error(), "")
		*c.out = Report{}
		return
	}
	out := c.out
	if len(out.HeldBack) > 0 {
		u.res.HeldBack = append(u.res.HeldBack, out.HeldBack...)
	}
	if s := c.sweep; s != nil && s.asked(c) {
		u.ctx = c.another(s) // this one is in use until the sweep is done
		return
	}
	if len(out.Found)+len(out.HeldBack)+out.Cut > 0 {
		u.add(r, out)
		*out = Report{}
	}
}

// add adds what a rule has found to the result.
func (u *Runner) add(r *Rule, out *Report) {
	if len(out.Found) > 0 {
		u.res.lists = append(u.res.lists, out.Found)
	}
	if out.Cut > 0 {
		if u.res.Cut == nil {
			u.res.Cut = map[string]int{}
		}
		u.res.Cut[r.ID] += out.Cut
	}
}

// sweep walks over the section for the rules that have asked for it, and adds what
// they find.
func (u *Runner) sweep() {
	s := u.ctx.sweep
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
	held := len(u.res.HeldBack)
	for _, x := range s.askers {
		u.ctx = u.ctx.another(nil)
		u.runAll([]step{u.step(x.rule)})
		u.res.HeldBack = u.res.HeldBack[:held]
	}
}

// foreign runs a rule that New has not made: what New does for its own rules,
// the driver does for it.
func (u *Runner) foreign(r *Rule, c *Context) error {
	if applies, missing := r.gate(c.facts); !applies || missing != nil {
		if applies {
			c.HoldBack(*missing)
		}
		return nil
	}
	v, err := u.result(r.Analyzer)
	if err != nil {
		return err
	}
	out, ok := v.(*Report)
	if !ok {
		return fmt.Errorf("the result is a %T, not a %T", v, out)
	}
	c.out.HeldBack, c.out.Cut = out.HeldBack, out.Cut
	for _, f := range out.Found {
		if !f.HasPC {
			c.facts.locate(&f)
		}
		c.add(f)
	}
	return nil
}

// result runs an analyzer after those that it requires.
func (u *Runner) result(a *analysis.Analyzer) (any, error) {
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
func (u *Runner) require(a *analysis.Analyzer) (any, error) {
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

func (u *Runner) fail(r *Rule, reason, stack string) {
	u.res.Failures = append(u.res.Failures, Failure{r.ID, u.obj.Path, u.obj.Member, reason, stack})
}
