package cfi_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
)

// words prints rows as recovery rules: "start-end CFA RA FP", from the start
// of the function.
func words(abi model.ABIInfo, f cfi.FDE, rows []cfi.Row) []string {
	var out []string
	for _, r := range rows {
		got := f.Recover(&r, r.Start)
		rule := func(v model.Recovery, why cfi.Reason) string {
			if why != cfi.Comparable {
				return "(" + why.String() + ")"
			}
			return v.Format(abi)
		}
		s := fmt.Sprintf("%d-%d %s %s %s", r.Start-f.Start.Addr, r.End-f.Start.Addr,
			rule(got.CFA, got.CFAReason), rule(got.RA, got.RAReason), rule(got.FP, got.FPReason))
		if r.Sign != 0 {
			s += fmt.Sprintf(" signed:%d", r.Sign)
		}
		out = append(out, strings.TrimSpace(s))
	}
	return out
}

// block encodes an expression.
func block(b ...byte) []byte { return cat(uleb(uint64(len(b))), b) }

// TestRows runs programs of every instruction, and what misleads in real
// files.
func TestRows(t *testing.T) {
	plt := ops(0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22)
	for _, c := range []struct {
		name    string
		abi     model.ABIInfo
		program []byte
		rows    []string
	}{
		{"push and pop", amd64, ops(0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x44, 0x0c, 7, 8, 0xc6, 0, 0),
			[]string{"0-1 rsp+8 *(CFA-8) unchanged", "1-4 rsp+16 *(CFA-8) *(CFA-16)", "4-8 rbp+16 *(CFA-8) *(CFA-16)", "8-32 rsp+8 *(CFA-8) unchanged"}},
		{"advances of all widths", amd64, ops(0x02, 1, 0x0e, 9, 0x03, 2, 0, 0x0e, 10, 0x04, 3, 0, 0, 0, 0x0e, 11),
			[]string{"0-1 rsp+8 *(CFA-8) unchanged", "1-3 rsp+9 *(CFA-8) unchanged", "3-6 rsp+10 *(CFA-8) unchanged", "6-32 rsp+11 *(CFA-8) unchanged"}},
		{"remembered states nest", amd64, ops(0x0a, 0x0e, 16, 0x0a, 0x0e, 24, 0x41, 0x0b, 0x41, 0x0b, 0x41),
			[]string{"0-1 rsp+24 *(CFA-8) unchanged", "1-2 rsp+16 *(CFA-8) unchanged", "2-3 rsp+8 *(CFA-8) unchanged", "3-32 rsp+8 *(CFA-8) unchanged"}},
		{"offsets of all kinds", amd64, ops(0x05, 6, 2, 0x41, 0x11, 6, 0x7f, 0x41, 0x2f, 6, 2, 0x41, 0x14, 6, 2, 0x41, 0x15, 6, 0x7f, 0x41, 0x06, 6),
			[]string{"0-1 rsp+8 *(CFA-8) *(CFA-16)", "1-2 rsp+8 *(CFA-8) *(CFA+8)", "2-3 rsp+8 *(CFA-8) *(CFA+16)",
				"3-4 rsp+8 *(CFA-8) CFA-16", "4-5 rsp+8 *(CFA-8) CFA+8", "5-32 rsp+8 *(CFA-8) unchanged"}},
		{"an unsigned offset wraps", amd64, cat(ops(0x86), uleb(1<<64-2), ops(0x0e), uleb(1<<64-8)),
			[]string{"0-32 rsp-8 *(CFA-8) *(CFA+16)"}},
		{"definitions with signed factored offsets", amd64, ops(0x12, 6, 0x7e, 0x41, 0x13, 0x7d),
			[]string{"0-1 rbp+16 *(CFA-8) unchanged", "1-32 rbp+24 *(CFA-8) unchanged"}},
		{"undefined, same value, register", amd64, ops(0x07, 16, 0x41, 0x08, 6, 0x09, 16, 2, 0x41, 0x09, 6, 6, 0xd0),
			[]string{"0-1 rsp+8 undefined unchanged", "1-2 rsp+8 rcx unchanged", "2-32 rsp+8 *(CFA-8) unchanged"}},
		{"a realigned stack", amd64, cat(ops(0x0f), block(0x76, 0x78, 0x06), ops(0x10, 6), block(0x76, 0)),
			[]string{"0-32 *(rbp-8) *(CFA-8) *(rbp)"}},
		{"values of expressions", amd64, cat(ops(0x16, 6), block(0x23, 8), ops(0x41, 0x16, 6), block(0x38, 0x1c, 0x06), ops(0x41, 0x16, 6), block(0x76, 0)),
			[]string{"0-1 rsp+8 *(CFA-8) CFA+8", "1-2 rsp+8 *(CFA-8) *(CFA-8)", "2-32 rsp+8 *(CFA-8) unchanged"}},
		{"expressions of other registers", amd64, cat(ops(0x10, 3), block(0xff, 0xff), ops(0x16, 12), block()),
			[]string{"0-32 rsp+8 *(CFA-8) unchanged"}},
		{"expressions that are not evaluated", amd64, cat(ops(0x0f), block(0x77, 8, 0x40, 0x1a), ops(0x10, 6), block(0x06, 0x06), ops(0x10, 16), block(0xe0)),
			[]string{"0-32 (the expression is neither a register plus an offset nor a word at such an address) (the expression has an operation that is not evaluated) (the expression is neither a register plus an offset nor a word at such an address)"}},
		{"expressions with faults", amd64, cat(ops(0x0f), block(0x22), ops(0x10, 6), block(0x77), ops(0x10, 16), block([]byte(strings.Repeat("\x30", 40))...)),
			[]string{"0-32 (the expression takes more values than there are) (the expression needs too many values) (the expression is cut off)"}},
		{"an offset after an expression is undefined", amd64, cat(ops(0x0f), block(0x76, 0x78, 0x06), ops(0x41, 0x0e, 16, 0x41, 0x0d, 6, 0x41, 0x0c, 7, 8)),
			[]string{"0-1 *(rbp-8) *(CFA-8) unchanged", "1-2 (an instruction changes a part of a CFA rule that is not a register plus an offset) *(CFA-8) unchanged",
				"2-3 (an instruction changes a part of a CFA rule that is not a register plus an offset) *(CFA-8) unchanged", "3-32 rsp+8 *(CFA-8) unchanged"}},
		{"lazy PLT stubs", amd64, cat(ops(0x0f), block(plt...), ops(0x4b)),
			[]string{"0-11 rsp+8 *(CFA-8) unchanged", "11-32 rsp+16 *(CFA-8) unchanged"}},
		{"advances by 0 and rows at and after the end", amd64, ops(0x40, 0x0e, 9, 0x50, 0x0e, 16, 0x50, 0x0e, 24, 0x50, 0x0e, 32),
			[]string{"0-16 rsp+9 *(CFA-8) unchanged", "16-32 rsp+16 *(CFA-8) unchanged"}},
		{"size of arguments", amd64, ops(0x2e, 16, 0x41, 0x2e, 0), []string{"0-1 rsp+8 *(CFA-8) unchanged", "1-32 rsp+8 *(CFA-8) unchanged"}},
		{"signed return addresses", aarch64, ops(0x41, 0x2d, 0x41, 0x0a, 0x0e, 16, 0x9d, 2, 0x9e, 1, 0x41, 0x0b, 0x2d, 0x41, 0x2c),
			[]string{"0-4 sp unchanged unchanged", "4-8 sp unchanged unchanged signed:1", "8-12 sp+16 *(CFA-8) *(CFA-16) signed:1",
				"12-16 sp unchanged unchanged", "16-32 sp unchanged unchanged signed:3"}},
		{"states of return addresses", aarch64, ops(0x41, 0x2b, 1, 0x7c, 0x41, 0x2b, 0, 0, 0x41, 0x2b, 0x82, 0, 0, 0x41, 0x2d, 0x41, 0x2b, 3, 0, 0x41, 0x2d, 0x41, 0xc0|34),
			[]string{"0-4 sp unchanged unchanged", "4-8 sp unchanged unchanged signed:1", "8-12 sp unchanged unchanged", "12-16 sp unchanged unchanged signed:3",
				"16-20 sp unchanged unchanged signed:2", "20-24 sp unchanged unchanged signed:4", "24-28 sp unchanged unchanged signed:5", "28-32 sp unchanged unchanged"}},
		{"states by expressions", aarch64, cat(ops(0x16, 34), block(0x31), ops(0x41, 0x16, 34), block(0x31, 0x31, 0x27), ops(0x41, 0x16, 34), block(0x23, 1), ops(0x41, 0x16, 34), block(0x08, 2),
			ops(0x41, 0x16, 34), block(0x33), ops(0x41, 0x16, 34), block(), ops(0x41, 0x10, 34), block(0x31), ops(0x41, 0x08, 34)),
			[]string{"0-4 sp unchanged unchanged signed:1", "4-8 sp unchanged unchanged", "8-12 sp unchanged unchanged signed:4", "12-16 sp unchanged unchanged signed:3",
				"16-20 sp unchanged unchanged signed:4", "20-24 sp unchanged unchanged signed:4", "24-28 sp unchanged unchanged signed:4", "28-32 sp unchanged unchanged signed:4"}},
		{"registers in floating-point registers", s390x, ops(0x42, 0x09, 14, 16, 0x09, 11, 17, 0x8f, 5, 0x42, 0x14, 15, 20),
			[]string{"0-2 r15+160 unchanged unchanged", "2-4 r15+160 f0 f2", "4-32 r15+160 f0 f2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, f, fault := one(c.abi, usual(c.abi), 32, c.program)
			require.Equal(t, cfi.NoFault, fault.Code, fault.String())
			require.Equal(t, c.rows, words(c.abi, f, rows))
		})
	}
}

