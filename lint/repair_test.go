package lint

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// writeArchive writes an archive of members that are all called name, a field
// of up to 16 bytes, and have an even number of bytes.
func writeArchive(t *testing.T, path, name string, members ...[]byte) {
	t.Helper()
	b := []byte("!<arch>\n")
	for _, m := range members {
		field := (name + strings.Repeat(" ", 16))[:16]
		b = append(b, fmt.Sprintf("%s%-12d%-6d%-6d%-8o%-10d`\n", field, 0, 0, 0, 0o644, len(m))...)
		b = append(b, m...)
	}
	require.NoError(t, os.WriteFile(path, b, 0o666))
}

// TestFixOnce: members without findings before one with a fix do not
// make the archive several files.
func TestFixOnce(t *testing.T) {
	clean := must.Get(os.ReadFile(corpus + "binutils-2.47/amd64/archives/short.o"))(t)
	bad := must.Get(os.ReadFile(corpus + "binutils-2.44/amd64/archives/short.o"))(t)
	lib := filepath.Join(t.TempDir(), "lib.a")
	writeArchive(t, lib, "m.o/", clean, clean, clean, bad)
	o := Options{Select: []string{"SF5003"}, Fix: ShowFixes, UnsafeFixes: true}
	files, _ := run(t, o, lib)
	assert.Equal(t, 1, strings.Count(string(files[0].Diff), "@@ 0x"), string(files[0].Diff))
	o.Fix = ApplyFixes
	files, sum := run(t, o, lib)
	assert.Equal(t, []string{"SF5003"}, files[0].Fixed)
	assert.Equal(t, Summary{Files: 1, Sections: 4, FDEs: 20, FREs: 88, Fixed: 1, Checked: 4}, sum)
}

// TestTurnTakesNoTime: the clock of --limit timeout stands while another file is
// being fixed.
func TestTurnTakesNoTime(t *testing.T) {
	bad := must.Get(os.ReadFile(corpus + "binutils-2.44/amd64/archives/short.o"))(t)
	path := filepath.Join(t.TempDir(), "short.o")
	require.NoError(t, os.WriteFile(path, bad, 0o666))
	synctest.Test(t, func(t *testing.T) {
		l := must.Get(New(Options{Fix: ApplyFixes, UnsafeFixes: true, Limits: budget.Limits{budget.Time: int64(time.Second)}}))(t)
		r := l.Run(t.Context())
		c := &check{Run: r, run: t.Context(), task: &task{Path: Path{Name: path}}, share: r.pool.Join(), budget: budget.New(t.Context(), budget.Limits{}), file: &File{Path: path}}
		require.NoError(t, c.scan())
		go func() {
			time.Sleep(time.Hour)
			c.share.First()
		}()
		c.fix()
		assert.Equal(t, []string{"SF5003"}, c.file.Fixed)
	})
}

// TestGivenUpIsNotChanged: a file whose check has ended early stays as it was.
func TestGivenUpIsNotChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	before := []byte("abc")
	require.NoError(t, os.WriteFile(path, before, 0o666))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := &check{budget: budget.New(ctx, budget.Limits{}), file: &File{Path: path}}
	p := chooseFixes(path, []*rules.Finding{withFix(true, ruleEdit(1, 1, "x"))}, false)
	require.ErrorIs(t, c.apply(p), context.Canceled)
	after := must.Get(os.ReadFile(path))(t)
	assert.True(t, bytes.Equal(before, after))
	c.budget = budget.New(t.Context(), budget.Limits{})
	require.NoError(t, c.apply(p))
}

// The judge of fixes holds few findings and counts all of them.
func TestJudgeCountsAll(t *testing.T) {
	many := rules.New(rules.Rule{ID: "SF9900", Title: "many", Severity: rules.Warning}, func(c *rules.Context) {
		for range 5000 {
			c.At(model.HdrFlags.Span(), "again")
		}
	})
	o := Options{Extra: []*rules.Rule{many}}
	c := &check{Run: &Run{opts: &o, judge: sync.OnceValue(o.judge)}, budget: budget.New(t.Context(), budget.Limits{})}
	path := corpus + "hand/v3-amd64.sframe"
	data := must.Get(os.ReadFile(path))(t)
	for _, ids := range [][]string{{"SF1001"}, nil} { // the rules of one count are not those of the next one
		n := must.Get(c.grave(path, bytes.NewReader(data), int64(len(data)), ids))(t)
		assert.Equal(t, ids == nil, n["SF9900"] == 5000)
	}
	assert.LessOrEqual(t, c.judge().Limits.Findings, 1)
}

// TestFixOfChangedFile: a file that changes between check and fix keeps its bytes.
func TestFixOfChangedFile(t *testing.T) {
	data := must.Get(os.ReadFile(corpus + "hand/v3-amd64.sframe"))(t)
	path := filepath.Join(t.TempDir(), "a.sframe")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	runs, at := 0, model.HdrFlags.Span()
	was := uint64(data[at.Off])
	meddler := rules.New(rules.Rule{ID: "SF9900", Title: "meddler", Severity: rules.Note}, func(c *rules.Context) {
		if runs++; runs == 2 { // the last check before the fix
			data[at.Off] ^= 0x80
			require.NoError(t, os.WriteFile(path, data, 0o666))
		}
		c.With(rules.Repair("set it", at, was)).At(model.HdrFlags.Span(), "is wrong")
	})
	files, _ := run(t, Options{Extra: []*rules.Rule{meddler}, Select: []string{"SF9900"}, Fix: ApplyFixes}, path)
	require.ErrorIs(t, files[0].Err, edit.ErrChanged)
	assert.Empty(t, files[0].Fixed)
	now := must.Get(os.ReadFile(path))(t)
	assert.Equal(t, data, now)
}
