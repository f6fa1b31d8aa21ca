package lint

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Options determine what is checked and how. The zero value checks as sframe-lint does without
// flags and configuration, and does not change files.
type Options struct {
	// Profile is the name of a profile; "" is app. The profile gives the defaults of Select and
	// Show, and decides whether known quirks of the producer that a file shows are notes, unless
	// Severity has an entry for the rule: see [rules.Finding.Quirk].
	Profile string
	// Extra are rules in addition to those of the catalogue. Their IDs must be unique and without
	// lowercase letters.
	Extra []*rules.Rule
	// Select and Ignore choose rules by their IDs or prefixes of IDs. If neither Select nor the profile
	// chooses rules, all run except opt-in rules. Select must name opt-in rules by their whole IDs, those
	// of family SF7 by at least "SF7". Ignore takes precedence over Select.
	Select, Ignore []string
	// Severity overrides severities. If several entries match, the last one wins.
	Severity []Override
	// RequireSFrame adds rule [RequireRule], and makes errors of all findings about missing data: each function of the inputs has
	// data, is in a finding for its input, or is of an input of AllowGaps. Inputs of one run with several versions, of which a linker
	// merges one, are errors, too.
	RequireSFrame bool
	// MinCoverage adds rule [CoverageRule]: FDEs must cover this share of the bytes of
	// the functions in each ELF file, in percent. RequireSFrame then makes no errors of findings on the rest. 0 does not add it.
	MinCoverage float64
	// Coverage is the maximum number of gaps and of sections in [Object.Coverage]; 0 does not
	// measure it, except for rule [CoverageRule].
	Coverage int
	// Facts adds [Object.Facts].
	Facts bool
	// Consumers are the consumers for which the rules SF8 check the data;
	// without any, these rules are not run.
	Consumers []string
	// Producers are those whose known quirks are reported as notes.
	Producers []string
	// Show is the lowest severity of the findings in [Object.Findings]; those below it are
	// in [Object.Omitted]. [rules.Note] shows all; 0 means the profile's value.
	Show rules.Severity
	// AllowSections are glob patterns for names of sections that may contain
	// functions although they are not executable; nil means
	// [DefaultAllowSections].
	AllowSections []string
	// AllowGaps are glob patterns for names of libraries and other inputs of a link that may have no
	// SFrame data: SF6021 does not report them, and they do not count for MinCoverage.
	AllowGaps []string
	// Exclude skips entries of directories.
	Exclude Exclude
	// Exceptions excuse findings.
	Exceptions []Exception
	// Baseline has known findings, which a run omits. A baseline is for one
	// run.
	Baseline *Baseline
	// Record collects all findings for [Run.Recorded].
	Record bool

	// Configuration, unless nil, is copied to the summary.
	Configuration *Configuration
	// AllowEmpty allows arguments without a file that can have SFrame data. Without it, a file that cannot have any
	// counts as failed, and so does a directory without one that can: see [Summary].
	AllowEmpty bool

	// Fix is what the run does with the fixes of findings; UnsafeFixes also
	// allows fixes that may be wrong.
	Fix         FixMode
	UnsafeFixes bool
	// Merge, unless nil, returns the fix of SF1019, which writes concatenated sections as one, and the remedy if it has a better one.
	Merge func(*reader.Object, *reader.SFrame) []rules.Option
	// Listings adds the fields around up to 256 findings of a file, the first ones of each rule first, and the
	// frames that FREs describe: see [rules.Finding.Listing].
	Listings bool

	// Sources says where source files and debug information are, for [rules.Finding.Source].
	Sources Sources

	// Raw treats every file as a raw section, whatever its first bytes are.
	// Section names sections that contain SFrame data whatever their type is; see [reader.Options].
	Section string
	// RawAddress is the address of a raw section's first byte.
	Raw        bool
	RawAddress uint64
	// ThinRoots are directories that members of thin archives may be in, besides
	// those of the archives and the directories among the paths of a run.
	ThinRoots []string
	// Stdin is the input for the path "-", which is an error if Stdin is nil.
	Stdin io.Reader

	// Limits bound the cost of checking a file.
	Limits Limits
	// Jobs is the number of files that are checked at once; 0 means one for each processor.
	Jobs int
	// Skipped, unless nil, is called for each skipped entry of a directory: no regular file, a [Probe], or an unreadable
	// package. The goroutine that iterates over the results calls it.
	Skipped  func(path, why string)
	measured *analysis.Analyzer // of coverage
	quirks   bool               // the profile makes notes of quirks
	kernel   bool               // relocatable files are parts of a kernel

	// Progress, unless nil, is called about once a second while a run waits for a
	// file, by the goroutine that iterates over the results.
	Progress func(done int, path string)
}

// FixMode is what a run does with the fixes of findings.
type FixMode uint8

// Fix modes.
const (
	NoFixes    FixMode = iota // the findings in the results have them
	ShowFixes                 // [File.Diff] has what ApplyFixes would change
	ApplyFixes                // the files are changed, and checked again
)

// complete adds what the profile gives. Errors: [*OptionError].
func (o *Options) complete() error {
	p, err := FindProfile(o.Profile)
	if err != nil {
		return &OptionError{"profile", err}
	}
	if o.AllowSections == nil {
		o.AllowSections = DefaultAllowSections()
	}
	if o.Select == nil {
		o.Select = p.Select
	}
	o.Show, o.quirks, o.kernel = cmp.Or(o.Show, p.Show), p.NoteQuirks, p.Kernel
	return nil
}

