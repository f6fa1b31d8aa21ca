package breaks_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/testkit/breaktest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

var cases = flag.Int("cases", 20, "subjects that each break is tried on")

// consumers is the family of rules that say what single consumers make of a
// section. Some of them mind nearly every fault, others what is none.
const consumers = "SF8"

// lint runs all rules but those, the ones that must be asked for included.
func lint(t testing.TB, s *breaks.Subject) []rules.Finding {
	t.Helper()
	all, err := breaktest.Lint(driver, s.File(), breaktest.Reading(s))
	require.NoError(t, err)
	return slices.DeleteFunc(all, func(f rules.Finding) bool { return strings.HasPrefix(f.Rule.ID, consumers) })
}

var driver = &rules.Driver{Rules: catalogue.Rules()}

// random draws a valid subject: half of them from all corners of the knobs,
// half of them such that a linter has nothing to say.
func random(rnd *rand.Rand) (*breaks.Subject, bool) {
	c := generator.Swarm(rnd)
	if rnd.IntN(2) == 0 {
		d := generator.Default()
		d.Seed, d.Version, d.ABI, d.Distance = c.Seed, c.Version, c.ABI, pick[int64](rnd, 0x1000, -0x1000)
		c = d
	}
	p, err := generator.Generate(c)
	if err != nil {
		return nil, false
	}
	s, err := breaks.New(p, pick(rnd, breaks.Containers()...))
	return s, err == nil
}

func pick[T any](rnd *rand.Rand, from ...T) T { return from[rnd.IntN(len(from))] }

func seeded(name string) *rand.Rand {
	h := fnv.New64()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// unmet lists what the findings lack of what the breaks promise, or have besides.
func unmet(t testing.TB, s, broken *breaks.Subject) (wrong string, found int) {
	t.Helper()
	after := lint(t, broken)
	if wrong = breaktest.Unmet(lint(t, s), after, broken); wrong != "" {
		wrong = fmt.Sprintf("breaks %v of %s:%s\n%s", broken.Breaks(), s.Kind(), wrong, s.Plan())
	}
	return wrong, len(after)
}

// TestBreaks: every break sets off its rule at the bytes that it names, and
// whatever else is found was found before or is among what it lists.
func TestBreaks(t *testing.T) {
	tried, found := 0, 0
	for _, b := range breaks.All() {
		t.Run(b.Name, func(t *testing.T) {
			rnd := seeded(b.Name)
			n := 0
			kinds := map[breaks.Container]int{}
			versions := map[model.Version]int{}
			for attempt := 0; n < *cases && attempt < 100**cases; attempt++ {
				s, ok := random(rnd)
				if !ok {
					continue
				}
				broken, _, err := b.Apply(s, rnd.Uint64())
				if err != nil {
					continue
				}
				n++
				kinds[s.Kind()]++
				versions[s.Plan().Version]++
				wrong, all := unmet(t, s, broken)
				require.Empty(t, wrong)
				tried, found = tried+1, found+all
			}
			require.Positive(t, n, "never applicable")
			t.Logf("%d subjects: %v %v", n, kinds, versions)
		})
	}
	t.Logf("%d breaks, %d subjects, %d findings", len(breaks.All()), tried, found)
}
