package generator

import (
	"math/rand/v2"

	"github.com/sframe-lint/sframe-lint/model"
)

// Swarm draws a configuration: about half of the knobs keep their defaults, the
// others get an end of their range or anything in it. Sections stay small, and
// each configuration reaches corners that draws of all knobs at once would
// hardly reach.
func Swarm(rnd *rand.Rand) Config {
	c := Default()
	c.Seed = int64(rnd.Uint64())
	for _, k := range knobs {
		if k.Name != "seed" && (k.Kind == Choice || rnd.IntN(2) == 0) {
			*k.field(&c) = k.draw(rnd)
		}
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
	v := model.Version(c.Version)
	if !model.LookupABI(model.ABI(c.ABI)).InVersion(v) {
		c.Version = int64(model.SFRAME_VERSION_2)
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
