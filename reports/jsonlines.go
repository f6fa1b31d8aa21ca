package reports

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/container"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// JSONLines writes one JSON object a line, each as soon as possible. Lines such as {"finding": ...} and {"input":
// ...} contain the elements of the lists of [JSON]. The last line is {"summary": ...}.
type JSONLines struct {
	jsonWriter
	measures bool
}

// NewJSONLines returns a renderer that writes JSON lines.
func NewJSONLines(w io.Writer) *JSONLines { return &JSONLines{jsonWriter: newJSONWriter(w)} }

// Measures adds the measurements of each input: {"facts": ...} and {"coverage": ...} follow its other lines.
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

// Close writes the entries that the report omits, the configuration and the summary.
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

// maxReplayed bounds a line of a report that is read, in bytes.
const maxReplayed = 64 << 20

// replayed is a line of [JSONLines] that is about an input.
type replayed struct {
	Finding  *jsonFinding   `json:"finding"`
	Input    *jsonInput     `json:"input"`
	Cut      *jsonCut       `json:"cut"`
	Skipped  *jsonSkip      `json:"skipped"`
	Failure  *jsonFailure   `json:"failure"`
	Coverage *coverage.File `json:"coverage"`
	Facts    *jsonFacts     `json:"facts"`
}

// Replay reads the output of [JSONLines] and passes on the results of each path until yield returns false. It skips
// lines of other kinds. rule returns a rule by its ID. The results have no bytes around findings, and only the
// witnesses among the stack frames.
func Replay(r io.Reader, rule func(id string) *rules.Rule, yield func(*lint.File) bool) error {
	p := &player{rule: rule}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxReplayed)
	for n := 1; lines.Scan(); n++ {
		var x replayed
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		ended, err := p.line(&x)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if ended != nil && !yield(ended) {
			return nil
		}
	}
	if p.file != nil {
		yield(p.file)
	}
	return lines.Err()
}

// player makes results of lines.
type player struct {
	rule     func(id string) *rules.Rule
	file     *lint.File
	findings []rules.Finding // of the next input
	sections map[string]int  // of an object: its indexes by name
	place    string          // of the findings: the file of a thin archive's member
	causes   map[jsonCause]*rules.Cause
}

var errOrder = errors.New("it belongs to no input")

// line adds a line. It returns the results of a path when another one begins.
func (p *player) line(x *replayed) (ended *lint.File, err error) {
	var o *lint.Object
	if p.file != nil && len(p.file.Objects) > 0 {
		o = &p.file.Objects[len(p.file.Objects)-1]
	}
	switch {
	case x.Finding != nil:
		if len(p.findings) == 0 {
			p.sections = nil
		}
		f, err := p.finding(x.Finding)
		p.findings = append(p.findings, f)
		return nil, err
	case x.Input != nil:
		return p.input(x.Input), nil
	case x.Coverage != nil:
		if o = p.object(x.Coverage.Path, x.Coverage.Member); o != nil {
			o.Coverage = x.Coverage
		}
	case x.Facts != nil:
		if o = p.object(x.Facts.Path, x.Facts.Member); o != nil {
			o.Facts = &x.Facts.Facts
		}
	case x.Cut == nil && x.Skipped == nil && x.Failure == nil:
		return nil, nil
	case o == nil:
		return nil, errOrder
	case x.Cut != nil:
		if o.Cut == nil {
			o.Cut = map[string]int{}
		}
		o.Cut[x.Cut.Rule] = x.Cut.Count
	case x.Skipped != nil:
		p.skipped(o, x.Skipped)
	default:
		f := x.Failure
		o.Failures = append(o.Failures, rules.Failure{Rule: f.Rule, Path: f.Path, Member: f.Member, Reason: f.Reason})
	}
	return nil, nil
}

// object returns the input of the current path with a name, nil for none.
func (p *player) object(path, member string) *lint.Object {
	if p.file == nil || p.file.Path != path {
		return nil
	}
	for i := len(p.file.Objects) - 1; i >= 0; i-- {
		if o := &p.file.Objects[i]; o.Input.Member == member {
			return o
		}
	}
	return nil
}

func (p *player) input(in *jsonInput) (ended *lint.File) {
	if p.file == nil || p.file.Path != in.Path {
		ended = p.file
		p.file = &lint.File{Path: in.Path}
		_, _, p.file.InPackage = container.Cut(in.Path)
	}
	findings := p.findings
	if p.findings = nil; len(findings) == 0 {
		p.sections = nil
	}
	if in.Status == string(lint.StatusUnreadable) && in.ABI == "" && len(findings) == 0 && len(in.NotRead) == 0 {
		p.file.Err = errors.New(in.Detail)
		return ended
	}
	o := lint.Object{Input: inputOf(in), Findings: findings}
	o.Tally[lint.ByException], o.Tally[lint.ByRule], o.Tally[lint.ByDoubt], o.Judged = in.Excepted, in.Elsewhere, in.Doubtful, in.Judged
	o.Input.File, p.place = p.place, ""
	for _, why := range in.NotRead {
		o.Gaps = append(o.Gaps, lint.Gap{Reason: why})
	}
	p.file.Objects = append(p.file.Objects, o)
	return ended
}

