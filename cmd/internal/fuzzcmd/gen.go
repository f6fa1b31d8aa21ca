package fuzzcmd

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// genFlags are the flags of the commands that make sections.
type genFlags struct {
	source    source
	count     int
	out       string
	container container
	jobs      jobs
}

func (f *genFlags) flags(c *cobra.Command, count int, swarm bool) {
	fl := c.Flags()
	fl.IntVarP(&f.count, "count", "n", count, "make `N` files")
	fl.StringVarP(&f.out, "out", "o", "", "write the files and their manifest to `DIR` (required)")
	f.jobs.flag(c)
	f.source.flags(c, swarm)
}

// check completes the flags after parsing.
func (f *genFlags) check() error {
	if err := f.source.checkCount(f.count); err != nil {
		return err
	}
	if f.out == "" {
		return errors.New("--out: no directory given")
	}
	return f.jobs.check()
}

const genLong = `Makes valid SFrame sections, each in its own file, and a manifest of them.

The knobs describe the sections. With the defaults, sections are small, like those of a
compiler. With --swarm, the knobs that are not given are chosen at random for each
section. With --spec-wide, they are chosen from everything that the manual allows, up to
the limits of every field. The section at index n has the seed --seed + n, which makes
it again.`

const genExample = `  sframe-fuzz gen --count 100 --out sections
  sframe-fuzz gen --set abi=s390x --set version=2 --set registers=50 --container exec --out s390x
  sframe-fuzz gen --swarm --seed 7 --count 1000 --out corners
  sframe-fuzz gen --spec-wide --count 1000 --out wide`

func (a *app) genCommand() *cobra.Command {
	var f genFlags
	c := &cobra.Command{
		Use: "gen --out DIR [flags]", Short: "Make valid sections", Long: genLong, Example: genExample,
		Args: program.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return a.write(&f, nil, f.make)
		},
	}
	f.flags(c, 1, false)
	f.container.flag(c, breaks.Raw, "container of the sections: raw, exec, shared, rel or archive")
	return c
}

// made is an entry, or the reason why there is none.
type made struct {
	*entry
	skip string // why there is no entry, if that is not an error
	err  error
}

// write writes the given other files and all entries. It makes the first entry
// before it writes anything, as contradictory flags are found only then.
func (a *app) write(f *genFlags, others map[string][]byte, work func(i int) made) error {
	ctx, stop := program.UntilInterrupted()
	defer stop()
	var first result[made]
	if f.count > 0 {
		if first = guard(0, work); first.err != nil {
			return program.Failed(first.err)
		} else if first.value.err != nil {
			return first.value.err
		}
	}
	out, err := newOutput(f.out)
	if err != nil {
		return program.Failed(fmt.Errorf("--out: %w", err))
	}
	for name, data := range others {
		if err := out.write(name, data); err != nil {
			return program.Failed(err)
		}
	}
	bar := newProgress(a.stderr, f.count)
	var skipped []string
	err = inOrder(ctx, f.jobs, f.count, func(i int) made {
		if i == 0 {
			return first.value
		}
		return work(i)
	}, func(i int, m made) error {
		bar.show(i)
		switch {
		case m.err != nil:
			return m.err
		case m.skip != "":
			skipped = append(skipped, m.skip)
			return nil
		}
		return out.add(m.entry)
	})
	bar.Clear()
	if len(skipped) > 0 {
		program.PrintLine(a.stderr, name, "skipped: %s", strings.Join(skipped, "; "))
	}
	// The manifest lists the files made, even after an error.
	return program.Failed(errors.Join(err, out.close()))
}

// make makes the i-th section and its file.
func (f *genFlags) make(i int) (m made) {
	err := f.source.draw(i, func(c generator.Config, _ *rand.Rand) error {
		r := breaks.Recipe{Config: c, Container: breaks.Container(f.container)}
		s, err := r.Subject()
		if err != nil {
			return err
		}
		m.entry = newEntry(fileName(i), c.Seed, r, s, besides(s, false))
		return nil
	})
	if err != nil {
		m.err = fmt.Errorf("seed %d: %w", f.source.seed(i), err)
	}
	return m
}

func fileName(i int) string { return fmt.Sprintf("%06d", i) }

// knobsCommand lists the knobs as --knobs reads them.
func (a *app) knobsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "knobs [NAME...]", Short: "List the knobs of sections, with ranges and defaults",
		Long: `Lists the knobs that --set takes, or only the named ones: the meaning, the range, and a
line with the default. The output is a file for --knobs: change the lines that you need.`,
		Example: `  sframe-fuzz knobs funcs rows
  sframe-fuzz knobs > kernel.knobs`,
		RunE: func(_ *cobra.Command, args []string) error {
			var b strings.Builder
			var names []string
			for _, k := range settable() {
				if names = append(names, k.Name); len(args) == 0 || slices.Contains(args, k.Name) {
					fmt.Fprintf(&b, "# %s Range: %s.\n%s=%s\n", k.Doc, k.Range(), k.Name, k.Format(k.Default))
				}
			}
			for _, name := range args {
				if !slices.Contains(names, name) {
					return lookup.Unknown("knob", name, names, "")
				}
			}
			_, err := io.WriteString(a.stdout, b.String())
			return err
		},
	}
}
