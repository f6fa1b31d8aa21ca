package size_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/size"
)

func edits(e ...rt.Edit) []rt.Edit { return e }

// linked puts the section into an executable.
func linked(data []byte, abi model.ABIInfo) *reader.Object { return rt.Linked(data, abi) }

func TestValidSectionsAreTight(t *testing.T) {
	for _, b := range rt.Bases() {
		want := []string{}
		if b == rt.V3AArch64 || b == rt.V3AArch64BE {
			want = []string{"SF7002 0xb1+1"} // its flexible row has words of 2 bytes on purpose
		}
		require.Equal(t, want, rt.Findings(t, size.Rules, linked(b.Bytes(t), b.ABI())), b.Name)
	}
}

func TestAdvice(t *testing.T) {
	rt.Run(t, size.Rules, []rt.Case{
		// The last row of FDE 1 starts at 0xf8 instead of 0x1f8.
		{Name: "ADDR2 for 0xf8", Base: rt.V3AMD64, Text: "f1.2.start = 0xf8", Want: []string{"SF7001 f1.info"}},
		// The row that starts at 0x1f8 is not there to be seen.
		{Name: "ADDR2 for a row that cannot be had", Base: rt.V3AMD64, Text: "f1.1.info = 0x63"},
		{Name: "ADDR2 for 0xf8, and rows missing elsewhere", Base: rt.V3AMD64, Text: "f1.2.start = 0xf8\nf0.3.info = 0x65",
			Want: []string{"SF7001 0x82+1"}},
		{Name: "2-byte words for 16", Base: rt.V3AMD64, Text: "f1.1.word0 = 16", Want: []string{"SF7002 f1.1.info"}},
		{Name: "2-byte words for 128", Base: rt.V3AMD64, Text: "f1.1.word0 = 128"},
		{Name: "a row again", Base: rt.V3AMD64, Text: "f0.2.info = 0x5", Want: []string{"SF7003 0x78+4"}},
		{Name: "both", Base: rt.V3AMD64, Text: "f0.2.info = 0x5\nf1.2.start = 0xf8",
			Want: []string{"SF7006 0x6c+74", "SF7003 0x78+4", "SF7001 0x82+1"}},
		// FDE 4 gets rsp+16 for r10, and the same with FP saved for *(rbp-8).
		{Name: "flexible where the default type does", Base: rt.V3AMD64, Edits: edits(rt.Set(0xad, "39 10"), rt.Set(0xaf, "11 0a 39 10 00 02 f0")),
			Want: []string{"SF7007 0xa5+1"}},
		{Name: "not sorted", Base: rt.V3AMD64, Text: "flags = 0x4", Object: linked, Want: []string{"SF7005 flags"}},
	})
}

// A second stub after FDE 2, in the place of FDE 3.
func TestMergeableStubs(t *testing.T) {
	const stub = ".replace f3 0x1280 0x10 mask=16\n0: cfa = rsp+8\n"
	rt.Run(t, size.Rules, []rt.Case{
		{Name: "another stub", Base: rt.V3AMD64, Text: stub + "11: cfa = rsp+16", Want: []string{"SF7004 0x4c+16"}},
		{Name: "a different one", Base: rt.V3AMD64, Text: stub + "10: cfa = rsp+16"},
	})
}
