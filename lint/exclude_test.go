package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		want, err := c.Output()
		require.NoError(t, err)
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
