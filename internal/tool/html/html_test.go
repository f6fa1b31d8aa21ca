package html

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
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

const program = "../../../corpus/files/binutils-2.47/amd64/program.elf"

// view returns the page of a file.
func view(t *testing.T, name string, data []byte) string {
	var b bytes.Buffer
	return outputtest.View(t, &b, NewView(&b, outputtest.Tool, name, nil), name, data)
}

func damaged(t *testing.T) []byte {
	t.Helper()
	data := must.Get(os.ReadFile("../../../corpus/files/hand/v3-amd64-truncated-fre.sframe"))(t)
	return data
}

// TestViewOfAnything: whatever the bytes, the page is whole, and has no markup of theirs.
func TestViewOfAnything(t *testing.T) {
	for _, x := range []struct {
		name string
		data []byte
	}{{`</template><script>alert(1)</script>`, damaged(t)}, {"::error::x\x1b", outputtest.HostileProgram(t, program)}} {
		page := view(t, x.name, x.data)
		assert.True(t, strings.HasSuffix(page, "</body>\n</html>\n"))
		assert.Equal(t, 1, strings.Count(page, "<script"))
		assert.Equal(t, 1, strings.Count(page, `<template class="data"`))
		assert.Equal(t, strings.Count(page, "<template"), strings.Count(page, "</template>"))
		assert.NoError(t, testkit.Obeyed(regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`).ReplaceAllString(page, "")))
		for _, s := range []string{"src=", "<link", "@import", "url(", "fetch("} {
			assert.NotContains(t, strings.ReplaceAll(page, "<img src=", ""), s)
		}
	}
}

// FuzzView writes the page of any bytes.
func FuzzView(f *testing.F) {
	for _, path := range []string{program, "../../../corpus/files/hand/v3-amd64-truncated-fre.sframe", "../../../corpus/files/hand/v3-amd64.sframe"} {
		data := must.Get(os.ReadFile(path))(f)
		f.Add(path, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		var b bytes.Buffer
		v := NewView(&b, outputtest.Tool, name, nil)
		_ = reader.ScanReader(name, bytes.NewReader(data), int64(len(data)), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
			for _, s := range o.SFrames {
				if err := v.Section(o, s); err != nil {
					return err
				}
			}
			return nil
		})
		require.NoError(t, v.Close())
		page := b.String()
		require.Equal(t, 1, strings.Count(page, "<script"))
		require.Equal(t, strings.Count(page, "<template"), strings.Count(page, "</template>"))
		require.NoError(t, testkit.Obeyed(regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`).ReplaceAllString(page, "")))
	})
}

// A page beyond its budget is an error.
func TestViewBudget(t *testing.T) {
	data := must.Get(os.ReadFile(program))(t)
	v := NewView(new(bytes.Buffer), outputtest.Tool, "x", budget.New(t.Context(), budget.Limits{budget.Output: 1000}))
	_ = reader.ScanReader("x", bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error { return v.Section(o, o.SFrames[0]) })
	var over *budget.Exceeded
	require.ErrorAs(t, v.Close(), &over)
}

// coded returns the page of a file with its instructions.
func coded(t *testing.T, path string, opts table.Selection) string {
	t.Helper()
	var b bytes.Buffer
	v := NewView(&b, outputtest.Tool, path, nil)
	addCode(t, v, path, opts)
	require.NoError(t, v.Close())
	return b.String()
}

// addCode adds a file with its instructions to a page.
func addCode(t *testing.T, v *View, path string, opts table.Selection) {
	t.Helper()
	require.NoError(t, reader.Scan("../../../corpus/files/"+path, reader.Options{}, func(o *reader.Object) error {
		opts.CFI = true
		opts.Findings = (&rules.Driver{Rules: catalogue.Default()}).Run(o).Findings
		x := must.Get(table.Open(o, opts))(t)
		require.NoError(t, v.Code(x, opts.Func != ""))
		for _, s := range o.SFrames {
			require.NoError(t, v.Section(o, s))
		}
		return nil
	}))
}

// TestStubNames: an FDE of a stub, which no symbol names, has the name that dump prints.
func TestStubNames(t *testing.T) {
	var names []string
	require.NoError(t, reader.Scan("../../../corpus/files/binutils-2.47/amd64/pie.elf", reader.Options{}, func(o *reader.Object) error {
		x := must.Get(table.Open(o, table.Selection{}))(t)
		v := NewView(new(bytes.Buffer), outputtest.Tool, "pie.elf", nil)
		require.NoError(t, v.Code(x, false))
		d := newSectionData(o, o.SFrames[0], ".sframe")
		d.list(v.listing)
		i := 0
		for f := range o.SFrames[0].Section.FDEs() {
			names = append(names, d.nameOf(i, f))
			i++
		}
		return nil
	}))
	assert.Equal(t, []string{".plt", "provided@plt", "main", "leaf", "framed", "pushes", "roomy", "vast"}, names)
}

// TestStaticFunction: the instructions of one function are in the page without a script.
func TestStaticFunction(t *testing.T) {
	page := coded(t, "lines/linked.elf", table.Selection{Func: "frame"})
	_, static, ok := strings.Cut(page, `<noscript><section class="static">`)
	require.True(t, ok)
	static, _, _ = strings.Cut(static, "</noscript>")
	assert.Contains(t, static, "<td>400145</td><td>48 89 e5</td><td>mov %rsp,%rbp</td><td>rsp+24 c-8 c-16</td>")
	assert.Contains(t, static, "SF3114")
	assert.Equal(t, 1, strings.Count(page, "<noscript><section"))
}

// TestBySeverity: a page opens at the first finding of its list, whatever else precedes it in the code.
func TestBySeverity(t *testing.T) {
	l := listing{finds: []codeFinding{{Rule: "a", level: rules.Note}, {Rule: "b", level: rules.Error}, {Rule: "c", level: rules.Warning}, {Rule: "d", level: rules.Error}}}
	var order []string
	for _, x := range l.bySeverity() {
		order = append(order, x.Rule)
	}
	assert.Equal(t, []string{"b", "d", "c", "a"}, order)
}
