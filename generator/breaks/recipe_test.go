package breaks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/testkit/breaktest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// TestEveryRuleHasABreak fails when a rule comes without one. The rules on
// consumers judge a section by another program's habits: what breaks them is
// no fault of the format.
func TestEveryRuleHasABreak(t *testing.T) {
	has := map[string]bool{}
	names := map[string]bool{}
	for _, b := range breaks.All() {
		has[b.Rule] = true
		require.False(t, names[b.Name], "two breaks %s", b.Name)
		names[b.Name] = true
		require.Same(t, b, breaks.Lookup(b.Name))
		require.True(t, strings.HasSuffix(b.Doc, "."), b.Name)
	}
	known := map[string]bool{}
	for _, r := range catalogue.Rules() {
		known[r.ID] = true
		if !strings.HasPrefix(r.ID, consumers) {
			assert.True(t, has[r.ID], "%s (%s) has no break", r.ID, r.Title)
		}
	}
	for _, b := range breaks.All() {
		for _, id := range append([]string{b.Rule}, b.Also...) {
			assert.True(t, known[id], "%s: there is no rule %s", b.Name, id)
		}
	}
}

// TestCompose: breaks that are applied one after the other all set off their
// rules, and nothing else is found but what they list.
func TestCompose(t *testing.T) {
	rnd := seeded("compose")
	n, pairs := 0, map[int]int{}
	for n < 40**cases {
		s, ok := random(rnd)
		if !ok {
			continue
		}
		broken, steps := breaks.Compose(s, 2+rnd.IntN(3), rnd)
		if len(steps) < 2 {
			continue
		}
		n++
		pairs[len(steps)]++
		wrong, _ := unmet(t, s, broken)
		require.Empty(t, wrong, "%v", steps)
	}
	t.Logf("subjects by the number of breaks: %v", pairs)
}

// TestImmutable: a break leaves the subject that it is given as it was, and
// the same seed breaks it in the same way.
func TestImmutable(t *testing.T) {
	rnd := seeded("immutable")
	for _, b := range breaks.All() {
		done := false
		for attempt := 0; !done && attempt < 2000; attempt++ {
			s, ok := random(rnd)
			if !ok {
				continue
			}
			file, plan := string(s.File()), s.Plan().String()
			seed := rnd.Uint64()
			broken, e, err := b.Apply(s, seed)
			_, _, other := b.Apply(s, 0)
			require.Equal(t, err == nil, other == nil, b.Name)
			require.Equal(t, file, string(s.File()), b.Name)
			require.Equal(t, plan, s.Plan().String(), b.Name)
			require.Empty(t, s.Breaks())
			if err != nil {
				continue
			}
			done = true
			again, f, err := b.Apply(s, seed)
			require.NoError(t, err)
			require.Equal(t, e, f)
			require.Equal(t, broken.File(), again.File(), b.Name)
			require.True(t, string(broken.File()) != file || broken.Limit()+broken.Memory() != 0, "%s changes nothing", b.Name)
			_, _, err = b.Apply(broken, 0)
			require.Error(t, err, "%s twice", b.Name)
		}
		require.True(t, done, b.Name)
	}
}

// TestRecipes: what JSON keeps of a recipe gives the same bytes and
// expectations.
func TestRecipes(t *testing.T) {
	rnd := seeded("recipes")
	for n := 0; n < 200; {
		r := breaks.Recipe{Config: generator.Swarm(rnd), Container: pick(rnd, breaks.Containers()...)}
		s, err := r.Subject()
		if err != nil {
			continue
		}
		n++
		var broken *breaks.Subject
		broken, r.Breaks = breaks.Compose(s, 3, rnd)
		text, err := json.Marshal(r)
		require.NoError(t, err)
		var back breaks.Recipe
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, r.Config, back.Config)
		again, err := back.Replay()
		require.NoError(t, err, string(text))
		require.Equal(t, broken.File(), again.File(), string(text))
		require.Equal(t, broken.Expectations(), again.Expectations())
		require.Equal(t, broken.Limit(), again.Limit())
		require.Equal(t, broken.Memory(), again.Memory())
	}
}

