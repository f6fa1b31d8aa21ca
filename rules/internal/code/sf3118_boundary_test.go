package code_test

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/rules/internal/elftest"
	rt "github.com/sframe-lint/sframe-lint/rules/internal/ruletest"
)

// TestCutInstructions: an FDE starts or ends inside an instruction. What fills the space before code that is
// not aligned is not an instruction.
func TestCutInstructions(t *testing.T) {
	amd64 := rt.V3AMD64.Bytes(t, rt.Set(0x89, "00 01"))
	late := rt.V3AMD64.Bytes(t, rt.Set(0x89, "00 01"), rt.Set(0x5c, "@8:1291"))
	z := rt.V3S390X.Bytes(t, rt.Set(0x8a, "01 00"))
	jump := []byte{0xe9, 0xf9, 1, 0, 0} // from 0x40 to 0x23e
	for _, c := range []struct {
		name    string
		machine elf.Machine
		big     bool
		section []byte
		code    map[int][]byte
		want    []string
	}{
		{"ends inside mov", elf.EM_X86_64, false, amd64, map[int][]byte{0x40: jump, 0x23e: {0x48, 0x89, 0xf0, 0xc3}}, []string{"SF3118 0x34+4"}},
		{"ends after xchg", elf.EM_X86_64, false, amd64, map[int][]byte{0x40: jump, 0x23e: {0x90, 0xc3}}, []string{}},
		{"ends after bytes that are not an instruction", elf.EM_X86_64, false, amd64, map[int][]byte{0x40: jump, 0x23e: {0x06, 0x06}}, []string{}},
		{"ends inside a call", elf.EM_S390, true, z, map[int][]byte{0x40: {0xa7, 0xf4, 0, 0xff}, 0x23e: {0xc0, 0x10, 0, 0, 0, 0}}, []string{"SF3118 0x34+4"}},
		{"starts inside endbr64", elf.EM_X86_64, false, late, map[int][]byte{0x290: {0xf3, 0x0f, 0x1e, 0xfa, 0xc3}}, []string{"SF3118 0x5c+8"}},
		{"zeros before it", elf.EM_X86_64, false, late, map[int][]byte{0x290: {0x00, 0x49, 0x89, 0xd3, 0xc3}}, []string{}},
	} {
		require.Equal(t, c.want, findings(t, elftest.WithCode(t, c.machine, c.big, c.section, nil, c.code)), c.name)
	}
}
