package reports

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// JSONSchema names the form of the JSON report.
const JSONSchema = "sframe-lint/1"

// JSON writes one object with all findings and inputs, which
// docs/schema/findings.schema.json describes.
type JSON struct {
	w        *bufio.Writer
	err      error
	any      bool // a finding has been written
	inputs   []jsonInput
	cut      []jsonCut
	skipped  []jsonSkip
	failures []jsonFailure
}

// NewJSON returns a renderer that writes JSON.
func NewJSON(w io.Writer) *JSON { return &JSON{w: bufio.NewWriter(w)} }

type jsonFinding struct {
	Rule          string `json:"rule"`
	Severity      string `json:"severity"`
	Message       string `json:"message"`
	Path          string `json:"path"`
	Member        string `json:"member,omitempty"`
	Section       string `json:"section,omitempty"`
	SectionOffset *int64 `json:"section_offset,omitempty"`
	Length        int64  `json:"length,omitempty"`
	FileOffset    int64  `json:"file_offset"`
	FDE           *int   `json:"fde,omitempty"`
	FRE           *int   `json:"fre,omitempty"`
	Function      string `json:"function,omitempty"`
	PC            string `json:"pc,omitempty"`

	Fixes []jsonFix `json:"fixes,omitempty"`
}

// jsonFix is a fix; its edits belong together.
type jsonFix struct {
	Message string     `json:"message"`
	Safe    bool       `json:"safe"`
	Path    string     `json:"path,omitempty"`
	Edits   []jsonEdit `json:"edits"`
}

// jsonEdit replaces bytes of the file.
type jsonEdit struct {
	FileOffset int64  `json:"file_offset"`
	Length     int64  `json:"length"`
	Bytes      string `json:"bytes"` // hex
}

type jsonInput struct {
	Path      string   `json:"path"`
	Member    string   `json:"member,omitempty"`
	Status    string   `json:"status"`
	Detail    string   `json:"detail,omitempty"`
	NotRead   []string `json:"not_read,omitempty"`
	Version   *uint8   `json:"version,omitempty"`
	ABI       string   `json:"abi,omitempty"`
	ByteOrder string   `json:"byte_order,omitempty"`
	FDEs      *int     `json:"fdes,omitempty"`
	FREs      *int     `json:"fres,omitempty"`
	Bytes     *int64   `json:"bytes,omitempty"`
}

// jsonCut counts findings beyond the limit.
type jsonCut struct {
	Rule   string `json:"rule"`
	Path   string `json:"path"`
	Member string `json:"member,omitempty"`
	Count  int    `json:"count"`
}

// jsonSkip is a rule that did not check a section.
type jsonSkip struct {
	Rule    string   `json:"rule"`
	Path    string   `json:"path"`
	Member  string   `json:"member,omitempty"`
	Section string   `json:"section,omitempty"`
	Fact    string   `json:"fact"`
	Limit   bool     `json:"limit,omitempty"`
	Reason  string   `json:"reason"`
	Causes  []string `json:"reported_by,omitempty"`
}

// jsonFailure is a rule that failed.
type jsonFailure struct {
	Rule   string `json:"rule"`
	Path   string `json:"path"`
	Member string `json:"member,omitempty"`
	Reason string `json:"reason"`
}

// jsonConfiguration is the configuration file of the run.
type jsonConfiguration struct {
	Path     string   `json:"path"`
	Off      []string `json:"off,omitempty"`
	Lowered  []string `json:"lowered,omitempty"`
	Settings []string `json:"settings,omitempty"`
}

type jsonSummary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	Files    int `json:"files"`
	Fixed    int `json:"fixed,omitempty"`
	Known    int `json:"known,omitempty"`
	Excepted int `json:"excepted,omitempty"`
	Checked  int `json:"checked"`
}

// File writes the findings of a file at once; [JSON.Close] writes the inputs.
func (j *JSON) File(f *lint.File) error {
	for i := range f.Objects {
		o := &f.Objects[i]
		for k := range o.Findings {
			j.finding(&o.Findings[k], &o.Input)
		}
		in := inputJSON(&o.Input)
		for _, g := range o.HiddenGaps() {
			in.NotRead = append(in.NotRead, ValidUTF8(g.Reason))
		}
		j.inputs = append(j.inputs, in)
		for _, id := range slices.Sorted(maps.Keys(o.Cut)) {
			j.cut = append(j.cut, jsonCut{id, ValidUTF8(o.Input.Path), ValidUTF8(o.Input.Member), o.Cut[id]})
		}
		for _, h := range o.HeldBack {
			j.skipped = append(j.skipped, jsonSkip{h.Rule, ValidUTF8(o.Input.Path), ValidUTF8(o.Input.Member), ValidUTF8(h.Section),
				h.Fact.String(), h.Fact.IsLimit(), ValidUTF8(h.Reason), h.Causes})
		}
		for _, x := range o.Failures {
			j.failures = append(j.failures, jsonFailure{x.Rule, ValidUTF8(x.Path), ValidUTF8(x.Member), ValidUTF8(x.Reason)})
		}
	}
	if f.Err != nil {
		j.inputs = append(j.inputs, jsonInput{
			Path: ValidUTF8(f.Path), Status: string(lint.StatusUnreadable), Detail: ValidUTF8(f.Reason())})
	}
	return j.flush()
}

