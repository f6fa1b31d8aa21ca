package fre_test

import (
	"testing"

	rt "github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
)

// words gives FDE 0 a single row with other words.
const words = "words: .replace f0 0x1000 0x40 / 0: base sp; words $"

func TestWordCount(t *testing.T) {
	rt.Table(t, all, words+`
		V2AMD64 | 3 | words 8, -16, -8 | SF4001 f0.0.info
		V1AMD64 | 3 | words 8, -16, -8 | SF1004 version, SF4001 f0.0.info
		V2AArch64BE | 4 | words 32, -24, -32, 0 | SF4001 f0.0.info
		V2AArch64 | 2 | words 32, -24 | SF4008 f0.0.info
		V2S390X | 4 | words 20, -48, -72, 0 | SF4001 f0.0.info
		V2S390X | 2 | words 20, -48 |
		V2AMD64 | 15, wrong slots | words 8, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2 | SF4001 f0.0.info
	`)
}

func TestS390X(t *testing.T) {
	rt.Table(t, all, words+`
		V2S390X | padding alone | words 20, 0 | SF4002 f0.0.word1
		V2S390X | padding and FP | f0.1.word1 = 0 |
		V3S390X | padding and FP | f0.1.word1 = 0 |
		V2S390X | no register | f0.1.word1 = 65 | SF4003 f0.1.word1
		V2S390X | no register | f0.1.word2 = -1 | SF4003 f0.1.word2
		V2S390X | the last register | f0.1.word1 = 63 / f0.1.word2 = 1 |
		V3S390X | odd slot | f0.1.word1 = 33 | SF4004 f0.1.word1
		V2S390X | even slot | f0.1.word1 = -46 / f0.1.word2 = -68 | SF4004 f0.1.word1, SF4004 f0.1.word2
		V3S390X | flexible slot | f4.1.word3 = -47 | SF4004 f4.1.word3
		V2S390X | FP 0 | f0.2.word2 = 0 | SF4005 f0.2.word2
		V3S390X | FP 0 | f0.2.word2 = 0 | SF4005 f0.2.word2
		V3S390X | ABI in doubt | cfa_fixed_ra_offset = -8 / f0.2.word2 = 0 | SF1008 cfa_fixed_ra_offset
	`)
}

func TestSlot(t *testing.T) {
	rt.Table(t, all, `
		V3AMD64 | FP | f0.1.word1 = -12 | SF4006 f0.1.word1
		V1AMD64 | FP | f0.1.word1 = -15 | SF1004 version, SF4006 f0.1.word1
		V2AArch64BE | RA and FP | f0.1.word1 = -23 / f0.1.word2 = -28 | SF4006 f0.1.word1, SF4006 f0.1.word2
		V3AArch64 | CFA | f0.1.word0 = 33 |
		V3AArch64 | flexible | f4.2.word3 = -28 | SF4006 f4.2.word3
		V3AMD64 | flexible, from a register | f4.2.word4 = 4 |
		V3AMD64 | undefined FDE type | f0.info2 = 0x5 / f0.1.word1 = -12 | SF2004 f0.info2
	`)
}
