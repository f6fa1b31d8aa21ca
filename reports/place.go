package reports

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/rules"
)

// Name returns how an input is called in text: the path and, in
// parentheses, the member of an archive.
func Name(path, member string) string {
	if member == "" {
		return Escape(path)
	}
	return Escape(path) + "(" + Escape(member) + ")"
}

// bytesAt says where in the file the finding's bytes are, "" for a finding
// about the whole of it.
func bytesAt(f *rules.Finding) string {
	switch {
	case f.InSection:
		return fmt.Sprintf("%s+0x%x (file 0x%x)", SectionName(f), f.Span.Off, f.FileOffset)
	case f.Span.Off == 0 && f.Span.Len == 0:
		return ""
	}
	return fmt.Sprintf("file 0x%x", f.FileOffset)
}

// Where says in words where a finding is: its bytes, and the FDE and FRE.
func Where(f *rules.Finding) string {
	var parts []string
	for _, part := range []string{bytesAt(f), frame(f)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// SectionName returns the name of the section that a finding is about; a
// raw section goes by the usual one.
func SectionName(f *rules.Finding) string {
	if f.Section == "" {
		return ".sframe"
	}
	return Escape(f.Section)
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
		b.WriteString(` "` + Escape(f.Function) + `"`)
	case f.HasPC:
		fmt.Fprintf(&b, " (pc 0x%x)", f.PC)
	}
	if f.FRE >= 0 {
		fmt.Fprintf(&b, " FRE %d", f.FRE)
	}
	return b.String()
}
