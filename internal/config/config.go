// Package config reads the configuration of sframe-lint, a YAML file. Unknown keys,
// rules and levels are errors, which name the line and column.
package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/coverage"
	"github.com/sframe-lint/sframe-lint/internal/suggest"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Name is the name of the configuration file that [Find] searches for.
const Name = ".sframe-lint.yaml"

// Config is a configuration. Settings that are nil are not set.
type Config struct {
	Path string // of the file, "" for none

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
	AllowSections  []string // nil: the default
	AllowGaps      []string
	Baseline       string // path from the working directory, or absolute
	SourceRoot     string // directory, path as that of Baseline
	PathMap        []PathMap
	Limits         budget.Limits // 0: not set; below 0: no limit
	Exceptions     []Exception
}

// Override sets the severity of the rules with an ID or prefix.
type Override struct {
	ID    string
	Level rules.Severity
}

// PathMap replaces the beginning From of the paths of source files, up to a slash or the end, by To.
type PathMap struct{ From, To string }

// ParsePathMap reads FROM=TO.
func ParsePathMap(s string) (PathMap, error) {
	from, to, ok := strings.Cut(s, "=")
	if !ok || from == "" {
		return PathMap{}, fmt.Errorf("%q is not of the form FROM=TO", s)
	}
	return PathMap{from, to}, nil
}

// Exception covers the findings that meet all of its conditions.
type Exception struct {
	Paths     []string // globs
	Members   []string // globs
	Functions []string // globs
	Rules     []string // IDs or prefixes of IDs, in capitals
	Reason    string
	Line      int // in the file
}

// DefaultAllowSections are the sections that may contain functions although they
// are not executable: Linux copies their code to the addresses where it runs.
func DefaultAllowSections() []string { return []string{".init.text", ".rodata.text"} }

// Matches reports whether one of the IDs or prefixes matches a rule.
func Matches(patterns []string, id string) bool {
	for _, p := range patterns {
		if strings.HasPrefix(id, p) {
			return true
		}
	}
	return false
}

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

// ParseLevel reads the lowest level of findings that are shown.
func ParseLevel(s string) (rules.Severity, error) {
	v, err := rules.ParseSeverity(s)
	if err != nil || v == rules.Off {
		return rules.Off, suggest.Unknown("level", s, []string{"error", "warning", "note"}, "")
	}
	return v, nil
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
		return Profile{}, suggest.Unknown("profile", name, ProfileNames(), "")
	}
	return all[i], nil
}
