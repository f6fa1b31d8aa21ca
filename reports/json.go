package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/spool"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// JSONSchema is the name of the JSON report's schema.
const JSONSchema = "sframe-lint/1"

// JSON writes one object with all findings and inputs. Its schema is docs/schema/findings.schema.json.
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
	textWriter
	err error
}

func newJSONWriter(w io.Writer) jsonWriter {
	return jsonWriter{textWriter: newTextWriter(w, escape.JSON)}
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
	// Elsewhere and Doubtful count what the code contradicts and no finding reports: see lint.ByRule and lint.ByDoubt.
	Elsewhere int `json:"elsewhere,omitempty"`
	Doubtful  int `json:"doubtful,omitempty"`
	// Judged counts the FREs of each section by what decides them.
	Judged []rules.Judged `json:"judged,omitempty"`
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
	// NoData is the text if no file has SFrame data.
	NoData string `json:"no_data,omitempty"`
}

// File writes the findings of a file at once; [JSON.Close] writes the rest.
func (j *JSON) File(f *lint.File) error {
	entries(f, func(kind string, v any) {
		if kind == "finding" {
			j.finding(v)
		} else {
			j.keepForEnd(j.lists[kind], v)
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
		in.Excepted, in.Elsewhere, in.Doubtful, in.Judged = o.Tally[lint.ByException], o.Tally[lint.ByRule], o.Tally[lint.ByDoubt], Judged(o)
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
	return jsonSummary{s.Errors, s.Warnings, s.Notes, s.Files, s.Fixed, s.LessSevere(), s.Tally[lint.ByBaseline], s.Tally[lint.ByException], s.Checked, s.Skipped, noData(s)}
}

func noData(s *lint.Summary) string {
	if s.NoData {
		return Nothing(s)
	}
	return ""
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

// keepForEnd keeps a value for the end of the report.
func (j *JSON) keepForEnd(list *spool.Spool, v any) {
	if line := j.marshal(v); j.Other(len(line)) && !list.Add(line) {
		j.Full()
	}
}

// list writes an array, one element on a line.
func (j *JSON) list(all *spool.Spool) {
	separator := "[\n    "
	j.note(all.Each(func(line []byte) {
		j.print(separator)
		separator = ",\n    "
		j.write(line)
	}))
	if all.Len() == 0 {
		j.print("[]")
	} else {
		j.print("\n  ]")
	}
}

// Judged returns the evidence that decides the FREs of each section, with the names as reports in JSON write them.
func Judged(o *lint.Object) []rules.Judged {
	all := slices.Clone(o.Judged)
	for i := range all {
		all[i].Section = nameJSON(all[i].Section)
		all[i].Reasons = slices.Clone(all[i].Reasons)
		for k := range all[i].Reasons {
			all[i].Reasons[k].At = messageJSON(all[i].Reasons[k].At)
		}
	}
	return all
}

// nameJSON returns a name of a member, section or function.
func nameJSON(s string) string { return ValidUTF8(escape.Cut(s, escape.MaxName)) }

func messageJSON(s string) string { return ValidUTF8(escape.Cut(s, escape.MaxMessage)) }

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

// MaxFix is the maximum size of a fix in a report, in bytes. The size of an edit is that of its new bytes plus 64.
const MaxFix = 64 << 10
