package reports_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

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
