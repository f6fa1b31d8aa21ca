package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnits: what a row takes besides the row before it is shown for each FRE or instruction.
func TestUnits(t *testing.T) {
	text, err := performanceText("# a machine\nunit\trules on the CFI, an FRE\tcfi.c\t44000\t0\t27500\t0\t1.0\t800000\t800000\n")
	require.NoError(t, err)
	require.Contains(t, text, "| rules on the CFI, an FRE | 55 ns | cfi.c | 34 ns | 1.6 |\n")
}