// TestPLTByPC evaluates the expression of lazy PLT stubs at each PC.
func TestPLTByPC(t *testing.T) {
	plt := ops(0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22)
	rows, f, _ := one(amd64, usual(amd64), 64, ops(0x0f), block(plt...))
	require.Len(t, rows, 1)
	for pc := rows[0].Start; pc < rows[0].End; pc++ {
		got := f.Recover(&rows[0], pc)
		want := int64(8)
		if pc&15 >= 11 {
			want = 16
		}
		require.Equal(t, uint64(15), got.PC)
		require.Equal(t, model.Recovery{Kind: model.InRegister, Reg: amd64.SP, Offset: want}, got.CFA)
	}
}

// TestBitsOfPC: what a row says is the same at PCs that have the bits in common that it depends on.
func TestBitsOfPC(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	binary := ops(0x1a, 0x1a, 0x1a, 0x1c, 0x1e, 0x21, 0x22, 0x24, 0x25, 0x26, 0x27, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e)
	few := 0
	for range 3000 {
		e := ops(0x77, 8, 0x80, byte(rnd.IntN(20))) // rsp + 8, and the PC
		for n := range 1 + rnd.IntN(5) {
			if rnd.IntN(2) == 0 && n < 2 {
				e = append(e, 0x30+1<<(1+rnd.IntN(5))-1, 0x1a) // low bits
			}
			switch lit := byte(0x30 + rnd.IntN(32)); rnd.IntN(5) {
			case 0:
				e = append(e, ops(0x19, 0x1f, 0x20)[rnd.IntN(3)]) // abs, neg, not
			case 1:
				e = append(e, 0x12, binary[rnd.IntN(len(binary))]) // of two copies
			case 2:
				e = append(e, lit, 0x16, binary[rnd.IntN(len(binary))]) // with swapped operands
			default:
				e = append(e, lit, binary[rnd.IntN(len(binary))])
			}
		}
		rows, f, _ := one(amd64, usual(amd64), 256, cat(ops(0x0f), block(append(e, 0x22)...)))
		seen := map[uint64]cfi.Recovered{}
		for pc := rows[0].Start; pc < rows[0].End; pc++ {
			got := f.Recover(&rows[0], pc)
			require.NotZero(t, got.PC)
			if before, ok := seen[pc&got.PC]; ok {
				require.Equal(t, before, got, "%x", e)
			}
			seen[pc&got.PC] = got
		}
		if len(seen) < 64 {
			few++
		}
	}
	require.Greater(t, few, 100)
}

