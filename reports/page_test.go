package reports_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

var example = &clauses.Example{
	Rule: "SF9001", File: "corpus/files/a.o", About: "About it.",
	Command: "sframe-lint corpus/files/a.o", Output: "corpus/files/a.o: error: bad [SF9001]\n", More: 2,
	Bytes: "the header\n> 0000  e2 de  sfp_magic\n",
}

func TestPageText(t *testing.T) {
	own := rules.New(rules.Rule{
		ID: "SF9001", Title: "a fault", Severity: rules.Error, Clause: "SFrame Version",
		Text: "What and why.", Fix: "Correct it.", Good: "good one", Bad: "bad one", Bugs: []string{"https://example.org/1"},
	}, nil)
	assert.Equal(t, `SF9001: a fault (error)
Versions:  all
ABIs:      all
Manual:    https://sourceware.org/binutils/docs/sframe-spec.html#SFrame-Version

What and why.

Fix: Correct it.

good: good one
bad:  bad one

Example: corpus/files/a.o
About it.

  the header
  > 0000  e2 de  sfp_magic

  $ sframe-lint corpus/files/a.o
  corpus/files/a.o: error: bad [SF9001]
  (and 2 more)

Reports:
  https://example.org/1
`, reports.PageText(own, example.Text()))
	assert.Contains(t, reports.PageText(outputtest.VersionRule, ""), "\nThe manual:\n  C-ALL-PRE-06: ")
}

func TestPageMarkdown(t *testing.T) {
	own := rules.New(rules.Rule{
		ID: "SF9001", Title: "a fault", Severity: rules.Error, Clause: "SFrame Version", OptIn: true,
		Text: "What and why.", Fix: "Correct it.", Good: "good `one`", Bad: "bad one", Bugs: []string{"https://example.org/1", "ld -r"},
	}, nil)
	assert.Equal(t, "# SF9001: a fault\n\n- Severity: error, only when asked for\n"+
		"- Manual: [SFrame Version](https://sourceware.org/binutils/docs/sframe-spec.html#SFrame-Version)\n"+`
## Why

What and why.

## Fix

Correct it.

## Example

`+"- Good: `` good `one` ``\n- Bad: `bad one`\n\n`corpus/files/a.o`: About it.\n\n```\n"+`the header
> 0000  e2 de  sfp_magic

$ sframe-lint corpus/files/a.o
corpus/files/a.o: error: bad [SF9001]
(and 2 more)
`+"```\n"+`
## Reports

- <https://example.org/1>
- ld -r
`, reports.PageMarkdown(own, example.Markdown()))
	page := reports.PageMarkdown(outputtest.OrderRule, "")
	assert.Contains(t, page, "- Versions: V2, V3\n- ABIs: AArch64\n- Producers: gas 2.40\n")
	assert.NotContains(t, page, "## Example")
}

// A rule that the manual is silent about says what it rests on instead.
func TestPageOfPractice(t *testing.T) {
	own := rules.New(rules.Rule{ID: "SF5024", Title: "damage", Severity: rules.Error, Text: "What.", Basis: "The ELF specification."}, nil)
	assert.Contains(t, reports.PageText(own, ""), "\nThe manual:\n  is silent. The ELF specification.\n")
	assert.Contains(t, reports.PageMarkdown(own, ""), "\n## Manual\n\nNothing. The ELF specification.\n")
}

func TestRuleLists(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, reports.RulesText(&b, outputtest.Rules(), false))
	assert.Equal(t, `SF1003  error    unknown version
SF2004  warning  rows out of order
SF5001  note     no SFrame data (only when asked for)
`, b.String())

	b.Reset()
	require.NoError(t, reports.RulesMarkdown(&b, outputtest.Rules()[:1], rules.DocURL))
	assert.Equal(t, `| Rule | Severity | Finds |
|---|---|---|
| [SF1003](https://github.com/sframe-lint/sframe-lint/blob/main/rules/internal/header/SF1003.md) | error | unknown version |
`, b.String())

	b.Reset()
	require.NoError(t, reports.RulesJSON(&b, outputtest.Rules()))
	var list []map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &list))
	require.Len(t, list, 3)
	assert.Equal(t, map[string]any{
		"id": "SF2004", "title": "rows out of order", "severity": "warning", "text": "Rows ascend.",
		"versions": []any{"V2", "V3"}, "abis": []any{"AArch64"}, "producers": []any{"gas 2.40"},
		"reports": []any{"https://example.org/1"},
		"url":     "https://github.com/sframe-lint/sframe-lint/blob/main/rules/internal/fde/SF2004.md",
	}, list[1])
	assert.Equal(t, true, list[2]["opt_in"])
}
