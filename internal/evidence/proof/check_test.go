package proof

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// sp, fp and slot are recovery rules of AMD64.
func sp(off int64) model.Recovery {
	return model.Recovery{Kind: model.InRegister, Reg: 7, Offset: off}
}

func fp(off int64) model.Recovery {
	return model.Recovery{Kind: model.InRegister, Reg: 6, Offset: off}
}

// register is the rule of a CFA that counts from a register other than SP and FP.
func register(n uint32) model.Recovery {
	return model.Recovery{Kind: model.InRegister, Reg: n}
}

func slotAt(off int64) model.Recovery {
	return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: off}
}

var (
	unchanged = model.Recovery{Kind: model.Unchanged}
	undefined = model.Recovery{Kind: model.Undefined}
)

// TestCheck judges rows of functions of testdata/amd64.s.
func TestCheck(t *testing.T) {
	type row struct {
		at      uint64 // from the start of the function
		cfa, fp model.Recovery
	}
	// pushes: push rbx, 1 push rbp, 2 sub, 6 mov to rbp, 9 call, e add, 12 pop rbp, 13 pop rbx, 14 ret
	right := []row{{0, sp(8), unchanged}, {1, sp(16), unchanged}, {2, sp(24), slotAt(-24)}, {6, sp(48), slotAt(-24)},
		{0x12, sp(24), slotAt(-24)}, {0x13, sp(16), unchanged}, {0x14, sp(8), unchanged}}
	change := func(i int, r row) []row {
		out := append([]row(nil), right...)
		out[i] = r
		return out
	}
	for _, c := range []struct {
		name, function string
		rows           []row
		want           []string
	}{
		{"right", "pushes", right, nil},
		{"too much", "pushes", change(3, row{6, sp(56), slotAt(-24)}),
			[]string{"row 3, CFA at 0x6 to 0x12, 12 bytes: rsp+56, has CFA-48, by 8, truth rsp+48, shift 0, proof 0x2"}},
		{"early", "pushes", change(2, row{1, sp(24), slotAt(-24)})[2:],
			[]string{"row 0, CFA at 0x1 to 0x2, 1 bytes: rsp+24, has CFA-16, by 8, truth rsp+16, shift 0, proof 0x0",
				"row 0, FP at 0x1 to 0x2, 1 bytes: *(CFA-24), has another value, by 0, truth unchanged, shift 0, proof "}},
		{"late", "pushes", change(3, row{9, sp(48), slotAt(-24)}),
			[]string{"row 2, CFA at 0x6 to 0x9, 3 bytes: rsp+24, has CFA-48, by -24, truth rsp+48, shift 2, proof 0x2"}},
		{"early by one instruction", "pushes", append(append([]row(nil), right[:3]...), row{6, sp(48), slotAt(-24)}, row{0xe, sp(24), slotAt(-24)}, right[5], right[6]),
			[]string{"row 4, CFA at 0xe to 0x12, 4 bytes: rsp+24, has CFA-48, by -24, truth rsp+48, shift 1, proof 0x2"}},
		{"slot of another register", "pushes", change(3, row{6, sp(48), slotAt(-16)}),
			[]string{"row 3, FP at 0x6 to 0x12, 12 bytes: *(CFA-16), has the caller's rbx, by 0, truth *(CFA-24), shift 0, proof 0x0"}},
		{"unchanged", "pushes", change(3, row{6, sp(48), unchanged}),
			[]string{"row 3, FP at 0x9 to 0x12, 9 bytes: unchanged, has the caller's rdi, by 0, truth *(CFA-24), shift 0, proof 0x6"}},
		{"inside an instruction", "pushes", change(3, row{7, sp(48), slotAt(-24)}),
			[]string{"row 2, CFA at 0x6 to 0x9, 3 bytes: rsp+24, has CFA-48, by -24, truth rsp+48, shift 0, proof 0x2",
				"row 3, row start inside an instruction at 0x6 to 0x9, 3 bytes: invalid, has unknown, by 0, truth invalid, shift 0, proof 0x6"}},
		// frame: endbr64, 4 push rbp, 5 mov, 8 push rbx, 9 sub, d call, 12 mov, 16 leave, 17 ret
		{"FP is the caller's", "frame", []row{{4, fp(16), unchanged}},
			[]string{"row 0, CFA at 0x4 to 0x8, 5 bytes: rbp+16, has the caller's rbp, by 0, truth rsp+8, shift 0, proof ",
				"row 0, FP at 0x8 to 0x17, 15 bytes: unchanged, has CFA-16, by 0, truth *(CFA-16), shift 0, proof 0x5"}},
		// realigned: push, 1 mov, 4 push r12, 6 and, a sub, e call, 13 mov, 17 leave, 18 ret
		{"aligned SP", "realigned", []row{{0xa, sp(24), slotAt(-16)}, {0xe, sp(80), slotAt(-16)}},
			[]string{"row 0, CFA at 0xa to 0xe, 4 bytes: rsp+24, has the aligned SP+0, by 0, truth rbp+16, shift 0, proof 0x6",
				"row 1, CFA at 0xe to 0x19, 11 bytes: rsp+80, has the aligned SP-64, by 0, truth rbp+16, shift 0, proof 0xa"}},
		// After the and, SP is from 24 to 87 bytes below the CFA: each distance may be another one next time.
		{"aligned SP, a possible distance", "realigned", []row{{0xa, sp(40), slotAt(-16)}, {0xe, fp(16), slotAt(-16)}, {0x18, sp(8), unchanged}},
			[]string{"row 0, CFA at 0xa to 0xe, 4 bytes: rsp+40, has the aligned SP+0, by 0, truth rbp+16, shift 0, proof 0x6"}},
		{"before the switch to another stack", "pointer", []row{{0, sp(8), unchanged}, {1, sp(16), slotAt(-16)}, {7, sp(16), slotAt(-16)}}, nil},
		{"aligned SP, another frame", "realigned", []row{{0xa, register(3), slotAt(-16)}, {0xe, fp(16), slotAt(-16)}, {0x18, sp(8), unchanged}}, nil},
		{"another frame in an argument", "pushes", change(0, row{0, register(5), unchanged}), nil},
		{"no frame in another register", "pushes", change(0, row{0, register(3), unchanged}),
			[]string{"row 0, CFA at 0x0 to 0x1, 1 bytes: rbx, has the caller's rbx, by 0, truth rsp+8, shift 0, proof "}},
		{"after the call that does not return", "stops", []row{{0, sp(8), unchanged}, {4, sp(16), unchanged}, {9, sp(80), unchanged}}, nil},
		{"jump table", "table", []row{{0, sp(8), unchanged}, {1, sp(16), unchanged}}, []string{
			"row 1, CFA at 0x1e to 0x1f, 2 bytes: rsp+16, has CFA-8, by 8, truth rsp+8, shift 0, proof 0x1d",
			"row 1, FP at 0x23 to 0x28, 5 bytes: unchanged, has 0x0, by 0, truth invalid, shift 0, proof 0x21"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rows []Row
			for _, r := range c.rows {
				rows = append(rows, Row{Row: model.Row{CFA: r.cfa, RA: slotAt(-8), FP: r.fp}, Start: r.at})
			}
			require.Equal(t, c.want, checkFunction(t, c.function, rows))
		})
	}
}

