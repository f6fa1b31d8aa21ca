package properties

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	sections "github.com/sframe-lint/sframe-lint/generator/gen"
	"github.com/sframe-lint/sframe-lint/internal/testkit/breaktest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var (
	cases = flag.Int("cases", 4000, "cases to try of each property")
	seed  = flag.Int64("seed", 1, "what the cases are drawn from; 0: the time")
)

// slow are the properties that are tried on fewer cases: one in so many.
var slow = map[string]int{
	"findings": 4, "container": 8, "without section headers": 10, "archive": 40, "breaks": 40, "damage": 100, "text": 5, "reading": 40, "large": 100,
}

// knobs narrow the sections that a property is tried on.
var knobs = map[string]func(*generator.Config){
	"version": func(c *generator.Config) { c.Version = max(c.Version, 2) },
	"breaks":  func(c *generator.Config) { *c = c.Narrow() },
	"look-up": func(c *generator.Config) { c.FuncSize = min(c.FuncSize, smallFunction) },
}

// TestProperties tries the properties on drawn sections. A counterexample is
// reported as small as gopter shrinks it.
func TestProperties(t *testing.T) {
	total := Stats{}
	for _, x := range All() {
		t.Run(x.Name, func(t *testing.T) {
			c := New()
			c.Dir, c.Thorough = t.TempDir(), true
			params := gopter.DefaultTestParametersWithSeed(*seed)
			if *seed == 0 {
				params = gopter.DefaultTestParameters()
			}
			params.MinSuccessfulTests = *cases / max(slow[x.Name], 1)
			if testing.Short() { // with the race detector, which takes ten times as long
				params.MinSuccessfulTests /= 10
			}
			params.MaxShrinkCount = 100000
			plans := sections.Plans()
			if narrow := knobs[x.Name]; narrow != nil {
				plans = sections.Plans(narrow)
			}
			all := gopter.NewProperties(params)
			all.Property(x.States, prop.ForAll(func(p *generator.Plan, seed int64) string {
				conf := generator.Default()
				conf.Seed = seed
				st, fs := c.Check(conf, p, []Property{x})
				total.Add(st)
				return details(fs)
			}, plans, gen.Int64()))
			all.TestingRun(t)
		})
	}
	assert.Positive(t, total.Damaged)
	assert.Positive(t, total.Breaks)
	assert.Positive(t, total.Findings)
	t.Logf("%+v", total)
}

// TestDocs checks that the page on fuzzing lists all properties.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../../docs/fuzzing.md")
	require.NoError(t, err)
	text := strings.ReplaceAll(string(page), "\n  ", " ") // the lines of an item
	for _, x := range All() {
		assert.True(t, strings.Contains(text, fmt.Sprintf("- **%s**: %s\n", x.Name, x.States)), x.Name)
	}
}

// details joins what has failed, "" for nothing.
func details(fs []Failure) string {
	var b strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&b, "%s: %s\n", f.Check, f.Detail)
	}
	return b.String()
}

// plan is a small valid section.
func plan(t *testing.T) (generator.Config, *generator.Plan) {
	t.Helper()
	conf := generator.Default()
	p, err := generator.Generate(conf)
	require.NoError(t, err)
	return conf, p
}

// checks lists what has failed.
func checks(fs []Failure) (names []string) {
	for _, f := range fs {
		names = append(names, f.Check)
	}
	return names
}

// TestFaultsAreSeen plants faults in sections.
func TestFaultsAreSeen(t *testing.T) {
	conf, p := plan(t)
	p.Funcs[1].Start = p.Funcs[0].Start // as if the generator were broken
	_, fs := New().Check(conf, p, All())
	require.Contains(t, checks(fs), "round trip")
	assert.Contains(t, checks(fs), "findings")
	assert.Contains(t, fs[0].Detail, "overlap")

	conf, p = plan(t)
	p.Version = 9
	_, fs = New().Check(conf, p, All())
	assert.Contains(t, checks(fs), "round trip")
}

// TestBrokenRulesAreSeen: an error where there is none, and a panic.
func TestBrokenRulesAreSeen(t *testing.T) {
	conf, p := plan(t)
	wrong := rules.New(rules.Rule{ID: "SF9001", Title: "wrong", Severity: rules.Error, Text: "Wrong."},
		func(c *rules.Context) { c.At(model.HdrFlags.Span(), "nothing is right") })
	_, fs := (&Checker{driver: &rules.Driver{Rules: []*rules.Rule{wrong}}}).Check(conf, p, All())
	assert.Equal(t, []string{"findings", "container"}, checks(fs)[:2])
	assert.Contains(t, fs[0].Detail, "SF9001 error FDE -1 FRE -1: nothing is right")
	assert.NotEmpty(t, fs[0].Input)

	panics := rules.New(rules.Rule{ID: "SF9002", Title: "panics", Severity: rules.Note, Text: "Panics."},
		func(*rules.Context) { panic("broken") })
	_, fs = (&Checker{driver: &rules.Driver{Rules: []*rules.Rule{panics}}}).Check(conf, p, All())
	require.NotEmpty(t, fs)
	assert.Contains(t, fs[0].Detail, "panic: broken")
}

