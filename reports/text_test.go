package reports_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

const textReport = `bin/a,b: 100%.elf: .sframe+0x2 (file 0x2042): error: sfp_version is 7 [SF1003]
lib.a(z.o): file 0x464: error: damaged [SF5001]
bin/a,b: 100%.elf: .sframe+0x1c (file 0x205c): warning: FDE 3 "ma\x1b[31min\xff\u202e" FRE 2: row 2 starts at 0x4 [SF2004]
bin/a,b: 100%.elf: .sframe+0x20 (file 0x2060): warning: FDE 0 (pc 0x0): row 0\x0d\x0ais 100% off [SF2004]
lib.a(x<y>.o): note: no <data> [SF5001]
bin/a,b: 100%.elf: .sframe: not checked: 2 rules, as the file has 9 bytes of code
bin/a,b: 100%.elf: .sframe: not checked: 2 rules, as a gap\x0ais there (SF1016), whose finding is left out
`

func TestText(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewText(&b, false), outputtest.Files()))
	assert.Equal(t, textReport, b.String())
}

func TestTextInColour(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewText(&b, true), outputtest.Files()[:1]))
	first, _, _ := strings.Cut(b.String(), "\n")
	assert.Equal(t, "\x1b[1mbin/a,b: 100%.elf:\x1b[0m\x1b[1m .sframe+0x2 (file 0x2042):\x1b[0m "+
		"\x1b[1;31merror:\x1b[0m sfp_version is 7 \x1b[2m[SF1003]\x1b[0m", first)
	assert.Equal(t, 3*4*2+2*2, strings.Count(b.String(), "\x1b["), "nothing but colours")
}

// Errors come while a run is under way, the rest at its end.
func TestTextHasErrorsAtOnce(t *testing.T) {
	var b bytes.Buffer
	r := reports.NewText(&b, false)
	require.NoError(t, r.File(outputtest.Files()[0]))
	assert.Equal(t, 1, strings.Count(b.String(), "\n"))
}

// Findings of one rule in a file are one line, and a quirk in all files.
func TestTextGrouped(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewText(&b, false).Group(), quirky("a", "b", "c")))
	assert.Equal(t, `a: .sframe+0x2 (file 0x2): error: one [SF1003] and 2 more
b: .sframe+0x2 (file 0x2): error: one [SF1003] and 2 more
c: .sframe+0x2 (file 0x2): error: one [SF1003] and 2 more
3 files, the first a: note: tolerable [SF2004]
`, b.String())
}

func TestStatistics(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewStatistics(&b), quirky("a", "b", "c")))
	assert.Equal(t, `FINDINGS   FILES  SEVERITY  RULE
       9       3  error     SF1003 `+outputtest.VersionRule.Title+`
       6       3  note      SF2004 `+outputtest.OrderRule.Title+` (known quirk)
`, b.String())
}

// quirky returns files with three errors and two quirks each.
func quirky(paths ...string) []*lint.File {
	var files []*lint.File
	for _, p := range paths {
		o := lint.Object{Input: lint.Input{Path: p}}
		for _, text := range []string{"one", "two", "three"} {
			o.Findings = append(o.Findings, rules.Finding{Rule: outputtest.VersionRule, Severity: rules.Error, Message: text, Path: p,
				InSection: true, Span: model.Span{Off: 2, Len: 1}, FileOffset: 2, FDE: -1, FRE: -1})
		}
		for range 2 {
			o.Findings = append(o.Findings, rules.Finding{Rule: outputtest.OrderRule, Severity: rules.Note, Message: "tolerable", Quirk: "some tool", Path: p, FDE: -1, FRE: -1})
		}
		files = append(files, &lint.File{Path: p, Objects: []lint.Object{o}})
	}
	return files
}

const githubReport = `::error file=bin/a%2Cb%3A 100%25.elf,title=SF1003::.sframe+0x2 (file 0x2042): sfp_version is 7
::warning file=bin/a%2Cb%3A 100%25.elf,title=SF2004::.sframe+0x1c (file 0x205c): FDE 3 "ma\x1b[31min\xff\u202e" FRE 2: row 2 starts at 0x4
::warning file=bin/a%2Cb%3A 100%25.elf,title=SF2004::.sframe+0x20 (file 0x2060): FDE 0 (pc 0x0): row 0\x0d\x0ais 100%25 off
::notice file=bin/a%2Cb%3A 100%25.elf,title=not checked::.sframe: not checked: 2 rules, as the file has 9 bytes of code
::error file=bin/a%2Cb%3A 100%25.elf,title=not checked::.sframe: not checked: 2 rules, as a gap\x0ais there (SF1016), whose finding is left out
::notice file=lib.a,title=SF5001::x<y>.o: no <data>
::error file=lib.a,title=SF5001::z.o: file 0x464: damaged
::error file=lib.a,title=not checked::z.o: internal error in rule SF2004: panic: index
::error file=gone.o,title=not checked::permission\x0adenied
`

