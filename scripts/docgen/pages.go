package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

const notice = "<!-- Generated: do not edit. -->\n\n"

// texts are the pages, with places for what is generated.
//
//go:embed templates
var texts embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"total":       total,
	"placeholder": func(help string) string { return strings.Split(help, "`")[1] },
}).ParseFS(texts, "templates/*.tmpl"))

// render returns a page. Its parts are those that the template names.
func render(name string, parts any) string {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name+".tmpl", parts); err != nil {
		panic(err) // every run executes all templates
	}
	return b.String()
}

// families are the titles of the rules' families, by the first digits of
// their IDs. The first that matches counts.
var families = []struct{ prefix, title string }{
	{"SF1", "Header and layout of the section"},
	{"SF21", "Limits of the FDEs"},
	{"SF2", "Function descriptor entries"},
	{"SF31", "Suspicious FREs"},
	{"SF32", "FREs for the topmost frame"},
	{"SF3", "Frame row entries"},
	{"SF4", "Data words of the ABIs"},
	{"SF5", "The file around the section"},
	{"SF6", "Agreement with the symbols"},
	{"SF7", "Size"},
	{"SF8", "Reactions of consumers"},
}

func familyOf(id string) string {
	for _, f := range families {
		if strings.HasPrefix(id, f.prefix) {
			return f.title
		}
	}
	return "Other rules"
}

// index lists the rules, with links to their texts.
func index() string {
	var b strings.Builder
	b.WriteString("# Rules\n\n" + notice)
	b.WriteString("`sframe-lint explain SF1003` shows the text of a rule with an example and what the manual says. " +
		"The statements of the manual, and the rules that check them, are in [clauses.md](../internal/evidence/clauses/clauses.md).\n")
	all := documented()
	for len(all) > 0 {
		family := familyOf(all[0].ID)
		n := slices.IndexFunc(all, func(r *rules.Rule) bool { return familyOf(r.ID) != family })
		if n < 0 {
			n = len(all)
		}
		fmt.Fprintf(&b, "\n## %s\n\n", family)
		_ = reports.RulesMarkdown(&b, all[:n], func(id string) string { return "../" + rules.TextPath(id) }) // a Builder has no errors
		all = all[n:]
	}
	return b.String()
}

func knobsPage() string { return render("knobs", generator.Knobs()) }

// limitsPage lists the limits of a run.
func limitsPage() string {
	return render("limits", map[string]any{
		"Limits": budget.Table(), "Tracking": budget.Tracking(), "Promise": promise(), "PromiseMiB": budget.PromiseMemory >> 20,
	})
}

// promise states in words the maximum memory of a run with default limits.
func promise() string {
	return fmt.Sprintf("%d MiB, plus %d times the size of the largest `.sframe` section that is being checked, plus %d times the size of the other sections read from the same file, beyond their first MiB. A package adds up to %d MiB, and up to %d times its size",
		budget.PromiseMemory>>20, budget.PromiseSection, budget.PromiseContent, budget.PromisePacked>>20, budget.PromisePackedEach)
}
