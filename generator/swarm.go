package generator

import (
	"math/rand/v2"

	"github.com/sframe-lint/sframe-lint/model"
)

// Swarm returns a random configuration of small sections. About half of the knobs keep their defaults. The others get
// a value in their range or at its end, which reaches rare corner cases.
func Swarm(rnd *rand.Rand) Config { return swarm(rnd, false) }

// SwarmWide is [Swarm] with what the manual allows but no known tool writes, and with values at the limits of all
// fields. A few sections are larger: 6 in 1,000 have some hundred functions or FREs; 1 in 5,000 comes from
// [SwarmLarge].
func SwarmWide(rnd *rand.Rand) Config {
	c := swarm(rnd, true)
	switch n := rnd.IntN(10_000); {
	case n < 40:
		c.Funcs, c.Rows, c.Long, c.FuncSize, c.Wide = 4, 254+int64(rnd.IntN(4)), 60, 1<<18, max(c.Wide, 50)
	case n < 60:
		c.Funcs, c.Rows, c.FuncSize = 254+int64(rnd.IntN(4)), 4, 64
	case n < 62:
		return SwarmLarge(rnd)
	case n < 67: // versions 1 and 2 count rows in 32 bits
		c.Version, c.Funcs, c.Rows, c.Long, c.FuncSize = 2, 4, 1<<16+int64(rnd.IntN(2)), 100, 1<<23
		c.Stubs, c.Shared, c.Wide = 0, 0, max(c.Wide, 80)
	}
	return c.agree()
}

// SwarmLarge is [SwarmWide] with large sections: a function with up to 65,535 rows, up to 100,000 functions, or a
// gap.
func SwarmLarge(rnd *rand.Rand) Config {
	c := swarm(rnd, true)
	// As often as not, the number is at the limit of 16 bits.
	number := func(limit, most int64) int64 {
		if rnd.IntN(2) == 0 {
			return limit + int64(rnd.IntN(2))
		}
		return 200 + rnd.Int64N(most-200)
	}
	switch rnd.IntN(4) {
	case 0, 1:
		c.Funcs, c.Rows, c.FuncSize, c.Gap, c.Distance, c.Around = number(65535, 100_000), 2, 64, 16, 1<<24, 0
		if rnd.IntN(4) == 0 {
			c.Funcs = 100_000
		}
	case 2: // version 3 counts rows in 16 bits
		c.Version, c.Funcs, c.Rows, c.Long, c.FuncSize = 3, 4, 65535-rnd.Int64N(2), 100, 1<<24
		c.Stubs, c.Shared, c.Wide = 0, 0, max(c.Wide, 50)
	default:
		c.FDEGap, c.FREGap = number(65534, 1<<20), rnd.Int64N(1<<10)
	}
	return c.agree()
}

// Narrow returns the configuration without values that only [SwarmWide] chooses.
func (c Config) Narrow() Config {
	for _, k := range knobs {
		if k.SpecWide {
			k.set(&c, k.Default)
		}
	}
	if c.Version.Info().NeedFlags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
		c.PCRel = true
	}
	return c
}

// findable are the knobs that make sections which a linter has something to say of.
var findable = []string{"sorted", "other-base", "registers", "rare", "stub-size", "stub-rows", "repeats", "fre-type", "word-size",
	"aux", "fde-gap", "fre-gap", "trailing"}

// Clean returns the configuration without gaps and without anything that a linter reports in sections of versions 2
// and 3.
func (c Config) Clean() Config {
	c = c.Narrow()
	for _, name := range findable {
		k := LookupKnob(name)
		k.set(&c, k.Default)
	}
	return c
}

func swarm(rnd *rand.Rand, wide bool) Config {
	c := Default()
	c.Seed = int64(rnd.Uint64())
	for _, k := range knobs {
		if k.Name != "seed" && (wide || !k.SpecWide) && (k.Kind == Choice || rnd.IntN(2) == 0) {
			k.set(&c, k.draw(rnd))
		}
	}
	if !wide {
		c = c.Narrow()
	}
	return c.agree()
}

// draw draws a value of the knob's corners.
func (k *Knob) draw(rnd *rand.Rand) int64 {
	lo, hi := k.Min, k.Max
	if k.Corners != [2]int64{} {
		lo, hi = k.Corners[0], k.Corners[1]
	}
	span := uint64(hi-lo) + 1
	switch {
	case k.Kind == Choice || k.Kind == Switch:
		return lo + int64(rnd.Uint64N(span))
	case rnd.IntN(8) == 0:
		return lo
	case rnd.IntN(8) == 0:
		return hi
	case k.Kind == Percent:
		return lo + int64(rnd.Uint64N(span))
	}
	// Each order of magnitude is as likely as the next.
	bits := 0
	for span>>bits > 1 {
		bits++
	}
	v := lo + int64(rnd.Uint64N(min(uint64(2)<<rnd.IntN(bits+1), span)))
	if lo < 0 && rnd.IntN(2) == 0 {
		v = -v
	}
	return min(max(v, lo), hi)
}

// agree changes knobs that contradict each other, so that they have a section.
func (c Config) agree() Config {
	v := c.Version
	if !model.LookupABI(c.ABI).InVersion(v) {
		c.Version = model.SFRAME_VERSION_2
	}
	// Sums of what a V1 or V2 start has to span: 1 GiB each at most.
	if v.Info().StartWidth == 4 {
		const far = 1<<31 - 1<<26
		c.Distance = min(max(c.Distance, -far), far)
	}
	if c.Distance < 0 {
		c.Addr = max(c.Addr, -c.Distance+1<<28)
	}
	return c
}
