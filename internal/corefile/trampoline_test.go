package corefile

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// TestTrampoline recognizes signal trampolines by their code, which older kernels write on the
// stack, at the first instruction and at the one that enters the kernel.
func TestTrampoline(t *testing.T) {
	for _, x := range []struct {
		abi  model.ABI
		code string
		call uint64
		name string
	}{
		{model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, "48c7c00f0000000f05", 7, "__restore_rt"},
		{model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, "681180d2010000d4", 4, "__kernel_rt_sigreturn"},
		{model.SFRAME_ABI_AARCH64_ENDIAN_BIG, "681180d2010000d4", 4, "__kernel_rt_sigreturn"},
		{model.SFRAME_ABI_S390X_ENDIAN_BIG, "0aad", 0, "__kernel_rt_sigreturn"},
		{model.SFRAME_ABI_S390X_ENDIAN_BIG, "0a77", 0, "__kernel_sigreturn"},
	} {
		code, err := hex.DecodeString(x.code)
		require.NoError(t, err)
		m := &image{abi: model.LookupABI(x.abi)}
		m.thread(1, 11)
		m.loads = []part{{0x5000, append(make([]byte, 16), code...)}}
		c, err := open(m.bytes(t))
		require.NoError(t, err)
		mods := NewModules(c, Options{})
		for off := range uint64(16) {
			name, at, ok := mods.Trampoline(0x5010 + off)
			assert.Equal(t, off == 0 || off == x.call, ok, "%s+%d", x.name, off)
			assert.Equal(t, ok, mods.IsTrampoline(0x5010+off))
			if ok {
				assert.Equal(t, x.name, name)
				assert.Equal(t, off, at)
			}
		}
		assert.False(t, mods.IsTrampoline(0))
	}
}

// TestTrampolineInFile reads the code from the file that was mapped, which cores do not have.
func TestTrampolineInFile(t *testing.T) {
	const prog = "../../cmd/internal/trace/testdata/sid-x86_64-signal/prog"
	m := &image{abi: amd64()}
	m.thread(1, 11)
	m.note("CORE", ntFILE, m.mappings(Mapping{Start: 0x400000, End: 0x401000, Path: prog}))
	c, err := open(m.bytes(t))
	require.NoError(t, err)
	name, off, ok := NewModules(c, Options{}).Trampoline(0x4003a1)
	assert.True(t, ok)
	assert.Equal(t, "__restore_rt", name)
	assert.Zero(t, off)
}
