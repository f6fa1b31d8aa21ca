package sarif

import (
	"strings"
	"unicode"

	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// describe describes a rule.
func describe(r *rules.Rule) descriptor {
	return descriptor{
		DefaultConfiguration: configuration{Enabled: !r.OnRequest(), Level: level(r.Severity)},
		FullDescription:      message{Text: r.Text},
		Help:                 message{Text: reports.PageText(r, nil), Markdown: reports.PageMarkdown(r, nil)},
		HelpURI:              rules.DocURL(r.ID),
		ID:                   r.ID,
		Name:                 pascal(r.Title),
		Properties:           map[string]any{"tags": tags(r)},
		ShortDescription:     message{Text: sentence(r.Title)},
	}
}

// sentence returns a title as a sentence.
func sentence(title string) string {
	if title == "" {
		return ""
	}
	return strings.ToUpper(title[:1]) + title[1:] + "."
}

// pascal returns a title as a name, as the format recommends: UnknownVersion.
func pascal(title string) string {
	words := strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var b strings.Builder
	for _, w := range words {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// tags let users filter by the family and by producers with the quirk.
func tags(r *rules.Rule) []string {
	list := []string{"sframe"}
	if f := r.Family(); f != 0 {
		list = append(list, "SF"+string(f))
	}
	return append(list, r.Quirk...)
}
