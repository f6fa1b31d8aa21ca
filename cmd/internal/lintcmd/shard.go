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

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/internal/program"
	"github.com/sframe-lint/sframe-lint/internal/shard"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// shardFlags are the flags of a run over a list of inputs.
type shardFlags struct {
	manifest string
	part     string
	out      string
	reuse    string
	timeout  time.Duration
	memory   int64 // MiB

	unit   string       // the path of the unit that this process is the worker of, "" for none
	agrees string       // with that, the digest of its parent's configuration
	units  []shard.Unit // those of the list
	list   []byte
}

func (f *shardFlags) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.manifest, "manifest", "", "check the files, packages and directories that `FILE` lists, each by a process\nof its own: a path on a line, perhaps with a tab and its size in bytes")
	fl.StringVar(&f.part, "shard", "0/1", "with --manifest: check part `I/N` of the list, I from 0 on")
	fl.StringVar(&f.out, "out", "", "with --manifest: keep the result of each input in `DIR`, for 'collect'; what it\nhas is not checked again")
	fl.StringVar(&f.reuse, "reuse", "", "with --manifest: take results of unchanged inputs from `DIR`, an earlier --out")
	fl.DurationVar(&f.timeout, "unit-timeout", 30*time.Minute, "with --manifest: time limit of a process")
	fl.Int64Var(&f.memory, "unit-memory", 0, "with --manifest: address space of a process in `MIB`; 0: no limit")
	program.Directory(c, "out")
	program.Directory(c, "reuse")
}

// The flags of a list, and those that do not change what is found in its units.
var (
	ownFlags   = []string{"manifest", "shard", "out", "reuse", "unit-timeout", "unit-memory"}
	otherFlags = []string{"jobs", "quiet", "verbose", "color", "show", "fail-on", "allow-empty"}
	// wrongFlags belong to 'collect', or change files.
	wrongFlags = []string{"format", "statistics", "baseline", "write-baseline", "baseline-reason", "baseline-strict", "sarif-anchor", "fix", "fix-unsafe", "diff"}
)

// check reports combinations of flags that make no sense, and reads the list.
func (f *shardFlags) check(fl *pflag.FlagSet, paths []string) (err error) {
	if f.manifest == "" {
		for _, name := range ownFlags {
			if fl.Changed(name) {
				return fmt.Errorf("--%s needs --manifest", name)
			}
		}
		return nil
	}
	for _, name := range wrongFlags {
		if fl.Changed(name) {
			return fmt.Errorf("--%s does not go with --manifest; 'collect' may have it", name)
		}
	}
	switch {
	case len(paths) > 0:
		return errors.New("--manifest lists the paths: none is given as an argument")
	case f.out == "":
		return errors.New("--manifest needs --out")
	case f.timeout <= 0 || f.memory < 0:
		return errors.New("--unit-timeout must be above 0, --unit-memory at least 0")
	}
	if unit, agrees, ok := shard.Working(); ok {
		f.unit, f.agrees = unit, agrees
		return nil // it checks one unit, whatever the list has
	}
	if f.list, err = os.ReadFile(f.manifest); err != nil {
		return program.Failed(unopened("--manifest", err))
	}
	if f.units, err = shard.ReadManifest(bytes.NewReader(f.list)); err != nil {
		return program.Wrong(fmt.Errorf("--manifest: %s: %w", f.manifest, err))
	}
	part, err := shard.ParsePart(f.part)
	if err != nil {
		return fmt.Errorf("--shard: %w", err)
	}
	f.units = part.Slice(f.units)
	return nil
}

// working makes the options those of a worker, which writes the result of a unit to standard output. Errors: a
// configuration that is not that of the run any more.
func (f *lintFlags) working(fl *pflag.FlagSet, o *lint.Options) error {
	if now, err := f.agreed(fl); err != nil || now != f.shard.agrees {
		return cmp.Or(err, errors.New("the configuration was changed during the run: start it again"))
	}
	o.Show, o.Facts, o.Coverage = rules.Note, true, unitGaps
	o.Progress, o.Jobs = nil, 1
	f.formats, f.quiet = nil, true
	return nil
}

