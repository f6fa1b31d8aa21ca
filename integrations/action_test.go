package integrations

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	goodFile = "corpus/files/binutils-2.47/amd64/program.elf"
	released = "1.2.3-rc1"
)

// actionAt returns the runner of an action that is checked out without a key for releases: it has the files of
// this repository.
func actionAt(t *testing.T) *runner {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "an action")
	require.NoError(t, os.Mkdir(dir, 0o777))
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() == "integrations" || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		require.NoError(t, os.Symlink(filepath.Join(root, e.Name()), filepath.Join(dir, e.Name())))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "integrations"), 0o777))
	r := &runner{action: dir, dir: t.TempDir(), github: map[string]string{"action_ref": "main"}, job: map[string]string{}}
	r.copyIn(t, "gate", "install", "problem-matcher.json")
	for name, file := range map[string]string{"good.elf": goodFile, "bad.elf": lldOutput, "build/a/good 2.elf": goodFile, "build/b/bad.elf": lldOutput, "build/-x.elf": goodFile} {
		r.copy(t, file, name)
	}
	return r
}

// copyIn copies files of this folder to the action.
func (r *runner) copyIn(t *testing.T, names ...string) {
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(r.action, "integrations", name), text, 0o777))
	}
}

// copy puts a file of the repository into the working directory of the job.
func (r *runner) copy(t *testing.T, file, name string) {
	data, err := os.ReadFile(filepath.Join("..", file))
	require.NoError(t, err)
	name = filepath.Join(r.dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, data, 0o666))
}

// builtOnce returns the bytes of sframe-lint.
var builtOnce = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "sframe-lint")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	lint := filepath.Join(dir, "sframe-lint")
	if out, err := exec.Command("go", "build", "-o", lint, "../cmd/sframe-lint").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return os.ReadFile(lint)
})

// release is a server with one release.
type release struct {
	files   map[string][]byte
	asked   []string
	archive string
	server  *httptest.Server
}

// publish makes a release, signs it with a new key as a maintainer would, gives the action the public key, and serves it.
func publish(t *testing.T, r *runner) *release {
	for _, tool := range []string{"openssl", "curl", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no " + tool)
		}
	}
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("a release for Windows is a ZIP file")
	}
	// The release has a script that runs the program: an archive of 15 MB would be packed, digested and unpacked for each job.
	lint := fmt.Appendf(nil, "#!/bin/sh\nexec '%s' \"$@\"\n", program(t))
	p := &release{archive: fmt.Sprintf("sframe-lint_%s_%s_%s.tar.gz", released, runtime.GOOS, runtime.GOARCH)}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	w := tar.NewWriter(z)
	require.NoError(t, w.WriteHeader(&tar.Header{Name: "sframe-lint", Mode: 0o755, Size: int64(len(lint))}))
	_, err := w.Write(lint)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())

	dir := t.TempDir()
	key, sums, statement := filepath.Join(dir, "key.pem"), filepath.Join(dir, "checksums.txt"), filepath.Join(dir, "provenance")
	require.NoError(t, os.WriteFile(sums, fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(packed.Bytes()), p.archive), 0o666))
	tool(t, dir, "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
	tool(t, dir, "openssl", "pkey", "-in", key, "-pubout", "-out", filepath.Join(r.action, "integrations", "release.pub"))
	t.Setenv("SFRAME_RELEASE_KEY", key)
	tool(t, "..", "sh", "scripts/attest", "provenance", sums, released, strings.Repeat("ab", 20), statement)
	envelope, err := os.ReadFile(statement)
	require.NoError(t, err)
	p.files = map[string][]byte{p.archive: packed.Bytes(), "sframe-lint_" + released + ".intoto.jsonl": envelope}

	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		p.asked = append(p.asked, q.URL.Path)
		switch file := p.files[path.Base(q.URL.Path)]; {
		case q.URL.Path == "/latest":
			http.Redirect(w, q, "/tag/v"+released, http.StatusFound)
		case strings.HasPrefix(q.URL.Path, "/download/v") && file != nil:
			w.Write(file)
		case !strings.HasPrefix(q.URL.Path, "/tag/"):
			http.NotFound(w, q)
		}
	}))
	t.Cleanup(p.server.Close)
	r.job["SFRAME_LINT_RELEASES"] = p.server.URL
	r.github["action_ref"] = "v" + released
	return p
}

