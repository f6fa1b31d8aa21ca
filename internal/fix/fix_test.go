package fix_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/fix"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var rule = rules.New(rules.Rule{ID: "SF9001", Title: "a fault"}, nil)

func edit(off, n int64, data string) rules.Edit {
	return rules.Edit{Span: model.Span{Off: off, Len: n}, New: []byte(data)}
}

// finding has a fix of these edits.
func finding(safe bool, edits ...rules.Edit) rules.Finding {
	return rules.Finding{Rule: rule, Fixes: []rules.Fix{{Message: "set it", Safe: safe, Edits: edits}}}
}

func TestChoose(t *testing.T) {
	inMember := finding(true, edit(0, 2, "cd"))
	inMember.Base = 2
	second := finding(false, edit(8, 1, "X"))
	second.Fixes = append(second.Fixes, rules.Fix{Message: "another way", Safe: true, Edits: []rules.Edit{edit(8, 1, "Y")}})
	all := []rules.Finding{
		{Rule: rule}, // nothing to apply
		finding(true, edit(4, 1, "e"), edit(0, 1, "a")),
		inMember,
		finding(true, edit(3, 1, "?")), // what inMember changes
		finding(true, edit(5, 1, "f"), edit(0, 9, "!")), // half of it is taken
		finding(false, edit(6, 1, "g")),
		second,
		finding(true, edit(9, 2, "zz"), edit(10, 1, "z")), // with itself
	}
	p := fix.Choose("x", all, false)
	assert.Len(t, p.Applied, 3)
	assert.Len(t, p.Left, 4)
	out, err := p.Bytes([]byte("ABCDEFGHIJ"))
	require.NoError(t, err)
	assert.Equal(t, "aBcdeFGHYJ", string(out))

	p = fix.Choose("x", all, true)
	assert.Len(t, p.Applied, 4)
	out, err = p.Bytes([]byte("ABCDEFGHIJ"))
	require.NoError(t, err)
	assert.Equal(t, "aBcdeFgHXJ", string(out))
}

func TestShape(t *testing.T) {
	for name, x := range map[string]struct {
		edit rules.Edit
		want string // "" for an error
	}{
		"same size":       {edit(1, 2, "xy"), "AxyD"},
		"last byte":       {edit(3, 1, "x"), "ABCx"},
		"end cut off":     {edit(2, 2, ""), "AB"},
		"all cut off":     {edit(0, 4, ""), ""},
		"nothing":         {edit(4, 0, ""), "ABCD"},
		"beyond the end":  {edit(3, 2, "xy"), "!"},
		"after the end":   {edit(9, 1, "x"), "!"},
		"in front":        {edit(-1, 1, "x"), "!"},
		"cut in between":  {edit(1, 2, ""), "!"},
		"longer":          {edit(1, 1, "xy"), "!"},
		"offset too high": {edit(1<<62, 1<<62, ""), "!"},
	} {
		data := []byte("ABCD")
		p := fix.Choose("x", []rules.Finding{finding(true, x.edit)}, false)
		out, err := p.Bytes(data)
		if x.want == "!" {
			assert.ErrorIs(t, err, fix.ErrShape, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, x.want, string(out), name)
		assert.Equal(t, "ABCD", string(data), "the input is left alone")

		path := filepath.Join(t.TempDir(), "f")
		require.NoError(t, os.WriteFile(path, data, 0o640))
		p.Path = path
		require.NoError(t, p.Apply(t.Context()), name)
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, x.want, string(got), name)
	}
}

func TestApply(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "f"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(path, []byte("ABCD"), 0o600))
	require.NoError(t, os.Chmod(path, 0o751))
	require.NoError(t, os.Symlink("f", link))
	require.NoError(t, fix.Choose(link, []rules.Finding{finding(true, edit(1, 1, "x"))}, false).Apply(t.Context()))

	got, err := os.ReadFile(path)
	require.NoError(t, err)
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
	assert.ErrorIs(t, fix.Choose(path, []rules.Finding{finding(true, edit(3, 2, "xy"))}, false).Apply(t.Context()), fix.ErrShape)
	assert.ErrorIs(t, fix.Choose(filepath.Join(dir, "gone"), nil, false).Apply(t.Context()), os.ErrNotExist)
	assert.ErrorContains(t, fix.Choose(dir, nil, false).Apply(t.Context()), "not a regular file")
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "ABCD", string(got))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1)
}

