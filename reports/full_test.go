package reports_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

const fullReport = `error[SF1003]: unknown version
  --> bin/a,b: 100%.elf: .sframe+0x2 (file
      0x2042)
  |
  | sfp_version is 7
  |
  = or run sframe-lint --fix: set 3
  = more: sframe-lint explain SF1003

error[SF5001]: no SFrame data
  --> lib.a(z.o): file 0x464
  |
  | damaged
  |
  = or run sframe-lint --fix --fix-unsafe: cut
    <off>
  = more: sframe-lint explain SF5001

warning[SF2004]: rows out of order, in
    "ma\x1b[31min\xff\u202e"
  --> bin/a,b: 100%.elf: .sframe+0x1c (file
      0x205c), FDE 3 "ma\x1b[31min\xff\u202e"
      FRE 2
  |
  | row 2 starts at 0x4
  |
  = more: sframe-lint explain SF2004

warning[SF2004]: rows out of order, at 0x0
  --> bin/a,b: 100%.elf: .sframe+0x20 (file
      0x2060), FDE 0 (pc 0x0)
  |
  | row 0\x0d\x0ais 100% off
  |
  = more: sframe-lint explain SF2004

note[SF5001]: no SFrame data
  --> lib.a(x<y>.o)
  |
  | no <data>
  |
  = more: sframe-lint explain SF5001

bin/a,b: 100%.elf: .sframe: not checked: 2 rules, as the file has 9 bytes of code
bin/a,b: 100%.elf: .sframe: not checked: 2 rules, as a gap\x0ais there (SF1016), whose finding is left out
SFrame data, in the section .sframe, says for
each instruction where the caller's frame is;
profilers, debuggers and the kernel use it to
write stack traces. FDE: the entry of a
function. FRE: a row of such an entry, for some
of the function's instructions.
`

func TestFull(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewText(&b, false).Paragraphs(48), outputtest.Files()))
	assert.Equal(t, fullReport, b.String())
}

// shown returns a file with a finding that has all that a paragraph can show.
func shown() *lint.File {
	row := model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: 7, Offset: 16}, RA: model.Recovery{Kind: model.FromCFA, Offset: -8, Deref: true}, FP: model.Recovery{Kind: model.Unchanged}}
	other := row
	other.CFA.Offset = 8
	f := rules.Finding{
		Rule: outputtest.OrderRule, Severity: rules.Warning, Path: "a.o", InSection: true, Span: model.Span{Off: 0x12, Len: 1}, FileOffset: 0x52, FDE: 0, FRE: 1,
		HasPC: true, PC: 4, At: &rules.Addr{Section: ".plt"}, Help: "write .cfi_def_cfa_offset 16",
		Message: `the CFA is rsp+16, but rsp+8 in the code (.plt+0x4: 50 "push %rax"): a tracer goes wrong`,
		Frame: &rules.Frame{ABI: model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, Proof: []string{`.plt+0x4: 50 "push %rax"`}, Witness: []string{"on entry: rsp is CFA-8"},
			Sides: []rules.Side{{Source: "SFrame", Row: row}, {Source: "code", Row: other}}},
		Source: &rules.Source{Path: "x\x1b.S", Line: 3, EndLine: 3, Function: "f"},
	}
	field := model.Field{Span: model.Span{Off: 0x10, Len: 8}, Bytes: []byte("01234567"), Name: "name", Value: "1"}
	f.Listing = &rules.Listing{Title: "FRE 1", Fields: []model.Field{field}, Mark: f.Span}
	return &lint.File{Path: "a.o", Objects: []lint.Object{{
		Input: lint.Input{Path: "a.o"}, Findings: []rules.Finding{f},
	}}}
}

const paragraph = `warning[SF2004]: rows out of order, at .plt+0x4
  --> x\x1b.S:3 (in f)
  --> a.o: .sframe+0x12 (file 0x52), FDE 0 (.plt+0x4) FRE 1
  |
  | the CFA is rsp+16, but rsp+8 in the code
  |
  | .plt+0x4: 50 "push %rax"
  |
  | on this path of the code:
  |   on entry: rsp is CFA-8
  |
  |       SFrame      code
  | CFA   rsp+16      rsp+8       differs
  | RA    *(CFA-8)    *(CFA-8)
  | FP    unchanged   unchanged
  |
  | FRE 1:
  | > 0010  30 31 32 33 34 35 36 37  name = 1
  |
  = a tracer goes wrong
  = help: write .cfi_def_cfa_offset 16
  = more: sframe-lint explain SF2004
`

