package integrations

import (
	"archive/zip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rehearsed is the version that is released here, without a network and without a trace.
const rehearsed = "1.0.0"

// rehearsal is a clone with the tag of a release, the release's files, and a module proxy, which has no other module of the
// release's version.
type rehearsal struct {
	clone, dist string
	env         []string // for the go command: the proxy, and an empty module cache
}

// newRehearsal makes the release, or takes over that of scripts/release --rehearse.
func newRehearsal(t *testing.T) *rehearsal {
	for _, name := range []string{"git", "openssl", "curl", "tar", "bash"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS != "linux" {
			t.Skip("needs Linux with " + name)
		}
	}
	r := &rehearsal{clone: os.Getenv("SFRAME_RELEASE")}
	if r.clone == "" {
		r.clone = filepath.Join(t.TempDir(), "sframe-lint")
		tool(t, ".", "bash", "../scripts/release", "--tag", r.clone)
		r.pack(t)
	}
	r.dist = filepath.Join(r.clone, "dist")
	dir := t.TempDir()
	releases := filepath.Join(dir, "releases/download")
	require.NoError(t, os.MkdirAll(releases, 0o777))
	require.NoError(t, os.Symlink(r.dist, filepath.Join(releases, "v"+rehearsed)))
	t.Setenv("SFRAME_LINT_RELEASES", "file://"+filepath.Join(dir, "releases"))
	r.proxy(t, dir)
	return r
}

// pack builds the archive of this machine, its list of checksums and the provenance.
func (r *rehearsal) pack(t *testing.T) {
	dist := filepath.Join(r.clone, "dist")
	require.NoError(t, os.Mkdir(dist, 0o777))
	name := fmt.Sprintf("sframe-lint_%s_%s_%s.tar.gz", rehearsed, runtime.GOOS, runtime.GOARCH)
	tool(t, r.clone, "go", "build", "-trimpath", "-pgo=off", "-ldflags=-X github.com/sframe-lint/sframe-lint/internal/tool/program.version="+rehearsed, "-o", dist, "./cmd/sframe-lint")
	tool(t, dist, "tar", "-czf", name, "sframe-lint")
	b, err := os.ReadFile(filepath.Join(dist, name))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dist, "checksums.txt"), fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(b), name), 0o666))
	t.Setenv("SFRAME_RELEASE_KEY", filepath.Join(r.clone, ".release/key.pem"))
	commit := strings.TrimSpace(tool(t, r.clone, "git", "rev-parse", "HEAD"))
	tool(t, r.clone, "sh", "scripts/attest", "provenance", "dist/checksums.txt", rehearsed, commit, "dist/sframe-lint_"+rehearsed+".intoto.jsonl")
}

