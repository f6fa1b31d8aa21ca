package main

import (
	"fmt"
	"regexp"
	"strings"
)

var clauseForm = regexp.MustCompile(`^C-[A-Z0-9]+-[A-Z0-9]+-\d+$`)

// OfClause reports whether the rule checks a clause of the manual.
func (s *spec) OfClause() bool { return clauseForm.MatchString(s.Basis) }

// clauses has what the manual demands.
const clauses = "internal/evidence/clauses/clauses.md"

// addToClause adds the rule to those that check its clause.
func (s *spec) addToClause(read func(path string) ([]byte, error)) ([]byte, error) {
	src, err := read(clauses)
	if err != nil {
		return nil, err
	}
	before, rest, ok := strings.Cut(string(src), "\n"+s.Basis+" (")
	if !ok {
		return nil, fmt.Errorf("no clause %s in %s", s.Basis, clauses)
	}
	lines := strings.SplitAfter("\n"+s.Basis+" ("+rest, "\n")
	if strings.HasPrefix(lines[2], "Rules: ") {
		lines[2] = strings.TrimSuffix(lines[2], "\n") + ", " + s.ID + "\n"
	} else {
		lines[1] += "Rules: " + s.ID + "\n"
	}
	return []byte(before + strings.Join(lines, "")), nil
}