// TestHostileSeesFaults: a rule that panics, and findings that lie outside of
// the section or file.
func TestHostileSeesFaults(t *testing.T) {
	_, p := plan(t)
	b, err := generator.Encode(p)
	require.NoError(t, err)
	assert.Empty(t, New().Hostile(b, p.Addr))
	for detail, run := range map[string]func(*rules.Context){
		"rule SF9001 failed": func(*rules.Context) { panic("broken") },
		"SF9001 at 0x0, ":    func(c *rules.Context) { c.At(model.Span{Len: int64(len(b)) + 1}, "too long") },
		"SF9001 at 0x10000":  func(c *rules.Context) { c.File(model.Span{Off: 1 << 16}, "too far") },
	} {
		rule := rules.New(rules.Rule{ID: "SF9001", Title: "wrong", Severity: rules.Note, Text: "Wrong."}, run)
		fs := (&Checker{driver: &rules.Driver{Rules: []*rules.Rule{rule}}}).Hostile(b, p.Addr)
		require.Len(t, fs, 1, detail)
		assert.Contains(t, fs[0].Detail, detail)
		assert.Equal(t, b, fs[0].Input)
	}
}

// TestBreaksThatAreNotFound: a rule that is not there, one that reports what
// nobody broke, and one that reports another place.
func TestBreaksThatAreNotFound(t *testing.T) {
	_, p := plan(t)
	s, err := breaks.New(p, breaks.Raw)
	require.NoError(t, err)
	broken, e, err := breaks.Lookup("flag").Apply(s, 1)
	require.NoError(t, err)
	rule := &rules.Rule{ID: e.Rule}
	right := rules.Finding{Rule: rule, Severity: rules.Error, InSection: e.InSection, Span: model.Span{Off: e.Off, Len: e.Len}, FileOffset: e.FileOff}
	assert.Empty(t, breaktest.Unmet(nil, []rules.Finding{right}, broken))
	assert.Contains(t, breaktest.Unmet(nil, nil, broken), "flag does not cause "+e.Rule)

	moved := right
	moved.Span.Len++
	assert.Contains(t, breaktest.Unmet(nil, []rules.Finding{moved}, broken), "does not cause")
	assert.Contains(t, breaktest.Unmet(nil, []rules.Finding{right, right}, broken), e.Rule+" error", "twice")

	other := rules.Finding{Rule: &rules.Rule{ID: "SF9009"}, Severity: rules.Note}
	assert.Contains(t, breaktest.Unmet(nil, []rules.Finding{right, other}, broken), "SF9009")
	assert.Empty(t, breaktest.Unmet([]rules.Finding{other}, []rules.Finding{right, other}, broken), "it was there before")
	assert.Contains(t, breaktest.Unmet([]rules.Finding{other}, []rules.Finding{right, other, other, other}, broken), "SF9009", "but not so often")

	conf, p := plan(t)
	failed := 0
	for conf.Seed = range int64(20) {
		_, fs := (&Checker{driver: &rules.Driver{}}).Check(conf, p, All())
		for _, f := range fs {
			assert.Equal(t, "breaks", f.Check)
			failed++
		}
	}
	assert.Equal(t, 20, failed, "without rules, no break is found")
}

func TestReplay(t *testing.T) {
	r := breaks.Recipe{Config: generator.Default(), Container: breaks.Exec, Breaks: []breaks.Step{{Name: "flag", Seed: 3}}}
	st, fs := New().Replay(r)
	assert.Empty(t, fs)
	assert.EqualValues(t, 1, st.Breaks)
	_, fs = (&Checker{driver: &rules.Driver{}}).Replay(r)
	require.Len(t, fs, 1)
	assert.Equal(t, r, fs[0].Recipe)
	r.Breaks[0].Name = "nonesuch"
	_, fs = New().Replay(r)
	assert.Contains(t, fs[0].Detail, "nonesuch")
	r.Config.Version = 9
	_, fs = New().Replay(r)
	assert.Contains(t, fs[0].Detail, "version")
}

func TestDiffer(t *testing.T) {
	_, p := plan(t)
	assert.Empty(t, differ(p, p.Clone()))
	for _, change := range []func(*generator.Plan){
		func(q *generator.Plan) { q.FixedRA++ },
		func(q *generator.Plan) { q.Funcs = q.Funcs[1:] },
		func(q *generator.Plan) { q.Funcs[2].Size++ },
		func(q *generator.Plan) { q.Funcs[1].Place++ },
		func(q *generator.Plan) { q.Funcs[1].Unknown = true },
		func(q *generator.Plan) { q.Funcs[0].Rows[0].Rules.CFA.Offset++ },
		func(q *generator.Plan) { q.Funcs[0].Rows[0].Mangled = true },
	} {
		q := p.Clone()
		change(q)
		assert.NotEmpty(t, differ(p, q))
	}
}

// TestRegressions replays recipes that were once judged wrongly, named after
// what they have shown; without breaks, all properties must hold. If their breaks cannot be made together any more, the
// last one must be refused.
func TestRegressions(t *testing.T) {
	pack, err := txtar.ParseFile("testdata/regressions.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, pack.Files)
	for _, file := range pack.Files {
		t.Run(file.Name, func(t *testing.T) {
			var r breaks.Recipe
			require.NoError(t, json.Unmarshal(file.Data, &r))
			_, fs := New().Replay(r)
			if len(r.Breaks) == 0 {
				p, err := generator.Generate(r.Config)
				require.NoError(t, err)
				_, fs = New().Check(r.Config, p, All())
			}
			for _, f := range fs {
				if !strings.HasSuffix(f.Detail, ": there is no place for it") {
					t.Errorf("%s: %s", f.Check, f.Detail)
				}
			}
		})
	}
}
