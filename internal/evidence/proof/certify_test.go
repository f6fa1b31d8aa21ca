package proof

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestCertified holds what is certified against what tracking finds: of rows as the assembler wrote
// them, of rows with a fault each, and of rows that are wrong everywhere.
func TestCertified(t *testing.T) {
	if testing.Short() {
		t.Skip("compares results, one file after the other: run without -short")
	}
	files, err := filepath.Glob("testdata/*.o")
	require.NoError(t, err)
	corpus, err := filepath.Glob("../../../corpus/files/*/*/*")
	require.NoError(t, err)
	certified, functions, faults := 0, 0, 0
	for _, file := range append(files, corpus...) {
		for seed := range uint64(12) {
			rnd := rand.New(rand.NewPCG(seed, 0))
			err := reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
				c, n, wrong := compareCertified(t, o, func(rows []Row) {
					if seed > 0 && len(rows) > 0 {
						spoil(rnd, rows, seed == 11)
					}
				})
				if faults += wrong; seed == 0 {
					certified, functions = certified+c, functions+n
				}
				return nil
			})
			_ = err // some files of the corpus are broken
		}
	}
	t.Logf("%d of %d functions certified, %d with faults tracked", certified, functions, faults)
	require.Greater(t, certified, functions*7/10)
	require.Greater(t, faults, 1000)
}

// compareCertified does it for the functions of an object, after a change of the rows of its CFI.
func compareCertified(t *testing.T, o *reader.Object, change func([]Row)) (certified, all, wrong int) {
	if o.ELF == nil {
		return 0, 0, 0
	}
	frames, err := cfi.Load(o, 0)
	if err != nil {
		return 0, 0, 0
	}
	var ranges []Range
	var rows [][]Row
	frames.Each(func(place uint32, start, end uint64, f cfi.FDE) bool {
		if n := len(ranges); n > 0 && ranges[n-1].Place == place && ranges[n-1].End > start {
			return true
		}
		ranges = append(ranges, Range{Place: place, Start: start, End: end})
		rows = append(rows, cfiRows(&f, start, end))
		change(rows[len(rows)-1])
		return true
	})
	return requireCertified(t, o, ranges, LSDAs(frames), rows)
}

// requireCertified requires that each range in which tracking finds a fault is tracked if its rows are
// certificates, too. It counts ranges that are certified, all, and those with faults.
func requireCertified(t *testing.T, o *reader.Object, ranges []Range, lsda FindLSDA, rows [][]Row) (certified, all, wrong int) {
	tracked := make([]bool, len(ranges))
	tr, err := New(o, ranges, lsda, func(i int, out []Row) []Row { return append(out, rows[i]...) })
	if err != nil {
		return 0, 0, 0
	}
	require.NoError(t, tr.Run(1, func(f *Function) { tracked[f.Index()] = true }))
	tr, err = New(o, ranges, lsda, nil)
	require.NoError(t, err)
	require.NoError(t, tr.Run(1, func(f *Function) {
		found := false
		f.Check(rows[f.Index()], func(x Contradiction) {
			require.True(t, tracked[f.Index()], "%s: %#x was certified: row %d, %v at %#x", o.Path, ranges[f.Index()].Start, x.Row, x.Kind, x.Start)
			found = true
		})
		if found {
			wrong++
		}
	}))
	for _, is := range tracked {
		if !is {
			certified++
		}
	}
	return certified, len(ranges), wrong
}

func cfiRows(f *cfi.FDE, start, end uint64) (rows []Row) {
	for row := range f.Rows() {
		r := Row{Start: max(row.Start, start), End: min(row.End, end), Signal: f.CIE.Signal}
		r.Signed, r.KeyB = row.Sign&cfi.RASigned != 0, f.CIE.KeyB
		if got := f.Recover(&row, r.Start); got.PC == 0 {
			r.Row = got.Row
		}
		if r.Start < r.End {
			rows = append(rows, r)
		}
	}
	return rows
}

// spoil makes rows wrong: one of them in one way, or all in the same way.
func spoil(rnd *rand.Rand, rows []Row, all bool) {
	k := rnd.IntN(len(rows))
	r := &rows[k]
	switch kind := rnd.IntN(7); {
	case all:
		for i := range rows {
			rows[i].CFA.Offset += 8
		}
	case kind == 0:
		r.CFA.Offset += 8
	case kind == 1:
		r.CFA.Offset -= 8 << rnd.IntN(4)
	case kind == 2 && k > 0: // the row starts a byte, or an instruction, away
		by := uint64(1) << rnd.IntN(3)
		if rows[k-1].End-rows[k-1].Start > by {
			rows[k-1].End -= by
			r.Start -= by
		}
	case kind == 3:
		if r.FP.Kind == model.Unchanged {
			r.FP = model.Recovery{Kind: model.FromCFA, Deref: true, Offset: -16}
		} else {
			r.FP = model.Recovery{Kind: model.Unchanged}
		}
	case kind == 4:
		r.RA.Offset -= 8
	case kind == 5 && k > 0:
		r.Row = rows[k-1].Row
	case kind == 6:
		r.Signed = !r.Signed
	}
}

