package reports_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

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
