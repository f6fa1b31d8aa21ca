package reports

import (
	"encoding/hex"
	"fmt"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

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

	Cause      *jsonCause       `json:"cause,omitempty"`
	Source     *jsonSource      `json:"source,omitempty"`
	Fixes      []jsonFix        `json:"fixes,omitempty"`
	Correction []jsonCorrection `json:"mend,omitempty"`

	Witness []string `json:"witness,omitempty"`
}

// jsonCause is what findings of an input have in common.
type jsonCause struct {
	Text   string `json:"text"`
	Remedy string `json:"remedy"`
}

// jsonCorrection is a CFI directive that the source lacks.
type jsonCorrection struct {
	Offset    string `json:"offset"`
	Directive string `json:"directive"`
	After     int    `json:"after_line,omitempty"`
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
	for _, m := range f.Directives() {
		v.Correction = append(v.Correction, jsonCorrection{fmt.Sprintf("0x%x", m.Offset), m.Text, m.After})
	}
	if f.Frame != nil {
		for _, line := range f.Frame.Witness {
			v.Witness = append(v.Witness, messageJSON(line))
		}
	}
	if c := f.Cause(); c != nil {
		v.Cause = &jsonCause{messageJSON(c.Text), messageJSON(c.Remedy)}
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

// Fixes returns the fixes of a finding that a report contains. It omits fixes larger than MaxFix, such as those that
// sort many FDEs; --fix still applies them.
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
