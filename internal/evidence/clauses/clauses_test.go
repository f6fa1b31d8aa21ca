package clauses_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// allRules are those of the catalogue and those that consumers bind.
func allRules() []*rules.Rule {
	return catalogue.All(catalogue.Settings{})
}

func ruleByID(id string) *rules.Rule {
	for _, r := range allRules() {
		if r.ID == id {
			return r
		}
	}
	return nil
}

func TestEveryClauseIsCheckedOrSaysWhyNot(t *testing.T) {
	for _, c := range clauses.List() {
		assert.True(t, len(c.Rules) > 0 || c.Reason != "", "%s has neither rules nor a reason", c.ID)
		for _, id := range c.Rules {
			r := ruleByID(id)
			if !assert.NotNil(t, r, "%s names %s, which there is not", c.ID, id) {
				continue
			}
			assert.True(t, len(r.Versions) == 0 || slices.ContainsFunc(r.Versions, func(v model.Version) bool {
				return slices.Contains(versionsOf(c.Scope), v)
			}), "%s is for version %s, %s is not", c.ID, c.Scope, id)
		}
		assert.Equal(t, len(c.Rules), len(slices.Compact(slices.Sorted(slices.Values(c.Rules)))), "%s names a rule twice", c.ID)
	}
}

// versionsOf returns the versions that a scope names.
func versionsOf(s clauses.Scope) []model.Version {
	var all []model.Version
	for _, d := range regexp.MustCompile(`\([^)]*\)`).ReplaceAllString(string(s), "") {
		if d >= '1' && d <= '3' {
			all = append(all, model.Version(d-'0'))
		}
	}
	return all
}

// prefixes are what scopes are called in the IDs of clauses.
var prefixes = map[clauses.Scope]string{
	"1, 2, 3": "ALL", "1": "V1", "1, 2": "V12", "2": "V2", "2, 3": "V23",
	"2 (errata 1)": "V2E1", "2 (errata 1), 3": "V2E1", "2 (errata 2), 3": "V2E2", "3": "V3",
}

func TestIDs(t *testing.T) {
	seen := map[string]bool{}
	last := map[string]string{}
	for _, c := range clauses.List() {
		m := regexp.MustCompile(`^C-(ALL|V1|V12|V2|V23|V2E1|V2E2|V3)-([A-Z0-9]{3})-(\d\d)$`).FindStringSubmatch(c.ID)
		if !assert.NotNil(t, m, c.ID) {
			continue
		}
		assert.Equal(t, prefixes[c.Scope], m[1], c.ID)
		key := m[2] + m[3]
		assert.False(t, seen[key], "%s: the number is taken", c.ID)
		seen[key] = true
		at := string(c.Chapter) + m[2]
		assert.Less(t, last[at], m[3], "%s is out of order", c.ID)
		last[at] = m[3]
	}
	assert.GreaterOrEqual(t, len(seen), 100)
}

func TestTexts(t *testing.T) {
	for _, c := range clauses.List() {
		for _, s := range []string{c.Text, c.Reason} {
			assert.Regexp(t, `^$|^(["(A-Z0-9]|sf).*[.)]$`, s, c.ID)
			assert.NotContains(t, s, "|", c.ID)
		}
		assert.NotEmpty(t, c.Text, c.ID)
	}
}

func TestChapters(t *testing.T) {
	other := []clauses.Chapter{ // documents without a published address
		"RFC: Case for Representing Flexible Topmost Frames in SFrame", "Note: The Frame State of the Unwind Cursor (libunwind)",
	}
	used := map[clauses.Chapter]bool{}
	for _, c := range clauses.List() {
		used[c.Chapter] = true
		assert.Equal(t, slices.Contains(other, c.Chapter), c.URL() == "", "%s: no chapter %q", c.ID, c.Chapter)
		assert.Regexp(t, `^(https://sourceware\.org/binutils/docs(-2\.4[05])?/sframe-spec\.html(#[A-Za-z0-9_-]+)?)?$`, c.URL())
	}
	assert.Empty(t, clauses.Chapter("SFrame Section ").URL())
	page := must.Get(os.ReadFile("clauses.md"))(t)
	for _, heading := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllSubmatch(page, -1) {
		assert.True(t, used[clauses.Chapter(heading[1])], "chapter %q has no clause", heading[1])
	}
}

// TestOlderManuals: a statement of earlier versions alone stands in a chapter
// that their manual has.
func TestOlderManuals(t *testing.T) {
	late := []clauses.Chapter{
		clauses.Changes23, "The SFrame FDE Index", "The SFrame FDE Attribute", "The SFrame FDE Info Bytes", "The SFrame FDE PC Types", "The SFrame FDE Types",
		"Interpretation of SFrame FREs", "Default FDE Type Interpretation", "Flexible FDE Type Interpretation",
	}
	for _, c := range clauses.List() {
		if !slices.Contains(versionsOf(c.Scope), 3) {
			assert.NotContains(t, late, c.Chapter, c.ID)
			assert.False(t, strings.Contains(c.URL(), "/docs/") && c.Chapter != clauses.Changes12, "%s leads to %s", c.ID, c.URL())
		}
	}
}

// TestEveryRuleRestsOnSomething: a rule is named by a clause, or says what else it rests on.
func TestEveryRuleRestsOnSomething(t *testing.T) {
	for _, r := range allRules() {
		named := len(clauses.Of(r.ID)) > 0
		assert.True(t, named || r.Basis != "", "%s (%s) rests on nothing", r.ID, r.Title)
		assert.False(t, named && r.Basis != "", "%s rests on clauses and on something else", r.ID)
	}
}

// TestRulesCiteChaptersOfTheirClauses holds the chapter that a rule states
// against those of the clauses that name it.
func TestRulesCiteChaptersOfTheirClauses(t *testing.T) {
	for _, r := range allRules() {
		of := clauses.Of(r.ID)
		if r.Clause == "" {
			assert.Empty(t, of, "%s states no chapter, but clauses name it", r.ID)
			continue
		}
		assert.NotEmpty(t, clauses.Chapter(r.Clause).URL(), "%s: no chapter %q", r.ID, r.Clause)
		if len(of) == 0 {
			continue
		}
		var all []clauses.Chapter
		for _, c := range of {
			all = append(all, c.Chapter)
		}
		assert.Contains(t, all, clauses.Chapter(r.Clause), "%s", r.ID)
	}
}

// TestNoAdviceChecks: what demands nothing of the data is checked by no rule.
func TestNoAdviceChecks(t *testing.T) {
	for _, c := range clauses.List() {
		for _, why := range []string{"It directs readers", "It is about versions", "It explains", "It allows"} {
			assert.False(t, strings.HasPrefix(c.Reason, why) && len(c.Rules) > 0, "%s demands nothing, but names rules", c.ID)
		}
		for _, id := range c.Rules {
			if r := ruleByID(id); r != nil {
				assert.NotRegexp(t, "^Advice", r.Basis, "%s: %s is advice", c.ID, id)
			}
		}
	}
}
