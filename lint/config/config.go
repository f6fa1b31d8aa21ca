package config

import (
	"strings"
	"time"

	"github.com/sframe-lint/sframe-lint/rules"
)

// Name is what the configuration is called where it is looked for.
const Name = ".sframe-lint.yaml"

// Config is what a configuration says. Nil stands for what it does not say.
type Config struct {
	Path string // of the file, "" where there is none

	Select, Ignore []string // IDs of rules or their beginnings, in capitals
	Severity       []Override
	FailOn         *string
	RequireSFrame  *bool
	Consumers      []string
	Producers      []string
	AllowSections  []string // nil: the default
	Baseline       string   // path from the working directory, or absolute
	Limits         Limits
	Exceptions     []Exception
}

// Override is another severity for the rules with an ID or a beginning.
type Override struct {
	ID    string
	Level rules.Severity
}

// Limits bound what a run may cost.
type Limits struct {
	MaxFindings                      *int
	MaxBytes, CodeLimit, SymbolLimit *Size
	Timeout                          *time.Duration
}

// Exception excuses findings: those that all of its conditions fit.
type Exception struct {
	Paths     []string // globs
	Members   []string // globs
	Functions []string // globs
	Rules     []string // IDs or their beginnings, in capitals
	Reason    string
	Line      int // in the file
}

// DefaultAllowSections are the sections in which a function is no finding of
// rule SF2014 although they are not executable: Linux copies their code to
// where it runs.
func DefaultAllowSections() []string { return []string{".init.text", ".rodata.text"} }

// Matches tells whether a list of IDs and their beginnings names a rule.
func Matches(patterns []string, id string) bool {
	for _, p := range patterns {
		if strings.HasPrefix(id, p) {
			return true
		}
	}
	return false
}
