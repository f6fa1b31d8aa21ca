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

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports/internal/spool"
	"github.com/sframe-lint/sframe-lint/rules"
)

// JSONSchema is the name of the JSON report's schema.
const JSONSchema = "sframe-lint/1"

// JSON writes one object with all findings and inputs, which
// docs/schema/findings.schema.json describes.
type JSON struct {
	jsonWriter
	any   bool                    // a finding has been written
	lists map[string]*spool.Spool // written at the end, by the kind of their entries
}

// jsonLists are the lists after the findings, by the kind of their entries.
var jsonLists = []struct{ kind, key string }{{"input", "inputs"}, {"cut", "cut"}, {"skipped", "skipped"}, {"failure", "failures"}}

// NewJSON returns a renderer that writes JSON.
func NewJSON(w io.Writer) *JSON {
	j := &JSON{jsonWriter: newJSONWriter(w), lists: map[string]*spool.Spool{}}
	for _, x := range jsonLists {
		j.lists[x.kind] = new(spool.Spool)
	}
	return j
}

// jsonWriter writes values, and keeps the first error.
type jsonWriter struct {
	Meter
	out *bufio.Writer
	w   *escape.Writer
	err error
}

func newJSONWriter(w io.Writer) jsonWriter {
	out := bufio.NewWriter(w)
	return jsonWriter{out: out, w: escape.NewWriter(out, escape.JSON)}
}

