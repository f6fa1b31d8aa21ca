package code_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	testcorpus "github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/code"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

// TestNoneVanishes counts what the code proves wrong, where it is proven and in the report: each is
// shown or has a disposition.
func TestNoneVanishes(t *testing.T) {
	kinds := []proof.Aspect{proof.WrongRA, proof.WrongFP, proof.StaleFP, proof.Inside}
	proven := 0
	count := rules.New(rules.Rule{ID: "XX0001", Severity: rules.Note, Files: rules.ELFFiles, Needs: code.RAAgainstCode.Needs, Requires: code.RAAgainstCode.Requires}, func(c *rules.Context) {
		if p := evidence.Proofs(c); c.Section.NumFDEs() > 0 && p != nil && p.FREs != nil {
			for i := range p.FREs.Wrong {
				if slices.Contains(kinds, p.FREs.Wrong[i].Kind) {
					proven++
				}
			}
		}
	})
	entries, err := testcorpus.Load("../../../corpus")
	require.NoError(t, err)
	var all lint.Tally
	for _, e := range entries {
		before, tally := proven, lint.Tally{}
		linter, err := lint.New(lint.Options{Extra: []*rules.Rule{count}, Select: []string{"SF3115", "SF3116", "SF3117", "SF3120", "XX0001"}})
		require.NoError(t, err)
		require.NoError(t, reader.Scan(filepath.Join("../../../corpus", e.File), reader.Options{}, func(o *reader.Object) error {
			for why, n := range linter.Check(o).Tally {
				tally[why] += n
			}
			return nil
		}))
		sum := 0
		for why, n := range tally {
			sum, all[why] = sum+n, all[why]+n
		}
		assert.Equal(t, proven-before, sum, e.File)
	}
	t.Log(proven, all)
	assert.NotZero(t, all[lint.Shown]*all[lint.ByRule]*all[lint.ByDoubt])
}
