package campaign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// titles describe kinds in the title of a report.
var titles = map[Outcome]string{
	Crash:        "crashes on a file with %s SFrame section",
	Hang:         "does not end on a small file",
	Memory:       "uses memory out of proportion to the size of its input",
	Slow:         "uses time out of proportion to the size of its input",
	RejectsValid: "reports a fault in a valid SFrame section",
	Misreads:     "prints other contents of a valid SFrame section than its bytes state",
	Worsens:      "writes a faulty SFrame section for a valid input",
	Silent:       "does not report a fault that makes the SFrame section unusable",
	Disagree:     "reads an SFrame section differently from another program",
}

// reportTo returns where the crash should be reported. If memory is written out of bounds, the
// security policy comes first.
func (f *Find) reportTo() string {
	for _, x := range programs().Projects {
		switch {
		case !slices.ContainsFunc(x.In, func(part string) bool { return strings.Contains(f.Version+" "+f.Target, part) }):
		case f.writes():
			return fmt.Sprintf("The program writes memory out of bounds. Read the security policy first: %s\nWhat is no security bug is reported at %s.", x.Security, x.Bugs)
		default:
			return fmt.Sprintf("Where to report it: %s. The security policy: %s", x.Bugs, x.Security)
		}
	}
	if f.writes() {
		return "The program writes memory out of bounds. Read the security policy of its project first."
	}
	return ""
}

// markdown returns a report that can be sent to the target's project.
func (f *Find) markdown(files map[string][]byte) []byte {
	var b bytes.Buffer
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	name, _, _ := strings.Cut(f.Version, " (")
	title := strings.ReplaceAll(titles[f.Kind], "%s", map[bool]string{true: "a valid", false: "a damaged"}[f.valid()])
	if f.Unsteady {
		title += fmt.Sprintf(", not in each of %d runs", replays)
	}
	p("# %s %s\n\n", cmp.Or(name, f.Target), title)
	if to := f.reportTo(); f.writes() {
		p("%s\n\n", to)
	}
	p("- Program: %s\n- Command: `%s`\n", cmp.Or(f.Version, f.Target), strings.ReplaceAll(strings.ReplaceAll(f.Command, program.Input, f.File), program.Output, "output"))
	if f.OtherCommand != "" {
		p("- Other program: %s\n- Its command: `%s`\n", cmp.Or(f.OtherVersion, f.With), strings.ReplaceAll(f.OtherCommand, program.Input, f.File))
	}
	p("- To see it again: `%s`\n", f.Reproduce)
	p("- Input: `%s`, %d bytes, of which %d are not zero; SHA-256 %s\n", f.File, f.Size, f.NonZero, f.SHA256)
	p("- What happens: %s\n", f.Key)
	if f.Message != "" && f.Message != f.Key && f.Kind != Disagree {
		p("- Message or difference: %s\n", f.Message)
	}
	for _, stack := range []struct {
		title  string
		frames []string
	}{{"Stack, from the innermost frame on", f.Stack}, {"The memory was allocated by", f.Allocated}} {
		if len(stack.frames) > 0 {
			p("- %s: `%s`\n", stack.title, strings.Join(stack.frames, "`, `"))
		}
	}
	p("\n## Is the input valid?\n\n")
	f.causeText(p)
	p("\n## Is this a known fault?\n\n")
	f.faultText(p)
	if to := f.reportTo(); f.Kind == Crash && !f.writes() && to != "" {
		p("\n%s\n", to)
	}
	p("\n## How the input was made\n\nClass %s, seed %d, input %d.", f.Class, f.Seed, f.Input)
	if f.Recipe != nil && len(f.Recipe.Breaks) > 0 {
		p(" Break: %s.", f.Recipe.Breaks[0].Name)
	}
	if len(f.Changes) > 0 {
		p(" Changes: %s.", strings.Join(f.Changes, "; "))
	}
	if data := files[f.File]; len(data) <= maxDump {
		p(" It was then minimized.\n\n    base64 -d > %s <<'END'\n", f.File)
		for _, line := range base64Lines(data) {
			p("    %s\n", line)
		}
		p("    END\n")
	} else {
		p(" It was then minimized, to %s next to this report.\n", f.File)
	}
	p("\n## The bytes\n\n```\n%s```\n", files["annotated.txt"])
	if text := dump.Texts(files[f.File], maxAssembly); text != "" {
		p("\n## As text\n\nsframe-lint asm makes the bytes of the section of this.\n\n```\n%s```\n", text)
	}
	return b.Bytes()
}

// valid reports whether the minimal file is valid.
func (f *Find) valid() bool {
	return f.Class == Valid || f.Cause != nil && f.Cause.Clean && len(f.Clauses) == 0
}

// causeText states that the input is valid, or what is wrong with it and what the failure depends on.
func (f *Find) causeText(p func(string, ...any)) {
	switch {
	case f.Kind == Disagree:
		p("%s.\n", f.Message)
		if len(f.Clauses) > 0 {
			p("\n%s", f.clauseText())
		}
	case f.valid():
		p("It is valid: sframe-lint reports no error in this very file. The program is wrong.\n")
	case len(f.Clauses) > 0:
		p("No. %s", f.clauseText())
	default:
		p("No, but the rules of sframe-lint find no error in the section itself; the damage is in the file around it.\n")
	}
	c := f.Cause
	switch {
	case c == nil || len(c.Repairs) == 0:
		switch {
		case c != nil && c.Anyway:
			p("\nThe failure does not depend on that: if all of it is repaired, sframe-lint reports no error in the section, and the program fails in the same way.\n")
		case c != nil && f.Class != Valid:
			p("\nNo repair of a field of the section or of the file around it makes the failure go, nor do all of them together.\n")
		}
		return
	case c.Moves:
		p("\nMore than one thing is wrong. If this is repaired, the program fails at another place:\n\n")
	case len(c.Repairs) == 1:
		p("\nThe failure depends on one thing, and goes if it is repaired:\n\n")
	default:
		p("\nThe failure depends on values that do not fit together. It goes if one of them is repaired:\n\n")
	}
	for i, r := range c.Repairs {
		p("- %s: %s\n", r, c.How[i])
	}
}

// faultText says which other finds are of the same fault.
func (f *Find) faultText(p func(string, ...any)) {
	fault := cmp.Or(f.Fault, f.Key)
	if f.Known {
		p("It is a known one: the finds that were given as known have it (%s).\n", fault)
		return
	}
	p("The fault is called `%s` in this campaign.", fault)
	if len(f.Same) == 0 {
		p(" No other find of this program has it.\n")
		return
	}
	p(" These finds are of the same fault, at other places of the program: they fail in the same way, and the same repair makes them go:\n\n")
	for _, id := range f.Same[:min(len(f.Same), mostSame)] {
		p("- %s\n", id)
	}
	if n := len(f.Same) - mostSame; n > 0 {
		p("- %d more, which `finds.json` lists\n", n)
	}
}

// mostSame bounds the finds of the same fault that a report lists.
const mostSame = 20

// Indent returns a value as indented JSON.
func Indent(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
