package corpus_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// TestFieldRegressions holds files that were judged wrongly against their exact findings.
func TestFieldRegressions(t *testing.T) {
	driver := &rules.Driver{Rules: catalogue.Default(), Limits: rules.Limits{Findings: -1}}
	for file, want := range map[string][]string{
		"call-then-jump.o":                 {},
		"jump-into-another.o":              {"SF3114 0x41+3"},
		"push-ret.o":                       {},
		"ra-state-by-expression-aarch64.o": {},
		"ra-state-with-pc-aarch64.o":       {},
		"redirected-return-aarch64.o":      {},
		"split-stack-pad.o":                {},
		"varying-shift-aarch64.o":          {"SF3114 0x34+5"},
	} {
		found := []string{}
		require.NoError(t, reader.Scan(filepath.Join("regressions", file), reader.Options{}, func(o *reader.Object) error {
			res := driver.Run(o)
			assert.Empty(t, res.Failures)
			for _, f := range res.Findings {
				if f.Severity > rules.Note {
					found = append(found, brief(o, f))
				}
			}
			return nil
		}))
		assert.Equal(t, want, found, file)
	}
}
