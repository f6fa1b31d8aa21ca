package reports_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/internal/tool/html"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/reports/sarif"
	"github.com/sframe-lint/sframe-lint/rules"
)

// formats are all renderers, each with what its document must be.
var formats = []struct {
	name  string
	make  func(w io.Writer) reports.Renderer
	valid func(document string) error
}{
	{"text", func(w io.Writer) reports.Renderer { return reports.NewText(w, false) }, testkit.Obeyed},
	{"colour", func(w io.Writer) reports.Renderer { return reports.NewText(w, true) }, func(s string) error {
		return testkit.Obeyed(colour.ReplaceAllString(s, ""))
	}},
	{"full", func(w io.Writer) reports.Renderer { return reports.NewText(w, false).Paragraphs(80) }, testkit.Obeyed},
	{"github", func(w io.Writer) reports.Renderer { return reports.NewGitHub(w) }, func(s string) error {
		return testkit.Obeyed(ours.ReplaceAllString(s, "command: ")) // a message is not at the start of the line
	}},
	{"junit", func(w io.Writer) reports.Renderer { return reports.NewJUnit(w, rules.Warning) }, isXML},
	{"gitlab", func(w io.Writer) reports.Renderer { return reports.NewGitLab(w) }, isJSON},
	{"jsonl", func(w io.Writer) reports.Renderer { return reports.NewJSONLines(w) }, func(s string) error {
		for line := range strings.Lines(s) {
			if err := isJSON(line); err != nil {
				return err
			}
		}
		return nil
	}},
	{"summary", func(w io.Writer) reports.Renderer { return reports.NewMarkdown(w) }, testkit.Obeyed},
	{"json", func(w io.Writer) reports.Renderer { return reports.NewJSON(w) }, isJSON},
	{"sarif", func(w io.Writer) reports.Renderer {
		return sarif.New(w, sarif.Options{Tool: reports.Tool{Name: "x"}, Rules: outputtest.Rules(), Root: "/src"})
	}, isJSON},
	{"html", func(w io.Writer) reports.Renderer { return html.New(w, reports.Tool{Name: "x"}) }, isPage},
}

var (
	colour = regexp.MustCompile("\x1b\\[[0-9;]*m")
	ours   = regexp.MustCompile(`(?m)^::(error|warning|notice) (file=[^,:]*,)?title=[^,:]*::`)
)

func isXML(s string) error {
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); err == io.EOF {
			return testkit.Obeyed(s)
		} else if err != nil {
			return err
		}
	}
}

func isJSON(s string) error {
	if !json.Valid([]byte(s)) {
		return fmt.Errorf("no JSON: %.200q", s)
	}
	return testkit.Obeyed(s)
}

// own is what the page has of its own that is markup, in tags that no name closes.
var own = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|<(/?(html|head|meta|title|body|header|main|section|article|details|summary|div|span|p|b|a|h[1-4]|ul|li|table|tr|td|th|caption|figure|figcaption|pre|code|mark|form|label|input|select|option|output|button)\b("[^"]*"|[^"<>])*|!DOCTYPE html)>`)

func isPage(s string) error {
	if !strings.HasSuffix(s, "</body>\n</html>\n") {
		return errors.New("the page has no end")
	}
	if strings.Count(s, "<script") != 1 || strings.Count(s, "<style") != 1 {
		return errors.New("a script or style of another")
	}
	if rest := own.ReplaceAllString(s, ""); strings.ContainsAny(rest, "<>") {
		return fmt.Errorf("markup in %.200q", rest[strings.IndexAny(rest, "<>"):])
	}
	return testkit.Obeyed(regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`).ReplaceAllString(s, ""))
}

// render returns the document of files.
func render(t *testing.T, r reports.Renderer, b *bytes.Buffer, files []*lint.File) (string, error) {
	t.Helper()
	err := outputtest.Render(r, files)
	var out *reports.LeftOut
	if err != nil && !errors.As(err, &out) {
		require.NoError(t, err)
	}
	return b.String(), err
}

// files returns results in which every text that comes from an input is one of
// these.
func files(path, member, name, message string, bytes []byte, n int) []*lint.File {
	o := lint.Object{
		Input: lint.Input{Path: path, Member: member, File: path, Status: reader.StatusDamaged, Detail: message},
		Cut:   map[string]int{"SF2004": 3}, Failures: []rules.Failure{{Rule: "SF2004", Path: path, Member: member, Reason: message, Stack: message}},
		HeldBack: []rules.HeldBack{{Rule: "SF2004", Section: name, Absence: rules.Absence{Fact: rules.FREsKnown, Reason: message}}},
		Gaps:     []lint.Gap{{Reason: message}},
	}
	for i := range n {
		f := rules.Finding{
			Rule: outputtest.Rules()[i%3], Severity: rules.Severity(1 + i%3), Message: message, Path: path, Member: member, Section: name, Function: name,
			InSection: i%2 == 0, Span: model.Span{Off: int64(i), Len: 1}, FDE: i, FRE: -1, FileOffset: int64(i),
			Fixes: []rules.Fix{{Message: message, Edits: []rules.Edit{{Span: model.Span{Off: int64(i), Len: 1}, New: bytes}}}},
		}
		f.Listing = &rules.Listing{Title: name, Fields: []model.Field{{Span: f.Span, Name: "name", Value: "value", Bytes: bytes}}, Mark: f.Span}
		o.Findings = append(o.Findings, f)
	}
	return []*lint.File{{Path: path, Objects: []lint.Object{o}, Err: errors.New(message)}}
}