// proxy makes the folder from which the go command takes the module. What it requires comes from the module cache.
func (r *rehearsal) proxy(t *testing.T, dir string) {
	const module = "github.com/sframe-lint/sframe-lint"
	at := filepath.Join(dir, "proxy", module, "@v")
	require.NoError(t, os.MkdirAll(at, 0o777))
	// The modules scripts and integrations are not a part of it.
	packed := filepath.Join(dir, "all.zip")
	tool(t, r.clone, "git", "archive", "--format=zip", "-o", packed, "v"+rehearsed, ".", ":!scripts", ":!integrations")
	in, err := zip.OpenReader(packed)
	require.NoError(t, err)
	defer in.Close()
	out, err := os.Create(filepath.Join(at, "v"+rehearsed+".zip"))
	require.NoError(t, err)
	w := zip.NewWriter(out)
	for _, f := range in.File {
		if f.FileInfo().IsDir() {
			continue
		}
		from, err := f.Open()
		require.NoError(t, err)
		to, err := w.Create(module + "@v" + rehearsed + "/" + f.Name)
		require.NoError(t, err)
		_, err = io.Copy(to, from)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, out.Close())
	mod, err := os.ReadFile(filepath.Join(r.clone, "go.mod"))
	require.NoError(t, err)
	for name, text := range map[string]string{"list": "v" + rehearsed + "\n", "v" + rehearsed + ".mod": string(mod), "v" + rehearsed + ".info": `{"Version":"v` + rehearsed + `"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o666))
	}
	cache := strings.TrimSpace(tool(t, "..", "go", "env", "GOMODCACHE"))
	r.env = []string{"GOPROXY=file://" + filepath.Join(dir, "proxy") + ",file://" + filepath.Join(cache, "cache/download"), "GOSUMDB=off",
		"GOMODCACHE=" + filepath.Join(dir, "modules"), "GOBIN=" + filepath.Join(dir, "bin"), "GOFLAGS=-modcacherw -trimpath -pgo=off"}
}

// TestRehearsal releases the commit without a network: a user installs the program and imports the packages from a module
// proxy, and the Action, the hook and the job take the program of the release.
func TestRehearsal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program from a proxy: run without -short")
	}
	r := newRehearsal(t)
	dir, bin := t.TempDir(), ""
	for _, e := range r.env {
		name, value, _ := strings.Cut(e, "=")
		t.Setenv(name, value)
		if name == "GOBIN" {
			bin = value
		}
	}
	tool(t, dir, "go", "install", "github.com/sframe-lint/sframe-lint/cmd/sframe-lint@v"+rehearsed)
	assert.Contains(t, tool(t, dir, filepath.Join(bin, "sframe-lint"), "--version"), "sframe-lint version "+rehearsed+" (")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(importing), 0o666))
	tool(t, dir, "go", "mod", "init", "example.org/gate")
	for _, name := range []string{"lint", "rules"} { // "go mod tidy" asks for tests of required modules, which the cache need not have
		tool(t, dir, "go", "get", "github.com/sframe-lint/sframe-lint/"+name+"@v"+rehearsed)
	}
	good, err := filepath.Abs("../" + goodFile)
	require.NoError(t, err)
	assert.Equal(t, "1 file, 0 errors\n", tool(t, dir, "go", "run", ".", good))

	a := &runner{action: r.clone, dir: t.TempDir(), github: map[string]string{"action_ref": "v" + rehearsed}, job: map[string]string{"SFRAME_LINT_RELEASES": os.Getenv("SFRAME_LINT_RELEASES")}}
	a.copy(t, goodFile, "good.elf")
	a.run(t, map[string]string{"paths": "good.elf"})
	assert.Zero(t, a.status, a.log)
	assert.Empty(t, a.used, "the Action has built the program: %s", a.log)
	assert.Contains(t, tool(t, a.dir, filepath.Join(a.temp, "sframe-lint"), "--version"), "version "+rehearsed+" (")

	job := filepath.Join(r.clone, "integrations/gitlab.yml")
	text, err := os.ReadFile(job)
	require.NoError(t, err)
	var file map[string]struct{ Script []string }
	require.NoError(t, yaml.Unmarshal(text, &file))
	out, status := shell(t, a.dir, strings.Join(file[".sframe-lint"].Script, "\n"), filepath.Join(bin, "sframe-lint"),
		"SFRAME_VERSION=latest", "SFRAME_PATHS=good.elf", "SFRAME_REQUIRE=true", "SFRAME_FLAGS=")
	assert.Zero(t, status, out)

	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("there is no pre-commit")
	}
	b, err := os.ReadFile(good)
	require.NoError(t, err)
	p := &committer{hooks: r.clone, dir: r.clone, lint: filepath.Join(bin, "sframe-lint"), home: t.TempDir()}
	t.Setenv("PATH", withoutGo(t)) // what cannot be downloaded cannot be built
	said, err := p.commit(t, fstest.MapFS{"app": {Data: b}}, nil)
	assert.NoError(t, err, said)
}

// withoutGo returns a PATH on which there is no go command.
func withoutGo(t *testing.T) string {
	var all []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, "go")); err != nil {
			all = append(all, dir)
		}
	}
	return strings.Join(all, string(filepath.ListSeparator))
}

// importing is a gate that uses the packages.
const importing = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

func main() {
	l, err := lint.New(lint.Options{Show: rules.Error})
	if err != nil {
		panic(err)
	}
	r := l.Run(context.Background(), os.Args[1:]...)
	files, errors := 0, 0
	for f := range r.Files() {
		files++
		for i := range f.Objects {
			errors += len(f.Objects[i].Findings)
		}
	}
	fmt.Printf("%d file, %d errors\n", files, errors)
}
`
