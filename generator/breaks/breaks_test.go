package breaks_test

import (
	"bytes"
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
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
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
	all, wrong := lintBytes(s.File(), reader.Options{Raw: s.Kind() == breaks.Raw, RawAddress: s.Addr(), Limits: reader.Limits{reader.MaxSection: s.Limit(), reader.MaxMemory: s.Memory()}})
	require.Empty(t, wrong)
	return slices.DeleteFunc(all, func(f rules.Finding) bool { return strings.HasPrefix(f.Rule.ID, consumers) })
}

func lintBytes(b []byte, opts reader.Options) (all []rules.Finding, wrong string) {
	d := &rules.Driver{Rules: catalogue.Rules()}
	err := reader.ScanReader("generated", bytes.NewReader(b), int64(len(b)), opts, func(o *reader.Object) error {
		r := d.Run(o)
		for _, f := range r.Failures {
			wrong = fmt.Sprintf("rule %s failed: %s", f.Rule, f.Reason)
		}
		all = append(all, r.Findings...)
		return nil
	})
	if err != nil {
		wrong = err.Error()
	}
	return all, wrong
}

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

// where writes down the place of a finding.
func where(rule string, inSection bool, off, n, fileOff int64) string {
	return fmt.Sprintf("%s in section: %v, 0x%x+%d (0x%x of the file)", rule, inSection, off, n, fileOff)
}

func places(all []rules.Finding) []string {
	var out []string
	for _, f := range all {
		out = append(out, where(f.Rule.ID, f.InSection, f.Span.Off, f.Span.Len, f.FileOffset))
	}
	return out
}

// unmet lists what the findings lack of what the breaks promise, or have
// besides.
func unmet(before, after []rules.Finding, s *breaks.Subject) string {
	var b strings.Builder
	got := places(after)
	known := map[string]bool{}
	for _, f := range before {
		known[f.Rule.ID] = true
	}
	for _, e := range s.Expectations() {
		want := where(e.Rule, e.InSection, e.Off, e.Len, e.FileOff)
		k := slices.Index(got, want)
		if k < 0 {
			fmt.Fprintf(&b, "%s: lacks %s\n", e.Break, want)
		} else {
			got[k] = ""
		}
		for _, id := range e.Also {
			known[id] = true
		}
	}
	for k, g := range got {
		if g != "" && !known[after[k].Rule.ID] {
			fmt.Fprintf(&b, "besides %s: %s\n", g, after[k].Message)
		}
	}
	if b.Len() > 0 {
		fmt.Fprintf(&b, "breaks %v of %s\n", s.Breaks(), s.Kind())
		for _, f := range before {
			fmt.Fprintf(&b, "before: %s\n", places([]rules.Finding{f})[0])
		}
		for k, f := range after {
			fmt.Fprintf(&b, "after: %s: %s\n", places(after)[k], f.Message)
		}
		b.WriteString(s.Plan().String())
	}
	return b.String()
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
				after := lint(t, broken)
				require.Empty(t, unmet(lint(t, s), after, broken))
				tried, found = tried+1, found+len(after)
			}
			require.Positive(t, n, "never applicable")
			t.Logf("%d subjects: %v %v", n, kinds, versions)
		})
	}
	t.Logf("%d breaks, %d subjects, %d findings", len(breaks.All()), tried, found)
}
