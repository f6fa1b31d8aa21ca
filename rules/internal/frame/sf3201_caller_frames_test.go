package frame_test

import (
	"testing"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
)

func TestCallerFrames(t *testing.T) {
	rt.Run(t, []*rules.Rule{frame.OtherBase, frame.InRegister}, []rt.Case{
		{Name: "CFA from r10", Base: rt.V3AMD64, Want: []string{"SF3201 0xab+4"}},
		{Name: "CFA from no register", Base: rt.V3AMD64, Text: "f4.1.word0 = -31"},
		{Name: "CFA from f9", Base: rt.V3S390X, Text: "f4.1.word0 = -31\nf4.2.word0 = 121"},
		{Name: "CFA from a register of another ABI", Base: rt.V3AMD64, Text: "abi_arch = 0x2\nf4.1.word0 = 81"},
		{Name: "RA in no register", Base: rt.V2S390X, Text: "f0.1.word1 = 127"},
		{Name: "words that the ABI has no use for", Base: rt.V2S390X, Edits: []rt.Edit{
			rt.Set(0x10, "00000026"), rt.Set(0x38, "00000011"), rt.Set(0x4c, "0000001e"), rt.Set(0x60, "00000024"),
			rt.Set(0x70, "09 00 21 23"), rt.Insert(0x74, "00")}},
		{Name: "CFA from rbp", Base: rt.V3AMD64, Text: "f4.1.word0 = 51"},
		{Name: "RA and FP in registers", Base: rt.V2S390X, Text: "f0.1.word1 = 33\nf0.1.word2 = 35", Want: []string{"SF3202 0x6f+5"}},
		{Name: "RA and FP in the frame", Base: rt.V2S390X},
	})
}