func TestGitHub(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewGitHub(&b), outputtest.Files()))
	assert.Equal(t, githubReport, b.String())
}

// A line end in a path must not begin a command of its own.
func TestGitHubPathWithLineEnd(t *testing.T) {
	f := outputtest.Files()[0]
	f.Objects[0].Findings, f.Objects[0].HeldBack = f.Objects[0].Findings[:1], nil
	f.Objects[0].Findings[0].Path = "a\r\n::error::b"
	var b bytes.Buffer
	require.NoError(t, reports.NewGitHub(&b).File(f))
	assert.Equal(t, "::error file=a%0D%0A%3A%3Aerror%3A%3Ab,title=SF1003::.sframe+0x2 (file 0x2042): sfp_version is 7\n", b.String())
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "",
		"plain name.o":         "plain name.o",
		"späte Namen 日本":       "späte Namen 日本",
		"a\tb\nc\x00\x7f":      `a\x09b\x0ac\x00\x7f`,
		"\x1b]0;title\a":       `\x1b]0;title\x07`,
		"cut \xe2\x82":         `cut \xe2\x82`,
		"\u202egpj.o\u200b":    `\u202egpj.o\u200b`,
		"\u009b31m":            `\u009b31m`,
		"\U000e0041tag":        `\U000e0041tag`,
		"\ufffd is no mistake": "\ufffd is no mistake",
	} {
		assert.Equal(t, want, reports.Escape(in))
	}
	assert.Equal(t, "a\tb\u202e", reports.ValidUTF8("a\tb\u202e"))
	assert.Equal(t, "a\tb\u202e\\xff", reports.ValidUTF8("a\tb\u202e\xff"))
}

func TestSummary(t *testing.T) {
	var s lint.Summary
	for _, f := range outputtest.Files() {
		s.Add(f)
	}
	assert.Equal(t, lint.Summary{
		Errors: 2, Warnings: 2, Notes: 1, Files: 3, Sections: 1, FDEs: 4, FREs: 9, Without: 1, Cut: 17, Tally: lint.Tally{lint.ByBaseline: 2, lint.ByException: 1}, Fixable: 1,
		Failed: 2, Damaged: 1, Partly: 1, Hidden: 1, Checked: 3, // a rule, and a file that could not be read
	}, s)
	assert.Equal(t, 2, s.AtLeast(rules.Error))
	assert.Equal(t, 4, s.AtLeast(rules.Warning))
	assert.Equal(t, 5, s.AtLeast(rules.Note))
}

// An input that is damaged must never pass for one without faults.
func TestSummaryOfUnreadInput(t *testing.T) {
	f := outputtest.Files()[1]
	f.Objects = f.Objects[1:]
	f.Objects[0].Findings, f.Objects[0].Failures = nil, nil
	f.Objects[0].Gaps = []lint.Gap{{Reason: "cut off", Rule: "SF5024"}}
	var s lint.Summary
	s.Add(f)
	assert.Equal(t, 1, s.Failed)
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteErrorsAreTold(t *testing.T) {
	for name, r := range map[string]reports.Renderer{
		"text": reports.NewText(fullDisk{}, false), "github": reports.NewGitHub(fullDisk{}), "json": reports.NewJSON(fullDisk{}),
	} {
		assert.EqualError(t, outputtest.Render(r, outputtest.Files()), "no space left", name)
	}
}

// validate checks a report against the published schema.
func validate(t *testing.T, report []byte) error {
	t.Helper()
	file := must.Get(os.Open("../docs/schema/findings.schema.json"))(t)
	defer file.Close()
	doc := must.Get(jsonschema.UnmarshalJSON(file))(t)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("findings.schema.json", doc))
	s := must.Get(c.Compile("findings.schema.json"))(t)
	v := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(report)))(t)
	return s.Validate(v)
}

