package fuzzcmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/reports"
)

// shrinkFlags are the flags of shrink.
type shrinkFlags struct {
	command string
	failure failure
	out     string
	timeout time.Duration
	maxRuns int
}

const shrinkLong = `Minimizes a file as long as a command fails on it. It removes functions, FREs and data
words, then bytes, and sets bytes that cannot be removed to zero. FILE is a raw section,
an ELF file or an archive with sections, or any other file.

In the command, @@ stands for the file. Without @@, the file is the command's standard
input. The command is split like a shell command, but no shell runs it: it has no
variables, pipes or redirections. --keep-exit, --keep-signal and --keep-output define
the failure, and all that are given must hold. Without them, the command must end as it
does for FILE.

If the sections of the result are not large, they are printed as text, from which
'sframe-lint asm' makes the same bytes.

If it is interrupted or a run fails, shrink writes the smallest file so far.`

// mostText is the maximum number of bytes of text that are printed of the result.
const mostText = 16 << 10

const shrinkExample = `  sframe-fuzz shrink --keep 'readelf --sframe @@' --out small.o crash.o
  sframe-fuzz shrink --keep 'sframe-lint @@' --keep-output 'SF2004' --out small.sframe bad.sframe`

func (a *app) shrinkCommand() *cobra.Command {
	var f shrinkFlags
	c := &cobra.Command{
		Use: "shrink --keep COMMAND [flags] FILE", Short: "Minimize a failing input", Long: shrinkLong, Example: shrinkExample,
		Args: program.Arguments("FILE"),
		RunE: func(_ *cobra.Command, files []string) error {
			switch {
			case f.command == "":
				return errors.New("--keep: no command given")
			case f.timeout <= 0:
				return errors.New("--timeout: must be above 0")
			case f.maxRuns < 0:
				return errors.New("--max-runs: must be at least 0")
			}
			if f.out == "" {
				f.out = files[0] + ".small"
			}
			if err := f.failure.check(); err != nil {
				return err
			}
			return a.shrink(&f, files[0])
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.command, "keep", "", "keep an input on which `COMMAND` fails (required)")
	f.failure.flags(fl)
	fl.StringVarP(&f.out, "out", "o", "", "write the result to `FILE` (default: FILE.small)")
	fl.DurationVar(&f.timeout, "timeout", 10*time.Second, "stop a run of the command after this time")
	fl.IntVar(&f.maxRuns, "max-runs", 0, "try at most `N` smaller files; 0: no limit")
	return c
}

func (a *app) shrink(f *shrinkFlags, file string) error {
	data, err := regular.Read(file, 0)
	if err != nil {
		return program.Failed(err)
	}
	if err := program.Guard("--out", f.out, []string{file}, data); err != nil {
		return err
	}
	out, err := edit.Create(f.out) // before the command is run for hours
	if err != nil {
		return program.Failed(err)
	}
	defer out.Abandon()
	dir, err := os.MkdirTemp("", "sframe-fuzz-")
	if err != nil {
		return program.Failed(err)
	}
	defer os.RemoveAll(dir)
	t, err := newTarget(f.command, file, dir, f.timeout)
	if err != nil {
		return err
	}
	ctx, stop := program.UntilInterrupted()
	defer stop()
	if f.failure.original, err = t.run(ctx, data); err != nil {
		return program.Failed(err)
	}
	if !f.failure.holds(f.failure.original) {
		return program.Failed(fmt.Errorf("%s: the command does not fail as required: %v", file, f.failure.original))
	}
	if err := f.runAgain(ctx, t, file, data); err != nil {
		return program.Failed(err)
	}
	if without, err := t.run(ctx, nil); err != nil || len(data) > 0 && without.Exit >= 0 && f.failure.holds(without) {
		return program.Failed(cmp.Or(err, fmt.Errorf("--keep: the command also fails on an empty file, so it does not depend on %s", file)))
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	var failed error // the run that has ended the search
	bar := newProgress(a.stderr, 0)
	search := &shrink.Search{
		Context: ctx, MaxTries: f.maxRuns,
		Keep: func(data []byte) bool {
			o, err := t.run(ctx, data)
			if err != nil && !errors.Is(err, program.ErrInterrupted) {
				failed = err
				end()
			}
			return err == nil && f.failure.holds(o)
		},
		Progress: func(best []byte, tries int) {
			bar.Show(func() string { return fmt.Sprintf("%d bytes after %d runs", len(best), tries) })
		},
	}
	search.File(data)
	bar.Clear()
	// A search that has ended early still has a result.
	err = errors.Join(failed, a.writeShrunk(f, out, search, len(data), failed != nil))
	if err != nil || ctx.Err() != nil {
		return program.Failed(err)
	}
	return program.Failed(f.runAgain(ctx, t, f.out, search.Best()))
}

// target is the command that decides which files are kept.
type target struct {
	program.External
	dir, name string // of the candidates
}

// newTarget prepares a command for files in dir with the extension of the given one.
func newTarget(line, file, dir string, timeout time.Duration) (*target, error) {
	args, err := program.Parse(line)
	if err != nil {
		return nil, fmt.Errorf("--keep: %w", err)
	}
	name := args[0]
	if args[0], err = exec.LookPath(name); err != nil {
		return nil, wrong(fmt.Errorf("--keep: %s: %w", name, program.ErrMissing))
	}
	return &target{program.External{Args: args, Timeout: timeout}, dir, "candidate" + filepath.Ext(file)}, nil
}

// run runs the command on data.
func (t *target) run(ctx context.Context, data []byte) (*program.Outcome, error) {
	path, err := program.Place(t.dir, t.name, data)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(filepath.Dir(path))
	return t.Run(ctx, path, "")
}

// runAgain runs the command again on a file on which it has failed: the results of
// a command that does not always fail are useless.
func (f *shrinkFlags) runAgain(ctx context.Context, t *target, file string, data []byte) error {
	again, err := t.run(ctx, data)
	if err == nil && !f.failure.holds(again) {
		err = fmt.Errorf("%s: the command is not deterministic: it did not fail again: %v", file, again)
	}
	return err
}

// writeShrunk writes the result of a search and reports it. failed is whether the
// last run of the command failed.
func (a *app) writeShrunk(f *shrinkFlags, out *edit.Output, s *shrink.Search, size int, failed bool) error {
	best, why := s.Best(), ""
	switch {
	case failed:
		why = ", of which the last one failed"
	case s.Context.Err() != nil:
		why = ", interrupted"
	case s.Ended():
		why = ", as many as allowed"
	}
	_, err := out.Write(best)
	if err := cmp.Or(out.Close(), err); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %d bytes of %d, %d not zero, after %d runs%s\n",
		reports.Escape(f.out), len(best), size, len(best)-bytes.Count(best, []byte{0}), s.Tries(), why)
	if text := dump.Texts(best, mostText); err == nil && text != "" {
		_, err = fmt.Fprintf(a.stdout, "as text for sframe-lint asm:\n%s", text)
	}
	return err
}

// failure defines the failure to keep. By default, the command must end as it
// did for the original file.
type failure struct {
	exit   int    // -1: any
	signal string // "": any
	output string // "": any

	sig      int
	pattern  *regexp.Regexp
	original *program.Outcome
}

func (v *failure) flags(fl *pflag.FlagSet) {
	fl.IntVar(&v.exit, "keep-exit", -1, "require that the command ends with this `STATUS`")
	fl.StringVar(&v.signal, "keep-signal", "", "require that this `SIGNAL`, a name or number, kills the command")
	fl.StringVar(&v.output, "keep-output", "", "require that the command's output matches this `REGEXP`")
}

func (v *failure) check() (err error) {
	if v.exit < -1 || v.exit > 255 {
		return fmt.Errorf("--keep-exit: %d is not from 0 to 255", v.exit)
	}
	if v.signal != "" {
		if v.sig, err = parseSignal(v.signal); err != nil {
			return err
		}
	}
	if v.output != "" {
		if v.pattern, err = regexp.Compile(v.output); err != nil {
			return fmt.Errorf("--keep-output: %w", err)
		}
	}
	if v.exit >= 0 && v.sig != 0 {
		return errors.New("--keep-exit and --keep-signal exclude each other")
	}
	return nil
}

func parseSignal(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		n = program.SignalNamed(s)
	}
	if n < 1 || n > 64 {
		return 0, fmt.Errorf("--keep-signal: unknown signal %q", s)
	}
	return n, nil
}

// holds reports whether a run has the failure.
func (v *failure) holds(o *program.Outcome) bool {
	switch {
	case v.exit >= 0 && o.Exit != v.exit,
		v.sig != 0 && o.Signal != v.sig,
		v.pattern != nil && !v.pattern.Match(o.Stdout):
		return false
	}
	return v.exit >= 0 || v.sig != 0 || v.pattern != nil || o.Same(v.original)
}
