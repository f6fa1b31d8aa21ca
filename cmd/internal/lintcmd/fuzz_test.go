package lintcmd

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// FuzzCommands hands whatever comes to all commands: none fails, what is
// written for programs is JSON, a file does not differ from itself, and what
// was fixed is not fixed again. Memory and output have bounds.
func FuzzCommands(f *testing.F) {
	step := 8 // of the files of the corpus; more where they are seeds
	if flag.Lookup("test.fuzz").Value.String() != "" {
		step = 4
	}
	files := must.Get(filepath.Glob(corpus + "*/*/*"))(f)
	hand := must.Get(filepath.Glob(corpus + "*/*"))(f)
	for i, file := range append(files, hand...) {
		if b, err := os.ReadFile(file); i%step == 0 && err == nil && len(b) < 3<<10 && !thin(b) {
			f.Add(b)
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, input []byte) {
		if thin(input) {
			return // a name that the fuzzer makes up could lead to any file
		}
		file := filepath.Join(dir, "input")
		require.NoError(t, os.WriteFile(file, input, 0o666))
		// SARIF describes all rules that are selected, which takes longer than the rest.
		family := "SF" + strconv.Itoa(1+len(input)%7)
		for _, name := range []string{"merged", "rewritten", "converted", "section", "made"} {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, name))) // an ELF file is not replaced by another kind
		}
		for _, args := range [][]string{
			{"--no-config", "--consumer", "all", "--require-sframe", "--format", "text", "--format", "json=" + dir + "/json",
				"--format", "github=" + dir + "/github", "--format", "html=" + dir + "/html", file},
			{"--no-config", "--select", family, "--format", "sarif=" + dir + "/sarif", file},
			{"--no-config", "--raw", "--format", "github", file},
			{"dump", file},
			{"dump", "--format", "objdump", file},
			{"dump", "--format", "json", file},
			{"stat", "--format", "json", file},
			{"coverage", "--format", "json", file},
			{"consumers", file},
			{"diff", file, file},
			{"link", file, dir + "/other"},
			{"link", "--map", file, file},
			{"coverage", "--code", file},
			{"stat", dir},
			{"view", "--output", dir + "/page", file},
			{"rewrite", "--output", dir + "/merged", file},
			{"rewrite", "--output", dir + "/rewritten", file},
			{"rewrite", "--to", "2", "--output", dir + "/converted", file},
			{"rewrite", "--to", "3", "--section-out", dir + "/section", file},
			{"expect", file},
			{"synth", "--output", dir + "/made", file},
		} {
			status, out, errs := boundedMain(t, len(input), args...)
			ok := status != program.ExitUsage && !strings.Contains(errs, "internal error")
			if args[0] == "diff" { // what can't be compared is told, and is no success
				ok = ok && status != program.ExitFindings
			}
			assert.True(t, ok, "%v: status %d\n%s\n%s", args, status, errs, out)
			assert.True(t, plain(out) && plain(errs), "%v: control characters in\n%q\n%q", args, errs, out)
		}
		for _, name := range []string{"sarif", "json"} {
			b, err := os.ReadFile(filepath.Join(dir, name))
			assert.True(t, err == nil && json.Valid(b), "%s: %v: %s", name, err, b)
			assert.LessOrEqual(t, len(b), mostOutput(len(input)), name)
		}
		for _, how := range [][]string{{"--fix"}, {"--fix", "--fix-unsafe"}} {
			args := append(how, "--no-config", "--fail-on", "never", file)
			fixing(t, len(input), args)
			once := must.Get(os.ReadFile(file))(t)
			fixing(t, len(input), args)
			twice := must.Get(os.ReadFile(file))(t)
			assert.Equal(t, once, twice, "%v: fixed again", how)
		}
	})
}

// mostOutput bounds what is written about an input of n bytes. SARIF has all rules.
func mostOutput(n int) int { return 1<<20 + 4000*n }

// boundedMain runs the program on an input of n bytes, and bounds what it takes from
// the heap and what it writes.
func boundedMain(t *testing.T, n int, args ...string) (status int, out, errs string) {
	t.Helper()
	used := testkit.Allocated(func() { status, out, errs = runMain(nil, args...) })
	assert.LessOrEqual(t, used, uint64(64<<20+8000*n), "%q", args)
	assert.LessOrEqual(t, len(out)+len(errs), mostOutput(n), "%q", args)
	return status, out, errs
}

func fixing(t *testing.T, n int, args []string) {
	t.Helper()
	_, _, errs := boundedMain(t, n, args...)
	assert.NotContains(t, errs, "internal error")
	assert.NotContains(t, errs, "can't be fixed")
}

func thin(b []byte) bool { return bytes.HasPrefix(b, []byte("!<thin>\n")) }

// plain reports whether a terminal shows the text as it is.
func plain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' })
}
