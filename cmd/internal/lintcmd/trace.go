package lintcmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

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

func startTrace(a *app, c *cobra.Command) action {
	fl := c.Flags()
	var cfg execute.Config
	run := fl.Bool("run", false, "execute PROG step by step and check each step (Linux on AMD64 and AArch64)")
	fl.IntVar(&cfg.Check.Every, "every", 1000, "check all frames of a thread every `N` steps; 0: never")
	fl.DurationVar(&cfg.For, "for", 0, "end the program after `DURATION`, such as 30s; 0: when it ends")
	fl.Uint64Var(&cfg.Steps, "steps", 0, "end the program after `N` steps; 0: when it ends")
	fl.BoolVar(&cfg.Children, "children", false, "also check the children of fork, and the programs that they execute")
	program.List(c, &cfg.Env, "env", "set `NAME=VALUE` in the environment of PROG, or pass on NAME;\nmay be repeated")
	fl.StringVar(&cfg.Qemu, "qemu", "", "execute PROG with `FILE`, the user-mode qemu of its machine, for other\nmachines and for long runs (Linux on AMD64)")
	return func(args []string) error {
		switch {
		case !*run:
			return errors.New("no --run given: it executes the program")
		case cfg.Check.Every < 0:
			return fmt.Errorf("--every: %d is negative", cfg.Check.Every)
		case cfg.For < 0:
			return fmt.Errorf("--for: %s is negative", cfg.For)
		case len(args) == 0:
			return errors.New("--run: no program named")
		}
		cfg.Args = args
		return a.trace(&cfg)
	}
}

// environment returns the environment of a program: the same in each run.
func environment(given []string) []string {
	env := []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/", "LC_ALL=C", "TZ=UTC0"}
	for _, e := range given {
		if !strings.Contains(e, "=") {
			e += "=" + os.Getenv(e)
		}
		env = append(env, e)
	}
	return env
}

func (a *app) trace(cfg *execute.Config) (err error) {
	if cfg.Path, err = exec.LookPath(cfg.Args[0]); err != nil {
		a.fail("%s", reason(err))
		return nil
	}
	start := execute.Start
	if cfg.Qemu != "" {
		start = execute.Emulate
		if cfg.Qemu, err = exec.LookPath(cfg.Qemu); err != nil {
			a.fail("--qemu: %s", reason(err))
			return nil
		}
	}
	if status, ok := a.guarded(); ok {
		a.status = status
		return nil
	}
	b, end := a.newBudget()
	defer end()
	cfg.Env, cfg.Read = environment(cfg.Env), reader.Options{NoSurvey: true, Context: b}
	cfg.Files = [3]*os.File{os.Stdin, os.Stderr, os.Stderr}
	if strings.Contains(a.formats[0], "=") {
		cfg.Files[1] = os.Stdout
	}
	path := reports.Escape(cfg.Path)
	if program.IsTerminal(a.stderr) {
		cfg.Progress = func(s execute.Stats) { a.showProgress(int(s.Steps), cfg.Path) }
	}
	r, err := start(a.ctx, *cfg)
	a.progress.Clear()
	if err != nil {
		a.fail("%s: %s", path, reason(err))
		return nil
	}
	r.Program = cfg.Args
	switch {
	case r.Exit.Cut == execute.Canceled:
		a.fail("%s: interrupted: the report is not whole", path)
	case r.Stats.Checked == 0:
		a.fail("%s: no step was checked", path)
	case r.Wrong():
		a.status = program.ExitFindings
	}
	return a.report(r, forms{"text": func(w io.Writer) error { return execute.WriteText(w, r) }})
}
