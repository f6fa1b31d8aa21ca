package consumers

import "github.com/sframe-lint/sframe-lint/model"

// Outcome is what a consumer does with a section.
type Outcome string

// Outcomes.
const (
	Reads    Outcome = "reads"    // it reads the section correctly
	Misreads Outcome = "misreads" // it misinterprets the section and reports no error
	Rejects  Outcome = "rejects"  // it refuses the section, or the function that it looks up
	Crashes  Outcome = "crashes"  // it crashes
	Ignores  Outcome = "ignores"  // it does not read the section, or treats it as plain data
	NotAsked Outcome = "n/a"      // it does not read files of this type
)

// final reports whether the consumer stops reading the section.
func (k Outcome) final() bool { return k != Reads && k != Misreads }

// Verdict is one thing that a consumer does with a section, and why.
type Verdict struct {
	Outcome Outcome
	Check   Demand // the demand that is not met, "" if all are met
	Rule    string // as Check.Rule
	// Maybe reports whether the outcome is uncertain: the consumer reads bytes
	// outside the section, and the outcome depends on them.
	Maybe bool
	// Moot reports whether the consumer does not reach this point, because an
	// earlier verdict ends its reading.
	Moot bool
	// Why states what was found, what was expected and what the consumer does.
	Why string
	// Help is as in Check.
	Help string
	// Span is the place of the bytes that caused the verdict, in the section, or
	// in the object if InFile is set.
	Span     model.Span
	InFile   bool
	FDE, FRE int // -1 for none
}
