//go:build unix

package edit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func text(s string) func(*os.File) error {
	return func(f *os.File) error {
		_, err := f.WriteString(s)
		return err
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, strings.Repeat("l", 250)) // as long as a name can nearly be
	require.NoError(t, File(path, text("one")))
	require.NoError(t, os.Chmod(path, 0o755|fs.ModeSetuid))
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(path, link))
	require.NoError(t, File(link, text("two")))

	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&fs.ModeSymlink, "the link stays one")
	info, err = os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, 0o755|fs.ModeSetuid, info.Mode())
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "two", string(b))

	// What fails leaves all as it was.
	no := errors.New("no")
	require.ErrorIs(t, File(path, func(f *os.File) error {
		return no
	}), no)
	b, err = os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "two", string(b))
	entries := must.Get(os.ReadDir(dir))(t)
	assert.Len(t, entries, 2)

	assert.Error(t, File(dir, text("a directory")))
}

// A file that someone else writes meanwhile keeps what was written.
func TestChangedMeanwhile(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"longer":   func(path string) error { return os.WriteFile(path, []byte("theirs"), 0o600) },
		"another":  func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, []byte("our"), 0o600)) },
		"no more":  os.Remove,
		"a link":   func(path string) error { return errors.Join(os.Remove(path), os.Symlink("elsewhere", path)) },
		"untimely": func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) },
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
		err := File(path, func(f *os.File) error {
			require.NoError(t, change(path))
			return text("ours")(f)
		})
		assert.Error(t, err, name)
		b, _ := os.ReadFile(path)
		assert.NotEqual(t, "ours", string(b), name)
		copies, _ := filepath.Glob(filepath.Join(dir, prefix+"*"))
		assert.Empty(t, copies, name)
	}
}

// TestOwner: as root, a file keeps its owner.
func TestOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	if err := os.Chown(path, 1, 1); err != nil {
		t.Skip("not root")
	}
	require.NoError(t, os.Chmod(path, 0o4755|fs.ModeSetuid|fs.ModeSetgid))
	before := must.Get(os.Stat(path))(t)
	require.NoError(t, File(path, text("new")))
	after := must.Get(os.Stat(path))(t)
	assert.Equal(t, before.Mode(), after.Mode())
	assert.Equal(t, owner(t, before), owner(t, after))
}
