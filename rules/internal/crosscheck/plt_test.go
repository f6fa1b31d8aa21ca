package crosscheck_test

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/crosscheck"
)

// plt puts a PLT at 0x1240, where an FDE of the test sections is one, and
// another at 0x1300.
func plt(names ...string) func(*elftest.File) {
	return func(f *elftest.File) {
		for i, name := range names {
			f.Sections = append(f.Sections, elf.SectionHeader{Name: name, Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR,
				Addr: 0x1240 + 0xc0*uint64(i), Offset: 0x1240 + 0xc0*uint64(i), Size: 0x40})
		}
	}
}

// onlyPLT leaves the third FDE alone.
var onlyPLT = []ruletest.Edit{
	ruletest.Set(0x8, "00000001"), ruletest.Set(0xc, "00000002"), ruletest.Set(0x10, "0000000b"), ruletest.Set(0x18, "00000010"),
	ruletest.Delete(0xa2, 0xb6-0xa2), ruletest.Delete(0x6c, 0x92-0x6c-0), ruletest.Delete(0x4c, 0x20), ruletest.Delete(0x1c, 0x20),
	ruletest.Set(0x1c, "@8:1240"), ruletest.Set(0x28, "00000000"),
}

func TestPLT(t *testing.T) {
	run(t, []fileCase{
		{name: "covered", change: plt(".plt")},
		{name: "one of two is not", change: plt(".plt", ".plt.got"), want: []string{"SF6005 file 0x600+64"}},
		{name: "half", change: func(f *elftest.File) { plt(".plt")(f); f.Sections[0].Addr = 0x12a0 }, want: []string{"SF6005 file 0x5c0+64"}},
		{name: "no code", change: func(f *elftest.File) { plt(".plt", ".plt.got")(f); f.Sections[1].Flags = elf.SHF_ALLOC }},
		{name: "another section", change: plt(".plt", ".pltx")},
		{name: "object", object: true, change: plt(".plt", ".plt.got")},
		{name: "alone", edits: onlyPLT, change: plt(".plt"), want: []string{"SF6004 0x8+4"}},
		{name: "right after a PLT", edits: onlyPLT, change: func(f *elftest.File) { plt(".plt")(f); f.Sections[0].Addr, f.Sections[0].Size = 0x1200, 0x40 }, want: []string{"SF6005 file 0x5c0+64", "SF6014 0x8+4"}},
		{name: "alone, but for a section that is not there", edits: onlyPLT, change: func(f *elftest.File) {
			plt(".plt")(f)
			f.Symbols = []elftest.Symbol{{Name: "x", Section: elftest.MoreIndex + 1, Value: 0x1000, Size: 8, Type: elf.STT_FUNC}}
		}},
		{name: "alone, without symbols", edits: onlyPLT, change: func(f *elftest.File) { plt(".plt")(f); f.Symbols = nil }},
		{name: "no PLT at all", edits: onlyPLT, want: []string{"SF6014 0x8+4"}},
	})
	require.Equal(t, "the FDEs cover only part of .plt (0x12a0 to 0x12e0), not the stubs from 0x12b8 to 0x12e0: a tracer stops there",
		message(t, fileCase{change: func(f *elftest.File) { plt(".plt")(f); f.Sections[0].Addr = 0x12a0 }}))
	require.Equal(t, "no FDE covers .plt.got (0x1300 to 0x1340): a tracer stops in its stubs", message(t, fileCase{change: plt(".plt", ".plt.got")}))
	require.Equal(t, "the section has 1 FDE for the PLT, but none for functions such as \"a\": a tracer stops there",
		message(t, fileCase{edits: onlyPLT, change: plt(".plt")}))
}

