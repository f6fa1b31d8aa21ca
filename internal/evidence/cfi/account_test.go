package cfi_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
)

// TestHeld counts the memory of CIEs: each takes about as many bytes as the section has for it,
// and more only where an FDE uses it.
func TestHeld(t *testing.T) {
	m := &image{abi: amd64, addr: 0x8000}
	m.cie(usual(amd64))
	one := len(m.b)
	m.b = bytes.Repeat(m.b, cfi.MaxCIEs)
	for range 8 {
		m.fde(3*one, m.pcrel4(0x1000), num(false, 4, 16), ops(0), nil)
	}
	in := m.input()
	held := int64(0)
	in.Hold = func(n int64) error { held += n; return nil }
	s := cfi.New(in)
	require.Equal(t, cfi.MaxCIEs, s.NumCIEs())
	require.Less(t, held, int64(cfi.MaxCIEs*16))
	before := held
	for f := range s.FDEs() {
		require.True(t, f.Usable())
		require.Same(t, s.CIE(3), f.CIE)
	}
	require.Greater(t, held, before)
	require.Less(t, held, before+1000)

	full := errors.New("full")
	in.Hold = func(n int64) error {
		if held -= n; held < 0 {
			return full
		}
		return nil
	}
	held = 1 << 20
	require.Equal(t, full, cfi.New(in).Err())
}

// TestExpressionWork evaluates a long expression once for all rows that have it.
func TestExpressionWork(t *testing.T) {
	const size, rows = 100_000, 1000
	block := append([]byte{0x0f}, uleb(size)...)                                     // DW_CFA_def_cfa_expression
	program := append(append(block, 0x77, 8), bytes.Repeat([]byte{0x96}, size-2)...) // breg7 +8, nop
	m := &image{abi: amd64, addr: 0x8000}
	m.fde(m.cie(usual(amd64)), m.pcrel4(0x1000), num(false, 4, rows), ops(0), append(program, bytes.Repeat([]byte{0x41}, rows)...))
	in := m.input()
	steps := int64(0)
	in.Step = func(n int64) error { steps += n; return nil }
	n := 0
	for f := range cfi.New(in).FDEs() {
		for row := range f.Rows() {
			r := f.Recover(&row, row.Start)
			require.Equal(t, cfi.Comparable, r.CFAReason)
			require.EqualValues(t, 8, r.CFA.Offset)
			n++
		}
	}
	require.Equal(t, rows, n)
	require.Greater(t, steps, int64(size))
	require.Less(t, steps, int64(20*size))
}

// TestOverWork stops where the budget for work ends: nothing is said of the rest.
func TestOverWork(t *testing.T) {
	m := &image{abi: amd64, addr: 0x8000}
	m.fde(m.cie(usual(amd64)), m.pcrel4(0x1000), num(false, 4, 1<<20), ops(0), bytes.Repeat([]byte{0x41}, 1<<20))
	in := m.input()
	in.Step = func(int64) error { return errors.New("over") }
	n := 0
	for f := range cfi.New(in).FDEs() {
		require.True(t, f.Usable())
		for range f.Rows() {
			n++
		}
	}
	require.NotZero(t, n)
	require.Less(t, n, 1<<18)
}
