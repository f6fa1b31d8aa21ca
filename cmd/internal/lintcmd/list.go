package lintcmd

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/shard"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

var batchCommand = command{
	name: "batch", short: "Check a list of inputs in parts, and report on all of them",
	long: `Checks a list of files, packages and directories, each in a process of its own, in any
number of parts that run anywhere. 'batch run' keeps the result of each input in a
directory, and 'batch report' joins them.`,
	sub: []command{batchRun, batchReport},
}

var batchRun = command{
	name: "run", args: "LIST DIR [--] [LINT-FLAG...]",
	short: "Check the inputs of a list",
	long: `Checks the files, packages and directories that LIST names, each in a process of its own: a
path on a line, perhaps with a tab and its size in bytes. The result of each input is kept
in DIR; an input whose result is there, of the same bytes, program and configuration, is not
checked again.

Flags of 'sframe-lint' that say what is checked, and -q, follow a --.`,
	status: [3]string{"each input has a result", "", "a path of the list does not exist, or a result could not be written"},
	example: `  sframe-lint batch run packages.tsv results
  sframe-lint batch run --shard 3/16 --reuse last-week packages.tsv results
  sframe-lint batch run packages.tsv results -- --no-config --limit timeout=1m`,
	start: func(a *app, c *cobra.Command) func([]string) error {
		c.SuggestFor = []string{"manifest"} // LIST
		f, b, checks := &lintFlags{shared: &a.shared}, &batchFlags{}, &cobra.Command{Use: "LINT-FLAG"}
		f.inputs(a, checks)
		sourceFlags(checks, &f.sources, &f.pathMaps)
		f.demands(checks)
		limitFlag(checks, &f.limits, budget.Table())
		checks.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "write only failures to standard error")
		a.jobsFlag(c)
		b.flags(c)
		return func(args []string) error {
			if err := checks.ParseFlags(args[2:]); err != nil {
				return c.FlagErrorFunc()(checks, err)
			}
			if rest := checks.Flags().Args(); len(rest) > 0 {
				return fmt.Errorf("unexpected argument %q: want LIST, DIR and flags", rest[0])
			}
			return a.batchRun(f, b, checks, args[0], args[1])
		}
	},
}

// batchFlags are the flags of a run over a list of inputs.
type batchFlags struct {
	part    string
	reuse   string
	timeout time.Duration
	memory  int64 // MiB
	retry   bool

	dir   string
	units []shard.Unit // those of the part
	list  []byte
}

func (b *batchFlags) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&b.part, "shard", "0/1", "check part `I/N` of the list, I from 0 on")
	fl.StringVar(&b.reuse, "reuse", "", "take results of unchanged inputs from `DIR`, that of an earlier run")
	fl.DurationVar(&b.timeout, "unit-timeout", 30*time.Minute, "time limit of a process")
	fl.Int64Var(&b.memory, "unit-memory", 0, "address space of a process in `MIB`; 0: no limit")
	fl.BoolVar(&b.retry, "retry-failed", false, "check again the inputs that were given up")
	program.Group(c, "Flags")
}

// unit is what the process is told that checks one input of a batch.
type unit struct{ path, agrees string }

// batchRun checks a part of a list. In a process of its own, it checks one unit.
func (a *app) batchRun(f *lintFlags, b *batchFlags, c *cobra.Command, list, dir string) (err error) {
	if path, agrees, ok := shard.Working(); ok {
		f.unit = &unit{path, agrees}
		return a.lint(f, c, []string{path})
	}
	if b.timeout <= 0 || b.memory < 0 {
		return errors.New("--unit-timeout must be above 0, --unit-memory at least 0")
	}
	part, err := shard.ParsePart(b.part)
	if err != nil {
		return fmt.Errorf("--shard: %w", err)
	}
	if b.list, err = regular.Read(list, maxList); err != nil {
		return program.Failed(err)
	}
	units, err := shard.ReadManifest(bytes.NewReader(b.list))
	if err != nil {
		return program.WrongUsage(fmt.Errorf("%s: %w", list, err))
	}
	b.dir, b.units = dir, part.Slice(units)
	if err := cmp.Or(notEmpty(c.Flags()), a.checkPaths(c)); err != nil {
		return err
	}
	opts, err := f.options(c.Flags(), a)
	if err != nil {
		return err
	}
	linter, err := lint.New(opts)
	f.sayConfiguration(a, opts.Configuration, true)
	if err != nil {
		return flagError(err)
	}
	s, err := f.setupOf(c.Flags(), &opts, linter)
	if err != nil {
		return program.Failed(err)
	}
	return a.shard(f, b, s)
}