// TestCertificate: what follows from the rows of a function alone is no certificate: the entry and the
// returns must agree with it, and the entry must lead to all code that rows are of.
func TestCertificate(t *testing.T) {
	// Each row is a start, and what the CFA is there, from SP on.
	for _, c := range []struct {
		name, code string
		rows       [][2]uint64
		passes     bool
	}{
		{"push and pop", "55 5d c3", [][2]uint64{{0, 8}, {1, 16}, {2, 8}}, true},
		{"a return with a word too much", "55 c3", [][2]uint64{{0, 8}, {1, 16}}, false},
		{"rows that agree with each other only", "55 5d c3", [][2]uint64{{0, 16}, {1, 24}, {2, 16}}, false},
		{"a loop", "53 ff c8 75 fc 5b c3", [][2]uint64{{0, 8}, {1, 16}, {6, 8}}, true},
		{"a loop that pushes", "50 ff c8 75 fb c3", [][2]uint64{{0, 8}, {1, 16}}, false},
		{"a loop that pushes and does not return", "50 ff c8 75 fb 0f 0b", [][2]uint64{{0, 8}, {1, 16}}, false},
		{"a body after the test of its loop", "53 eb 02 ff c8 75 fc 5b c3", [][2]uint64{{0, 8}, {1, 16}, {8, 8}}, true},
		{"the same, with a wrong row", "53 eb 02 ff c8 75 fc 5b c3", [][2]uint64{{0, 8}, {1, 16}, {3, 24}, {5, 16}, {8, 8}}, false},
		{"code that nothing leads to", "c3 55 5d c3", [][2]uint64{{0, 8}, {1, 8}, {2, 16}, {3, 8}}, false},
		{"code that only code leads to that nothing leads to", "c3 53 eb 02 ff c8 75 fc 5b c3", [][2]uint64{{0, 8}, {2, 16}, {9, 8}}, false},
		{"code that leads to itself", "c3 eb 02 eb fc eb fc", [][2]uint64{{0, 8}}, false},
		{"padding that nothing leads to", "c3 90 90 90", [][2]uint64{{0, 8}}, true},
		{"cases of a switch", "53 ff e0 5b c3 5b c3", [][2]uint64{{0, 8}, {1, 16}, {4, 8}, {5, 16}, {6, 8}}, true},
		{"a case with another row", "53 ff e0 5b c3 50 5b 5b c3", [][2]uint64{{0, 8}, {1, 16}, {4, 8}, {5, 8}, {6, 16}, {8, 8}}, false},
		{"a case after one that uses FP for an address", "55 ff e0 48 8d 6c 24 08 0f 0b 5d c3", [][2]uint64{{0, 8}, {1, 16}, {11, 8}}, true},
		{"two switches", "53 ff e0 5b ff e0 5b c3", [][2]uint64{{0, 8}, {1, 16}, {4, 8}, {6, 16}, {7, 8}}, false},
		{"a row inside an instruction", "48 83 ec 08 48 83 c4 08 c3", [][2]uint64{{0, 8}, {3, 16}, {8, 8}}, false},
		{"the first row inside an instruction", "48 83 ec 08 48 83 c4 08 c3", [][2]uint64{{2, 16}, {8, 8}}, false},
		{"a row a byte later", "48 83 ec 08 48 83 c4 08 c3", [][2]uint64{{0, 8}, {4, 16}, {8, 8}}, true},
		{"code behind the end", "55 5d eb 00", [][2]uint64{{0, 8}, {1, 16}, {2, 8}}, false},
		{"code follows", "c3", [][2]uint64{{0, 8}}, false},
		{"the last instruction goes on", "55 5d", [][2]uint64{{0, 8}, {1, 16}}, false},
		{"a call that does not return", "53 e8 00 01 00 00 5b c3", [][2]uint64{{0, 8}, {1, 16}, {7, 8}}, true},
		{"the address of the code itself", "e8 00 00 00 00 58 c3", [][2]uint64{{0, 8}, {5, 16}, {6, 8}}, false},
		{"a loop that changes a register", "48 89 e0 48 89 c4 48 8b 07 ff c9 75 f6 c3", [][2]uint64{{0, 8}}, false},
		{"a loop that keeps the register", "48 89 e0 48 89 c4 48 8b 3f ff c9 75 f6 c3", [][2]uint64{{0, 8}}, true},
		{"a loop that changes a slot", "53 48 89 24 24 48 89 1c 24 ff c9 75 f8 5b c3", [][2]uint64{{0, 8}, {1, 16}, {14, 8}}, true},
		{"a loop that changes a slot that it needs", "53 48 89 24 24 48 8b 24 24 48 89 1c 24 ff c9 75 f4 5b c3", [][2]uint64{{0, 8}, {1, 16}, {18, 8}}, false},
		{"the return address is overwritten", "48 89 04 24 c3", [][2]uint64{{0, 8}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			code := unhex(t, c.code)
			ranges := []Range{{Start: codeAt, End: codeAt + uint64(len(code))}}
			var rows []Row
			for i, r := range c.rows {
				end := uint64(len(code))
				if i+1 < len(c.rows) {
					end = c.rows[i+1][0]
				}
				rows = append(rows, Row{Row: model.Row{CFA: sp(int64(r[1])), RA: slotAt(-8), FP: unchanged}, Start: codeAt + r[0], End: codeAt + end})
			}
			if c.rows[0][1] == 8 && len(rows) > 1 && code[0] == 0x55 { // push %rbp
				rows[1].FP = slotAt(-16)
			}
			after := byte(0xcc)
			if c.name == "code follows" {
				after = 0xc3
			}
			scanProgram(t, model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), append(code, after), nil, func(o *reader.Object) {
				tr, err := New(o, ranges, nil, func(_ int, out []Row) []Row { return append(out, rows...) })
				require.NoError(t, err)
				tr.facts[0].evidence |= Symbol
				passes := true
				require.NoError(t, tr.Run(1, func(*Function) { passes = false }))
				require.Equal(t, c.passes, passes)
			})
		})
	}
}

