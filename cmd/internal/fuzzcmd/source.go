package fuzzcmd

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// source makes configurations: with the knobs of the command line, and the
// others by default or, in a swarm, at random.
type source struct {
	given generator.Config
	set   []*generator.Knob
	swarm bool
	wide  bool // also what no tool writes
	clean bool // if swarm and wide are not set: draw sections without findings
}

// flags adds the flags of sections. The seed is that of the first section; each
// next one is higher by one.
func (s *source) flags(c *cobra.Command, swarm bool) {
	s.given = generator.Default()
	fl := c.Flags()
	fl.BoolVar(&s.swarm, "swarm", swarm, "choose each knob that is not set at random, for each section")
	fl.BoolVar(&s.wide, "spec-wide", false, "choose from all values that the manual allows, not only from those that tools write")
	fl.Int64Var(&s.given.Seed, "seed", s.given.Seed, "seed of the first section; each further section adds one")
	fl.Var(&knobFlag{s, false}, "set", "set a knob, as in --set funcs=3; 'sframe-fuzz knobs' lists them; may be repeated")
	program.Complete(c, "set", completeKnob)
	fl.Var(&knobFlag{s, true}, "knobs", "set the knobs from `FILE`, with lines as 'sframe-fuzz knobs' prints them")
}

// mostKnobs bounds a file of knobs, in bytes.
const mostKnobs = 1 << 20

// knobFlag sets a knob, or all of a file.
type knobFlag struct {
	*source
	file bool
}

func (f *knobFlag) String() string { return "" }

func (f *knobFlag) Type() string { return "NAME=VALUE" }

func (f *knobFlag) Set(text string) error {
	if !f.file {
		return f.apply(text)
	}
	b, err := regular.Read(text, mostKnobs)
	if err != nil {
		return err
	}
	if len(b) > mostKnobs {
		return fmt.Errorf("%s has more than %d bytes", text, mostKnobs)
	}
	for n, line := range strings.Split(string(b), "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			if err := f.apply(line); err != nil {
				return fmt.Errorf("line %d: %w", n+1, err)
			}
		}
	}
	return nil
}

func (s *source) apply(text string) error {
	k, err := s.given.Set(text)
	switch {
	case err != nil:
		return err
	case k.Name == "seed":
		return errors.New("seed: --seed sets it")
	}
	s.set = append(s.set, k)
	return nil
}

// settable returns the knobs that --set sets: all but the seed.
func settable() []*generator.Knob {
	return slices.DeleteFunc(generator.Knobs(), func(k *generator.Knob) bool { return k.Name == "seed" })
}

