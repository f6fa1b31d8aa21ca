package compat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/compat"
)

// selected returns the rules for a selection.
func selected(t *testing.T, names string) []*rules.Rule {
	t.Helper()
	all, err := consumers.Select(names)
	require.NoError(t, err)
	return compat.Rules(all)
}

func set(at int, text string) []ruletest.Edit { return []ruletest.Edit{ruletest.Set(at, text)} }

func TestRules(t *testing.T) {
	// Every FDE has FREs, and no CFA is in memory.
	plain := []ruletest.Edit{ruletest.Set(0x9d, "01"), ruletest.Set(0xb1, "31")}
	for names, cases := range map[string][]ruletest.Case{
		"linux-user": {
			{Name: "reads", Base: ruletest.V3AMD64, Edits: plain},
			{Name: "an FDE without FREs", Base: ruletest.V3AMD64, Want: []string{"SF8001 0x9d+2"}},
			{Name: "an FDE without FREs", Base: ruletest.V3S390X, Want: []string{"SF8001 0x9e+2"}},
			{Name: "version", Base: ruletest.V2AMD64, Want: []string{"SF8001 0x2+1"}},
			{Name: "unsorted", Base: ruletest.V3AMD64, Edits: set(3, "04"), Want: []string{"SF8001 0x3+1"}},
			{Name: "rows", Base: ruletest.V3AMD64, Edits: set(0x7c, "41"), Want: []string{"SF8001 0x7c+1"}},
			{Name: "rows at the end", Base: ruletest.V3AMD64, Edits: append(set(0x7c, "40"), plain...)},
			{Name: "repetition", Base: ruletest.V3AMD64, Edits: set(0x96, "00"), Want: []string{"SF8003 0x96+1"}},
			{Name: "fixed RA", Base: ruletest.V3AMD64, Edits: append(set(6, "00"), plain...), Want: []string{"SF8002 0x6+1"}},
			{Name: "outside code", Base: ruletest.V3AMD64, Edits: set(0x5c, "@8:2000"), Object: linked, Want: []string{"SF8001 0x5c+8"}},
			{Name: "no segment", Base: ruletest.V3AMD64, Object: noSegment, Want: []string{"SF8004 file 0x2136+4"}},
			{Name: "object file", Base: ruletest.V2AMD64, Object: relocatable},
			{Name: "no header", Base: ruletest.V3AMD64, Edits: []ruletest.Edit{ruletest.Delete(20, 162)}, Want: []string{"SF8001 0x0+20"}},
		},
		"libsframe-2.47": {
			{Name: "reads", Base: ruletest.V3AMD64},
			{Name: "reads", Base: ruletest.V2AArch64BE},
			{Name: "rows", Base: ruletest.V3AMD64, Edits: set(0x7c, "41"), Want: []string{"SF8003 0x7c+1"}},
			// A misunderstanding does not end the reading, a crash does.
			{Name: "several", Base: ruletest.V3AMD64, Edits: []ruletest.Edit{ruletest.Set(6, "00"), ruletest.Set(0x7c, "41")}, Want: []string{"SF8003 0x7c+1"}},
			{Name: "version and rows", Base: ruletest.V3AMD64, Edits: []ruletest.Edit{ruletest.Set(2, "04"), ruletest.Set(0x7c, "41")}, Want: []string{"SF8001 0x2+1"}},
		},
		"mold,lld,linux": {
			{Name: "linkers alone", Base: ruletest.V2AMD64, Object: relocatable, Want: []string{"SF8004 0x2+1", "SF8004 file 0x2114+4"}},
			{Name: "unwinders alone", Base: ruletest.V2AMD64, Object: linked, Want: []string{"SF8001 0x2+1"}},
		},
		"": {
			{Name: "nothing", Base: ruletest.V2AMD64, Edits: set(2, "09")},
		},
	} {
		t.Run(names, func(t *testing.T) { ruletest.Run(t, selected(t, names), cases) })
	}
}

func linked(data []byte, abi model.ABIInfo) *reader.Object { return ruletest.Linked(data, abi) }

func noSegment(data []byte, abi model.ABIInfo) *reader.Object {
	o := ruletest.Linked(data, abi)
	o.ELF.Segments = o.ELF.Segments[:2]
	return o
}

func relocatable(data []byte, abi model.ABIInfo) *reader.Object {
	return ruletest.Relocatable(data, abi, nil)
}

func TestMessage(t *testing.T) {
	d := rules.Driver{Rules: selected(t, "libsframe,linux")}
	o := ruletest.Raw(ruletest.V3AMD64.Bytes(t, ruletest.Set(0x96, "00"), ruletest.Set(0x7c, "41")))
	var got []string
	for _, f := range d.Run(o).Findings {
		got = append(got, f.Message)
	}
	require.Equal(t, []string{
		"linux-user rejects the section: an FRE starts at 65, but the function ends at 64: it disables the section: at registration if built with validation, otherwise when it reaches the FRE",
		"libsframe-2.47 crashes on the section: an FRE starts at 65, but the function ends at 64: it aborts on an assertion",
	}, got)
	o = ruletest.Raw(ruletest.V3AMD64.Bytes(t, ruletest.Set(0x96, "00")))
	require.Equal(t, "linux-user may crash on the section: FDE 2 has PC type MASK and rep_size 0: it divides by rep_size",
		d.Run(o).Findings[0].Message)
}

// TestHelp: what helps with a consumer stands in place of the remedy of the rule.
func TestHelp(t *testing.T) {
	d := rules.Driver{Rules: selected(t, "zig")}
	var got []string
	require.NoError(t, reader.Scan("../../../corpus/files/binutils-2.47/amd64/frames.o", reader.Options{}, func(o *reader.Object) error {
		for _, f := range d.Run(o).Findings {
			got = append(got, f.Help)
		}
		return nil
	}))
	require.Contains(t, got[0], "use Zig 0.17 or a build of 0.16 with commit 9df02121, or -fllvm -flld, or a copy of the object (crt1.o)")
}

func TestFamily(t *testing.T) {
	ids := []string{}
	for _, r := range compat.Rules(nil) {
		ids = append(ids, r.ID)
		require.Equal(t, byte('8'), r.Family())
		require.NotEmpty(t, r.Text)
		require.NotEmpty(t, r.Fix)
		require.NotEmpty(t, r.Good)
		require.NotEmpty(t, r.Bad)
		require.NotNil(t, r.Analyzer)
	}
	require.Equal(t, []string{"SF8001", "SF8002", "SF8003", "SF8004"}, ids)
}
