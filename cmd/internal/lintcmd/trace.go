package lintcmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/tool/execute"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

var traceCommand = command{
	name: "trace", args: "{--run -- PROG [ARG...]}", files: true,
	formats: []string{"text", "json"}, single: true,
	short: "Check SFrame data by execution",
	long: `Executes a program one instruction at a time, and follows its calls and returns. At each
step in a file with SFrame data, it recovers the caller from only this data and compares
it with the true one. It reports each mistake with the verdict of the CFI at the same
PC. The program's standard output is written to standard error, unless the report goes
to a file.`,
	status: [3]string{"no row is wrong", "a row is wrong",
		"the program could not be executed, the run was interrupted, or no step was checked"},
	example: `  sframe-lint trace --run --for 30s -- ./program --self-test
  sframe-lint trace --run --qemu /usr/bin/qemu-aarch64 -- ./program`,
	start: startTrace,
}

func startTrace(a *app, c *cobra.Command) func([]string) error {
	var f runFlags
	f.add(c)
	return func(args []string) error {
		if !f.run {
			return errors.New("no --run given: it executes the program")
		}
		return a.traceRun(&f, args)
	}
}

// runFlags are the flags of a run.
type runFlags struct {
	run      bool
	every    int
	limit    time.Duration
	steps    uint64
	children bool
	env      []string
	qemu     string
}

func (f *runFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.BoolVar(&f.run, "run", false, "execute PROG step by step and check each step (Linux on AMD64 and AArch64)")
	fl.IntVar(&f.every, "every", 1000, "check all frames of a thread every `N` steps; 0: never")
	fl.DurationVar(&f.limit, "for", 0, "end the program after `DURATION`, such as 30s; 0: when it ends")
	fl.Uint64Var(&f.steps, "steps", 0, "end the program after `N` steps; 0: when it ends")
	fl.BoolVar(&f.children, "children", false, "also check the children of fork, and the programs that they execute")
	program.List(c, &f.env, "env", "set `NAME=VALUE` in the environment of PROG, or pass on NAME;\nmay be repeated")
	fl.StringVar(&f.qemu, "qemu", "", "execute PROG with `FILE`, the user-mode qemu of its machine, for other\nmachines and for long runs (Linux on AMD64)")
}

// environment returns the environment of a program: the same in each run.
func (f *runFlags) environment() []string {
	env := []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/", "LC_ALL=C", "TZ=UTC0"}
	for _, e := range f.env {
		if !strings.Contains(e, "=") {
			e += "=" + os.Getenv(e)
		}
		env = append(env, e)
	}
	return env
}

func (a *app) traceRun(f *runFlags, args []string) error {
	if f.every < 0 {
		return fmt.Errorf("--every: %d is negative", f.every)
	}
	if f.limit < 0 {
		return fmt.Errorf("--for: %s is negative", f.limit)
	}
	if len(args) == 0 {
		return errors.New("--run: no program named")
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		a.fail("%s", reports.Escape(err.Error()))
		return nil
	}
	if f.qemu != "" {
		if f.qemu, err = exec.LookPath(f.qemu); err != nil {
			a.fail("--qemu: %s", reports.Escape(err.Error()))
			return nil
		}
	}
	if status, ok := a.guarded(); ok {
		a.status = status
		return nil
	}
	b, end := a.newBudget()
	defer end()
	cfg := execute.Config{
		Path: path, Args: args, Qemu: f.qemu, Env: f.environment(), For: f.limit, Steps: f.steps, Children: f.children,
		Files: [3]*os.File{os.Stdin, os.Stderr, os.Stderr},
		Check: execute.Options{Every: f.every},
		Read:  reader.Options{NoSurvey: true, Context: b},
	}
	if strings.Contains(a.formats[0], "=") {
		cfg.Files[1] = os.Stdout
	}
	if program.IsTerminal(a.stderr) {
		cfg.Progress = func(s execute.Stats) { a.showProgress(int(s.Steps), path) }
	}
	start := execute.Start
	if f.qemu != "" {
		start = execute.Emulate
	}
	r, err := start(a.ctx, cfg)
	a.progress.Clear()
	if err != nil {
		a.fail("%s: %s", reports.Escape(path), reports.Escape(err.Error()))
		return nil
	}
	r.Program = args
	switch {
	case r.Exit.Cut == execute.Canceled:
		a.fail("%s: interrupted: the report is not whole", reports.Escape(path))
	case r.Stats.Checked == 0:
		a.fail("%s: no step was checked", reports.Escape(path))
	case r.Wrong():
		a.status = program.ExitFindings
	}
	return a.report(r, forms{
		"text": func(w io.Writer) error { return execute.WriteText(w, r) },
	})
}
