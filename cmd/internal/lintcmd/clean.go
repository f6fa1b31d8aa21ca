package lintcmd

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// cleanText says what a run without findings has checked, and what it has left out, and why.
func (r *run) cleanText(s *lint.Summary) string {
	text := fmt.Sprintf("no findings: %s checked: %s with %s and %s, by %s", rules.Count(s.Files, "file"), rules.Count(s.Sections, "section"),
		rules.Count(s.FDEs, "function"), rules.Count(s.FREs, "FRE"), rules.Count(r.active, "rule"))
	var left []string
	for _, x := range []struct {
		n    int
		noun string
		why  string
	}{
		{s.Without, "input", "without SFrame data"},
		{s.Foreign, "input", "that cannot have SFrame data"},
		{s.Excluded, "path", "excluded by patterns"},
		{s.LessSevere(), "finding", "of a severity that is not shown (--show note)"},
		{s.Tally[lint.ByBaseline], "finding", "in the baseline"},
		{s.Tally[lint.ByException], "finding", "excused by exceptions"},
	} {
		if x.n > 0 {
			left = append(left, rules.Count(x.n, x.noun)+" "+x.why)
		}
	}
	if left != nil {
		text += "; left out: " + strings.Join(left, ", ")
	}
	return text
}
