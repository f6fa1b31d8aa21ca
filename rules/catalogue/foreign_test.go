package catalogue_test

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// TestForeignDriver runs the analyzers of rules as any driver of analyzers does, with the results of
// what they require and nothing else, and expects what the driver of rules finds. Each result has the
// type that its analyzer names, and no analyzer looks at what it does not require.
func TestForeignDriver(t *testing.T) {
	all := catalogue.Rules()
	slices.SortStableFunc(all, func(a, b *rules.Rule) int { return cmp.Compare(b.Refutes, a.Refutes) }) // as Rule.Refutes says
	driver := &rules.Driver{Rules: all}
	compared := 0
	for path, data := range corpusFiles(t) {
		var objects []*reader.Object
		var want []string
		require.NoError(t, reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
			objects = append(objects, o)
			for _, f := range driver.Run(o).Findings {
				want = append(want, fmt.Sprint(f.Rule.ID, f.Span, f.Message))
			}
			return nil
		}))
		if len(objects) != 1 || len(objects[0].SFrames) != 1 {
			continue
		}
		compared++
		results := map[*analysis.Analyzer]any{}
		var got []string
		for _, r := range all {
			if driver.SeverityOf(r) == rules.Off {
				continue
			}
			for _, f := range run(t, r.Analyzer, path, data, results).(*rules.Report).Found {
				got = append(got, fmt.Sprint(r.ID, f.Span, f.Message))
			}
		}
		assert.ElementsMatch(t, want, got, path)
	}
	assert.Greater(t, compared, 300)
}

// run returns the result of an analyzer on a file.
func run(t *testing.T, a *analysis.Analyzer, path string, data []byte, results map[*analysis.Analyzer]any) any {
	if v, done := results[a]; done {
		return v
	}
	pass := &analysis.Pass{
		Analyzer: a, OtherFiles: []string{path}, ResultOf: map[*analysis.Analyzer]any{},
		ReadFile: func(string) ([]byte, error) { return data, nil },
	}
	for _, req := range a.Requires {
		pass.ResultOf[req] = run(t, req, path, data, results)
	}
	v, err := a.Run(pass)
	require.NoError(t, err, a.Name)
	assert.Equal(t, a.ResultType, reflect.TypeOf(v), a.Name)
	for req := range pass.ResultOf {
		assert.Contains(t, a.Requires, req, "%s looks at %s", a.Name, req.Name)
	}
	results[a] = v
	return v
}
