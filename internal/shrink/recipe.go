package shrink

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
)

// Recipes removes breaks from recipes and moves knobs to or towards their
// defaults.
func Recipes(l *Loop[breaks.Recipe]) {
	runs(len(l.Value.Breaks), 1, func(at, n int) bool {
		c := l.Value
		c.Breaks = slices.Delete(slices.Clone(c.Breaks), at, at+n)
		return l.Try(c)
	})
	for _, k := range generator.Knobs() {
		for closer(l, k) {
		}
	}
}

// closer brings one knob closer to its default and reports whether that was
// accepted.
func closer(l *Loop[breaks.Recipe], k *generator.Knob) bool {
	return slices.ContainsFunc(k.Closer(k.Get(&l.Value.Config)), func(v int64) bool {
		c := l.Value
		return k.Put(&c.Config, v) == nil && l.Try(c)
	})
}
