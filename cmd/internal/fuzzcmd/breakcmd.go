package fuzzcmd

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// breakFlags are the flags of break.
type breakFlags struct {
	genFlags
	names  []string
	random int
	every  bool
	recipe string
	replay bool // make the recipes' files without more breaks
	list   bool
}

const breakLong = `Makes files with known faults, and a manifest with the findings that a linter must
report for each file. A break makes one fault; --list lists the breaks.

--break names the breaks, in order; otherwise they are chosen at random. They are made
in sections without other findings, as compilers write them. Otherwise, for example, a
consumer could fail because of a gap before the FDEs, and not because of the break.
--swarm makes the breaks in sections like those of gen --swarm.

--recipe makes them in the section of a recipe, after the recipe's own breaks. A recipe
is a JSON object as in manifests. If FILE has several recipes, or is a manifest, they
are used in turn. --recipe without --break, --every and --random makes the files of all
recipes again.`

const breakExample = `  sframe-fuzz break --list
  sframe-fuzz break --every --out faults
  sframe-fuzz break --random 3 --count 1000 --out faults
  sframe-fuzz break --recipe faults/manifest.json --out again
  sframe-fuzz break --break magic --container exec --set abi=s390x --out faults`

func (a *app) breakCommand() *cobra.Command {
	var f breakFlags
	c := &cobra.Command{
		Use: "break --out DIR [flags]", Short: "Make files with known faults", Long: breakLong, Example: breakExample,
		Args: program.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.list {
				return a.listBreaks()
			}
			if f.every && !c.Flags().Changed("count") {
				f.count = len(breaks.All())
			}
			if err := f.check(); err != nil {
				return err
			}
			fl := c.Flags()
			if fl.Changed("break") && len(f.names) == 0 {
				return errors.New("--break: no break given")
			}
			f.replay = f.recipe != "" && !fl.Changed("break") && !fl.Changed("random") && !f.every
			return a.breaks(&f, !fl.Changed("count"))
		},
	}
	f.flags(c, 1, false)
	f.source.clean = true
	f.container.flag(c, "", "container of the sections: raw, exec, shared, rel or archive\n(default: drawn)")
	fl := c.Flags()
	fl.StringSliceVar(&f.names, "break", nil, "make the breaks with these `NAMES`, separated by commas, in this order")
	fl.IntVar(&f.random, "random", 1, "make up to `N` random breaks in each file")
	fl.BoolVar(&f.every, "every", false, "make each break in turn; without --count, make a file for each break")
	fl.StringVar(&f.recipe, "recipe", "", "make the breaks in the sections of the recipes in `FILE`; without --break,\n--every and --random, make the files of the recipes again")
	fl.BoolVar(&f.list, "list", false, "list the breaks")
	c.MarkFlagsMutuallyExclusive("break", "random", "every")
	var names []string
	for _, b := range breaks.All() {
		names = append(names, b.Name+"\t"+b.Doc)
	}
	program.Values(c, "break", names...)
	return c
}

func (f *breakFlags) check() error {
	if err := f.genFlags.check(); err != nil {
		return err
	}
	for i, name := range f.names {
		if breaks.Lookup(name) == nil {
			return fmt.Errorf("--break: %w", lookup.Unknown("break", name, breakNames(), "--list lists them"))
		}
		if slices.Contains(f.names[:i], name) {
			return fmt.Errorf("--break: %s is given twice", name)
		}
	}
	switch {
	case f.random < 1:
		return errors.New("--random: must be at least 1")
	case f.recipe != "" && len(f.source.set) > 0:
		return errors.New("--set and --recipe: the recipe has its own knobs")
	case f.recipe != "" && f.container != "":
		return errors.New("--container and --recipe: the recipe has its own")
	}
	return nil
}

func breakNames() (names []string) {
	for _, b := range breaks.All() {
		names = append(names, b.Name)
	}
	return names
}

func (a *app) listBreaks() error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, b := range breaks.All() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", b.Name, b.Rule, b.Doc)
	}
	return program.Failed(w.Flush())
}

