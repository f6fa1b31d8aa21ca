package frame_test

import (
	"testing"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
)

func TestCallerFrames(t *testing.T) {
	rt.Table(t, []*rules.Rule{frame.OtherBase, frame.InRegister}, `
		V3AMD64 | CFA from r10 |  | SF3201 0xab+4
		V3AMD64 | CFA from no register | f4.1.word0 = -31 |
		V3S390X | CFA from f9 | f4.1.word0 = -31 / f4.2.word0 = 121 |
		V3AMD64 | CFA from a register of another ABI | abi_arch = 0x2 / f4.1.word0 = 81 |
		V2S390X | RA in no register | f0.1.word1 = 127 |
		V2S390X | words that the ABI has no use for | set 0x10 00000026 / set 0x38 00000011 / set 0x4c 0000001e / set 0x60 00000024 / set 0x70 09 00 21 23 / insert 0x74 00 |
		V3AMD64 | CFA from rbp | f4.1.word0 = 51 |
		V2S390X | RA and FP in registers | f0.1.word1 = 33 / f0.1.word2 = 35 | SF3202 0x6f+5
		V2S390X | RA and FP in the frame |  |
	`)
}
