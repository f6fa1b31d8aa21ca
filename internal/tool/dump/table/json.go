package table

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// JSON writes each function as an object on a line.
type JSON struct {
	t   *Table
	out *bufio.Writer
	enc *json.Encoder
}

// NewJSON returns a writer of the functions of a table.
func NewJSON(w io.Writer, t *Table) *JSON {
	out := bufio.NewWriterSize(w, 64<<10)
	return &JSON{t, out, json.NewEncoder(out)}
}

// The objects. Addresses are strings: some readers of JSON cannot represent 64-bit numbers.
type (
	jsonFunction struct {
		Schema   string     `json:"schema"`
		Input    string     `json:"input"`
		Member   string     `json:"member,omitempty"`
		ABI      string     `json:"abi"`
		Kind     Content    `json:"kind"`
		Name     string     `json:"name,omitempty"`
		Section  string     `json:"section,omitempty"`
		Start    string     `json:"start"`
		End      string     `json:"end"`
		SFrame   *int       `json:"sframe_section,omitempty"`
		FDE      *int       `json:"fde,omitempty"`
		Differs  []string   `json:"differs"`
		Lines    []jsonLine `json:"instructions"`
		Findings []jsonFind `json:"findings,omitempty"`
	}
	jsonLine struct {
		PC       string     `json:"pc"`
		Bytes    string     `json:"bytes"`
		Text     string     `json:"text"`
		Target   string     `json:"target,omitempty"`
		To       string     `json:"target_name,omitempty"`
		Relocs   []jsonRel  `json:"relocations,omitempty"`
		SFrame   *jsonRow   `json:"sframe,omitempty"`
		CFI      *jsonRow   `json:"cfi,omitempty"`
		Code     *jsonRow   `json:"code,omitempty"`
		Unknown  string     `json:"code_unknown,omitempty"`
		Agrees   bool       `json:"code_agrees"`
		Differs  []string   `json:"differs,omitempty"`
		Findings []jsonFind `json:"findings,omitempty"`
		File     string     `json:"file,omitempty"`
		Line     int        `json:"line,omitempty"`
	}
	jsonRow struct {
		CFA     string `json:"cfa"`
		RA      string `json:"ra"`
		FP      string `json:"fp"`
		Signed  bool   `json:"signed,omitempty"`
		Signal  bool   `json:"signal,omitempty"`
		FRE     *int   `json:"fre,omitempty"`
		Offset  *int64 `json:"offset,omitempty"`
		Size    *int64 `json:"size,omitempty"`
		Unclear string `json:"unclear,omitempty"`
	}
	jsonRel struct {
		Offset string `json:"offset"`
		Type   string `json:"type"`
		Symbol string `json:"symbol"`
	}
	jsonFind struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
		Help     string `json:"help,omitempty"`
		Section  string `json:"section,omitempty"`
		Offset   int64  `json:"offset"`
		Length   int64  `json:"length"`

		Witness []string `json:"witness,omitempty"`
	}
)

// Begin writes the findings that are not about code, as an object without instructions.
func (j *JSON) Begin(bool) error {
	all := j.t.OtherFindings()
	if len(all) == 0 {
		return nil
	}
	x := j.object()
	x.Kind, x.Start, x.End, x.Lines, x.Findings = "object", hexText(0), hexText(0), []jsonLine{}, finds(all)
	return j.enc.Encode(x)
}

func (j *JSON) object() *jsonFunction {
	o := j.t.Object
	return &jsonFunction{Schema: "sframe-lint/code/1", Input: escape.UTF8(o.Path), Member: escape.UTF8(o.Member), ABI: j.t.ABI.Name, Differs: []string{}}
}

// Function writes a function as an object on a line.
func (j *JSON) Function(f *Function) error {
	x := j.object()
	x.Kind, x.Name, x.Section, x.Start, x.End = f.Kind, f.Name, escape.UTF8(f.Section), hexText(f.Start), hexText(f.End)
	if f.FDE >= 0 {
		x.SFrame, x.FDE = &f.SFrame, &f.FDE
	}
	x.Differs = append(x.Differs, f.Differs.Names()...)
	x.Lines = make([]jsonLine, 0, len(f.Lines))
	for i := range f.Lines {
		if l := &f.Lines[i]; !j.t.opts.OnlyDifferences || l.Differs != 0 || len(l.Findings) > 0 {
			x.Lines = append(x.Lines, j.line(l))
		}
	}
	return j.enc.Encode(x)
}

func (j *JSON) line(l *Line) jsonLine {
	x := jsonLine{PC: hexText(l.PC), Bytes: hex.EncodeToString(l.Bytes), Text: l.FullText(), To: l.To, Differs: l.Differs.Names(),
		Findings: finds(l.Findings), File: escape.UTF8(l.File), Line: l.Line, Agrees: l.Code.Agrees}
	if l.Target != 0 {
		x.Target = hexText(l.Target)
	}
	for _, r := range l.Relocs {
		x.Relocs = append(x.Relocs, jsonRel{hexText(r.Offset), r.Type, r.Symbol})
	}
	x.SFrame, x.CFI = j.side(&l.SFrame, true), j.side(&l.CFI, false)
	switch {
	case l.Code.Judged && l.Code.Reason == 0:
		x.Code = j.row(l.Code.Row, l.Code.Signed)
	default:
		x.Unknown = l.Code.Reason.String()
	}
	return x
}

func (j *JSON) row(r model.Row, signed bool) *jsonRow {
	text := func(v model.Recovery) string {
		if v.Kind == model.Invalid {
			return "unknown"
		}
		return v.Format(j.t.ABI)
	}
	return &jsonRow{CFA: text(r.CFA), RA: text(r.RA), FP: text(r.FP), Signed: signed}
}

func (j *JSON) side(s *Side, sframe bool) *jsonRow {
	if !s.Has {
		return nil
	}
	x := j.row(s.Row, s.Signed)
	x.Signal, x.Unclear = s.Signal, s.Unclear
	if sframe && s.FRE >= 0 {
		x.FRE, x.Offset, x.Size = &s.FRE, &s.Off, &s.Size
	}
	return x
}

func finds(all []*rules.Finding) (out []jsonFind) {
	for _, f := range all {
		x := jsonFind{Rule: f.Rule.ID, Severity: f.Severity.String(), Message: escape.UTF8(f.Message), Help: escape.UTF8(f.Help), Section: escape.UTF8(f.Section), Offset: f.Span.Off, Length: f.Span.Len}
		if f.Frame != nil {
			for _, line := range f.Frame.Witness {
				x.Witness = append(x.Witness, escape.UTF8(line))
			}
		}
		out = append(out, x)
	}
	return out
}

func hexText(v uint64) string { return fmt.Sprintf("0x%x", v) }

// Flush writes buffered text.
func (j *JSON) Flush() error { return j.out.Flush() }
