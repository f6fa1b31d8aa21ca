package integrations

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

// screen is how many lines a terminal shows.
const screen = 24

// project is a C program that is built.
type project struct {
	name    string
	sources string // directory
	without []string
	libs    []string
	run     []string
	writes  string
	lost    string // a file whose functions lld loses
}

// projects returns a small program, and Lua if SFRAME_LUA names the directory of its sources.
func projects() []project {
	all := []project{{name: "shapes", sources: "../docs/testdata/start", run: []string{"c1", "s2"}, writes: "7.14159\n", lost: "parse.o"}}
	if lua := os.Getenv("SFRAME_LUA"); lua != "" {
		all = append(all, project{name: "lua", sources: lua, without: []string{"luac.c"}, libs: []string{"-lm", "-ldl", "-DLUA_USE_LINUX", "-Wl,-E"},
			run: []string{"-e", "print(select('#', pcall(error)), string.format('%5.2f', math.pi))"}, writes: "2\t 3.14\n", lost: "lauxlib.o"})
	}
	return all
}

// TestInteropGate takes programs through the script of the Action. lld does not merge the
// sections: the job fails, and what it shows names the functions and inputs that are lost.
// "rewrite" fixes the program. Linkers that merge sections make no output at all.
func TestInteropGate(t *testing.T) {
	as := toolchain.Tool(t, "sid-x86_64-as")
	linkers := map[string]string{"bfd": "sid-x86_64-ld", "mold": "sid-mold", "lld": "sid-lld"}
	lint := program(t)
	for _, p := range projects() {
		t.Run(p.name, func(t *testing.T) {
			dir, bin := t.TempDir(), t.TempDir()
			require.NoError(t, os.Symlink(as, filepath.Join(bin, "as")))
			for name, tool := range linkers {
				require.NoError(t, os.Symlink(toolchain.Tool(t, tool), filepath.Join(bin, "ld."+name)))
			}
			p.compile(t, dir, bin)
			for linker := range linkers {
				p.link(t, dir, bin, linker)
				j := newJob(t, lint, dir, linker)
				if linker != "lld" {
					assert.Zero(t, j.run(t))
					assert.Empty(t, j.log, "what %s links well is silent", linker)
					continue
				}
				assert.Equal(t, 1, j.run(t))
				assert.Less(t, strings.Count(j.log, "\n"), screen, j.log)
				for _, text := range []string{"[SF1019]", "[not-merged]", p.lost} {
					assert.Contains(t, j.log, text)
					assert.Contains(t, j.summary, strings.Trim(text, "[]"))
				}
				assert.Contains(t, j.read(t, "out/link.sarif"), `"uri":"`+p.lost+`"`)
				assert.Equal(t, 1, j.results(t, "link"), "one cause, one result")

				rewriting := exec.Command(lint, "rewrite", "--in-place", linker)
				rewriting.Dir = dir
				out, err := rewriting.CombinedOutput()
				require.NoError(t, err, "%s", out)
				p.works(t, filepath.Join(dir, linker))
				assert.Zero(t, j.run(t), j.log)
				assert.Empty(t, j.log)
				assert.Zero(t, j.results(t, "link"))
			}
		})
	}
}

// compile writes the objects.
func (p *project) compile(t *testing.T, dir, bin string) {
	files, err := filepath.Glob(filepath.Join(p.sources, "*.c"))
	require.NoError(t, err)
	args := []string{"-O2", "-Wa,--gsframe", "-B", bin, "-c"}
	for _, f := range files {
		if strings.Contains(strings.Join(p.without, " "), filepath.Base(f)) {
			continue
		}
		path, err := filepath.Abs(f)
		require.NoError(t, err)
		args = append(args, path)
	}
	gcc(t, dir, append(args, p.libs...))
}

// link links them to a program that has the name of the linker, and runs it.
func (p *project) link(t *testing.T, dir, bin, linker string) {
	objects, err := filepath.Glob(filepath.Join(dir, "*.o"))
	require.NoError(t, err)
	args := []string{"-B", bin, "-fuse-ld=" + linker, "-Wl,-Map=" + linker + ".map", "-o", linker}
	for _, o := range objects {
		args = append(args, filepath.Base(o))
	}
	gcc(t, dir, append(args, p.libs...))
	p.works(t, filepath.Join(dir, linker))
}

func (p *project) works(t *testing.T, path string) {
	out, err := exec.Command(path, p.run...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, p.writes, string(out))
}

func gcc(t *testing.T, dir string, args []string) {
	t.Helper()
	path, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc")
	}
	c := exec.Command(path, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// job is a run of the script of the Action.
type job struct {
	command      func() *exec.Cmd
	dir          string
	log, summary string
}

func newJob(t *testing.T, lint, dir, linked string) *job {
	gate, err := filepath.Abs("gate")
	require.NoError(t, err)
	j := &job{dir: t.TempDir()}
	j.command = func() *exec.Cmd {
		c := exec.Command("bash", gate, linked)
		c.Dir = dir
		c.Env = append(os.Environ(), "SFRAME_LINT="+lint, "OUT="+filepath.Join(j.dir, "out"), "MAP="+linked+".map",
			"FLAGS=--no-config", "GITHUB_STEP_SUMMARY="+filepath.Join(j.dir, "summary"))
		return c
	}
	return j
}

// run returns the status of the job, and keeps what it shows.
func (j *job) run(t *testing.T) (status int) {
	require.NoError(t, os.RemoveAll(filepath.Join(j.dir, "summary")))
	out, err := j.command().CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok {
		status = exit.ExitCode()
	} else {
		require.NoError(t, err)
	}
	j.log, j.summary = string(out), j.read(t, "summary")
	return status
}

func (j *job) read(t *testing.T, name string) string {
	data, err := os.ReadFile(filepath.Join(j.dir, name))
	require.NoError(t, err)
	return string(data)
}

// results counts the results in a SARIF file.
func (j *job) results(t *testing.T, name string) int {
	var log struct {
		Runs []struct{ Results []struct{ RuleID string } }
	}
	require.NoError(t, json.Unmarshal([]byte(j.read(t, "out/"+name+".sarif")), &log))
	return len(log.Runs[0].Results)
}
