package lintcmd

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

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
