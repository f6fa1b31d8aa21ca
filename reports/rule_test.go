package reports_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/reports/internal/sample"
)

func TestRuleText(t *testing.T) {
	assert.Equal(t, `SF1003: unknown version (error)
Clause:    "SFrame Version"

sfp_version is 1, 2 or 3.

Fix: Set the right one.

good: sfp_version = 03
bad:  sfp_version = 07
`, reports.RuleText(sample.Version))
	assert.Equal(t, `SF2004: rows out of order (warning)
Versions:  V2, V3
ABIs:      AArch64
Producers: gas 2.40

Rows ascend.

Reports:
  https://example.org/1
`, reports.RuleText(sample.Order))
	assert.Equal(t, "SF5001: no SFrame data (note, only when asked for)\n\nNone.\n", reports.RuleText(sample.Absent))
}

func TestRuleMarkdown(t *testing.T) {
	assert.Equal(t, `# SF1003: unknown version

- Severity: error
- Clause: "SFrame Version"

sfp_version is 1, 2 or 3.

## Fix

Set the right one.

## Example

- Good: `+"`sfp_version = 03`\n- Bad: `sfp_version = 07`\n", reports.RuleMarkdown(sample.Version))
	assert.Contains(t, reports.RuleMarkdown(sample.Order), "\n## Reports\n\n- <https://example.org/1>\n")
}

func TestRuleLists(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, reports.RulesText(&b, sample.Rules()))
	assert.Equal(t, `SF1003  error    unknown version
SF2004  warning  rows out of order
SF5001  note     no SFrame data (only when asked for)
`, b.String())

	b.Reset()
	require.NoError(t, reports.RulesMarkdown(&b, sample.Rules()[:1]))
	assert.Equal(t, `| Rule | Severity | Finds |
|---|---|---|
| [SF1003](https://github.com/sframe-lint/sframe-lint/blob/main/docs/rules/SF1003.md) | error | unknown version |
`, b.String())

	b.Reset()
	require.NoError(t, reports.RulesJSON(&b, sample.Rules()))
	var list []map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &list))
	require.Len(t, list, 3)
	assert.Equal(t, map[string]any{
		"id": "SF2004", "title": "rows out of order", "severity": "warning", "text": "Rows ascend.",
		"versions": []any{"V2", "V3"}, "abis": []any{"AArch64"}, "producers": []any{"gas 2.40"},
		"reports": []any{"https://example.org/1"},
		"url":     "https://github.com/sframe-lint/sframe-lint/blob/main/docs/rules/SF2004.md",
	}, list[1])
	assert.Equal(t, true, list[2]["opt_in"])
}
