package cfi_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestLoad reads sections that are compressed, and .eh_frame of a file without section
// headers. The files are of testdata/load.s.
func TestLoad(t *testing.T) {
	for name, at := range map[string]int64{"zlib.o": -1, "zstd.o": -1, "zlib-gnu.o": -1, "no-section-headers": 0x110} {
		t.Run(name, func(t *testing.T) {
			err := reader.Scan("testdata/load/"+name, reader.Options{}, func(o *reader.Object) error {
				frames, err := cfi.Load(o, 0)
				require.NoError(t, err)
				require.Empty(t, frames.Skipped)
				require.Len(t, frames.Sections, 1)
				s := frames.Sections[0]
				require.Equal(t, at, s.Offset)
				require.Equal(t, at >= 0, frames.Hdr != nil)
				fdes := slices.Collect(s.FDEs())
				require.Len(t, fdes, 2)
				require.True(t, fdes[1].Usable())
				require.Equal(t, []string{"0-1 rsp+8 *(CFA-8) unchanged", "1-4 rsp+16 *(CFA-8) *(CFA-16)", "4-5 rbp+16 *(CFA-8) *(CFA-16)",
					"5-6 rsp+8 *(CFA-8) unchanged"}, words(o.ELF.ABI(), fdes[1], slices.Collect(fdes[1].Rows())))
				n := cfi.Compare(o.SFrames[0].Section, frames, func(d cfi.Difference) { t.Errorf("%+v", d) })
				require.Equal(t, 2, n.Functions)

				frames, err = cfi.Load(o, int64(len(s.Input().Data))-1)
				require.NoError(t, err)
				require.Empty(t, frames.Sections)
				require.Len(t, frames.Skipped, 1)
				return nil
			})
			require.NoError(t, err)
		})
	}
}

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
		{"SP beside the CFA", ops(0x41, 0x14, 7, 2), [4]string{"-", "-", ".cfi_val_offset with SP reg 7", "-"}},
		{"SP in a register", ops(0x41, 0x09, 7, 3), [4]string{"CFI insn DW_CFA_register (0x9)", "-", "SP register 7 in .cfi_register", "-"}},
		{"window_save", ops(0x41, 0x2d), [4]string{"CFI insn CFI_escape (0x103)", "CFI insn CFI_escape (0x103)", ".cfi_window_save", ".cfi_escape with unknown effects"}},
		{"arguments, cut off", ops(0x41, 0x41, 0x2e), [4]string{"CFI insn CFI_escape (0x103)", "CFI insn CFI_escape (0x103)", ".cfi_escape with op (0x2e)", "-"}},
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

