package consumers

import "github.com/sframe-lint/sframe-lint/model"

// Role is the kind of consumer. It determines the files that a consumer reads.
type Role string

// Roles.
const (
	Tool     Role = "tool"     // prints the section of any ELF file
	Linker   Role = "linker"   // merges the sections of relocatable files
	Unwinder Role = "unwinder" // looks functions up in the section of a linked file, in memory
	Loader   Role = "loader"   // loads relocatable files, and looks functions up in their sections
)

// Files limits the files that a consumer reads.
type Files string

// Files that profiles are limited to.
const (
	AnyFiles Files = ""
	Programs Files = "program" // raw sections and linked files but images of a kernel
	Kernels  Files = "kernel"  // images of a kernel
	Modules  Files = "module"  // relocatable files that a kernel loads
)

// Lookup is the address of a caller that a consumer looks up, "" for one that looks up none.
type Lookup string

// Addresses that consumers look up.
const (
	ReturnAddress Lookup = "return-address"
	ByteBefore    Lookup = "byte-before"
	Interrupted   Lookup = "interrupted"
	ByCaller      Lookup = "caller"
)

// Text returns what is looked up, as a sentence.
func (l Lookup) Text() string {
	return map[Lookup]string{
		ReturnAddress: "Of a caller it looks up the return address itself.",
		ByteBefore:    "Of a caller it looks up the byte before the return address.",
		Interrupted:   "It looks up only the PC at which code was interrupted, and no return address.",
		ByCaller:      "The program that uses it chooses the address to look up.",
	}[l]
}

// Profile describes a consumer, for a range of its versions.
type Profile struct {
	Name        string // family and the version that names the profile
	Family      string
	First, Last string // versions to which the profile applies, "" if there are none
	Title       string
	Role        Role
	Files       Files // the files that it reads, among those of its role
	CFI         bool  // it reads .eh_frame in place of SFrame data
	Lookup      Lookup
	// Checks are the consumer's demands, in the order in which it checks them.
	Checks []Check
	// Ignores lists what the consumer could check and does not.
	Ignores []string
	Sources []Source
	// Notes state what checks cannot express.
	Notes []string
	// Tools lists the tools from scripts/toolchains with which the profile has
	// been tested; "" for none.
	Tools string
	// Verified states how and when the profile was compared with the consumer, as a phrase.
	Verified string
}

// Source is the origin of a fact.
type Source struct {
	Key   string // the value of Check.From
	Title string
	URL   string // "" for a measurement
}

// Measured is the key of facts that were measured by running the tool on the
// files of the corpus.
const Measured = "measured"

// Check is a demand of a consumer and what it does if the demand is not met.
type Check struct {
	Demand Demand
	Rule   string // ID of the rule that reports each section that does not meet the demand, "" for none
	Else   Outcome
	How    string // what the consumer does then, as a clause
	Help   string // what a user can do, "" for the remedy of the rule
	From   string // Source.Key
	Maybe  bool   // see Verdict
	// Ends reports whether the consumer continues with the wrong bytes, so that
	// later demands do not matter.
	Ends bool

	// Versions and Order limit the sections to which the check applies. If
	// empty, it applies to all.
	Versions []model.Version
	Order    Order

	Arg

	asked asked // its rules judge the demand, if there are any
}

// Arg has the parameters of a demand. Each demand uses some of them.
type Arg struct {
	Accept []model.Version
	ABIs   []model.ABI
	Flags  model.Flags
	Max    int64
}

// Order is a byte order to which a check is limited. Readers check a section
// more closely when they swap its bytes. The profiles are for consumers on a
// little-endian machine.
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
