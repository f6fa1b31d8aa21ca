package lint

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

const corpus = "../corpus/files/"

// run checks paths and returns all results.
func run(t *testing.T, o Options, paths ...string) ([]*File, Summary) {
	t.Helper()
	l := must.Get(New(o))(t)
	r := l.Run(t.Context(), paths...)
	var files []*File
	for f := range r.Files() {
		files = append(files, f)
	}
	require.NoError(t, r.Err())
	return files, r.Summary()
}

// slow is a rule that takes its time, and calls back first.
func slow(d time.Duration, begun func()) *rules.Rule {
	return rules.New(rules.Rule{ID: "SF9900", Title: "slow", Severity: rules.Note, Scope: rules.PerObject}, func(*rules.Context) {
		begun()
		time.Sleep(d)
	})
}

// Results come in the order of the input, whatever takes how long.
func TestOrder(t *testing.T) {
	var paths []string
	for range 20 {
		paths = append(paths, corpus+"hand/v3-amd64-bad-version.sframe", corpus+"hand/v3-amd64.sframe", "missing", corpus+"lld-23/concatenated-v3.elf")
	}
	files, sum := run(t, Options{Jobs: 7}, paths...)
	require.Len(t, files, len(paths))
	for i, f := range files {
		assert.Equal(t, paths[i], f.Path)
		assert.True(t, f.Named)
		assert.Equal(t, paths[i] == "missing", f.Err != nil)
	}
	assert.Equal(t, 20, sum.Failed)
	assert.Equal(t, 80, sum.Files)
}

// The end of the context ends the walk and the scan of an archive.
func TestCancel(t *testing.T) {
	cause := errors.New("enough")
	for _, paths := range [][]string{{corpus}, {corpus + "mixed/archive.a"}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		calls := 0
		l, err := New(Options{Select: []string{"SF9900"}, Jobs: 1, Extra: []*rules.Rule{slow(0, func() {
			if calls++; calls == 2 {
				cancel(cause)
			}
		})}})
		require.NoError(t, err)
		r := l.Run(ctx, paths...)
		met := 0
		for range r.Files() {
			met++
		}
		require.ErrorIs(t, r.Err(), cause)
		assert.Equal(t, 2, calls)
		assert.LessOrEqual(t, met, 1)
		_, err = r.Recorded()
		assert.ErrorIs(t, err, ErrIncomplete)
	}
}

// A loop that ends early leaves no goroutine, and is no error.
func TestBreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which waits for all goroutines
		l := must.Get(New(Options{Select: []string{"SF1"}, Jobs: 3}))(t)
		r := l.Run(t.Context(), corpus+"hand")
		for range r.Files() {
			break
		}
		assert.NoError(t, r.Err())
		assert.Equal(t, 1, r.Summary().Files)
	})
}

func TestProgress(t *testing.T) {
	file := corpus + "hand/v3-amd64.sframe"
	synctest.Test(t, func(t *testing.T) {
		var met []int
		_, sum := run(t, Options{
			Select: []string{"SF9900"}, Jobs: 1, Extra: []*rules.Rule{slow(2500*time.Millisecond, func() {})},
			Progress: func(done int, path string) {
				assert.Equal(t, file, path)
				met = append(met, done)
			},
		}, file, file)
		assert.Equal(t, []int{0, 0, 1, 1}, met[:4])
		assert.Equal(t, 2, sum.Files)
	})
}

func TestTimeout(t *testing.T) {
	file := corpus + "mixed/archive.a"
	synctest.Test(t, func(t *testing.T) {
		files, sum := run(t, Options{
			Select: []string{"SF9900"}, Extra: []*rules.Rule{slow(time.Second, func() {})}, Limits: budget.Limits{budget.Time: int64(1500 * time.Millisecond)},
		}, file)
		var e *budget.Exceeded
		require.ErrorAs(t, files[0].Err, &e)
		assert.Equal(t, budget.Time, e.Kind)
		assert.Equal(t, "the time budget is exceeded (--limit timeout=1.5s)", files[0].Reason())
		assert.Len(t, files[0].Objects, 2, "what was checked in time, and that there is more")
		assert.Equal(t, 1, sum.Failed)
	})
}

func TestOptionErrors(t *testing.T) {
	for option, o := range map[string]Options{
		"select":   {Select: []string{"SF1", "SF77"}},
		"ignore":   {Ignore: []string{""}},
		"severity": {Severity: []Override{{ID: "X", Level: rules.Note}}},
		"consumer": {Consumers: []string{"nobody"}},
		"producer": {Producers: []string{"icc"}},
	} {
		_, err := New(o)
		var e *OptionError
		require.ErrorAs(t, err, &e)
		assert.Equal(t, option, e.Option)
		assert.True(t, strings.HasPrefix(err.Error(), option+": unknown "), err)
	}
}

// ownRule returns a rule of another module.
func ownRule(id string) *rules.Rule {
	return rules.New(rules.Rule{ID: id, Severity: rules.Error}, func(c *rules.Context) { c.At(model.HdrVersion.Span(), "seen") })
}

// What a caller passes for rules is checked, since a mistake could hide findings.
func TestWrongRules(t *testing.T) {
	for want, list := range map[string][]*rules.Rule{
		"rules: a rule is nil": {nil},
		`rules: rule "ACME1" has no analyzer: make it with rules.New`:                     {{ID: "ACME1"}},
		`rules: rule "ACME1" has no severity, so it would never run`:                      {rules.New(rules.Rule{ID: "ACME1"}, nil)},
		"rules: two rules have the identifier SF1003":                                     {ownRule("SF1003")},
		"rules: two rules have the identifier SF8001":                                     {ownRule("SF8001")},
		"rules: two rules have the identifier ACME1":                                      {ownRule("ACME1"), ownRule("ACME1")},
		`rules: rule identifier "" is empty, or has small letters, spaces or commas`:      {ownRule("")},
		`rules: rule identifier "acme1" is empty, or has small letters, spaces or commas`: {ownRule("acme1")},
	} {
		_, err := New(Options{Extra: list})
		assert.EqualError(t, err, want)
	}
}

