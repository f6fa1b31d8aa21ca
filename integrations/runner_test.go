package integrations

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

// A runner carries out a composite action as the service does: it evaluates the expressions, gives each step
// its environment and files for commands, and ends with the first step that fails, but for
// those that always run. Steps that use other actions are recorded.
type runner struct {
	action string            // the directory of the action
	dir    string            // the working directory of the job
	github map[string]string // of the context github
	job    map[string]string // environment of the job
	matrix any

	temp    string
	log     string            // what the steps have printed
	summary string            // what they have added to the summary
	status  int               // of the first step that failed
	outputs map[string]string // of the action
	used    []usedAction
	steps   map[string]map[string]string // outputs by step
}

// usedAction is a step that uses another action.
type usedAction struct {
	name string
	with map[string]string
}

type actionFile struct {
	Inputs map[string]struct {
		Required bool
		Default  string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, If, Shell, Run, Uses string
			WorkingDirectory         string `yaml:"working-directory"`
			Env, With                map[string]string
		}
	}
}

// run runs the action with inputs.
func (r *runner) run(t *testing.T, inputs map[string]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.action, "action.yml"))
	require.NoError(t, err)
	var a actionFile
	require.NoError(t, yaml.UnmarshalWithOptions(data, &a, yaml.Strict(), yaml.AllowFieldPrefixes("name", "description", "author", "branding")))
	require.Equal(t, "composite", a.Runs.Using)
	*r = runner{action: r.action, dir: r.dir, github: r.github, job: r.job, matrix: r.matrix,
		temp: t.TempDir(), outputs: map[string]string{}, steps: map[string]map[string]string{}}

	all := map[string]string{}
	for name, in := range a.Inputs {
		all[name] = r.fill(t, in.Default, nil)
		if value, ok := inputs[name]; ok {
			all[name] = value
		}
		require.False(t, in.Required && all[name] == "", "input %s is required", name)
	}
	for name := range inputs {
		require.Contains(t, a.Inputs, name, "the service warns about unknown inputs")
	}
	for i, s := range a.Runs.Steps {
		condition := s.If
		if !regexp.MustCompile(`\b(always|failure|cancelled|success)\(\)`).MatchString(condition) {
			condition = strings.TrimSuffix("success() && ("+condition+")", " && ()")
		}
		if !truth(r.evaluate(t, condition, all)) {
			continue
		}
		fields := func(from map[string]string) map[string]string {
			filled := map[string]string{}
			for k, v := range from {
				filled[k] = r.fill(t, v, all)
			}
			return filled
		}
		if s.Uses != "" {
			r.used = append(r.used, usedAction{s.Uses, fields(s.With)})
			continue
		}
		require.Equal(t, "bash", s.Shell, "a step of a composite action names its shell")
		dir := filepath.Join(r.dir, r.fill(t, s.WorkingDirectory, all))
		if filepath.IsAbs(r.fill(t, s.WorkingDirectory, all)) {
			dir = r.fill(t, s.WorkingDirectory, all)
		}
		r.step(t, fmt.Sprint(i), s.ID, dir, r.fill(t, s.Run, all), fields(s.Env))
	}
	for name, out := range a.Outputs {
		r.outputs[name] = r.fill(t, out.Value, all)
	}
}

