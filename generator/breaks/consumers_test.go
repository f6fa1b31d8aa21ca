package breaks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/testkit/breaktest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// ofConsumers are breaks of other rules that the rules on consumers must
// speak of, once a consumer is selected that minds: they are about the same
// bytes, seen by one reader.
var ofConsumers = []struct {
	rule, consumer string
	version        model.Version
	kind           breaks.Container
	name           string
}{
	{"SF8001", "linux-user", model.SFRAME_VERSION_3, breaks.Exec, "aux"},
	{"SF8001", "linux-user", model.SFRAME_VERSION_3, breaks.Exec, "same-start"},
	{"SF8001", "linux-user", model.SFRAME_VERSION_3, breaks.Exec, "unmarked"},
	{"SF8002", "glibc-2.42", model.SFRAME_VERSION_2, breaks.Exec, "gap"},
	{"SF8002", "libsframe-2.47", model.SFRAME_VERSION_3, breaks.Exec, "gap"},
	{"SF8002", "gnu-ld-2.46", model.SFRAME_VERSION_3, breaks.Rel, "relocation-order"},
	{"SF8003", "linux-user", model.SFRAME_VERSION_3, breaks.Exec, "no-rep-size"},
	{"SF8003", "libsframe-2.47", model.SFRAME_VERSION_3, breaks.Exec, "fdes-beyond"},
	{"SF8004", "mold-3", model.SFRAME_VERSION_3, breaks.Rel, "old-version"},
}

// TestRulesOnConsumersHaveBreaks tries them: silent before, and not after.
func TestRulesOnConsumersHaveBreaks(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range ofConsumers {
		selected, err := catalogue.Consumers(c.consumer)
		require.NoError(t, err)
		d := &rules.Driver{Rules: selected}
		b := breaks.Lookup(c.name)
		require.NotNil(t, b, c.name)
		s := subjectFor(t, c.version, c.kind, b)
		assert.NotContains(t, idsOf(t, d, s), c.rule, "%s before %s", c.consumer, c.name)
		broken, _, err := b.Apply(s, 1)
		require.NoError(t, err)
		assert.Contains(t, idsOf(t, d, broken), c.rule, "%s after %s", c.consumer, c.name)
		seen[c.rule] = true
	}
	all, err := catalogue.Consumers("all")
	require.NoError(t, err)
	for _, r := range all {
		assert.True(t, seen[r.ID], "%s has no break", r.ID)
	}
}

// subjectFor draws a subject that the break can be applied to.
func subjectFor(t *testing.T, v model.Version, kind breaks.Container, b *breaks.Break) *breaks.Subject {
	t.Helper()
	for seed := range int64(200) {
		c := generator.Default()
		c.Version, c.ABI, c.Seed = v, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, seed
		p, err := generator.Generate(c)
		require.NoError(t, err)
		s, err := breaks.New(p, kind)
		require.NoError(t, err)
		if _, _, err := b.Apply(s, 0); err == nil {
			return s
		}
	}
	t.Fatalf("no subject for %s", b.Name)
	return nil
}

func idsOf(t *testing.T, d *rules.Driver, s *breaks.Subject) (ids []string) {
	t.Helper()
	all, err := breaktest.Lint(d, s.File(), breaktest.Reading(s))
	require.NoError(t, err)
	for _, f := range all {
		ids = append(ids, f.Rule.ID)
	}
	return ids
}
