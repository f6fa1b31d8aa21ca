package outputtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Tool is the program that tests of renderers name.
var Tool = reports.Tool{Name: "sframe-lint", Version: "1.2.3", URL: "https://example.org/tool"}

// Hostile returns a file whose names are all markup.
func Hostile() []*lint.File {
	const evil = `"><script>document.title="owned"</script><img src=x onerror="document.title='owned'">&amp;'` + "\x1b\xff"
	rule := rules.New(rules.Rule{ID: "SF9<i>1", Title: evil, Severity: rules.Error, Text: evil, Fix: evil}, nil)
	f := rules.Finding{
		Listing: &rules.Listing{Title: evil, Fields: []model.Field{{Bytes: []byte("<>&"), Name: evil, Value: evil}}, Mark: model.Span{Off: 2, Len: 1}},
		Rule:    rule, Severity: rules.Error, Message: evil, Path: evil, Member: evil, Section: evil, Function: evil,
		InSection: true, Span: model.Span{Off: 2, Len: 1}, FileOffset: 66, FDE: 0, FRE: -1,
		Fixes: []rules.Fix{{Message: evil, Edits: []rules.Edit{{Span: model.Span{Off: 1, Len: 1}, New: []byte("<")}}}},
	}
	return []*lint.File{{Path: evil, Err: errors.New(evil), Objects: []lint.Object{{
		Input:    lint.Input{Path: evil, Member: evil, File: evil, Status: "damaged", Detail: evil},
		Findings: []rules.Finding{f},
		Failures: []rules.Failure{{Rule: "SF9", Reason: evil, Stack: evil}},
		HeldBack: []rules.HeldBack{{Rule: "SF9", Absence: rules.Absence{Reason: evil}}},
		Cut:      map[string]int{"SF9": 3},
		Coverage: &coverage.File{
			Path: evil, Member: evil, Share: coverage.Share{Functions: 1, Bytes: 9}, Missing: []coverage.Reason{{Reason: coverage.NoCFI, Functions: 1, Bytes: 9}},
			Sections: []coverage.Section{{Section: evil}}, Gaps: []coverage.Gap{{Function: evil, Section: evil, Size: 9, Bytes: 9, Reason: coverage.NoCFI, Detail: evil}},
		},
	}}}}
}

// Many returns two inputs. The first has n findings of a rule in each of some functions, and the second has a warning
// about the whole input.
func Many(functions, n int) []*lint.File {
	one := lint.Object{Input: lint.Input{Path: "a.o", Status: "ok", Sections: 1, FDEs: functions, FREs: functions * n}}
	for i := range functions {
		for j := range n {
			one.Findings = append(one.Findings, rules.Finding{
				Rule: VersionRule, Severity: rules.Error, Message: fmt.Sprintf("row %d is wrong", j), Path: "a.o", InSection: true,
				FDE: i, FRE: j, Function: fmt.Sprintf("function_%d", i),
			})
		}
	}
	two := lint.Object{
		Input:    lint.Input{Path: "b.o", Status: "no-sframe"},
		Findings: []rules.Finding{{Rule: OrderRule, Severity: rules.Warning, Message: "odd", Path: "b.o", FDE: -1, FRE: -1}},
		Failures: []rules.Failure{{Rule: "SF2004", Reason: "panic"}},
	}
	return []*lint.File{{Path: "a.o", Objects: []lint.Object{one}}, {Path: "b.o", Objects: []lint.Object{two}}}
}

// Listing returns a listing of a section of an unknown version.
func Listing() *rules.Listing {
	return &rules.Listing{Title: "the header", Mark: model.Span{Off: 2, Len: 1}, Fields: []model.Field{
		{Span: model.Span{Len: 2}, Bytes: []byte{0xe2, 0xde}, Name: "sfp_magic", Value: "0xdee2"},
		{Span: model.Span{Off: 2, Len: 1}, Bytes: []byte{7}, Name: "sfp_version", Value: "7, unknown"},
	}}
}

// View returns the page that v writes about a file.
func View(t *testing.T, b *bytes.Buffer, v interface {
	Section(o *reader.Object, s *reader.SFrame) error
	Close() error
}, name string, data []byte) string {
	t.Helper()
	require.NoError(t, reader.ScanReader(name, bytes.NewReader(data), int64(len(data)), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			require.NoError(t, v.Section(o, s))
		}
		return nil
	}))
	require.NoError(t, v.Close())
	return b.String()
}

// HostileProgram returns a program with a function whose name is markup.
func HostileProgram(t *testing.T, program string) []byte {
	t.Helper()
	data := must.Get(os.ReadFile(program))(t)
	require.Contains(t, string(data), "\x00main\x00")
	return bytes.Replace(data, []byte("\x00main\x00"), []byte("\x00<b>x\x00"), 1)
}
