package docs_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

var update = flag.Bool("update", false, "write the output of commands in the pages anew")

//go:generate go test . -run ^TestSessions$ -update

// pages are those whose commands are run: a line "    $ COMMAND", with its output in the
// indented lines after it.
var pages = []struct {
	path string
	dir  string // where the commands are run, in the repository; "" for a directory with the files of testdata/start
	need bool   // of the real tools
}{
	{path: "README.md", dir: "."},
	{path: "docs/usage.md", dir: "corpus/files"},
	{path: "docs/start-toolchain.md", dir: "corpus/files"},
	{path: "docs/start-kernel.md", dir: "corpus/files"},
	{path: "docs/reporting.md", dir: "corpus/files"},
	{path: "docs/wrong-backtraces.md", dir: "corpus/files"},
	{path: "docs/expect.md", dir: "corpus/files"},
	{path: "docs/synth.md", dir: "corpus/files"},
	{path: "docs/start-fuzz.md"},
	{path: "docs/start-ci.md", need: true},
}

// TestSessions runs the commands of pages that need nothing but this project.
func TestSessions(t *testing.T) { sessions(t, false) }

// TestInteropSessions runs those of pages that need a compiler and real tools.
func TestInteropSessions(t *testing.T) {
	toolchain.Bin(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc")
	}
	sessions(t, true)
}

func sessions(t *testing.T, need bool) {
	programs := t.TempDir()
	out, err := exec.Command("go", "build", "-o", programs, "../cmd/sframe-lint", "../cmd/sframe-fuzz").CombinedOutput()
	require.NoError(t, err, "%s", out)
	if need {
		compiler(t, programs)
	}
	for _, page := range pages {
		if page.need != need {
			continue
		}
		t.Run(page.path, func(t *testing.T) {
			path := filepath.Join("..", page.path)
			doc := must.Get(os.ReadFile(path))(t)
			dir := filepath.Join("..", page.dir)
			if page.dir == "" {
				dir = t.TempDir()
				require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/start")))
			}
			got := replay(t, string(doc), dir, programs)
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
				return
			}
			assert.Equal(t, string(doc), got, "%s is stale: run go generate ./docs", page.path)
		})
	}
}

// compiler adds a gcc to the programs that uses the newest real tools.
func compiler(t *testing.T, programs string) {
	for name, tool := range map[string]string{"as": "sid-x86_64-as", "ld": "sid-x86_64-ld", "ld.lld": "sid-lld", "ld.mold": "sid-mold"} {
		require.NoError(t, os.Symlink(toolchain.Tool(t, tool), filepath.Join(programs, name)))
	}
	gcc := must.Get(exec.LookPath("gcc"))(t)
	script := "#!/bin/sh\nexec " + gcc + " -B " + programs + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(programs, "gcc"), []byte(script), 0o777))
}

// replay runs the commands of a page and returns the page with what they write. Files below
// /tmp are those of a directory of the test.
func replay(t *testing.T, doc, dir, programs string) string {
	tmp, ran := t.TempDir(), 0
	integrations := must.Get(filepath.Abs("../integrations"))(t)
	var out strings.Builder
	lines := strings.SplitAfter(doc, "\n")
	for i := 0; i < len(lines); i++ {
		out.WriteString(lines[i])
		command, ok := strings.CutPrefix(lines[i], "    $ ")
		if !ok {
			continue
		}
		for strings.HasSuffix(command, "\\\n") {
			i++
			out.WriteString(lines[i])
			command += lines[i]
		}
		ran++
		c := exec.Command("sh", "-c", strings.NewReplacer("/tmp", tmp, "integrations/", integrations+"/").Replace(command))
		c.Dir, c.Env = dir, append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"))
		wrote, _ := c.CombinedOutput() // the page shows the status where it matters
		for line := range strings.Lines(strings.ReplaceAll(string(wrote), tmp, "/tmp")) {
			out.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
		}
		for i+1 < len(lines) && output(lines[i+1:]) {
			i++ // what stood there
		}
	}
	assert.NotZero(t, ran)
	return out.String()
}

// output reports whether a line is of the output of the command before: indented, or blank
// between indented lines.
func output(lines []string) bool {
	for _, line := range lines {
		if line != "\n" {
			return strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "    $ ")
		}
	}
	return false
}
