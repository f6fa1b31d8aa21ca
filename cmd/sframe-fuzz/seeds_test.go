package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/cmd/internal/fuzzcmd"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// export makes a seed corpus of 12 files.
func export(t *testing.T, dir string, args ...string) {
	t.Helper()
	var stderr bytes.Buffer
	args = append([]string{"export", "--count", "12", "--out", dir}, args...)
	require.Zero(t, fuzzcmd.Main(args, nil, &stderr, &stderr), stderr.String())
}

// tool returns where a fuzzer is; a test is for machines that have it.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// run runs a command in a directory and returns what it writes.
func run(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%v:\n%s", args, out)
	return string(out)
}

const goTarget = `package target

import "testing"

func FuzzSection(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte, addr uint64) { t.Log(len(data), addr) })
}
`

func TestGoTakesSeeds(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module target\n\ngo 1.26\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "target_test.go"), []byte(goTarget), 0o666))
	export(t, filepath.Join(dir, "testdata", "fuzz"), "--for", "go", "--address")
	out := run(t, dir, []string{"GOFLAGS=", "GOWORK=off"}, tool(t, "go"), "test", "-run", "FuzzSection", "-v", ".")
	assert.Equal(t, 12, strings.Count(out, "--- PASS: FuzzSection/0"), out)
}

func TestAFLTakesSeeds(t *testing.T) {
	dir := t.TempDir()
	export(t, filepath.Join(dir, "corpus"), "--for", "afl")
	source := must.Get(filepath.Abs("../../integrations/target/target.c"))(t)
	env := []string{"AFL_NO_AFFINITY=1", "AFL_SKIP_CPUFREQ=1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1", "AFL_NO_UI=1", "AFL_QUIET=1"}
	run(t, dir, env, tool(t, "afl-cc"), "-o", "target", source)
	out := run(t, dir, env, tool(t, "afl-fuzz"), "-E", "500", "-s", "1", "-i", "corpus/seeds", "-o", "out", "-x", "corpus/sframe.dict", "--", "./target")
	stats := must.Get(os.ReadFile(filepath.Join(dir, "out/default/fuzzer_stats")))(t)
	assert.Regexp(t, `(?m)^corpus_count +: ([2-9]|[1-9][0-9]+)$`, string(stats))
	assert.Regexp(t, `Loaded [1-9][0-9]+ extra tokens`, out)
}

func TestLibFuzzerTakesSeeds(t *testing.T) {
	dir := t.TempDir()
	export(t, filepath.Join(dir, "corpus"))
	const target = "#include <stddef.h>\n#include <stdint.h>\nint LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) { return n && *p == 7 ? 0 : 0; }\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "target.c"), []byte(target), 0o666))
	cmd := exec.Command(tool(t, "clang"), "-fsanitize=fuzzer", "-o", "target", "target.c")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("clang has no libFuzzer: %s", out)
	}
	out := run(t, dir, nil, "./target", "-runs=20", "-dict=corpus/sframe.dict", "corpus/seeds")
	assert.Regexp(t, `Dictionary: [1-9][0-9]+ entries`, out)
	assert.Regexp(t, `seed corpus: files: 12 `, out)
}
