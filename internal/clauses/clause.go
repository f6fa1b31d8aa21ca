// Package clauses lists what the manual "The SFrame Format" demands of the
// data, statement by statement, in our own words, with the rules that check
// each of them or the reason why the bytes cannot show it.
//
// The manual's chapters go by their headings in version 3; a statement that
// only an earlier version makes goes by the heading in that version's manual.
// Statements of errata 1 of version 2 are in the manual of binutils 2.45;
// errata 2 was published with version 3. Two other documents come after the
// manual: the RFC on flexible topmost frames and libunwind's note on the state
// of its cursor.
package clauses

import (
	"slices"
	"strconv"
	"strings"
)

// Scope says which versions of the format a clause is part of.
type Scope string

// Scopes. Where errata of version 2 brought the statement, the scope says so.
const (
	All    Scope = "1, 2, 3"
	V1     Scope = "1"
	V12    Scope = "1, 2"
	V2     Scope = "2"
	V23    Scope = "2, 3"
	V2E1   Scope = "2 (errata 1)"
	V2E1V3 Scope = "2 (errata 1), 3"
	V2E2V3 Scope = "2 (errata 2), 3"
	V3     Scope = "3"
)

// prefix is what the scope is called in a clause's ID.
var prefix = map[Scope]string{
	All: "ALL", V1: "V1", V12: "V12", V2: "V2", V23: "V23",
	V2E1: "V2E1", V2E1V3: "V2E1", V2E2V3: "V2E2", V3: "V3",
}

// Prefix returns what the scope is called in the IDs of clauses.
func (s Scope) Prefix() string { return prefix[s] }

// Includes reports whether a version of the format, 1 to 3, has the clauses of the scope.
func (s Scope) Includes(version int) bool {
	for v := range strings.SplitSeq(string(s), ", ") {
		if number, _, _ := strings.Cut(v, " "); number == strconv.Itoa(version) {
			return true
		}
	}
	return false
}

// Clause is one statement of the manual or of another document.
type Clause struct {
	// ID is C, the version or errata that the statement came with, the area
	// and a number: C-V3-HDR-04. Stable, never reused.
	ID      string
	Scope   Scope
	Chapter Chapter
	// Text is the statement in our own words.
	Text string
	// Rules are the IDs of the rules that find data that breaks it.
	Rules []string
	// Reason says why bytes cannot show a breach: all of it where there
	// are no rules, else the part that the rules do not see.
	Reason string
}

// List returns all clauses in the order of the chapters. The caller may modify the
// slice but not the lists in it.
func List() []Clause {
	return slices.Concat(overview, section, header, entries, pcTypes, rows, interpretation, flexible, tracing, topmostFrames, frameState)
}

// Of returns the clauses that name a rule, in the order of List.
func Of(rule string) []Clause {
	return slices.DeleteFunc(List(), func(c Clause) bool { return !slices.Contains(c.Rules, rule) })
}
