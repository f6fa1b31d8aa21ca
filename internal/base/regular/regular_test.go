//go:build unix

package regular

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	file, fifo, link := filepath.Join(dir, "file"), filepath.Join(dir, "fifo"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(file, []byte("abc"), 0o600))
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	require.NoError(t, os.Symlink(file, link))
	b, err := Read(link, 2)
	require.NoError(t, err)
	assert.Equal(t, "abc", string(b), "one byte more than the limit")
	b, err = Read(file, 0)
	require.NoError(t, err)
	assert.Equal(t, "abc", string(b))
	for _, path := range []string{fifo, dir, "/dev/null"} {
		_, _, err = Open(path)
		assert.ErrorIs(t, err, ErrNotRegular, path)
	}
	_, _, err = Open(filepath.Join(dir, "gone"))
	assert.ErrorIs(t, err, fs.ErrNotExist)

	// A FIFO that takes the place of the file between the two looks.
	info, err := os.Stat(file)
	require.NoError(t, err)
	_, _, err = openWith(fifo, func(string) (fs.FileInfo, error) { return info, nil }, open)
	assert.ErrorIs(t, err, ErrNotRegular)

	for _, path := range []string{fifo, dir, "/dev/null"} {
		for _, seen := range []bool{false, true} {
			_, err = OpenReader(path, seen)
			assert.ErrorIs(t, err, ErrNotRegular, path)
		}
	}
	_, err = OpenReader(filepath.Join(dir, "gone"), true)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	r := must.Get(OpenReader(link, false))(t)
	assert.EqualValues(t, 3, r.Size())
	b = make([]byte, 4)
	n, err := r.ReadAt(b, 1)
	assert.Equal(t, io.EOF, err)
	assert.Equal(t, "bc", string(b[:n]))
	_, err = r.ReadAt(b, -1)
	assert.Error(t, err)
	require.NoError(t, r.Close())
	_, err = r.ReadAt(b, 0)
	assert.ErrorContains(t, err, link)

	root := must.Get(os.OpenRoot(dir))(t)
	defer root.Close()
	f, info, err := OpenIn(root, "file")
	require.NoError(t, err)
	assert.EqualValues(t, 3, info.Size())
	f.Close()
	_, _, err = OpenIn(root, "fifo")
	assert.ErrorIs(t, err, ErrNotRegular)
	_, _, err = OpenIn(root, "link")
	assert.Error(t, err, "an absolute link leaves the root")
}
