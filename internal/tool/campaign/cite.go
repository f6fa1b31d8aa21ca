package campaign

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// Clause is a statement of the manual that a file violates.
type Clause struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Rule string `json:"rule"` // the rule that reports it
}

// linter has the rules that report an error in a section or in the file around it. A section of version 1 is valid by its manual.
var linter = rules.Driver{Rules: slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool {
	return r.Family() > '3' && r.Family() != '5' || r.OnRequest() || r.Severity != rules.Error || r.ID == catalogue.Obsolete
})}

// milder has those on the section that report a warning.
var milder = rules.Driver{Rules: slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool {
	return r.Family() > '3' || r.OnRequest() || r.Severity != rules.Warning
})}

// errorsIn returns the IDs of the rules that report an error in an object.
func errorsIn(o *reader.Object) map[string]bool {
	found := map[string]bool{}
	for _, f := range linter.Run(o).Findings {
		found[f.Rule.ID] = true
	}
	return found
}

// onSection reports whether a rule is on the section, and not on the file around it.
func onSection(rule string) bool { return rule < "SF4" }

// unreadable are the rules that report that a section cannot be read as it stands: it is not
// one, its parts are beyond its end, or the size of what follows is unknown.
// They come with the clauses that are closest, if those are not the first ones.
var unreadable = map[string][]string{
	"SF1001": nil, "SF1002": nil, "SF1003": nil, // magic, size, version
	"SF1011": nil, "SF1012": {"C-ALL-HDR-13"}, "SF1013": {"C-ALL-HDR-15"}, // auxiliary header, FDEs and FREs beyond the end
	"SF2001": {"C-ALL-FRT-01"}, "SF2004": {"C-V3-FTY-01"}, "SF3001": nil, // FRE type, FDE type, size of data words
	"SF3002": {"C-V12-FDE-11", "C-V3-ATT-04"}, "SF3003": {"C-V12-FDE-10", "C-V3-IDX-08"}, // FREs of a function beyond the end
}

func isUnreadable(rule string) bool {
	_, ok := unreadable[rule]
	return ok
}

// unreadableOf returns those of the rules that report an unreadable section, in order.
func unreadableOf(found map[string]bool) []string {
	return slices.Sorted(func(yield func(string) bool) {
		for id := range found {
			if isUnreadable(id) && !yield(id) {
				return
			}
		}
	})
}

// Describe fills in the fields that follow from the bytes of the file: its size, the rules that report an error, or
// else a warning, and the violated clauses. Rules on the file around the section count only if the original also has
// the error, as the campaign makes the minimal file.
func (f *Find) Describe(data, original []byte) {
	f.Rules, f.Clauses = nil, nil
	sum := sha256.Sum256(data)
	f.SHA256, f.Size, f.NonZero = hex.EncodeToString(sum[:]), len(data), len(data)-bytes.Count(data, []byte{0})
	o := object(data)
	if o == nil || f.Class == Valid {
		return
	}
	first := map[string]bool{}
	if was := object(original); was != nil {
		first = errorsIn(was)
	}
	for _, x := range linter.Run(o).Findings {
		if id := x.Rule.ID; !slices.Contains(f.Rules, id) && (onSection(id) || first[id]) {
			f.Rules = append(f.Rules, id)
		}
	}
	if !slices.ContainsFunc(f.Rules, onSection) {
		for _, x := range milder.Run(o).Findings {
			if !slices.Contains(f.Rules, x.Rule.ID) {
				f.Rules = append(f.Rules, x.Rule.ID)
			}
		}
	}
	var version model.Version
	if len(o.SFrames) > 0 && o.SFrames[0].Section != nil {
		version = o.SFrames[0].Section.Version()
	}
	f.cite(version)
}

// cite finds the clauses that the file does not meet, of those rules that come nearest to a cause: the
// rule of the break if it still reports something, else those on what cannot be read, then others
// on the section, then those on the file.
func (f *Find) cite(version model.Version) {
	broken := ""
	if f.Recipe != nil && len(f.Recipe.Breaks) > 0 {
		broken = breaks.Lookup(f.Recipe.Breaks[0].Name).Rule
	}
	rank := func(id string) int {
		switch {
		case id == broken:
			return 0
		case isUnreadable(id):
			return 1
		case onSection(id):
			return 2
		}
		return 3
	}
	ids := slices.SortedStableFunc(slices.Values(f.Rules), func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	for _, id := range ids {
		c, ok := clauseOf(id, version)
		if !ok || slices.ContainsFunc(f.Clauses, func(x Clause) bool { return x.ID == c.ID }) {
			continue
		}
		if len(f.Clauses) > 0 && rank(id) > rank(f.Clauses[0].Rule) {
			return
		}
		f.Clauses = append(f.Clauses, c)
	}
}

// clauseOf returns the clause of a version that a rule checks: the closest one of an unreadable section,
// else the first one, of a chapter on details if there is one.
func clauseOf(rule string, version model.Version) (Clause, bool) {
	all := clauses.Of(rule)
	if len(all) == 0 {
		return Clause{}, false
	}
	general := []clauses.Chapter{clauses.Overview, clauses.Changes12, clauses.Changes23}
	c := slices.MinFunc(all, func(a, b clauses.Clause) int {
		score := func(c clauses.Clause) (n int) {
			if slices.Contains(unreadable[rule], c.ID) {
				n -= 2
			}
			if !c.Scope.Includes(int(version)) {
				n += 2
			}
			if slices.Contains(general, c.Chapter) {
				n++
			}
			return n
		}
		return cmp.Compare(score(a), score(b))
	})
	return Clause{c.ID, c.Text, rule}, true
}

// clauseText says in a report which clauses the file does not meet.
func (f *Find) clauseText() string {
	if len(f.Clauses) == 1 {
		c := f.Clauses[0]
		return fmt.Sprintf("The input does not meet this clause of the manual (%s, reported by %s): %s A program that reads files of others should refuse it.\n", c.ID, c.Rule, c.Text)
	}
	var b strings.Builder
	b.WriteString("The input does not meet these clauses of the manual. A program that reads files of others should refuse it.\n\n")
	for _, c := range f.Clauses {
		fmt.Fprintf(&b, "- %s (reported by %s): %s\n", c.ID, c.Rule, c.Text)
	}
	return b.String()
}
