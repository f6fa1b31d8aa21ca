package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/rules/clauses"
)

const clausesHead = `# What the manual demands, and what checks it

` + notice + `The manual is "The SFrame Format": version 1 is published with
[binutils 2.40](https://sourceware.org/binutils/docs-2.40/sframe-spec.html), version 2 with
[2.41](https://sourceware.org/binutils/docs-2.41/sframe-spec.html), its errata 1 with
[2.45](https://sourceware.org/binutils/docs-2.45/sframe-spec.html), its errata 2 and version 3 with
[2.46 and later](https://sourceware.org/binutils/docs/sframe-spec.html). Every normative statement is
below, in our own words, with the rules that find data that breaks it, or the reason why the bytes
alone cannot show it. A rule counts as a check only if it finds data that breaks the statement;
rules that give advice are at the end. Chapters go by their headings in version 3; what only
earlier versions say links to their manuals. Two documents follow the manual: the RFC that led to
flexible FDEs, and libunwind's note on the state of its cursor.

`

// clausesPage lists the clauses by chapter.
func clausesPage() string {
	var b strings.Builder
	b.WriteString(clausesHead)
	all := clauses.List()
	checked := 0
	for _, c := range all {
		if len(c.Rules) > 0 {
			checked++
		}
	}
	fmt.Fprintf(&b, "There are %d statements. Rules check %d of them; for the other %d there is a reason.\n", len(all), checked, len(all)-checked)
	for _, chapter := range clauses.Chapters() {
		fmt.Fprintf(&b, "\n## %s\n\n| Clause | Version | Statement | Checked by |\n|---|---|---|---|\n", clauses.Link(string(chapter), chapter.URL()))
		for _, c := range all {
			if c.Chapter == chapter {
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", clauses.Link(c.ID, c.URL()), c.Scope, c.Text, checkedBy(c))
			}
		}
	}
	b.WriteString("\n## Rules that rest on no clause\n\n| Rule | Finds | Rests on |\n|---|---|---|\n")
	for _, r := range documented() {
		if why := clauses.Practice[r.ID]; why != "" {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", ruleLinks([]string{r.ID}), r.Title, why)
		}
	}
	return b.String()
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
