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
	rewrite.Counts
	Segment string `json:"segment,omitempty"`
	Type    string `json:"type,omitempty"` // that the section gets
}

func sectionName(sf *reader.SFrame) string {
	if sf.Name == "" {
		return "the section"
	}
	return reports.Escape(sf.Name)
}

func sectionReport(o *reader.Object, sf *reader.SFrame, c *rewrite.Change) rewriteSection {
	s := rewriteSection{Path: escape.UTF8(o.Path), Member: escape.UTF8(o.Member), Name: escape.UTF8(sf.Name),
		Version: int(c.Section.Version()), Before: c.Before, After: int64(len(c.Data)), Counts: c.Counts}
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
		return fmt.Sprintf("stays as it is: version %d, %s, %s", s.Version, rules.Count(s.FDEs, "FDE"), rules.Count(s.Before, "byte"))
	}
	parts := []string{fmt.Sprintf("version %d, %s, %d to %s", s.Version, rules.Count(s.FDEs, "FDE"), s.Before, rules.Count(s.After, "byte"))}
	if s.Sections > 1 {
		parts = append(parts, rules.Count(s.Sections, "section")+" merged")
	}
	parts = append(parts, amounts(
		amount{s.Misread, "section", "the start fields of %s contradicted the PCREL flag"},
		amount{s.Dead, "FDE", "left out: %s without code"},
		amount{s.Repeated, "FDE", "left out: %s that repeated another one"},
		amount{s.Joined, "FDE", "left out: %s of stubs that another one covers"},
		amount{s.FREs, "FRE", "left out: %s with the same contents as the previous one"},
		amount{s.Shared, "FDE", "%s with the FREs of another one"},
	)...)
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
