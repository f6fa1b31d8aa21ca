package crosscheck_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLost: GNU ld 2.47 ignores the section of an input of version 2.
func TestLost(t *testing.T) {
	places, messages := found(t, changed(t, "mixed/v3-and-v2-by-ld-2.47.elf"))
	require.Contains(t, places, "SF6021 0x8+4")
	require.Contains(t, messages[len(messages)-1], `1 function of its own, among them "main": `)
	places, _ = found(t, changed(t, program))
	require.Empty(t, places, "nothing is lost")
}
