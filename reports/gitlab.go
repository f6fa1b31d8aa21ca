package reports

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// GitLab writes the findings as a code quality report of GitLab, a JSON array. A finding without a source line is at
// line 1 of the ELF file, and its text gives the place.
type GitLab struct {
	jsonWriter
	seen map[string]int
	any  bool
}

// NewGitLab returns a renderer that writes code quality reports.
func NewGitLab(w io.Writer) *GitLab {
	return &GitLab{jsonWriter: newJSONWriter(w), seen: map[string]int{}}
}

type gitlabIssue struct {
	Description string         `json:"description"`
	Check       string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end,omitempty"`
}

var gitlabSeverity = [...]string{rules.Note: "info", rules.Warning: "minor", rules.Error: "critical"}

// blocker is the severity of what makes the exit status 3.
const blocker = "blocker"

// File writes the findings of a file.
func (g *GitLab) File(f *lint.File) error {
	for i := range f.Objects {
		o := &f.Objects[i]
		for k := range o.Findings {
			g.finding(&o.Findings[k])
		}
		for _, n := range o.NotChecked() {
			severity := gitlabSeverity[n.Severity()]
			if n.Hidden {
				severity = blocker
			}
			g.problem(severity, o.Input.Path, inMember(o.Input.Member, NotChecked(&n)))
		}
		for _, gap := range o.HiddenGaps() {
			g.problem(blocker, o.Input.Path, NotRead(&o.Input, gap))
		}
		for _, x := range o.Failures {
			g.problem(blocker, x.Path, fmt.Sprintf("internal error in rule %s: %s", x.Rule, escape.Message(x.Reason)))
		}
	}
	if f.Err != nil {
		g.problem(blocker, f.Path, escape.Message(f.Reason()))
	}
	return g.flush()
}

// finding writes a finding.
func (g *GitLab) finding(x *rules.Finding) {
	text, at := Message(x), gitlabAt(x.Path, 1, 0)
	if s := x.Source; s != nil {
		at = gitlabAt(s.Path, s.Line, s.EndLine)
		text += "; the bytes: " + Bytes(x)
	} else {
		if where := Where(x); where != "" {
			text = where + ": " + text
		}
		text = inMember(x.Member, text)
	}
	g.issue(g.Finding, x.Rule.ID, lint.IdentityOf(x).Hash(), gitlabSeverity[x.Severity], at, text)
}

func gitlabAt(path string, begin, end int) gitlabLocation {
	return gitlabLocation{ValidUTF8(filepath.ToSlash(filepath.Clean(path))), gitlabLines{begin, end}}
}

// problem writes what is not a finding: an input that was not read, or not fully checked.
func (g *GitLab) problem(severity, path, text string) {
	g.issue(g.Other, "not-checked", "not-checked:"+filepath.Base(path), severity, gitlabAt(path, 1, 0), text)
}

// inMember writes a text about a member of an archive, or about a file by itself for "".
func inMember(member, text string) string {
	if member == "" {
		return text
	}
	return escape.Name(member) + ": " + text
}

// issue writes an element. The fingerprint gets an ordinal among those that are equal.
func (g *GitLab) issue(fits func(int) bool, check, fingerprint, severity string, at gitlabLocation, text string) {
	g.seen[fingerprint]++
	line := g.marshal(gitlabIssue{text, check, ValidUTF8(fmt.Sprintf("%s:%d", fingerprint, g.seen[fingerprint])), severity, at})
	if !fits(len(line) + 1) {
		return
	}
	if g.any {
		g.print(",\n")
	} else {
		g.print("[\n")
	}
	g.any = true
	g.write(line)
}

// Close ends the array.
func (g *GitLab) Close(s lint.Summary) error {
	if s.Empty {
		g.issue(always, "nothing-checked", "nothing-checked", blocker, gitlabAt(".", 1, 0), NothingChecked)
	} else if text := Nothing(&s); text != "" {
		g.issue(always, "no-sframe-data", "no-sframe-data", gitlabSeverity[rules.Note], gitlabAt(".", 1, 0), text)
	}
	if out := g.LeftOut(); out != nil {
		g.issue(always, "not-shown", "not-shown", blocker, gitlabAt(".", 1, 0), out.Error())
	}
	if !g.any {
		g.print("[")
	}
	g.print("\n]\n")
	return g.Done(g.flush())
}
