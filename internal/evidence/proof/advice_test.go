package proof

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// TestTurningAdvice: a directive that replaces `.cfi_def_cfa wsp, -32`, after rows that count from FP, names the register.
func TestTurningAdvice(t *testing.T) {
	abi := model.LookupMachine(elf.EM_AARCH64, false)
	sp := func(off int64) model.Recovery {
		return model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: off}
	}
	for turns, want := range map[bool]string{false: ".cfi_def_cfa_offset 32", true: ".cfi_def_cfa sp, 32"} {
		r := Repair{Kind: WrongCFA, Old: sp(-32), New: sp(32), Starts: true, Turns: turns}
		require.Equal(t, want, Words{ABI: abi}.directive(&r))
	}
}