func tool(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// TestActionInputs runs the action with inputs in all forms: each file that they name is checked.
func TestActionInputs(t *testing.T) {
	r := actionAt(t)
	publish(t, r)
	for name, c := range map[string]struct {
		paths, flags string
		status       int
		log          string
	}{
		"one":                     {paths: "good.elf"},
		"two on a line":           {paths: "good.elf bad.elf", status: 1, log: "bad.elf: .sframe+0x40"},
		"two lines":               {paths: "good.elf\nbad.elf\n", status: 1, log: "bad.elf: .sframe+0x40"},
		"CRLF and blank lines":    {paths: "\r\n  good.elf\r\n\r\n\tbad.elf\r\n", status: 1, log: "bad.elf: .sframe+0x40"},
		"missing on the 2nd line": {paths: "good.elf\nnone.elf\n", status: 3, log: "none.elf"},
		"pattern":                 {paths: "*.elf", status: 1, log: "bad.elf: .sframe+0x40"},
		"pattern for directories": {paths: "good.elf\nbuild/**/b*.elf\n", status: 1, log: "build/b/bad.elf: .sframe+0x40"},
		"pattern for few":         {paths: "g[o]od.el?"},
		"pattern without a match": {paths: "good.elf *.so", status: 3, log: "*.so"},
		"quoted pattern":          {paths: `"*.elf"`, status: 3, log: "*.elf: no such file"},
		"quoted name":             {paths: "'build/a/good 2.elf'\n\"bad.elf\"", status: 1, log: "bad.elf: .sframe+0x40"},
		"pattern in a name":       {paths: `build/a/"good 2".*`},
		"unquoted name":           {paths: "build/a/good 2.elf", status: 3, log: "2.elf: no such file"},
		"open quote":              {paths: "good.elf 'bad.elf", status: 2, log: "a quotation mark"},
		"nothing":                 {paths: "\n", status: 2, log: "nothing to check"},
		"leading dash":            {paths: "--no-config\ngood.elf", status: 3, log: "--no-config: no such file"},
		"no commands":             {paths: "$(touch${IFS}pwned) `touch pwned2` good.elf;touch", status: 3, log: "no such file"},
		"flags":                   {paths: "bad.elf", flags: "--fail-on never\n--select SF1019\n", log: "[SF1019]"},
		"flag on the 2nd line":    {paths: "good.elf", flags: "--quiet\n--no-such-flag", status: 2, log: "no-such-flag"},
		"flag with a pattern":     {paths: "build", flags: "--exclude **/b/*"},
		"flag with spaces":        {paths: "bad.elf", flags: "--path-map 'a b=c'", status: 1, log: "[SF1019]"},
	} {
		t.Run(name, func(t *testing.T) {
			r.run(t, map[string]string{"paths": c.paths, "flags": c.flags})
			assert.Equal(t, c.status, r.status, r.log)
			assert.Equal(t, c.status, r.code(t))
			if c.log == "" {
				assert.Equal(t, "::add-matcher::"+r.action+"/integrations/problem-matcher.json\n", r.log)
			}
			assert.Contains(t, r.log, c.log)
			assert.Empty(t, r.used)
		})
	}
	for _, name := range []string{"pwned", "pwned2"} {
		assert.NoFileExists(t, filepath.Join(r.dir, name))
	}
	// A file in a directory that a pattern matches is checked once.
	r.run(t, map[string]string{"paths": "build/**", "flags": "--select SF1019"})
	assert.Equal(t, 1, strings.Count(r.log, "[SF1019]"), r.log)
	// A file of the tree cannot become a flag, nor standard input.
	r.copyAs(t, "build/-x.elf", "--no-config", "-")
	r.run(t, map[string]string{"paths": "* bad.elf"})
	assert.Equal(t, 1, r.status, r.log)
	assert.NotContains(t, r.log, "no such file")
}

// code returns the output status of the action, that of the step if the script ended before.
func (r *runner) code(t *testing.T) (n int) {
	if r.outputs["status"] == "" {
		return r.status
	}
	_, err := fmt.Sscan(r.outputs["status"], &n)
	require.NoError(t, err)
	return n
}

// copyAs copies a file in the working directory of the job.
func (r *runner) copyAs(t *testing.T, file string, names ...string) {
	data, err := os.ReadFile(filepath.Join(r.dir, file))
	require.NoError(t, err)
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(r.dir, name), data, 0o666))
	}
}

// TestActionReleases takes the program from a release, and refuses one that was changed.
func TestActionReleases(t *testing.T) {
	r := actionAt(t)
	p := publish(t, r)
	inputs := map[string]string{"paths": "bad.elf"}
	installs := func(version string) {
		t.Helper()
		inputs["version"] = version
		r.run(t, inputs)
		assert.Equal(t, 1, r.status, r.log)
		assert.Contains(t, r.log, "[SF1019]")
		assert.Contains(t, r.summary, "SF1019")
		assert.Empty(t, r.used, "nothing is built")
	}
	installs("")
	assert.Len(t, p.asked, 2, "the provenance and the archive: %v", p.asked)
	installs(released)
	installs("v" + released)
	installs("latest")
	r.github["action_ref"] = "main"
	installs("v" + released)
	r.github["action_ref"] = "v" + released

	refused := func(text string) {
		t.Helper()
		r.run(t, inputs)
		assert.Equal(t, 3, r.status, r.log)
		assert.Contains(t, r.log, text)
		assert.NotContains(t, r.log, "[SF1019]", "nothing is run")
		assert.Empty(t, r.used)
	}
	inputs["version"] = ""
	for name, change := range map[string]func([]byte) []byte{
		p.archive: func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"sframe-lint_" + released + ".intoto.jsonl": func(b []byte) []byte {
			// Another digest in the list, with the old signature.
			var e map[string]any
			require.NoError(t, json.Unmarshal(b, &e))
			text, err := base64.StdEncoding.DecodeString(e["payload"].(string))
			require.NoError(t, err)
			at := bytes.Index(text, []byte(`"sha256":"`)) + len(`"sha256":"`)
			text[at] = "0123456789abcdef0"[strings.IndexByte("0123456789abcdef", text[at])+1]
			e["payload"] = base64.StdEncoding.EncodeToString(text)
			b, err = json.Marshal(e)
			require.NoError(t, err)
			return b
		},
	} {
		old := p.files[name]
		p.files[name] = change(bytes.Clone(old))
		if name == p.archive {
			refused("is not the file that the provenance of release " + released + " lists")
		} else {
			refused("no valid signature")
		}
		p.files[name] = old
	}
	// An older release, with its valid signature, under the name of a new one.
	for name, file := range p.files {
		p.files[strings.Replace(name, released, "9.9.9", 1)] = file
	}
	r.github["action_ref"] = "v9.9.9"
	refused("the provenance of release 9.9.9 is that of another source")
	inputs["version"] = "9.9.8"
	refused("release 9.9.8 cannot be used")
	inputs["version"] = "1.2 --output x"
	refused("not a version")
}

