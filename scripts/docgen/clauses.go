package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
)

// clausesPage lists the clauses by chapter.
func clausesPage() string {
	all := clauses.List()
	checked := 0
	for _, c := range all {
		if len(c.Rules) > 0 {
			checked++
		}
	}
	return render("clauses", map[string]any{
		"All": len(all), "Checked": checked, "Unchecked": len(all) - checked, "Chapters": clauses.Chapters(),
		"Rules": documented(),
	})
}

// clausesOf returns the clauses of a chapter.
func clausesOf(chapter clauses.Chapter) []clauses.Clause {
	return slices.DeleteFunc(clauses.List(), func(c clauses.Clause) bool { return c.Chapter != chapter })
}

func checkedBy(c clauses.Clause) string {
	ids := slices.Clone(c.Rules)
	slices.Sort(ids)
	parts := []string{ruleLinks(ids), c.Reason}
	if len(ids) == 0 {
		parts[0] = "nothing."
	}
	if len(ids) > 0 && c.Reason != "" {
		parts[0] += "."
	}
	return strings.TrimSpace(cmp.Or(strings.Join(parts, " "), "nothing"))
}
