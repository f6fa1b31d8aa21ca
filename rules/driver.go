package rules

import (
	"fmt"
	"go/token"
	"runtime/debug"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// DefaultLimit is how many findings of a rule are kept for a section.
const DefaultLimit = 1000

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
	// Keep, if there is one, tells whether a finding is to be kept; it is asked
	// while the object is visited, about the rules that Filters names. What is not
	// kept does not count for Limit.
	Keep    func(*reader.Object, *Finding) bool
	Filters func(*Rule) bool
}

// DefaultCodeLimit keeps the rules that look at machine code from reading
// much more of a large file than all others together.
const DefaultCodeLimit = 8 << 20

// DefaultSymbolLimit does the same for symbol tables; it is enough for
// 100,000 symbols.
const DefaultSymbolLimit = 24 * 100_000

// Skip is a rule that did not look, and why.
type Skip struct {
	Rule   string
	Reason string
}

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
	// Skips are the rules that a limit kept from looking.
	Skips []Skip
}

// unit is what one run of the rules looks at: a section, or an object
// without regard to its sections. Its rules run one after the other.
type unit struct {
	d    *Driver
	obj  *reader.Object
	sf   *reader.SFrame // nil: the object itself
	fset *token.FileSet
	res  *Result
	// results are those of the prerequisites, which the unit's rules share.
	results map[*analysis.Analyzer]any

	// Of the rule that runs.
	rule *Rule
	sev  Severity
	kept int

	filtered bool // some of its findings may not be kept

	last   model.FRE // that a finding was about
	walked bool      // there is one
}

// Run runs the rules over an object and returns the findings, ordered by
// their place in the file.
func (d *Driver) Run(obj *reader.Object) *Result {
	res := &Result{Cut: map[string]int{}}
	fset := token.NewFileSet()
	u := d.unit(obj, nil, fset, res)
	for _, r := range d.Rules {
		if r.Scope == PerObject {
			u.run(r)
		}
	}
	for _, sf := range obj.SFrames {
		u := d.unit(obj, sf, fset, res)
		for _, r := range d.Rules {
			switch {
			case r.Scope == PerBytes,
				r.Scope == PerSection && sf.Section != nil && r.Applies(sf.Section):
				u.run(r)
			}
		}
	}
	slices.SortStableFunc(res.Findings, func(f, g Finding) int { return f.compare(&g) })
	return res
}

// unit makes what rules share that look at the same section.
func (d *Driver) unit(obj *reader.Object, sf *reader.SFrame, fset *token.FileSet, res *Result) *unit {
	u := &unit{d: d, obj: obj, sf: sf, fset: fset, res: res}
	limits := &Limits{Code: d.CodeLimit, Symbols: d.SymbolLimit, Room: u.room, Skipped: func(reason string) {
		res.Skips = append(res.Skips, Skip{u.rule.ID, reason})
	}}
	if limits.Code == 0 {
		limits.Code = DefaultCodeLimit
	}
	if limits.Symbols == 0 {
		limits.Symbols = DefaultSymbolLimit
	}
	u.results = map[*analysis.Analyzer]any{Container: obj, Contents: sf, Bounds: limits}
	return u
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
	u.rule, u.sev, u.kept = r, u.d.SeverityOf(r), 0
	u.filtered = u.d.Keep != nil && u.d.Filters(r)
	if u.sev == Off {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			u.fail(fmt.Sprint("panic: ", v), string(debug.Stack()))
		}
	}()
	pass := &analysis.Pass{Analyzer: r.Analyzer, Fset: u.fset, ResultOf: u.results, Report: u.report}
	for _, req := range r.Analyzer.Requires {
		if err := u.require(req, pass); err != nil {
			u.fail(err.Error(), "")
			return
		}
	}
	if _, err := r.Analyzer.Run(pass); err != nil {
		u.fail(err.Error(), "")
	}
}