func TestPLTSeverity(t *testing.T) {
	severity := func(set map[string]rules.Severity, change func(*elftest.File)) (out rules.Severity) {
		elftest.Read(t, fileCase{change: change}.bytes(t), func(o *reader.Object) {
			res := (&rules.Driver{Rules: []*rules.Rule{crosscheck.PLTUncovered}, Severity: set}).Run(o)
			require.Len(t, res.Findings, 1)
			out = res.Findings[0].Severity
		})
		return out
	}
	none := func(f *elftest.File) { plt(".plt")(f); f.Sections[0].Addr = 0x1300 }
	require.Equal(t, rules.Warning, severity(nil, plt(".plt", ".plt.got")), "the other PLT has an FDE")
	require.Equal(t, rules.Note, severity(nil, none), "no PLT has")
	require.Equal(t, rules.Error, severity(map[string]rules.Severity{"SF6005": rules.Error}, none), "raised by the user")
	require.Equal(t, rules.Warning, severity(nil, func(f *elftest.File) { plt(".plt")(f); f.Sections[0].Addr = 0x12a0 }))
}

func TestAgainstFlag(t *testing.T) {
	clear := []ruletest.Edit{ruletest.Set(3, "01")}
	bad := []string{"SF6006 0x3+1"}
	keep := func(n int, more ...elftest.Symbol) func(*elftest.File) {
		return func(f *elftest.File) { f.Symbols = append(f.Symbols[:n+1], more...) }
	}
	run(t, []fileCase{
		{name: "clear", early: true, edits: clear, want: bad},
		{name: "clear, V2", early: true, base: ruletest.V2AArch64, edits: clear, want: bad},
		{name: "set", edits: []ruletest.Edit{ruletest.Set(0x1c, "fffffffffffff000"), ruletest.Set(0x2c, "fffffffffffff040"), ruletest.Set(0x3c, "fffffffffffff240"),
			ruletest.Set(0x4c, "fffffffffffff280"), ruletest.Set(0x5c, "fffffffffffff290")}, want: bad},
		{name: "clear and outside of code is SF2015's", edits: clear},
		{name: "without symbols", early: true, edits: clear, change: func(f *elftest.File) { f.Symbols = nil }},
		{name: "no more than half the other way", early: true, base: ruletest.V2AMD64, edits: clear, change: keep(2),
			want: []string{"SF6001 0x30+4", "SF6001 0x58+4"}},
		{name: "no more than half, one with an alias", early: true, base: ruletest.V2AMD64, edits: clear, change: keep(2, function("alias", 0x1000, 0x40)),
			want: []string{"SF6001 0x30+4", "SF6001 0x58+4"}},
		{name: "a quarter as flagged", early: true, base: ruletest.V2AMD64, edits: clear, change: more(function("x", 0x0fe4, 4)), want: bad},
		{name: "more than a quarter as flagged", early: true, base: ruletest.V2AMD64, edits: clear,
			change: more(function("x", 0x0fe4, 0x40), function("y", 0x1010, 0x200)), want: []string{"SF6014 0x8+4", "SF6001 0x58+4"}},
		{name: "a symbol after all", early: true, base: ruletest.V2AMD64, edits: clear, change: more(function("x", 0x13f0, 4)), want: bad},
	})
	require.Equal(t, "SFRAME_F_FDE_FUNC_START_PCREL is clear, but most functions start at symbols only if each start is relative to its field: consumers find wrong FREs",
		message(t, fileCase{early: true, edits: clear}))
}

// The fix of a finding leaves nothing to be found.
func TestFix(t *testing.T) {
	data := fileCase{early: true, edits: []ruletest.Edit{ruletest.Set(3, "01")}}.bytes(t)
	elftest.Read(t, data, func(o *reader.Object) {
		res := (&rules.Driver{Rules: crosscheck.Rules}).Run(o)
		require.Len(t, res.Findings, 1)
		require.Len(t, res.Findings[0].Fixes, 1)
		require.False(t, res.Findings[0].Fixes[0].Safe)
		elftest.Apply(data, res.Findings[0].Fixes[0])
	})
	elftest.Read(t, data, func(o *reader.Object) { require.Empty(t, ruletest.Findings(t, crosscheck.Rules, o)) })

	run(t, []fileCase{{name: "version 1 has no flag to set", base: ruletest.V1AMD64, edits: []ruletest.Edit{
		ruletest.Set(0x1c, "@4:1000"), ruletest.Set(0x2d, "@4:1040")}, early: true, want: []string{"SF6006 0x3+1"}}})
}

