package fuzzcmd

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/cmd/internal/properties"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/program"
)

// selfCheckFlags are the flags of the self-check.
type selfCheckFlags struct {
	source      source
	count       int
	maxFailures int
	recipe      string
	list        bool
	jobs        jobs
}

const selfCheckLong = `Makes valid sections of all kinds and checks that the generator, the reader and the
rules agree on them. --list lists the properties that it checks.

Every failure is reported with the flags that reproduce it, and with a recipe. With
--recipe, the breaks of the recipes in a file are checked instead.`

const selfCheckExample = `  sframe-fuzz selfcheck --count 1000000
  sframe-fuzz selfcheck --seed 815
  sframe-fuzz selfcheck --recipe failed.json`

func (a *app) selfCheckCommand() *cobra.Command {
	var f selfCheckFlags
	c := &cobra.Command{
		Use: "selfcheck [flags]", Short: "Check generator, reader and rules against each other", Long: selfCheckLong, Example: selfCheckExample,
		Args: program.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.list {
				return a.listProperties()
			}
			f.source.parsed(c.Flags())
			if f.maxFailures < 1 {
				return errors.New("--max-failures: must be at least 1")
			}
			if err := errors.Join(f.source.checkCount(f.count), f.jobs.check()); err != nil {
				return err
			}
			return a.selfCheck(&f)
		},
	}
	fl := c.Flags()
	fl.IntVarP(&f.count, "count", "n", 1, "how many sections to check")
	fl.IntVar(&f.maxFailures, "max-failures", 10, "stop after the section with the `N`th failure")
	fl.StringVar(&f.recipe, "recipe", "", "check the recipes in `FILE` instead")
	fl.BoolVar(&f.list, "list", false, "list the properties that are checked")
	f.jobs.flag(c)
	f.source.flags(c, true)
	c.MarkFlagsMutuallyExclusive("recipe", "count")
	c.MarkFlagsMutuallyExclusive("recipe", "seed")
	return c
}

func (a *app) listProperties() error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, x := range properties.All() {
		fmt.Fprintf(w, "%s\t%s\n", x.Name, x.States)
	}
	return program.Failed(w.Flush())
}

// checked is the result of a section's check.
type checked struct {
	again    string // the flags that reproduce it
	stats    properties.Stats
	failures []properties.Failure
	err      error
}

// errEnough ends a run.
var errEnough = errors.New("enough failures")

func (a *app) selfCheck(f *selfCheckFlags) error {
	program.TuneMemory(800, program.MakerMemory) // a section allocates little that lives long
	dir, err := os.MkdirTemp("", "sframe-fuzz-")
	if err != nil {
		return program.Failed(err)
	}
	defer os.RemoveAll(dir)
	c := &selfCheck{app: a, flags: f, checker: properties.New(), begun: time.Now()}
	c.checker.Dir = dir
	work, n := c.section, f.count
	if f.recipe != "" {
		all, err := readRecipes(f.recipe)
		if err != nil {
			return program.Failed(err)
		}
		n = len(all)
		work = func(i int) (r checked) {
			r.stats, r.failures = c.checker.Replay(all[i])
			return r
		}
	}
	c.bar = newProgress(a.stderr, n)
	ctx, stop := program.UntilInterrupted()
	defer stop()
	err = inOrder(ctx, f.jobs, n, work, c.take)
	c.bar.Clear()
	if errors.Is(err, errEnough) {
		err = nil
	}
	if c.failures > 0 {
		a.status = program.ExitFindings
	}
	return program.Failed(errors.Join(err, c.summary()))
}

// selfCheck is a run of the self-check.
type selfCheck struct {
	*app
	flags    *selfCheckFlags
	checker  *properties.Checker
	bar      *progress
	begun    time.Time
	total    properties.Stats
	failures int
}

// section makes and checks the i-th section.
func (c *selfCheck) section(i int) (r checked) {
	var p *generator.Plan
	var conf generator.Config
	r.err = c.flags.source.draw(i, func(drawn generator.Config, _ *rand.Rand) (err error) {
		conf = drawn
		if p, err = generator.Generate(conf); err != nil {
			return err
		}
		_, err = generator.WrapExec(p) // every kind of container is needed
		return err
	})
	if r.err == nil {
		r.again = fmt.Sprintf("--seed %d%s", conf.Seed, c.flags.source.arguments())
		r.stats, r.failures = c.checker.Check(conf, p, properties.All())
	}
	return r
}

// take counts and reports the result of a section.
func (c *selfCheck) take(i int, r checked) error {
	c.bar.at(i)
	if r.err != nil {
		return fmt.Errorf("seed %d: %w", c.flags.source.seed(i), r.err)
	}
	c.total.Add(r.stats)
	for _, bad := range r.failures {
		c.bar.Clear()
		c.failures++
		if err := c.report(r.again, bad); err != nil {
			return err
		}
	}
	if c.failures >= c.flags.maxFailures {
		return errEnough
	}
	return nil
}

// maxInput bounds the size of inputs that are printed with failures.
const maxInput = 4096

func (c *selfCheck) report(again string, bad properties.Failure) error {
	recipe, err := json.Marshal(bad.Recipe)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", bad.Check, bad.Detail)
	if again != "" {
		fmt.Fprintf(&b, "    reproduce: sframe-fuzz selfcheck %s\n", again)
	}
	fmt.Fprintf(&b, "    recipe: %s\n", recipe)
	if n := len(bad.Input); n > 0 && n <= maxInput {
		fmt.Fprintf(&b, "    input: %s\n", hex.EncodeToString(bad.Input))
	} else if n > 0 {
		fmt.Fprintf(&b, "    input: %d bytes\n", n)
	}
	_, err = io.WriteString(c.stdout, b.String())
	return err
}

// arguments returns the flags of the command line.
func (s *source) arguments() string {
	var b strings.Builder
	if !s.swarm {
		b.WriteString(" --swarm=false")
	}
	if s.wide {
		b.WriteString(" --spec-wide")
	}
	for _, k := range s.set {
		fmt.Fprintf(&b, " --%s=%s", k.Name, k.Format(k.Get(&s.given)))
	}
	return b.String()
}

func (c *selfCheck) summary() error {
	s, took := c.total, time.Since(c.begun).Seconds()
	_, err := fmt.Fprintf(c.stdout, "%d sections, %d files, %d breaks, %d damaged inputs: %d findings in %d bytes, %d failures; %.1f s, %.0f sections a second\n",
		s.Sections, s.Files, s.Breaks, s.Damaged, s.Findings, s.Bytes, c.failures, took, float64(s.Sections)/max(took, 1e-9))
	return err
}