// room tells whether the running rule may report another finding, and counts
// the one that it may not.
func (u *unit) room() bool {
	if u.filtered || !u.full() {
		return true // of a filtered one, nobody knows yet whether it counts
	}
	u.res.Cut[u.rule.ID]++
	return false
}

func (u *unit) full() bool {
	limit := u.d.limit()
	return limit >= 0 && u.kept >= limit
}

func (u *unit) report(diag analysis.Diagnostic) {
	if !u.room() {
		return
	}
	f := u.finding(diag)
	switch {
	case u.filtered && !u.d.Keep(u.obj, &f):
		u.res.Dropped++
	case u.full():
		u.res.Cut[u.rule.ID]++
	default:
		u.kept++
		u.res.Findings = append(u.res.Findings, f)
	}
}

// require runs a prerequisite that the driver does not provide itself and
// that no rule of the unit has asked for before.
func (u *unit) require(a *analysis.Analyzer, parent *analysis.Pass) error {
	if _, done := u.results[a]; done {
		return nil
	}
	for _, req := range a.Requires {
		if err := u.require(req, parent); err != nil {
			return err
		}
	}
	pass := *parent
	pass.Analyzer = a
	v, err := a.Run(&pass)
	if err != nil {
		return fmt.Errorf("prerequisite %s: %w", a.Name, err)
	}
	u.results[a] = v
	return nil
}

func (d *Driver) limit() int {
	if d.Limit == 0 {
		return DefaultLimit
	}
	return d.Limit
}

func (u *unit) fail(reason, stack string) {
	u.res.Failures = append(u.res.Failures, Failure{u.rule.ID, u.obj.Path, u.obj.Member, reason, stack})
}

// finding turns a diagnostic into a finding, with what the model tells of
// its place.
func (u *unit) finding(diag analysis.Diagnostic) Finding {
	f := Finding{
		Rule: u.rule, Severity: u.sev, Message: diag.Message,
		Path: u.obj.Path, Member: u.obj.Member, Base: u.obj.Base,
	}
	f.Span.Off, f.InSection = offsetOf(diag.Pos)
	if diag.End > diag.Pos {
		f.Span.Len = int64(diag.End - diag.Pos)
	}
	f.FileOffset = u.obj.Base + f.Span.Off
	at := parsePlace(diag.Category)
	f.FDE, f.FRE = at.FDE, at.FRE
	sectionOff := int64(0)
	if u.sf != nil {
		sectionOff = u.sf.Offset
	}
	f.Fixes = fixesOf(diag, sectionOff)
	if u.sf == nil {
		f.InSection = false
		return f
	}
	f.Section, f.SectionIndex = u.sf.Name, u.sf.Index
	if f.InSection {
		f.FileOffset += u.sf.Offset
	}
	u.locate(&f)
	return f
}

// row returns a row of an FDE. Rules report rows in their order, so that the
// next one is mostly found from the last one and not from the first.
func (u *unit) row(fde model.FDE, j int) model.FRE {
	r := u.last
	if !u.walked || r.FDEIndex() != fde.Index() || r.Index() > j {
		r = fde.FRE(0)
	}
	for ok := true; ok && r.Index() < j; {
		r, ok = r.Next()
	}
	u.last, u.walked = r, true
	return r
}

// locate adds the function and the PC.
func (u *unit) locate(f *Finding) {
	s := u.sf.Section
	if s == nil || f.FDE < 0 || f.FDE >= s.NumFDEs() {
		return
	}
	fde := s.FDE(f.FDE)
	if !fde.Resolved() {
		return
	}
	f.PC, f.HasPC = fde.Start(), true
	if f.FRE >= 0 && f.FRE < fde.NumFREs() {
		f.PC += uint64(u.row(fde, f.FRE).Start())
	}
	if u.obj.ELF == nil || u.obj.ELF.Symbols == nil {
		return
	}
	place := -1
	if relocatable(u.obj) {
		place = fde.Place()
	}
	if sym, ok := u.obj.ELF.Symbols.Func(place, fde.Start()); ok {
		f.Function = sym.Name
	}
}