// TestStackPointer keeps the rule of SP, which SFrame does not have.
func TestStackPointer(t *testing.T) {
	rows, _, _ := one(s390x, usual(s390x), 32, ops(0x8f, 5, 0x42, 0x14, 15, 20))
	require.Equal(t, cfi.Rule{Kind: cfi.Offset, Offset: -40}, rows[0].SP)
	require.Equal(t, cfi.Rule{Kind: cfi.ValOffset, Offset: -160}, rows[1].SP)
}

// TestSignStateInCIE starts functions with a state that the CIE sets.
func TestSignStateInCIE(t *testing.T) {
	k := usual(aarch64)
	k.program = append(k.program, 0x2d)
	rows, f, _ := one(aarch64, k, 16, ops(0x41, 0x2d, 0x41, 0x13, 0x7e))
	require.Equal(t, []string{"0-4 sp unchanged unchanged signed:1", "4-8 sp unchanged unchanged", "8-16 sp+16 unchanged unchanged"},
		words(aarch64, f, rows))
}

// TestRegisterAlone begins a CIE with DW_CFA_def_cfa_register, as gas does for RISC-V.
func TestRegisterAlone(t *testing.T) {
	k := usual(aarch64)
	k.program = ops(0x0d, 31)
	rows, f, _ := one(aarch64, k, 16, ops(0x41, 0x0e, 16))
	require.Equal(t, []string{"0-4 sp unchanged unchanged", "4-16 sp+16 unchanged unchanged"}, words(aarch64, f, rows))
}

