package rules_test

import (
	"debug/elf"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// missing returns for each fact that is not known the rules that report it.
func missing(t *testing.T, o *reader.Object) map[rules.Fact][]string {
	t.Helper()
	var all []*rules.Rule
	for f := rules.HeaderKnown; f < rules.SymbolsReadable; f <<= 1 {
		all = append(all, rules.New(rules.Rule{ID: f.String(), Needs: f, Severity: rules.Note}, func(*rules.Context) {}))
	}
	got := map[rules.Fact][]string{}
	for _, h := range (&rules.Driver{Rules: all}).Run(o).HeldBack {
		i := slices.IndexFunc(all, func(r *rules.Rule) bool { return r.ID == h.Rule })
		assert.NotEmpty(t, h.Reason)
		got[1<<i] = h.Causes
	}
	return got
}

func TestFacts(t *testing.T) {
	type facts = map[rules.Fact][]string
	abi := func(causes ...string) facts {
		return facts{rules.ABIKnown: causes, rules.RAKnown: causes, rules.FPKnown: causes}
	}
	raw := func(base rt.Base, edits ...rt.Edit) *reader.Object { return rt.Raw(base.Bytes(t, edits...)) }
	otherMachine := rt.Linked(rt.V3AMD64.Bytes(t), rt.V3AMD64.ABI())
	otherMachine.ELF.Machine = elf.EM_AARCH64
	for name, c := range map[string]struct {
		obj  *reader.Object
		want facts
	}{
		"raw":                                   {raw(rt.V3AMD64), facts{}},
		"linked":                                {rt.Linked(rt.V3AMD64.Bytes(t), rt.V3AMD64.ABI()), facts{}},
		"unknown ABI":                           {raw(rt.V3AMD64, rt.Set(0x04, "13")), abi("SF1006")},
		"other machine":                         {otherMachine, abi("SF5007")},
		"byte order of another ABI":             {raw(rt.V3AMD64, rt.Set(0x04, "04"), rt.Set(0x06, "00")), abi("SF1007")},
		"AArch64 of the other byte order":       {raw(rt.V3AArch64, rt.Set(0x04, "01")), facts{}},
		"fixed RA offset of another ABI":        {raw(rt.V3AMD64, rt.Set(0x04, "02")), abi("SF1008")},
		"fixed RA offset of no ABI":             {raw(rt.V3AMD64, rt.Set(0x06, "f0")), facts{rules.RAKnown: {"SF1008"}}},
		"fixed FP offset":                       {raw(rt.V3AArch64, rt.Set(0x05, "08")), facts{rules.FPKnown: {"SF1009", "SF1023"}}},
		"FREs in the wrong place":               {raw(rt.V3AMD64, rt.Set(0x18, "00000051")), facts{rules.FREsKnown: {"SF1016"}, rules.AttributesKnown: {"SF1016"}, rules.AllFDEsKnown: {"SF1016"}}},
		"the same in version 2":                 {raw(rt.V2AMD64, rt.Set(0x18, "00001051")), facts{rules.FREsKnown: {"SF1013"}, rules.AllFDEsKnown: {"SF1013"}}},
		"empty section: there is nothing in it": {&reader.Object{SFrames: []*reader.SFrame{{}}}, facts{}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, missing(t, c.obj)) })
	}
	none := missing(t, rt.Raw([]byte("no SFrame here")))
	assert.Len(t, none, bits.TrailingZeros32(uint32(rules.SymbolsReadable)), "without a header nothing is known")
}
