package breaks

import (
	"math/rand/v2"
	"slices"
)

func (k Kind) known() bool { return slices.Contains(Kinds(), k) }

// Compose draws up to n breaks that can all be made in a subject, one after
// the other, and returns the steps to replay them with what they made of it.
// There are fewer steps where nothing more is applicable.
func Compose(s *Subject, n int, rnd *rand.Rand) (*Subject, []Step) {
	var steps []Step
	order := rnd.Perm(len(registry))
	for _, k := range order {
		if len(steps) == n {
			break
		}
		step := Step{registry[k].Name, NewSeed(rnd)}
		if broken, _, err := registry[k].Apply(s, step.Seed); err == nil {
			s, steps = broken, append(steps, step)
		}
	}
	return s, steps
}
