package consumers

import "github.com/sframe-lint/sframe-lint/model"

// Kind is what a consumer does with a section.
type Kind string

// Kinds of verdict.
const (
	Reads    Kind = "reads"    // it gets what the section says
	Misreads Kind = "misreads" // it takes the section for something else, without a word
	Rejects  Kind = "rejects"  // it refuses the section, or the function that it looks up in it
	Crashes  Kind = "crashes"  // it dies
	Ignores  Kind = "ignores"  // it does not look at the section, or not as at SFrame data
	NotAsked Kind = "n/a"      // it does not read files of this type
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Reads, Misreads, Rejects, Crashes, Ignores, NotAsked} }

// final tells whether the consumer is done with the section.
func (k Kind) final() bool { return k != Reads && k != Misreads }

// Verdict is one thing that a consumer does with a section, and why.
type Verdict struct {
	Kind  Kind
	Check Demand // the demand that is not met, "" where all are
	// Maybe tells that what happens is not certain: the consumer reads bytes
	// that do not belong to the section, and it depends on what they are.
	Maybe bool
	// Moot tells that the consumer does not get as far as this: an earlier
	// verdict ends its reading. It is what awaits those who mend that alone.
	Moot bool
	// Why says what is found, what is wanted and what the consumer does.
	Why string
	// Span are the bytes that the verdict rests on: of the section, or of the
	// object where InFile is set.
	Span     model.Span
	InFile   bool
	FDE, FRE int // -1 where it is about none
}
