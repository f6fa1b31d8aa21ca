package reports_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	run, err := lint.Replay(t.Context(), lint.Options{}, nil, slices.Values(files))
	require.NoError(t, err)
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
