package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// GitHub writes workflow commands of GitHub Actions. The service shows them as annotations.
type GitHub struct {
	textWriter
	repeats
}

// NewGitHub returns a renderer that writes workflow commands.
func NewGitHub(w io.Writer) *GitHub {
	return &GitHub{textWriter: newTextWriter(w, escape.Text)}
}

var commands = [...]string{rules.Note: "notice", rules.Warning: "warning", rules.Error: "error"}

// File writes a command for each finding.
func (g *GitHub) File(f *lint.File) error {
	for i := range f.Objects {
		o := &f.Objects[i]
		for _, x := range g.first(o) {
			g.finding(&x)
		}
		for _, n := range o.NotChecked() {
			g.writeOther(n.Severity(), o.Input.Path, o.Input.Member, NotChecked(&n))
		}
		for _, gap := range o.HiddenGaps() {
			g.notRead(f.Path, o.Input.Member, NotRead(&o.Input, gap))
		}
		for _, x := range o.Failures {
			g.notRead(x.Path, x.Member, fmt.Sprintf("internal error in rule %s: %s", x.Rule, escape.Message(x.Reason)))
		}
	}
	if f.Err != nil {
		g.notRead(f.Path, "", escape.Message(f.Reason()))
	}
	return g.out.Flush()
}

// Close writes a command for the configuration of the run. It writes another if the run has checked nothing, and
// another if the report is not complete.
func (g *GitHub) Close(s lint.Summary) error {
	if c := s.Configuration; c != nil {
		severity := rules.Note
		if c.Weakens() {
			severity = rules.Warning
		}
		g.command(always, severity, c.Path, "configuration", Configuration(c))
	}
	for _, x := range g.all {
		g.commandAt(g.Other, rules.Note, sourceProperties(x.at.Source), x.at.Rule.ID, x.String())
	}
	if s.Empty {
		g.command(always, rules.Error, "", "nothing checked", NothingChecked)
	} else if text := Nothing(&s); text != "" {
		g.command(always, rules.Warning, "", "no SFrame data", text)
	}
	if out := g.LeftOut(); out != nil {
		g.command(always, rules.Error, "", "not shown", out.Error())
	}
	return g.Done(g.out.Flush())
}

func (g *GitHub) finding(f *rules.Finding) {
	if s := f.Source; s != nil {
		text := Message(f) + "\n" + Source(f) + "\nThe bytes: " + Bytes(f)
		g.commandAt(g.Finding, f.Severity, sourceProperties(s), f.Rule.ID, text)
		return
	}
	g.command(g.Finding, f.Severity, f.Path, f.Rule.ID, joined(": ", escape.Name(f.Member), bytesAt(f), frame(f), Message(f)))
}

// sourceProperties returns the properties of a command that is about a source line.
func sourceProperties(s *rules.Source) string {
	return fileProperty(s.Path) + fmt.Sprintf("line=%d,endLine=%d,", s.Line, s.EndLine)
}

// fileProperty returns the property of a command that names its file.
func fileProperty(path string) string {
	return "file=" + commandProperty.Replace(ValidUTF8(path)) + ","
}

// notRead writes a command for an input that was not read, or not fully checked.
func (g *GitHub) notRead(path, member, text string) { g.writeOther(rules.Error, path, member, text) }

func (g *GitHub) writeOther(severity rules.Severity, path, member, text string) {
	if member != "" {
		text = escape.Name(member) + ": " + text
	}
	g.command(g.Other, severity, path, "not checked", text)
}

// command writes a command if it fits. Without a path, it is about no file.
func (g *GitHub) command(fits func(n int) bool, severity rules.Severity, path, title, text string) {
	if path != "" {
		path = fileProperty(path)
	}
	g.commandAt(fits, severity, path, title, text)
}

// commandAt writes a command with the properties of a place if it fits.
func (g *GitHub) commandAt(fits func(n int) bool, severity rules.Severity, place, title, text string) {
	rest := " " + place + "title=" + title + "::" + commandData.Replace(text) + "\n"
	if fits(len(rest) + len("::warning")) {
		g.w.Raw("::" + commands[severity])
		g.w.WriteString(rest)
	}
}

// A command ends at the line's end, a property at a comma or colon. The
// runner undoes these replacements.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
