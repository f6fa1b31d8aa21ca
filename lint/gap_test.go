package lint

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/reader"
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
	assert.True(t, all[2].Hidden, "the finding is shown with a lower severity")
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
		assert.Zero(t, sum.Failed, path)
		assert.Zero(t, sum.Hidden, path)
		files, sum := run(t, Options{Ignore: []string{"SF502", "SF503"}}, corpus+path)
		assert.Equal(t, 1, sum.Hidden, path)
		last := &files[0].Objects[len(files[0].Objects)-1]
		assert.NotEmpty(t, last.HiddenGaps(), path)
		assert.True(t, last.Unread(), path)
	}
	o := &Object{Input: Input{Status: reader.StatusNotRead}, Gaps: gapsOf(&reader.Object{Status: reader.StatusNotRead, Detail: "deep"})}
	assert.Equal(t, []Gap{{Reason: "deep"}}, o.HiddenGaps())
	assert.True(t, o.Unread())
}
