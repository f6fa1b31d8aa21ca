package reports

import (
	"io"

	"github.com/sframe-lint/sframe-lint/lint"
)

// JSONLines writes one JSON object a line, each as it comes: {"finding": ...}, {"input": ...}
// and so on, with the values that [JSON] has in its lists, and {"summary": ...} at the end.
type JSONLines struct{ jsonWriter }

// NewJSONLines returns a renderer that writes JSON lines.
func NewJSONLines(w io.Writer) *JSONLines { return &JSONLines{newJSONWriter(w)} }

// File writes the lines of a file.
func (j *JSONLines) File(f *lint.File) error {
	entries(f, func(kind string, v any) {
		fits := j.Other
		if kind == "finding" {
			fits = j.Finding
		}
		j.line(fits, kind, v)
	})
	return j.flush()
}

// Close writes what the report does not have, the configuration and the summary.
func (j *JSONLines) Close(s lint.Summary) error {
	if out := j.LeftOut(); out != nil {
		j.line(always, "left_out", jsonLeftOut{out.Findings, out.Others, out.Why.Error()})
	}
	if s.Configuration != nil {
		j.line(always, "configuration", configurationJSON(s.Configuration))
	}
	j.line(always, "summary", summaryJSON(&s))
	return j.Done(j.flush())
}

func (j *JSONLines) line(fits func(int) bool, kind string, v any) {
	if line := append(j.marshal(map[string]any{kind: v}), '\n'); fits(len(line)) {
		j.write(line)
	}
}
