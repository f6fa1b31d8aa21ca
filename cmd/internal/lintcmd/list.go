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
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/tool/html"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/shard"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// listFlags are the flags of a run over a list of inputs.
type listFlags struct {
	path    string
	results string
	part    string
	reuse   string
	timeout time.Duration
	memory  int64 // MiB
	retry   bool
	working bool // this process checks a unit of a list
}

func (l *listFlags) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&l.path, "list", "", "check the paths that `FILE` lists, each in its own process: one path a line,\noptionally with a tab and its size in bytes")
	fl.StringVar(&l.results, "results", "", "with --list: keep the results in `DIR`, and reuse those in it that have the same\nbytes, program and configuration")
	fl.StringVar(&l.part, "shard", "", "with --list: check only part `I/N` of the list, and write no report; I starts at 0")
	fl.StringVar(&l.reuse, "reuse", "", "with --list: take results of unchanged inputs from `DIR`, the --results of an earlier run")
	fl.DurationVar(&l.timeout, "unit-timeout", 30*time.Minute, "with --list: stop a process after this time")
	fl.Int64Var(&l.memory, "unit-memory", 0, "with --list: limit the address space of a process to `MIB`; 0: no limit")
	fl.BoolVar(&l.retry, "retry-failed", false, "with --list: check inputs again that failed too often")
	for _, name := range []string{"fix", "diff"} {
		c.MarkFlagsMutuallyExclusive("list", name)
	}
	for _, name := range []string{"format", "statistics", "write-baseline"} {
		c.MarkFlagsMutuallyExclusive("shard", name)
	}
	program.Group(c, "A list of inputs")
}

// reporting are the flags that do not change the result of an input.
var reporting = []string{
	"allow-empty", "baseline", "baseline-reason", "baseline-strict", "color", "fail-on", "format", "jobs", "list", "quiet", "results", "retry-failed", "reuse",
	"sarif-anchor", "shard", "show", "statistics", "unit-memory", "unit-timeout", "verbose", "verify-patch", "write-baseline",
	"limit", // its values are compared
}

// maxList bounds a list of inputs and the baseline of them, in bytes.
const maxList = 1 << 30

// job is a run over the units of a list, or in a process that it has started a run over one of them.
type job struct {
	shard.Options
	part   string   // "" for the whole list
	paths  []string // the list, or the unit
	worker bool
	list   []byte
}

// job returns the run that the flags ask for, nil if there is no list. In a process that checks a unit, the flags are made
// those of that.
func (l *listFlags) job(f *lintFlags, fl *pflag.FlagSet) (*job, error) {
	if l.path == "" || l.results == "" {
		for _, name := range []string{"list", "results", "shard", "reuse", "unit-timeout", "unit-memory", "retry-failed"} {
			if fl.Changed(name) {
				return nil, fmt.Errorf("--%s: expected --list FILE and --results DIR", name)
			}
		}
		return nil, nil
	}
	if path, agrees, ok := shard.Working(); ok {
		f.formats, f.statistics, f.verify, f.sarifAnchor, f.quiet, f.verbose, l.working = nil, false, "", "", true, false, true
		return &job{worker: true, paths: []string{path}, Options: shard.Options{Worker: shard.Worker{Agrees: agrees}}}, nil
	}
	if l.timeout <= 0 || l.memory < 0 {
		return nil, errors.New("--unit-timeout must be above 0, --unit-memory at least 0")
	}
	part, err := shard.ParsePart(cmp.Or(l.part, "0/1"))
	if err != nil {
		return nil, fmt.Errorf("--shard: %w", err)
	}
	list, err := regular.Read(l.path, maxList)
	if err != nil {
		return nil, program.Failed(fmt.Errorf("--list: %w", err))
	}
	units, err := shard.ReadManifest(bytes.NewReader(list))
	if err != nil {
		return nil, program.WrongUsage(fmt.Errorf("%s: %w", l.path, err))
	}
	if l.part != "" {
		units = part.Slice(units)
	}
	return &job{part: l.part, paths: []string{l.path}, list: list, Options: shard.Options{
		Dir: l.results, Reuse: l.reuse, Units: units, Timeout: l.timeout, Memory: l.memory << 20, RetryFailed: l.retry, Jobs: program.Jobs(int(f.jobs)),
	}}, nil
}

// configure completes a job by what the flags and the configuration say. In a process that checks a unit, the options are made
// those of that: it writes the result to standard output. Errors: a configuration that is not that of the run any more.
func (j *job) configure(f *lintFlags, fl *pflag.FlagSet, o *lint.Options) error {
	f.limits[budget.Output] = 0 // of the report, which has all results
	agrees, err := f.setupDigest(fl)
	if err != nil {
		return program.Failed(err)
	}
	if !j.worker {
		j.Worker.Agrees = agrees
		j.Setup, err = f.digest(agrees)
		return program.Failed(err)
	}
	if agrees != j.Worker.Agrees {
		return program.WrongUsage(errors.New("the configuration was changed during the run: start it again"))
	}
	f.known = knownFlags{}
	o.Show, o.Facts, o.Coverage = rules.Note, true, unitGaps
	o.Progress, o.Jobs, o.Record, o.Limits[budget.Output] = nil, 1, false, 0
	return nil
}

