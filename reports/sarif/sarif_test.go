package sarif

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	official "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

//go:generate go test . -run TestGolden -update

var update = flag.Bool("update", false, "write the golden files anew")

func options() Options {
	return Options{
		Tool:  reports.Tool{Name: "sframe-lint", Version: "1.2.3", URL: "https://example.org/tool"},
		Rules: outputtest.Rules(), Root: "/src/my project",
	}
}

func render(t *testing.T, files []*lint.File) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(New(&b, options()), files))
	return b.Bytes()
}

// first returns the only run of a report.
func first(t *testing.T, report []byte) *official.Run {
	t.Helper()
	r := must.Get(official.FromBytes(report))(t)
	require.Len(t, r.Runs, 1)
	return r.Runs[0]
}

func TestGolden(t *testing.T) {
	const golden = "testdata/report.sarif"
	var got bytes.Buffer
	require.NoError(t, json.Indent(&got, render(t, outputtest.Files()), "", "  "))
	if *update {
		require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o666))
	}
	want := must.Get(os.ReadFile(golden))(t)
	assert.Equal(t, string(want), got.String())
}

// TestFingerprintsDiffer: files in different directories may have one name.
func TestFingerprintsDiffer(t *testing.T) {
	var files []*lint.File
	for _, dir := range []string{"a/", "b/"} {
		for _, f := range outputtest.Files() {
			for i := range f.Objects {
				for j := range f.Objects[i].Findings {
					f.Objects[i].Findings[j].Path = dir + f.Objects[i].Findings[j].Path
				}
			}
			files = append(files, f)
		}
	}
	seen := map[string]bool{}
	for _, r := range first(t, render(t, files)).Results {
		print := r.PartialFingerprints["sframeLint/v1"]
		require.False(t, seen[print], print)
		seen[print] = true
	}
	require.NotEmpty(t, seen)
}

func TestValid(t *testing.T) {
	for name, files := range map[string][]*lint.File{"sample": outputtest.Files(), "nothing": nil} {
		report := render(t, files)
		assert.NoError(t, outputtest.ValidateSARIF(report), name)
		r := must.Get(official.FromBytes(report, official.WithStrictValidation()))(t)
		assert.NoError(t, r.Validate(), name)
	}
}

func TestSchemaRejects(t *testing.T) {
	report := render(t, outputtest.Files())
	for name, change := range map[string][2]string{
		"unknown level":  {`"level":"error"`, `"level":"fatal"`},
		"negative place": {`"byteOffset":8258`, `"byteOffset":-2`},
		"no version":     {`"version":"2.1.0"`, `"version":"2.0.0"`},
		"unknown member": {`"ruleId":"SF1003"`, `"ruleId":"SF1003","rule_id":"SF1003"`},
	} {
		bad := bytes.Replace(report, []byte(change[0]), []byte(change[1]), 1)
		require.NotEqual(t, report, bad, name)
		assert.Error(t, outputtest.ValidateSARIF(bad), name)
	}
}

func finding(r *rules.Rule, n int) rules.Finding {
	return rules.Finding{
		Rule: r, Severity: r.Severity, Message: fmt.Sprint("finding ", n), Path: "a.o",
		Section: ".sframe", InSection: true, Span: model.Span{Off: int64(n), Len: 1}, FileOffset: int64(n), FDE: n, FRE: -1,
	}
}

func TestWorstFirst(t *testing.T) {
	var all []rules.Finding
	for i, r := range []*rules.Rule{outputtest.AbsentRule, outputtest.OrderRule, outputtest.VersionRule, outputtest.OrderRule, outputtest.VersionRule} {
		all = append(all, finding(r, i))
	}
	run := first(t, render(t, []*lint.File{{Path: "a.o", Objects: []lint.Object{{Findings: all}}}}))
	var got []string
	for _, r := range run.Results {
		got = append(got, r.Level+" "+*r.Message.Text)
	}
	assert.Equal(t, []string{"error finding 2", "error finding 4", "warning finding 1", "warning finding 3", "note finding 0"}, got)
}

func TestLimit(t *testing.T) {
	var b bytes.Buffer
	r := New(&b, options())
	assert.Equal(t, 25000, r.max)
	r.max = 2
	f := &lint.File{Path: "a.o", Objects: []lint.Object{{Findings: []rules.Finding{
		finding(outputtest.OrderRule, 0), finding(outputtest.OrderRule, 1), finding(outputtest.VersionRule, 2)}}}}
	require.NoError(t, outputtest.Render(r, []*lint.File{f}))
	run := first(t, b.Bytes())
	require.Len(t, run.Results, 2)
	assert.Equal(t, "finding 2", *run.Results[0].Message.Text)
	assert.Equal(t, "finding 0", *run.Results[1].Message.Text)
	notes := run.Invocations[0].ToolExecutionNotifications
	require.Len(t, notes, 1)
	assert.Equal(t, "2 of 3 findings are reported, the most severe first", *notes[0].Message.Text)
	assert.True(t, *run.Invocations[0].ExecutionSuccessful)
	assert.NoError(t, outputtest.ValidateSARIF(b.Bytes()))
}

func TestUnreadInputIsTold(t *testing.T) {
	run := first(t, render(t, []*lint.File{{Path: "a.o", Objects: []lint.Object{{
		Input: lint.Input{Path: "a.o", Status: "damaged", Detail: "the ELF header is cut off"},
		Gaps:  []lint.Gap{{Reason: "the ELF header is cut off", Rule: "SF5024"}}}}}}))
	assert.False(t, *run.Invocations[0].ExecutionSuccessful)
	assert.Equal(t, "a.o: damaged: the ELF header is cut off", *run.Invocations[0].ToolExecutionNotifications[0].Message.Text)
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteErrorIsTold(t *testing.T) {
	assert.EqualError(t, outputtest.Render(New(fullDisk{}, options()), nil), "no space left")
}

// A rule of another module has no page and no family here.
func TestRuleOfAnotherModule(t *testing.T) {
	own := descriptor(rules.New(rules.Rule{ID: "ACME1001", Title: "small function"}, func(*rules.Context) {}))
	assert.Nil(t, own.HelpURI)
	assert.Equal(t, []string{"sframe"}, own.Properties.Tags)
	known := descriptor(&rules.Rule{ID: "SF1001"})
	assert.Equal(t, rules.DocURL("SF1001"), *known.HelpURI)
	assert.Equal(t, []string{"sframe", "SF1"}, known.Properties.Tags)
}
