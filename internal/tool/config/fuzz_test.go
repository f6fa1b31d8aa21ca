package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/tool/config"
)

// FuzzLoad puts whatever comes into a directory as a configuration, finds it from a
// directory below and loads it: errors are of the package's type, name the file and
// are short, paths count from the directory, and memory has a bound.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("baseline: ../../../b.json\n"))
	f.Add([]byte("select: &a [x]\nignore: *a\n"))
	f.Add([]byte("limits: {timeout: 1h, max-bytes: 64M}\n"))
	f.Add([]byte(strings.Repeat("[", 1025)))
	dir := f.TempDir()
	below := filepath.Join(dir, "a", "b")
	require.NoError(f, os.MkdirAll(below, 0o777))
	path := filepath.Join(dir, config.Name)
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(path, data, 0o666))
		found, err := config.Find(below)
		require.NoError(t, err)
		require.Equal(t, path, found)
		var c *config.Config
		used := testkit.Allocated(func() { c, err = config.Load(found, known) })
		require.LessOrEqual(t, used, uint64(4<<20+4000*len(data)))
		if err != nil {
			var e *config.Error
			require.ErrorAs(t, err, &e)
			require.Contains(t, err.Error(), config.Name)
			require.LessOrEqual(t, len(err.Error()), 4<<10+8*len(data))
			return
		}
		require.True(t, c.Baseline == "" || filepath.IsAbs(c.Baseline), c.Baseline)
	})
}