// TestCertifiedStack: what SP is loaded from a word that no row states is an address in the stack, as the SP that is
// saved before an array of variable length.
func TestCertifiedStack(t *testing.T) {
	code := unhex(t, "55 48 89 e5 48 8b 65 f0 c9 c3") // push %rbp; mov %rsp,%rbp; mov -16(%rbp),%rsp; leave; ret
	row := func(start, end uint64, cfa, fp model.Recovery) Row {
		return Row{Row: model.Row{CFA: cfa, RA: slotAt(-8), FP: fp}, Start: codeAt + start, End: codeAt + end}
	}
	fp := sp(16)
	fp.Reg = 6
	rows := []Row{row(0, 1, sp(8), unchanged), row(1, 4, sp(16), slotAt(-16)), row(4, 9, fp, slotAt(-16)), row(9, 10, sp(8), unchanged)}
	scanProgram(t, model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), append(code, 0xcc), nil, func(o *reader.Object) {
		certified, _, wrong := requireCertified(t, o, []Range{{Start: codeAt, End: codeAt + uint64(len(code))}}, nil, [][]Row{rows})
		require.Equal(t, 1, certified)
		require.Zero(t, wrong)
	})
}

// TestClaims: tracking finds each row right in the state that the certificate takes for the row's.
func TestClaims(t *testing.T) {
	in := func(reg uint32) model.Recovery { return model.Recovery{Kind: model.InRegister, Reg: reg} }
	for _, x := range model.ABIs() {
		a, ok := newArch(x)
		if !ok {
			continue
		}
		cfa := func(reg insn.Reg) model.Recovery {
			return model.Recovery{Kind: model.InRegister, Reg: uint32(reg), Offset: 400}
		}
		c, s := certifier{a: a}, state{}
		check := checker{u: &unit{arch: a}, f: &Function{}}
		claimed := 0
		for _, cfa := range []model.Recovery{cfa(a.sp), cfa(a.fp), cfa(1)} {
			for _, ra := range []model.Recovery{unchanged, slotAt(-8), in(17), in(2)} {
				for _, fp := range []model.Recovery{unchanged, slotAt(-16), in(18), in(3)} {
					for k := range 3 {
						row := Row{Row: model.Row{CFA: cfa, RA: ra, FP: fp}, Signed: k > 0 && a.abi.Pauth, KeyB: k > 1 && a.abi.Pauth}
						f, ok := c.claimsOf(&row)
						if !ok {
							continue
						}
						claimed++
						a.expand(&f, &s)
						for _, kind := range []Aspect{WrongCFA, WrongRA, WrongFP} {
							require.Equal(t, agrees, check.judge(kind, &row, &s).answer, "%s: %v: %+v", x.Name, kind, row)
						}
						if a.abi.Pauth {
							require.Equal(t, agrees, check.judge(WrongSigning, &row, &s).answer, "%+v", row)
						}
					}
				}
			}
		}
		require.Greater(t, claimed, 8, x.Name)
	}
}

// TestPlainEnd: the last instruction of a range is decoded, wherever the next relocation is.
func TestPlainEnd(t *testing.T) {
	a, _ := newArch(model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE))
	code := []byte{0x90, 0x90, 0x90}
	for _, at := range []uint64{3, 1 << 62, 1 << 63, 1<<64 - 1} {
		w := sweeper{v: &view{image: &image{arch: a}}, relocs: []reloc{{off: at}}}
		w.bytes = append(append(w.bytes, code...), make([]byte, insn.MaxLen)...)
		w.cert = certifier{a: a, piece: &piece{until: 1 << 63, end: 3}, live: true, id: 1, cells: make([]int32, 3)}
		w.cert.watch.Marks = w.cert.cells
		require.Equal(t, 2, w.plain(code, 0, 0, 0), "%#x", at)
		require.Equal(t, []int32{1, 1, 0}, w.cert.cells)
	}
}
