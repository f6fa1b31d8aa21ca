package fuzzcmd

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// TestBesidesWithoutCode draws clean sections, in whose code no rule finds anything: it need not be followed.
func TestBesidesWithoutCode(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	require.Zero(t, Main([]string{"break", "--count", "150", "--seed", "77", "--out", dir}, nil, os.Stdout, os.Stderr))
	b := must.Get(os.ReadFile(filepath.Join(dir, manifestName)))(t)
	var rows []manifestEntry
	require.NoError(t, json.Unmarshal(b, &rows))
	require.Len(t, rows, 150)
	for _, r := range rows {
		healthy := must.Get(breaks.Recipe{Config: r.Recipe.Config, Container: r.Recipe.Container}.Subject())(t)
		assert.Equal(t, r.Besides, besides(healthy, false)[:len(r.Besides):len(r.Besides)], r.File)
		assert.Len(t, besides(healthy, false), len(r.Besides), r.File)
	}
}

// TestSilent: a run that ends with the first finding tells the same sections apart.
func TestSilent(t *testing.T) {
	rnd, all := rand.New(rand.NewPCG(1, 2)), 0
	for i := range 60 {
		c := generator.Swarm(rnd).Clean()
		c.Seed = int64(i)
		s, err := breaks.Recipe{Config: c, Container: breaks.Containers()[i%len(breaks.Containers())]}.Subject()
		if err != nil {
			continue
		}
		is := hasNoFindings(s)
		assert.Equal(t, len(besides(s, true)) == 0, is, "%+v", c)
		if is {
			all++
		}
	}
	assert.Positive(t, all)
	assert.Less(t, all, 50)
}
