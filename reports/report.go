package reports

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Tool names the program in a report.
type Tool struct {
	Name, Version, URL string
}

// Renderer writes a report.
type Renderer interface {
	// File adds the results of a path. It does not keep f.
	File(f *lint.File) error
	// Close ends the report. The error is a [*LeftOut] if the report is complete as a
	// document but does not have all findings.
	Close(s lint.Summary) error
	// Limit sets the output budget of the report. Without it, there is none.
	Limit(b *budget.Budget)
}

// NothingChecked reports that a run was empty.
const NothingChecked = "nothing was checked: no path has a file that can have SFrame data (--allow-empty)"

// maxRules is how many rules are listed by their IDs.
const maxRules = 10

// Configuration returns a line that names the configuration of a run and says what
// it leaves out.
func Configuration(c *lint.Configuration) string {
	var parts []string
	for _, x := range []struct {
		verb string
		ids  []string
	}{{"turns off", c.Off}, {"lowers", c.Lowered}} {
		if n := len(x.ids); n > 0 {
			ids := strings.Join(x.ids[:min(n, maxRules)], ", ")
			if n > maxRules {
				ids += fmt.Sprintf(" and %d more", n-maxRules)
			}
			parts = append(parts, fmt.Sprintf("%s %s (%s)", x.verb, rules.Count(n, "rule"), ids))
		}
	}
	parts = append(parts, c.Settings...)
	if len(parts) == 0 {
		parts = []string{"leaves nothing out"}
	}
	return Escape(fmt.Sprintf("configuration %s: %s", c.Path, strings.Join(parts, "; ")))
}

// NotRead returns a phrase on a part of an input that was not read.
func NotRead(in *lint.Input, g lint.Gap) string {
	what := "not fully read"
	if in.Status == reader.StatusDamaged {
		what = "damaged"
	} else if in.Status == reader.StatusNotRead {
		what = "not read"
	}
	return what + ": " + escape.Message(g.Reason)
}

// NotChecked returns a line that says that rules did not check a section, or not all of it.
func NotChecked(n *lint.NotChecked) string {
	where, what, why := "", "not checked", ""
	if n.Section != "" {
		where = escape.Cut(n.Section, escape.MaxName) + ": "
	}
	if n.Part {
		what = "not fully checked"
	}
	if len(n.Causes) > 0 {
		why = " (" + strings.Join(n.Causes, ", ") + ")"
	}
	if n.Hidden && !n.Limit {
		why += ", whose finding is left out"
	}
	return fmt.Sprintf("%s%s: %s, as %s%s", Escape(where), what, rules.Count(len(n.Rules), "rule"), escape.Message(n.Reason), why)
}