// TestLinuxRefusal: what the series for Linux follows, by its source.
func TestLinuxRefusal(t *testing.T) {
	with := func(abi model.ABIInfo, change func(*cieSpec)) cieSpec {
		k := usual(abi)
		change(&k)
		return k
	}
	plain := usual(amd64)
	for _, c := range []struct {
		name    string
		abi     model.ABIInfo
		cie     cieSpec
		program []byte
		why     string
		fatal   bool
		pc      uint64
	}{
		{"push", amd64, plain, ops(0x41, 0x0e, 16, 0x86, 2, 0x0a, 0x41, 0x0e, 8, 0x0b), "", false, 0},
		{"all instructions", amd64, plain, ops(0x02, 1, 0x03, 1, 0, 0x04, 1, 0, 0, 0, 0x05, 6, 2, 0x06, 6, 0x07, 6, 0x08, 6, 0x09, 6, 3, 0x0c, 7, 8, 0x0d, 6,
			0x11, 6, 2, 0x12, 7, 2, 0x13, 2, 0x14, 6, 2, 0x15, 6, 2, 0x2e, 4), "", false, 0},
		{"expressions of others", amd64, plain, cat(ops(0x10, 3), block(0x77, 8), ops(0x16, 12), block(0x77, 8)), "", false, 0},
		{"after the code", amd64, plain, ops(0x60, 0x0a, 0x0a), "", false, 0},
		{"realigned", amd64, plain, cat(ops(0x41, 0x0f), block(0x76, 0x78, 0x06)), "the CFA is the value of an expression", false, 0x1001},
		{"FP", amd64, plain, cat(ops(0x10, 6), block(0x76, 0)), "rbp is the value of an expression", false, 0x1000},
		{"nested states", amd64, plain, ops(0x0a, 0x0a), "more than 1 state is remembered at a time", true, 0x1000},
		{"restored states", amd64, plain, ops(0x42, 0x0b), "a state is restored without being remembered", true, 0x1002},
		{"set_loc", amd64, plain, ops(0x01, 0, 0, 0, 0), "the instruction 0x01 is unknown", false, 0x1000},
		{"signed", amd64, plain, ops(0x2d), "the instruction 0x2d is unknown", false, 0x1000},
		{"SP", amd64, plain, ops(0x87, 2), "the CFI has a rule for SP", false, 0x1000},
		{"SP as the ABI has it", amd64, plain, ops(0x14, 7, 0), "", false, 0},
		{"SP elsewhere", amd64, plain, ops(0x14, 7, 1), "SP is not what the ABI defines", false, 0x1000},
		{"SP undefined", s390x, usual(s390x), ops(0x07, 15), "SP is undefined", false, 0x1000},
		{"SP in a slot", s390x, usual(s390x), ops(0x8f, 5), "", false, 0},
		{"cut off", amd64, plain, ops(0x42, 0, 0x0c), "the instructions are cut off", true, 0x1002},
		{"many", amd64, plain, bytes.Repeat(ops(0x2e, 0), 8191), "", false, 0},
		{"too many", amd64, plain, bytes.Repeat(ops(0), 16383), "there are more than 16384 instructions", true, 0x1000},
		{"long", amd64, plain, bytes.Repeat(ops(0x2e, 0x80, 0x80, 0x80, 0), 6560), "the FDE has a 64-bit length, or more than 32768 bytes", true, 0},
		{"no CFA", amd64, with(amd64, func(k *cieSpec) { k.program = nil }), ops(0x41), "the CFI defines no CFA", true, 0x1000},
		{"no CFA to change", amd64, with(amd64, func(k *cieSpec) { k.program = nil }), ops(0x0e, 8), "an instruction changes a CFA that is not a register plus an offset", true, 0x1000},
		{"version", amd64, with(amd64, func(k *cieSpec) { k.version = 3 }), nil, "the CIE has version 3, expected 1", false, 0x1000},
		{"signal", amd64, with(amd64, func(k *cieSpec) { k.aug = "zRS" }), nil, "the function is a signal frame", false, 0x1000},
		{"key", amd64, with(amd64, func(k *cieSpec) { k.aug = "zRB" }), nil, `the augmentation is "zRB", but only z, L, P, R and S are known`, false, 0x1000},
		{"code", amd64, with(amd64, func(k *cieSpec) { k.codeAlign = 2 }), nil, "the code alignment factor is 2, expected 1 to 1", true, 0x1000},
		{"data", amd64, with(amd64, func(k *cieSpec) { k.dataAlign = 8 }), nil, "the data alignment factor is 8, expected -8 to -1", true, 0x1000},
		{"RA", amd64, with(amd64, func(k *cieSpec) { k.ra = 15 }), nil, "RA is register 15, expected 16", false, 0x1000},
		{"restore in a CIE", amd64, with(amd64, func(k *cieSpec) { k.program = cat(k.program, ops(0xc6)) }), nil, "a CIE restores a register", true, 0x1000},
		{"large CIE", amd64, with(amd64, func(k *cieSpec) { k.program = cat(k.program, make([]byte, 120)) }), nil, "the CIE has a 64-bit length, or more than 128 bytes", true, 0x1000},
	} {
		_, f, _ := one(c.abi, c.cie, 32, c.program)
		r, refused := f.LinuxRefusal()
		require.Equal(t, c.why, r.Why, c.name)
		require.Equal(t, c.why != "", refused, c.name)
		require.Equal(t, c.fatal, r.Fatal, c.name)
		require.Equal(t, c.pc, r.PC, c.name)
	}
}
