package consumers

import "github.com/sframe-lint/sframe-lint/model"

// Role is the kind of a consumer. The role determines which files a consumer reads.
type Role string

// The roles.
const (
	Tool     Role = "tool"     // prints the section of any ELF file
	Linker   Role = "linker"   // merges the sections of relocatable files
	Unwinder Role = "unwinder" // looks functions up in the section of a linked file in memory
	Loader   Role = "loader"   // loads relocatable files, and looks functions up in their sections
)

// Files limits the files that a consumer reads.
type Files string

// The limits of files.
const (
	AnyFiles Files = ""
	Programs Files = "program" // raw sections and linked files, except kernel images
	Kernels  Files = "kernel"  // kernel images
	Modules  Files = "module"  // relocatable files that a kernel loads
)

// Lookup is the address that a consumer looks up for a caller. It is "" for consumers that do not look addresses up.
type Lookup string

// The addresses that consumers look up.
const (
	ReturnAddress Lookup = "return-address"
	ByteBefore    Lookup = "byte-before"
	Interrupted   Lookup = "interrupted"
	ByCaller      Lookup = "caller"
)

// Text describes the address in a sentence.
func (l Lookup) Text() string {
	return map[Lookup]string{
		ReturnAddress: "Of a caller it looks up the return address itself.",
		ByteBefore:    "Of a caller it looks up the byte before the return address.",
		Interrupted:   "It looks up only the PC at which code was interrupted, and no return address.",
		ByCaller:      "The program that uses it chooses the address to look up.",
	}[l]
}

// Profile describes a range of versions of a consumer.
type Profile struct {
	Name        string // the family, and the version after which the profile is named
	Family      string
	First, Last string // versions to which the profile applies; "" without versions
	Title       string
	Role        Role
	Files       Files // limits the files of the role
	CFI         bool  // the consumer reads .eh_frame instead of SFrame data
	Lookup      Lookup
	// Checks lists the consumer's demands, in the order in which the consumer checks them.
	Checks []Check
	// Ignores lists what the consumer could check but does not.
	Ignores []string
	Sources []Source
	// Notes lists facts that checks cannot express.
	Notes []string
	// Tools lists the tools from scripts/toolchains with which the profile was tested. It is "" if the profile was
	// not tested.
	Tools string
	// Verified is a phrase that says how and when the profile was compared with the consumer.
	Verified string
}

// Source is the origin of a fact.
type Source struct {
	Key   string // the value of Check.From
	Title string
	URL   string // "" for a measurement
}

// Measured is the source key of facts that were measured by running the consumer on the files of the corpus.
const Measured = "measured"

// Check is a demand of a consumer, and what the consumer does if a section does not meet the demand.
type Check struct {
	Demand Demand
	Rule   string // ID of the rule that reports each section that does not meet the demand; "" for none
	Else   Outcome
	How    string // a clause that says what the consumer does if the demand is not met
	Help   string // what a user can do; "" for the rule's remedy
	From   string // key of the Source
	Maybe  bool   // see Verdict.Maybe
	// Ends reports whether the consumer continues with wrong bytes if the demand is not met. Later demands then do
	// not matter.
	Ends bool

	// Versions and Order limit the sections to which the check applies. An empty value sets no limit.
	Versions []model.Version
	Order    Order

	Arg

	asked asked // its rules judge the demand, if there are any
}

// Arg has the parameters of a demand. Each demand uses some of the fields.
type Arg struct {
	Accept []model.Version
	ABIs   []model.ABI
	Flags  model.Flags
	Max    int64
}

// Order is the byte order of the sections to which a check applies. Readers check a section more closely if they must
// swap its bytes. All profiles describe consumers on little-endian machines.
type Order string

// The byte orders.
const (
	AnyOrder     Order = ""
	LittleEndian Order = "little"
	BigEndian    Order = "big"
)

func (o Order) fits(s *model.Section) bool {
	return o == AnyOrder || s != nil && s.BigEndian() == (o == BigEndian)
}
