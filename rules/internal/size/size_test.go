package size_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/rules/internal/size"
)

func TestValidSectionsAreTight(t *testing.T) {
	for _, b := range rt.Bases() {
		want := []string{}
		if b == rt.V3AArch64 || b == rt.V3AArch64BE {
			want = []string{"SF7002 0xb1+1"} // its flexible row has words of 2 bytes on purpose
		}
		require.Equal(t, want, rt.Findings(t, size.Rules, rt.Linked(b.Bytes(t), b.ABI())), b.Name)
	}
}

func TestAdvice(t *testing.T) {
	rt.Table(t, size.Rules, `
		# The last row of FDE 1 starts at 0xf8 instead of 0x1f8.
		V3AMD64 | ADDR2 for 0xf8 | f1.2.start = 0xf8 | SF7001 f1.info
		# The row that starts at 0x1f8 is not there to be seen.
		V3AMD64 | ADDR2 for a row that cannot be had | f1.1.info = 0x63 |
		V3AMD64 | ADDR2 for 0xf8, and rows missing elsewhere | f1.2.start = 0xf8 / f0.3.info = 0x65 | SF7001 0x82+1
		V3AMD64 | 2-byte words for 16 | f1.1.word0 = 16 | SF7002 f1.1.info
		V3AMD64 | 2-byte words for 128 | f1.1.word0 = 128 |
		V3AMD64 | a row again | f0.2.info = 0x5 | SF7003 0x78+4
		V3AMD64 | both | f0.2.info = 0x5 / f1.2.start = 0xf8 | SF7006 0x6c+74, SF7003 0x78+4, SF7001 0x82+1
		# FDE 4 gets rsp+16 for r10, and the same with FP saved for *(rbp-8).
		V3AMD64 | flexible where the default type does | set 0xad 39 10 / set 0xaf 11 0a 39 10 00 02 f0 | SF7007 0xa5+1
		V3AMD64 | not sorted | flags = 0x4 / linked | SF7005 flags
	`)
}

// A second stub after FDE 2, in the place of FDE 3.
func TestMergeableStubs(t *testing.T) {
	rt.Table(t, size.Rules, `
		stub: .replace f3 0x1280 0x10 mask=16 / 0: cfa = rsp+8
		V3AMD64 | another stub | stub / 11: cfa = rsp+16 | SF7004 0x4c+16
		V3AMD64 | a different one | stub / 10: cfa = rsp+16 |
	`)
}
