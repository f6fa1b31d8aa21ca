// Package integrations tests the files for CI services and build systems.
package integrations

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const lldOutput = "corpus/files/lld-23/concatenated-v3.elf"

// program returns the path of sframe-lint, which stands alone in its directory.
func program(t *testing.T) string {
	t.Helper()
	lint, err := builtOnce()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "sframe-lint")
	require.NoError(t, os.WriteFile(path, lint, 0o777))
	return path
}

// pattern is one of a problem matcher, with the numbers of its groups.
type pattern struct {
	Regexp                              string
	File, Line, Severity, Message, Code int
}

func matcher(t *testing.T) (pattern, *regexp.Regexp) {
	var matchers struct {
		ProblemMatcher []struct{ Pattern []pattern }
	}
	data, err := os.ReadFile("problem-matcher.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &matchers))
	p := matchers.ProblemMatcher[0].Pattern[0]
	return p, regexp.MustCompile(p.Regexp)
}

// TestProblemMatcher holds the matcher against the lines of all findings in a folder.
func TestProblemMatcher(t *testing.T) {
	p, re := matcher(t)

	var out []byte
	for _, profile := range []string{"toolchain", "app"} {
		c := exec.Command(program(t), "--profile", profile, "--path-map", "/build=corpus/files", "corpus/files/lld-23", "corpus/files/lines")
		c.Dir = ".."
		some, _ := c.Output()
		require.Equal(t, 1, c.ProcessState.ExitCode(), "findings, and no more")
		out = append(out, some...)
	}
	matched, lines := 0, 0
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if !regexp.MustCompile(`\[SF\d{4}\]( and \d+ more.*)?$`).MatchString(line) {
			continue
		}
		m := re.FindStringSubmatch(line)
		require.NotNil(t, m, line)
		assert.True(t, strings.HasPrefix(m[p.File], "corpus/files/"), line)
		assert.NotContains(t, m[p.File], ": ", line)
		assert.Contains(t, []string{"error", "warning", "note"}, m[p.Severity])
		assert.NotEmpty(t, m[p.Message])
		assert.Contains(t, line, "["+m[p.Code]+"]")
		if strings.Contains(line, "; the bytes: ") {
			assert.NotEmpty(t, m[p.Line], line)
			assert.Contains(t, []string{"corpus/files/lines/hold.h", "corpus/files/src/lines/frame.s", "corpus/files/lines/work.c"}, m[p.File])
			lines++
		}
		matched++
	}
	assert.Greater(t, matched, 10)
	assert.Greater(t, lines, 10)
}

// TestFullMatcher holds the matcher of paragraphs against those of all findings in a folder.
func TestFullMatcher(t *testing.T) {
	var matchers struct {
		ProblemMatcher []struct {
			Pattern []struct {
				Regexp     string
				File, Line int
			}
		}
	}
	data, err := os.ReadFile("problem-matcher.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &matchers))
	all := matchers.ProblemMatcher[1].Pattern
	first, second := regexp.MustCompile(all[0].Regexp), regexp.MustCompile(all[1].Regexp)
	c := exec.Command(program(t), "--format", "full", "--show", "note", "--path-map", "/build=corpus/files", "corpus/files/lld-23", "corpus/files/lines")
	c.Dir = ".."
	out, _ := c.Output()
	require.Equal(t, 1, c.ProcessState.ExitCode(), "findings, and no more")
	lines := strings.Split(string(out), "\n")
	matched, placed := 0, 0
	for i, line := range lines {
		if first.MatchString(line) && !strings.HasPrefix(lines[i+1], "    ") { // the first line was not broken
			m := second.FindStringSubmatch(lines[i+1])
			require.NotNil(t, m, lines[i+1])
			name := strings.TrimSuffix(regexp.MustCompile(`^\d+ files, the first `).ReplaceAllString(m[1], ""), ":")
			assert.True(t, strings.HasPrefix(name, "corpus/files/"), lines[i+1])
			if matched++; m[all[1].Line] != "" {
				assert.Contains(t, []string{"corpus/files/lines/hold.h", "corpus/files/src/lines/frame.s", "corpus/files/lines/work.c"}, name)
				placed++
			}
		}
	}
	assert.Greater(t, matched, 10)
	assert.Equal(t, 6, placed)
}

// TestGate runs the script of the Action on a good and on a bad file.
func TestGate(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	lint := program(t)
	run := func(paths ...string) (dir, summary, output string, status int) {
		dir = t.TempDir()
		c := exec.Command("integrations/gate", paths...)
		c.Dir = ".."
		c.Env = append(os.Environ(), "SFRAME_LINT="+lint, "OUT="+filepath.Join(dir, "out"), "FLAGS=--no-config --require-sframe",
			"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"), "GITHUB_OUTPUT="+filepath.Join(dir, "output"))
		out, err := c.CombinedOutput()
		if exit, ok := err.(*exec.ExitError); ok {
			status = exit.ExitCode()
		} else {
			require.NoError(t, err)
		}
		for _, name := range []string{"out/sframe.sarif", "out/summary.md", "summary", "output"} {
			assert.FileExists(t, filepath.Join(dir, name))
		}
		data, err := os.ReadFile(filepath.Join(dir, "summary"))
		require.NoError(t, err)
		return dir, string(data), string(out), status
	}
	dir, summary, output, status := run(lldOutput)
	assert.Equal(t, 1, status, output)
	assert.Contains(t, output, "[SF1019]")
	assert.Contains(t, summary, "SF1019")
	outputs, err := os.ReadFile(filepath.Join(dir, "output"))
	require.NoError(t, err)
	assert.Equal(t, "directory="+filepath.Join(dir, "out")+"\nstatus=1\n", string(outputs))

	_, _, output, status = run("corpus/files/binutils-2.47/amd64/program.elf")
	assert.Zero(t, status)
	assert.Empty(t, output)
	_, _, _, status = run("corpus/files/none.elf")
	assert.Equal(t, 3, status)
}

