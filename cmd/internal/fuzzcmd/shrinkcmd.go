package fuzzcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/fuzz/shrink"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/reports"
)

// shrinkFlags are the flags of shrink.
type shrinkFlags struct {
	command string
	verdict verdict
	out     string
	timeout time.Duration
	maxRuns int
}

const shrinkLong = `Makes a file smaller for which a command does something, as long as the command still
does it: functions, rows and data words are left out, then bytes, and what can't be
left out is set to zero. FILE is a raw section, an ELF file or an archive with
sections in it, or anything else. A recipe (FILE.json), or a file whose recipe is in
the manifest beside it, is first made simpler as a recipe: with fewer breaks, and with
its knobs closer to their defaults.

In the command @@ stands for the file; without it, the file is the command's
standard input. The command is split like a shell does it but not run by one: no
variables, pipes or redirections. What it must go on doing, --keep-exit, --keep-signal
and --keep-output say, all of them that are given; without any, it must end as it
does with FILE.

Interrupted, or where a run fails, it writes the smallest file so far.`

const shrinkExample = `  sframe-fuzz shrink --keep 'readelf --sframe @@' --out small.o crash.o
  sframe-fuzz shrink --keep 'sframe-lint @@' --keep-output 'SF2004' --out small.sframe bad.sframe`

func (a *app) shrinkCommand() *cobra.Command {
	var f shrinkFlags
	c := &cobra.Command{
		Use: "shrink --keep COMMAND [flags] FILE", Short: "Make a file smaller that a command fails on", Long: shrinkLong, Example: shrinkExample,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			switch {
			case f.command == "":
				return errors.New("--keep: no command")
			case f.timeout <= 0:
				return errors.New("--timeout: not above 0")
			case f.maxRuns < 0:
				return errors.New("--max-runs: below 0")
			}
			if f.out == "" {
				f.out = files[0] + ".small"
			}
			if err := f.verdict.check(); err != nil {
				return err
			}
			return a.shrink(&f, files[0])
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.command, "keep", "", "`COMMAND` that must go on doing what it does (required)")
	f.verdict.flags(fl)
	fl.StringVarP(&f.out, "out", "o", "", "`FILE` for the result (default: the file's name and .small)")
	fl.DurationVar(&f.timeout, "timeout", 10*time.Second, "how long a run of the command may take")
	fl.IntVar(&f.maxRuns, "max-runs", 0, "try at most `N` smaller files; 0: as many as needed")
	return c
}

func (a *app) shrink(f *shrinkFlags, file string) error {
	if err := writable(f.out); err != nil {
		return program.Failed(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return program.Failed(err)
	}
	recipe, data, like, err := original(file, data)
	if err != nil {
		return program.Failed(err)
	}
	dir, err := os.MkdirTemp("", "sframe-fuzz-")
	if err != nil {
		return program.Failed(err)
	}
	defer os.RemoveAll(dir)
	t, err := newTarget(f.command, like, dir, f.timeout)
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted()
	defer stop()
	if f.verdict.original, err = t.run(ctx, data); err != nil {
		return program.Failed(err)
	}
	if !f.verdict.holds(f.verdict.original) {
		return program.Failed(fmt.Errorf("%s: the command does not do that: %v", file, f.verdict.original))
	}
	if err := f.steady(ctx, t, file, data); err != nil {
		return program.Failed(err)
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	var failed error // the run that has ended the search
	bar := newProgress(a.stderr, 0)
	search := &shrink.Search{
		Context: ctx, MaxTries: f.maxRuns,
		Keep: func(data []byte) bool {
			o, err := t.run(ctx, data)
			if err != nil && !errors.Is(err, errInterrupted) {
				failed = err
				end()
			}
			return err == nil && f.verdict.holds(o)
		},
		Progress: func(best []byte, tries int) {
			bar.show(func() string { return fmt.Sprintf("%d bytes after %d runs", len(best), tries) })
		},
	}
	size := len(data)
	if recipe != nil {
		simple := search.Recipe(*recipe)
		s, err := simple.Replay()
		if err != nil {
			return program.Failed(err)
		}
		recipe, data = &simple, s.File()
	}
	search.File(data)
	bar.clear()
	// A search that has ended early still has a result.
	err = errors.Join(failed, a.shrunk(f, search, size, recipe, failed != nil))
	if err != nil || ctx.Err() != nil {
		return program.Failed(err)
	}
	return program.Failed(f.steady(ctx, t, f.out, search.Best()))
}

// original returns the recipe of a file, nil for none, the bytes to begin with
// and a name for files like it.
func original(file string, data []byte) (*breaks.Recipe, []byte, string, error) {
	recipe, given, err := recipeFor(file, data)
	if err != nil || !given {
		return recipe, data, file, err
	}
	s, err := recipe.Replay()
	if err != nil {
		return nil, nil, "", fmt.Errorf("%s: %w", file, err)
	}
	return recipe, s.File(), "recipe" + suffix(s.Kind()), nil
}

// writable sees, before the command is run for hours, that the result can be
// written.
func writable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s: is a directory", path)
	case err == nil:
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return f.Close()
	}
	_, err = os.Stat(filepath.Dir(path))
	return err
}

// steady runs the command once more on a file that it has done the right thing
// on: one that does not always do the same keeps nothing.
func (f *shrinkFlags) steady(ctx context.Context, t *target, file string, data []byte) error {
	again, err := t.run(ctx, data)
	if err == nil && !f.verdict.holds(again) {
		err = fmt.Errorf("%s: the command does not always do the same: run once more, it did not do it: %v", file, again)
	}
	return err
}

// shrunk writes the result of a search and reports it. failed is whether the
// last run of the command failed.
func (a *app) shrunk(f *shrinkFlags, s *shrink.Search, size int, recipe *breaks.Recipe, failed bool) error {
	best, why := s.Best(), ""
	switch {
	case failed:
		why = ", of which the last one failed"
	case s.Context.Err() != nil:
		why = ", interrupted"
	case s.Ended():
		why = ", as many as allowed"
	}
	if err := os.WriteFile(f.out, best, 0o666); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "%s: %d bytes of %d, %d not zero, after %d runs%s\n",
		reports.Escape(f.out), len(best), size, len(best)-bytes.Count(best, []byte{0}), s.Tries(), why)
	if err != nil || recipe == nil {
		return err
	}
	b, err := json.Marshal(recipe)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "recipe before cuts: %s\n", b)
	return err
}
