package libfuzzer

import (
	"archive/zip"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
)

// fuzzTargets returns the fuzz targets of the module, as "directory function".
func fuzzTargets(t *testing.T) []string {
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
				all = append(all, filepath.ToSlash(filepath.Dir(path))+" "+f.Name.Name)
			}
		}
		return nil
	}))
	slices.Sort(all)
	return all
}

// program returns a program, or skips the test.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

func TestBuildFindsTargets(t *testing.T) {
	bash := program(t, "bash")
	t.Chdir("../../..")
	out, err := exec.Command(bash, "integrations/oss-fuzz/build.sh", "--list").Output()
	require.NoError(t, err)
	assert.Equal(t, fuzzTargets(t), slices.Sorted(slices.Values(strings.Split(strings.TrimSpace(string(out)), "\n"))))
}

// TestInteropBuild builds a fuzzer with clang, and runs it on its seeds and on new inputs.
func TestInteropBuild(t *testing.T) {
	if testing.Short() || os.Getenv("SFRAME_TOOLS") == "" {
		t.Skip("compiles the standard library")
	}
	bash, clang := program(t, "bash"), program(t, "clang++")
	program(t, "zip")
	t.Chdir("../../..")
	out := t.TempDir()
	cmd := exec.Command(bash, "integrations/oss-fuzz/build.sh", "^internal/base/escape ")
	cmd.Env = append(os.Environ(), "OUT="+out, "CXX="+clang, "LIB_FUZZING_ENGINE=-fsanitize=fuzzer")
	printed, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", printed)
	z, err := zip.OpenReader(filepath.Join(out, "internal_escape_FuzzWriter_seed_corpus.zip"))
	require.NoError(t, err)
	defer z.Close()
	assert.Len(t, z.File, 10)
	assert.FileExists(t, filepath.Join(out, "sframe-lint", "corpus", "manifest.json"))
	found := t.TempDir()
	printed, err = exec.Command(filepath.Join(out, "internal_escape_FuzzWriter"), "-runs=20000", found).CombinedOutput()
	require.NoError(t, err, "%s", printed)
	inputs, err := os.ReadDir(found)
	require.NoError(t, err)
	assert.NotEmpty(t, inputs, "the code is not instrumented:\n%s", printed)
}

// TestInteropLibsframe builds the target of libsframe with its mutator. No valid section makes it
// fail: what a fuzzer finds is not the target's fault.
func TestInteropLibsframe(t *testing.T) {
	tree := os.Getenv("SFRAME_BINUTILS")
	if testing.Short() || tree == "" {
		t.Skip("SFRAME_BINUTILS names no source tree of binutils")
	}
	bash, clang, clangxx := program(t, "bash"), program(t, "clang"), program(t, "clang++")
	program(t, "zip")
	out, sections := t.TempDir(), t.TempDir()
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		p, err := generator.Generate(generator.SwarmWide(rnd))
		require.NoError(t, err)
		b, err := generator.Encode(p)
		require.NoError(t, err)
		if len(b) <= 1<<14 {
			require.NoError(t, os.WriteFile(filepath.Join(sections, strconv.Itoa(i)), b, 0o644))
		}
	}
	t.Chdir("../../..")
	cmd := exec.Command(bash, "integrations/oss-fuzz/libsframe/build.sh")
	cmd.Env = append(os.Environ(), "OUT="+out, "SFRAME_LINT=.", "BINUTILS="+tree, "CC="+clang, "CXX="+clangxx,
		"CFLAGS=-g -O1 -fsanitize=fuzzer-no-link,address", "CXXFLAGS=-fsanitize=address", "LIB_FUZZING_ENGINE=-fsanitize=fuzzer")
	printed, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", printed)
	cmd = exec.Command(filepath.Join(out, "libsframe_fuzzer"), "-runs=0", sections)
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=max_allocation_size_mb=64:allocator_may_return_null=1")
	printed, err = cmd.CombinedOutput()
	assert.NoError(t, err, "%s", printed)
	assert.Contains(t, string(printed), "found LLVMFuzzerCustomMutator", "the mutator is not linked")
}

// TestLicenses: the files of project directories name the license, as the presubmit check of google/oss-fuzz demands.
func TestLicenses(t *testing.T) {
	for _, pattern := range []string{"../*", "../libsframe/*", "../../../.clusterfuzzlite/*"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			if ext := filepath.Ext(file); filepath.Base(file) != "Dockerfile" && !slices.Contains([]string{".sh", ".yaml", ".c"}, ext) {
				continue
			}
			b, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Contains(t, string(b), "http://www.apache.org/licenses/LICENSE-2.0", file)
		}
	}
}