// most bounds the size of a report: it has the rules' texts, each name up to 256
// bytes, each message up to 4096, and paths and replaced bytes as they are; a byte
// becomes six at most, in HTML and JSON, and a path is there up to eight times.
func most(path string, bytes []byte, n int) int {
	entry := 8*6*len(path) + 8*6*(256+32) + 3*6*(4096+32) + 8*len(bytes) + 4<<10
	return 64<<10 + entry*(n+8)
}

// FuzzRenderers hands hostile names, paths, messages and bytes to every renderer:
// the document is valid, nothing in it is obeyed by a terminal or by a service that
// runs jobs, and its size has the bound of most. Memory has one, too.
func FuzzRenderers(f *testing.F) {
	long := strings.Repeat("ñ", 20<<10)
	f.Add("::error::x", "##[error]m.o", "##vso[task.setvariable]", "\x1b]0;title\x07", []byte{1}, 3)
	f.Add("a\n::stop-commands::x", "\r::x", " ::x", "\u2028::x\u0085", []byte("<"), 4)
	f.Add("%0A::x,title=:", "a,b:c", `"><script>alert(1)</script>`, "</script></style>]]>-->&lt;", []byte("\xff"), 2)
	f.Add("\xff\xfe/\x9b31m", "\u202egnp.o", long, long, bytes.Repeat([]byte("x"), 999), 5)
	f.Add("", "", "", "", []byte(nil), 0)
	f.Fuzz(func(t *testing.T, path, member, name, message string, data []byte, n int) {
		n = min(max(n, 0), 4)
		for _, x := range formats {
			var b bytes.Buffer
			input := files(path, member, name, message, data, n)
			var document string
			var err error
			used := testkit.Allocated(func() { document, err = render(t, x.make(&b), &b, input) })
			require.NoError(t, err)
			require.LessOrEqual(t, used, uint64(64<<20+32*(most(path, data, n)+len(member)+len(name)+len(message))), x.name)
			require.NoError(t, x.valid(document), x.name)
			require.LessOrEqual(t, len(document), most(path, data, n), x.name)
		}
	})
}

// A report that exceeds its budget is complete as a document, and says what it does
// not have.
func TestOutputBudget(t *testing.T) {
	for _, x := range formats {
		if x.name == "summary" {
			continue // its size does not depend on the number of findings
		}
		for _, limit := range []int64{1, 3000, 20_000} {
			var b bytes.Buffer
			r := x.make(&b)
			r.Limit(limit)
			document, err := render(t, r, &b, files("a.o", "m.o", "name", strings.Repeat("m", 100), []byte{1}, 500))
			require.NoError(t, x.valid(document), x.name)
			var out *reports.LeftOut
			require.ErrorAs(t, err, &out, x.name)
			assert.Equal(t, 500, out.Findings+len(found[x.name].FindAllString(document, -1)), x.name)
			assert.LessOrEqual(t, len(document), 4*int(limit)+64<<10, x.name)
			assert.Contains(t, document, "the output budget is exceeded", x.name)
			var exceeded *budget.Exceeded
			require.ErrorAs(t, err, &exceeded, x.name)
			assert.Equal(t, budget.Output, exceeded.Kind)
			if x.name == "json" {
				assert.NoError(t, validate(t, []byte(document)))
			}
		}
	}
}

// found is what each finding of a report has once.
var found = map[string]*regexp.Regexp{
	"text": regexp.MustCompile(`\[SF\d{4}\]\n`), "full": regexp.MustCompile(`(?m)^(error|warning|note)\[SF\d{4}\]`), "colour": regexp.MustCompile(`\[SF\d{4}\]\x1b`), "github": regexp.MustCompile(`title=SF\d{4}::`),
	"json": regexp.MustCompile(`"fixes":`), "sarif": regexp.MustCompile(`"partialFingerprints":`), "html": regexp.MustCompile(`<article`),
	"junit": regexp.MustCompile(`: (error|warning|note): `), "gitlab": regexp.MustCompile(`"check_name":"SF`), "jsonl": regexp.MustCompile(`(?m)^\{"finding":`),
}

// The names of members, sections and functions are cut in every format.
func TestNamesAreCut(t *testing.T) {
	long := strings.Repeat("n", 20<<10)
	for _, x := range formats {
		var b bytes.Buffer
		document, err := render(t, x.make(&b), &b, files("a.o", long, long, "short", nil, 3))
		require.NoError(t, err)
		assert.Contains(t, document, strings.Repeat("n", 256)+"...(20480 bytes)", x.name)
		assert.NotContains(t, document, strings.Repeat("n", 257), x.name)
	}
}

// A fix of very many edits is left out of a report.
func TestLargeFix(t *testing.T) {
	small := rules.Fix{Edits: make([]rules.Edit, 10)}
	f := &rules.Finding{Fixes: []rules.Fix{{Edits: make([]rules.Edit, reports.MaxFix/64+1)}, small}}
	assert.Equal(t, []rules.Fix{small}, reports.Fixes(f))
}
