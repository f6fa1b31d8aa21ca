package integrations

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// engine is a directory with packages, their list, and a program in PATH.
type engine struct {
	*testing.T
	dir, files, lint string
}

func newEngine(t *testing.T) *engine {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	files, err := filepath.Abs("shards")
	require.NoError(t, err)
	e := &engine{t, t.TempDir(), files, filepath.Dir(program(t))}
	var list strings.Builder
	require.NoError(t, os.Mkdir(filepath.Join(e.dir, "pool"), 0o777))
	for i, from := range []string{goodFile, lldOutput, goodFile} {
		b, err := os.ReadFile(filepath.Join("..", from))
		require.NoError(t, err)
		name := fmt.Sprintf("pool/p%d_1.0_amd64.deb", i)
		require.NoError(t, os.WriteFile(filepath.Join(e.dir, name), b, 0o666))
		fmt.Fprintf(&list, "%s\t%d\n", name, len(b))
	}
	require.NoError(t, os.WriteFile(filepath.Join(e.dir, "packages.tsv"), []byte(list.String()), 0o666))
	return e
}

// run runs a command below the directory, with variables, and returns its output and exit status.
func (e *engine) run(env []string, args ...string) (string, int) {
	c := exec.Command(args[0], args[1:]...)
	c.Dir, c.Env = e.dir, append(append(os.Environ(), "PATH="+e.lint+":"+e.dir+":"+os.Getenv("PATH")), env...)
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		require.NoError(e, err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// same checks that the joined results are those of one run.
func (e *engine) same(results string) {
	direct, _ := e.run(nil, "sh", "-c", "sframe-lint --no-config --fail-on never --format jsonl pool/* 2>/dev/null")
	joined, status := e.run(nil, "sh", "-c", "sframe-lint --list packages.tsv --results "+results+" --no-config --fail-on never --format jsonl 2>/dev/null")
	assert.Zero(e, status)
	assert.Equal(e, direct, joined)
	assert.Contains(e, joined, "SF5009")
}

// TestSlurmScript: the tasks of an array check all units. One that is killed is queued again.
func TestSlurmScript(t *testing.T) {
	e := newEngine(t)
	for i := range 2 {
		env := []string{fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", i), "SLURM_ARRAY_TASK_COUNT=2", "SLURM_CPUS_ON_NODE=2"}
		out, status := e.run(env, filepath.Join(e.files, "slurm-lint.sh"), "packages.tsv", "results")
		assert.Zero(t, status, out)
	}
	e.same("results")
	for name, text := range map[string]string{"sframe-lint": "#!/bin/sh\nkill -9 $$\n", "scontrol": "#!/bin/sh\necho scontrol \"$@\"\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o777))
	}
	e.lint = e.dir
	out, status := e.run([]string{"SLURM_ARRAY_TASK_ID=1", "SLURM_ARRAY_TASK_COUNT=2", "SLURM_ARRAY_JOB_ID=7"}, filepath.Join(e.files, "slurm-lint.sh"), "packages.tsv", "results")
	assert.Equal(t, 128+9, status)
	assert.Contains(t, out, "scontrol requeue 7_1")
}

// TestParallelScript: GNU parallel runs each part once, and passes over those that are done.
func TestParallelScript(t *testing.T) {
	if out, err := exec.Command("parallel", "--version").Output(); err != nil || !strings.HasPrefix(string(out), "GNU parallel") {
		t.Skip("there is no GNU parallel")
	}
	e := newEngine(t)
	for _, want := range []string{"shard 1/2: ", "3 of 3 units, 3 unchanged"} {
		out, status := e.run(nil, filepath.Join(e.files, "parallel-lint.sh"), "packages.tsv", "results", "2")
		assert.Equal(t, 1, status, out) // of its findings
		assert.Contains(t, out, want)
		assert.Equal(t, want == "shard 1/2: ", strings.Contains(out, "shard 0/2: "), out)
	}
	e.same("results")
}

// TestScriptNames: lists, directories and targets have any names, of which nothing is executed.
func TestScriptNames(t *testing.T) {
	e := newEngine(t)
	list, results := "m;touch X;$(touch X) {}.tsv", "r s;touch X;`touch X`'\""
	require.NoError(t, os.Rename(filepath.Join(e.dir, "packages.tsv"), filepath.Join(e.dir, list)))
	stub := "#!/bin/sh\nprintf '<%s>' \"$@\"\necho\n"
	task := []string{"SLURM_ARRAY_TASK_ID=0", "SLURM_ARRAY_TASK_COUNT=1"}
	out, status := e.run(task, filepath.Join(e.files, "slurm-lint.sh"), list, results)
	assert.Zero(t, status, out)
	assert.Contains(t, out, "3 of 3 units")
	require.NoError(t, os.WriteFile(filepath.Join(e.dir, "sframe-fuzz"), []byte(stub), 0o777))
	e.lint = e.dir + ":" + e.lint
	out, status = e.run(task, filepath.Join(e.files, "slurm-fuzz.sh"), results, "dump {};touch X @@", "1m")
	assert.Zero(t, status, out)
	assert.Contains(t, out, "<dump {};touch X @@>")
	assert.Contains(t, out, "<"+results+"/0>")
	if _, err := exec.LookPath("parallel"); err == nil {
		out, status = e.run(nil, filepath.Join(e.files, "parallel-lint.sh"), list, results+"2", "2")
		assert.Equal(t, 1, status, out)
		assert.Contains(t, out, "3 of 3 units, 3 unchanged")
		out, status = e.run(nil, filepath.Join(e.files, "parallel-fuzz.sh"), results, "dump {};touch X @@", "1m", "1")
		assert.Zero(t, status, out)
		assert.Contains(t, out, "<dump {};touch X @@>")
		assert.Contains(t, out, "<"+results+"/shard0>")
	}
	assert.NoFileExists(t, filepath.Join(e.dir, "X"))
}

// TestUnreadInList: a package that hides an object is reported by the run over a list that it is in, with good files beside it.
func TestUnreadInList(t *testing.T) {
	e := newEngine(t)
	from, err := filepath.Abs("../cmd/internal/lintcmd/testdata/unread")
	require.NoError(t, err)
	packages, err := os.ReadDir(from)
	require.NoError(t, err)
	list := "pool/p0_1.0_amd64.deb\n"
	for _, p := range packages {
		list += filepath.Join(from, p.Name()) + "\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(e.dir, "list"), []byte(list), 0o666))
	for i, more := range []string{"--quiet", "--require-sframe"} {
		dir := fmt.Sprint("results", i)
		_, status := e.run(nil, "env", "sframe-lint", "--list", "list", "--results", dir, "--shard", "0/1", "--no-config", more)
		assert.Zero(t, status)
		for _, format := range []string{"jsonl", "text", "sarif", "junit", "html"} {
			out, status := e.run(nil, "env", "sframe-lint", "--list", "list", "--results", dir, "--no-config", more, "--format", format)
			assert.Equal(t, 3, status, format)
			assert.Contains(t, out, "SF3114", format)
			assert.Contains(t, out, "SF5029", format)
			for _, p := range packages {
				assert.Contains(t, out, p.Name(), format)
			}
		}
	}
}

// podJob is what the tests read of a manifest of Kubernetes.
type podJob struct {
	Spec struct {
		Completions      int
		PodFailurePolicy struct {
			Rules []struct{ Action string }
		} `yaml:"podFailurePolicy"`
		Template struct {
			Spec struct {
				Containers []struct {
					Command, Args []string
					VolumeMounts  []struct {
						MountPath string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				}
			}
		}
	}
}

// newPodJob reads a manifest. A Go program that is ended during its start has status 2 in a container, as for a wrong
// command line: the first rule must be the one for drained nodes.
func newPodJob(t *testing.T, name string) *podJob {
	text, err := os.ReadFile(filepath.Join("shards", name))
	require.NoError(t, err)
	var job podJob
	require.NoError(t, yaml.Unmarshal(text, &job))
	require.Equal(t, []struct{ Action string }{{"Ignore"}, {"FailJob"}}, job.Spec.PodFailurePolicy.Rules)
	return &job
}

// TestKubernetesManifest: the command of the manifest checks all units, one pod for each index.
func TestKubernetesManifest(t *testing.T) {
	e, job := newEngine(t), newPodJob(t, "kubernetes-lint.yaml")
	c := job.Spec.Template.Spec.Containers[0]
	for i := range job.Spec.Completions {
		args := c.Command
		for _, a := range c.Args {
			args = append(args, strings.ReplaceAll(strings.ReplaceAll(a, "$(JOB_COMPLETION_INDEX)", fmt.Sprint(i)), "/data/", ""))
		}
		out, status := e.run(nil, append([]string{"env"}, args...)...)
		assert.Zero(t, status, out)
	}
	e.same("results")
}

// TestKubernetesCampaign: finds are no failure of a pod, and the other statuses are those of the program, which writes
// temporary files.
func TestKubernetesCampaign(t *testing.T) {
	e := &engine{t, t.TempDir(), "", ""}
	e.lint = e.dir
	c := newPodJob(t, "kubernetes-fuzz.yaml").Spec.Template.Spec.Containers[0]
	for ends, want := range []int{0, 0, 2, 3} {
		script := fmt.Sprintf("#!/bin/sh\necho \"$*\"\nexit %d\n", ends)
		require.NoError(t, os.WriteFile(filepath.Join(e.dir, "sframe-fuzz"), []byte(script), 0o777))
		out, status := e.run([]string{"JOB_COMPLETION_INDEX=7"}, append(append([]string{}, c.Command...), c.Args...)...)
		assert.Equal(t, want, status)
		assert.Contains(t, out, "run --target objdump --sframe @@ --time 10h --shard 7/16 --out /data/campaign/7\n")
	}
	var mounts []string
	for _, m := range c.VolumeMounts {
		mounts = append(mounts, m.MountPath)
	}
	assert.Contains(t, mounts, "/tmp")
}

// TestGitHubWorkflows: the commands of the jobs work, for each part of the matrix, with the artifacts of the others.
func TestGitHubWorkflows(t *testing.T) {
	e := newEngine(t)
	type step struct {
		Uses, Run, If, Name string
		With                map[string]any
	}
	type job struct {
		RunsOn   string `yaml:"runs-on"`
		Needs    string
		If       string
		Strategy struct {
			FailFast *bool `yaml:"fail-fast"`
			Matrix   struct{ Part []int }
		}
		Steps []step
	}
	for _, name := range []string{"github-lint.yml", "github-fuzz.yml"} {
		text, err := os.ReadFile(filepath.Join("shards", name))
		require.NoError(t, err)
		var w struct {
			Name        string
			On          map[string]any
			Permissions map[string]string
			Jobs        yaml.MapSlice
		}
		require.NoError(t, yaml.UnmarshalWithOptions(text, &w, yaml.Strict()), name)
		if name == "github-fuzz.yml" {
			continue // it would take hours
		}
		require.NoError(t, os.WriteFile(filepath.Join(e.dir, "fetch-packages"), []byte("#!/bin/sh\n"), 0o777))
		for _, item := range w.Jobs {
			var j job
			b, err := yaml.Marshal(item.Value)
			require.NoError(t, err)
			require.NoError(t, yaml.UnmarshalWithOptions(b, &j, yaml.Strict()))
			for _, part := range append(j.Strategy.Matrix.Part, -1)[:max(1, len(j.Strategy.Matrix.Part))] {
				for _, s := range j.Steps {
					if s.Run == "" {
						continue
					}
					// One directory stands for the artifacts: each part uploads its own results, and they are merged.
					run := strings.ReplaceAll(s.Run, "${{ matrix.part }}", fmt.Sprint(part))
					run = strings.ReplaceAll(run, "--baseline distribution.json", "--fail-on never")
					require.NotContains(t, run, "${{")
					out, status := e.run([]string{"GITHUB_STEP_SUMMARY=" + filepath.Join(e.dir, "summary.md")}, "bash", "-e", "-c", run)
					assert.Zero(t, status, "%s\n%s", run, out)
				}
			}
		}
		e.same("results")
		summary, err := os.ReadFile(filepath.Join(e.dir, "summary.md"))
		require.NoError(t, err)
		assert.Contains(t, string(summary), "### SFrame: ")
		assert.FileExists(t, filepath.Join(e.dir, "report.html"))
	}
}