// TestGateAgain: another value of REQUIRE than true and false is a mistake, and a run leaves no report of an earlier one.
func TestGateAgain(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	out, lint := t.TempDir(), program(t)
	for _, name := range []string{"link.txt", "link.sarif"} {
		require.NoError(t, os.WriteFile(filepath.Join(out, name), []byte("old"), 0o666))
	}
	for _, x := range []struct {
		value  string
		status int
	}{{"True", 2}, {"yes", 2}, {"false", 3}, {"true", 3}} {
		c := exec.Command("integrations/gate", "corpus/files/binutils-2.47/amd64/program.elf")
		c.Dir, c.Env = "..", append(os.Environ(), "SFRAME_LINT="+lint, "OUT="+out, "FLAGS=--no-config", "MAP=none.map", "REQUIRE="+x.value)
		said, err := c.CombinedOutput()
		require.Error(t, err, x.value)
		assert.Equal(t, x.status, c.ProcessState.ExitCode(), "%s: %s", x.value, said)
	}
	assert.NoFileExists(t, filepath.Join(out, "link.txt"))
	assert.NoFileExists(t, filepath.Join(out, "link.sarif"))
}

// TestYAML decodes the files for services, and looks for the scripts that they name.
func TestYAML(t *testing.T) {
	for _, name := range []string{"../action.yml", "../.pre-commit-hooks.yaml", "gitlab.yml", "../.goreleaser.yaml"} {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		var v any
		require.NoError(t, yaml.UnmarshalWithOptions(data, &v, yaml.Strict()), name)
	}
	data, err := os.ReadFile("../action.yml")
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`\$ACTION/(\S+?)"`).FindAllStringSubmatch(string(data), -1) {
		assert.FileExists(t, filepath.Join("..", m[1]))
	}
}

// TestHooks runs the commands of the hooks for pre-commit in a repository.
func TestHooks(t *testing.T) {
	var hooks []struct{ ID, Entry string }
	data, err := os.ReadFile("../.pre-commit-hooks.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(data, &hooks))
	require.Len(t, hooks, 2)
	lint, dir := program(t), t.TempDir()
	run := func(i int, files ...string) (string, int) {
		words := append(strings.Fields(hooks[i].Entry), files...)
		require.Equal(t, "integrations/pre-commit", words[0]) // it runs the program
		c := exec.Command(lint, words[1:]...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			require.NoError(t, err)
		}
		return string(out), c.ProcessState.ExitCode()
	}
	for name, file := range map[string]string{"good.elf": "corpus/files/binutils-2.47/amd64/program.elf", "bad.elf": lldOutput} {
		data, err := os.ReadFile("../" + file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	config := filepath.Join(dir, ".sframe-lint.yaml")
	require.NoError(t, os.WriteFile(config, []byte("show: error\n"), 0o666))
	out, status := run(0, "good.elf", "bad.elf")
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "bad.elf: .sframe+0x40")
	out, status = run(1)
	assert.Zero(t, status, out)
	require.NoError(t, os.WriteFile(config, []byte("showw: error\n"), 0o666))
	out, status = run(1)
	assert.Equal(t, 2, status)
	assert.Contains(t, out, `unknown key "showw"`)
}