// maxList bounds a list of inputs, in bytes.
const maxList = 1 << 30

// working makes the options those of a worker, which writes the result of a unit to standard output. Errors: a
// configuration that is not that of the run any more.
func (f *lintFlags) working(fl *pflag.FlagSet, o *lint.Options) error {
	if now, err := f.setupDigest(fl); err != nil || now != f.unit.agrees {
		return cmp.Or(err, errors.New("the configuration was changed during the run: start it again"))
	}
	o.Show, o.Facts, o.Coverage = rules.Note, true, unitGaps
	o.Progress, o.Jobs = nil, 1
	f.formats, f.quiet = nil, true
	return nil
}

// unitGaps is the number of functions without SFrame data that the result of a unit lists for each file.
const unitGaps = 200

func unitReport(w io.Writer) reports.Renderer {
	return reports.NewJSONLines(w).Measures()
}

// setup is what 'batch report' must know of a run besides the results.
type setup struct {
	Schema        string              `json:"schema"`
	Digest        string              `json:"setup"`
	Version       string              `json:"version"`
	Profile       string              `json:"profile"`
	Show          string              `json:"show"`
	FailOn        string              `json:"fail_on"`
	Rules         map[string]string   `json:"rules"` // severities by ID
	Configuration *lint.Configuration `json:"configuration,omitempty"`
	agrees        string              // see agreed
}

// setupSchema is the name of the format.
const setupSchema = "sframe-lint/setup/1"

// setupOf describes the run that the flags ask for.
func (f *lintFlags) setupOf(fl *pflag.FlagSet, o *lint.Options, linter *lint.Linter) (*setup, error) {
	agrees, err := f.setupDigest(fl)
	if err != nil {
		return nil, err
	}
	digest, err := f.digest(agrees)
	if err != nil {
		return nil, err
	}
	s := &setup{agrees: agrees, Schema: setupSchema, Digest: digest, Version: program.Version(), Profile: o.Profile, FailOn: f.failOn, Show: o.Show.String(),
		Rules: map[string]string{}, Configuration: o.Configuration}
	for id, v := range linter.Severities() {
		s.Rules[id] = v.String()
	}
	return s, nil
}

