package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/lint"
)

// JSONLines writes one JSON object a line, each as it comes: {"finding": ...}, {"input": ...}
// and so on, with the values that [JSON] has in its lists, and {"summary": ...} at the end.
type JSONLines struct {
	Meter
	out *bufio.Writer
	w   *escape.Writer
	err error
}

// NewJSONLines returns a renderer that writes JSON lines.
func NewJSONLines(w io.Writer) *JSONLines {
	out := bufio.NewWriter(w)
	return &JSONLines{out: out, w: escape.NewWriter(out, escape.JSON)}
}

// File writes the lines of a file.
func (j *JSONLines) File(f *lint.File) error {
	for i := range f.Objects {
		o := &f.Objects[i]
		for k := range o.Findings {
			j.line(j.Finding, "finding", findingJSON(&o.Findings[k], &o.Input))
		}
		in := inputJSON(&o.Input)
		for _, g := range o.HiddenGaps() {
			in.NotRead = append(in.NotRead, messageJSON(g.Reason))
		}
		j.line(j.Other, "input", in)
		for _, id := range slices.Sorted(maps.Keys(o.Cut)) {
			j.line(j.Other, "cut", jsonCut{id, in.Path, in.Member, o.Cut[id]})
		}
		for _, h := range o.HeldBack {
			j.line(j.Other, "skipped", jsonSkip{h.Rule, in.Path, in.Member, nameJSON(h.Section),
				h.Fact.String(), h.Limit, h.Chosen, h.Part, messageJSON(h.Reason), h.Causes})
		}
		for _, x := range o.Failures {
			j.line(j.Other, "failure", jsonFailure{x.Rule, ValidUTF8(x.Path), nameJSON(x.Member), messageJSON(x.Reason)})
		}
	}
	if f.Err != nil {
		j.line(j.Other, "input", jsonInput{Path: ValidUTF8(f.Path), Status: string(lint.StatusUnreadable), Detail: messageJSON(f.Reason())})
	}
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

func (j *JSONLines) line(fits func(int) bool, key string, v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string]any{key: v}); err != nil && j.err == nil {
		j.err = err
	}
	if fits(b.Len()) {
		if _, err := j.w.Write(b.Bytes()); err != nil && j.err == nil {
			j.err = err
		}
	}
}

func (j *JSONLines) flush() error { return firstOf(j.err, j.out.Flush()) }
