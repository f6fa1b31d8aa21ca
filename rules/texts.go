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

// readTexts returns the texts of a file.
func readTexts(path, page string) *texts {
	x := &texts{path: path}
	page, rest, _ := strings.Cut(strings.TrimSuffix(page, "\n"), "\n\nFix: ")
	page, x.text, _ = strings.Cut(page, "\n\n")
	_, x.title, _ = strings.Cut(page, ": ")
	if line, ok := strings.CutPrefix(x.text, "Severity: "); ok {
		line, x.text, _ = strings.Cut(line, ".\n\n")
		x.severity, x.clause, _ = strings.Cut(line, ". Manual: ")
	}
	rest, x.reports, _ = strings.Cut(rest, "\n\nReports:\n")
	rest, x.basis, _ = strings.Cut(rest, "\n\nBasis: ")
	rest, x.bad, _ = strings.Cut(rest, "\n    Bad: ")
	x.fix, x.good, _ = strings.Cut(rest, "\n\n    Good: ")
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