// TestOutermost: a function that returns has a caller, and so has one that is called. Of code that
// leads to no return it is not known.
func TestOutermost(t *testing.T) {
	row := func(at uint64) Row {
		return Row{Row: model.Row{CFA: undefined, RA: undefined, FP: undefined}, Start: at}
	}
	require.Equal(t, []string{"row 0, RA at 0x0 to 0x15, 21 bytes: undefined, has the return address, by 0, truth *(CFA-8), shift 0, proof 0x14"},
		checkFunction(t, "pushes", []Row{row(0)}))
	require.Empty(t, checkFunction(t, "stops", []Row{row(0)}))
}

// TestChoice: what differs by the path to a landing pad refutes a row if it does on each path.
func TestChoice(t *testing.T) {
	amd64 := func(at uint64, cfa, fp model.Recovery) Row {
		return Row{Row: model.Row{CFA: cfa, RA: slotAt(-8), FP: fp}, Start: at}
	}
	word := func(reg uint32, off int64) model.Recovery {
		return model.Recovery{Kind: model.InRegister, Deref: true, Reg: reg, Offset: off}
	}
	none := amd64(0, undefined, undefined)
	none.RA = undefined
	aarch64 := Row{Row: model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: 31, Offset: 48}, RA: slotAt(-40), FP: unchanged}, Start: 0x1c}
	s390x := Row{Row: model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: 15, Offset: 336}, RA: slotAt(-48), FP: unchanged}, Start: 0x2c}
	for _, c := range []struct {
		file, function string
		row            Row
		want           string // the kinds that are wrong
	}{
		{"choice-amd64", "choice", amd64(0x1d, sp(48), slotAt(-16)), ""},
		{"choice-amd64", "choice", amd64(0x1d, sp(48), unchanged), "FP"},
		{"choice-amd64", "choice", amd64(0x1d, fp(16), slotAt(-16)), "CFA"},
		{"choice-amd64", "choice", amd64(0x1d, fp(40), slotAt(-16)), ""}, // the address is the first one's
		{"choice-amd64", "arguments", amd64(0x43-0x25, fp(16), slotAt(-16)), ""},
		{"choice-amd64", "arguments", amd64(0x43-0x25, sp(8), slotAt(-16)), "CFA"},
		{"choice-amd64", "arguments", amd64(0x43-0x25, sp(32), slotAt(-16)), ""},
		{"choice-amd64", "varies", amd64(0x7c-0x4b, word(6, -8), word(6, 0)), ""},
		{"choice-amd64", "varies", amd64(0x7c-0x4b, word(6, -24), word(6, 0)), "CFA"},
		{"choice-amd64", "varies", amd64(0x7c-0x4b, word(7, -8), word(6, 0)), "CFA"},
		{"choice-amd64", "varies", amd64(0x7c-0x4b, word(6, -8), unchanged), "FP"},
		{"choice-amd64", "ends.cold", none, "RA"},
		{"choice-aarch64", "choice", aarch64, "FP"},
		{"choice-s390x", "choice", s390x, "FP"},
	} {
		var kinds []string
		for _, x := range checkFunctionIn(t, c.file, c.function, []Row{c.row}) {
			kinds = append(kinds, strings.Fields(strings.TrimPrefix(x, "row 0, "))[0])
		}
		require.Equal(t, c.want, strings.Join(kinds, " "), "%s %s: %+v", c.file, c.function, c.row)
	}
}

