package rules

import (
	"fmt"
	"go/token"
	"runtime/debug"
	"slices"

	"golang.org/x/tools/go/analysis"

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
	// Skips are the rules that a limit kept from looking.
	Skips []Skip
}

// unit is what one run of the rules looks at.
type unit struct {
	obj  *reader.Object
	sf   *reader.SFrame // nil: the object itself
	fset *token.FileSet
	res  *Result
	// done are the results of prerequisites, which the unit's rules share.
	done map[*analysis.Analyzer]any
}

// Run runs the rules over an object and returns the findings, ordered by
// their place in the file.
func (d *Driver) Run(obj *reader.Object) *Result {
	res := &Result{Cut: map[string]int{}}
	fset := token.NewFileSet()
	u := unit{obj: obj, fset: fset, res: res, done: map[*analysis.Analyzer]any{}}
	for _, r := range d.Rules {
		if r.Scope == PerObject {
			d.run(r, u)
		}
	}
	for _, sf := range obj.SFrames {
		u.sf, u.done = sf, map[*analysis.Analyzer]any{}
		for _, r := range d.Rules {
			switch {
			case r.Scope == PerBytes,
				r.Scope == PerSection && sf.Section != nil && r.Applies(sf.Section):
				d.run(r, u)
			}
		}
	}
	slices.SortStableFunc(res.Findings, func(f, g Finding) int { return f.compare(&g) })
	return res
}

// severity returns the rule's severity in this run.
func (d *Driver) severity(r *Rule) Severity {
	if s, ok := d.Severity[r.ID]; ok {
		return s
	}
	return r.Severity
}

// run runs one rule. Whatever it does, the others go on.
func (d *Driver) run(r *Rule, u unit) {
	sev := d.severity(r)
	if sev == Off {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			u.fail(r, fmt.Sprint("panic: ", v), string(debug.Stack()))
		}
	}()
	kept := 0
	pass := &analysis.Pass{
		Analyzer: r.Analyzer,
		Fset:     u.fset,
		ResultOf: map[*analysis.Analyzer]any{Container: u.obj, Contents: u.sf, Bounds: d.limits(r, u)},
		Report: func(diag analysis.Diagnostic) {
			if limit := d.limit(); limit >= 0 && kept >= limit {
				u.res.Cut[r.ID]++
				return
			}
			kept++
			u.res.Findings = append(u.res.Findings, u.finding(r, sev, diag))
		},
	}
	for _, req := range r.Analyzer.Requires {
		if err := u.require(req, pass); err != nil {
			u.fail(r, err.Error(), "")
			return
		}
	}
	if _, err := r.Analyzer.Run(pass); err != nil {
		u.fail(r, err.Error(), "")
	}
}

// require runs a prerequisite that the driver does not provide itself.
func (u unit) require(a *analysis.Analyzer, parent *analysis.Pass) error {
	if _, done := parent.ResultOf[a]; done {
		return nil
	}
	if v, done := u.done[a]; done {
		parent.ResultOf[a] = v
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
	parent.ResultOf[a], u.done[a] = v, v
	return nil
}

func (d *Driver) limits(r *Rule, u unit) *Limits {
	l := &Limits{Code: d.CodeLimit, Symbols: d.SymbolLimit, Skipped: func(reason string) {
		u.res.Skips = append(u.res.Skips, Skip{r.ID, reason})
	}}
	if l.Code == 0 {
		l.Code = DefaultCodeLimit
	}
	if l.Symbols == 0 {
		l.Symbols = DefaultSymbolLimit
	}
	return l
}

func (d *Driver) limit() int {
	if d.Limit == 0 {
		return DefaultLimit
	}
	return d.Limit
}

func (u unit) fail(r *Rule, reason, stack string) {
	u.res.Failures = append(u.res.Failures, Failure{r.ID, u.obj.Path, u.obj.Member, reason, stack})
}

// finding turns a diagnostic into a finding, with what the model tells of
// its place.
func (u unit) finding(r *Rule, sev Severity, diag analysis.Diagnostic) Finding {
	f := Finding{
		Rule: r, Severity: sev, Message: diag.Message,
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

// locate adds the function and the PC.
func (u unit) locate(f *Finding) {
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
		f.PC += uint64(fde.FRE(f.FRE).Start())
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
