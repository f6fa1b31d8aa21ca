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
	// Profile is the name of a profile; "" means app. It gives the defaults of Select and Show, and decides whether
	// known quirks of the producer are notes: see [rules.Finding.Quirk]. An entry in Severity takes precedence.
	Profile string
	// Extra are rules in addition to those of the catalogue. Their IDs must be unique and without lowercase letters.
	Extra []*rules.Rule
	// Select and Ignore choose rules by IDs or prefixes; Ignore takes precedence. If neither Select nor the profile
	// chooses, all rules run except opt-in rules. Select must name opt-in rules by their full IDs, those of family
	// SF7 by at least "SF7".
	Select, Ignore []string
	// Severity overrides severities. If several entries match, the last one wins.
	Severity []Override
	// RequireSFrame adds rule [RequireRule]. All findings about missing data become errors, also where a function of an
	// input that AllowGaps does not name has none. So do findings about inputs of one run that have different
	// versions and of which a linker merges only one.
	RequireSFrame bool
	// MinCoverage adds rule [CoverageRule]: FDEs must cover this share of the bytes of the functions in each ELF file,
	// in percent. RequireSFrame then makes no errors of findings on the rest. 0 does not add the rule.
	MinCoverage float64
	// Coverage is the maximum number of gaps and of sections in [Object.Coverage]. 0 measures no coverage, except for
	// rule [CoverageRule].
	Coverage int
	// Facts adds [Object.Facts].
	Facts bool
	// Consumers name the consumers for which the rules SF8 check the data. Without names, these rules do not run.
	Consumers []string
	// Producers name producers whose known quirks are reported as notes.
	Producers []string
	// Show is the lowest severity in [Object.Findings]; findings below it are in [Object.Omitted]. [rules.Note] shows
	// all. 0 means the profile's value.
	Show rules.Severity
	// AllowSections are glob patterns for names of sections that may contain functions without being executable. nil
	// means [DefaultAllowSections].
	AllowSections []string
	// AllowGaps are glob patterns for names of libraries and other inputs of a link. These inputs may lack SFrame data.
	// SF6021 does not report them, and MinCoverage does not count them.
	AllowGaps []string
	// Exclude has patterns for directory entries to skip.
	Exclude Exclude
	// Exceptions suppress findings.
	Exceptions []Exception
	// Baseline has known findings, which a run omits. A baseline serves one run.
	Baseline *Baseline
	// Record collects all findings for [Run.Recorded].
	Record bool

	// Configuration, unless nil, is copied to the summary.
	Configuration *Configuration
	// AllowEmpty accepts arguments without a file that can have SFrame data. Otherwise such a file or directory
	// counts as failed: see [Summary].
	AllowEmpty bool

	// Fix says what the run does with fixes. UnsafeFixes includes fixes that may be wrong.
	Fix         FixMode
	UnsafeFixes bool
	// Merge, unless nil, returns the fix of SF1019, which merges concatenated sections, and better help if there is
	// any.
	Merge func(*reader.Object, *reader.SFrame) []rules.Option
	// Listings adds the fields around findings, and the frames that FREs describe: see [rules.Finding.Listing]. It
	// adds up to 256 listings for a file, beginning with the first finding of each rule.
	Listings bool

	// Sources says where to find source files and debug information for [rules.Finding.Source].
	Sources Sources

	// Section names sections that contain SFrame data, whatever their type: see [reader.Options].
	Section string
	// Raw treats every file as a raw section, whatever its first bytes. RawAddress is the address of its first byte.
	Raw        bool
	RawAddress uint64
	// ThinRoots are directories that may contain members of thin archives, besides those of the archives and the
	// directories among the arguments.
	ThinRoots []string
	// Stdin is the input for the path "-". That path is an error if Stdin is nil.
	Stdin io.Reader

	// Limits bound the cost of checking a file.
	Limits Limits
	// Jobs is the number of files to check at once. 0 means one for each processor.
	Jobs int
	// Skipped, unless nil, is called for each skipped directory entry: other than a regular file, a [Probe], or an
	// unreadable package. The goroutine that iterates over the results calls it.
	Skipped  func(path, why string)
	measured *analysis.Analyzer // of coverage
	quirks   bool               // the profile makes notes of quirks
	kernel   bool               // relocatable files are parts of a kernel

	// Progress, unless nil, is called about once a second while the run waits for a file. The goroutine that iterates
	// over the results calls it.
	Progress func(done int, path string)
}

// FixMode is what a run does with the fixes of findings.
type FixMode uint8

// Fix modes.
const (
	NoFixes    FixMode = iota // change and show nothing; findings in the results still have their fixes
	ShowFixes                 // show in [File.Diff] what ApplyFixes would change
	ApplyFixes                // change the files and check them again
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

// Configuration describes the configuration file of a run and what it turns off. Such a file may come from an
// untrusted tree.
type Configuration struct {
	Path string
	// Off are the IDs of the rules that the file turns off. Lowered are those whose severity it lowers. Both are
	// sorted.
	Off, Lowered []string
	// Settings are other settings in the file that may omit findings or change the exit status, such as "fail-on:
	// never".
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

// Severities returns the severities of the rules that run with these options, by ID. It returns an [*OptionError] for
// a wrong option.
func (o Options) Severities() (map[string]rules.Severity, error) {
	d, err := o.driver()
	if err != nil {
		return nil, err
	}
	return active(d), nil
}

// Limits bound the cost of checking a file, for example Limits{MaxMemory: 64 << 20}. 0 means the default (see
// docs/limits.md), a negative number no limit.
type Limits = reader.Limits

// Indices of [Limits].
const (
	MaxFindings = int(budget.Findings) // findings of a rule in a section
	MaxSection  = int(budget.Section)  // bytes of a .sframe section
	MaxCode     = int(budget.Code)     // bytes of machine code
	MaxSymbols  = int(budget.Symbols)  // bytes of symbol tables
	MaxCFI      = int(budget.CFI)      // bytes of call frame information in a section
	MaxMemory   = int(budget.Memory)   // bytes held at once
	MaxRead     = int(budget.Read)     // bytes read
	MaxWork     = int(budget.Work)     // table entries, FDEs, FREs and instructions, counted together
	MaxNames    = int(budget.Names)    // bytes of names held
	MaxOutput   = int(budget.Output)   // bytes of a report
	MaxTime     = int(budget.Time)     // nanoseconds
)

// limits returns the limits with their defaults.
func (o *Options) limits() *budget.Limits { return (*budget.Limits)(&o.Limits) }

// Profile is a set of defaults for one kind of use. Configuration and flags take precedence.
type Profile struct {
	Name    string
	Summary string // what the profile is for, a phrase

	Select     []string       // nil: all rules except those that run only on request
	FailOn     string         // as in a configuration
	Show       rules.Severity // lowest level that reports list
	NoteQuirks bool           // known quirks of the producer are notes
	Kernel     bool           // relocatable files are part of a kernel
	Group      bool           // text reports have one line for all findings of a rule in a file
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

// FindProfile returns the profile with a name; "" means the default one.
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

// DefaultAllowSections are names of sections that may contain functions without being executable. Linux copies their
// code to the addresses where it runs.
func DefaultAllowSections() []string { return []string{".init.text", ".rodata.text"} }

// Override sets the severity of the rules with an ID or prefix.
type Override struct {
	ID    string
	Level rules.Severity
}

// matches reports whether one of the IDs or prefixes matches a rule.
func matches(patterns []string, id string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return strings.HasPrefix(id, p) })
}
