// Package outputtest checks the output of programs. It has sample findings with everything that is hard to print,
// validates SARIF, and checks exit statuses and manual pages.
package outputtest

import (
	"errors"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Version, Order and Absent are rules with different severities.
var (
	VersionRule = rules.New(rules.Rule{
		ID: "SF1003", Title: "unknown version", Clause: "SFrame Version", Severity: rules.Error,
		Text: "sfp_version is 1, 2 or 3.", Fix: "Set the right one.", Good: "sfp_version = 03", Bad: "sfp_version = 07",
	}, nil)
	OrderRule = rules.New(rules.Rule{
		ID: "SF2004", Title: "rows out of order", Severity: rules.Warning,
		Versions: []model.Version{model.SFRAME_VERSION_2, model.SFRAME_VERSION_3},
		ABIs:     []model.ABI{model.SFRAME_ABI_AARCH64_ENDIAN_BIG, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE},
		Text:     "Rows ascend.", Quirk: []string{"gas 2.40"}, Bugs: []string{"https://example.org/1"},
	}, nil)
	AbsentRule = rules.New(rules.Rule{
		ID: "SF5001", Title: "no SFrame data", Severity: rules.Note, Text: "None.", OptIn: true,
	}, nil)
)

// Rules returns the rules of the sample.
func Rules() []*rules.Rule { return []*rules.Rule{VersionRule, OrderRule, AbsentRule} }

// Files returns an executable with a hostile symbol name, an archive, and a file that could not be read.
func Files() []*lint.File {
	return []*lint.File{executable(), archive(), {Path: "gone.o", Err: errors.New("permission\ndenied")}}
}

func executable() *lint.File {
	const path = "bin/a,b: 100%.elf"
	return &lint.File{Path: path, Objects: []lint.Object{{
		Input: lint.Input{
			Path: path, Status: reader.StatusOK, Version: 3, ABI: "AMD64", FDEs: 4, FREs: 9, Bytes: 200, Sections: 1,
		},
		Findings: []rules.Finding{
			{
				Rule: VersionRule, Severity: rules.Error, Message: "sfp_version is 7", Path: path,
				Section: ".sframe", SectionIndex: 12, InSection: true,
				Span: model.Span{Off: 2, Len: 1}, FileOffset: 0x2042, FDE: -1, FRE: -1,
				Fixes: []rules.Fix{{Message: "set 3", Safe: true, Edits: []rules.Edit{{Span: model.Span{Off: 0x2042, Len: 1}, New: []byte{3}}}}},
			},
			{
				Rule: OrderRule, Severity: rules.Warning, Message: "row 2 starts at 0x4", Path: path,
				Section: ".sframe", SectionIndex: 12, InSection: true,
				Span: model.Span{Off: 0x1c, Len: 3}, FileOffset: 0x205c, FDE: 3, FRE: 2,
				Function: "ma\x1b[31min\xff\u202e", PC: 0xffffffff81000004, HasPC: true,
			},
			{
				Rule: OrderRule, Severity: rules.Warning, Message: "row 0\r\nis 100% off", Path: path,
				Section: ".sframe", SectionIndex: 12, InSection: true,
				Span: model.Span{Off: 0x20}, FileOffset: 0x2060, FDE: 0, FRE: -1, PC: 0, HasPC: true,
			},
		},
		Cut: map[string]int{"SF2004": 17},
		HeldBack: []rules.HeldBack{
			heldBack("SF2004", rules.CodeReadable, "the file has 9 bytes of code"), heldBack("SF1003", rules.CodeReadable, "the file has 9 bytes of code"),
			heldBack("SF2004", rules.FREsKnown, "a gap\nis there", "SF1016"), heldBack("SF4001", rules.FREsKnown, "a gap\nis there", "SF1016"),
		},
		Tally: lint.Tally{lint.ByBaseline: 2, lint.ByException: 1},
	}}}
}

func heldBack(rule string, f rules.Fact, reason string, causes ...string) rules.HeldBack {
	return rules.HeldBack{Rule: rule, Absence: rules.Absence{Fact: f, Reason: reason, Causes: causes, Limit: f.Limited(), Chosen: f.Limited()}, Section: ".sframe", SectionIndex: 12}
}

func archive() *lint.File {
	const path = "lib.a"
	return &lint.File{Path: path, Objects: []lint.Object{
		{
			Input: lint.Input{Path: path, Member: "x<y>.o", Status: reader.StatusNoSFrame, Detail: "no .sframe section"},
			Findings: []rules.Finding{{
				Rule: AbsentRule, Severity: rules.Note, Message: "no <data>", Path: path, Member: "x<y>.o", FileOffset: 0x44, FDE: -1, FRE: -1,
			}},
		},
		{
			Input: lint.Input{Path: path, Member: "z.o", File: "thin/z.o", Status: reader.StatusDamaged, Detail: "cut off"},
			Findings: []rules.Finding{{
				Rule: AbsentRule, Severity: rules.Error, Message: "damaged", Path: path, Member: "z.o",
				Span: model.Span{Off: 0x20, Len: 8}, FileOffset: 0x464, FDE: -1, FRE: -1, Base: 0x444,
				Fixes: []rules.Fix{{Message: "cut <off>", Edits: []rules.Edit{
					{Span: model.Span{Off: 0x10, Len: 2}, New: []byte{0xab, 0}}, {Span: model.Span{Off: 0x20, Len: 8}}}}},
			}},
			Failures: []rules.Failure{{Rule: "SF2004", Path: path, Member: "z.o", Reason: "panic: index", Stack: "goroutine 1"}},
		},
	}}
}

// Render passes the files to a renderer.
func Render(r reports.Renderer, files []*lint.File) error {
	var s lint.Summary
	for _, f := range files {
		s.Add(f)
		if err := r.File(f); err != nil {
			return err
		}
	}
	return r.Close(s)
}