func inputOf(in *jsonInput) lint.Input {
	out := lint.Input{Path: in.Path, Member: in.Member, Status: reader.Status(in.Status), Detail: in.Detail, ABI: in.ABI, BigEndian: in.ByteOrder == "big"}
	if in.Version != nil {
		out.Version = model.Version(*in.Version)
	}
	if in.FDEs != nil && in.FREs != nil {
		out.FDEs, out.FREs = *in.FDEs, *in.FREs
	}
	if in.Bytes != nil {
		out.Bytes, out.Sections = *in.Bytes, max(1, in.Sections)
	}
	return out
}

func (p *player) skipped(o *lint.Object, x *jsonSkip) {
	h := rules.HeldBack{Rule: x.Rule, Section: x.Section, SectionIndex: p.section(x.Section)}
	h.Absence = rules.Absence{Reason: x.Reason, Causes: x.Causes, Limit: x.Limit, Chosen: x.Chosen, Part: x.Part}
	h.Fact, _ = rules.ParseFact(x.Fact)
	o.HeldBack = append(o.HeldBack, h)
	if x.Accepted {
		o.Accept(&h)
	}
}

// section returns an index for a section of an object. 0 stands for the whole object.
func (p *player) section(name string) int {
	if name == "" {
		return 0
	}
	if p.sections == nil {
		p.sections = map[string]int{}
	}
	if p.sections[name] == 0 {
		p.sections[name] = len(p.sections) + 1
	}
	return p.sections[name]
}

func (p *player) finding(x *jsonFinding) (rules.Finding, error) {
	f := rules.Finding{
		Rule: p.rule(x.Rule), Message: x.Message, Help: x.Help, Path: x.Path, Member: x.Member, Section: x.Section,
		FileOffset: x.FileOffset, FDE: -1, FRE: -1, Function: x.Function, Quirk: x.Quirk,
	}
	f.Span.Len = x.Length
	if f.Rule == nil {
		return f, fmt.Errorf("unknown rule %q", x.Rule)
	}
	var err error
	if f.Severity, err = rules.ParseSeverity(x.Severity); err != nil {
		return f, err
	}
	if x.SectionOffset != nil {
		f.InSection, f.Span.Off = true, *x.SectionOffset
		f.SectionIndex = p.section(x.Section)
	}
	f.Base = f.FileOffset - f.Span.Off
	if x.FDE != nil {
		f.FDE = *x.FDE
	}
	if x.FRE != nil {
		f.FRE = *x.FRE
	}
	if x.PC != "" {
		if f.PC, err = strconv.ParseUint(x.PC, 0, 64); err != nil {
			return f, err
		}
		f.HasPC = true
	}
	if i := strings.LastIndex(x.At, "+0x"); i >= 0 {
		if off, err := strconv.ParseUint(x.At[i+1:], 0, 64); err == nil {
			f.At = &rules.Addr{Section: x.At[:i], Addr: f.PC - off}
		}
	}
	if f.Fixes, err = fixesOf(x.Fixes, f.Base); err != nil {
		return f, err
	}
	if len(x.Fixes) > 0 {
		p.place = x.Fixes[0].Path
	}
	if len(x.Witness) > 0 {
		f.Frame = &rules.Frame{Witness: x.Witness}
	}
	if len(x.Correction) > 0 || x.Cause != nil {
		f.Correction = &rules.Correction{}
	}
	for _, m := range x.Correction {
		off, err := strconv.ParseUint(m.Offset, 0, 64)
		if err != nil {
			return f, err
		}
		f.Correction.Directives = append(f.Correction.Directives, rules.Directive{Offset: off, Text: m.Directive, After: m.After})
	}
	if c := x.Cause; c != nil {
		if p.causes == nil {
			p.causes = map[jsonCause]*rules.Cause{}
		}
		if p.causes[*c] == nil {
			p.causes[*c] = (*rules.Cause)(c)
		}
		f.Correction.Cause = p.causes[*c]
	}
	if s := x.Source; s != nil {
		f.Source = &rules.Source{Path: s.Path, Line: s.Line, EndLine: max(s.Line, s.EndLine), Function: s.Function}
		for _, c := range s.Inlined {
			f.Source.Inlined = append(f.Source.Inlined, rules.Call(c))
		}
	}
	return f, nil
}

// fixesOf returns the fixes of an object that begins at base.
func fixesOf(all []jsonFix, base int64) (out []rules.Fix, err error) {
	for _, x := range all {
		f := rules.Fix{Message: x.Message, Safe: x.Safe}
		for _, e := range x.Edits {
			b, err := hex.DecodeString(e.Bytes)
			if err != nil {
				return nil, err
			}
			f.Edits = append(f.Edits, rules.Edit{Span: model.Span{Off: e.FileOffset - base, Len: e.Length}, New: b})
		}
		out = append(out, f)
	}
	return out, nil
}
