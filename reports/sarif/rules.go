package sarif

import (
	"strings"
	"unicode"

	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// descriptor describes a rule.
func descriptor(r *rules.Rule) reportingDescriptor {
	return reportingDescriptor{
		ID: r.ID, Name: pascal(r.Title), HelpURI: rules.DocURL(r.ID),
		ShortDescription: text{Text: sentence(r.Title)}, FullDescription: text{Text: r.Text},
		Help:          text{Text: reports.PageText(r, nil), Markdown: reports.PageMarkdown(r, nil)},
		Configuration: reportingConfiguration{Enabled: !r.OnRequest(), Level: level(r.Severity)},
		Properties:    map[string]any{"tags": tags(r)},
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
