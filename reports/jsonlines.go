package reports

import (
	"io"

	"github.com/sframe-lint/sframe-lint/lint"
)

// JSONLines writes one JSON object a line, each as soon as possible: {"finding": ...}, {"input":
// ...} and so on, with the elements of the lists of [JSON], and {"summary": ...} at the end.
type JSONLines struct {
	jsonWriter
	measures bool
}

// NewJSONLines returns a renderer that writes JSON lines.
func NewJSONLines(w io.Writer) *JSONLines { return &JSONLines{jsonWriter: newJSONWriter(w)} }

// Measures makes lines also have what was measured of each input: {"facts": ...} and {"coverage": ...} follow
// its other lines.
func (j *JSONLines) Measures() *JSONLines {
	j.measures = true
	return j
}

// File writes the lines of a file.
func (j *JSONLines) File(f *lint.File) error {
	entries(f, func(kind string, v any) {
		fits := j.Other
		if kind == "finding" {
			fits = j.Finding
		}
		j.line(fits, kind, v)
	})
	for i := range f.Objects {
		if o := &f.Objects[i]; j.measures {
			j.measured(o)
		}
	}
	return j.flush()
}

// jsonFacts are the facts of an input.
type jsonFacts struct {
	Path   string `json:"path"`
	Member string `json:"member,omitempty"`
	lint.Facts
}

func (j *JSONLines) measured(o *lint.Object) {
	if f := o.Facts; f != nil {
		v := jsonFacts{ValidUTF8(o.Input.Path), nameJSON(o.Input.Member), *f}
		v.Comments = nil
		for _, x := range f.Comments {
			v.Comments = append(v.Comments, nameJSON(x))
		}
		j.line(j.Other, "facts", v)
	}
	if o.Coverage != nil {
		j.line(j.Other, "coverage", o.Coverage)
	}
}

// Close writes what the report omits, the configuration and the summary.
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
