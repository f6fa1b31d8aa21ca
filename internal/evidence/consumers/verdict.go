package consumers

import "github.com/sframe-lint/sframe-lint/model"

// Outcome is what a consumer does with a section.
type Outcome string

// The outcomes.
const (
	Reads    Outcome = "reads"    // the consumer reads the section correctly
	Misreads Outcome = "misreads" // the consumer misinterprets the section and reports no error
	Rejects  Outcome = "rejects"  // the consumer refuses the section, or the function that it looks up
	Crashes  Outcome = "crashes"  // the consumer crashes
	Ignores  Outcome = "ignores"  // the consumer does not read the section, or treats it as plain data
	NotAsked Outcome = "n/a"      // the consumer does not read files of this type
)

// final reports whether the consumer stops reading the section.
func (k Outcome) final() bool { return k != Reads && k != Misreads }

// Verdict is one thing that a consumer does with a section, and why.
type Verdict struct {
	Outcome Outcome
	Check   Demand // the demand that is not met; "" if all demands are met
	Rule    string // see Check.Rule
	// Maybe reports whether the outcome is uncertain, because it depends on bytes outside the section.
	Maybe bool
	// Moot reports whether an earlier verdict keeps the consumer from reaching this point.
	Moot bool
	// Why states the value found, the value expected and what the consumer does.
	Why string
	// Help is the Help of the check.
	Help string
	// Span has the bytes that caused the verdict. It is relative to the section or, if InFile is set, to the object.
	Span     model.Span
	InFile   bool
	FDE, FRE int // -1 for none
}
