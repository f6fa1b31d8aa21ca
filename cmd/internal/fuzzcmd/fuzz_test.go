package fuzzcmd

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// FuzzRecipes reads whatever comes as recipes or a manifest: what is accepted is
// written and read again unchanged, makes a file or an error, and memory has a bound.
func FuzzRecipes(f *testing.F) {
	f.Add([]byte(`{"container":"raw","breaks":[{"name":"magic","seed":1}]}`))
	f.Add([]byte(`[{"file":"a","recipe":{"container":"exec","knobs":{"funcs":3}}},{"file":"b"}]`))
	f.Add([]byte(`{"knobs":{"funcs":1000000000,"rows":1000000000}}`))
	f.Add([]byte(`{"file":"a","changes":["x"],"recipe":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		used := testkit.Allocated(func() {
			all, err := parseRecipes(data)
			if err != nil || len(all) == 0 {
				return
			}
			written := must.Get(json.Marshal(all))(t)
			again := must.Get(parseRecipes(written))(t)
			require.Equal(t, all, again)
			for i := range min(len(all), 2) {
				_, _ = all[i].Subject() // an error is as good
			}
		})
		require.LessOrEqual(t, used, uint64(64<<20+1000*len(data)))
	})
}
