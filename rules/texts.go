package rules

import (
	"cmp"
	"embed"
	"path"
	"strings"
	"sync"
)

// The texts of the rules of a family are in rules.md in its folder: below a heading with ID and title, what is wrong, and
// then what the labels say.
//
//go:embed internal/*/rules.md
var pages embed.FS

// texts are those of a rule.
type texts struct{ title, text, fix, good, bad, basis, reports string }

// allTexts has the texts by the IDs of rules. Each start of a program reads them, so each line is looked at once.
var allTexts = sync.OnceValue(func() map[string]*texts {
	all := make(map[string]*texts, 256)
	families, _ := pages.ReadDir("internal") // what is embedded can be read
	for _, f := range families {
		page, _ := pages.ReadFile(path.Join("internal", f.Name(), "rules.md"))
		readTexts(string(page), all)
	}
	return all
})

// readTexts adds the texts of a family.
func readTexts(page string, all map[string]*texts) {
	x := new(texts)
	to, from := new(string), 0 // where the text belongs that begins there
	for at, next := 0, 0; at <= len(page); at = next {
		line := page[at:]
		if next = at + strings.IndexByte(line, '\n') + 1; next <= at {
			next = len(page) + 1
		}
		into, label := (*string)(nil), ""
		switch {
		case strings.HasPrefix(line, "## "):
			title := ""
			x = new(texts)
			label, title, _ = strings.Cut(page[at:next-1], ": ")
			all[label[len("## "):]] = x
			x.title, into, label = title, &x.text, page[at:next]
		case strings.HasPrefix(line, "Fix: "):
			into, label = &x.fix, "Fix: "
		case strings.HasPrefix(line, "    Good: "):
			into, label = &x.good, "    Good: "
		case strings.HasPrefix(line, "    Bad: "):
			into, label = &x.bad, "    Bad: "
		case strings.HasPrefix(line, "Basis: "):
			into, label = &x.basis, "Basis: "
		case strings.HasPrefix(line, "Reports:\n"):
			into, label = &x.reports, "Reports:\n"
		case line != "":
			continue
		}
		*to = strings.Trim(page[from:at], "\n")
		to, from = into, at+len(label)
	}
}

// describe sets the texts of a rule without a title from those of its family. A Text or Fix that the rule has is one of
// several rules: the text comes after the rule's own.
func (r *Rule) describe() {
	x := allTexts()[r.ID]
	if x == nil || r.Title != "" {
		return
	}
	r.Title, r.Text, r.Fix = x.title, x.text+r.Text, cmp.Or(r.Fix, x.fix)
	r.Basis, r.Good, r.Bad = x.basis, x.good, x.bad
	if x.reports != "" {
		r.Bugs = strings.Split(strings.TrimPrefix(x.reports, "- "), "\n- ")
	}
}
