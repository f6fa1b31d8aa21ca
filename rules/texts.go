package rules

import (
	"embed"
	"strings"
)

// The text of a rule is in a file of its own beside the rule: a heading with ID and title, what is wrong, and then what the
// labels say, in their order.
//
//go:embed internal/*/SF*.md
var pages embed.FS

// texts are those of a rule.
type texts struct{ path, title, text, fix, good, bad, basis, reports string }

// textsOf reads the texts of a rule by its ID, nil for a rule of another module.
func textsOf(id string) *texts {
	families, _ := pages.ReadDir("internal") // what is embedded can be read
	for _, f := range families {
		path := "internal/" + f.Name() + "/" + id + ".md"
		if page, err := pages.ReadFile(path); err == nil {
			return readTexts(path, string(page))
		}
	}
	return nil
}

// readTexts returns the texts of a file.
func readTexts(path, page string) *texts {
	x := &texts{path: path}
	page, rest, _ := strings.Cut(strings.TrimSuffix(page, "\n"), "\n\nFix: ")
	page, x.text, _ = strings.Cut(page, "\n\n")
	_, x.title, _ = strings.Cut(page, ": ")
	rest, x.reports, _ = strings.Cut(rest, "\n\nReports:\n")
	rest, x.basis, _ = strings.Cut(rest, "\n\nBasis: ")
	rest, x.bad, _ = strings.Cut(rest, "\n    Bad: ")
	x.fix, x.good, _ = strings.Cut(rest, "\n\n    Good: ")
	return x
}

// Described returns the rule with its texts. Those of a rule that comes with the tool are read when they are first asked for:
// each start of a program makes all rules.
func (r *Rule) Described() *Rule {
	if r.made != nil {
		r.made.described.Do(r.describe)
	}
	return r
}

// describe sets the texts of a rule without a title from its file. A Text that the rule has is one of several rules: it comes
// after the rule's own. A fix that is one of several rules names the rule that has it.
func (r *Rule) describe() {
	x := textsOf(r.ID)
	if x == nil || r.Title != "" {
		return
	}
	r.Title, r.Text, r.Fix = x.title, x.text+r.Text, x.fix
	if id, ok := strings.CutPrefix(x.fix, "As for ["); ok {
		r.Fix = textsOf(id[:len(r.ID)]).fix
	}
	r.Basis, r.Good, r.Bad = x.basis, x.good, x.bad
	if x.reports != "" {
		r.Bugs = strings.Split(strings.TrimPrefix(x.reports, "- "), "\n- ")
	}
}