// unitGaps is how many functions without SFrame data the result of a unit lists for each file.
const unitGaps = 200

func unitReport(w io.Writer) reports.Renderer {
	return reports.NewJSONLines(w).Measures()
}

// setup is what 'collect' must know of a run besides the results.
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
	agrees, err := f.agreed(fl)
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
	exe, err := self()
	if err != nil {
		return "", err
	}
	if err := addFiles(h, append([]string{exe}, f.sources.DebugFiles...)); err != nil {
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

// self returns a path of this program by which its workers are the same program, even if another one gets its name.
func self() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// agreed returns a digest of what is configured: the flags, and the bytes and the place of the configuration and of the
// files of --truth. It is cheap, so that each worker makes its own.
func (f *lintFlags) agreed(fl *pflag.FlagSet) (string, error) {
	h := sha256.New()
	var files []string
	if c := f.config.found; c != nil {
		path, err := filepath.Abs(c.Path) // its patterns are relative to where it is
		if err != nil {
			return "", err
		}
		files = append(files, path)
		fmt.Fprintf(h, "%q\n", path)
	}
	if err := addFiles(h, append(files, f.truths...)); err != nil {
		return "", err
	}
	fl.Visit(func(x *pflag.Flag) {
		if slices.Contains(ownFlags, x.Name) || slices.Contains(otherFlags, x.Name) {
			return
		}
		values := []string{x.Value.String()}
		if list, ok := x.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		fmt.Fprintf(h, "%s=%q\n", x.Name, values)
	})
	fmt.Fprintf(h, "%v\n", f.limits)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// addFiles adds the bytes of files to a digest.
func addFiles(h io.Writer, names []string) error {
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
func (a *app) shard(f *lintFlags, s *setup) error {
	if !slices.Equal(a.args, os.Args[1:]) {
		return program.Failed(errors.New("--manifest: the program cannot start itself"))
	}
	exe, err := self()
	if err != nil {
		return program.Failed(err)
	}
	if err := shard.Save(f.shard.out, f.shard.list, s); err != nil {
		return program.Failed(err)
	}
	ctx, stop := program.UntilInterrupted()
	defer stop()
	line := &program.Progress{W: a.stderr}
	o := shard.Options{
		Dir: f.shard.out, Reuse: f.shard.reuse, Units: f.shard.units, Setup: s.Digest, Timeout: f.shard.timeout, Memory: f.shard.memory << 20,
		Jobs: program.Jobs(int(f.jobs)), Worker: shard.Worker{
			Path: exe, Args: os.Args, Agrees: s.agrees, Usage: program.ExitUsage, Done: []int{program.ExitFindings, program.ExitFailed},
			Whole: func(last []byte) bool { return bytes.HasPrefix(last, []byte(`{"summary":`)) },
		},
	}
	if !f.quiet {
		o.Status = a.shardStatus(f, line)
	}
	done, err := shard.Run(ctx, o)
	line.Clear()
	if err != nil {
		return program.Failed(err)
	}
	if !f.quiet {
		a.say("%s", shardLine(f.shard.part, &done))
	}
	return nil
}

// every is how often a line says how far a shard has come, where there is no terminal.
const every = 30 * time.Second

// shardStatus returns what shows how far a shard has come.
func (a *app) shardStatus(f *lintFlags, line *program.Progress) func(shard.Status) {
	if program.IsTerminal(a.stderr) && !program.InCI() {
		return func(s shard.Status) { line.Show(func() string { return shardLine(f.shard.part, &s) }) }
	}
	last := time.Now()
	return func(s shard.Status) {
		if time.Since(last) >= every {
			last = time.Now()
			a.say("%s", shardLine(f.shard.part, &s))
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