func TestRecipesThatAreNone(t *testing.T) {
	var r breaks.Recipe
	for text, want := range map[string]string{
		`{"container":"zip"}`:                          "unknown container",
		`{"container":"raw","knobs":{"colour":"red"}}`: "unknown knob",
		`{"container":"raw","knobs":{"abi":"vax"}}`:    "unknown abi",
		`{"container":"raw","knobs":{"rows":"0"}}`:     "rows",
		`{"container":1}`:                              "json",
	} {
		require.ErrorContains(t, json.Unmarshal([]byte(text), &r), want)
	}
	require.NoError(t, json.Unmarshal([]byte(`{"container":"raw","breaks":[{"name":"nonesuch"}]}`), &r))
	_, err := r.Replay()
	require.ErrorContains(t, err, "unknown break")
	require.NoError(t, json.Unmarshal([]byte(`{"container":"raw","breaks":[{"name":"no-segment"}]}`), &r))
	_, err = r.Replay()
	require.ErrorContains(t, err, "no place")
}

// TestMutations: no change of bytes makes the reader or a rule fail.
func TestMutations(t *testing.T) {
	rnd := seeded("mutations")
	for n := 0; n < 5**cases; n++ {
		s, ok := random(rnd)
		o, also := random(rnd)
		if !ok || !also {
			continue
		}
		for range 8 {
			m := fuzz.New(rnd.Uint64())
			m.Other = o.File()
			survives(t, rnd, m.Blind(s.File(), 1), s, strings.Join(m.Log(), ", "))
		}
		broken, _ := breaks.Compose(s, 3, rnd)
		if all := extremes(broken); len(all) > 0 {
			x := pick(rnd, all...)
			survives(t, rnd, x.file, broken, x.name)
		}
	}
}

// TestFieldExtremes sets every field of the header and the FDEs to the ends of
// its range.
func TestFieldExtremes(t *testing.T) {
	rnd := seeded("extremes")
	for n := 0; n < *cases; {
		s, ok := random(rnd)
		if !ok || len(s.Plan().Funcs) == 0 {
			continue
		}
		n++
		all := extremes(s)
		require.NotEmpty(t, all)
		for _, x := range all {
			survives(t, rnd, x.file, s, x.name)
		}
	}
}

// extreme is a file in which one field of the section is at an end of its range.
type extreme struct {
	name string
	file []byte
}

// extremes sets one field of the section's header or of an FDE at a time to 0,
// 1, the largest value, and the values on either side of the sign.
func extremes(s *breaks.Subject) (all []extreme) {
	section, _ := reader.DecodeSection(s.Section(), reader.SectionOptions{})
	if section == nil {
		return nil
	}
	add := func(name string, sp model.Span) {
		end := int64(bytes.Index(s.File(), s.Section())) + sp.End()
		if sp.Len == 0 || sp.End() > section.Size() || end > int64(len(s.File())) {
			return
		}
		top := uint64(math.MaxUint64) >> (64 - 8*sp.Len)
		for _, v := range []uint64{0, 1, top, top >> 1, top>>1 + 1} {
			file := bytes.Clone(s.File())
			for k := range sp.Len {
				at := end - 1 - k
				if !section.BigEndian() {
					at = end - sp.Len + k
				}
				file[at] = byte(v >> (8 * k))
			}
			all = append(all, extreme{fmt.Sprintf("%s = 0x%x", name, v), file})
		}
	}
	for f := range model.NumHeaderFields {
		add(f.String(), f.Span())
	}
	for i := range section.NumFDEs() {
		for f := model.FDEStart; f <= model.FDEPadding; f++ {
			add(fmt.Sprintf("FDE %d %s", i, model.FieldName(section.Version(), f)), section.FDE(i).FieldSpan(f))
		}
	}
	return all
}

func survives(t *testing.T, rnd *rand.Rand, b []byte, s *breaks.Subject, what string) {
	t.Helper()
	raw := s.Kind() == breaks.Raw && rnd.IntN(2) == 0
	require.NotPanics(t, func() {
		_, err := breaktest.Lint(driver, b, reader.Options{Raw: raw, RawAddress: s.Addr()})
		require.NoError(t, err, "%s of\n%s", what, s.Plan())
	})
}