// TestSignal: nothing is judged of a signal frame.
func TestSignal(t *testing.T) {
	require.Empty(t, checkFunction(t, "pushes", []Row{{Row: model.Row{CFA: sp(800), RA: slotAt(-8), FP: unchanged}, Signal: true}}))
}

// TestNoAddress: a general register with a result is certainly not where the CFA counts from. A
// floating-point register can't have an address: other rules report the row.
func TestNoAddress(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_S390X_ENDIAN_BIG)
	const code = "\xa7\x29\x00\x01" + "\xb3\x75\x00\x00" + "\x07\xfe" // lghi %r2,1; lzdr %f0; br %r14
	const r2, r15, f0 = 2, 15, 16
	for reg, want := range map[uint32]int{r15: 0, r2: 1, f0: 0} {
		scanProgram(t, abi, []byte(code), nil, func(o *reader.Object) {
			tr, err := New(o, []Range{{Start: codeAt, End: codeAt + uint64(len(code))}}, nil, nil)
			require.NoError(t, err)
			require.NoError(t, tr.Run(1, func(f *Function) {
				require.True(t, f.Anchored())
				row := model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: reg, Offset: 160}, RA: unchanged, FP: unchanged}
				found := 0
				f.Check([]Row{{Row: row, Start: codeAt + 8, End: codeAt + 10}}, func(c Contradiction) {
					require.Equal(t, WrongCFA, c.Kind)
					found++
				})
				require.Equal(t, want, found, "register %d", reg)
			}))
		})
	}
}

// checkFunction judges rows, whose starts count from the start of a function, of testdata/amd64.o.
func checkFunction(t *testing.T, name string, rows []Row) []string {
	return checkFunctionIn(t, "amd64", name, rows)
}

// checkFunctionIn is checkFunction for a function of another file in testdata.
func checkFunctionIn(t *testing.T, file, name string, rows []Row) (out []string) {
	err := reader.Scan("testdata/"+file+".o", reader.Options{}, func(o *reader.Object) error {
		abi := o.ELF.ABI()
		tr, err := New(o, functions(t, o), nil, nil)
		require.NoError(t, err)
		require.NoError(t, tr.Run(1, func(f *Function) {
			r := f.Range()
			if y, _ := o.ELF.Symbols.Func(int(r.Place), r.Start); y.Name != name {
				return
			}
			for i := range rows {
				rows[i].Start += r.Start
				rows[i].End = r.End
				if i > 0 {
					rows[i-1].End = rows[i].Start
				}
			}
			f.Check(rows, func(c Contradiction) {
				proof := ""
				for _, p := range c.Proof {
					proof += fmt.Sprintf("%#x ", p-r.Start)
				}
				if proof != "" {
					proof = proof[:len(proof)-1]
				}
				out = append(out, fmt.Sprintf("row %d, %v at %#x to %#x, %d bytes: %s, has %s, by %d, truth %s, shift %d, proof %s", c.Row, c.Kind,
					c.Start-r.Start, c.End-r.Start, c.PCs, c.Says.Format(abi), c.Got.Format(abi), c.By, c.Truth.Format(abi), c.Shift, proof))
			})
		}))
		return nil
	})
	require.NoError(t, err)
	return out
}

// Format writes the value in words, with the register names of the ABI.
func (v Value) Format(abi model.ABIInfo) string {
	switch v.Base {
	case Unknown:
		return "unknown"
	case Const:
		return fmt.Sprintf("%#x", uint64(v.Off))
	case CFA:
		return fmt.Sprintf("CFA%+d", v.Off)
	case Stack:
		return "an address in the stack"
	case Moving:
		return "an address in the stack that varies"
	case Mixed:
		return "another value on one of several paths"
	case Aligned:
		return fmt.Sprintf("the aligned SP%+d", v.Off)
	case Entry:
		name := "the caller's " + abi.RegName(uint32(v.Reg))
		if uint32(v.Reg) == abi.RA {
			name = "the return address"
		}
		if v.Signed {
			name = "signed " + name
		}
		if v.Off != 0 {
			name += fmt.Sprintf("%+d", v.Off)
		}
		return name
	}
	return "another value"
}