// Close writes everything after the findings.
func (j *JSON) Close(s lint.Summary) error {
	if !j.any {
		j.open()
		j.print("]")
	} else {
		j.print("\n  ]")
	}
	j.print(",\n  \"inputs\": ")
	list(j, j.inputs)
	if j.cut != nil {
		j.print(",\n  \"cut\": ")
		list(j, j.cut)
	}
	if j.skipped != nil {
		j.print(",\n  \"skipped\": ")
		list(j, j.skipped)
	}
	if j.failures != nil {
		j.print(",\n  \"failures\": ")
		list(j, j.failures)
	}
	if c := s.Configuration; c != nil {
		v := jsonConfiguration{ValidUTF8(c.Path), c.Off, c.Lowered, nil}
		for _, x := range c.Settings {
			v.Settings = append(v.Settings, ValidUTF8(x))
		}
		j.print(",\n  \"configuration\": ")
		j.value(v)
	}
	j.print(",\n  \"summary\": ")
	j.value(jsonSummary{s.Errors, s.Warnings, s.Notes, s.Files, s.Fixed, s.Known, s.Excepted, s.Checked})
	j.print("\n}\n")
	return j.flush()
}

func (j *JSON) open() { j.print(fmt.Sprintf("{\n  \"schema\": %q,\n  \"findings\": [", JSONSchema)) }

func (j *JSON) finding(f *rules.Finding, in *lint.Input) {
	if j.any {
		j.print(",")
	} else {
		j.open()
	}
	j.any = true
	j.print("\n    ")
	j.value(findingJSON(f, in))
}

// list writes an array, one element on a line.
func list[T any](j *JSON, all []T) {
	j.print("[")
	for i, v := range all {
		if i > 0 {
			j.print(",")
		}
		j.print("\n    ")
		j.value(v)
	}
	if len(all) > 0 {
		j.print("\n  ")
	}
	j.print("]")
}

// value writes a value on one line.
func (j *JSON) value(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // it is not for HTML pages
	if err := enc.Encode(v); err != nil && j.err == nil {
		j.err = err
	}
	j.w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func (j *JSON) print(s string) { j.w.WriteString(s) }

func (j *JSON) flush() error {
	if err := j.w.Flush(); j.err == nil {
		j.err = err
	}
	return j.err
}

func findingJSON(f *rules.Finding, in *lint.Input) jsonFinding {
	v := jsonFinding{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Message: ValidUTF8(f.Message),
		Path: ValidUTF8(f.Path), Member: ValidUTF8(f.Member), Section: ValidUTF8(f.Section),
		Length: f.Span.Len, FileOffset: f.FileOffset, Function: ValidUTF8(f.Function),
	}
	if f.InSection {
		v.SectionOffset = &f.Span.Off
	}
	if f.FDE >= 0 {
		v.FDE = &f.FDE
	}
	if f.FRE >= 0 {
		v.FRE = &f.FRE
	}
	if f.HasPC {
		v.PC = fmt.Sprintf("0x%x", f.PC)
	}
	for _, x := range f.Fixes {
		v.Fixes = append(v.Fixes, fixJSON(f, x, in))
	}
	return v
}

func fixJSON(f *rules.Finding, x rules.Fix, in *lint.Input) jsonFix {
	v := jsonFix{Message: ValidUTF8(x.Message), Safe: x.Safe, Path: ValidUTF8(in.File)}
	for _, e := range x.Edits {
		v.Edits = append(v.Edits, jsonEdit{f.Base + e.Span.Off, e.Span.Len, hex.EncodeToString(e.New)})
	}
	return v
}

func inputJSON(in *lint.Input) jsonInput {
	v := jsonInput{
		Path: ValidUTF8(in.Path), Member: ValidUTF8(in.Member),
		Status: string(in.Status), Detail: ValidUTF8(in.Detail),
	}
	if in.ABI != "" {
		version, order := uint8(in.Version), "little"
		if in.BigEndian {
			order = "big"
		}
		v.Version, v.ABI, v.ByteOrder = &version, in.ABI, order
		v.FDEs, v.FREs = &in.FDEs, &in.FREs
	}
	if in.Bytes > 0 {
		v.Bytes = &in.Bytes
	}
	return v
}
