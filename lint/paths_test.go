package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
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

// TestExcludeAsGit asks git about the same patterns.
func TestExcludeAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	files := []string{"a.o", "b.elf", "CMakeFiles/x/probe.o", "lib/a.o", "lib/deep/b.o", "lib/keep.o", "src/CMakeFiles/c.o", "src/lib/d.elf", "#x", "a[1].o"}
	for _, patterns := range [][]string{
		{"*.o"}, {"CMakeFiles/"}, {"/CMakeFiles"}, {"/lib/*.o"}, {"lib/**"}, {"**/lib"}, {"src/**/c.o"}, {"*.o", "!keep.o"},
		{"*", "!*/", "!*.elf"}, {"lib", "!lib/keep.o"}, {"/lib/*", "!/lib/keep.o"}, {"*.o", "!lib/**"}, {"*.o", "!lib"}, {"?.o"}, {"a\\[1\\].o"}, {"[ab].*"}, {"\\#x"},
		{"[!a].*"}, {"\\[!x]"}, {"**"}, {"**/"}, {"/**/*.o"}, {"**/CMakeFiles/**"}, {"lib/**/"}, {"**/deep/**/b.o"}, {"l**b"}, {"lib/*"}, {"lib/deep/"}, {"[a"}, {"*.o  "}, {"/"},
	} {
		dir := t.TempDir()
		require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".git/info/exclude"), []byte(strings.Join(patterns, "\n")+"\n"), 0o666))
		for _, f := range files {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, f)), 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(dir, f), nil, 0o666))
		}
		c := exec.Command("git", "-c", "core.quotePath=false", "ls-files", "--others", "--exclude-standard")
		c.Dir = dir
		want := must.Get(c.Output())(t)
		var got []string
		x := Exclude{dir, patterns}
		for p := range entries([]string{dir}, x.matcher()) {
			if rel, _ := filepath.Rel(dir, p.Name); !p.excluded && !strings.HasPrefix(rel, ".git") {
				got = append(got, rel)
			}
		}
		assert.ElementsMatch(t, strings.Fields(string(want)), got, "%q", patterns)
	}
}

// Patterns count from the directory of the configuration. Those of flags also count from each
// argument, and so do all others for an argument that is elsewhere.
func TestExcludeElsewhere(t *testing.T) {
	tree, other := t.TempDir(), t.TempDir()
	for _, f := range []string{"CMakeFiles/x/probe.o", "lib/a.o", "lib/CMakeFiles/b.o"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(tree, f)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(tree, f), nil, 0o666))
	}
	t.Chdir(other)
	up := must.Get(filepath.Rel(other, tree))(t)
	for _, test := range []struct {
		dir, arg, pattern string
		want              []string
	}{
		{"", tree, "**/CMakeFiles/**", []string{"lib/a.o"}},
		{"", up, "**/CMakeFiles/**", []string{"lib/a.o"}},
		{"", tree, "CMakeFiles/", []string{"lib/a.o"}},
		{"", tree, "/CMakeFiles", []string{"lib/CMakeFiles/b.o", "lib/a.o"}},
		{"", tree, "lib/*.o", []string{"CMakeFiles/x/probe.o", "lib/CMakeFiles/b.o"}},
		{"", tree, filepath.Base(tree) + "/lib/*.o", []string{"CMakeFiles/x/probe.o", "lib/CMakeFiles/b.o"}},
		{"", tree + "/lib/CMakeFiles", "**/CMakeFiles/**", nil},
		{other, tree, "lib/*.o", []string{"CMakeFiles/x/probe.o", "lib/CMakeFiles/b.o"}},
		{tree, tree + "/lib", "/a.o", []string{"lib/CMakeFiles/b.o", "lib/a.o"}},
		{tree, tree + "/lib", "/lib/a.o", []string{"lib/CMakeFiles/b.o"}},
	} {
		x := Exclude{test.dir, []string{test.pattern}}
		var got []string
		for p := range entries([]string{test.arg}, x.matcher()) {
			if rel, _ := filepath.Rel(tree, edit.Absolute(p.Name)); !p.excluded {
				got = append(got, filepath.ToSlash(rel))
			}
		}
		assert.Equal(t, test.want, got, "%+v", test)
	}
	t.Chdir(tree)
	x := Exclude{"", []string{"/lib/a.o"}}
	for p := range entries([]string{"lib"}, x.matcher()) {
		assert.Equal(t, filepath.Base(p.Name) == "a.o", p.excluded, "flags also count from the working directory: %s", p.Name)
	}
}
