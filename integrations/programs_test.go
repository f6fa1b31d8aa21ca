package integrations

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
)

// place is where a service shows a finding.
type place struct {
	rule, path string
	line       int // 0 if the service gets none
}

// fault is what a project does wrong, and what each service must show of the program. Without places it is right.
type fault struct {
	name   string
	asm    string   // what replaces the directive in assembly
	parse  string   // how parse.c is compiled
	link   string   // further flags of the link
	after  string   // what follows on the link of $out
	says   []string // words of the text: the file, line or input, and the next step
	places []place  // of errors; a finding without a source line is at the program
}

// data are the flags by which an object has SFrame data. GAS is in a directory of its own.
const data, rightDirective = `-B "$bin" -Wa,--gsframe`, "	.cfi_def_cfa_offset 16\n"

var faults = []fault{
	{name: "right"},
	{name: "right, without section headers", after: `"$bin/strip" --strip-section-headers "$out"`},
	{
		name:   "linked by lld",
		link:   "-fuse-ld=lld",
		says:   []string{"link with GNU ld 2.46 or later, without --traditional-format, or with mold 3 or later"},
		places: []place{{"SF5009", "app", 0}, {"SF1019", "app", 0}},
	},
	{
		name:   "linked by lld with --gc-sections",
		link:   "-fuse-ld=lld -Wl,--gc-sections",
		says:   []string{"lld drops the section with --gc-sections"},
		places: []place{{"SF5001", "app", 0}},
	},
	{
		name:   "a directive is missing",
		asm:    "\n",
		says:   []string{"frame.s:6 (in frame)", "after line 6 (push %rbp) write .cfi_def_cfa_offset 16"},
		places: []place{{"SF3114", "frame.s", 6}},
	},
	{
		name:   "an object without data",
		parse:  `-B "$bin"`,
		says:   []string{`1 in parse.c, "parse"`, "assemble all inputs with --gsframe"},
		places: []place{{"SF6021", "app", 0}},
	},
	{
		name:   "an object of gas 2.40",
		parse:  `-B "$bin/old" -Wa,--gsframe`,
		says:   []string{`1 in parse.c, "parse"`, "assemble all inputs with --gsframe of one assembler", `"SFrame section ignored"`},
		places: []place{{"SF6021", "app", 0}},
	},
	{
		name:   "an object without data, and no section headers",
		parse:  `-B "$bin"`,
		after:  `"$bin/strip" --strip-section-headers "$out"`,
		says:   []string{"app: ", "no FDE covers 1 function: a tracer stops in 0x", "assemble the function with --gsframe"},
		places: []place{{"SF6014", "app", 0}},
	},
}

// faultyTools are the tools of a project, by their names in it.
var faultyTools = map[string]string{
	"as": "sid-x86_64-as", "ld": "sid-x86_64-ld", "ld.bfd": "sid-x86_64-ld", "ld.lld": "sid-lld", "strip": "sid-x86_64-strip", "old/as": "bookworm-x86_64-as",
}

// TestInteropPrograms takes real programs with faults through each service: what the service shows has the right
// place, and what a person reads names the cause and the remedy.
func TestInteropPrograms(t *testing.T) {
	for _, p := range faults {
		t.Run(p.name, func(t *testing.T) {
			r := actionAt(t)
			publish(t, r)
			p.sources(t, r.dir)
			out, status := shell(t, r.dir, "for s in *.c *.s; do bin/compile -c $s; done; bin/compile -Wl,-Map=app.map -o app *.o", "")
			require.Zero(t, status, out)
			lint := program(t)
			t.Run("Action", func(t *testing.T) { p.action(t, r) })
			t.Run("GitLab", func(t *testing.T) { p.gitlab(t, r.dir, lint) })
			t.Run("Jenkins", func(t *testing.T) { p.jenkins(t, r.dir, lint) })
			t.Run("pre-commit", func(t *testing.T) { p.commit(t, r.dir, lint) })
		})
	}
}

// sources makes a directory with only the sources of a program, and bin/compile, which compiles and links them.
func (p *fault) sources(t *testing.T, dir string) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc")
	}
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.CopyFS(dir, os.DirFS("../docs/testdata/start")))
	source, err := os.ReadFile("testdata/frame.s")
	require.NoError(t, err)
	wrong := regexp.MustCompile(`.*16 is right\n`)
	require.Regexp(t, wrong, string(source))
	frame := wrong.ReplaceAllLiteralString(string(source), cmp.Or(p.asm, rightDirective))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "frame.s"), []byte(frame), 0o666))
	bin := filepath.Join(dir, "bin")
	require.NoError(t, os.MkdirAll(filepath.Join(bin, "old"), 0o777))
	for name, tool := range faultyTools {
		require.NoError(t, os.Symlink(toolchain.Tool(t, tool), filepath.Join(bin, name)))
	}
	compile := `#!/bin/bash
set -e
bin='` + bin + `' out=
for ((i = 1; i < $#; i++)); do [ "${!i}" != -o ] || { i=$((i + 1)); out=${!i}; }; done
case " $* " in
  *" -c "*) case " $* " in *parse.c*) exec gcc -g -O2 ` + cmp.Or(p.parse, data) + ` "$@" ;; *) exec gcc -g -O2 ` + data + ` "$@" ;; esac ;;
esac
gcc -g -O2 ` + data + " " + p.link + ` "$@"
if [ -f "$out" ]; then ` + cmp.Or(p.after, ":") + "; fi\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "compile"), []byte(compile), 0o777))
}

