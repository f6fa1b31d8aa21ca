package lintcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// rewriteReport is the report of the command.
type rewriteReport struct {
	Schema   string           `json:"schema"`
	Sections []rewriteSection `json:"sections"`
}

// rewriteSection is the result for a section.
type rewriteSection struct {
	Path    string `json:"path"`
	Member  string `json:"member,omitempty"`
	Name    string `json:"section,omitempty"`
	Changed bool   `json:"changed"`
	Version int    `json:"version"`
	Before  int64  `json:"bytes_before"`
	After   int64  `json:"bytes_after"`
	Merged  int    `json:"merged"` // sections that it consists of
	FDEs    int    `json:"fdes"`
	// FDEs and FREs that were left out.
	Dead     int    `json:"fdes_without_code"`
	Repeated int    `json:"fdes_repeated"`
	Joined   int    `json:"fdes_joined"`
	FREs     int    `json:"fres_repeated"`
	Shared   int    `json:"fdes_sharing"`     // FDEs whose FREs are those of another one
	Misread  int    `json:"starts_corrected"` // sections whose start fields contradicted the PCREL flag
	Segment  string `json:"segment,omitempty"`
	Type     string `json:"type,omitempty"` // that the section gets
}

func sectionName(sf *reader.SFrame) string {
	if sf.Name == "" {
		return "the section"
	}
	return reports.Escape(sf.Name)
}

func sectionReport(o *reader.Object, sf *reader.SFrame, c *rewrite.Change) rewriteSection {
	s := rewriteSection{Path: escape.UTF8(o.Path), Member: escape.UTF8(o.Member), Name: escape.UTF8(sf.Name),
		Version: int(c.Section.Version()), Before: c.Before, After: int64(len(c.Data)), Merged: c.Sections, FDEs: c.Section.NumFDEs(),
		Dead: c.Dead, Repeated: c.Repeated, Joined: c.Joined, FREs: c.FREs, Shared: c.Shared, Misread: c.Misread}
	if c.Type {
		s.Type = "SHT_GNU_SFRAME"
	}
	switch {
	case c.Segment:
		s.Segment = "added"
	case c.NoRoom:
		s.Segment = "no-room"
	}
	return s
}

// text writes the report as text.
func (r *rewriteReport) text(w io.Writer) error {
	for _, s := range r.Sections {
		name := s.Name
		if name == "" {
			name = "section"
		}
		line := fmt.Sprintf("%s: %s: %s", reports.Name(s.Path, s.Member), escape.Name(name), s.describe())
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// describe describes the result for a section.
func (s *rewriteSection) describe() string {
	if !s.Changed {
		return fmt.Sprintf("stays as it is: version %d, %s, %s", s.Version, rules.Count(s.FDEs, "FDE"), rules.Count(int(s.Before), "byte"))
	}
	parts := []string{fmt.Sprintf("version %d, %s, %d to %s", s.Version, rules.Count(s.FDEs, "FDE"), s.Before, rules.Count(int(s.After), "byte"))}
	add := func(n int, noun, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, rules.Count(n, noun)))
		}
	}
	if s.Merged > 1 {
		add(s.Merged, "section", "%s merged")
	}
	add(s.Misread, "section", "the start fields of %s contradicted the PCREL flag")
	add(s.Dead, "FDE", "left out: %s without code")
	add(s.Repeated, "FDE", "left out: %s that repeated another one")
	add(s.Joined, "FDE", "left out: %s of stubs that another one covers")
	add(s.FREs, "FRE", "left out: %s with the same contents as the previous one")
	add(s.Shared, "FDE", "%s with the FREs of another one")
	if s.Type != "" {
		parts = append(parts, "sh_type becomes "+s.Type)
	}
	switch s.Segment {
	case "added":
		parts = append(parts, "PT_GNU_SFRAME added")
	case "no-room":
		parts = append(parts, "no room for PT_GNU_SFRAME, by which programs find the section at run time")
	}
	return strings.Join(parts, "; ")
}
