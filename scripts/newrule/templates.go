package main

import "text/template"

func parse(text string) *template.Template { return template.Must(template.New("").Parse(text)) }

var ruleStub = parse(`package {{.Package}}

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var {{.Name}} = rules.New(rules.Rule{
	ID:       "{{.ID}}",
	Title:    {{printf "%q" .Title}},
	Clause:   "The SFrame FDE Index",
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Warning,
	Text: ` + "`" + `State what is wrong, why it matters and to whom, in the terms of the format.
A reader may know the format and not this tool.` + "`" + `,
	Fix:  ` + "`" + `State how the fault is mended, in the imperative.` + "`" + `,
	Good: ` + "`" + `a line of correct data` + "`" + `,
	Bad:  ` + "`" + `the same line with the fault` + "`" + `,
}, func(c *rules.Context) {
	// bad must depend on info, info2 and rep_size only. For other fields, use
	// c.EachFDE instead of c.FDEs.
	bad := func(f model.FDE) bool { return false }
	c.FDEs(bad, func(f model.FDE) {
		c.FDE(f, model.FDEInfo, "what was found: what was expected, why it matters, what to do")
	})
})
`)

var testStub = parse(`package {{.Package}}_test

import (
	"testing"

	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/{{.Package}}"
	"github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
)

func Test{{.Name}}(t *testing.T) {
	// Offsets are those of the section in ruletest, whose functions differ from
	// those of the corpus's v3-amd64.
	ruletest.Run(t, []*rules.Rule{ {{- .Package}}.{{.Name}}}, []ruletest.Case{
		{Name: "sound", Base: ruletest.V3AMD64},
		{Name: "faulty", Base: ruletest.V3AMD64, Edits: []ruletest.Edit{ruletest.Set(0x1c, "00")}, Want: []string{"{{.ID}} 0x1c+8"}},
	})
}
`)

var hexStub = parse(`# about: {{.Title}}.
# abi: amd64
# version: 3
# state: faulty

base v3-amd64
1c: 00           # the bytes that are the fault
`)

var breakStub = parse(`{
		Name: "{{.Name}}", Rule: "{{.ID}}",
		Doc:   "Makes ... (one sentence).",
		needs: sections,
		sites: func(s *Subject) []site { return nil },
	}`)
