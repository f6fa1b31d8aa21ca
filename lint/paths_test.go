package lint

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fix makes a copy beside the file, for a moment. A walk that came past in
// that moment handed the copy out, and its reader found it gone.
func TestFixWalksFirst(t *testing.T) {
	met := func(mode FixMode) (all []string) {
		dir := t.TempDir()
		for _, name := range []string{"a/1", "a/2", "b/.sframe-lint-1", "b/1"} { // one of a run that was killed
			path := filepath.Join(dir, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, nil, 0o600))
		}
		l := must.Get(New(Options{Fix: mode}))(t)
		work, ordered := make(chan *task), make(chan *task, 100)
		go l.Run(t.Context(), dir).feed(t.Context(), work, ordered, func() {})
		for x := range work {
			require.NoError(t, x.Err)
			if len(all) == 0 {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "b", ".1.fix-7"), nil, 0o600))
			}
			name := must.Get(filepath.Rel(dir, x.Name))(t)
			all = append(all, filepath.ToSlash(name))
		}
		return all
	}
	assert.Equal(t, []string{"a/1", "a/2", "b/.sframe-lint-1", "b/1"}, met(ApplyFixes))
	assert.Equal(t, []string{"a/1", "a/2", "b/.1.fix-7", "b/.sframe-lint-1", "b/1"}, met(NoFixes), "the test would see one")
}

// The same for a whole run, which meets every file three times.
func TestFixMeetsNoCopies(t *testing.T) {
	object := must.Get(os.ReadFile(corpus + "binutils-2.44/amd64/archives/short.o"))(t)
	var paths []string
	top := t.TempDir()
	for i := range 40 {
		dir := filepath.Join(top, strconv.Itoa(i))
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.o"), object, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "b.o"), object, 0o600))
		paths = append(paths, dir, dir, dir)
	}
	files, sum := run(t, Options{Select: []string{"SF5003"}, Fix: ApplyFixes, UnsafeFixes: true, Jobs: 8}, paths...)
	assert.Len(t, files, 240)
	assert.Equal(t, Summary{Files: 240, Sections: 240, FDEs: 1200, FREs: 5280, Fixed: 80, Checked: 240}, sum)
}

// TestProbes: what build systems leave of their probes is skipped, and named. Objects of targets beside it are not.
func TestProbes(t *testing.T) {
	left := []string{
		"cm/CMakeFiles/3.25.1/CompilerIdC", "cm/CMakeFiles/3.25.1/CMakeDetermineCompilerABI_C.bin", "cm/CMakeFiles/CheckTypeSize/LONG.bin", "cm/CMakeFiles/feature_tests.bin",
		"cm/CMakeFiles/CMakeScratch", "cm/CMakeFiles/CMakeTmp", "cm/CMakeFiles/_CMakeLTOTest-CXX", "cm/CMakeFiles/FortranCInterface",
		"me/meson-private", "auto/conftest", "auto/conftest.o", "sc/.sconf_temp", "waf/.conf_check_1a2b",
	}
	kept := []string{"auto/conftests", "cm/CMakeFiles/3.25.1/a.out", "cm/CMakeFiles/app.dir/CMakeTmp.c.o", "cm/app.bin", "me/app.p/meson-private.c.o"}
	dir := t.TempDir()
	write := func(name string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	for _, name := range left {
		if base := filepath.Base(name); !strings.HasSuffix(base, ".bin") && !strings.HasPrefix(base, "conftest") {
			name += "/x/a.out"
		}
		write(name)
	}
	for _, name := range kept {
		write(name)
	}
	below := func(path string) string { return strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(dir)+"/") }
	var skipped, checked []string
	for p := range entries([]string{dir}, nil) {
		if p.skipped != "" {
			assert.Equal(t, "a probe of a build system", p.skipped)
			skipped = append(skipped, below(p.Name))
			continue
		}
		checked = append(checked, below(p.Name))
	}
	assert.ElementsMatch(t, left, skipped)
	assert.ElementsMatch(t, kept, checked)
	named := slices.Collect(Paths(filepath.Join(dir, "auto/conftest"), filepath.Join(dir, "cm/CMakeFiles/CMakeTmp")))
	assert.Len(t, named, 2, "what is named is checked")
}
