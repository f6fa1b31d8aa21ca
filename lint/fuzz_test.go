package lint_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/lint"
)

// plant makes a tree: a line for each path, which ends in "/" for a directory, has
// " -> " and a target for a symbolic link, and is else a file with the data. It makes
// what the system allows.
func plant(root, lines string, data []byte) error {
	r, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer r.Close()
	for i, line := range strings.Split(lines, "\n") {
		name, target, link := strings.Cut(line, " -> ")
		if i == 32 || !filepath.IsLocal(name) {
			continue
		}
		_ = r.MkdirAll(filepath.Dir(name), 0o777)
		switch {
		case link:
			_ = r.Symlink(target, name)
		case strings.HasSuffix(name, "/"):
			_ = r.MkdirAll(strings.TrimRight(name, "/"), 0o777)
		default:
			_ = r.WriteFile(name, data, 0o666)
		}
	}
	return nil
}

// FuzzWalk checks a directory with whatever names, links and contents: every file is
// below the directory and comes once, in an order that two runs share, no run fails
// inside, and memory has a bound.
func FuzzWalk(f *testing.F) {
	bad := []byte{0xe2, 0xde, 9, 0}
	f.Add("a.o\nb/c.o\nb/d/", bad)
	f.Add("up -> ..\nself -> self\nzero -> /dev/zero\nx -> a\na", bad)
	f.Add("::error::\n\x1b[31m\n.sframe-lint.yaml\n.sframe-lint-1", []byte("!<thin>\n"))
	f.Add("\xff/\xfe/\u202e", []byte("\x7fELF"))
	linter := must.Get(lint.New(lint.Options{}))(f)
	f.Fuzz(func(t *testing.T, lines string, data []byte) {
		root := t.TempDir()
		require.NoError(t, plant(root, lines, data))
		walk := func() (paths []string) {
			run := linter.Run(t.Context(), root)
			for file := range run.Files() {
				paths = append(paths, file.Path)
				var internal *lint.InternalError
				assert.NotErrorAs(t, file.Err, &internal)
				for i := range file.Objects {
					assert.Empty(t, file.Objects[i].Failures)
				}
			}
			require.NoError(t, run.Err())
			require.Equal(t, len(paths), run.Summary().Files)
			return paths
		}
		var once []string
		used := testkit.Allocated(func() { once = walk() })
		require.LessOrEqual(t, used, uint64(4<<20+32*(1<<20+400*len(data))))
		seen := map[string]bool{}
		for _, path := range once {
			assert.False(t, seen[path], path)
			seen[path] = true
			real := must.Get(filepath.EvalSymlinks(path))(t)
			assert.True(t, strings.HasPrefix(real, root+"/"), real)
		}
		assert.Equal(t, once, walk())
	})
}

// FuzzBaseline reads whatever comes as a baseline: what is accepted is written and read
// again unchanged, and memory is bounded by the size of the input.
func FuzzBaseline(f *testing.F) {
	f.Add([]byte(`{"schema":"sframe-lint/baseline/1","findings":[{"rule":"SF1003","file":"a.o","place":"header+2","count":1}]}`))
	f.Add([]byte(`{"schema":"sframe-lint/baseline/1","findings":[{"rule":"SF2004","file":"a.o","member":"m","section":".sframe","function":"f\u0000","place":"row","count":9223372036854775807}]}`))
	f.Add([]byte(`{"schema":"sframe-lint/baseline/1","findings":[]} {}`))
	f.Add([]byte(`{"schema":"","findings":""`)) // a value of another kind, whose error has no type
	f.Fuzz(func(t *testing.T, data []byte) {
		var b *lint.Baseline
		var err error
		used := testkit.Allocated(func() { b, err = lint.ReadBaseline(bytes.NewReader(data)) })
		require.LessOrEqual(t, used, uint64(1<<20+200*len(data)))
		if err != nil {
			require.LessOrEqual(t, len(err.Error()), 1000+6*len(data))
			return
		}
		written := func(b *lint.Baseline) string {
			var r lint.Recorder
			r.Carry(b, func(lint.Identity) bool { return true })
			var out bytes.Buffer
			require.NoError(t, r.Write(&out))
			return out.String()
		}
		once := written(b)
		require.LessOrEqual(t, len(once), 100+20*len(data))
		again := must.Get(lint.ReadBaseline(bytes.NewReader([]byte(once))))(t)
		assert.Equal(t, once, written(again))
	})
}
