package reports

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Source returns the place of a finding in the source text, as "lcode.c:812 (in luaK_codeABC)",
// "" if it is not known.
func Source(f *rules.Finding) string {
	s := f.Source
	if s == nil {
		return ""
	}
	at := lineOf(s.Path, s.Line)
	if s.EndLine > s.Line {
		at += fmt.Sprintf("-%d", s.EndLine)
	}
	name := s.Function
	if name == "" {
		name = f.Function
	}
	if name == "" {
		return at
	}
	var in strings.Builder
	in.WriteString("in " + escape.Name(name))
	for _, c := range s.Inlined {
		in.WriteString(", inlined into " + escape.Name(c.Function))
		if c.Line > 0 {
			in.WriteString(" at " + lineOf(c.Path, c.Line))
		}
	}
	return at + " (" + in.String() + ")"
}

func lineOf(path string, line int) string { return fmt.Sprintf("%s:%d", escape.Name(path), line) }

// Bytes returns the place of a finding's bytes, with the input, for reports that place it at a
// source line.
func Bytes(f *rules.Finding) string {
	name := Name(f.Path, f.Member)
	if at := Where(f); at != "" {
		name += ": " + at
	}
	return name
}
