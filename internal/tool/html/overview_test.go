package html

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
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

func TestBar(t *testing.T) {
	miss := func(why coverage.Why, n uint64) coverage.Reason {
		return coverage.Reason{Reason: why, Functions: 1, Bytes: n}
	}
	rect := func(class string, x, width int) string {
		return fmt.Sprintf(`<rect class="%s" x="%d" width="%d" height="10"/>`, class, x, width)
	}
	for _, x := range []struct {
		covered uint64
		missing []coverage.Reason
		want    string
		says    string
	}{
		{90, []coverage.Reason{miss(coverage.OnlyCFI, 6), miss(coverage.Stub, 4)}, rect("covered", 0, 900) + rect("only-cfi", 900, 60) + rect("stub", 960, 40),
			"covered: 90 bytes; CFI, but no FDE: 6 bytes; stubs of a PLT: 4 bytes"},
		{1e6, []coverage.Reason{miss(coverage.NoCFI, 1)}, rect("covered", 0, 999) + rect("no-cfi", 999, 1), "covered: 1000000 bytes; no CFI: 1 byte"},
		{1, []coverage.Reason{miss(coverage.NoCFI, 1e6)}, rect("covered", 0, 3) + rect("no-cfi", 3, 997), "covered: 1 byte; no CFI: 1000000 bytes"},
		{5, nil, rect("covered", 0, 1000), "covered: 5 bytes"},
		{0, nil, "", "no bytes"},
	} {
		_, svg, _ := strings.Cut(string(shares(x.covered, x.missing)), "<title>")
		title, rects, _ := strings.Cut(strings.TrimSuffix(svg, "</svg>"), "</title>")
		assert.Equal(t, x.want, rects)
		assert.Equal(t, x.says, title)
	}
}

// TestCoverage: a page shows the inputs that miss most, and counts all. Without
// coverage it has nothing about it.
func TestCoverage(t *testing.T) {
	assert.NotContains(t, render(t, []*lint.File{{Path: "a", Objects: []lint.Object{{}}}}), "Coverage")
	var files []*lint.File
	for i := range 3*maxCovered + 7 {
		n := uint64(i * 7919 % 307)
		f := &coverage.File{Path: fmt.Sprintf("f%d.o", n), Share: coverage.Share{Functions: 2, CoveredFunctions: 1, Bytes: 1000, CoveredBytes: 1000 - n},
			Missing: []coverage.Reason{{Reason: coverage.NoCFI, Functions: 1, Bytes: n}}, Gaps: []coverage.Gap{{Section: ".text", Size: 500, Bytes: n, Reason: coverage.NoCFI}}}
		files = append(files, &lint.File{Path: f.Path, Objects: []lint.Object{{Coverage: f}}})
	}
	page := render(t, files)
	assert.Contains(t, page, "307 inputs: FDEs cover 307 of 614 functions (50.0%), 260029 of 307000 bytes (84.7%).")
	assert.Contains(t, page, "and 207 more inputs of which less is missing")
	for n := range 307 {
		assert.Equal(t, n >= 207, strings.Contains(page, fmt.Sprintf(">f%d.o<", n)), n)
	}
	assert.Less(t, strings.Index(page, ">f306.o<"), strings.Index(page, ">f207.o<"))
}

var (
	amd64 = model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	s390x = model.LookupABI(model.SFRAME_ABI_S390X_ENDIAN_BIG)
)

func reg(r uint32, off int64) model.Recovery {
	return model.Recovery{Kind: model.InRegister, Reg: r, Offset: off}
}

func saved(off int64) model.Recovery {
	return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: off}
}

// drawing returns the table of the stack, a row a line.
func drawing(abi model.ABIInfo, sides ...rules.Side) string {
	_, table, _ := strings.Cut(string(picture(abi, sides, "x")), "</caption>\n<tr><th scope=\"col\">From")
	_, table, _ = strings.Cut(table, "</tr>\n")
	table = regexp.MustCompile(`<td class="(\w+)"(?: rowspan="(\d+)")?>`).ReplaceAllString(table, " | $1$2 ")
	return strings.TrimSpace(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(table, ""))
}