// shell runs a script as a service does: it ends with the first command that fails.
func shell(t *testing.T, dir, script, lint string, env ...string) (string, int) {
	c := exec.Command("bash", "-eo", "pipefail", "-c", script)
	c.Dir = dir
	c.Env = append(append(os.Environ(), "PATH="+filepath.Dir(lint)+":"+os.Getenv("PATH")), env...)
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	require.True(t, err == nil || errors.As(err, &exit), "%v", err)
	return string(out), c.ProcessState.ExitCode()
}

// shows checks the status of a service, and what it shows a person.
func (p *fault) shows(t *testing.T, out string, status int) {
	t.Helper()
	assert.Equal(t, len(p.places) > 0, status != 0, out)
	assert.LessOrEqual(t, strings.Count(out, "\n"), screen, out)
	for _, text := range p.says {
		assert.Contains(t, out, text)
	}
}

func (p *fault) action(t *testing.T, r *runner) {
	r.run(t, map[string]string{"paths": "app\n", "map": "app.map", "upload": "true"})
	p.shows(t, r.log, r.status)
	for _, x := range p.places {
		assert.Contains(t, r.summary, x.rule)
	}
	// Annotations come from the log, by the problem matcher.
	assert.ElementsMatch(t, p.places, annotations(t, r.log))
	require.Len(t, r.used, 1)
	dir := r.used[0].with["sarif_file"]
	assert.ElementsMatch(t, firstLine(p.places), alerts(t, filepath.Join(dir, "sframe.sarif")))
	alerts(t, filepath.Join(dir, "link.sarif"))
	names := slices.Concat(categories(t, filepath.Join(dir, "sframe.sarif"), "c", nil), categories(t, filepath.Join(dir, "link.sarif"), "c", nil))
	assert.Equal(t, []string{"c/ sframe-lint", "c/ sframe-lint link"}, names, "the service accepts two reports of a job")
}

// gitlabJob runs the job, but for the installation, and returns its output, its status and its two reports.
func gitlabJob(t *testing.T, dir, lint, paths, flags string) (out string, status int, quality, junit string) {
	text, err := os.ReadFile("gitlab.yml")
	require.NoError(t, err)
	var file map[string]struct {
		Variables map[string]string
		Script    []string
		Artifacts struct {
			Reports struct{ Codequality, JUnit string }
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &file))
	job := file[".sframe-lint"]
	require.True(t, strings.HasPrefix(job.Script[0], "go install "))
	job.Variables["SFRAME_PATHS"], job.Variables["SFRAME_FLAGS"] = paths, flags
	var env []string
	for k, v := range job.Variables {
		env = append(env, k+"="+v)
	}
	out, status = shell(t, dir, strings.Join(job.Script[1:], "\n"), lint, env...)
	return out, status, filepath.Join(dir, job.Artifacts.Reports.Codequality), filepath.Join(dir, job.Artifacts.Reports.JUnit)
}

func (p *fault) gitlab(t *testing.T, dir, lint string) {
	out, status, quality, junit := gitlabJob(t, dir, lint, "app", "")
	p.shows(t, out, status)
	assert.ElementsMatch(t, firstLine(p.places), issues(t, quality))
	assert.ElementsMatch(t, p.places, cases(t, junit))
}

// TestGitLab runs the job with variables of several lines.
func TestGitLab(t *testing.T) {
	r, lint := actionAt(t), program(t)
	out, status, quality, _ := gitlabJob(t, r.dir, lint, "good.elf\nb*.elf\n", "--no-config\n--exclude *.elf\n")
	assert.Equal(t, 1, status, out)
	assert.Contains(t, out, "bad.elf: .sframe+0x40")
	assert.Contains(t, issues(t, quality), place{"SF1019", "bad.elf", 1})
	out, status, _, _ = gitlabJob(t, r.dir, lint, "good.elf\nnone.elf\n", "")
	assert.Equal(t, 3, status, out)
	out, status, _, _ = gitlabJob(t, r.dir, lint, "good.elf", "")
	assert.Zero(t, status, out)
	assert.Empty(t, out)
}

// firstLine puts places without a line at line 1, as GitLab and code scanning require a line.
func firstLine(places []place) []place {
	places = slices.Clone(places)
	for i := range places {
		places[i].line = max(1, places[i].line)
	}
	return places
}

// jenkins runs the step of the page.
func (p *fault) jenkins(t *testing.T, dir, lint string) {
	page, err := os.ReadFile("../docs/start-ci.md")
	require.NoError(t, err)
	step := regexp.MustCompile(`sh '(sframe-lint .*) build/app'`).FindStringSubmatch(string(page))
	require.NotNil(t, step)
	out, status := shell(t, dir, step[1]+" app", lint)
	p.shows(t, out, status)
	assert.ElementsMatch(t, firstLine(p.places), alerts(t, filepath.Join(dir, "sframe.sarif")))
	assert.ElementsMatch(t, p.places, cases(t, filepath.Join(dir, "sframe.xml")))
}

