package reports

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
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
	// Close ends the report.
	Close(s lint.Summary) error
}

// NotChecked returns a line that says that rules did not check a section.
func NotChecked(n *lint.NotChecked) string {
	where, why := "", ""
	if n.Section != "" {
		where = n.Section + ": "
	}
	if len(n.Causes) > 0 {
		why = " (" + strings.Join(n.Causes, ", ") + ")"
	}
	return fmt.Sprintf("%snot checked: %s, as %s%s", Escape(where), rules.Count(len(n.Rules), "rule"), Escape(n.Reason), why)
}
