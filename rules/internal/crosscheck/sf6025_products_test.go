package crosscheck_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKernelLost: a module and a live patch are loaded as they are, an object file is not.
func TestKernelLost(t *testing.T) {
	for file, want := range map[string][]string{
		"field/module-lost.ko":    {"SF6014 0x8+4", "SF6025 0x8+4"},
		"field/livepatch-lost.ko": {"SF6025 0x8+4"},
		"field/object-lost.o":     {"SF6014 0x8+4"},
		"field/module.ko":         {"SF6014 0x8+4"},
	} {
		places, _ := found(t, changed(t, file))
		require.ElementsMatch(t, want, places, file)
	}
}

// TestBolted: without its sections, BOLT is not blamed.
func TestBolted(t *testing.T) {
	data := changed(t, "field/bolted.elf")
	places, messages := found(t, data)
	require.Equal(t, []string{"SF6026 0x1c+8"}, places)
	require.Contains(t, messages[0], "the old code in .bolt.org.text, which 5 FDEs of .sframe still describe: ")
	places, _ = found(t, bytes.ReplaceAll(data, []byte(".bolt.org.text"), []byte(".other.name.xy")))
	require.Contains(t, places, "SF6014 0x8+4")
	require.NotContains(t, places, "SF6021 0x8+4", "a lost function has one finding")
	require.NotContains(t, places, "SF6026 0x1c+8")
}

// TestTwoSections: functions of a section at which no program looks are not lost once more.
func TestTwoSections(t *testing.T) {
	for _, file := range []string{"field/segment-second.elf", "field/vmlinux-pi.elf"} {
		places, _ := found(t, changed(t, file))
		require.Empty(t, places, file)
	}
}
