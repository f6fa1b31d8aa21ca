package fuzzcmd

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
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

// flags adds the flags of the knobs. The seed is that of the first section; each
// next one is higher by one.
func (s *source) flags(c *cobra.Command, swarm bool) {
	s.given = generator.Default()
	fl := c.Flags()
	fl.BoolVar(&s.swarm, "swarm", swarm, "choose the knobs that are not given at random for each section")
	fl.BoolVar(&s.wide, "spec-wide", false, "choose them from everything that the manual allows, not only from what tools write")
	program.Group(c, "Flags")
	s.given.Flags(fl)
	program.Group(c, "Knobs of the sections")
}

// drawsClean reports whether sections without findings are drawn, as far as the given knobs allow.
func (s *source) drawsClean() bool { return s.clean && !s.swarm && !s.wide }

// plain reports whether nothing but a break is to be found in a section: no knob is given.
func (s *source) plain() bool { return s.drawsClean() && len(s.set) == 0 }

// parsed stores which knobs are on the command line.
func (s *source) parsed(fl *pflag.FlagSet) {
	for _, k := range generator.Knobs() {
		if k.Name != "seed" && fl.Changed(k.Name) {
			s.set = append(s.set, k)
		}
	}
}

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
