package coverage

import (
	"debug/elf"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/machinecode"
	"github.com/sframe-lint/sframe-lint/model"
)

// TestStartCode: functions of start files of glibc 2.36 are known by their code.
func TestStartCode(t *testing.T) {
	for _, c := range []struct {
		machine        elf.Machine
		code           string
		second, shared bool
	}{
		{elf.EM_X86_64, "c3", true, false},
		{elf.EM_X86_64, "f30f1efac3", true, false},
		{elf.EM_X86_64, "488b15412e000031f6e972feffff", false, true}, // atexit
		{elf.EM_X86_64, "488b35812e0000e994feffff", false, true},     // at_quick_exit
		{elf.EM_X86_64, "488b0d712e0000e994feffff", false, true},     // pthread_atfork
		{elf.EM_X86_64, "488b05712e0000e994feffff", false, false},    // another register
		{elf.EM_X86_64, "488b0d712e0000e994feffff90", false, false},
		{elf.EM_AARCH64, "c0035fd6", true, false},
		{elf.EM_AARCH64, "62000090010080d2424440f9f2ffff17", false, true},
		{elf.EM_AARCH64, "61000090214440f9f2ffff17", false, true},
		{elf.EM_AARCH64, "63000090634440f9f2ffff17", false, true},
		{elf.EM_AARCH64, "63000090634440f9f2ffff97", false, false}, // a call
		{elf.EM_S390, "c010000012ace3101000000407f1", true, false},
		{elf.EM_S390, "c448000012aca7390000c0f4ffffff00", false, true},
		{elf.EM_S390, "c438000012acc0f4ffffff00", false, true},
		{elf.EM_PPC64, "c3", false, false},
	} {
		code, err := hex.DecodeString(c.code)
		require.NoError(t, err)
		starts := machinecode.Of(&model.ABIInfo{Machine: c.machine})
		assert.Equal(t, c.second, is(code, starts.SecondStart), c.code)
		assert.Equal(t, c.shared, is(code, starts.SharedStart), c.code)
	}
}
