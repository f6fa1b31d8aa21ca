package rules

import (
	"embed"
	"strings"
	"sync"
)

// The text of a rule is in a file of its own beside the rule: a heading with ID and title, what is wrong, and then what the
// labels say, in their order. The line after the heading has the severity and, if the manual has one, the chapter.
//
//go:embed internal/*/SF*.md
var pages embed.FS

// texts are those of a rule.
type texts struct{ path, title, severity, clause, text, fix, good, bad, basis, reports string }

// allTexts has the texts by the IDs of rules. Each start of a program reads them.
var allTexts = sync.OnceValue(func() map[string]*texts {
	all := make(map[string]*texts, 256)
	families, _ := pages.ReadDir("internal") // what is embedded can be read
	for _, f := range families {
		dir := "internal/" + f.Name() + "/"
		files, _ := pages.ReadDir(dir[:len(dir)-1])
		for _, file := range files {
			path := dir + file.Name()
			page, _ := pages.ReadFile(path)
			all[strings.TrimSuffix(file.Name(), ".md")] = readTexts(path, string(page))
		}
	}
	return all
})

// readTexts returns the texts of a file. It looks at each paragraph once.
func readTexts(path, page string) *texts {
	x := &texts{path: path}
	head, rest, _ := strings.Cut(page[:len(page)-1], "\n\n")
	_, x.title, _ = strings.Cut(head, ": ")
	line, rest, more := strings.Cut(rest, "\n\n")
	x.severity, x.clause, _ = strings.Cut(line[len("Severity: "):len(line)-1], ". Manual: ")
	for text, part := rest, ""; more; {
		part, rest, more = strings.Cut(rest, "\n\n")
		switch {
		case strings.HasPrefix(part, "Fix: "):
			x.fix = part[len("Fix: "):]
		case strings.HasPrefix(part, "    Good: "):
			x.good, x.bad, _ = strings.Cut(part[len("    Good: "):], "\n    Bad: ")
		case strings.HasPrefix(part, "Basis: "):
			x.basis = part[len("Basis: "):]
		case strings.HasPrefix(part, "Reports:\n"):
			x.reports = part[len("Reports:\n"):]
		default: // one paragraph or several
			x.text = text[:len(text)-len(rest)-len("\n\n")]
		}
	}
	return x
}

// describe sets the texts of a rule without a title from its file. A Text that the rule has is one of several rules: it comes
// after the rule's own. A fix that is one of several rules names the rule that has it.
func (r *Rule) describe() {
	x := allTexts()[r.ID]
	if x == nil || r.Title != "" {
		return
	}
	r.Severity, _ = ParseSeverity(x.severity)
	r.Title, r.Clause, r.Text, r.Fix = x.title, x.clause, x.text+r.Text, x.fix
	if id, ok := strings.CutPrefix(x.fix, "As for ["); ok {
		r.Fix = allTexts()[id[:len(r.ID)]].fix
	}
	r.Basis, r.Good, r.Bad = x.basis, x.good, x.bad
	if x.reports != "" {
		r.Bugs = strings.Split(strings.TrimPrefix(x.reports, "- "), "\n- ")
	}
}