// step runs a script, and reads the files in which it leaves outputs.
func (r *runner) step(t *testing.T, number, id, dir, script string, env map[string]string) {
	file := func(name string) string {
		path := filepath.Join(r.temp, name+number)
		require.NoError(t, os.WriteFile(path, nil, 0o666))
		return path
	}
	path := file("script")
	require.NoError(t, os.WriteFile(path, []byte(script), 0o666))
	c := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", path)
	c.Dir = dir
	c.Env = append(os.Environ(), "CI=true", "GITHUB_ACTIONS=true", "RUNNER_TEMP="+r.temp)
	commands := map[string]string{}
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH"} {
		commands[name] = file(name)
		c.Env = append(c.Env, name+"="+commands[name])
	}
	for _, all := range []map[string]string{r.job, env} {
		for _, k := range slices.Sorted(maps.Keys(all)) {
			c.Env = append(c.Env, k+"="+all[k])
		}
	}
	out, err := c.CombinedOutput()
	r.log += string(out)
	if err != nil {
		require.IsType(t, new(exec.ExitError), err, "%v", err)
		if r.status == 0 {
			r.status = c.ProcessState.ExitCode()
		}
	}
	text, err := os.ReadFile(commands["GITHUB_STEP_SUMMARY"])
	require.NoError(t, err)
	r.summary += string(text)
	r.steps[id] = outputsOf(t, commands["GITHUB_OUTPUT"])
	for k, v := range outputsOf(t, commands["GITHUB_ENV"]) {
		r.job[k] = v
	}
}

// outputsOf reads a file with lines NAME=VALUE, or NAME<<END, the lines of the value, and END.
func outputsOf(t *testing.T, path string) map[string]string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	all := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := 0; i < len(lines) && lines[i] != ""; i++ {
		name, value, ok := strings.Cut(lines[i], "=")
		if before, end, heredoc := strings.Cut(lines[i], "<<"); heredoc && (!ok || len(before) < len(name)) {
			from := i + 1
			for i++; i < len(lines) && lines[i] != end; i++ {
			}
			require.Less(t, i, len(lines), "%s has no end", before)
			name, value, ok = before, strings.Join(lines[from:i], "\n"), true
		}
		require.True(t, ok, "the service rejects the line %q", lines[i])
		all[name] = value
	}
	return all
}

var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

// fill replaces the expressions in a text. Their values are not looked at again.
func (r *runner) fill(t *testing.T, text string, inputs map[string]string) string {
	return expression.ReplaceAllStringFunc(text, func(m string) string {
		return r.evaluate(t, expression.FindStringSubmatch(m)[1], inputs)
	})
}

// evaluate returns the value of an expression: the operators && || == and !=, names, strings, and
// functions without an argument or with the name of a context.
func (r *runner) evaluate(t *testing.T, e string, inputs map[string]string) string {
	e = strings.TrimSpace(expression.ReplaceAllString(e, "$1"))
	for strings.HasPrefix(e, "(") && strings.HasSuffix(e, ")") {
		e = e[1 : len(e)-1]
	}
	for _, op := range []string{" || ", " && ", " == ", " != "} {
		a, b, ok := strings.Cut(e, op)
		if !ok {
			continue
		}
		left, right := r.evaluate(t, a, inputs), r.evaluate(t, b, inputs)
		switch op {
		case " == ":
			return fmt.Sprint(strings.EqualFold(left, right))
		case " != ":
			return fmt.Sprint(!strings.EqualFold(left, right))
		}
		if truth(left) == (op == " || ") {
			return left
		}
		return right
	}
	if strings.HasPrefix(e, "'") {
		return strings.Trim(e, "'")
	}
	switch e {
	case "", "true", "always()":
		return "true"
	case "success()":
		return fmt.Sprint(r.status == 0)
	case "toJson(matrix)":
		text, err := json.Marshal(r.matrix)
		require.NoError(t, err)
		return string(text)
	case "github.action_path":
		return r.action
	case "runner.temp":
		return r.temp
	}
	name := strings.Split(e, ".")
	switch {
	case name[0] == "inputs" && len(name) == 2:
		require.Contains(t, inputs, name[1], e)
		return inputs[name[1]]
	case name[0] == "github" && len(name) == 2:
		return r.github[name[1]]
	case name[0] == "env" && len(name) == 2:
		return r.job[name[1]]
	case name[0] == "steps" && len(name) == 4 && name[2] == "outputs":
		return r.steps[name[1]][name[3]]
	}
	t.Fatalf("expression %q", e)
	return ""
}

func truth(value string) bool { return value != "" && value != "false" && value != "0" }