// digest returns a digest of all that decides what is found in a file: the bytes of the program, and so its rules, what
// is configured, and debug files.
func (f *lintFlags) digest(agreed string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, agreed)
	exe, err := ownPath()
	if err != nil {
		return "", err
	}
	if err := addFiles(h, append([]string{exe}, f.sources.DebugFiles...)...); err != nil {
		return "", err
	}
	for _, dir := range f.sources.DebugRoots {
		sum, _ := shard.Digest(dir)
		if _, err := os.Stat(dir); err == nil && sum == "" {
			return "", fmt.Errorf("%s: it could not be read, or has thin archives", dir)
		}
		fmt.Fprintf(h, "%q %s\n", dir, sum)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// ownPath returns a path of this program by which its workers are the same program, even if another one gets its name.
func ownPath() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// setupDigest returns a digest of what is configured: the flags, and the bytes and the place of the configuration. It is
// cheap, so that each worker makes its own.
func (f *lintFlags) setupDigest(fl *pflag.FlagSet) (string, error) {
	h := sha256.New()
	if c := f.config.found; c != nil {
		path, err := filepath.Abs(c.Path) // its patterns are relative to where it is
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q\n", path)
		if err := addFiles(h, path); err != nil {
			return "", err
		}
	}
	fl.Visit(func(x *pflag.Flag) {
		if x.Name != "jobs" && x.Name != "quiet" { // they do not change what is found
			fmt.Fprintf(h, "%s=%q\n", x.Name, valuesOf(x))
		}
	})
	fmt.Fprintf(h, "%v\n", f.limits)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// addFiles adds the bytes of files to a digest.
func addFiles(h io.Writer, names ...string) error {
	for _, name := range names {
		sum, n := shard.Digest(name)
		if sum == "" {
			return fmt.Errorf("%s: it could not be read", name)
		}
		fmt.Fprintf(h, "%d %s\n", n, sum)
	}
	return nil
}

// shard makes the results of a part of the list.
func (a *app) shard(f *lintFlags, b *batchFlags, s *setup) error {
	if !slices.Equal(a.args, os.Args[1:]) {
		return program.Failed(errors.New("the program cannot start itself"))
	}
	exe, err := ownPath()
	if err != nil {
		return program.Failed(err)
	}
	if err := shard.Save(b.dir, b.list, s); err != nil {
		return program.Failed(err)
	}
	line := &program.Progress{W: a.stderr}
	o := shard.Options{
		Dir: b.dir, Reuse: b.reuse, Units: b.units, Setup: s.Digest, Timeout: b.timeout, Memory: b.memory << 20, RetryFailed: b.retry,
		Jobs: program.Jobs(int(f.jobs)), Worker: shard.Worker{
			Path: exe, Args: os.Args, Agrees: s.agrees, Usage: program.ExitUsage, Done: []int{program.ExitFindings, program.ExitFailed},
			Whole: func(last []byte) bool { return bytes.HasPrefix(last, []byte(`{"summary":`)) },
		},
	}
	if !f.quiet {
		o.Status = a.shardStatus(b, line)
	}
	missing := a.missing(b.units)
	done, err := shard.Run(a.ctx, o)
	line.Clear()
	if err != nil {
		return program.Failed(err)
	}
	if !f.quiet {
		a.printLine("%s", shardLine(b.part, &done))
	}
	if missing > 0 {
		a.fail("%s of the list not found", rules.Count(missing, "path"))
	}
	return nil
}

// missing counts the units that are not there, and names some.
func (a *app) missing(units []shard.Unit) (n int) {
	for i := range units {
		if _, err := os.Stat(units[i].Path); err == nil {
			continue
		}
		if n++; n <= maxMissing {
			a.printLine("%s: no such file or directory", escape.Name(units[i].Path))
		}
	}
	return n
}

// every is how often a line says how far a shard has come, where there is no terminal.
const every = 30 * time.Second

// shardStatus returns what shows how far a shard has come.
func (a *app) shardStatus(b *batchFlags, line *program.Progress) func(shard.Status) {
	if program.IsTerminal(a.stderr) && !program.InCI() {
		return func(s shard.Status) { line.Show(func() string { return shardLine(b.part, &s) }) }
	}
	last := time.Now()
	return func(s shard.Status) {
		if time.Since(last) >= every {
			last = time.Now()
			a.printLine("%s", shardLine(b.part, &s))
		}
	}
}

// shardLine says how far a shard has come.
func shardLine(part string, s *shard.Status) string {
	text := fmt.Sprintf("shard %s: %d of %s", escape.Name(part), s.Done, rules.Count(s.Units, "unit"))
	if seconds := s.Elapsed.Seconds(); seconds >= 1 && s.Checked > 0 {
		text += fmt.Sprintf(", %.1f units/s, %.1f MB/s", float64(s.Checked)/seconds, float64(s.CheckedBytes)/1e6/seconds)
	}
	if s.Reused > 0 {
		text += fmt.Sprintf(", %d unchanged", s.Reused)
	}
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d given up", s.Failed)
	}
	if left := s.Left(); left > 0 {
		text += ", " + left.Round(time.Second).String() + " left"
	}
	return text
}
