package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShapes: the time for a byte is set against that of the reference.
func TestShapes(t *testing.T) {
	text, err := performanceText("# a machine\nshapes\tone FRE\tthe plain section\t44000\t2048\t27500\t0\t1.0\t400000\t800000\n")
	require.NoError(t, err)
	require.Contains(t, text, "| one FRE | 44 ms | 2 MiB | 1.6 | 3.2 |\n")
	_, err = performanceText("other\tone FRE\t\t0\t0\t0\t0\t0\t0\t0\n")
	require.EqualError(t, err, `no table "other"`)
}
