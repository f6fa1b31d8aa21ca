package reports

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// GitHub writes workflow commands of GitHub Actions, which become
// annotations.
type GitHub struct{ w *bufio.Writer }

// NewGitHub returns a renderer that writes workflow commands.
func NewGitHub(w io.Writer) *GitHub { return &GitHub{bufio.NewWriter(w)} }

var commands = [...]string{rules.Note: "notice", rules.Warning: "warning", rules.Error: "error"}

// File writes a command for each finding.
func (g *GitHub) File(f *lint.File) error {
	for i := range f.Objects {
		for j := range f.Objects[i].Findings {
			g.finding(&f.Objects[i].Findings[j])
		}
		for _, n := range f.Objects[i].NotChecked() {
			g.notChecked(&f.Objects[i].Input, &n)
		}
		for _, gap := range f.Objects[i].HiddenGaps() {
			g.notRead(f.Path, f.Objects[i].Input.Member, NotRead(&f.Objects[i].Input, gap))
		}
		for _, x := range f.Objects[i].Failures {
			g.notRead(x.Path, x.Member, fmt.Sprintf("internal error in rule %s: %s", x.Rule, Escape(x.Reason)))
		}
	}
	if f.Err != nil {
		g.notRead(f.Path, "", Escape(f.Reason()))
	}
	return g.w.Flush()
}

// Close writes a command for the configuration of the run, and one if the run has
// checked nothing.
func (g *GitHub) Close(s lint.Summary) error {
	if c := s.Configuration; c != nil {
		command := commands[rules.Note]
		if c.Weakens() {
			command = commands[rules.Warning]
		}
		fmt.Fprintf(g.w, "::%s file=%s,title=configuration::%s\n", command, commandProperty.Replace(ValidUTF8(c.Path)), commandData.Replace(Configuration(c)))
	}
	if s.Empty {
		fmt.Fprintf(g.w, "::%s title=nothing checked::%s\n", commands[rules.Error], NothingChecked)
	}
	return g.w.Flush()
}

func (g *GitHub) finding(f *rules.Finding) {
	var msg []string
	if f.Member != "" {
		msg = append(msg, Escape(f.Member))
	}
	for _, part := range []string{bytesAt(f), frame(f), Escape(f.Message)} {
		if part != "" {
			msg = append(msg, part)
		}
	}
	fmt.Fprintf(g.w, "::%s file=%s,title=%s::%s\n",
		commands[f.Severity], commandProperty.Replace(ValidUTF8(f.Path)), f.Rule.ID,
		commandData.Replace(strings.Join(msg, ": ")))
}

func (g *GitHub) notChecked(in *lint.Input, n *lint.NotChecked) {
	command, text := commands[rules.Warning], NotChecked(n)
	switch {
	case n.Hidden:
		command = commands[rules.Error]
	case n.Limit:
		command = commands[rules.Note]
	}
	if in.Member != "" {
		text = Escape(in.Member) + ": " + text
	}
	fmt.Fprintf(g.w, "::%s file=%s,title=not checked::%s\n", command, commandProperty.Replace(ValidUTF8(in.Path)), commandData.Replace(text))
}

// notRead writes a command for an input that was not read, or not fully checked.
func (g *GitHub) notRead(path, member, text string) {
	if member != "" {
		text = Escape(member) + ": " + text
	}
	fmt.Fprintf(g.w, "::%s file=%s,title=not checked::%s\n", commands[rules.Error], commandProperty.Replace(ValidUTF8(path)), commandData.Replace(text))
}

// A command ends at the line's end, a property at a comma or colon. The
// runner undoes these replacements.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
