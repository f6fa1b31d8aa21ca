package html

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// The overview has the findings by rule and by function, the gravest first, and leads to them.
func TestOverview(t *testing.T) {
	files := outputtest.Many(12, 2)
	o := &files[0].Objects[0]
	o.Findings = append(o.Findings, o.Findings[23])
	o.Coverage = &coverage.File{
		Path: "a.o", Share: coverage.Share{Functions: 4, CoveredFunctions: 3, Bytes: 1000, CoveredBytes: 900},
		Missing: []coverage.Reason{{Reason: coverage.NoCFI, Functions: 1, Bytes: 100}},
	}
	page := render(t, files)
	overview, rest, found := strings.Cut(page, "</section>")
	require.True(t, found)
	for _, want := range []string{
		`<span class="badge error">25 errors</span> <span class="badge warning">1 warning</span> in 2 of 2 files`,
		"<p>1 section with 12 FDEs and 24 FREs; 1 input without SFrame data.</p>",
		`<a href="#unchecked">Not everything was checked or is shown</a>`,
		"FDEs cover 3 of 4 functions (75.0%), 900 of 1000 bytes (90.0%).",
		"covered: 900 bytes", "no CFI: 100 bytes",
		`<span class="badge error">error</span> <a href="#error-SF1003">SF1003</a> unknown version<td class="n">25<td class="n">1</tr>` + "\n" +
			`<tr><td><span class="badge warning">warning</span> <a href="#warning-SF2004">SF2004</a> rows out of order<td class="n">1<td class="n">1</tr>`,
		`<th scope="col">Function<th scope="col" class="n">Errors<th scope="col">Rules</tr>` + "\n" +
			`<tr><td><a href="#f23">function_11</a> <span class="at">a.o</span><td class="n">3<td>SF1003</tr>` + "\n" +
			`<tr><td><a href="#f1">function_0</a> <span class="at">a.o</span><td class="n">2<td>SF1003</tr>`,
		"<summary>Functions 11 to 12</summary>",
	} {
		assert.Contains(t, overview, want)
	}
	assert.NotContains(t, overview, "CFI, but no FDE", "the legend has what the bar has")
	assert.Len(t, regexp.MustCompile(`\d\.\d%`).FindAllString(overview, -1), 2, "one figure each of functions and bytes")
	assert.Equal(t, []string{"25 errors", "1 warning"}, chips(page), "of the findings on the page")
	for _, x := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
		assert.Contains(t, page, ` id="`+x[1]+`"`)
	}
	var order []int
	for _, s := range []string{`<section class="gravity error"`, `<div class="notes" id="unchecked"`, `<section class="gravity warning"`} {
		order = append(order, strings.Index(rest, s))
	}
	assert.IsIncreasing(t, order, "errors, then what was not checked, then the others")
	assert.NotContains(t, order, -1)
}

// chips returns the texts of the filter's severities.
func chips(page string) (all []string) {
	for _, m := range regexp.MustCompile(`name="level" value="\w+" checked> (.*)</label>`).FindAllStringSubmatch(page, -1) {
		all = append(all, m[1])
	}
	return all
}

// The verdict does not promise more than was checked.
func TestVerdict(t *testing.T) {
	clean := &lint.File{Path: "a", Objects: []lint.Object{{Input: lint.Input{Path: "a", Status: "ok", Sections: 1}}}}
	part := &lint.File{Path: "a", Objects: []lint.Object{{Input: clean.Objects[0].Input, Failures: []rules.Failure{{Rule: "SF1003"}}}}}
	for _, x := range []struct {
		file *lint.File
		want string
	}{
		{clean, "No findings."}, {part, "No findings in what was checked."},
		{&lint.File{Path: "a", Objects: []lint.Object{{Input: lint.Input{Status: "no-sframe"}}}}, "No findings, as there is no SFrame data."},
	} {
		assert.Contains(t, render(t, []*lint.File{x.file}), `<p class="verdict">`+x.want+"</p>")
	}
}

var (
	openGroup    = regexp.MustCompile(`<details class="group" id="[^"]*" open`)
	openFile     = regexp.MustCompile(`<details class="file" data-file="\d+" open`)
	openFunction = regexp.MustCompile(`<details class="function" open`)
)

// A page with many findings has them folded by rule, file and function; one with few shows all.
func TestFolds(t *testing.T) {
	few := render(t, outputtest.Many(mostOpen-1, 1))
	assert.Len(t, openGroup.FindAllString(few, -1), 2)
	assert.Len(t, openFile.FindAllString(few, -1), 2)
	assert.NotContains(t, few, `class="function"`)

	page := render(t, outputtest.Many(120, 3))
	assert.Equal(t, 361, strings.Count(page, "<article "))
	assert.Len(t, openGroup.FindAllString(page, -1), 1, "the warning")
	assert.Equal(t, 120, strings.Count(page, `<details class="function">`))
	assert.Empty(t, openFunction.FindAllString(page, -1))
	assert.Contains(t, page, `<summary><span class="name">function_7</span> <span class="peek" aria-hidden="true">row 0 is wrong</span> <span class="count">3 findings</span></summary>`)
	for _, s := range []string{"360 in 120 functions", "<summary>Functions 51 to 100 of 120</summary>", "<summary>Functions 101 to 120 of 120</summary>"} {
		assert.Contains(t, page, s)
	}
	assert.Equal(t, strings.Count(page, "<details"), strings.Count(page, "</details>"))
}

// Of one severity, the rule with most findings gives way.
func TestLimitKeepsEachRule(t *testing.T) {
	files := outputtest.Many(100, 1)
	for i := range 31 {
		other := files[0].Objects[0].Findings[0]
		other.Rule = outputtest.OrderRule
		if i == 0 {
			other.Rule = outputtest.AbsentRule
		}
		files[1].Objects[0].Findings = append(files[1].Objects[0].Findings, other)
	}
	var b bytes.Buffer
	r := New(&b, outputtest.Tool)
	r.max = 10
	require.NoError(t, outputtest.Render(r, files))
	page := b.String()
	assert.Contains(t, page, `<h2>10 of 131 errors</h2>`)
	for rule, n := range map[string]int{"SF1003": 4, "SF2004": 5, "SF5001": 1} {
		assert.Equal(t, n, strings.Count(page, `class="finding error" data-level="error" data-rule="`+rule+`"`), rule)
	}
	assert.Contains(t, page, "SF1003</a> unknown version<td class=\"n\">100<td", "the overview counts all")
	assert.Contains(t, page, "</span> SF2004 rows out of order<td", "what is not on the page has no link")
}