// marshal returns a value on one line.
func (j *jsonWriter) marshal(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // it is not for HTML pages
	j.note(enc.Encode(v))
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func (j *jsonWriter) value(v any) { j.write(j.marshal(v)) }

func (j *jsonWriter) print(s string) { j.write([]byte(s)) }

func (j *jsonWriter) write(b []byte) {
	_, err := j.w.Write(b)
	j.note(err)
}

// note keeps the first error.
func (j *jsonWriter) note(err error) {
	if j.err == nil {
		j.err = err
	}
}

func (j *jsonWriter) flush() error {
	j.note(j.out.Flush())
	return j.err
}

type jsonFinding struct {
	Rule          string `json:"rule"`
	Severity      string `json:"severity"`
	Message       string `json:"message"`
	Help          string `json:"help,omitempty"`
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
	At            string `json:"at,omitempty"`
	Quirk         string `json:"quirk,omitempty"`

	Source *jsonSource `json:"source,omitempty"`
	Fixes  []jsonFix   `json:"fixes,omitempty"`
	Mend   []jsonMend  `json:"mend,omitempty"`
}

// jsonMend is a CFI directive that the source lacks.
type jsonMend struct {
	Offset    string `json:"offset"`
	Directive string `json:"directive"`
}

// jsonSource is the place of a finding in the source text.
type jsonSource struct {
	Path     string     `json:"path"`
	Line     int        `json:"line"`
	EndLine  int        `json:"end_line,omitempty"`
	Function string     `json:"function,omitempty"`
	Inlined  []jsonCall `json:"inlined,omitempty"`
}

// jsonCall is where a function was inlined.
type jsonCall struct {
	Path     string `json:"path,omitempty"`
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
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
	Sections  int      `json:"sections,omitempty"` // if there are several
	Excepted  int      `json:"excepted,omitempty"` // findings
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
	Chosen  bool     `json:"chosen,omitempty"`
	Part    bool     `json:"part,omitempty"`
	Reason  string   `json:"reason"`
	Causes  []string `json:"reported_by,omitempty"`
	// Accepted says that the user has accepted the reason.
	Accepted bool `json:"accepted,omitempty"`
}

// jsonFailure is a rule that failed.
type jsonFailure struct {
	Rule   string `json:"rule"`
	Path   string `json:"path"`
	Member string `json:"member,omitempty"`
	Reason string `json:"reason"`
}

// jsonLeftOut counts what the output budget has left out.
type jsonLeftOut struct {
	Findings int    `json:"findings"`
	Others   int    `json:"others"`
	Reason   string `json:"reason"`
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
	Unshown  int `json:"unshown,omitempty"`
	Known    int `json:"known,omitempty"`
	Excepted int `json:"excepted,omitempty"`
	Checked  int `json:"checked"`
	Skipped  int `json:"skipped,omitempty"`
}

// File writes the findings of a file at once; [JSON.Close] writes the rest.
func (j *JSON) File(f *lint.File) error {
	entries(f, func(kind string, v any) {
		if kind == "finding" {
			j.finding(v)
		} else {
			j.later(j.lists[kind], v)
		}
	})
	return j.flush()
}

// entries calls yield for what a report has of a file, with the kind of each value.
func entries(f *lint.File, yield func(kind string, v any)) {
	for i := range f.Objects {
		o := &f.Objects[i]
		for k := range o.Findings {
			yield("finding", findingJSON(&o.Findings[k], &o.Input))
		}
		in := inputJSON(&o.Input)
		in.Excepted = o.Excepted
		for _, g := range o.HiddenGaps() {
			in.NotRead = append(in.NotRead, messageJSON(g.Reason))
		}
		yield("input", in)
		for _, id := range slices.Sorted(maps.Keys(o.Cut)) {
			yield("cut", jsonCut{id, in.Path, in.Member, o.Cut[id]})
		}
		accepted := o.Accepted()
		for i := range o.HeldBack {
			h := &o.HeldBack[i]
			yield("skipped", jsonSkip{h.Rule, in.Path, in.Member, nameJSON(h.Section),
				h.Fact.String(), h.Limit, h.Chosen, h.Part, messageJSON(h.Reason), h.Causes, slices.Contains(accepted, h)})
		}
		for _, x := range o.Failures {
			yield("failure", jsonFailure{x.Rule, ValidUTF8(x.Path), nameJSON(x.Member), messageJSON(x.Reason)})
		}
	}
	if f.Err != nil {
		yield("input", jsonInput{Path: ValidUTF8(f.Path), Status: string(lint.StatusUnreadable), Detail: messageJSON(f.Reason())})
	}
}

// Close writes everything after the findings.
func (j *JSON) Close(s lint.Summary) error {
	if !j.any {
		j.open()
		j.print("]")
	} else {
		j.print("\n  ]")
	}
	for _, x := range jsonLists {
		if list := j.lists[x.kind]; list.Len() > 0 || x.kind == "input" {
			j.key(x.key)
			j.list(list)
		}
	}
	if out := j.LeftOut(); out != nil {
		j.key("left_out")
		j.value(jsonLeftOut{out.Findings, out.Others, out.Why.Error()})
	}
	if c := s.Configuration; c != nil {
		j.key("configuration")
		j.value(configurationJSON(c))
	}
	j.key("summary")
	j.value(summaryJSON(&s))
	j.print("\n}\n")
	return j.Done(j.flush())
}

func (j *JSON) key(key string) { j.print(",\n  \"" + key + "\": ") }

func summaryJSON(s *lint.Summary) jsonSummary {
	return jsonSummary{s.Errors, s.Warnings, s.Notes, s.Files, s.Fixed, s.Unshown, s.Known, s.Excepted, s.Checked, s.Skipped}
}

func configurationJSON(c *lint.Configuration) jsonConfiguration {
	v := jsonConfiguration{ValidUTF8(c.Path), c.Off, c.Lowered, nil}
	for _, x := range c.Settings {
		v.Settings = append(v.Settings, ValidUTF8(x))
	}
	return v
}

func (j *JSON) open() { j.print(fmt.Sprintf("{\n  \"schema\": %q,\n  \"findings\": [", JSONSchema)) }

func (j *JSON) finding(v any) {
	line := j.marshal(v)
	if !j.Finding(len(line)) {
		return
	}
	if j.any {
		j.print(",")
	} else {
		j.open()
	}
	j.any = true
	j.print("\n    ")
	j.write(line)
}

// later keeps a value for the end of the report.
func (j *JSON) later(list *spool.Spool, v any) {
	if line := j.marshal(v); j.Other(len(line)) && !list.Add(line) {
		j.Full()
	}
}

// list writes an array, one element on a line.
func (j *JSON) list(all *spool.Spool) {
	separator := "[\n    "
	err := all.Each(func(line []byte) error {
		j.print(separator)
		separator = ",\n    "
		j.write(line)
		return nil
	})
	j.note(err)
	if all.Len() == 0 {
		j.print("[]")
	} else {
		j.print("\n  ]")
	}
}

// nameJSON returns a name of a member, section or function.
func nameJSON(s string) string { return ValidUTF8(escape.Cut(s, escape.MaxName)) }

func messageJSON(s string) string { return ValidUTF8(escape.Cut(s, escape.MaxMessage)) }

func mendOf(f *rules.Finding) []rules.Directive {
	if f.Mend == nil {
		return nil
	}
	return f.Mend.Directives
}

func findingJSON(f *rules.Finding, in *lint.Input) jsonFinding {
	v := jsonFinding{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Message: messageJSON(f.Message), Help: messageJSON(f.Help),
		Path: ValidUTF8(f.Path), Member: nameJSON(f.Member), Section: nameJSON(f.Section),
		Length: f.Span.Len, FileOffset: f.FileOffset, Function: nameJSON(f.Function), At: ValidUTF8(f.Address()), Quirk: f.Quirk,
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
	for _, x := range Fixes(f) {
		v.Fixes = append(v.Fixes, fixJSON(f, x, in))
	}
	for _, m := range mendOf(f) {
		v.Mend = append(v.Mend, jsonMend{fmt.Sprintf("0x%x", m.Offset), m.Text})
	}
	v.Source = sourceJSON(f.Source)
	return v
}

func sourceJSON(s *rules.Source) *jsonSource {
	if s == nil {
		return nil
	}
	v := &jsonSource{Path: nameJSON(s.Path), Line: s.Line, Function: nameJSON(s.Function)}
	if s.EndLine > s.Line {
		v.EndLine = s.EndLine
	}
	for _, c := range s.Inlined {
		v.Inlined = append(v.Inlined, jsonCall{nameJSON(c.Path), c.Line, nameJSON(c.Function)})
	}
	return v
}

func fixJSON(f *rules.Finding, x rules.Fix, in *lint.Input) jsonFix {
	v := jsonFix{Message: messageJSON(x.Message), Safe: x.Safe, Path: ValidUTF8(in.File)}
	for _, e := range x.Edits {
		v.Edits = append(v.Edits, jsonEdit{f.Base + e.Span.Off, e.Span.Len, hex.EncodeToString(e.New)})
	}
	return v
}

func inputJSON(in *lint.Input) jsonInput {
	v := jsonInput{
		Path: ValidUTF8(in.Path), Member: nameJSON(in.Member),
		Status: string(in.Status), Detail: messageJSON(in.Detail),
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
	if in.Sections > 1 {
		v.Sections = in.Sections
	}
	return v
}

// MaxFix is the maximum size of a fix in a report, in bytes. Each edit counts as
// its new bytes and 64 more.
const MaxFix = 64 << 10

// Fixes returns the fixes of a finding that a report contains. It omits those larger
// than MaxFix, such as sorting many FDEs; --fix applies them.
func Fixes(f *rules.Finding) []rules.Fix {
	var all []rules.Fix
	for _, x := range f.Fixes {
		n := 0
		for i := range x.Edits {
			n += 64 + len(x.Edits[i].New)
		}
		if n <= MaxFix {
			all = append(all, x)
		}
	}
	return all
}

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
