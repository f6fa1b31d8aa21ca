package lintcmd

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
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

// FuzzStdin hands whatever comes to the program by a pipe: the report is that of the
// same bytes in a file, and memory and output have bounds.
func FuzzStdin(f *testing.F) {
	f.Add([]byte{0xe2, 0xde, 2, 0, 3, 0, 0xf8, 0}, false)
	f.Add([]byte("!<arch>\nx.o/            0           0     0     644     4         `\nabcd"), false)
	f.Add([]byte("!<thin>\n/etc/passwd/    0           0     0     644     4         `\n"), false)
	b := must.Get(os.ReadFile(corpus + "binutils-2.47/amd64/signal.o"))(f)
	f.Add(b, false)
	f.Add([]byte{}, true)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, input []byte, raw bool) {
		args := []string{"--no-config", "--allow-empty", "--format", "json"}
		if raw {
			args = append(args, "--raw")
		}
		file := filepath.Join(dir, "input")
		require.NoError(t, os.WriteFile(file, input, 0o666))
		var status int
		var out, errs string
		used := testkit.Allocated(func() {
			status, out, errs = runMain(struct{ io.Reader }{bytes.NewReader(input)}, append(args, "-")...)
		})
		require.True(t, status != program.ExitUsage && !strings.Contains(errs, "internal error"), "%d %s", status, errs)
		require.True(t, json.Valid([]byte(out)))
		require.NoError(t, testkit.Obeyed(errs+out))
		require.LessOrEqual(t, used, uint64(64<<20+8000*len(input)))
		require.LessOrEqual(t, len(out)+len(errs), mostOutput(len(input)))
		if thin(input) {
			return // members are beside the file
		}
		same, fromFile, _ := runMain(nil, append(args, file)...)
		assert.Equal(t, same, status)
		name := must.Get(json.Marshal(file))(t)
		assert.Equal(t, strings.ReplaceAll(fromFile, string(name), `"<stdin>"`), out)
	})
}

// FuzzPaths checks a file with a hostile name in a hostile directory: no output is
// obeyed by a terminal or a service, every document is valid, and memory and output
// have bounds.
func FuzzPaths(f *testing.F) {
	f.Add("::error::x", "##[error]y")
	f.Add("a\n::warning::", "\x1b]0;x\x07")
	f.Add("%0A::x", "a,b:c%25")
	f.Add("\xff\u202e", "-")
	f.Add("lib(x).a", `"><script>`)
	f.Add("##vso[task", "\r\x9b31m")
	bad := []byte{0xe2, 0xde, 9, 0}
	top := f.TempDir()
	f.Fuzz(func(t *testing.T, dir, name string) {
		if !filepath.IsLocal(dir) || strings.ContainsRune(dir+name, '/') || name == "." || name == "../.." || name == "" {
			return
		}
		root := must.Get(os.OpenRoot(top))(t)
		defer root.Close()
		if root.Mkdir(dir, 0o777) != nil {
			return // no name for a directory
		}
		defer root.RemoveAll(dir)
		if root.WriteFile(filepath.Join(dir, name), bad, 0o666) != nil {
			return
		}
		t.Chdir(top)
		file := "./" + dir + "/" + name
		for _, args := range [][]string{
			{"--no-config", file}, {"--no-config", "-v", dir + "/"}, {"--no-config", "--format", "json", file},
			// All rules would make SARIF large, and names matter here.
			{"--no-config", "--select", "SF1003", "--format", "sarif", file}, {"--no-config", "--select", "SF1003", "--format", "html", file}, {"--no-config", "--diff", "--format", "json=/dev/null", file}, {"dump", file}, {"view", file}, {"dump", "--format", "json", file},
			{"diff", file, file}, {"link", file, "x"}, {"stat", file}, {"stat", "--format", "json", file}, {"coverage", file}, {"consumers", file},
			{"consumers", "--format", "json", file}, {"--config", file, file}, {"--baseline", file, file}, {"--config=" + name, dir},
		} {
			_, out, errs := boundedMain(t, len(bad)+len(file), args...)
			assert.NoError(t, testkit.Obeyed(errs), "%q", args)
			if !strings.Contains(out, "<!DOCTYPE") { // its style has what is not obeyed there
				assert.NoError(t, testkit.Obeyed(out), "%q", args)
			}
			if len(out) > 0 && (out[0] == '{' || out[0] == '[') {
				assert.True(t, json.Valid([]byte(out)), "%q: %s", args, out)
			}
		}
	})
}
