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
	// FDEs and FREs are counts over these sections.
	FDEs, FREs int
	// Without counts inputs that can have SFrame data but have none. Foreign counts inputs that cannot have any.
	Without, Foreign int
	// Tally counts findings by disposition. Other counts do not include findings that the user has accepted.
	Tally Tally
	Cut   int // findings beyond the limit; other counts do not include them
	// GravestCut is the highest severity among the findings beyond the limit.
	GravestCut rules.Severity
	// Fixed counts fixed findings, and Fixable counts shown findings with a safe fix. The other counts include both.
	Fixed, Fixable int
	// Failed counts unreadable inputs and failed rules. Damaged counts inputs with a damaged structure.
	Failed, Damaged int
	Partly          int // inputs with a section that rules did not check, ignoring limits that the user has set
	Accepted        int // those inputs of Partly for which the user has accepted all reasons
	Hidden          int // inputs with a part that was not read or not checked for a reason that no finding gives

	Checked int // inputs that can have SFrame data
	// Excluded counts files and directories that match a pattern of Options.Exclude.
	Excluded int
	Skipped  int // skipped directory entries: see Options.Skipped
	// Empty says that a complete run checked nothing and the options do not allow that. Most likely, a path is wrong.
	Empty bool
	// Barren are directories among the arguments that contain no file that can have SFrame data. They count as failed
	// unless the options allow this or the whole run is empty.
	Barren []string
	// NoSection says that a complete run found no section with the name in Options.Section, which counts as failed.
	NoSection bool
	// NoData says that a complete run checked files but none has SFrame data.
	NoData bool
	// Configuration describes the configuration file of the run, nil for none.
	Configuration *Configuration
}

// Add adds the results of a file to the counts.
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
		case len(o.Accepted()) > 0:
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

// LessSevere returns the number of findings less severe than Options.Show, including quirks.
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

// AtLeast returns the number of findings of severity v or above.
func (s *Summary) AtLeast(v rules.Severity) int {
	switch v {
	case rules.Error:
		return s.Errors
	case rules.Warning:
		return s.Errors + s.Warnings
	}
	return s.Errors + s.Warnings + s.Notes
}
