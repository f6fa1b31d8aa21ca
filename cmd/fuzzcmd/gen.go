package fuzzcmd

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
)

// genFlags are the flags of what makes sections.
type genFlags struct {
	source    source
	count     int
	out       string
	container container
	jobs      jobs
}

func (f *genFlags) flags(c *cobra.Command, count int, swarm bool) {
	fl := c.Flags()
	fl.IntVarP(&f.count, "count", "n", count, "how many files to make")
	fl.StringVarP(&f.out, "out", "o", "", "directory for the files and their manifest (required)")
	f.jobs.flag(c)
	f.source.flags(c, swarm)
}

// check completes the flags after parsing.
func (f *genFlags) check(c *cobra.Command) error {
	f.source.parsed(c.Flags())
	if f.count < 0 {
		return errors.New("--count: below 0")
	}
	if f.out == "" {
		return errors.New("--out: no directory is named")
	}
	if err := f.container.check(); err != nil {
		return err
	}
	return f.jobs.check()
}

const genLong = `Makes valid SFrame sections, each in a file of its own, and a manifest of them.

The knobs, from --abi to --word-size, say what the sections are like. With those of
the table the sections are small and as compilers make them; with --swarm, every
section has knobs of its own, save those that are given. The n-th section is drawn
from the seed --seed + n, so that it can be made again by itself.`

const genExample = `  sframe-fuzz gen --count 100 --out sections
  sframe-fuzz gen --abi s390x --version 2 --registers 50 --container exec --out s390x
  sframe-fuzz gen --swarm --seed 7 --count 1000 --out corners`

func (a *app) genCommand() *cobra.Command {
	var f genFlags
	c := &cobra.Command{
		Use: "gen --out DIR [flags]", Short: "Make valid sections", Long: genLong, Example: genExample,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			return a.gen(&f)
		},
	}
	f.flags(c, 1, false)
	f.container.flag(c, breaks.Raw, "what the sections are put in: raw, exec, shared, rel or archive")
	return c
}

// made is an entry or why there is none.
type made struct {
	*entry
	err error
}

func (a *app) gen(f *genFlags) error {
	// A contradiction among the knobs shows at the first section.
	if f.count > 0 {
		if first := f.make(0); first.err != nil {
			return first.err
		}
	}
	return a.write(f, f.make)
}

// write makes all entries and writes them.
func (a *app) write(f *genFlags, work func(i int) made) error {
	out, err := newOutput(f.out)
	if err != nil {
		return program.Failed(err)
	}
	bar := newProgress(a.stderr, f.count)
	defer bar.clear()
	err = inOrder(f.jobs, f.count, work, func(i int, m made) error {
		bar.at(i)
		if m.err != nil {
			return m.err
		}
		return out.add(m.entry)
	})
	if err != nil {
		return program.Failed(err)
	}
	return program.Failed(out.close())
}

// make makes the i-th section and its file.
func (f *genFlags) make(i int) (m made) {
	err := f.source.draw(i, func(c generator.Config, _ *rand.Rand) error {
		r := breaks.Recipe{Config: c, Container: breaks.Kind(f.container)}
		s, err := r.Subject()
		if err != nil {
			return err
		}
		m.entry = newEntry(fileName(i), c.Seed, r, s)
		return nil
	})
	if err != nil {
		m.err = fmt.Errorf("seed %d: %w", f.source.seed(i), err)
	}
	return m
}

func fileName(i int) string { return fmt.Sprintf("%06d", i) }