const jsonReport = `{
  "schema": "sframe-lint/1",
  "findings": [
    {"rule":"SF1003","severity":"error","message":"sfp_version is 7","path":"bin/a,b: 100%.elf","section":".sframe","section_offset":2,"length":1,"file_offset":8258,"fixes":[{"message":"set 3","safe":true,"edits":[{"file_offset":8258,"length":1,"bytes":"03"}]}]},
    {"rule":"SF2004","severity":"warning","message":"row 2 starts at 0x4","path":"bin/a,b: 100%.elf","section":".sframe","section_offset":28,"length":3,"file_offset":8284,"fde":3,"fre":2,"function":"ma\u001b[31min\\xff\u202e","pc":"0xffffffff81000004"},
    {"rule":"SF2004","severity":"warning","message":"row 0\r\nis 100% off","path":"bin/a,b: 100%.elf","section":".sframe","section_offset":32,"file_offset":8288,"fde":0,"pc":"0x0"},
    {"rule":"SF5001","severity":"note","message":"no <data>","path":"lib.a","member":"x<y>.o","file_offset":68},
    {"rule":"SF5001","severity":"error","message":"damaged","path":"lib.a","member":"z.o","length":8,"file_offset":1124,"fixes":[{"message":"cut <off>","safe":false,"path":"thin/z.o","edits":[{"file_offset":1108,"length":2,"bytes":"ab00"},{"file_offset":1124,"length":8,"bytes":""}]}]}
  ],
  "inputs": [
    {"path":"bin/a,b: 100%.elf","status":"ok","version":3,"abi":"AMD64","byte_order":"little","fdes":4,"fres":9,"bytes":200,"excepted":1},
    {"path":"lib.a","member":"x<y>.o","status":"no-sframe","detail":"no .sframe section"},
    {"path":"lib.a","member":"z.o","status":"damaged","detail":"cut off"},
    {"path":"gone.o","status":"unreadable","detail":"permission\ndenied"}
  ],
  "cut": [
    {"rule":"SF2004","path":"bin/a,b: 100%.elf","count":17}
  ],
  "skipped": [
    {"rule":"SF2004","path":"bin/a,b: 100%.elf","section":".sframe","fact":"machine code","limit":true,"chosen":true,"reason":"the file has 9 bytes of code"},
    {"rule":"SF1003","path":"bin/a,b: 100%.elf","section":".sframe","fact":"machine code","limit":true,"chosen":true,"reason":"the file has 9 bytes of code"},
    {"rule":"SF2004","path":"bin/a,b: 100%.elf","section":".sframe","fact":"FREs","reason":"a gap\nis there","reported_by":["SF1016"]},
    {"rule":"SF4001","path":"bin/a,b: 100%.elf","section":".sframe","fact":"FREs","reason":"a gap\nis there","reported_by":["SF1016"]}
  ],
  "failures": [
    {"rule":"SF2004","path":"lib.a","member":"z.o","reason":"panic: index"}
  ],
  "summary": {"errors":2,"warnings":2,"notes":1,"files":3,"known":2,"excepted":1,"checked":3}
}
`

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewJSON(&b), outputtest.Files()))
	assert.Equal(t, jsonReport, b.String())
	assert.NoError(t, validate(t, b.Bytes()))
}

const emptyJSON = `{
  "schema": "sframe-lint/1",
  "findings": [],
  "inputs": [],
  "summary": {"errors":0,"warnings":0,"notes":0,"files":0,"checked":0}
}
`

func TestJSONWithoutInputs(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewJSON(&b), nil))
	assert.Equal(t, emptyJSON, b.String())
	assert.NoError(t, validate(t, b.Bytes()))
}

// The schema must be one that a wrong report fails.
func TestSchemaRejects(t *testing.T) {
	for name, change := range map[string][2]string{
		"unknown member":        {`"member":"z.o"`, `"member":"z.o","colour":"red"`},
		"unknown severity":      {`"severity":"note"`, `"severity":"off"`},
		"decimal pc":            {`"pc":"0x0"`, `"pc":"0"`},
		"row without an FDE":    {`"fde":3,`, ``},
		"unknown status":        {`"status":"damaged"`, `"status":"bad"`},
		"another schema":        {"sframe-lint/1", "sframe-lint/2"},
		"missing place in file": {`,"file_offset":8258`, ``},
		"odd hex digits":        {`"bytes":"ab00"`, `"bytes":"ab0"`},
		"fix without edits":     {`"edits":[{"file_offset":8258,"length":1,"bytes":"03"}]`, `"edits":[]`},
		"version without ABI":   {`"abi":"AMD64",`, ``},
	} {
		bad := bytes.Replace([]byte(jsonReport), []byte(change[0]), []byte(change[1]), 1)
		require.NotEqual(t, jsonReport, string(bad), name)
		assert.Error(t, validate(t, bad), name)
	}
}