func (a *app) breaks(f *breakFlags, anyCount bool) error {
	program.TuneMemory(800, program.MakerMemory) // a file allocates little that lives long
	if f.recipe == "" {
		return a.write(&f.genFlags, nil, f.makeDrawn)
	}
	given, err := readRecipes(f.recipe)
	if err != nil {
		return program.Failed(err)
	}
	if anyCount {
		f.count = len(given)
	}
	return a.write(&f.genFlags, nil, func(i int) made { return f.makeGiven(i, i%len(given), given[i%len(given)]) })
}

// makeGiven makes the i-th file from the k-th recipe. If a break cannot be made
// there, the file is skipped, unless it is the only one.
func (f *breakFlags) makeGiven(i, k int, r breaks.Recipe) (m made) {
	rnd := rand.New(rand.NewPCG(uint64(f.source.seed(i)), 0x6272_6561_6b))
	m.entry, m.err = f.entry(i, r, rnd, false)
	if m.err != nil {
		m.err = fmt.Errorf("recipe %d: %w", k, m.err)
		if f.count > 1 && !f.replay {
			return made{skip: m.err.Error()}
		}
	}
	return m
}

// maxOdd is how often a section is drawn again because rules find something without
// the breaks, as they do for some knobs: in a swarm, the rules that must find the breaks.
const maxOdd = 50

// makeDrawn makes the i-th file from a section that is drawn.
func (f *breakFlags) makeDrawn(i int) (m made) {
	odd := 0
	err := f.source.draw(i, func(conf generator.Config, rnd *rand.Rand) (err error) {
		more := odd < maxOdd
		m.entry, err = f.entry(i, breaks.Recipe{Config: conf, Container: f.kind(rnd)}, rnd, more && f.source.plain())
		if err == nil && more && m.entry.mayFindAnyway() {
			err = errDoubtful
		}
		if errors.Is(err, errDoubtful) {
			odd++
		}
		return err
	})
	switch {
	case err == nil:
	case f.every && f.count > 1:
		all := breaks.All()
		return made{skip: all[i%len(all)].Name + ", which has no place"}
	default:
		m.err = fmt.Errorf("seed %d: %w", f.source.seed(i), err)
	}
	return m
}

// errDoubtful means that another section is needed.
var errDoubtful = errors.New("rules find something without the break")

// mayFindAnyway reports whether a rule that must find a break finds something without
// it.
func (e *entry) mayFindAnyway() bool {
	return slices.ContainsFunc(e.Expect, func(x expected) bool { return slices.Contains(e.Besides, x.Rule) })
}

func (f *breakFlags) kind(rnd *rand.Rand) breaks.Container {
	if f.container != "" {
		return breaks.Container(f.container)
	}
	all := breaks.Containers()
	return all[rnd.IntN(len(all))]
}

// entry makes the i-th file from a recipe, with more breaks. If only is set and rules find something in the file without
// breaks, it returns errDoubtful.
func (f *breakFlags) entry(i int, r breaks.Recipe, rnd *rand.Rand, only bool) (*entry, error) {
	healthy, err := r.Subject()
	if err != nil {
		return nil, err
	}
	s, err := r.Break(healthy)
	if err != nil {
		return nil, err
	}
	r.Breaks = append([]breaks.Step(nil), r.Breaks...)
	names := f.names
	if f.every {
		all := breaks.All()
		names = []string{all[i%len(all)].Name}
	}
	for _, name := range names {
		step := breaks.Step{Name: name, Seed: breaks.NewSeed(rnd)}
		if s, _, err = breaks.Lookup(name).Apply(s, step.Seed); err != nil {
			return nil, err
		}
		r.Breaks = append(r.Breaks, step)
	}
	if len(names) == 0 && !f.replay {
		var steps []breaks.Step
		if s, steps = breaks.Compose(s, f.random, rnd); len(steps) == 0 {
			return nil, errors.New("no break is applicable")
		}
		r.Breaks = append(r.Breaks, steps...)
	}
	clean := f.recipe == "" && f.source.drawsClean()
	switch {
	case !only:
		return newEntry(fileName(i), r.Config.Seed, r, s, besides(healthy, clean)), nil
	case !hasNoFindings(healthy): // it is a clean one
		return nil, errDoubtful
	}
	return newEntry(fileName(i), r.Config.Seed, r, s, nil), nil
}
