package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// TestReplay: what is read from JSON lines gives the same report and the same counts, for files that are damaged, not
// fully checked, or no files at all.
func TestReplay(t *testing.T) {
	byID := map[string]*rules.Rule{}
	for _, r := range lint.Rules() {
		byID[r.ID] = r
	}
	linter := must.Get(lint.New(lint.Options{
		Show: rules.Note, Facts: true, Coverage: 10, Consumers: []string{"linux"}, Ignore: []string{"SF1016"},
		Severity: []lint.Override{{ID: "SF1013", Level: rules.Off}},
	}))(t)
	run := linter.Run(t.Context(), "../corpus/files/hand", "../corpus/files/binutils-2.44", "nothing")
	var first, second bytes.Buffer
	w := reports.NewJSONLines(&first).Measures()
	for f := range run.Files() {
		require.NoError(t, w.File(f))
	}
	sum := run.Summary()
	require.NoError(t, w.Close(sum))
	assert.Contains(t, first.String(), `"mend":[{"offset":"0x`)
	assert.Positive(t, sum.Partly)
	assert.Positive(t, sum.Accepted)

	var files []*lint.File
	keep := func(f *lint.File) bool { files = append(files, f); return true }
	require.NoError(t, reports.Replay(&first, func(id string) *rules.Rule { return byID[id] }, keep))
	replay := must.Get(lint.Replay(t.Context(), lint.Options{Show: rules.Note}, linter.Severities(), func(yield func(*lint.File) bool) {
		for _, f := range files {
			if !yield(f) {
				return
			}
		}
	}))(t)
	w = reports.NewJSONLines(&second).Measures()
	for f := range replay.Files() {
		require.NoError(t, w.File(f))
	}
	again := replay.Summary()
	again.Skipped = sum.Skipped // entries of directories have no results
	require.NoError(t, w.Close(again))
	assert.Equal(t, sum, again)

	// The first buffer was read to its end.
	run = linter.Run(t.Context(), "../corpus/files/hand", "../corpus/files/binutils-2.44", "nothing")
	w = reports.NewJSONLines(&first).Measures()
	for f := range run.Files() {
		require.NoError(t, w.File(f))
	}
	require.NoError(t, w.Close(run.Summary()))
	a, b := strings.Split(first.String(), "\n"), strings.Split(second.String(), "\n")
	require.Len(t, b, len(a))
	for i := range a {
		require.Equal(t, a[i], b[i])
	}
}

// TestReplayDamaged: lines that no report has are errors, and nothing else.
func TestReplayDamaged(t *testing.T) {
	for _, text := range []string{"x", `{"cut":{}}`, `{"finding":{"rule":"SF0000"}}`, `{"finding":{"rule":"SF1001","severity":"bad"}}`,
		`{"finding":{"rule":"SF1001","severity":"note","pc":"x"}}`, `{"finding":{"rule":"SF1001","severity":"note","fixes":[{"edits":[{"bytes":"x"}]}]}}`} {
		err := reports.Replay(strings.NewReader(text), func(id string) *rules.Rule {
			if id == "SF1001" {
				return &rules.Rule{ID: id}
			}
			return nil
		}, func(*lint.File) bool { return true })
		assert.Error(t, err, text)
	}
	assert.NoError(t, reports.Replay(strings.NewReader(`{"another":1}`), nil, func(*lint.File) bool { return true }))
}
