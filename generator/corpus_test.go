package generator_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestCorpusExact writes every section of real tools anew: it must come out byte for byte. A damaged one is never written
// differently.
func TestCorpusExact(t *testing.T) {
	entries, err := corpus.Load("../corpus")
	require.NoError(t, err)
	n := 0
	for _, e := range entries {
		require.NoError(t, reader.Scan(filepath.Join("../corpus", e.File), reader.Options{}, func(o *reader.Object) error {
			for _, f := range o.SFrames {
				// The second time as an object file's section, whose fields mean nothing.
				for _, opts := range []reader.SectionOptions{{}, {Relocatable: true}} {
					s, _ := reader.DecodeSection(f.Data, opts)
					if s == nil {
						assert.False(t, e.Healthy && len(f.Data) > 0, e.File)
						continue
					}
					again, err := encodeModel(s)
					if err == nil {
						assert.Equal(t, f.Data, again, e.File)
					} else {
						assert.False(t, e.Healthy, "%s: %v", e.File, err)
					}
					n++
				}
			}
			return nil
		}))
	}
	assert.Greater(t, n, 200)
}
