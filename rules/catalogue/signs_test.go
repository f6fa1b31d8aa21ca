package catalogue_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// TestSignsLeaveNothingOut compares what one runner finds in many objects with what a
// new one finds in each whose rules have no signs, and in the object without a survey:
// neither of these, nor what the runner remembers, may hide a finding.
func TestSignsLeaveNothingOut(t *testing.T) {
	all := catalogue.Rules()
	runner := (&rules.Driver{Rules: all}).Runner()
	var plain []*rules.Rule
	for _, r := range all {
		x := *r
		x.Signs = 0
		plain = append(plain, &x)
	}
	signless := &rules.Driver{Rules: plain}
	findings := func(res *rules.Result) (out []string) {
		for _, f := range res.Findings {
			out = append(out, f.Rule.ID+f.Message)
		}
		return out
	}
	shown := func(res *rules.Result) []string {
		out := findings(res)
		for _, h := range res.HeldBack {
			out = append(out, h.Rule+h.Reason)
		}
		assert.Empty(t, res.Failures)
		return out
	}
	files := corpusFiles(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	compared, clean := 0, 0
	for range 4 {
		for path, data := range files {
			var NoSurvey [][]string
			require.NoError(t, reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
				NoSurvey = append(NoSurvey, findings(runner.Run(o)))
				return nil
			}))
			require.NoError(t, reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
				res := runner.Run(o)
				got := shown(res)
				require.NotEmpty(t, NoSurvey)
				assert.Equal(t, findings(res), NoSurvey[0], path)
				NoSurvey = NoSurvey[1:]
				assert.Equal(t, shown(signless.Run(o)), got, path)
				compared++
				if len(got) == 0 {
					clean++
				}
				return nil
			}))
			if len(data) > 0 && rnd.IntN(4) > 0 {
				files[path] = bytes.Clone(data)
				files[path][rnd.IntN(len(data))] ^= 1 << rnd.IntN(8)
			}
		}
	}
	assert.Greater(t, compared, 1000)
	assert.Greater(t, clean, 100)
}

// corpusFiles returns the smaller files of the corpus, by path.
func corpusFiles(t *testing.T) map[string][]byte {
	files := map[string][]byte{}
	require.NoError(t, filepath.WalkDir("../../corpus/files", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if len(data) <= 32<<10 {
			files[path] = data
		}
		return err
	}))
	return files
}
