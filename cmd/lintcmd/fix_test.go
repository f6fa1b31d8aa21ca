package lintcmd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/lint/fix"
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

// TestFixOnce: members without findings in front of one with a fix do not
// make the archive several files.
func TestFixOnce(t *testing.T) {
	clean, err := os.ReadFile(corpus + "binutils-2.47/amd64/archives/short.o")
	require.NoError(t, err)
	bad, err := os.ReadFile(corpus + "binutils-2.44/amd64/archives/short.o")
	require.NoError(t, err)
	lib := filepath.Join(t.TempDir(), "lib.a")
	writeArchive(t, lib, "m.o/", clean, clean, clean, bad)
	args := []string{"--select", "SF5003", "--fix-unsafe", lib}
	_, out, _ := runMain(nil, append(args, "--diff")...)
	assert.Equal(t, 1, strings.Count(out, "@@ 0x"), out)
	_, _, errs := runMain(nil, append(args, "--fix")...)
	assert.Equal(t, "sframe-lint: "+lib+": fixed SF5003\nsframe-lint: 1 file, 4 sections: no findings; 1 fixed\n", errs)
}

// TestTurnTakesNoTime: the clock of --timeout stands while another file is
// being fixed.
func TestTurnTakesNoTime(t *testing.T) {
	bad, err := os.ReadFile(corpus + "binutils-2.44/amd64/archives/short.o")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "short.o")
	require.NoError(t, os.WriteFile(path, bad, 0o666))
	synctest.Test(t, func(t *testing.T) {
		a := &app{}
		f := &lintFlags{fixes: fixFlags{write: true, unsafe: true}}
		driver, err := f.driver(a.rules())
		require.NoError(t, err)
		r := &run{app: a, flags: f, driver: driver, judge: f.judge(a.rules()), turn: make(chan struct{}, 1)}
		c := &check{run: r, task: &task{path: path}, file: &lint.File{Path: path}}
		require.NoError(t, c.scan())
		r.turn <- struct{}{}
		go func() {
			time.Sleep(time.Hour)
			<-r.turn
		}()
		assert.True(t, c.fix(time.Second))
		assert.Equal(t, []string{"SF5003"}, c.file.Fixed)
	})
}

// TestGivenUpIsNotChanged: what is reported as given up stays as it was.
func TestGivenUpIsNotChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	before := []byte("abc")
	require.NoError(t, os.WriteFile(path, before, 0o666))
	c := &check{run: &run{}, file: &lint.File{Path: path}, stopped: true}
	p := &fix.Plan{Path: path, Edits: []fix.Edit{{Off: 1, Old: 1, New: []byte("x")}}}
	require.ErrorIs(t, c.apply(p), errStopped)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(before, after))
	c.stopped = false
	require.NoError(t, c.apply(p))
}

// A rule that has been cut off before a fix could not find more behind it.
func TestJudgeCutsNothing(t *testing.T) {
	f := &lintFlags{limits: limits{findings: 1}}
	assert.Negative(t, f.judge((&app{}).rules()).Limit)
}
