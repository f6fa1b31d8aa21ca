package crosscheck_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
	"github.com/sframe-lint/sframe-lint/rules/internal/crosscheck"
)

// selected returns the rules for a selection.
func selected(t *testing.T, names string) []*rules.Rule {
	t.Helper()
	all, err := consumers.Select(names)
	require.NoError(t, err)
	return crosscheck.Consumers(all, catalogue.Asked)
}

func TestRules(t *testing.T) {
	// Every FDE has FREs, and no CFA is in memory.
	const plain = "plain: set 0x9d 01 / set 0xb1 31"
	for names, cases := range map[string]string{
		"linux-user": plain + `
			V3AMD64 | reads | plain |
			V3AMD64 | an FDE without FREs |  | SF8001 0x9d+2
			V3S390X | an FDE without FREs |  | SF8001 0x9e+2
			V2AMD64 | version |  | SF8001 0x2+1
			V3AMD64 | unsorted | set 3 04 | SF8001 0x3+1
			V3AMD64 | rows | set 0x7c 41 | SF8001 0x7c+1
			V3AMD64 | rows at the end | set 0x7c 40 / plain |
			V3AMD64 | repetition | set 0x96 00 | SF8003 0x96+1
			V3AMD64 | fixed RA | set 6 00 / plain | SF8002 0x6+1
			V3AMD64 | outside code | set 0x5c @8:2000 / linked | SF8001 0x5c+8
			V3AMD64 | no segment | linked / segments 2 | SF8004 file 0x2136+4
			V2AMD64 | object file | relocatable |
			V3AMD64 | no header | delete 20 162 | SF8001 0x0+20
		`,
		"libsframe-2.47": `
			V3AMD64 | reads |  |
			V2AArch64BE | reads |  |
			V3AMD64 | rows | set 0x7c 41 | SF8003 0x7c+1
			# A misunderstanding does not end the reading, a crash does.
			V3AMD64 | several | set 6 00 / set 0x7c 41 | SF8003 0x7c+1
			V3AMD64 | version and rows | set 2 04 / set 0x7c 41 | SF8001 0x2+1
		`,
		"mold,lld,linux": `
			V2AMD64 | linkers alone | relocatable | SF8004 0x2+1, SF8004 file 0x2114+4
			V2AMD64 | unwinders alone | linked | SF8001 0x2+1
		`,
		"": `
			V2AMD64 | nothing | set 2 09 |
		`,
	} {
		t.Run(names, func(t *testing.T) { ruletest.Table(t, selected(t, names), cases) })
	}
}

func TestMessage(t *testing.T) {
	d := rules.Driver{Rules: selected(t, "libsframe,linux")}
	o := ruletest.Raw(ruletest.V3AMD64.Bytes(t, ruletest.Set(0x96, "00"), ruletest.Set(0x7c, "41")))
	var got []string
	for _, f := range d.Run(o).Findings {
		got = append(got, f.Message)
	}
	require.Equal(t, []string{
		"linux-user rejects the section because an FRE starts at 65, but the function ends at 64: linux-user disables the section (at registration if built with validation, otherwise at the FRE)",
		"libsframe-2.47 crashes on the section because an FRE starts at 65, but the function ends at 64: libsframe-2.47 aborts on an assertion",
	}, got)
	o = ruletest.Raw(ruletest.V3AMD64.Bytes(t, ruletest.Set(0x96, "00")))
	require.Equal(t, "linux-user may crash on the section because FDE 2 has PC type MASK and rep_size 0: linux-user divides by rep_size",
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
	for _, r := range crosscheck.Consumers(nil, nil) {
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
