package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFiles writes all files, small ones, those for OSS-Fuzz with the licence that its presubmit looks for, and with the
// sections of project.yaml that it requires but the address of a person.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir("../..")
	require.NoError(t, run([]string{dir}))
	count := map[string]int{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		rel, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		project, _, _ := strings.Cut(rel, string(filepath.Separator))
		count[project]++
		count[filepath.Ext(path)]++
		switch project {
		case "oss-fuzz":
			assert.Contains(t, string(b), "http://www.apache.org/licenses/LICENSE-2.0", path)
			if filepath.Base(path) == "project.yaml" {
				assert.Regexp(t, `(?m)^# primary_contact:`, string(b))
			}
		default:
			assert.Less(t, len(b), 3000, path)
		}
		if filepath.Ext(path) == ".s" {
			assert.FileExists(t, strings.TrimSuffix(path, ".s")+".d")
			assert.Regexp(t, regexp.MustCompile(`(?m)^\t\.byte\t0x[0-9a-f]{2}, `), string(b))
		}
		return nil
	}))
	assert.Greater(t, count["binutils-gdb"], 16)
	assert.Greater(t, count["llvm-project"], 3)
	assert.Equal(t, count[".s"], count[".d"])
	assert.Equal(t, 1, count[".exp"])
	assert.Equal(t, 7, count["oss-fuzz"])
}
