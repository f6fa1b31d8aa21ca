package reports

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Name returns the name of an input in texts: the path and, in parentheses, the
// member of an archive. Of the names of members, sections and functions, reports
// show 256 bytes and the length.
func Name(path, member string) string {
	if member == "" {
		return Escape(path)
	}
	return Escape(path) + "(" + escape.Name(member) + ")"
}

// bytesAt returns the place of the finding's bytes in the file, "" for a finding
// about all of it.
func bytesAt(f *rules.Finding) string {
	switch {
	case f.InSection:
		return fmt.Sprintf("%s+0x%x (file 0x%x)", SectionName(f), f.Span.Off, f.FileOffset)
	case f.Span.Off == 0 && f.Span.Len == 0:
		return ""
	}
	return fmt.Sprintf("file 0x%x", f.FileOffset)
}

// Where returns the place of a finding in words: its bytes, FDE and FRE.
func Where(f *rules.Finding) string {
	var parts []string
	for _, part := range []string{bytesAt(f), frame(f)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// SectionName returns the name of the section that a finding is about; that of a
// raw section is .sframe.
func SectionName(f *rules.Finding) string {
	if f.Section == "" {
		return ".sframe"
	}
	return escape.Name(f.Section)
}

// frame names the FDE and FRE that the finding is about, "" for none.
func frame(f *rules.Finding) string {
	if f.FDE < 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "FDE %d", f.FDE)
	switch {
	case f.Function != "":
		b.WriteString(` "` + escape.Name(f.Function) + `"`)
	case f.HasPC:
		fmt.Fprintf(&b, " (pc 0x%x)", f.PC)
	}
	if f.FRE >= 0 {
		fmt.Fprintf(&b, " FRE %d", f.FRE)
	}
	return b.String()
}