// TestStack: the rows of a picture have the places that the recovery rules name, and
// nothing between them is missing.
func TestStack(t *testing.T) {
	unchanged := model.Recovery{Kind: model.Unchanged}
	entry := rules.Side{Source: "SFrame", Row: model.Row{CFA: reg(amd64.SP, 8), RA: saved(-8), FP: unchanged}}
	pushed := rules.Side{Source: "SFrame", Row: model.Row{CFA: reg(amd64.SP, 40), RA: saved(-8), FP: saved(-16)}}
	byFP := rules.Side{Source: "CFI", Row: model.Row{CFA: reg(amd64.FP, 16), RA: saved(-8), FP: saved(-16)}}
	for _, x := range []struct {
		name  string
		abi   model.ABIInfo
		sides []rules.Side
		want  string
	}{
		{"entry", amd64, []rules.Side{entry}, "CFA | caller CFA caller's frame\nCFA-8 | ra rsp return address"},
		{"frame", amd64, []rules.Side{pushed}, "CFA | caller CFA caller's frame\nCFA-8 | ra return address\nCFA-16 | fp caller's rbp\nCFA-40 | space rsp 24 bytes"},
		{"by FP", amd64, []rules.Side{byFP}, "CFA | caller CFA caller's frame\nCFA-8 | ra return address\nCFA-16 | fp rbp caller's rbp\nbelow | space more of the frame, down to rsp"},
		{"one register", amd64, []rules.Side{entry, pushed}, "rsp+40 | caller4 CFA caller's frame | caller CFA caller's frame\nrsp+32 | ra return address\nrsp+24 | fp caller's rbp\n" +
			"rsp+8 | space2 rsp 24 bytes\nrsp | ra rsp return address"},
		{"two registers", amd64, []rules.Side{entry, byFP}, "CFA | caller CFA caller's frame | caller CFA caller's frame\nCFA-8 | ra rsp return address | ra return address\n" +
			"CFA-16 | empty2  | fp rbp caller's rbp\nbelow | space more of the frame, down to rsp"},
		{"one slot", amd64, []rules.Side{{Row: model.Row{CFA: reg(amd64.SP, 16), RA: saved(-8), FP: saved(-12)}}},
			"CFA | caller CFA caller's frame\nCFA-4 | ra return address, 4 bytes of it\nCFA-8 | both return address and caller's rbp, 4 bytes of it\nCFA-12 | fp caller's rbp, 4 bytes of it\nCFA-16 | space rsp 4 bytes"},
		{"below SP", amd64, []rules.Side{{Row: model.Row{CFA: reg(amd64.SP, 8), RA: saved(-8), FP: saved(-32)}}},
			"CFA | caller CFA caller's frame\nCFA-8 | ra rsp return address\nCFA-24 | below 16 bytes, below rsp\nCFA-32 | fp caller's rbp, below rsp"},
		{"save area", s390x, []rules.Side{{Row: model.Row{CFA: reg(s390x.SP, 160), RA: saved(-48), FP: unchanged}}},
			"CFA | caller CFA caller's frame\nCFA-40 | save register save area, 40 bytes\nCFA-48 | ra return address\nCFA-160 | save r15 caller's r15 register save area, 112 bytes"},
		{"outermost", amd64, []rules.Side{{Row: model.Row{CFA: model.Recovery{Kind: model.Undefined}}}}, ""},
	} {
		assert.Equal(t, strings.ReplaceAll(x.want, "'", "&#39;"), drawing(x.abi, x.sides...), x.name)
	}
}

// TestDifferences: what the sides disagree on is marked in words.
func TestDifferences(t *testing.T) {
	a := rules.Side{Source: "SFrame", Row: model.Row{CFA: reg(amd64.SP, 16), RA: saved(-8), FP: saved(-16)}}
	b := a
	b.Source, b.Row.CFA = "CFI", reg(amd64.SP, 8)
	page := string(picture(amd64, []rules.Side{a, b}, "x"))
	assert.Contains(t, page, "<tr class=\"differs\"><th scope=\"row\">CFA <b>differs</b><td><code>rsp+16</code><td><code>rsp+8</code></tr>")
	assert.Equal(t, 1, strings.Count(page, "<b>differs</b>"))
}