// reader returns the options of the reader.
func (o *Options) reader() reader.Options {
	return reader.Options{Raw: o.Raw, Section: o.Section, RawAddress: o.RawAddress, ThinRoots: o.ThinRoots}
}

// filtered reports whether the user may have accepted findings, or records them: the limit then applies to the others.
func (o *Options) filtered() bool { return o.Baseline != nil || o.Record || len(o.Exceptions) > 0 }

// Configuration describes which configuration file a run used and what it turns
// off: the file may come from the tree that is checked.
type Configuration struct {
	Path string
	// Off are the IDs of the rules that the file turns off, Lowered those of the
	// rules whose severity it lowers, both sorted.
	Off, Lowered []string
	// Settings are the other settings of the file that may omit findings or
	// change the exit status, each with its key: "fail-on: never".
	Settings []string
}

// Weakens reports whether the file turns anything off.
func (c *Configuration) Weakens() bool { return len(c.Off)+len(c.Lowered)+len(c.Settings) > 0 }

// active returns the severities of the rules that are run.
func active(d *rules.Driver) map[string]rules.Severity {
	m := map[string]rules.Severity{}
	for _, r := range d.Rules {
		if s := d.SeverityOf(r); s != rules.Off {
			m[r.ID] = s
		}
	}
	return m
}

// Severities returns the severities of the rules that are run with the options, by ID. Errors: [*OptionError].
func (o Options) Severities() (map[string]rules.Severity, error) {
	d, err := o.driver()
	if err != nil {
		return nil, err
	}
	return active(d), nil
}

// Limits bound the cost of checking a file: "Limits{MaxMemory: 64 << 20}". 0 means the default, which docs/limits.md has,
// and a negative number no limit.
type Limits = reader.Limits

// The indices of [Limits].
const (
	MaxFindings = int(budget.Findings) // of a rule in a section
	MaxSection  = int(budget.Section)  // bytes of a .sframe section
	MaxCode     = int(budget.Code)     // bytes of machine code
	MaxSymbols  = int(budget.Symbols)  // bytes of symbol tables
	MaxCFI      = int(budget.CFI)      // bytes of a section of call frame information
	MaxMemory   = int(budget.Memory)   // bytes
	MaxRead     = int(budget.Read)     // bytes
	MaxWork     = int(budget.Work)     // entries of tables, FDEs, FREs and instructions
	MaxNames    = int(budget.Names)    // bytes
	MaxOutput   = int(budget.Output)   // bytes of a report
	MaxTime     = int(budget.Time)     // nanoseconds
)

// limits returns the limits with their defaults.
func (o *Options) limits() *budget.Limits { return (*budget.Limits)(&o.Limits) }

// Profile is a set of defaults for a kind of user. Configuration and flags take precedence.
type Profile struct {
	Name    string
	Summary string // what the profile is for, a phrase

	Select     []string       // nil: all rules that are not on request
	FailOn     string         // as in a configuration
	Show       rules.Severity // lowest level that reports list
	NoteQuirks bool           // known quirks of the producer are notes
	Kernel     bool           // relocatable files are parts of a kernel
	Group      bool           // text has one line for the findings of a rule in a file
}

// Profiles returns the profiles, the default one first.
func Profiles() []Profile {
	return []Profile{
		{Name: "app", Summary: "for programs that are built with SFrame data: errors and warnings that their authors can act on",
			FailOn: "error", Show: rules.Warning, NoteQuirks: true, Group: true},
		{Name: "toolchain", Summary: "for authors of assemblers and linkers: every finding, quirks with their own severity",
			FailOn: "error", Show: rules.Note},
		{Name: "strict", Summary: "as toolchain, and warnings fail",
			FailOn: "warning", Show: rules.Note},
		{Name: "kernel", Summary: "for kernels, modules and live patches: as app, and a function of an object file that has CFI and no FDE is an error",
			FailOn: "error", Show: rules.Warning, NoteQuirks: true, Kernel: true, Group: true},
		{Name: "size", Summary: "only advice on smaller sections (SF7)",
			Select: []string{"SF7"}, FailOn: "error", Show: rules.Note, Group: true},
	}
}

// ProfileNames returns the names of the profiles.
func ProfileNames() []string {
	var names []string
	for _, p := range Profiles() {
		names = append(names, p.Name)
	}
	return names
}

// FindProfile returns a profile by its name; "" is the default one.
func FindProfile(name string) (Profile, error) {
	all := Profiles()
	if name == "" {
		return all[0], nil
	}
	i := slices.IndexFunc(all, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, lookup.Unknown("profile", name, ProfileNames(), "")
	}
	return all[i], nil
}

// DefaultAllowSections are the sections that may contain functions although they
// are not executable: Linux copies their code to the addresses where it runs.
func DefaultAllowSections() []string { return []string{".init.text", ".rodata.text"} }

// Override sets the severity of the rules with an ID or prefix.
type Override struct {
	ID    string
	Level rules.Severity
}

// matches reports whether one of the IDs or prefixes matches a rule.
func matches(patterns []string, id string) bool {
	for _, p := range patterns {
		if strings.HasPrefix(id, p) {
			return true
		}
	}
	return false
}
