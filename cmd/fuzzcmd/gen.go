package fuzzcmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// genFlags are the flags of what makes sections.
type genFlags struct {
	source    source
	count     int
	out       string
	container string
	jobs      jobs
}

func (f *genFlags) flags(c *cobra.Command, swarm bool) {
	fl := c.Flags()
	fl.IntVarP(&f.count, "count", "n", 1, "how many files to make")
	fl.StringVarP(&f.out, "out", "o", "", "directory for the files and their manifest (required)")
	f.containerFlag(c)
	f.jobs.flag(c)
	f.source.flags(c, swarm)
}

func (f *genFlags) containerFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.container, "container", "raw", "what the sections are put in: raw, exec, shared, rel or archive")
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
	if err := checkContainer(f.container); err != nil {
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
	f.flags(c, false)
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
		return failed(err)
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
		return failed(err)
	}
	return failed(out.close())
}

// make makes the i-th section and its file.
func (f *genFlags) make(i int) made {
	e, _, err := f.section(i)
	return made{e, err}
}

func (f *genFlags) section(i int) (*entry, *generator.Plan, error) {
	var data []byte
	c, p, err := f.source.config(i, func(p *generator.Plan) (err error) {
		data, err = wrap(f.container, p)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("seed %d: %w", f.source.seed(i), err)
	}
	e := &entry{data: data, row: row{
		File: fmt.Sprintf("%06d%s", i, suffix(f.container)), Container: f.container, Seed: c.Seed, Knobs: knobs(c),
	}}
	e.describe(p)
	return e, p, nil
}

// describe fills in what the plan tells.
func (e *entry) describe(p *generator.Plan) {
	fdes, fres := len(p.Funcs), p.NumFREs()
	e.Version, e.ABI, e.FDEs, e.FREs = int(p.Version), abiName(p.ABI), &fdes, &fres
	if e.Container == "raw" {
		e.Address = fmt.Sprintf("0x%x", p.Addr)
	}
	delete(e.Knobs, "seed")
}

// abiName is how the knob calls an ABI.
func abiName(abi model.ABI) string { return generator.LookupKnob("abi").Format(int64(abi)) }
