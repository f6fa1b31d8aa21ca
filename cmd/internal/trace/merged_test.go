package trace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/fix"
	"github.com/sframe-lint/sframe-lint/internal/rewrite"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// merge merges the sections of a file.
func merge(t *testing.T, path string, opts rewrite.Options) *rewrite.Change {
	var c *rewrite.Change
	plan := &fix.Plan{Path: path}
	require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) (err error) {
		require.Len(t, o.SFrames, 1)
		if c, err = rewrite.Section(o, o.SFrames[0], opts); err != nil {
			return err
		}
		for _, e := range c.Edits {
			plan.Edits = append(plan.Edits, rules.Edit{Span: e.Span, New: e.New})
		}
		return nil
	}))
	plan.Sort()
	require.NoError(t, plan.Apply(t.Context()))
	return c
}

// functions returns the functions of the frames.
func functionsOf(th *Thread) (all []string) {
	for _, f := range th.Frames {
		name, _, _ := strings.Cut(f.Function, "+")
		all = append(all, name)
	}
	return all
}

// A program that lld has linked runs, and its traces are not whole. After its sections are
// merged, also in as few bytes as possible or in version 3, it runs, and its traces have the
// functions of the program that GNU ld has linked.
func TestInteropMergedCores(t *testing.T) {
	bin := toolchain.Bin(t)
	for _, p := range []program{
		{arch: "x86_64", suite: "sid"},
		{arch: "x86_64", suite: "sid", signal: true},
		{arch: "x86_64", suite: "trixie"},
		{arch: "aarch64", suite: "sid", pac: true},
		{arch: "aarch64", suite: "sid", signal: true},
		{arch: "s390x", suite: "sid", signal: true},
		{arch: "s390x", suite: "sid"},
	} {
		t.Run(p.name(), func(t *testing.T) {
			dir, err := os.MkdirTemp("", "trace")
			require.NoError(t, err)
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			x := &tools{t, bin, dir}
			exe := x.build(p)
			trace := func() *Thread {
				core := x.dump(p)
				r := report(t, core, exe)
				require.NotEmpty(t, r.Threads)
				require.NoError(t, os.Rename(core, filepath.Join(dir, "old")))
				return &r.Threads[0]
			}
			want := functionsOf(trace())
			require.Greater(t, len(want), 3)
			link := func() {
				x.run(x.path("sid-lld"), "--build-id", "-o", "prog", "restorer.o", "prog.o", "settings.o", "shared.o")
			}
			link()
			assert.Less(t, len(functionsOf(trace())), len(want), "the trace reaches the outermost frame")

			for _, opts := range []rewrite.Options{{}, {Narrow: true}, {Version: model.SFRAME_VERSION_3, Narrow: true}} {
				link()
				c := merge(t, exe, opts)
				assert.Greater(t, c.Sections, 1)
				assert.LessOrEqual(t, int64(len(c.Data)), c.Before)
				assert.Equal(t, want, functionsOf(trace()), "%+v", opts)
			}
		})
	}
}