// TestNoCode yields no row of a function of size 0.
func TestNoCode(t *testing.T) {
	rows, f, fault := one(amd64, usual(amd64), 0, ops(0x41, 0x0e, 16))
	require.True(t, f.Usable())
	require.Empty(t, rows)
	require.Equal(t, cfi.NoFault, fault.Code)
}

// TestProgramFaults stops programs that can't be executed. The rest of the
// function is one row that says nothing.
func TestProgramFaults(t *testing.T) {
	for _, c := range []struct {
		name    string
		program []byte
		fault   cfi.FaultCode
		span    model.Span // from the start of the program
		rows    []string
	}{
		{"unknown opcode", ops(0x41, 0x3f, 0x41), cfi.OpcodeUnknown, model.Span{Off: 1, Len: 1}, []string{"0-1 rsp+8 *(CFA-8) unchanged", "1-32 ? ? ? signed:4"}},
		{"opcode of another ABI", ops(0x2d), cfi.OpcodeUnknown, model.Span{Off: 0, Len: 1}, []string{"0-32 ? ? ? signed:4"}},
		{"state of another ABI", ops(0x2b, 1, 0), cfi.OpcodeUnknown, model.Span{Off: 0, Len: 1}, []string{"0-32 ? ? ? signed:4"}},
		{"nothing to restore", ops(0x0a, 0x0b, 0x0b), cfi.StackEmpty, model.Span{Off: 2, Len: 1}, []string{"0-32 ? ? ? signed:4"}},
		{"too much is remembered", []byte(strings.Repeat("\x0a", 65)), cfi.StackTooDeep, model.Span{Off: 64, Len: 1}, []string{"0-32 ? ? ? signed:4"}},
		{"cut off", ops(0x41, 0x0c, 7, 0x88), cfi.OperandTruncated, model.Span{Off: 1, Len: 3}, []string{"0-1 rsp+8 *(CFA-8) unchanged", "1-32 ? ? ? signed:4"}},
		{"block cut off", ops(0x41, 0x0f, 9, 0x70), cfi.OperandTruncated, model.Span{Off: 1, Len: 3}, []string{"0-1 rsp+8 *(CFA-8) unchanged", "1-32 ? ? ? signed:4"}},
		{"register number", cat(ops(0x09, 6), uleb(1<<32)), cfi.RegisterTooLarge, model.Span{Off: 0, Len: 7}, []string{"0-32 ? ? ? signed:4"}},
		{"location goes back", cat(ops(0x41, 0x01), num(false, 4, 1<<32-0x8000)), cfi.LocationBackwards, model.Span{Off: 1, Len: 5}, []string{"0-1 rsp+8 *(CFA-8) unchanged", "1-32 ? ? ? signed:4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			pad := (8 - (13+len(c.program))%8) % 8
			program := c.program
			if strings.Contains(c.name, "cut off") {
				program = cat([]byte(strings.Repeat("\x00", pad)), program) // to the last byte of the FDE
				c.span.Off += int64(pad)
			}
			rows, f, fault := one(amd64, usual(amd64), 32, program)
			c.span.Off += f.Program.Off
			require.Equal(t, c.fault, fault.Code, fault.String())
			require.Equal(t, c.span, fault.Span)
			got := words(amd64, f, rows)
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], "("+cfi.NotExecuted.String()+")", "?")
			}
			require.Equal(t, c.rows, got)
		})
	}
}

// TestObstacle: what FREs of a version cannot state.
func TestObstacle(t *testing.T) {
	for _, c := range []struct {
		name    string
		program []byte
		version model.Version
		want    string
	}{
		{"push", ops(0x41, 0x0e, 16, 0x86, 2), 3, ""},
		{"undefined FP", ops(0x41, 0x07, 6), 3, "FP is undefined"}, // gas writes no FDE
		{"undefined RA", ops(0x41, 0x07, 16), 3, ""},
		{"undefined RA", ops(0x41, 0x07, 16), 1, "RA is undefined"},
		{"undefined RA and FP", ops(0x41, 0x07, 16, 0x07, 6), 3, ""},
	} {
		_, f, _ := one(amd64, usual(amd64), 32, c.program)
		o, found := f.Obstacle(c.version, false)
		require.Equal(t, c.want, o.Why, c.name)
		require.Equal(t, c.want != "", found, c.name)
	}
}