// completeKnob offers the names of knobs, and the values of one that has few.
func completeKnob(_ *cobra.Command, _ []string, typed string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
	name, _, valued := strings.Cut(typed, "=")
	for _, k := range settable() {
		switch {
		case !valued:
			all = append(all, cobra.CompletionWithDesc(k.Name+"=", k.Doc))
		case k.Name == name && (k.Kind == generator.Choice || k.Kind == generator.Switch):
			for v := k.Min; v <= k.Max; v++ {
				all = append(all, k.Name+"="+k.Format(v))
			}
		}
	}
	return all, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// drawsClean reports whether sections without findings are drawn, as far as the given knobs allow.
func (s *source) drawsClean() bool { return s.clean && !s.swarm && !s.wide }

// plain reports whether nothing but a break is to be found in a section: no knob is given.
func (s *source) plain() bool { return s.drawsClean() && len(s.set) == 0 }

// checkCount returns an error if there are not enough seeds for n sections.
func (s *source) checkCount(n int) error {
	switch {
	case n < 0:
		return errors.New("--count: must be at least 0")
	case s.given.Seed > math.MaxInt64-int64(n):
		return fmt.Errorf("--count: there are not so many seeds from %d on", s.given.Seed)
	}
	return nil
}

// seed returns the seed of the i-th section.
func (s *source) seed(i int) int64 { return s.given.Seed + int64(i) }

// draw returns the configuration of the i-th section. In a swarm, the other
// knobs are drawn again until the section is usable.
func (s *source) draw(i int, usable func(generator.Config, *rand.Rand) error) error {
	rnd := rand.New(rand.NewPCG(uint64(s.seed(i)), 0x7377_6172_6d))
	if !s.swarm && !s.wide && !s.clean {
		c := s.given
		c.Seed = s.seed(i)
		return usable(c, rnd)
	}
	var err error
	for range maxDraws {
		c := generator.Swarm(rnd)
		if s.wide {
			c = generator.SwarmWide(rnd)
		}
		if !s.swarm && !s.wide {
			c = c.Clean()
		}
		for _, k := range s.set {
			if err := k.Put(&c, k.Get(&s.given)); err != nil {
				return err
			}
		}
		c.Seed = s.seed(i)
		if err = usable(c, rnd); err == nil {
			return nil
		}
	}
	return fmt.Errorf("no usable section in %d draws of the other knobs: %w", maxDraws, err)
}

// maxDraws is how often knobs are drawn before the given ones are considered
// contradictory.
const maxDraws = 2000

// container is the flag --container.
type container string

func (k *container) flag(c *cobra.Command, def breaks.Container, usage string) {
	*k = container(def)
	program.Choice(c, c.Flags(), (*string)(k), "container", "container", usage, kindNames()...)
}

func kindNames() (names []string) {
	for _, k := range breaks.Containers() {
		names = append(names, string(k))
	}
	return names
}

// suffix returns the extension of a file.
func suffix(k breaks.Container) string {
	switch k {
	case breaks.Exec:
		return ".elf"
	case breaks.Shared:
		return ".so"
	case breaks.Rel:
		return ".o"
	case breaks.Archive:
		return ".a"
	}
	return ".sframe"
}

// allRules are the rules, without those about single consumers; sectionRules are those of them that do not follow
// the machine code.
var (
	allRules = sync.OnceValue(func() *rules.Driver {
		return &rules.Driver{Rules: slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool { return r.Family() == '8' })}
	})
	sectionRules = sync.OnceValue(func() *rules.Driver {
		return &rules.Driver{Rules: slices.DeleteFunc(slices.Clone(allRules().Rules), func(r *rules.Rule) bool {
			return slices.Contains(r.Requires, rules.CodeProofs)
		})}
	})
	runners = sync.Pool{New: func() any { return sectionRules().Runner() }}
)

// besides lists the rules that find something in a subject before it is broken, because of its knobs or its old
// version. The code of a clean one agrees with its section: it is not followed.
func besides(healthy *breaks.Subject, clean bool) []string {
	driver := allRules()
	if clean {
		driver = sectionRules()
	}
	found := map[string]bool{}
	_ = scan(healthy, func(o *reader.Object) {
		for _, f := range driver.Run(o).Findings {
			found[f.Rule.ID] = true
		}
	})
	return slices.Sorted(maps.Keys(found))
}

// hasNoFindings reports whether the rules that do not follow the machine code find nothing in a subject.
func hasNoFindings(s *breaks.Subject) bool {
	r := runners.Get().(*rules.Runner)
	defer runners.Put(r)
	n := 0
	err := scan(s, func(o *reader.Object) { n += len(r.Run(o).Findings) })
	return err == nil && n == 0
}

func scan(s *breaks.Subject, look func(*reader.Object)) error {
	opts := reader.Options{Raw: s.Kind() == breaks.Raw, RawAddress: s.Addr(), Limits: reader.Limits{reader.MaxSection: s.Limit(), reader.MaxMemory: s.Memory()}}
	return reader.ScanReader("generated", bytes.NewReader(s.File()), int64(len(s.File())), opts, func(o *reader.Object) error {
		look(o)
		return nil
	})
}