// A rule of another module is run whatever its third character is: only SF8 is
// the family of rules on consumers.
func TestOwnRuleLikeConsumers(t *testing.T) {
	files, _ := run(t, Options{Extra: []*rules.Rule{ownRule("XY8001")}, Select: []string{"XY8001"}}, "../corpus/files/hand/v3-amd64.sframe")
	require.Len(t, files[0].Objects[0].Findings, 1)
	assert.Equal(t, "XY8001", files[0].Objects[0].Findings[0].Rule.ID)
}

func TestNoStdin(t *testing.T) {
	files, sum := run(t, Options{}, "-")
	assert.EqualError(t, files[0].Err, "no standard input is given")
	assert.Equal(t, 1, sum.Failed)
}

// A run with all options has them from a configuration as from Go.
// A named file that can have no SFrame data fails, and so does a directory without any other beside good files.
func TestForeign(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(path, []byte("text"), 0o600))
	_, sum := run(t, Options{}, path)
	assert.Equal(t, 1, sum.Failed)
	_, sum = run(t, Options{AllowEmpty: true}, path)
	assert.Zero(t, sum.Failed)
	_, sum = run(t, Options{}, filepath.Dir(path))
	assert.Zero(t, sum.Failed)
	assert.True(t, sum.Empty)
	good := "../corpus/files/binutils-2.47/amd64/program.elf"
	_, sum = run(t, Options{}, filepath.Dir(path), good)
	assert.Equal(t, 1, sum.Failed)
	assert.Equal(t, []string{filepath.Dir(path)}, sum.Barren)
	_, sum = run(t, Options{AllowEmpty: true}, filepath.Dir(path), good)
	assert.Zero(t, sum.Failed)
}

// TestHidden: a finding in one section does not give the reason of a gap in
// another one; a finding about the whole object does.
func TestHidden(t *testing.T) {
	rule := &rules.Rule{ID: "XX1", Severity: rules.Warning}
	at := func(section int, v rules.Severity) rules.Finding {
		return rules.Finding{Rule: rule, SectionIndex: section, Severity: v}
	}
	gap := rules.HeldBack{SectionIndex: 2, Absence: rules.Absence{Fact: rules.FPKnown, Causes: []string{"XX0", "XX1"}}}
	for want, all := range map[bool][]rules.Finding{
		false: {at(2, rules.Warning), at(2, rules.Error), at(0, rules.Warning), at(2, rules.Note), at(0, rules.Note)},
		true:  {at(1, rules.Error), at(1, rules.Note)},
	} {
		for _, f := range all {
			o := Object{Findings: []rules.Finding{f}, HeldBack: []rules.HeldBack{gap}}
			assert.Equal(t, want, o.Hidden(), "section %d, %v", f.SectionIndex, f.Severity)
		}
	}
}

// TestFilesOnce: a second iteration must not check and count everything again.
func TestFilesOnce(t *testing.T) {
	l := must.Get(New(Options{}))(t)
	run := l.Run(context.Background(), "../corpus/files/hand/v3-amd64-bad-version.sframe")
	for n := range 2 {
		files := 0
		for range run.Files() {
			files++
		}
		assert.Equal(t, 1-n, files)
	}
	assert.Equal(t, 1, run.Summary().Files)
}

// However many files are checked at once, one large section is held at a time.
func TestLargeSectionsOneByOne(t *testing.T) {
	data := must.Get(os.ReadFile(corpus + "hand/v3-amd64.sframe"))(t)
	var paths []string
	for i := range 12 {
		path := filepath.Join(t.TempDir(), strconv.Itoa(i))
		require.NoError(t, os.WriteFile(path, data, 0o600))
		require.NoError(t, os.Truncate(path, poolMemory+1))
		paths = append(paths, path)
	}
	var held, most atomic.Int64
	watch := rules.New(rules.Rule{ID: "SF9900", Title: "watch", Severity: rules.Note, Scope: rules.PerObject}, func(*rules.Context) {
		if n := held.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(time.Millisecond)
		held.Add(-1)
	})
	_, sum := run(t, Options{Jobs: 12, Extra: []*rules.Rule{watch}, Select: []string{"SF9900"}}, paths...)
	assert.Equal(t, 12, sum.Checked)
	assert.EqualValues(t, 1, most.Load())
}

// TestCoverage: results have the coverage where it is asked for, whether or not the rule runs.
func TestCoverage(t *testing.T) {
	const file = "../corpus/files/mixed/v3-and-v2-by-ld-2.47.elf"
	for _, x := range []struct {
		least    float64
		gaps     int
		selected []string
		want     bool
	}{{1, 10, nil, true}, {1, 0, nil, false}, {0, 10, nil, true}, {0, 10, []string{CoverageRule}, true}, {0, 0, nil, false}} {
		files, _ := run(t, Options{MinCoverage: x.least, Coverage: x.gaps, Select: x.selected}, file)
		c, ok := files[0].Objects[0].Coverage.(*coverage.File)
		require.Equal(t, x.want, ok, x)
		if ok {
			assert.Len(t, c.Gaps, 2)
			assert.EqualValues(t, 98, c.CoveredBytes)
		}
	}
}
