package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/cmd/internal/fuzzcmd"
	"github.com/sframe-lint/sframe-lint/cmd/internal/lintcmd"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"sframe-fuzz": main,
		"own-target":  ownTarget,
		"sframe-lint": func() { os.Exit(lintcmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// ownTarget is a program that fails on files with a needle in them, with status
// 7 or by a signal; or it never comes to an end, whatever is in them.
func ownTarget() {
	args, how := os.Args[1:], ""
	if len(args) > 0 && strings.HasPrefix(args[0], "--") {
		how, args = args[0], args[1:]
	}
	var b []byte
	var err error
	if len(args) > 0 {
		b, err = os.ReadFile(args[0])
	} else {
		b, err = io.ReadAll(os.Stdin)
	}
	if err != nil || len(args) > 1 && !slices.Equal(args[1:], []string{"a b", "${x}"}) {
		os.Exit(9)
	}
	if how == "--hang" {
		_ = exec.Command("sleep", "60").Run()
	}
	if !bytes.Contains(b, []byte("needle")) {
		os.Exit(0)
	}
	switch how {
	case "--loud":
		_, _ = os.Stdout.Write(append(make([]byte, 3<<20), "\nthe needle\n"...))
	case "--wreck": // soon, the file has no place any more
		if len(b) < 20 {
			_ = os.RemoveAll(filepath.Dir(filepath.Dir(args[0])))
		}
	case "--kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Minute)
	case "--fickle": // every other time
		if os.Mkdir("before", 0o777) != nil {
			_ = os.Remove("before")
			os.Exit(0)
		}
	}
	os.Exit(7)
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		WorkdirRoot:         t.TempDir(), // by default, the directory is not removed
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":     outputtest.Status,
			"same-files": sameFiles,
			"below":      below,
			"dictionary": dictionary,
		},
		Setup: func(e *testscript.Env) error {
			// The files of a script all end in a line feed.
			return os.WriteFile(filepath.Join(e.WorkDir, "needle.txt"), []byte("needle"), 0o666)
		},
	})
}

// below checks that a file is small: below BYTES FILE.
func below(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: below BYTES FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := len(ts.ReadFile(args[1])); got >= n {
		ts.Fatalf("%s has %d bytes", args[1], got)
	}
}

// dictionary checks that a file is a dictionary as libFuzzer and AFL++ read
// it: a name, and a string of 1 to 128 bytes all of which are escaped.
func dictionary(ts *testscript.TestScript, _ bool, args []string) {
	entry := regexp.MustCompile(`^[a-zA-Z0-9_]+="(\\x[0-9A-F]{2}){1,128}"$`)
	for _, line := range strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n") {
		if !strings.HasPrefix(line, "#") && !entry.MatchString(line) {
			ts.Fatalf("%q is no entry of a dictionary", line)
		}
	}
}

// sameFiles checks that two directories have the same files: same-files A B.
func sameFiles(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same-files A B")
	}
	a, b := files(ts, args[0]), files(ts, args[1])
	if len(a) == 0 || len(a) != len(b) {
		ts.Fatalf("%d files and %d files", len(a), len(b))
	}
	for name, data := range a {
		if other, ok := b[name]; !ok || !bytes.Equal(data, other) {
			ts.Fatalf("%s differs", name)
		}
	}
}

func files(ts *testscript.TestScript, dir string) map[string][]byte {
	all := map[string][]byte{}
	entries, err := os.ReadDir(ts.MkAbs(dir))
	ts.Check(err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(ts.MkAbs(dir), e.Name()))
		ts.Check(err)
		all[e.Name()] = b
	}
	return all
}

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
