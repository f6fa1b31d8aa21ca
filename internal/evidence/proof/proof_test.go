package proof

import (
	"bytes"
	"debug/elf"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// entry is the row of AMD64 on entry to a function.
var entry = model.Row{
	CFA: model.Recovery{Kind: model.InRegister, Reg: 7, Offset: 8},
	RA:  model.Recovery{Kind: model.FromCFA, Deref: true, Offset: -8},
	FP:  model.Recovery{Kind: model.Unchanged},
}

// prove tracks functions of the tracker's test file, whose range and block change may change, and
// passes what the code proves of rows that say what the entry row says.
func prove(t *testing.T, change func(name string, r *Range, signal *bool), visit func(found *Found, index func(name string) int)) {
	err := reader.Scan("testdata/amd64.o", reader.Options{}, func(o *reader.Object) error {
		var ranges []Range
		var names []string
		var signals []bool
		require.NoError(t, o.ELF.Symbols.Each(func(n int, y reader.Symbol) {
			if y.Type != elf.STT_FUNC || y.Size == 0 || y.Section <= 0 || o.ELF.Sections[y.Section].Type == elf.SHT_NOBITS {
				return
			}
			y, ok := o.ELF.Symbols.Symbol(n)
			require.True(t, ok)
			r, signal := Range{Place: uint32(y.Section), Start: y.Value, End: y.Value + y.Size}, false
			change(y.Name, &r, &signal)
			i, found := slices.BinarySearchFunc(ranges, r, func(a, b Range) int {
				if a.Place != b.Place {
					return int(a.Place) - int(b.Place)
				}
				return int(int64(a.Start - b.Start))
			})
			if r.End > r.Start && !found {
				ranges, names, signals = slices.Insert(ranges, i, r), slices.Insert(names, i, y.Name), slices.Insert(signals, i, signal)
			}
		}))
		found, err := Of(o, Functions{Ranges: ranges, Exits: true, Rows: func(i int, rows []Row) []Row {
			return append(rows, Row{Row: entry, Start: ranges[i].Start, End: ranges[i].End, Signal: signals[i]})
		}})
		require.NoError(t, err)
		visit(found, func(name string) int { return slices.Index(names, name) })
		return nil
	})
	require.NoError(t, err)
}

// TestWrong: the entry row is wrong after the first push, and nothing else is reported.
func TestWrong(t *testing.T) {
	prove(t, func(string, *Range, *bool) {}, func(found *Found, index func(string) int) {
		at := index("pushes")
		require.True(t, found.Has(at, WrongCFA))
		require.False(t, found.Has(at, WrongRA))
		require.Empty(t, found.Inner)
		require.Empty(t, found.Blocks)
		require.Empty(t, found.Called)
		for _, w := range found.Wrong {
			if w.Func == at && w.Kind == WrongCFA {
				require.Equal(t, w.Range.Start+1, w.Start)
				require.Equal(t, int64(-8), w.By)
				require.NotEmpty(t, w.Insns)
				words := Words{ABI: model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)}
				correction := words.Correction(&w)
				require.Contains(t, correction.Text, ".cfi_def_cfa_offset 16")
				require.Equal(t, Directive{1, ".cfi_def_cfa_offset 16"}, correction.Directives[0])
				require.Equal(t, strings.Count(correction.Text, ".cfi"), len(correction.Directives))
				require.Equal(t, correction, words.CorrectAll(found.Correction(at)))
			}
		}
	})
}

// TestCut: a function whose range ends early goes on, and one whose range is made of blocks
// leads from one to the next.
func TestCut(t *testing.T) {
	prove(t, func(name string, r *Range, _ *bool) {
		switch name {
		case "pushes":
			r.End--
		case "frame":
			r.Block = 8
		}
	}, func(found *Found, index func(string) int) {
		require.True(t, slices.ContainsFunc(found.Exits, func(x Exit) bool { return x.Func == index("pushes") && x.Kind == LeafFalls }))
		require.Len(t, found.Blocks, 1)
		require.Equal(t, index("frame"), found.Blocks[0].Func)
	})
}

// TestSignal: a function that returns a result is no signal frame, nor is a part with the frame of
// its function; one whose registers may all be as they were may be one.
func TestSignalRow(t *testing.T) {
	prove(t, func(name string, _ *Range, signal *bool) {
		*signal = name == "table" || name == "pushes" || name == "cold.cold"
	}, func(found *Found, index func(string) int) {
		require.ElementsMatch(t, []int{index("table"), index("cold.cold")}, found.Called)
	})
}

// TestLookups: where a function is marked as a signal frame, the row after a call of it is used for its caller.
func TestLookups(t *testing.T) {
	for _, c := range []struct {
		name, code string
		next       uint64 // where the row after that of the call starts, if not 0
		found      []Lookup
	}{
		{"the call ends the function", "50 e8 0a 00 00 00", 0, []Lookup{{Func: 1, Call: codeAt + 1}}},
		{"the call ends its row", "50 e8 0a 00 00 00 58 c3", 6, []Lookup{{Func: 1, Call: codeAt + 1, Row: true}}},
		{"the same row holds after the call", "50 e8 0a 00 00 00 90 58 c3", 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			code := append(unhex(t, c.code), bytes.Repeat([]byte{0x90}, 16)...)[:16]
			code = append(code, unhex(t, "31 c0 c3")...)
			end := codeAt + uint64(len(unhex(t, c.code)))
			ranges := []Range{{Start: codeAt, End: end}, {Start: codeAt + 16, End: codeAt + 19}}
			frame := func(start, end uint64, cfa int64) Row {
				return Row{Row: model.Row{CFA: sp(cfa), RA: slotAt(-8), FP: unchanged}, Start: start, End: end}
			}
			scanProgram(t, model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE), code, nil, func(o *reader.Object) {
				found, err := Of(o, Functions{Ranges: ranges, Exits: true, Rows: func(i int, rows []Row) []Row {
					switch {
					case i == 1:
						r := frame(ranges[1].Start, ranges[1].End, 8)
						r.Signal = true
						return append(rows, r)
					case c.next > 0:
						return append(rows, frame(codeAt, codeAt+1, 8), frame(codeAt+1, codeAt+c.next, 16), frame(codeAt+c.next, end, 8))
					}
					return append(rows, frame(codeAt, codeAt+1, 8), frame(codeAt+1, end, 16))
				}})
				require.NoError(t, err)
				require.Equal(t, []int{1}, found.Called)
				require.Equal(t, c.found, found.Lookups)
			})
		})
	}
}

// TestUnknownABI: what is not known of an ABI is not taken from another one.
func TestUnknownABI(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_S390X_ENDIAN_BIG)
	abi.Machine = elf.EM_RISCV
	_, ok := newArch(abi)
	require.False(t, ok)
}
