package lint

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Sections with the same name are listed by index, and what no finding explains is hidden.
func TestNotChecked(t *testing.T) {
	cause := rules.New(rules.Rule{ID: "SF9001", Title: "the cause", Severity: rules.Warning}, nil)
	held := func(section string, index int) rules.HeldBack {
		return rules.HeldBack{Rule: "SF9002", Absence: rules.Absence{Reason: "a gap is there", Causes: []string{"SF9001"}}, Section: section, SectionIndex: index}
	}
	o := &Object{
		HeldBack: []rules.HeldBack{held(".sframe", 3), held(".sframe", 7), held("other", 9)},
		Findings: []rules.Finding{{Rule: cause, Severity: rules.Warning, SectionIndex: 7}, {Rule: cause, Severity: rules.Note, SectionIndex: 9}},
	}
	all := o.NotChecked()
	var got []string
	for _, n := range all {
		got = append(got, n.Section)
	}
	assert.Equal(t, []string{".sframe (section 3)", ".sframe (section 7)", "other"}, got)
	assert.True(t, all[0].Hidden)
	assert.False(t, all[1].Hidden)
	assert.False(t, all[2].Hidden)
	assert.True(t, all[2].Accepted, "the finding is shown with a lower severity")
	assert.Equal(t, []rules.Severity{rules.Error, rules.Warning, rules.Note}, []rules.Severity{all[0].Severity(), all[1].Severity(), all[2].Severity()})
	assert.True(t, o.Hidden())
}

// Every fault of a container that ends reading is reported by a rule, or else by name.
func TestHiddenGaps(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range Rules() {
		ids[r.ID] = true
	}
	for code, id := range gapRules {
		assert.True(t, ids[id], code)
	}
	for _, path := range []string{"hand/archive-damaged.a", "hand/object-cut.o", "hand/thin-missing.a"} {
		_, sum := run(t, Options{}, corpus+path)
		cut := 0
		if path == "hand/archive-damaged.a" { // members that cannot be found count as a failure
			cut = 1
		}
		assert.Equal(t, cut, sum.Failed, path)
		assert.Zero(t, sum.Hidden, path)
		files, sum := run(t, Options{Ignore: []string{"SF502", "SF503"}}, corpus+path)
		assert.Equal(t, 1, sum.Hidden, path)
		last := &files[0].Objects[len(files[0].Objects)-1]
		assert.NotEmpty(t, last.HiddenGaps(), path)
		assert.True(t, last.Unread(), path)
	}
}

// Who accepts a finding accepts that rules do not run for its reason. The run says so.
func TestAccepted(t *testing.T) {
	const path = corpus + "hand/v3-amd64-concatenated.sframe"
	_, sum := run(t, Options{}, path)
	assert.Equal(t, [3]int{1, 0, 0}, [3]int{sum.Partly, sum.Accepted, sum.Hidden}, "the finding is shown")
	_, sum = run(t, Options{Select: []string{"SF3"}}, path)
	assert.Equal(t, [3]int{1, 0, 1}, [3]int{sum.Partly, sum.Accepted, sum.Hidden}, "nobody has named the rule")
	everything := []Exception{{Rules: []string{"SF1019"}, Reason: "known"}}
	for name, o := range map[string]Options{
		"ignored":  {Ignore: []string{"sf1019"}},
		"off":      {Severity: []Override{{ID: "SF1019", Level: rules.Off}}},
		"a note":   {Severity: []Override{{ID: "SF1019", Level: rules.Note}}},
		"excepted": {Exceptions: everything},
		"recorded": {Baseline: recorded(t, path)},
	} {
		files, sum := run(t, o, path)
		assert.Equal(t, [3]int{1, 1, 0}, [3]int{sum.Partly, sum.Accepted, sum.Hidden}, name)
		n := files[0].Objects[0].NotChecked()
		assert.True(t, n[0].Accepted && !n[0].Hidden, name)
	}
	_, sum = run(t, Options{Exceptions: everything}, path, corpus+"hand/v3-amd64-bad-version.sframe")
	assert.Equal(t, [3]int{2, 1, 0}, [3]int{sum.Partly, sum.Accepted, sum.Hidden}, "a reason in another file")
}

// recorded returns a baseline with all findings in a file.
func recorded(t *testing.T, path string) *Baseline {
	t.Helper()
	l := must.Get(New(Options{Record: true, Show: rules.Note}))(t)
	r := l.Run(context.Background(), path)
	for range r.Files() {
	}
	rec := must.Get(r.Recorded())(t)
	var b bytes.Buffer
	require.NoError(t, rec.Write(&b))
	known := must.Get(ReadBaseline(&b))(t)
	return known
}
