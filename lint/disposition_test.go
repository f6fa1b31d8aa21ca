package lint

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/rules"
)

// TestDisposition: each finding is shown or has one reason why not; both lists keep the order.
func TestDisposition(t *testing.T) {
	rule, other := &rules.Rule{ID: "SF9901", Severity: rules.Error}, &rules.Rule{ID: "SF9902", Severity: rules.Error}
	cause := &rules.Correction{Cause: &rules.Cause{Text: "a cause"}}
	named := func(name string) rules.Finding {
		return rules.Finding{Rule: rule, Severity: rules.Error, Path: "a", Section: ".sframe", Function: name, FDE: -1, FRE: -1}
	}
	known := named("known")
	var b strings.Builder
	recorder := &Recorder{Reason: "later"}
	recorder.Add(&known)
	require.NoError(t, recorder.Write(&b))
	base := must.Get(ReadBaseline(strings.NewReader(b.String())))(t)
	o := Options{Show: rules.Warning, Baseline: base, Exceptions: []Exception{{Functions: []string{"exc*"}, Reason: "hand-written"}}}
	o.Limits[budget.Findings] = 5
	excused, quirk, minor, first, second := named("excused"), named("quirk"), named("minor"), named("first"), named("second")
	quirk.Severity, quirk.Quirk, minor.Severity = rules.Note, "ld", rules.Note
	first.Correction, second.Correction = cause, cause
	all := []rules.Finding{excused, minor, first, known, quirk, second, named("fifth"), named("beyond"), {Rule: other, Severity: rules.Error, FDE: -1, FRE: -1}}
	f := &File{Path: "a", Objects: []Object{{Input: Input{Path: "a"}, Findings: slices.Clone(all)}, {}}}
	r := must.Get(Replay(t.Context(), o, nil, slices.Values([]*File{f})))(t)
	for range r.Files() {
	}
	got := &f.Objects[0]
	assert.Equal(t, []rules.Finding{first, all[6], all[8]}, got.Findings)
	var why []string
	for _, x := range got.Omitted {
		why = append(why, x.Function+": "+x.Why.String()+": "+x.Reason)
	}
	assert.Equal(t, []string{"excused: exception: hand-written", "minor: severity: ", "known: baseline: later", "quirk: quirk: ", "second: cause: a cause"}, why)
	assert.Equal(t, map[string]int{"SF9901": 1}, got.Cut)
	assert.Equal(t, Tally{Shown: 3, ByException: 1, ByBaseline: 1, ByLimit: 1, ByQuirk: 1, BySeverity: 1, ByCause: 1}, got.Tally)
	assert.Equal(t, slices.Delete(slices.Delete(slices.Delete(slices.Clone(all), 7, 8), 3, 4), 0, 1), got.Counted())
	assert.Equal(t, []rules.Finding{first, second, all[6], all[8]}, got.Including(ByCause))
	s := r.Summary()
	assert.Equal(t, []int{4, 0, 2, 1, 2}, []int{s.Errors, s.Warnings, s.Notes, s.Cut, s.LessSevere()})
	assert.Empty(t, f.Objects[1].Omitted)
}
