package minimize

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/generator/shrinking"
)

// Recipe makes a recipe simpler as long as keep holds for the file that it
// makes: breaks are left out, and knobs brought to their defaults or closer
// to them. It must hold for that of the recipe given.
func Recipe(r breaks.Recipe, keep func([]byte) bool) breaks.Recipe {
	try := func(c breaks.Recipe) bool {
		s, err := c.Replay()
		if err != nil || !keep(s.File()) {
			return false
		}
		r = c
		return true
	}
	for {
		fewer := shrinking.Reduce(len(r.Breaks), func(at, n int) bool {
			c := r
			c.Breaks = slices.Delete(slices.Clone(r.Breaks), at, at+n)
			return try(c)
		})
		if plainer := plainerKnobs(&r, try); !fewer && !plainer {
			return r
		}
	}
}

// plainerKnobs tries each knob at its default, then half the way there.
func plainerKnobs(r *breaks.Recipe, try func(breaks.Recipe) bool) (any bool) {
	for _, k := range generator.Knobs() {
		for was := k.Get(&r.Config); was != k.Default; was = k.Get(&r.Config) {
			c := *r
			if k.Put(&c.Config, k.Default) == nil && try(c) {
				any = true
				break
			}
			half := was + (k.Default-was)/2
			c = *r
			if k.Name == "seed" || half == was || k.Put(&c.Config, half) != nil || !try(c) {
				break
			}
			any = true
		}
	}
	return any
}
