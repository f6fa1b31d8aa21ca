package lint

import (
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/rules"
)

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
