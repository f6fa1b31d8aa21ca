package integrations

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// committer is a repository whose commits pre-commit checks with the hooks of this one.
type committer struct{ hooks, dir, lint, home string }

// newCommitter makes a repository of hooks that run the program that was built for the test: of the hooks only
// the program is another one.
func newCommitter(t *testing.T, lint, hooks string) *committer {
	for _, name := range []string{"pre-commit", "git"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("there is no " + name)
		}
	}
	text, err := os.ReadFile("../.pre-commit-hooks.yaml")
	require.NoError(t, err)
	local := strings.NewReplacer("language: script", "language: system", "integrations/pre-commit", "sframe-lint").Replace(string(text))
	require.NotEqual(t, string(text), local)
	require.NoError(t, os.WriteFile(filepath.Join(hooks, ".pre-commit-hooks.yaml"), []byte(local), 0o666))
	p := &committer{hooks: hooks, dir: hooks, lint: lint, home: t.TempDir()}
	p.git(t, "init", "-q")
	p.git(t, "add", ".")
	p.git(t, "commit", "-qm", "hooks")
	return p
}

// commit commits files to a new repository, and returns what the hooks print.
func (p *committer) commit(t *testing.T, files fs.FS, args []string) (string, error) {
	p.dir = t.TempDir()
	p.git(t, "init", "-q")
	p.configure(t, args)
	p.git(t, "add", ".pre-commit-config.yaml")
	out, err := p.command("pre-commit", "install").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.CopyFS(p.dir, files))
	p.git(t, "add", ".")
	out, err = p.command("git", "commit", "-m", "files").CombinedOutput()
	return string(out), err
}

// TestPreCommit makes commits with pre-commit.
func TestPreCommit(t *testing.T) {
	p := newCommitter(t, program(t), t.TempDir())
	const (
		picture = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
		unknown = "\x00\x01 a database"
	)
	good, err := os.ReadFile("../" + goodFile)
	require.NoError(t, err)
	bad, err := os.ReadFile("../" + lldOutput)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		args   []string
		config string
		files  map[string]string
		fails  string
	}{
		"a picture":                  {files: map[string]string{"logo.png": picture}},
		"a picture without a suffix": {files: map[string]string{"logo": picture}},
		"a database":                 {files: map[string]string{"data.db": unknown}, args: []string{"--require-sframe", "--"}},
		"a demanding configuration":  {files: map[string]string{"data.db": unknown}, config: "require-sframe: true\n"},
		"text":                       {files: map[string]string{"a.txt": "text\n"}},
		"a program":                  {files: map[string]string{"app": string(good), "logo.png": picture}},
		"a bad program":              {files: map[string]string{"app": string(bad)}, fails: "app: .sframe+0x40"},
		"a bad one with pictures":    {files: map[string]string{"app": string(bad), "logo.png": picture, "data.db": unknown}, fails: "app: .sframe+0x40"},
		"a bad one of many":          {files: map[string]string{"a/lib one.so": string(good), "b/app": string(bad)}, fails: "b/app: .sframe+0x40"},
		"the name of a flag":         {files: map[string]string{"--no-config": string(bad)}, fails: "--no-config: .sframe+0x40"},
		"a program without data":     {files: map[string]string{"app": "\x7fELF damaged"}, fails: "app: "},
		"a bad configuration":        {config: "showw: error\n", fails: `unknown key "showw"`},
		"a good configuration":       {config: "show: error\n"},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, text := range c.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			if c.config != "" {
				files[".sframe-lint.yaml"] = &fstest.MapFile{Data: []byte(c.config)}
			}
			out, err := p.commit(t, files, c.args)
			if c.fails == "" {
				assert.NoError(t, err, "%s", out)
				return
			}
			assert.Error(t, err)
			assert.Contains(t, out, c.fails)
		})
	}
}

// TestPreCommitInstalls runs the hook's program for the first time and once more: it comes from the release, or is built.
func TestPreCommitInstalls(t *testing.T) {
	r := actionAt(t)
	r.copyIn(t, "pre-commit")
	lint := program(t)
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\necho built >&2\ncp '"+lint+"' \"$4\"\n"), 0o777))
	run := func(env ...string) string {
		out, status := shell(t, r.dir, "PATH='"+bin+"':$PATH '"+r.action+"/integrations/pre-commit' -- bad.elf", lint, env...)
		assert.Equal(t, 1, status)
		assert.Contains(t, out, "bad.elf: .sframe+0x40")
		return out
	}
	assert.Contains(t, run(), "built\n")
	assert.NotContains(t, run(), "built\n", "it is kept")
	require.NoError(t, os.Remove(filepath.Join(r.action, ".sframe-lint")))
	p := publish(t, r)
	release := []string{"REF=v" + released, "SFRAME_LINT_RELEASES=" + p.server.URL}
	assert.NotContains(t, run(release...), "built\n")
	assert.Len(t, p.asked, 2, "the provenance and the archive: %v", p.asked)
	run(release...)
	assert.Len(t, p.asked, 2)
}

// configure asks for both hooks.
func (p *committer) configure(t *testing.T, args []string) {
	hook := map[string]any{"id": "sframe-lint"}
	if args != nil {
		hook["args"] = args
	}
	rev := strings.TrimSpace(p.git(t, "-C", p.hooks, "rev-parse", "HEAD"))
	config, err := yaml.Marshal(map[string]any{"repos": []any{
		map[string]any{"repo": p.hooks, "rev": rev, "hooks": []any{hook, map[string]any{"id": "sframe-lint-config"}}},
	}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, ".pre-commit-config.yaml"), config, 0o666))
}

func (p *committer) git(t *testing.T, args ...string) string {
	t.Helper()
	out, err := p.command("git", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func (p *committer) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = p.dir
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(p.lint)+":"+os.Getenv("PATH"), "PRE_COMMIT_HOME="+p.home, "HOME="+p.home,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	return c
}
