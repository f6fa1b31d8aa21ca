package lintcmd

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fix makes a copy beside the file, for a moment. A walk that came past in
// that moment handed the copy out, and its reader found it gone.
func TestWalkFirst(t *testing.T) {
	met := func(find walker) (all []string) {
		dir := t.TempDir()
		for _, name := range []string{"a/1", "a/2", "b/.sframe-lint-1", "b/1"} { // one of a run that was killed
			path := filepath.Join(dir, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, nil, 0o600))
		}
		find([]string{dir}, func(x task) bool {
			require.NoError(t, x.err)
			if len(all) == 0 {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "b", ".1.fix-7"), nil, 0o600))
			}
			name, err := filepath.Rel(dir, x.path)
			require.NoError(t, err)
			all = append(all, filepath.ToSlash(name))
			return true
		})
		return all
	}
	assert.Equal(t, []string{"a/1", "a/2", "b/1"}, met(walkFirst))
	assert.Equal(t, []string{"a/1", "a/2", "b/.1.fix-7", "b/1"}, met(walk), "the test would see one")
}

// The same for a whole run, which meets every file three times.
func TestFixMeetsNoCopies(t *testing.T) {
	object, err := os.ReadFile(corpus + "binutils-2.44/amd64/archives/short.o")
	require.NoError(t, err)
	top := t.TempDir()
	args := []string{"-q", "--select", "SF5003", "--fix", "--fix-unsafe", "-j", "8"}
	for i := range 40 {
		dir := filepath.Join(top, strconv.Itoa(i))
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.o"), object, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "b.o"), object, 0o600))
		args = append(args, dir, dir, dir)
	}
	status, out, errs := runMain(nil, args...)
	assert.Zero(t, status)
	assert.Empty(t, out)
	assert.Empty(t, errs)
}