// The third FDE has PC type MASK, rep_size 16 and the FREs of a lazy stub, or on
// AArch64 of one that moves SP by 16 bytes.
func TestStubRows(t *testing.T) {
	stub := func(n int, text string) []byte {
		b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		require.NoError(t, err)
		return bytes.Repeat(b, n)
	}
	const (
		lazy  = "ff2501020304 6801000000 e9e0ffffff"
		ibt   = "f30f1efa 6801000000 e9e0ffffff 6690"
		plain = "100000f0 11fe47f9 10e23f91 20021fd6"
		s390x = "c01000000f00 e31010000004 07f1 0d10 e310100c0014 c0f4ffffffe5 00000018"
	)
	first := stub(1, "ff3501020304 ff2501020304 0f1f4000")
	set := func(at int, text string) []ruletest.Edit { return []ruletest.Edit{ruletest.Set(at, text)} }
	run(t, []fileCase{
		{name: "lazy", change: plt(".plt"), code: stub(4, lazy)},
		{name: "not a PLT", code: stub(4, ibt)},
		{name: "another stub", change: plt(".plt"), code: stub(4, ibt), want: []string{"SF6018 0x97+3"}},
		{name: "unknown code first", change: plt(".plt"), code: append(make([]byte, 16), stub(3, ibt)...)},
		{name: "resolver", change: plt(".plt"), code: append(first, stub(3, lazy)...), want: []string{"SF6018 0x97+3"}},
		{name: "resolver where none is", change: plt(".plt"), code: append(stub(1, lazy), first...)},
		{name: "row too early", change: plt(".plt"), code: stub(4, lazy), edits: set(0x9a, "06"), want: []string{"SF6018 0x9a+3"}},
		{name: "row early inside an instruction", change: plt(".plt"), code: stub(4, lazy), edits: set(0x9a, "08")},
		{name: "rep_size", change: plt(".plt"), code: stub(4, lazy), edits: set(0x96, "08"), want: []string{"SF6018 0x96+1"}},
		{name: "INC", change: plt(".plt"), code: stub(4, lazy), edits: []ruletest.Edit{ruletest.Set(0x94, "00"), ruletest.Set(0x96, "00")}, want: []string{"SF6018 0x94+1"}},
		{name: "INC for one stub", change: plt(".plt"), code: stub(1, lazy), edits: []ruletest.Edit{ruletest.Set(0x94, "00"), ruletest.Set(0x96, "00")}},
		{name: "AArch64", base: ruletest.V3AArch64, change: plt(".plt"), code: stub(4, plain), want: []string{"SF6018 0x9b+3"}},
		{name: "s390x", base: ruletest.V3S390X, change: plt(".plt"), code: stub(2, s390x), want: []string{"SF6018 0x97+1"}},
	})
	require.Equal(t, "the CFA at 0x1249 is rsp+8 in the FRE, but rsp+16 in the code (.plt, byte 9 of a lazy stub with ENDBR64): a tracer finds a wrong RA",
		message(t, fileCase{change: plt(".plt"), code: stub(4, ibt)}))
	require.Equal(t, "the CFA at 0x1250 is rsp+16 in the FRE, but rsp+8 in the code (.plt, start of a lazy stub; PC type INC describes one stub, not several): a tracer finds a wrong RA",
		message(t, fileCase{change: plt(".plt"), code: stub(4, lazy), edits: []ruletest.Edit{ruletest.Set(0x94, "00"), ruletest.Set(0x96, "00")}}))
}
