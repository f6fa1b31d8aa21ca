package lint

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Summary counts the findings of a run.
type Summary struct {
	Errors, Warnings, Notes int

	Files    int // paths checked
	Sections int // .sframe sections
	// FDEs and FREs are those of the sections.
	FDEs, FREs int
	// Without counts the inputs that can have SFrame data and have none, Foreign those that cannot.
	Without, Foreign int
	// Tally counts the findings by their disposition. Those that the user has accepted are counted nowhere else.
	Tally Tally
	Cut   int // findings beyond the limit, counted nowhere else
	// GravestCut is the highest severity among the findings beyond the limit.
	GravestCut rules.Severity
	// Fixed counts the findings that were fixed. Fixable counts the shown ones with a
	// safe fix; the other counts include them.
	Fixed, Fixable int
	// Failed counts the inputs that could not be read and the rules that failed,
	// Damaged the inputs with a damaged structure.
	Failed, Damaged int
	Partly          int // inputs with a section that rules did not check, except because of a limit that the user has set
	Accepted        int // of these, the inputs for which the user has accepted all reasons
	Hidden          int // inputs with a part that was not read or checked for a reason that no finding gives

	Checked int // inputs that can have SFrame data
	// Excluded counts files and directories that a pattern of Options.Exclude matches.
	Excluded int
	Skipped  int // entries of directories that were skipped: see Options.Skipped
	// Empty says that a complete run has checked nothing and its options do not
	// allow that: most likely a path is wrong.
	Empty bool
	// Barren are the directories among the arguments in which no file can have SFrame data. They count as failed, unless
	// the options allow them or all of the run is empty.
	Barren []string
	// NoSection says that a complete run found no section with the name in Options.Section. This counts as failed.
	NoSection bool
	// NoData says that a complete run has checked files, and that none of them has SFrame data.
	NoData bool
	// Configuration describes the configuration file of the run, nil for none.
	Configuration *Configuration
}

// Add counts a file.
func (s *Summary) Add(f *File) {
	if f.Package == nil || len(f.Objects) > 0 || f.Package.Files == 0 {
		s.Files++
	}
	s.Fixed += len(f.Fixed)
	if f.Err != nil {
		s.Failed++
	}
	for i := range f.Objects {
		o := &f.Objects[i]
		s.Failed += len(o.Failures)
		switch {
		case !o.Input.CanHaveSFrame():
			s.Foreign++
		case o.Input.Status == reader.StatusNoSFrame || o.Input.Status == reader.StatusEmpty:
			s.Without++
			s.Checked++
		default:
			s.Checked++
		}
		if o.Input.Status == reader.StatusDamaged {
			s.Damaged++
		}
		if o.Unread() || o.cutOff() {
			s.Failed++
		}
		if o.Partly() {
			s.Partly++
		}
		switch hidden := o.Hidden(); {
		case hidden:
			s.Hidden++
		case o.Accepts():
			s.Accepted++
		}
		s.Sections += o.Input.Sections
		s.FDEs += o.Input.FDEs
		s.FREs += o.Input.FREs
		for d, n := range o.Tally {
			s.Tally[d] += n
		}
		for _, n := range o.Cut {
			s.Cut += n
		}
		for j := range o.Omitted {
			if x := &o.Omitted[j]; !x.Why.Accepted() {
				s.count(x.Severity)
			}
		}
		for j := range o.Findings {
			s.count(o.Findings[j].Severity)
			if !f.InPackage && slices.ContainsFunc(o.Findings[j].Fixes, func(x rules.Fix) bool { return x.Safe }) {
				s.Fixable++
			}
		}
	}
}

// LessSevere returns the number of findings below Options.Show, quirks included.
func (s *Summary) LessSevere() int { return s.Tally[ByQuirk] + s.Tally[BySeverity] }

func (s *Summary) count(v rules.Severity) {
	switch v {
	case rules.Error:
		s.Errors++
	case rules.Warning:
		s.Warnings++
	case rules.Note:
		s.Notes++
	}
}

// AtLeast returns the number of findings with severity v or a higher one.
func (s *Summary) AtLeast(v rules.Severity) int {
	switch v {
	case rules.Error:
		return s.Errors
	case rules.Warning:
		return s.Errors + s.Warnings
	}
	return s.Errors + s.Warnings + s.Notes
}