// commit makes a commit with the program in it.
func (p *fault) commit(t *testing.T, dir, lint string) {
	c := newCommitter(t, lint, t.TempDir())
	shell(t, dir, "rm -rf bin *.o", lint)
	args := []string{"--require-sframe", "--path-map", dir + "=.", "--"} // the program was built elsewhere
	out, err := c.commit(t, os.DirFS(dir), args)
	status := 0
	if err != nil {
		status = 1
	}
	p.shows(t, out, status)
	assert.ElementsMatch(t, p.places, annotations(t, out))
}

// annotations returns what the problem matcher finds in a log.
func annotations(t *testing.T, log string) (all []place) {
	p, re := matcher(t)
	for line := range strings.Lines(log) {
		if m := re.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			n, _ := strconv.Atoi(m[p.Line]) // 0 without a line
			all = append(all, place{m[p.Code], m[p.File], n})
		}
	}
	return all
}

// alerts returns the errors of a SARIF file that is valid.
func alerts(t *testing.T, file string) (all []place) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, outputtest.ValidateSARIF(text))
	log, err := sarif.FromBytes(text, sarif.WithStrictValidation())
	require.NoError(t, err)
	for _, run := range log.Runs {
		for _, x := range run.Results {
			if x.Level != "error" {
				continue
			}
			at := x.Locations[0].PhysicalLocation
			found := place{rule: *x.RuleID, path: *at.ArtifactLocation.URI}
			if at.Region != nil && at.Region.StartLine != nil {
				found.line = *at.Region.StartLine
			}
			all = append(all, found)
		}
	}
	return all
}

// issues returns what is critical in a code quality report of GitLab that is valid.
func issues(t *testing.T, file string) (all []place) {
	text, err := os.Open(file)
	require.NoError(t, err)
	defer text.Close()
	v, err := jsonschema.UnmarshalJSON(text)
	require.NoError(t, err)
	schema, err := jsonschema.NewCompiler().Compile("testdata/codequality.schema.json")
	require.NoError(t, err)
	require.NoError(t, schema.Validate(v))
	_, err = text.Seek(0, io.SeekStart)
	require.NoError(t, err)
	var issues []struct {
		CheckName   string `json:"check_name"`
		Fingerprint string
		Severity    string
		Location    struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	require.NoError(t, json.NewDecoder(text).Decode(&issues))
	seen := map[string]bool{}
	for _, x := range issues {
		assert.False(t, seen[x.Fingerprint], "GitLab shows the first issue of a fingerprint")
		seen[x.Fingerprint] = true
		if x.Severity == "critical" {
			all = append(all, place{x.CheckName, x.Location.Path, x.Location.Lines.Begin})
		}
	}
	return all
}

// junitForm has the elements that GitLab and Jenkins read: their attributes, with "!" where they are required, and their children.
var junitForm = map[string]struct{ attributes, children string }{
	"testsuites": {"name tests failures errors", "testsuite"},
	"testsuite":  {"!name tests failures errors skipped", "testcase"},
	"testcase":   {"!name !classname file line time", "failure error skipped system-out"},
	"failure":    {"type message", ""},
	"error":      {"type message", ""},
	"skipped":    {"message", ""},
	"system-out": {"", ""},
}

// cases returns the cases that failed of a JUnit report that is valid.
func cases(t *testing.T, file string) (all []place) {
	text, err := os.Open(file)
	require.NoError(t, err)
	defer text.Close()
	within, seen := []string{""}, map[string]bool{}
	var last place
	for d := xml.NewDecoder(text); ; {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			parent, form := within[len(within)-1], junitForm[x.Name.Local]
			require.Contains(t, junitForm, x.Name.Local)
			assert.True(t, parent == "" && x.Name.Local == "testsuites" || slices.Contains(strings.Fields(junitForm[parent].children), x.Name.Local), "%s in %s", x.Name.Local, parent)
			within = append(within, x.Name.Local)
			has := map[string]string{}
			for _, a := range x.Attr {
				assert.Contains(t, strings.Fields(strings.ReplaceAll(form.attributes, "!", "")), a.Name.Local, x.Name.Local)
				has[a.Name.Local] = a.Value
			}
			for _, name := range strings.Fields(form.attributes) {
				if name, required := strings.CutPrefix(name, "!"); required {
					assert.NotEmpty(t, has[name], "%s of %s", name, x.Name.Local)
				}
			}
			switch x.Name.Local {
			case "testcase":
				key := has["classname"] + "\x00" + has["name"]
				assert.False(t, seen[key], "a second case with the name %q", has["name"])
				seen[key] = true
				rule, _, _ := strings.Cut(has["name"], " ")
				line, _ := strconv.Atoi(has["line"])
				last = place{rule, has["file"], line}
			case "failure":
				assert.Equal(t, "error", has["type"])
				all = append(all, last)
			}
		case xml.EndElement:
			within = within[:len(within)-1]
		}
	}
}
