package html

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/execute"
	"github.com/sframe-lint/sframe-lint/internal/testkit/sample"
)

func runPage(t *testing.T, r *execute.Report) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteRun(&b, sample.Tool, r))
	return b.String()
}

func TestRunEscaping(t *testing.T) {
	page := runPage(t, sample.HostileRun())
	for _, s := range []string{"<script", "<img", "\x1b", "\xff", "src=x\"", "<link", "@import", "url("} {
		assert.False(t, strings.Contains(page, s), "%q", s)
	}
	assert.Contains(t, page, "default-src 'none'; style-src 'sha256-")
	assert.Contains(t, page, "script-src 'none'")
	for _, tag := range regexp.MustCompile(`<[a-z][^>]*>`).FindAllString(page, -1) {
		assert.Zero(t, strings.Count(tag, `"`)%2, tag)
		assert.NotContains(t, regexp.MustCompile(`"[^"]*"`).ReplaceAllString(tag, ""), "onerror", tag)
	}
}

func TestRunContents(t *testing.T) {
	page := runPage(t, sample.HostileRun())
	assert.Equal(t, 1, strings.Count(page, "<details class=\"group error\""), "one function")
	assert.Equal(t, 1, strings.Count(page, "<details class=\"group note\""), "the CFI alone is wrong")
	assert.Equal(t, 3, strings.Count(page, "<article "))
	for _, s := range []string{
		"<title>sframe-lint: 3 mismatches</title>", "2 wrong in 4 steps", "FDE 3, FRE 2; PC 0x1004, function+0x4; 2 steps", "FDE 3, no FRE",
		"<td>1 of 8 (12.5%)<td>3 of 12 (25.0%)", "<td>0 of 0<td>0 of 0", "steps checked<td>99<", "rsp      0x6ff8\n", "the CFA is wrong", "there is no caller",
	} {
		assert.Contains(t, page, s)
	}
	for _, name := range []string{"details", "article", "div", "table", "pre", "p", "h3", "h4", "span", "code"} {
		assert.Len(t, regexp.MustCompile(`<`+name+`[ >]`).FindAllString(page, -1), strings.Count(page, "</"+name+">"), name)
	}
	lines := regexp.MustCompile(`<tr( class="differs")?><th scope="row">(SFrame|CFI|true)<`).FindAllStringSubmatch(page, -1)
	var got []string
	for _, x := range lines {
		got = append(got, fmt.Sprint(x[2], x[1] != ""))
	}
	assert.Equal(t, []string{
		"SFrametrue", "CFIfalse", "truefalse", // the CFI is right
		"SFrametrue", "CFIfalse", "truefalse", // what the CFI leads to was not recorded
		"SFramefalse", "CFItrue", "truefalse", // the row is right
	}, got)
	assert.Equal(t, 1, strings.Count(page, "not recorded"))
}

func TestRunWithoutMismatches(t *testing.T) {
	page := runPage(t, &execute.Report{Program: []string{"/bin/a b", "-c"}, ABI: "AMD64", Exit: &execute.Exit{Status: 7}})
	assert.Contains(t, page, "No mismatches.")
	assert.Contains(t, page, "&#34;/bin/a b&#34; -c")
	assert.Contains(t, page, "the program exited with status 7")
	assert.NotContains(t, page, "<article")
}

func TestRunLimit(t *testing.T) {
	r := sample.HostileRun()
	for range MaxResults {
		r.Mismatches = append(r.Mismatches, r.Mismatches[0])
	}
	page := runPage(t, r)
	assert.Equal(t, MaxResults, strings.Count(page, "<article "))
	assert.Contains(t, page, "The page has 5000 of 5003 mismatches.")
	assert.Error(t, WriteRun(fullDisk{}, sample.Tool, sample.HostileRun()))
}
