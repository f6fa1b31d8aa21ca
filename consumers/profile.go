package consumers

import "github.com/sframe-lint/sframe-lint/model"

// Role says which files a consumer reads.
type Role string

// Roles.
const (
	Tool     Role = "tool"     // prints the section of any ELF file
	Linker   Role = "linker"   // merges the sections of relocatable files
	Unwinder Role = "unwinder" // looks functions up in the section of a linked file, in memory
)

// Profile is what is known of a consumer, from one version of it to another.
type Profile struct {
	Name        string // family and the version that the profile is known by
	Family      string
	First, Last string // versions that the profile holds for, "" where there are none
	Title       string
	Role        Role
	// Checks are the consumer's demands, in the order in which it looks.
	Checks []Check
	// Ignores are things that it might look at and does not.
	Ignores []string
	Sources []Source
	// Notes tell what checks can't.
	Notes []string
	// Tools says which of the tools that scripts/toolchains unpacks the
	// profile has been held against; "" for none.
	Tools string
}

// Source is where a fact comes from.
type Source struct {
	Key   string // what a check's From refers to
	Title string
	URL   string // "" for a measurement
}

// Measured is the key of facts that were found by running the tool on the
// files of the corpus.
const Measured = "measured"

// Check is a demand of a consumer and what it does where it is not met.
type Check struct {
	Demand Demand
	Else   Kind
	How    string // what the consumer does then, as a clause
	From   string // Source.Key
	Maybe  bool   // see Verdict
	// Ends tells that the consumer goes on with other bytes than those that
	// the section means, so that what is in these does not matter any more.
	Ends bool

	// Versions and Order limit the sections that the check is for; empty:
	// all.
	Versions []model.Version
	Order    Order

	Arg
}

// Arg are the parameters of a demand; see its description for which it has.
type Arg struct {
	Accept []model.Version
	ABIs   []model.ABI
	Flags  model.Flags
	Max    int64
}

// Order is a byte order that a check is limited to. Readers that swap bytes
// look closer at sections of the other order than at those of their own: the
// profiles are those of a consumer on a little-endian machine.
type Order string

// Byte orders.
const (
	AnyOrder     Order = ""
	LittleEndian Order = "little"
	BigEndian    Order = "big"
)

func (o Order) fits(s *model.Section) bool {
	return o == AnyOrder || s != nil && s.BigEndian() == (o == BigEndian)
}
