package lint

import (
	"context"
	"reflect"
	"runtime/debug"
	"slices"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/evidence/lines"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// check checks one path and passes on the result: nil for a file that was met in a directory
// and is not a supported input.
func (r *Run) check(ctx context.Context, t *task) {
	if t.skipped != "" {
		t.end(nil)
		return
	}
	c := &check{Run: r, run: ctx, task: t, share: t.share, file: &File{Path: t.Name, Named: t.Named}, ours: t.Named}
	c.within(c.scan)
	if !t.Stdin && !c.budget.IsPacked() && c.file.Err == nil && fixable(c.file) {
		c.fix()
	}
	t.end(c.result())
}

// result completes the result.
func (c *check) result() *File {
	c.exceeded()
	if !c.ours && c.file.Err == nil {
		return nil
	}
	f := c.file
	if f.Package = c.pkg; f.Package == nil && c.budget.IsPacked() && len(f.Objects) == 0 {
		f.Package = &Package{}
	}
	return f
}

// check is the check of one path.
type check struct {
	*Run
	run    context.Context
	task   *task
	budget *budget.Budget
	spent  time.Duration
	share  *budget.Share // of the run's memory

	rules   *rules.Runner             // while the file is scanned
	charged int64                     // memory of the results
	listed  int                       // listings
	graves  map[string]map[string]int // errors and warnings of files that are fixed, by rule
	part    *budget.Budget            // of a file in a package, nil for another file

	file *File
	ours bool // a supported input
	pkg  *Package
}

// within calls do with a new budget, in the time that is left of the limit. When the time is over or the run has
// ended, do ends at the next step: between two rules, and in rules that visit many FDEs.
func (c *check) within(do func() error) {
	ctx, cancel := budget.WithTimeout(c.run, c.opts.Limits, c.spent)
	defer cancel()
	ctx = lines.WithDebug(ctx, func(o *reader.Object, use func(*reader.Object)) { c.sources.debugOf(o, c.plainFile(o), use) })
	c.budget, c.charged, c.listed = budget.New(ctx, c.opts.Limits).Within(c.share), 0, 0
	defer func() {
		if v := recover(); v != nil {
			c.file.Err = &InternalError{v, string(debug.Stack())}
		}
		c.spent += c.budget.Elapsed()
	}()
	err := do()
	c.file.Err = err // of the last file of a package
}

// exceeded adds a finding for each budget that was exceeded where the reader
// could not report it: while rules looked up symbols or code, or between objects.
func (c *check) exceeded() {
	o := reader.Object{Path: c.task.Name, Status: StatusUnreadable}
	for _, e := range c.account().Exceeded() {
		if c.file.Err == nil {
			c.file.Err = e
		}
		if !c.file.names(e) {
			o.Detail = e.Error()
			o.Faults = append(o.Faults, reader.Fault{Code: reader.BudgetExceeded, FDE: -1, FRE: -1, Got: uint64(e.Kind) + 1, Detail: o.Detail})
		}
	}
	if len(o.Faults) == 0 {
		return
	}
	d := *c.driver
	d.Rules = slices.DeleteFunc(slices.Clone(d.Rules), func(r *rules.Rule) bool { return r.ID != gapRules[reader.BudgetExceeded] })
	c.file.Objects = append(c.file.Objects, Object{Input: InputOf(&o), Findings: d.Run(&o).Findings, Gaps: gapsOf(&o)})
}

// names reports whether a gap of the file is for this budget.
func (f *File) names(e *budget.Exceeded) bool {
	return slices.ContainsFunc(f.Objects, func(o Object) bool {
		return slices.ContainsFunc(o.Gaps, func(g Gap) bool { return g.limit == uint64(e.Kind)+1 })
	})
}

// scan checks the objects in the file.
func (c *check) scan() error {
	opts := c.reader
	opts.Context = c.budget
	c.rules = c.runners.Get().(*rules.Runner)
	defer c.runners.Put(c.rules)
	if matcher := c.opts.Exclude.inPackages(); matcher != nil {
		opts.Skip = func(path string) bool { return matcher(path) }
	}
	err := c.task.Scan(c.opts.Stdin, opts, c.object)
	if werr := c.endPackage(); err == nil {
		err = werr
	}
	return err
}

// object runs the rules over an object and keeps the results.
func (c *check) object(o *reader.Object) error {
	if err := c.budget.Err(); err != nil {
		return err
	}
	if !c.isWanted(o) {
		return nil
	}
	if o.Package != "" {
		if err := c.turn(o); err != nil {
			return err
		}
	}
	res := c.rules.Run(o)
	out := c.objectOf(o, res)
	if c.opts.Fix == ApplyFixes && o.Package == "" {
		if err := addSums(o, out.Findings); err != nil {
			return err
		}
	}
	if m, ok := res.Values[c.opts.measured].(*coverage.Measured); ok && m.Err == nil && m.Code > 0 {
		out.Coverage = m.File
	}
	if c.pkg != nil && o.Member == "" {
		c.pkg.count(o)
	}
	if c.opts.Facts {
		out.Facts = factsOf(o)
	}
	over := c.charge(&out, res.Memory)
	if c.opts.Listings && over == nil {
		c.addListings(o, out.Findings)
	}
	if over == nil && len(out.Findings) > 0 {
		c.addSources(o, out.Findings)
	}
	if err := c.add(out); err != nil {
		return err
	}
	return over
}

// isWanted reports whether the object is to be checked.
func (c *check) isWanted(o *reader.Object) bool {
	if !c.ours && o.Member == "" && o.Status == reader.StatusNotELF {
		return false
	}
	c.ours = true
	return true
}

func (c *check) add(o Object) error {
	if err := c.budget.Ended(); err != nil {
		return err
	}
	c.file.Objects = append(c.file.Objects, o)
	return nil
}

// charge spends the memory that the results need, besides the findings, for which
// the driver has spent some.
func (c *check) charge(o *Object, findings int64) error {
	n := objectCost + heldBackCost*int64(len(o.HeldBack))
	if o.Facts != nil {
		n += factsCost
	}
	n += int64(len(o.Findings)) * int64(max(len(c.file.Path)-usualPath, 0)) // each is reported with it
	c.charged += findings
	err := c.account().Spend(budget.Memory, n)
	if err == nil {
		c.charged += n
	}
	return err
}

// About the bytes of results in memory, besides their texts.
var (
	objectCost   = 3 * int64(reflect.TypeFor[Object]().Size()) / 2 // lists grow by half
	heldBackCost = int64(reflect.TypeFor[rules.HeldBack]().Size())
)

// Package counts the files of a package that can have SFrame data.
type Package struct {
	Files int
	With  int // those that have SFrame data
}

// usualPath is how long paths in packages are that cost nothing, in bytes.
const usualPath = 256

// turn begins the results of another file of a package, and passes on those of the last one.
func (c *check) turn(o *reader.Object) error {
	if o.Path == c.file.Path { // the file was named, or has the name of the one before
		c.file.InPackage = o.Package != o.Path
		o.Path = c.file.Path // entries of one name share it
		return nil
	}
	if more := len(o.Path) - usualPath; more > 0 { // the results have it until the package has been read
		if err := c.budget.Spend(budget.Memory, int64(more)); err != nil {
			return err
		}
	}
	c.exceeded()
	if c.pkg == nil {
		c.pkg = &Package{}
	}
	last := c.file
	c.file = &File{Path: o.Path, InPackage: o.Package != o.Path}
	c.part, c.charged, c.listed = budget.Of(o.Context), 0, 0
	first := last.Named || len(last.Objects) == 0
	if first && last.Path == c.task.Name && len(last.Objects) == 0 {
		return nil
	}
	return c.pass(last)
}

// pass passes on the results of a file of a package. Where the run is not ready for them, the clock stands.
func (c *check) pass(f *File) (err error) {
	c.budget.Wait(func(ctx context.Context) {
		select {
		case c.task.done <- f:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	})
	return err
}

// endPackage ends the results of a package: what remains concerns the package.
func (c *check) endPackage() error {
	if c.pkg == nil {
		return nil
	}
	c.exceeded()
	last := c.file
	c.file, c.part = &File{Path: c.task.Name, Named: c.task.Named}, nil
	if len(last.Objects) == 0 && last.Err == nil {
		return nil
	}
	return c.pass(last)
}

// hold spends memory that the results have, if there is room for it.
func (c *check) hold(n int64) bool {
	if c.budget.Spend(budget.Memory, n) != nil {
		return false
	}
	c.charged += n
	return true
}

// account returns the budget of the file that is checked: that of the package, or of a file in it.
func (c *check) account() *budget.Budget {
	if c.part != nil {
		return c.part
	}
	return c.budget
}

// count counts a file of a package.
func (p *Package) count(o *reader.Object) {
	if in := (Input{Status: o.Status}); in.CanHaveSFrame() {
		p.Files++
	}
	if o.Status == reader.StatusOK {
		p.With++
	}
}
