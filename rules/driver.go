package rules

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Driver runs rules over objects. It may be used by several goroutines at
// once.
type Driver struct {
	Rules []*Rule
	// Severity overrides the rules' defaults, by ID; Off disables a rule.
	Severity map[string]Severity
	Limits   Limits // of each rule
	// Assume says that the rules hold sections with a header against the format even where the facts that they need are
	// not known, as consumers do.
	Assume bool
	// Wanted are analyzers of objects whose results [Result.Values] has.
	Wanted []*analysis.Analyzer
}

// Limits bound the cost of a rule. 0 means the default, which docs/limits.md has, and a negative number no limit.
type Limits struct {
	Findings int   // for a section or object
	Code     int64 // bytes of machine code in the file
	Symbols  int64 // bytes of symbol tables in the file
	CFI      int64 // bytes of call frame information in a section
	// Chosen are the facts whose limits the user has set: what these exclude is excluded on
	// purpose.
	Chosen []Fact

	account  *account
	severity map[string]Severity // as [Driver.Severity]
}

// severityOf returns a rule's severity.
func (l *Limits) severityOf(r *Rule) Severity {
	if s, ok := l.severity[r.ID]; ok {
		return s
	}
	return r.Severity
}

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
	// Judged has each section that was compared with its machine code.
	Judged []Judged
	// Withheld counts the faults that rules have found and left out.
	Withheld [numWithheld]int
	// Memory is the number of bytes that the findings count of the object's limit. The caller gives them back when it drops them.
	Memory int64
	// HeldBack are the rules that did not check a section because a fact is not
	// known or a limit forbids it.
	HeldBack []HeldBack
	// Values are the results of [Driver.Wanted]; one that failed has none.
	Values map[*analysis.Analyzer]any

	lists [][]Finding // that Findings will consist of
}

// Run runs the rules over an object as [Runner.Run] does.
func (d *Driver) Run(obj *reader.Object) *Result { return d.Runner().Run(obj) }

// SeverityOf returns a rule's severity in runs of the driver.
func (d *Driver) SeverityOf(r *Rule) Severity {
	l := Limits{severity: d.Severity}
	return l.severityOf(r)
}
