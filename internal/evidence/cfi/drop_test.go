package cfi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
)

// TestDropped: what each assembler says of the same CFI. "-" is an FDE.
func TestDropped(t *testing.T) {
	for _, c := range []struct {
		name    string
		program []byte
		want    [4]string
	}{
		{"push", ops(0x41, 0x0e, 16, 0x86, 2), [4]string{"-", "-", "-", "-"}},
		{"arguments, CFA from SP", ops(0x41, 0x0e, 16, 0x2e, 8), [4]string{"CFI insn CFI_escape (0x103)", "CFI insn CFI_escape (0x103)",
			".cfi_escape with op (0x2e)", ".cfi_escape DW_CFA_GNU_args_size with non frame-pointer CFA"}},
		{"arguments, CFA from FP", ops(0x41, 0x0d, 6, 0x2e, 8), [4]string{"CFI insn CFI_escape (0x103)", "CFI insn CFI_escape (0x103)", "-", "-"}},
		{"CFA from rbx", ops(0x41, 0x0c, 3, 16), [4]string{"-", "non-SP/FP register 3 in .cfi_def_cfa", "-", "canonical Frame Address not in stack- or frame-pointer"}},
		{"FP undefined", ops(0x41, 0x07, 6), [4]string{"-", "-", "FP reg 6 in .cfi_undefined", "-"}},
		{"remember at entry", ops(0x0a, 0x41, 0x0e, 16, 0x41, 0x0b), [4]string{".cfi_remember_state without prior SFrame FRE state",
			".cfi_remember_state without prior SFrame FRE state", "-", ".cfi_remember_state without prior SFrame FRE state"}},
		{"unknown opcode", ops(0x41, 0x2b, 1, 0), [4]string{"CFI insn CFI_escape (0x103)", "CFI insn CFI_escape (0x103)",
			".cfi_escape with op (0x2b)", ".cfi_escape with unknown effects"}},
	} {
		for by, want := range c.want {
			_, f, _ := one(amd64, usual(amd64), 32, c.program)
			d, found := f.Dropped(cfi.Assembler(by))
			require.Equal(t, want != "-", found, "%s: %v", c.name, cfi.Assembler(by))
			if found {
				require.Equal(t, want, d.Says, "%s: %v", c.name, cfi.Assembler(by))
			}
		}
	}
}
