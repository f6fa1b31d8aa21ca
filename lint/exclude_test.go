package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

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
