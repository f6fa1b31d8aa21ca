package reports_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// merged returns a report on functions that have a cause, where one is named, and one that has another.
func merged(t *testing.T, r reports.Renderer, out *bytes.Buffer, functions ...string) string {
	cause, other := &rules.Cause{Text: "c", Remedy: "r"}, &rules.Cause{Text: "d", Remedy: "s"}
	o := lint.Object{Input: lint.Input{Path: "a"}}
	for i, name := range functions {
		f := rules.Finding{Rule: outputtest.OrderRule, Severity: rules.Warning, Message: "m", Path: "a", Section: ".sframe", InSection: true, FDE: i, FRE: 0, Function: name}
		f.Span.Off, f.Span.Len = int64(0x100+i), 1
		switch {
		case name == "grave":
			f.Rule, f.Severity, f.Correction = outputtest.VersionRule, rules.Error, &rules.Correction{Cause: cause}
		case name == "alone":
			f.Correction = &rules.Correction{Cause: other}
		case name != "own":
			f.Correction = &rules.Correction{Cause: cause}
		}
		o.Findings = append(o.Findings, f, f)
		if name == "alone" {
			o.Findings = o.Findings[:len(o.Findings)-1]
		}
	}
	files := []*lint.File{{Path: "a", Objects: []lint.Object{o}}}
	run := must.Get(lint.Replay(t.Context(), lint.Options{}, nil, slices.Values(files)))(t)
	for range run.Files() {
	}
	before := fmt.Sprint(o.Findings)
	require.NoError(t, outputtest.Render(reports.Causes(r), files))
	assert.Equal(t, before, fmt.Sprint(o.Findings), "the results are not changed")
	return out.String()
}

// TestCauses: a cause is one finding, of its gravest severity; what has no cause, or one alone, stays.
func TestCauses(t *testing.T) {
	var b bytes.Buffer
	assert.Equal(t, `a: .sframe+0x103 (file 0x0): error: c; the code of 3 functions contradicts it: "f", "g", "grave": a tracer that interrupts the program there goes wrong; help: r [SF1003]
a: .sframe+0x101 (file 0x0): warning: FDE 1 "own" FRE 0: m [SF2004]
a: .sframe+0x101 (file 0x0): warning: FDE 1 "own" FRE 0: m [SF2004]
a: .sframe+0x104 (file 0x0): warning: FDE 4 "alone" FRE 0: m [SF2004]
`, merged(t, reports.NewText(&b, false), &b, "f", "own", "g", "grave", "alone"))
}

// TestFingerprintOfCause: it does not depend on the functions, so that a service finds it again in another version.
func TestFingerprintOfCause(t *testing.T) {
	print := regexp.MustCompile(`"fingerprint":"[^"]*"`)
	var b, c bytes.Buffer
	first, second := print.FindAllString(merged(t, reports.NewGitLab(&b), &b, "f", "g"), -1), print.FindAllString(merged(t, reports.NewGitLab(&c), &c, "g", "h", "i"), -1)
	require.Len(t, first, 1)
	assert.Equal(t, first, second)
}

// repeated is one fault in an object file and in programs, beside another one.
func repeated() (files []*lint.File) {
	for _, path := range []string{"asm.o", "app", "good"} {
		f := func(line int) rules.Finding {
			return rules.Finding{Rule: rules.New(rules.Rule{ID: "SF3114", Title: "t"}, nil), Severity: rules.Error, Path: path, FDE: -1, FRE: -1, Function: "f",
				Message: "m of " + path, Source: &rules.Source{Path: "asm.s", Line: line, EndLine: line}}
		}
		all := []rules.Finding{f(9)}
		if path == "good" {
			all = append(all, f(12))
		}
		files = append(files, &lint.File{Path: path, Objects: []lint.Object{{Input: lint.Input{Path: path}, Findings: all}}})
	}
	return files
}

