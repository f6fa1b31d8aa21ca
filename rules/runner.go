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
// memory and is not safe for concurrent use.
type Runner struct {
	d                 *Driver
	objects, sections []*planned // the rules that are not off, by scope
	refuting          []*planned // those on sections that refute facts, which run first
	unit              unit
}

// planned is a rule that is to be run.
type planned struct {
	*Rule
	severity Severity
	filtered bool // the driver's Keep is asked
}

// Runner returns a runner with the rules of the driver, which must not change
// afterwards.
func (d *Driver) Runner() *Runner {
	r := &Runner{d: d}
	for _, x := range d.Rules {
		if d.SeverityOf(x) == Off {
			continue
		}
		p := d.planned(x)
		switch {
		case x.Scope == PerObject:
			r.objects = append(r.objects, p)
		case len(x.Refutes) > 0:
			r.refuting = append(r.refuting, p)
		default:
			r.sections = append(r.sections, p)
		}
	}
	r.unit.init(r)
	return r
}

func (d *Driver) planned(r *Rule) *planned {
	return &planned{r, d.SeverityOf(r), d.Keep != nil && (d.Filters == nil || d.Filters(r))}
}

// Run runs the rules over an object and returns the findings, ordered by
// their place in the file. It returns early if the context of the object's budget
// ends.
func (r *Runner) Run(obj *reader.Object) *Result {
	u := &r.unit
	u.begin(obj)
	u.enter(nil)
	u.runAll(r.objects)
	for _, sf := range obj.SFrames {
		u.enter(sf)
		u.runAll(r.refuting)
		u.runAll(r.sections)
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

// unit is what one run of the rules looks at: a section, or an object
// without regard to its sections. Its rules run one after the other and share
// one pass and one context.
type unit struct {
	d      *Driver
	obj    *reader.Object
	sf     *reader.SFrame // nil: the object itself
	res    *Result
	pass   analysis.Pass
	limits Limits
	paid   account
	facts  Facts
	ctx    *Context
	stop   func() bool // ended, made once

	// What the first context of each section uses.
	first struct {
		Context
		out   Report
		sweep sweep
	}
}

func (u *unit) init(r *Runner) {
	u.d = r.d
	u.pass = analysis.Pass{Fset: token.NewFileSet(), Report: noDiagnostics, ResultOf: map[*analysis.Analyzer]any{}}
	u.facts.pass, u.stop = &u.pass, u.ended
}

// begin prepares a run over an object.
func (u *unit) begin(obj *reader.Object) {
	u.obj, u.res = obj, &Result{}
	u.paid = account{budget: obj.Budget}
}

// enter prepares a run over a section, or over the object for nil.
func (u *unit) enter(sf *reader.SFrame) {
	u.sf = sf
	u.limits = Limits{Findings: u.d.Limit, Code: u.d.CodeLimit, Symbols: u.d.SymbolLimit, CFI: u.d.CFILimit, Chosen: u.d.Chosen, account: &u.paid}
	u.facts.enter(u.obj, sf)
	results := u.pass.ResultOf
	maps.DeleteFunc(results, func(a *analysis.Analyzer, _ any) bool { return !prereq.PerObject(a) })
	results[Container], results[Contents], results[Bounds], results[Known] = u.obj, sf, &u.limits, &u.facts
	f := &u.first
	f.out = Report{}
	f.sweep.reset(u.stop)
	f.Context = Context{Pass: &u.pass, Object: u.obj, SFrame: sf, facts: &u.facts, bounds: &u.limits, out: &f.out, sweep: &f.sweep}
	if sf != nil {
		f.Section = sf.Section
	}
	u.ctx = &f.Context
}

// leave drops what the run was about: it must not be held while the next one is read.
func (u *unit) leave() {
	u.obj, u.sf, u.res, u.ctx = nil, nil, nil, nil
	u.facts.enter(nil, nil)
	clear(u.pass.ResultOf)
	f := &u.first
	f.Context = Context{}
	f.sweep.leave()
}

// manyFDEs is from how many FDEs on a rule may take long.
const manyFDEs = 256

// ended reports whether the context of the object's budget has ended.
func (u *unit) ended() bool { return u.obj.Budget.Err() != nil }

// runAll runs rules. Whatever one of them does, the others go on.
func (u *unit) runAll(list []*planned) {
	for len(list) > 0 {
		list = list[u.runSome(list):]
	}
}

// runSome runs rules up to one that panics, and returns how many it has run.
func (u *unit) runSome(list []*planned) (n int) {
	defer func() {
		if v := recover(); v != nil {
			u.fail(list[n].Rule, fmt.Sprint("panic: ", v), string(debug.Stack()))
			if s := u.ctx.sweep; s != nil && s.asked(u.ctx) {
				s.forget()
				u.ctx = u.ctx.another(s)
			}
			n++
		}
	}()
	large := u.sf != nil && u.sf.Section != nil && u.sf.Section.NumFDEs() >= manyFDEs
	for n = range list {
		p := list[n]
		if (large || n%manyRules == 0) && u.ended() {
			break
		}
		u.run(p)
	}
	return len(list)
}

// manyRules is how many rules are run on a small section between two looks at the budget.
const manyRules = 32

// run runs one rule.
func (u *unit) run(p *planned) {
	u.ctx.bounds.Keep = nil
	if p.filtered {
		u.ctx.bounds.Keep = u.keep
	}
	out, err := u.report(p)
	if err != nil {
		u.fail(p.Rule, err.Error(), "")
		return
	}
	if len(out.HeldBack) > 0 {
		u.res.HeldBack = append(u.res.HeldBack, out.HeldBack...)
	}
	if s := u.ctx.sweep; s != nil && s.asked(u.ctx) {
		u.ctx = u.ctx.another(s) // this one is in use until the sweep is done
		return
	}
	u.add(p.Rule, out)
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
		u.runAll([]*planned{u.d.planned(x.rule)})
		u.res.HeldBack = u.res.HeldBack[:held]
	}
}
