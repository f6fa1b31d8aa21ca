package rules

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Driver runs rules over objects. It is safe for concurrent use.
type Driver struct {
	Rules []*Rule
	// Severity overrides the default severities of rules, by ID. Off disables a rule.
	Severity map[string]Severity
	Limits   Limits // of each rule
	// Assume treats facts as known for all sections with a header, as consumers do. Rules then run even if the facts
	// that they need are unknown.
	Assume bool
	// Wanted are analyzers of objects to run; [Result.Values] has their results.
	Wanted []*analysis.Analyzer
}

// Limits bound the cost of a rule. 0 means the default (see docs/limits.md), a negative number no limit.
type Limits struct {
	Findings int   // for a section or object
	Code     int64 // bytes of machine code in the file
	Symbols  int64 // bytes of symbol tables in the file
	CFI      int64 // bytes of call frame information in a section
	// Chosen are the facts whose limits the user has set. Data that exceeds these limits is skipped on purpose.
	Chosen Fact

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

// Failure is a bug in a rule: a panic or an error.
type Failure struct {
	Rule   string
	Path   string
	Member string
	Reason string
	Stack  string // "" for an error
}

// Result is the result of running rules over an object.
type Result struct {
	Findings []Finding
	Failures []Failure
	// Cut counts, by rule, the findings beyond the limit; nil if there are none.
	Cut map[string]int
	// Judged has an entry for each section whose FREs were compared with machine code.
	Judged []Judged
	// Withheld counts the faults that rules found but deliberately did not report.
	Withheld [numWithheld]int
	// Memory is the number of bytes that the findings use of the object's memory budget. The caller releases them
	// when it drops the findings.
	Memory int64
	// HeldBack lists the rules that did not check a section because a fact is unknown or a limit was reached.
	HeldBack []HeldBack
	// Values are the results of [Driver.Wanted]. An analyzer that failed has none.
	Values map[*analysis.Analyzer]any

	lists [][]Finding // that Findings will consist of
}

// Run runs the rules over an object, as [Runner.Run] does.
func (d *Driver) Run(obj *reader.Object) *Result { return d.Runner().Run(obj) }

// SeverityOf returns the severity that a rule has in this driver.
func (d *Driver) SeverityOf(r *Rule) Severity {
	l := Limits{severity: d.Severity}
	return l.severityOf(r)
}
