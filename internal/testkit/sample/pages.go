package sample

import (
	"errors"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/coverage"
	"github.com/sframe-lint/sframe-lint/internal/execute"
	"github.com/sframe-lint/sframe-lint/internal/rewrite"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Tool is the program in the tests of renderers.
var Tool = reports.Tool{Name: "sframe-lint", Version: "1.2.3", URL: "https://example.org/tool"}

// Hostile returns a file in which each name is markup.
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

// Many returns two inputs: the first one has n findings of a rule in each of some functions,
// the other one a warning about all of it.
func Many(functions, n int) []*lint.File {
	one := lint.Object{Input: lint.Input{Path: "a.o", Status: "ok", Sections: 1, FDEs: functions, FREs: functions * n}}
	for i := range functions {
		for j := range n {
			one.Findings = append(one.Findings, rules.Finding{
				Rule: Version, Severity: rules.Error, Message: fmt.Sprintf("row %d is wrong", j), Path: "a.o", InSection: true,
				FDE: i, FRE: j, Function: fmt.Sprintf("function_%d", i),
			})
		}
	}
	two := lint.Object{
		Input:    lint.Input{Path: "b.o", Status: "no-sframe"},
		Findings: []rules.Finding{{Rule: Order, Severity: rules.Warning, Message: "odd", Path: "b.o", FDE: -1, FRE: -1}},
		Failures: []rules.Failure{{Rule: "SF2004", Reason: "panic"}},
	}
	return []*lint.File{{Path: "a.o", Objects: []lint.Object{one}}, {Path: "b.o", Objects: []lint.Object{two}}}
}

// HostileRun returns a report in which each name is markup. It has two mismatches in
// one function and one of the CFI in another.
func HostileRun() *execute.Report {
	const evil = `"><script>document.title="owned"</script><img src=x onerror="document.title='owned'">&amp;'` + "\x1b\xff"
	caller := execute.Caller{SP: "0x7000", PC: "0x1010", FP: "0x1"}
	bad := execute.Caller{SP: "0x7008", PC: "0xbad", FP: evil}
	at := func(start uint64, fre int, v execute.Verdict, what string) *execute.Mismatch {
		return &execute.Mismatch{
			File: evil, BuildID: evil, Function: evil, Start: start, FDE: 3, FRE: fre, Row: evil, CFI: "CFA=rsp+8", What: what, Verdict: v,
			Steps: 2, PC: start + 4, Offset: 4, Instruction: evil, Registers: map[string]string{evil: evil, "rsp": "0x6ff8"}, Have: bad, Want: caller,
		}
	}
	stop := at(0x2000, -1, execute.VerdictCFI, "stop")
	stop.Have = execute.Caller{Stop: evil}
	return &execute.Report{
		Program: []string{evil, ""}, ABI: evil, Exit: &execute.Exit{Cut: evil}, Stats: execute.Stats{Steps: 123456, Checked: 99, Wrong: 4},
		Files:      []execute.File{{Path: evil, BuildID: evil, Functions: 1, OfFDEs: 8, Rows: 3, OfFREs: 12}, {Path: "empty"}},
		Mismatches: []*execute.Mismatch{at(0x1000, 1, execute.VerdictSFrame, "cfa"), at(0x1000, 2, execute.VerdictOther, "ra"), stop},
	}
}

// HostileSizes returns the sizes of two sections whose names are markup.
func HostileSizes() *rewrite.Sizes {
	const evil = `"><script>document.title="owned"</script>` + "\x1b\xff"
	s := &rewrite.Size{Path: evil, Version: 3, ABI: "AMD64", Bytes: 1000, FDEs: 3, FREs: 9, EHFrame: 900, Parts: rewrite.Parts{Header: 28, Words: 972},
		Least: 900, Costs: rewrite.Costs{Shared: 90, Starts: 10}}
	for i := range 40 {
		s.Functions = append(s.Functions, rewrite.FunctionSize{Name: evil, Start: "0x1", Bytes: int64(20 - i/4)})
	}
	all := rewrite.NewSizes()
	all.Sections = append(all.Sections, s, &rewrite.Size{Path: "b", Member: evil, Bytes: 28, Least: 28, Reason: evil})
	all.Finish()
	all.Unattributed = 28
	all.Libraries = []*rewrite.LibrarySize{
		{ObjectSize: rewrite.ObjectSize{Name: evil, Bytes: 900}, Count: 2, Objects: []rewrite.ObjectSize{{Name: evil, Bytes: 800}}},
		{ObjectSize: rewrite.ObjectSize{Bytes: 100}, Count: 1, Objects: []rewrite.ObjectSize{{Name: "main.o", Bytes: 100}}},
	}
	return all
}

// Listing is of a version that is not known.
func Listing() *rules.Listing {
	return &rules.Listing{Title: "the header", Mark: model.Span{Off: 2, Len: 1}, Fields: []model.Field{
		{Span: model.Span{Len: 2}, Bytes: []byte{0xe2, 0xde}, Name: "sfp_magic", Value: "0xdee2"},
		{Span: model.Span{Off: 2, Len: 1}, Bytes: []byte{7}, Name: "sfp_version", Value: "7, unknown"},
	}}
}
