package catalogue_test

import (
	"cmp"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// strict runs analyzers as go/analysis specifies it: a pass has the results of
// the analyzers that are required directly, and no others.
type strict map[*analysis.Analyzer]any

func (s strict) result(t *testing.T, a *analysis.Analyzer) any {
	if v, done := s[a]; done {
		return v
	}
	direct := map[*analysis.Analyzer]any{}
	for _, req := range a.Requires {
		direct[req] = s.result(t, req)
	}
	v, err := a.Run(&analysis.Pass{Analyzer: a, ResultOf: direct})
	require.NoError(t, err, a.Name)
	s[a] = v
	return v
}

// TestRequiresIsComplete runs every rule with the results that its analyzer
// requires, and compares what it finds with what the driver finds.
func TestRequiresIsComplete(t *testing.T) {
	files, err := filepath.Glob("../../corpus/files/*/*/*.o")
	require.NoError(t, err)
	linked, err := filepath.Glob("../../corpus/files/*/*.elf")
	require.NoError(t, err)
	all := slices.Clone(catalogue.Rules())
	slices.SortStableFunc(all, func(a, b *rules.Rule) int { // those that refute facts come first
		return cmp.Compare(b.Refutes, a.Refutes)
	})
	driver := &rules.Driver{Rules: all, Limits: rules.Limits{Findings: -1}}
	checked := 0
	for _, path := range append(files, linked...) {
		require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			got := map[string]int{}
			for i, sf := range append([]*reader.SFrame{nil}, o.SFrames...) {
				s := strict{rules.Container: o, rules.Contents: sf}
				for _, r := range all {
					if (r.Scope == rules.PerObject) == (i == 0) {
						got[r.ID] += len(s.result(t, r.Analyzer).(*rules.Report).Found)
					}
				}
			}
			for _, f := range driver.Run(o).Findings {
				got[f.Rule.ID]--
				checked++
			}
			for id, n := range got {
				assert.Zero(t, n, "%s in %s", id, path)
			}
			return nil
		}))
	}
	assert.Greater(t, checked, 100)
}
