package coverage

import (
	"debug/elf"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// TestStartFile: objects that a compiler adds are known by their names and by their FILE symbols.
func TestStartFile(t *testing.T) {
	for name, want := range map[string]bool{"Scrt1.o": true, "crtfastmath.o": true, "crtfastmath.c": true, "crtoffloadbegin.o": true, "crtprec80.o": true, "crtfast.o": false, "start.c": false} {
		assert.Equal(t, want, startFile(name), name)
	}
}

// TestStartCode: functions of start files of glibc 2.36 are known by their code.
func TestStartCode(t *testing.T) {
	for _, c := range []struct {
		machine elf.Machine
		code    string
		kind    string
	}{
		{elf.EM_X86_64, "c3", "second"},
		{elf.EM_X86_64, "f30f1efac3", "second"},
		{elf.EM_X86_64, "488b15412e000031f6e972feffff", "shared"}, // atexit
		{elf.EM_X86_64, "488b35812e0000e994feffff", "shared"},     // at_quick_exit
		{elf.EM_X86_64, "488b0d712e0000e994feffff", "shared"},     // pthread_atfork
		{elf.EM_X86_64, "488b05712e0000e994feffff", ""},           // another register
		{elf.EM_X86_64, "488b0d712e0000e994feffff90", ""},
		{elf.EM_AARCH64, "c0035fd6", "second"},
		{elf.EM_AARCH64, "62000090010080d2424440f9f2ffff17", "shared"},
		{elf.EM_AARCH64, "61000090214440f9f2ffff17", "shared"},
		{elf.EM_AARCH64, "63000090634440f9f2ffff17", "shared"},
		{elf.EM_AARCH64, "63000090634440f9f2ffff97", ""}, // a call
		{elf.EM_AARCH64, "000000900000009101000090210000913f0000ebc000005401000090210040f9610000b4f00301aa00021fd6c0035fd6", "table"}, // deregister_tm_clones
		{elf.EM_AARCH64, "000000900000009101000090210000913f0000ebc000005401000090210040f9610000b4f00301aa00021fd6", ""},
		{elf.EM_S390, "c010000012ace3101000000407f1", "second"},
		{elf.EM_S390, "c448000012aca7390000c0f4ffffff00", "shared"},
		{elf.EM_S390, "c438000012acc0f4ffffff00", "shared"},
		{elf.EM_PPC64, "c3", ""},
		{elf.EM_X86_64, "8b05322f000085c07406c30f1f4400004883ec08488d357a010000488d3ddeeeffffc7050c2f000001000000e81fffffff488b3d982e00004883c408e92f010000", "second"}, // __gmon_start__
		{elf.EM_X86_64, "8b05322f000085c07406c30f1f4400004883ec08488d357a010000488d3ddeeeffffc7050c2f000002000000e81fffffff488b3d982e00004883c408e92f010000", ""},
		{elf.EM_X86_64, "4883ec08e8a7fdffff", "last"}, // __stack_chk_fail_local
		{elf.EM_X86_64, "4883ec08e8a7fdffffc3", ""},
		{elf.EM_AARCH64, "02000090400040b940000034c0035fd601000090210040f9fd7bbfa923008052fd030091430000b9000000900000009100000094fd7bc1a800000090000040f900000014", "second"},
		{elf.EM_AARCH64, "fd7bbfa9fd03009100000094", "last"},
		{elf.EM_S390, "ebcff0600024e3f0ff60ff71c0c000000000c01000000000e31010000012a7840006ebcff100000407fec01000000000e54c10000001c43800000000c418000000004121c000c0e500000000c42800000000ebcff1000004c0f400000000", "second"},
		{elf.EM_S390, "ebeff0700024e3f0ff60ff71c0e500000000", "last"},
	} {
		code := must.Get(hex.DecodeString(c.code))(t)
		starts := machinecode.Of(c.machine)
		for kind, pattern := range map[string]string{"second": starts.SecondStart, "shared": starts.SharedStart, "last": starts.LastStart, "table": starts.TableStart} {
			assert.Equal(t, c.kind == kind, is(code, pattern), "%s %s", kind, c.code)
		}
	}
}
