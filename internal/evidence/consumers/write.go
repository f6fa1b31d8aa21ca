package consumers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// Formats returns the formats that [NewWriter] accepts.
func Formats() []string { return []string{"text", "json", "jsonl"} }

// Writer writes sheets one after the other.
type Writer struct {
	w           io.Writer
	json, lines bool
	any         bool // a sheet was written
}

// NewWriter returns a writer for one of the [Formats]. For each sheet, "text" writes an aligned table of outcomes,
// "json" writes all verdicts, and "jsonl" writes one line for each consumer.
func NewWriter(w io.Writer, format string) (*Writer, error) {
	if !slices.Contains(Formats(), format) {
		return nil, fmt.Errorf("unknown format %q: expected %s", format, lookup.List(Formats(), ""))
	}
	return &Writer{w: w, json: format == "json", lines: format == "jsonl"}, nil
}

// Add writes a sheet.
func (m *Writer) Add(s *Sheet) error {
	var b bytes.Buffer
	switch {
	case m.json && m.any:
		b.WriteString(",\n  ")
	case m.json:
		b.WriteString("[\n  ")
	case m.any && !m.lines:
		b.WriteByte('\n')
	}
	m.any = true
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	switch {
	case m.json:
		enc.SetIndent("  ", "  ")
		_ = enc.Encode(s.json()) // a Buffer has no errors, and a sheet has no value that JSON lacks
		b.Truncate(b.Len() - 1)
	case m.lines:
		j := s.json()
		all := j.Consumers
		j.Consumers = nil
		for _, c := range all {
			_ = enc.Encode(jsonLine{j, c})
		}
	default:
		s.text(&b)
	}
	_, err := m.w.Write(b.Bytes())
	return err
}

// Close writes the end of the list. It does not close the underlying writer.
func (m *Writer) Close() error {
	end := ""
	switch {
	case m.json && m.any:
		end = "\n]\n"
	case m.json:
		end = "[]\n"
	}
	_, err := io.WriteString(m.w, end)
	return err
}

func (s *Sheet) text(b *bytes.Buffer) {
	b.WriteString(escape.Printable(s.Path))
	if s.Member != "" {
		fmt.Fprintf(b, "(%s)", escape.Name(s.Member))
	}
	if s.Section != "" {
		fmt.Fprintf(b, ": %s", escape.Name(s.Section))
	}
	b.WriteByte('\n')
	lines := make([][4]string, len(s.Rows))
	same := len(lines) > 1
	for i := range s.Rows {
		v := &s.Rows[i].Verdicts[0]
		lines[i] = [4]string{s.Rows[i].Consumer.Name, v.outcome(), v.place(), escape.Printable(v.Why)}
		if v.Rule != "" {
			lines[i][3] += " [" + v.Rule + "]"
		}
		same = same && [3]string(lines[i][1:]) == [3]string(lines[0][1:])
	}
	if same {
		lines = lines[:1]
		lines[0][0] = "all"
	}
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, c := range lines {
		fmt.Fprintf(tw, "  %s\n", strings.Join(c[:], "\t"))
	}
	_ = tw.Flush() // a Buffer has no errors
}

// outcome returns the kind in words: "may crash" if it is uncertain.
func (v *Verdict) outcome() string {
	if v.Maybe {
		return "may " + maybe[v.Outcome]
	}
	return string(v.Outcome)
}

var maybe = map[Outcome]string{Reads: "read", Misreads: "misread", Rejects: "reject", Crashes: "crash", Ignores: "ignore"}

// OutcomeText returns the outcome as a verb whose subject is the consumer, such as "rejects" or "may crash on".
func (v *Verdict) OutcomeText() string {
	out := v.outcome()
	if v.Outcome == Crashes {
		out += " on"
	}
	return out
}

// place returns the place of the bytes that caused the verdict: offset and
// length in the section, or in the file.
func (v *Verdict) place() string {
	switch {
	case v.Check == "":
		return ""
	case v.InFile:
		return fmt.Sprintf("file 0x%x+%d", v.Span.Off, v.Span.Len)
	}
	return fmt.Sprintf("0x%x+%d", v.Span.Off, v.Span.Len)
}

type jsonSheet struct {
	Path      string         `json:"path"`
	Member    string         `json:"member,omitempty"`
	Section   string         `json:"section,omitempty"`
	Consumers []jsonConsumer `json:"consumers,omitzero"`
}

// jsonLine is a consumer and what it was asked about.
type jsonLine struct {
	jsonSheet
	jsonConsumer
}

// jsonConsumer has the outcome in itself and the other verdicts in Also.
type jsonConsumer struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	jsonVerdict
	Also []jsonVerdict `json:"also,omitempty"`
}

type jsonVerdict struct {
	Verdict    Outcome `json:"verdict"`
	Maybe      bool    `json:"maybe,omitempty"`
	Moot       bool    `json:"moot,omitempty"`
	Check      Demand  `json:"check,omitempty"`
	Rule       string  `json:"rule,omitempty"`
	Why        string  `json:"why"`
	Offset     *int64  `json:"offset,omitempty"` // in the section
	FileOffset *int64  `json:"file_offset,omitempty"`
	Length     int64   `json:"length,omitempty"`
	FDE        *int    `json:"fde,omitempty"`
	FRE        *int    `json:"fre,omitempty"`
}

func (s *Sheet) json() jsonSheet {
	shown := func(name string) string { return escape.UTF8(escape.Cut(name, escape.MaxName)) }
	j := jsonSheet{escape.UTF8(s.Path), shown(s.Member), shown(s.Section), []jsonConsumer{}}
	for _, r := range s.Rows {
		c := jsonConsumer{Name: r.Consumer.Name, Title: r.Consumer.Title, jsonVerdict: r.Verdicts[0].json()}
		for i := range r.Verdicts[1:] {
			c.Also = append(c.Also, r.Verdicts[i+1].json())
		}
		j.Consumers = append(j.Consumers, c)
	}
	return j
}

func (v *Verdict) json() jsonVerdict {
	j := jsonVerdict{Verdict: v.Outcome, Maybe: v.Maybe, Moot: v.Moot, Check: v.Check, Rule: v.Rule, Why: v.Why}
	if v.Check != "" {
		off := v.Span.Off
		j.Length = v.Span.Len
		if v.InFile {
			j.FileOffset = &off
		} else {
			j.Offset = &off
		}
	}
	if v.FDE >= 0 {
		j.FDE = &v.FDE
	}
	if v.FRE >= 0 {
		j.FRE = &v.FRE
	}
	return j
}
