package cfi_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// TestLinuxRefusal: what the series for Linux follows, by its source.
func TestLinuxRefusal(t *testing.T) {
	with := func(abi model.ABIInfo, change func(*cieSpec)) cieSpec {
		k := usual(abi)
		change(&k)
		return k
	}
	plain := usual(amd64)
	for _, c := range []struct {
		name    string
		abi     model.ABIInfo
		cie     cieSpec
		program []byte
		why     string
		fatal   bool
		pc      uint64
	}{
		{"push", amd64, plain, ops(0x41, 0x0e, 16, 0x86, 2, 0x0a, 0x41, 0x0e, 8, 0x0b), "", false, 0},
		{"all instructions", amd64, plain, ops(0x02, 1, 0x03, 1, 0, 0x04, 1, 0, 0, 0, 0x05, 6, 2, 0x06, 6, 0x07, 6, 0x08, 6, 0x09, 6, 3, 0x0c, 7, 8, 0x0d, 6,
			0x11, 6, 2, 0x12, 7, 2, 0x13, 2, 0x14, 6, 2, 0x15, 6, 2, 0x2e, 4), "", false, 0},
		{"expressions of others", amd64, plain, cat(ops(0x10, 3), block(0x77, 8), ops(0x16, 12), block(0x77, 8)), "", false, 0},
		{"after the code", amd64, plain, ops(0x60, 0x0a, 0x0a), "", false, 0},
		{"realigned", amd64, plain, cat(ops(0x41, 0x0f), block(0x76, 0x78, 0x06)), "the CFA is the value of an expression", false, 0x1001},
		{"FP", amd64, plain, cat(ops(0x10, 6), block(0x76, 0)), "rbp is the value of an expression", false, 0x1000},
		{"nested states", amd64, plain, ops(0x0a, 0x0a), "more than 1 state is remembered at a time", true, 0x1000},
		{"restored states", amd64, plain, ops(0x42, 0x0b), "a state is restored that was not remembered", true, 0x1002},
		{"set_loc", amd64, plain, ops(0x01, 0, 0, 0, 0), "the instruction 0x01 is unknown", false, 0x1000},
		{"signed", amd64, plain, ops(0x2d), "the instruction 0x2d is unknown", false, 0x1000},
		{"SP", amd64, plain, ops(0x87, 2), "the CFI has a rule for SP", false, 0x1000},
		{"SP as the ABI has it", amd64, plain, ops(0x14, 7, 0), "", false, 0},
		{"SP elsewhere", amd64, plain, ops(0x14, 7, 1), "SP is not what the ABI defines", false, 0x1000},
		{"SP undefined", s390x, usual(s390x), ops(0x07, 15), "SP is undefined", false, 0x1000},
		{"SP in a slot", s390x, usual(s390x), ops(0x8f, 5), "", false, 0},
		{"cut off", amd64, plain, ops(0x42, 0, 0x0c), "the instructions are cut off", true, 0x1002},
		{"many", amd64, plain, bytes.Repeat(ops(0x2e, 0), 8191), "", false, 0},
		{"too many", amd64, plain, bytes.Repeat(ops(0), 16383), "there are more than 16384 instructions", true, 0x1000},
		{"long", amd64, plain, bytes.Repeat(ops(0x2e, 0x80, 0x80, 0x80, 0), 6560), "the FDE has a 64-bit length, or more than 32768 bytes", true, 0},
		{"no CFA", amd64, with(amd64, func(k *cieSpec) { k.program = nil }), ops(0x41), "the CFI defines no CFA", true, 0x1000},
		{"no CFA to change", amd64, with(amd64, func(k *cieSpec) { k.program = nil }), ops(0x0e, 8), "an instruction changes a CFA that is not a register and an offset", true, 0x1000},
		{"version", amd64, with(amd64, func(k *cieSpec) { k.version = 3 }), nil, "the CIE has version 3, expected 1", false, 0x1000},
		{"signal", amd64, with(amd64, func(k *cieSpec) { k.aug = "zRS" }), nil, "the function is a signal frame", false, 0x1000},
		{"key", amd64, with(amd64, func(k *cieSpec) { k.aug = "zRB" }), nil, `the augmentation is "zRB", of which only z, L, P, R and S are known`, false, 0x1000},
		{"code", amd64, with(amd64, func(k *cieSpec) { k.codeAlign = 2 }), nil, "the factor of code is 2, expected 1 to 1", true, 0x1000},
		{"data", amd64, with(amd64, func(k *cieSpec) { k.dataAlign = 8 }), nil, "the factor of offsets is 8, expected -8 to -1", true, 0x1000},
		{"RA", amd64, with(amd64, func(k *cieSpec) { k.ra = 15 }), nil, "RA is register 15, expected 16", false, 0x1000},
		{"restore in a CIE", amd64, with(amd64, func(k *cieSpec) { k.program = cat(k.program, ops(0xc6)) }), nil, "a CIE restores a register", true, 0x1000},
		{"large CIE", amd64, with(amd64, func(k *cieSpec) { k.program = cat(k.program, make([]byte, 120)) }), nil, "the CIE has a 64-bit length, or more than 128 bytes", true, 0x1000},
	} {
		_, f, _ := one(c.abi, c.cie, 32, c.program)
		r, refused := f.LinuxRefusal()
		require.Equal(t, c.why, r.Why, c.name)
		require.Equal(t, c.why != "", refused, c.name)
		require.Equal(t, c.fatal, r.Fatal, c.name)
		require.Equal(t, c.pc, r.PC, c.name)
	}
}