// TestRepeats: one fault of a source is reported once, with the other inputs that have it.
func TestRepeats(t *testing.T) {
	write := func(r interface {
		File(*lint.File) error
		Close(lint.Summary) error
	}) {
		for _, f := range repeated() {
			require.NoError(t, r.File(f))
		}
		require.NoError(t, r.Close(lint.Summary{}))
	}
	var b strings.Builder
	write(reports.NewText(&b, false).Group())
	assert.Equal(t, 1, strings.Count(b.String(), "m of asm.o"))
	assert.NotContains(t, b.String(), "m of app")
	assert.Equal(t, 1, strings.Count(b.String(), "m of good"))
	assert.Contains(t, b.String(), "asm.s:9 (in f): SF3114 is also in app, good\n")
	b.Reset()
	write(reports.NewText(&b, false))
	assert.Equal(t, 4, strings.Count(b.String(), "m of "), "-v lists all")
	b.Reset()
	write(reports.NewGitHub(&b))
	assert.Equal(t, 2, strings.Count(b.String(), "::error file=asm.s"))
	assert.Contains(t, b.String(), "::notice file=asm.s,line=9,endLine=9,title=SF3114::SF3114 is also in app, good\n")
}

// TestReplay: what is read from JSON lines gives the same report and the same counts, for files that are damaged, not
// fully checked, or no files at all.
func TestReplay(t *testing.T) {
	byID := map[string]*rules.Rule{}
	for _, r := range lint.Rules() {
		byID[r.ID] = r
	}
	linter := must.Get(lint.New(lint.Options{
		Show: rules.Note, Facts: true, Coverage: 10, Consumers: []string{"linux"}, Ignore: []string{"SF1016"},
		Severity: []lint.Override{{ID: "SF1013", Level: rules.Off}},
	}))(t)
	run := linter.Run(t.Context(), "../corpus/files/hand", "../corpus/files/binutils-2.44", "nothing")
	var first, second bytes.Buffer
	w := reports.NewJSONLines(&first).Measures()
	for f := range run.Files() {
		require.NoError(t, w.File(f))
	}
	sum := run.Summary()
	require.NoError(t, w.Close(sum))
	assert.Contains(t, first.String(), `"mend":[{"offset":"0x`)
	assert.Positive(t, sum.Partly)
	assert.Positive(t, sum.Accepted)

	var files []*lint.File
	keep := func(f *lint.File) bool { files = append(files, f); return true }
	require.NoError(t, reports.Replay(&first, func(id string) *rules.Rule { return byID[id] }, keep))
	replay := must.Get(lint.Replay(t.Context(), lint.Options{Show: rules.Note}, linter.Severities(), func(yield func(*lint.File) bool) {
		for _, f := range files {
			if !yield(f) {
				return
			}
		}
	}))(t)
	w = reports.NewJSONLines(&second).Measures()
	for f := range replay.Files() {
		require.NoError(t, w.File(f))
	}
	again := replay.Summary()
	again.Skipped = sum.Skipped // entries of directories have no results
	require.NoError(t, w.Close(again))
	assert.Equal(t, sum, again)

	// The first buffer was read to its end.
	run = linter.Run(t.Context(), "../corpus/files/hand", "../corpus/files/binutils-2.44", "nothing")
	w = reports.NewJSONLines(&first).Measures()
	for f := range run.Files() {
		require.NoError(t, w.File(f))
	}
	require.NoError(t, w.Close(run.Summary()))
	a, b := strings.Split(first.String(), "\n"), strings.Split(second.String(), "\n")
	require.Len(t, b, len(a))
	for i := range a {
		require.Equal(t, a[i], b[i])
	}
}

// TestReplayDamaged: lines that no report has are errors, and nothing else.
func TestReplayDamaged(t *testing.T) {
	for _, text := range []string{"x", `{"cut":{}}`, `{"finding":{"rule":"SF0000"}}`, `{"finding":{"rule":"SF1001","severity":"bad"}}`,
		`{"finding":{"rule":"SF1001","severity":"note","pc":"x"}}`, `{"finding":{"rule":"SF1001","severity":"note","fixes":[{"edits":[{"bytes":"x"}]}]}}`} {
		err := reports.Replay(strings.NewReader(text), func(id string) *rules.Rule {
			if id == "SF1001" {
				return &rules.Rule{ID: id}
			}
			return nil
		}, func(*lint.File) bool { return true })
		assert.Error(t, err, text)
	}
	assert.NoError(t, reports.Replay(strings.NewReader(`{"another":1}`), nil, func(*lint.File) bool { return true }))
}
