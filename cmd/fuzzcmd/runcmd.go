package fuzzcmd

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/fuzz/selfcheck"
	"github.com/sframe-lint/sframe-lint/generator"
)

// runFlags are the flags of the self-check.
type runFlags struct {
	source      source
	count       int
	maxFailures int
	jobs        jobs
}

const runLong = `Makes valid sections of all kinds and sees that generator, reader and rules agree
on them: a section that is read and written again is the same, a valid one earns no
error, in an ELF file it is still what it was, known faults in it are found where they
are and nothing else is, and damage to it makes nothing fail.

Every failure comes with the seed and the flags that bring it back.`

const runExample = `  sframe-fuzz run --count 1000000
  sframe-fuzz run --seed 815`

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use: "run [flags]", Short: "Check generator, reader and rules against each other", Long: runLong, Example: runExample,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f.source.parsed(c.Flags())
			switch {
			case f.count < 0:
				return errors.New("--count: below 0")
			case f.maxFailures < 1:
				return errors.New("--max-failures: below 1")
			}
			if err := f.jobs.check(); err != nil {
				return err
			}
			return a.run(&f)
		},
	}
	fl := c.Flags()
	fl.IntVarP(&f.count, "count", "n", 1, "how many sections to check")
	fl.IntVar(&f.maxFailures, "max-failures", 10, "end after the section with the `N`th failure")
	f.jobs.flag(c)
	f.source.flags(c, true)
	return c
}

// checked is what came of a section.
type checked struct {
	conf     generator.Config
	stats    selfcheck.Stats
	failures []selfcheck.Failure
	err      error
}

// errEnough ends a run.
var errEnough = errors.New("enough failures")

func (a *app) run(f *runFlags) error {
	checker, total, failures := selfcheck.New(), selfcheck.Stats{}, 0
	begun := time.Now()
	bar := newProgress(a.stderr, f.count)
	err := inOrder(f.jobs, f.count, func(i int) (c checked) {
		var p *generator.Plan
		c.err = f.source.draw(i, func(conf generator.Config, _ *rand.Rand) (err error) {
			c.conf = conf
			if p, err = generator.Generate(conf); err != nil {
				return err
			}
			_, err = generator.WrapExec(p) // as every kind of container is wanted
			return err
		})
		if c.err == nil {
			c.stats, c.failures = checker.Check(c.conf, p)
		}
		return c
	}, func(i int, c checked) error {
		bar.at(i)
		if c.err != nil {
			return fmt.Errorf("seed %d: %w", f.source.seed(i), c.err)
		}
		total.Add(c.stats)
		if len(c.failures) == 0 {
			return nil
		}
		bar.clear()
		for _, bad := range c.failures {
			failures++
			if err := a.tellFailure(f, c.conf, bad); err != nil {
				return err
			}
		}
		if failures >= f.maxFailures {
			return errEnough
		}
		return nil
	})
	bar.clear()
	if err != nil && !errors.Is(err, errEnough) {
		return failed(err)
	}
	if failures > 0 {
		a.status = exitFindings
	}
	return failed(summary(a.stdout, total, failures, time.Since(begun)))
}

// maxInput is how many bytes of an input a failure is told with.
const maxInput = 4096

func (a *app) tellFailure(f *runFlags, conf generator.Config, bad selfcheck.Failure) error {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %s: %s\n", conf.Seed, bad.Check, bad.Detail)
	fmt.Fprintf(&b, "    again: sframe-fuzz run --seed %d%s\n", conf.Seed, f.source.arguments())
	recipe, err := json.Marshal(bad.Recipe)
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "    recipe: %s\n", recipe)
	if n := len(bad.Input); n > 0 && n <= maxInput {
		fmt.Fprintf(&b, "    input: %s\n", hex.EncodeToString(bad.Input))
	} else if n > 0 {
		fmt.Fprintf(&b, "    input: %d bytes\n", n)
	}
	_, err = io.WriteString(a.stdout, b.String())
	return err
}

// arguments are the flags that the command line gave.
func (s *source) arguments() string {
	var b strings.Builder
	if !s.swarm {
		b.WriteString(" --swarm=false")
	}
	for _, k := range s.set {
		fmt.Fprintf(&b, " --%s=%s", k.Name, k.Format(k.Get(&s.given)))
	}
	return b.String()
}

func summary(w io.Writer, s selfcheck.Stats, failures int, took time.Duration) error {
	_, err := fmt.Fprintf(w, "%d sections, %d files, %d breaks, %d damaged inputs: %d findings in %d bytes, %d failures; %.1f s, %.0f sections a second\n",
		s.Sections, s.Files, s.Breaks, s.Damaged, s.Findings, s.Bytes, failures,
		took.Seconds(), float64(s.Sections)/max(took.Seconds(), 1e-9))
	return err
}