func TestDiff(t *testing.T) {
	data := bytes.Repeat([]byte{0xee}, 3000)
	all := []rules.Finding{finding(true, edit(4, 18, strings.Repeat("x", 18))), finding(true, edit(0x30, 2952, ""))}
	all[1].Fixes[0].Message = "cut\x1b off"
	var out bytes.Buffer
	require.NoError(t, fix.Choose("a\nb", all, false).WriteDiff(&out, bytes.NewReader(data)))
	head, tail, _ := strings.Cut(out.String(), "@@ 0x30")
	assert.Equal(t, `--- a\x0ab
+++ a\x0ab (fixed)
@@ 0x4, 18 bytes, SF9001: set it @@
-ee ee ee ee ee ee ee ee ee ee ee ee ee ee ee ee
-ee ee
+78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78
+78 78
`, head)
	assert.True(t, strings.HasPrefix(tail, ", 2952 bytes, SF9001: cut\\x1b off @@\n-ee"), tail[:60])
	assert.True(t, strings.HasSuffix(tail, "\n-... and 1928 more\n"))
	assert.Error(t, fix.Choose("x", all, false).WriteDiff(&out, bytes.NewReader(data[:2])))
}

// holes is a file that has 3 bytes, whatever is asked for.
type holes struct{ io.ReaderAt }

func (holes) Data(int64, int64) int64 { return 3 }

// A view is what Apply would write, read in any way.
func TestView(t *testing.T) {
	data := []byte("ABCDEFGHIJ")
	p := fix.Choose("x", []rules.Finding{
		finding(true, edit(1, 2, "xy")), finding(true, edit(3, 1, "z")), finding(true, edit(8, 2, "")),
	}, false)
	want, err := p.Bytes(data)
	require.NoError(t, err)
	require.Equal(t, "AxyzEFGH", string(want))
	r, size, err := p.View(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	assert.Equal(t, int64(8), size)
	for off := range int64(10) {
		for n := range 10 {
			b := make([]byte, n)
			got, _ := r.ReadAt(b, off)
			assert.Equal(t, string(want[min(off, 8):min(off+int64(n), 8)]), string(b[:got]), "%d %d", off, n)
		}
	}
	assert.EqualValues(t, 3, regular.Data(holes{bytes.NewReader(data)}, 0, 10))
	r, _, err = p.View(holes{bytes.NewReader(data)}, int64(len(data)))
	require.NoError(t, err)
	assert.EqualValues(t, 3, regular.Data(r, 0, 10), "what is a hole of the file is one of the view")
	_, _, err = p.View(bytes.NewReader(data), 5)
	assert.ErrorIs(t, err, fix.ErrShape)
}

func TestWithout(t *testing.T) {
	other := rules.New(rules.Rule{ID: "SF9002"}, nil)
	g := finding(true, edit(5, 1, "g"))
	g.Rule = other
	p := fix.Choose("x", []rules.Finding{finding(true, edit(1, 1, "f")), g, finding(false, edit(7, 1, "h"))}, false)
	for want, q := range map[string]*fix.Plan{"AfCDEF": p.Without("SF9002"), "ABCDEg": p.Only("SF9002"), "AfCDEg": p} {
		got, err := q.Bytes([]byte("ABCDEF"))
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
		assert.Equal(t, 3, len(q.Applied)+len(q.Left))
	}
}

// Bytes that are no longer those that were checked are not replaced, and nothing is
// when the context ends.
func TestApplyChecksBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("abcdef"), 0o600))
	e := edit(1, 2, "xy")
	e.Sum = sha256.Sum256([]byte("bc"))
	p := fix.Choose(path, []rules.Finding{finding(true, e)}, false)

	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("it is over")
	cancel(over)
	assert.ErrorIs(t, p.Apply(ctx), over)

	require.NoError(t, os.WriteFile(path, []byte("abCdef"), 0o600))
	assert.ErrorIs(t, p.Apply(t.Context()), fix.ErrChanged)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "abCdef", string(b))
	require.NoError(t, os.WriteFile(path, []byte("AbcdeF"), 0o600))
	require.NoError(t, p.Apply(t.Context()))
	b, err = os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "AxydeF", string(b))
	copies, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, copies, 1)
}