// unitGaps is the number of functions without SFrame data that the result of a unit lists for each file.
const unitGaps = 200

// setup is what programs that read the results must know of a run.
type setup struct {
	Schema  string `json:"schema"`
	Digest  string `json:"setup"`
	Version string `json:"version"`
}

// setupSchema is the name of the format.
const setupSchema = "sframe-lint/setup/1"

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
		if !slices.Contains(reporting, x.Name) {
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

// make makes the results that are missing.
func (j *job) make(a *app, quiet bool) error {
	if !slices.Equal(a.args, os.Args[1:]) {
		return errors.New("the program cannot start itself")
	}
	exe, err := ownPath()
	if err != nil {
		return err
	}
	if err := shard.Save(j.Dir, j.list, setup{setupSchema, j.Setup, program.Version()}); err != nil {
		return err
	}
	w := &j.Worker
	w.Path, w.Args, w.Usage, w.Done = exe, os.Args, program.ExitUsage, []int{program.ExitFindings, program.ExitFailed}
	w.Whole = func(last []byte) bool { return bytes.HasPrefix(last, []byte(`{"summary":`)) }
	if !quiet {
		j.Status = program.Status(&a.progress, j.statusLine, func(s shard.Status) { a.printLine("%s", j.statusLine(s)) })
	}
	done, err := shard.Run(a.ctx, j.Options)
	a.progress.Clear()
	if err == nil && !quiet {
		a.printLine("%s", j.statusLine(done))
	}
	return err
}

// makeOnly makes the results of a part, of which nothing is reported.
func (j *job) makeOnly(a *app, quiet bool) error {
	if err := j.make(a, quiet); err != nil {
		return program.Failed(err)
	}
	missing := 0
	for i := range j.Units {
		u := &j.Units[i]
		if _, err := os.Stat(u.Path); err == nil || shard.Seen(j.Dir, u) {
			continue
		}
		if missing++; missing <= maxMissing {
			a.printLine("%s: no such file or directory", escape.Name(u.Path))
		}
	}
	if missing > 0 {
		a.fail("%s of the list not found", rules.Count(missing, "path"))
	}
	return nil
}

// maxMissing is the number of units that are missing and named.
const maxMissing = 10

// run makes the results and prepares a run over them, in which nothing is checked.
func (j *job) run(a *app, quiet bool, o *lint.Options, linter *lint.Linter) (*lint.Run, error) {
	if err := j.make(a, quiet); err != nil {
		return nil, program.Failed(err)
	}
	return lint.Replay(a.ctx, lint.Options{
		Extra: a.extra, Profile: o.Profile, Show: o.Show, Record: o.Record, AllowEmpty: o.AllowEmpty, Limits: o.Limits, Baseline: o.Baseline,
		Configuration: o.Configuration, Progress: o.Progress,
	}, linter.Severities(), j.files(a.rules()))
}

// files passes on the results of all units, in the order of the list.
func (j *job) files(known []*rules.Rule) func(yield func(*lint.File) bool) {
	byID := map[string]*rules.Rule{}
	for _, r := range known {
		byID[r.ID] = r
	}
	return func(yield func(*lint.File) bool) {
		for i := range j.Units {
			if !j.replay(&j.Units[i], byID, yield) {
				return
			}
		}
	}
}

func (j *job) replay(u *shard.Unit, byID map[string]*rules.Rule, yield func(*lint.File) bool) (more bool) {
	r, err := shard.Open(j.Dir, u)
	if err != nil {
		return yield(&lint.File{Path: u.Path, Err: err})
	}
	defer r.Close()
	switch {
	case r.Setup != j.Setup:
		return yield(&lint.File{Path: r.Path, Err: errors.New("its result has been replaced by one of another program or configuration")})
	case r.Failed != "":
		return yield(&lint.File{Path: r.Path, Err: fmt.Errorf("given up after %d failures: %s", r.Times, r.Failed)})
	}
	more = true
	err = reports.Replay(r.Read(), func(id string) *rules.Rule { return byID[id] }, func(f *lint.File) bool {
		for i := range f.Objects {
			if c, ok := f.Objects[i].Coverage.(*coverage.File); ok {
				c.Gaps = c.Gaps[:min(len(c.Gaps), html.MaxGaps)]
				c.Sections = c.Sections[:min(len(c.Sections), html.MaxGaps)]
			}
		}
		more = yield(f)
		return more
	})
	if err != nil && more {
		return yield(&lint.File{Path: r.Path, Err: err})
	}
	return more
}

// statusLine says how far a job has come.
func (j *job) statusLine(s shard.Status) string {
	text := fmt.Sprintf("%d of %s", s.Done, rules.Count(s.Units, "unit"))
	if j.part != "" {
		text = "shard " + escape.Name(j.part) + ": " + text
	}
	if seconds := s.Elapsed.Seconds(); seconds >= 1 && s.Checked > 0 {
		text += fmt.Sprintf(", %.1f units/s, %.1f MB/s", float64(s.Checked)/seconds, float64(s.CheckedBytes)/1e6/seconds)
	}
	text += strings.Join(amounts(amount{s.Reused, "", ", %s unchanged"}, amount{s.Failed, "", ", %s given up"}), "")
	if left := s.Left(); left > 0 {
		text += ", " + left.Round(time.Second).String() + " left"
	}
	return text
}
