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
	}
	return g.w.Flush()
}

// Close ends the report; all of it has been written.
func (g *GitHub) Close(lint.Summary) error { return g.w.Flush() }

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
	if n.Limit {
		command = commands[rules.Note]
	}
	if in.Member != "" {
		text = Escape(in.Member) + ": " + text
	}
	fmt.Fprintf(g.w, "::%s file=%s,title=not checked::%s\n", command, commandProperty.Replace(ValidUTF8(in.Path)), commandData.Replace(text))
}

// A command ends at the line's end, a property at a comma or colon. The
// runner undoes these replacements.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
