package html

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

func render(t *testing.T, files []*lint.File) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(New(&b, outputtest.Tool), files))
	return b.String()
}

func TestEscaping(t *testing.T) {
	page := render(t, outputtest.Hostile())
	assert.Equal(t, 1, strings.Count(page, "<script>"), "ours alone")
	for _, s := range []string{"<img", "<i>", "\x1b", "\xff"} {
		assert.False(t, strings.Contains(page, s), "%q", s)
	}
	// No attribute ends before its quote.
	for _, tag := range regexp.MustCompile(`<[a-z][^>]*>`).FindAllString(page, -1) {
		assert.Zero(t, strings.Count(tag, `"`)%2, tag)
		assert.NotContains(t, regexp.MustCompile(`"[^"]*"`).ReplaceAllString(tag, ""), "onerror", tag)
	}
}

// Nothing is loaded from anywhere, and nothing could be.
func TestSelfContained(t *testing.T) {
	page := render(t, outputtest.Files())
	for _, s := range []string{"src=", "<link", "@import", "url(", "http-equiv=\"refresh\"", "fetch(", "XMLHttpRequest"} {
		assert.NotContains(t, page, s)
	}
	assert.Contains(t, page, "default-src 'none'")
	for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		assert.Regexp(t, `^(#(f\d+|unchecked|(error|warning|note)-SF\d+)|https://github.com/sframe-lint/.*\.md|https://sourceware.org/.*|https://example.org/(tool|1))$`, link[1])
	}
}

func TestContents(t *testing.T) {
	files := outputtest.Files()
	first := &files[0].Objects[0]
	first.Findings[0].Listing = outputtest.Listing()
	page := render(t, files)
	for _, want := range []string{
		"<title>sframe-lint: 2 errors, 2 warnings, 1 note</title>",
		"3 files checked by",
		"Not shown: 2 in the baseline, 1 excused.",
		"<section class=\"gravity error\" data-level=\"error\">\n<h2>2 errors</h2>",
		`<span class="badge warning">warning</span> <span class="id">SF2004</span> <span class="title">rows out of order</span></h3> <span class="count">2 in 1 file</span>`,
		`<h4 class="path">bin/a,b: 100%.elf</h4>`,
		`<h4 class="path">lib.a(x&lt;y&gt;.o)</h4>`,
		`<p><b>Fix:</b> Set the right one.</p>`,
		`<p><b>Bad:</b> <code>sfp_version = 07</code></p>`,
		`<p><b>Example:</b> <code>corpus/files/`,
		`<p><b>Report:</b> <a href="https://example.org/1" rel="noreferrer">https://example.org/1</a></p>`,
		`<p class="message">row 0\x0d\x0ais 100% off</p>`,
		`<p class="at">.sframe+0x1c (file 0x205c), FDE 3 &#34;ma\x1b[31min\xff\u202e&#34; FRE 2</p>`,
		"<mark>0002  07     sfp_version = 7, unknown</mark>\n",
		`<option value="SF2004">SF2004 (2) rows out of order</option>`,
		"<summary>Fix: set 3</summary>",
		"<summary>Unsafe fix: cut &lt;off&gt;</summary>",
		`<span class="off">00000454 of thin/z.o, 2 bytes:</span> ab 00`,
		`<span class="off">00000464 of thin/z.o, 8 bytes:</span> the file ends here`,
		"<li>bin/a,b: 100%.elf: 17 more findings of SF2004 not shown</li>",
		"<li>bin/a,b: 100%.elf: .sframe: not checked: 2 rules, as the file has 9 bytes of code: SF1003, SF2004</li>",
		"<li>lib.a(z.o): internal error in rule SF2004: panic: index</li>",
		`<li>gone.o: permission\x0adenied</li>`,
		"<tr><td>bin/a,b: 100%.elf<td>ok<td>V3<td>AMD64 little-endian<td>4<td>9<td>200</tr>",
		`<tr><td>lib.a(x&lt;y&gt;.o)<td>no-sframe<td colspan="5">no .sframe section</tr>`,
		`<details class="rule" id="SF1003"><summary>About SF1003</summary>`,
	} {
		assert.Contains(t, page, want)
	}
	clean := render(t, nil)
	assert.Contains(t, clean, "<title>sframe-lint: no findings</title>")
	assert.Contains(t, clean, "No findings, as there is no SFrame data.")
	assert.NotContains(t, clean, "<form")
}

// The most severe findings are those that stay.
func TestLimit(t *testing.T) {
	var b bytes.Buffer
	r := New(&b, outputtest.Tool)
	r.max = 3
	require.NoError(t, outputtest.Render(r, outputtest.Files()))
	page := b.String()
	assert.Equal(t, 3, strings.Count(page, "<article"))
	assert.Equal(t, 2, strings.Count(page, `class="finding error"`))
	assert.Contains(t, page, "2 findings that are less severe or come later are not shown")
}

// Each of many files keeps one finding of many, and no memory for the others.
func TestLimitOfManyFiles(t *testing.T) {
	r := New(io.Discard, outputtest.Tool)
	r.max = 10
	rule := func(id string, level rules.Severity) rules.Finding {
		return rules.Finding{Rule: &rules.Rule{ID: id}, Severity: level}
	}
	for range 10 {
		findings := append(slices.Repeat([]rules.Finding{rule("SF2005", rules.Warning)}, 100), rule("SF2001", rules.Error))
		require.NoError(t, r.File(&lint.File{Objects: []lint.Object{{Findings: findings}}}))
	}
	r.limit()
	assert.Len(t, r.files, 10)
	for _, f := range r.files {
		assert.Len(t, f.results, 1)
		assert.Less(t, cap(f.results), 10)
	}
}

func TestLongBytes(t *testing.T) {
	f := outputtest.Files()[0]
	f.Objects[0].Findings = f.Objects[0].Findings[:1]
	x := &f.Objects[0].Findings[0]
	x.Span = model.Span{Off: 2, Len: 500}
	x.Listing = &rules.Listing{Fields: []model.Field{{Span: model.Span{Len: 32}, Bytes: make([]byte, 32)}}, Mark: x.Span}
	x.Fixes = []rules.Fix{{Message: "sort", Safe: true, Edits: []rules.Edit{{Span: model.Span{Len: 300}, New: make([]byte, 300)}}}}
	page := render(t, []*lint.File{f})
	assert.Contains(t, page, "and 470 more bytes")
	assert.Contains(t, page, "and 44 bytes more")
	assert.Equal(t, fmt.Sprint(2), fmt.Sprint(strings.Count(page, "<mark>")))
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteErrorIsTold(t *testing.T) {
	assert.EqualError(t, outputtest.Render(New(fullDisk{}, outputtest.Tool), nil), "no space left")
}
