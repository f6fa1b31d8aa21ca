package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// verbs are what remedies begin with: a remedy is something to do.
var verbs = strings.Fields(`Add Align Apply Assemble Avoid Build Check Choose Clear Compare Compile Compress Correct Declare Describe Find
Give Keep Lay Leave Let Link Look Make Put Relocate Remove Run Save Set Sort Split Start Use Write`)

// Each rule has a remedy, and each finding names it or a better one.
func TestEveryRuleHasARemedy(t *testing.T) {
	for _, r := range catalogue.All(catalogue.Settings{}) {
		first, _, _ := strings.Cut(r.Fix, " ")
		assert.Contains(t, verbs, first, "%s: %s", r.ID, r.Fix)
		assert.NotContains(t, r.Remedy(), "`", r.ID)
		assert.NotContains(t, r.Remedy(), "\n", r.ID)
		example := clauses.ExampleOf(r.ID)
		if !assert.NotNil(t, example, r.ID) {
			continue
		}
		for line := range strings.Lines(example.Output) {
			message, help, found := strings.Cut(line, "; help: ")
			assert.True(t, found && len(help) > len("x ["+r.ID+"]\n"), line)
			// The message has no remedy of its own.
			_, why := rules.Consequence(message)
			for _, clause := range strings.Split(why, "; ") {
				first, _, _ := strings.Cut(clause, " ")
				assert.False(t, slices.ContainsFunc(verbs, func(v string) bool { return strings.ToLower(v) == first }), line)
			}
		}
	}
}

// What causes another finding comes first, although its bytes come later.
func TestCausesComeFirst(t *testing.T) {
	d := rules.Driver{Rules: catalogue.Rules()}
	n := 0
	require.NoError(t, reader.Scan("../../corpus/files/lld-23/concatenated-v3.elf", reader.Options{}, func(o *reader.Object) error {
		var ids []string
		for _, f := range d.Run(o).Findings {
			ids = append(ids, f.Rule.ID)
		}
		cause, effect := slices.Index(ids, "SF1019"), slices.Index(ids, "SF5009")
		assert.GreaterOrEqual(t, cause, 0)
		assert.Equal(t, cause+1, effect, ids)
		n++
		return nil
	}))
	assert.Equal(t, 1, n)
}

// A rule follows rules that there are.
func TestFollows(t *testing.T) {
	all := catalogue.All(catalogue.Settings{})
	for _, r := range all {
		for _, id := range r.Follows {
			assert.True(t, slices.ContainsFunc(all, func(x *rules.Rule) bool { return x.ID == id && len(x.Follows) == 0 }), "%s follows %s", r.ID, id)
		}
	}
}