// On a narrow terminal the sources stand one below the other, and a line has fewer bytes.
const narrow = `warning[SF2004]: rows out of
    order, at
    .plt+0x4
  --> x\x1b.S:3 (in f)
  --> a.o: .sframe+0x12 (file
      0x52), FDE 0 (.plt+0x4)
      FRE 1
  |
  | the CFA is rsp+16, but
  | rsp+8 in the code
  |
  | .plt+0x4: 50 "push %rax"
  |
  | on this path of the code:
  |   on entry: rsp is CFA-8
  |
  | CFA SFrame: rsp+16
  | CFA code: rsp+8
  | RA SFrame: *(CFA-8)
  | RA code: *(CFA-8)
  | FP SFrame: unchanged
  | FP code: unchanged
  |
  | FRE 1:
  |   0010  30 31  name = 1
  | > 0012  32 33
  |   0014  34 35
  |   0016  36 37
  |
  = a tracer goes wrong
  = help: write
    .cfi_def_cfa_offset 16
  = more: sframe-lint explain
    SF2004
`

func TestParagraph(t *testing.T) {
	for width, want := range map[int]string{60: paragraph, 30: narrow, 1: narrow} {
		var b bytes.Buffer
		require.NoError(t, outputtest.Render(reports.NewText(&b, false).Paragraphs(width), []*lint.File{shown()}))
		got, _, _ := strings.Cut(b.String(), "\n\n")
		assert.Equal(t, strings.Split(want, "\n"), strings.Split(got+"\n", "\n"), "%d", width)
		for line := range strings.Lines(b.String()) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), max(width, 30), line)
		}
		var colours bytes.Buffer
		require.NoError(t, outputtest.Render(reports.NewText(&colours, true).Paragraphs(width), []*lint.File{shown()}))
		assert.Contains(t, colours.String(), "\x1b[1;35mwarning[SF2004]\x1b[0m")
		assert.Equal(t, b.String(), colour.ReplaceAllString(colours.String(), ""))
	}
}

// After very many paragraphs a finding is a line: the report has a bound.
func TestManyParagraphs(t *testing.T) {
	f := shown()
	o := &f.Objects[0]
	for range reports.MostParagraphs + 7 {
		o.Findings = append(o.Findings, o.Findings[0])
	}
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewText(&b, false).Paragraphs(80), []*lint.File{f}))
	assert.Equal(t, reports.MostParagraphs, strings.Count(b.String(), "warning[SF2004]: "))
	assert.Len(t, regexp.MustCompile(`(?m)^x\\x1b\.S:3 \(in f\): warning: .* \[SF2004\]$`).FindAllString(b.String(), -1), 8)
}

// The others of a rule are named, five of them, then counted.
func TestOthersAreNamed(t *testing.T) {
	for n, want := range map[int]string{
		1: "", 2: ` and 1 more: "f1"`, 6: ` and 5 more: "f1", "f2" (w.c:2), "f3", "f4", "f5"`,
		9: ` and 8 more: "f1", "f2" (w.c:2), "f3", "f4", "f5" and 3 others (-v lists all)`,
	} {
		o := lint.Object{Input: lint.Input{Path: "a"}}
		for i := range n {
			f := rules.Finding{Rule: outputtest.VersionRule, Severity: rules.Error, Message: "x", Path: "a", FDE: i, FRE: -1, Function: fmt.Sprint("f", i)}
			if i == 2 {
				f.Source = &rules.Source{Path: "w.c", Line: 2}
			}
			o.Findings = append(o.Findings, f, f) // the same function twice
		}
		var b bytes.Buffer
		require.NoError(t, outputtest.Render(reports.NewText(&b, false).Group(), []*lint.File{{Path: "a", Objects: []lint.Object{o}}}))
		if n == 1 {
			want = " and 1 more"
		} else {
			want = regexp.MustCompile(`and \d+ more`).ReplaceAllString(want, fmt.Sprintf("and %d more", 2*n-1))
			want = strings.Replace(want, "3 others", "6 others", 1)
		}
		assert.Equal(t, `a: error: FDE 0 "f0": x [SF1003]`+want+"\n", b.String())
	}
}