// TestActionBuilds builds the program from the action's commit, where that has no release.
func TestActionBuilds(t *testing.T) {
	r := actionAt(t)
	inputs := map[string]string{"paths": "bad.elf"}
	builds := func(why string) {
		t.Helper()
		r.run(t, inputs)
		assert.Equal(t, 1, r.status, r.log)
		assert.Contains(t, r.log, "building from source: "+why)
		assert.Contains(t, r.log, "[SF1019]")
		require.Len(t, r.used, 1)
		assert.Equal(t, usedAction{"actions/setup-go@v6", map[string]string{"go-version-file": r.action + "/go.mod", "cache-dependency-path": r.action + "/go.sum"}}, r.used[0])
	}
	builds("this commit is not that of a release")
	r.github["action_ref"] = "v" + released
	builds("this checkout has no key to check releases with")
	inputs["version"] = "1.0.0"
	r.run(t, inputs)
	assert.Equal(t, 3, r.status, r.log)
	assert.Contains(t, r.log, "release 1.0.0 cannot be used: this checkout has no key to check releases with; until the first release, leave the version out or use \"version: source\", which builds this commit")
	inputs["version"] = ""
	p := publish(t, r)
	p.server.Close()
	builds("curl: ")
	inputs["version"] = "source"
	builds("asked for by the version")
	inputs["version"] = "4.5.6" // not this commit's: another program is not built instead
	r.run(t, inputs)
	assert.Equal(t, 3, r.status, r.log)
	assert.Contains(t, r.log, "release 4.5.6 cannot be used")
	assert.Contains(t, r.log, "version: source")
}

// TestActionUploads uploads two reports of each job of a matrix: none replaces another one in the service.
func TestActionUploads(t *testing.T) {
	r := actionAt(t)
	publish(t, r)
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "bad.map"), nil, 0o666))
	seen := map[string]bool{}
	for _, matrix := range []any{map[string]string{"os": "a"}, map[string]string{"os": "b"}} {
		for _, category := range []string{"", "second"} {
			r.matrix = matrix
			r.run(t, map[string]string{"paths": "bad.elf", "upload": "true", "category": category, "map": "bad.map"})
			assert.NotZero(t, r.status)
			require.Len(t, r.used, 1, "a job that fails uploads its report, too")
			assert.Equal(t, "github/codeql-action/upload-sarif@v4", r.used[0].name)
			files, err := filepath.Glob(filepath.Join(r.used[0].with["sarif_file"], "*.sarif"))
			require.NoError(t, err)
			assert.NotEmpty(t, files)
			for _, file := range files {
				for _, name := range categories(t, file, r.used[0].with["category"], matrix) {
					assert.False(t, seen[name] && category == "", "%s replaces a report", name)
					seen[name] = true
				}
			}
		}
	}
	assert.Contains(t, seen, "second/ sframe-lint")
	assert.Contains(t, seen, "job/os:a/ sframe-lint")
	r.run(t, map[string]string{"paths": "bad.elf"})
	assert.Empty(t, r.used)
}

// categories returns the names under which the service keeps the runs of a SARIF file: the category and the
// tool. A run that names itself keeps this name.
func categories(t *testing.T, file, category string, matrix any) (all []string) {
	if category == "" {
		category = "job"
		for k, v := range matrix.(map[string]string) {
			category += "/" + k + ":" + v
		}
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var log struct {
		Runs []struct {
			AutomationDetails struct{ ID string }
			Tool              struct{ Driver struct{ Name string } }
		}
	}
	require.NoError(t, json.Unmarshal(data, &log))
	for _, run := range log.Runs {
		name := category + "/"
		if run.AutomationDetails.ID != "" {
			name = run.AutomationDetails.ID
		}
		all = append(all, name+" "+run.Tool.Driver.Name)
	}
	return all
}
