package edit_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

func at(off, n int64, data string) edit.Edit { return edit.Edit{Off: off, Len: n, New: []byte(data)} }

// plan has edits, which do not overlap.
func plan(t *testing.T, path string, edits ...edit.Edit) *edit.Plan {
	t.Helper()
	p := &edit.Plan{Path: path}
	require.True(t, p.Add(edits...))
	return p
}

func TestShape(t *testing.T) {
	for name, x := range map[string]struct {
		edit edit.Edit
		want string // "" for an error
	}{
		"same size":       {at(1, 2, "xy"), "AxyD"},
		"last byte":       {at(3, 1, "x"), "ABCx"},
		"end cut off":     {at(2, 2, ""), "AB"},
		"all cut off":     {at(0, 4, ""), ""},
		"nothing":         {at(4, 0, ""), "ABCD"},
		"added":           {at(4, 0, "xy"), "ABCDxy"},
		"after a hole":    {at(6, 0, "xy"), "ABCD\x00\x00xy"},
		"put in between":  {at(2, 0, "x"), "!"},
		"beyond the end":  {at(3, 2, "xy"), "!"},
		"after the end":   {at(9, 1, "x"), "!"},
		"in front":        {at(-1, 1, "x"), "!"},
		"cut in between":  {at(1, 2, ""), "!"},
		"longer":          {at(1, 1, "xy"), "!"},
		"offset too high": {at(1<<62, 1<<62, ""), "!"},
	} {
		data := []byte("ABCD")
		p := plan(t, "x", x.edit)
		out, err := p.Bytes(data)
		if x.want == "!" {
			assert.ErrorIs(t, err, edit.ErrShape, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, x.want, string(out), name)
		assert.Equal(t, "ABCD", string(data), "the input is left alone")

		path := filepath.Join(t.TempDir(), "f")
		require.NoError(t, os.WriteFile(path, data, 0o640))
		p.Path = path
		require.NoError(t, p.Apply(t.Context(), p.Path), name)
		got := must.Get(os.ReadFile(path))(t)
		assert.Equal(t, x.want, string(got), name)
	}
}

func TestApply(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "f"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(path, []byte("ABCD"), 0o600))
	require.NoError(t, os.Chmod(path, 0o751))
	require.NoError(t, os.Symlink("f", link))
	require.NoError(t, plan(t, link, at(1, 1, "x")).Apply(t.Context(), link))

	got := must.Get(os.ReadFile(path))(t)
	assert.Equal(t, "AxCD", string(got))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink, "the link is one still")
	info, err = os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o751), info.Mode().Perm())
}

// What goes wrong leaves the file, and nothing beside it.
func TestApplyFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	require.NoError(t, os.WriteFile(path, []byte("ABCD"), 0o600))
	assert.ErrorIs(t, plan(t, path, at(3, 2, "xy")).Apply(t.Context(), path), edit.ErrShape)
	gone := filepath.Join(dir, "gone")
	assert.ErrorIs(t, plan(t, gone).Apply(t.Context(), gone), os.ErrNotExist)
	assert.ErrorContains(t, plan(t, dir).Apply(t.Context(), dir), "not a regular file")
	got := must.Get(os.ReadFile(path))(t)
	assert.Equal(t, "ABCD", string(got))
	left := must.Get(os.ReadDir(dir))(t)
	assert.Len(t, left, 1)
}

// holes is a file that has 3 bytes, whatever is asked for.
type holes struct{ io.ReaderAt }

func (holes) Data(int64, int64) int64 { return 3 }

// A view is what Apply would write, read in any way.
func TestView(t *testing.T) {
	data := []byte("ABCDEFGHIJ")
	for want, last := range map[string]edit.Edit{"AxyzEFGH": at(8, 2, ""), "AxyzEFGHIJ\x00\x00kl": at(12, 0, "kl")} {
		p := plan(t, "x", last, at(3, 1, "z"), at(1, 2, "xy"))
		got := must.Get(p.Bytes(data))(t)
		require.Equal(t, want, string(got))
		v, err := p.View(bytes.NewReader(data), int64(len(data)))
		require.NoError(t, err)
		size := int64(len(want))
		assert.Equal(t, size, v.Size)
		for off := range size + 2 {
			for n := range size + 2 {
				b := bytes.Repeat([]byte("?"), int(n))
				got, err := v.ReadAt(b, off)
				assert.Equal(t, want[min(off, size):min(off+n, size)], string(b[:got]), "%d %d", off, n)
				assert.Equal(t, got < len(b), err == io.EOF && n > 0)
			}
		}
		assert.EqualValues(t, 3, regular.Data(holes{bytes.NewReader(data)}, 0, 10))
		v, err = p.View(holes{bytes.NewReader(data)}, int64(len(data)))
		require.NoError(t, err)
		assert.EqualValues(t, 3, regular.Data(v, 0, 10), "what is a hole of the file is one of the view")
	}
	_, err := plan(t, "x", at(8, 2, "")).View(bytes.NewReader(data), 5)
	assert.ErrorIs(t, err, edit.ErrShape)
}

// Bytes that are no longer those that were checked are not replaced, and nothing is
// when the context ends.
func TestApplyChecksBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("abcdef"), 0o600))
	e := at(1, 2, "xy")
	e.Sum = sha256.Sum256([]byte("bc"))
	p := plan(t, path, e)

	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("it is over")
	cancel(over)
	assert.ErrorIs(t, p.Apply(ctx, path), over)

	require.NoError(t, os.WriteFile(path, []byte("abCdef"), 0o600))
	assert.ErrorIs(t, p.Apply(t.Context(), path), edit.ErrChanged)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "abCdef", string(b))
	require.NoError(t, os.WriteFile(path, []byte("AbcdeF"), 0o600))
	require.NoError(t, p.Apply(t.Context(), p.Path))
	b, err = os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "AxydeF", string(b))
	copies := must.Get(os.ReadDir(filepath.Dir(path)))(t)
	assert.Len(t, copies, 1)
}
