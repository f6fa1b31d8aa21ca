package sarif

import (
	"strings"
	"unicode"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// descriptor describes a rule.
func descriptor(r *rules.Rule) *sarif.ReportingDescriptor {
	help := sarif.NewMultiformatMessageString().WithText(reports.PageText(r, "")).WithMarkdown(reports.PageMarkdown(r, ""))
	d := sarif.NewRule(r.ID).
		WithName(pascal(r.Title)).
		WithShortDescription(text(sentence(r.Title))).
		WithFullDescription(text(r.Text)).
		WithHelp(help).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level(r.Severity)).WithEnabled(!r.OnRequest())).
		WithProperties(sarif.NewPropertyBag().WithTags(tags(r)))
	if url := rules.DocURL(r.ID); url != "" {
		d.WithHelpURI(url)
	}
	return d
}

func text(s string) *sarif.MultiformatMessageString {
	return sarif.NewMultiformatMessageString().WithText(s)
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
