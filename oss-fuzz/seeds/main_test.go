package main

import (
	"archive/zip"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// targets returns the fuzz targets of the module, as "package function".
func targets(t *testing.T) []string {
	t.Helper()
	var all []string
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, x := range file.Decls {
			if f, ok := x.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz") {
				all = append(all, "github.com/sframe-lint/sframe-lint/"+filepath.ToSlash(filepath.Dir(path))+" "+f.Name.Name)
			}
		}
		return nil
	}))
	slices.Sort(all)
	return all
}

// TestBuild runs the build script with a compiler that only notes what it is given:
// every target of the module is built, and the fuzzers with seeds are among them.
func TestBuild(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	t.Chdir("../..")
	tools, out := t.TempDir(), t.TempDir()
	log := filepath.Join(out, "log")
	const compiler = "#!/bin/bash\necho \"$@\" >>\"$OUT/log\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(tools, "compile_native_go_fuzzer_v2"), []byte(compiler), 0o777))
	cmd := exec.Command(bash, "-eu", "oss-fuzz/build.sh")
	cmd.Env = append(os.Environ(), "OUT="+out, "PATH="+tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	printed, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", printed)
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	var built, names []string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		require.Len(t, words, 3)
		built = append(built, words[0]+" "+words[1])
		names = append(names, words[2])
	}
	slices.Sort(built)
	assert.Equal(t, targets(t), built)
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), len(names), "names of fuzzers differ")
	for name := range fuzzers {
		assert.Contains(t, names, name)
		z, err := zip.OpenReader(filepath.Join(out, name+"_seed_corpus.zip"))
		require.NoError(t, err)
		assert.Greater(t, len(z.File), 300)
		require.NoError(t, z.Close())
	}
}

func TestSeed(t *testing.T) {
	assert.Equal(t, []byte{0, 0, 0, 2, 'a', 'b', 9}, seed([]byte("ab"), []byte{9}))
}
