package config

import (
	"strings"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/coverage"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Name is the name of the configuration file that [Find] searches for.
const Name = ".sframe-lint.yaml"

// Config is a configuration. Nil stands for what is not set.
type Config struct {
	Path string // of the file, "" where there is none

	Select, Ignore []string // IDs of rules or prefixes of IDs, in capitals
	Severity       []Override
	Profile        string         // "": the default one
	Show           rules.Severity // 0: that of the profile
	Exclude        []string       // patterns of paths, as in a .gitignore in ExcludeDir
	ExcludeDir     string         // "": the working directory
	FailOn         *string
	RequireSFrame  *bool
	MinCoverage    *coverage.Percent
	Consumers      []string
	Producers      []string
	AllowSections  []string      // nil: the default
	Baseline       string        // path from the working directory, or absolute
	Limits         budget.Limits // 0: not set; below 0: no limit
	Exceptions     []Exception
}

// Override sets the severity of the rules with an ID or prefix.
type Override struct {
	ID    string
	Level rules.Severity
}

// Exception excuses the findings that fit all of its conditions.
type Exception struct {
	Paths     []string // globs
	Members   []string // globs
	Functions []string // globs
	Rules     []string // IDs or prefixes of IDs, in capitals
	Reason    string
	Line      int // in the file
}

// DefaultAllowSections are the sections that may hold functions although they are
// not executable: Linux copies their code to the place where it runs.
func DefaultAllowSections() []string { return []string{".init.text", ".rodata.text"} }

// Matches reports whether one of the IDs or prefixes fits a rule.
func Matches(patterns []string, id string) bool {
	for _, p := range patterns {
		if strings.HasPrefix(id, p) {
			return true
		}
	}
	return false
}
