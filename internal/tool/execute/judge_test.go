package execute

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

var (
	unchanged = model.Recovery{Kind: model.Unchanged}
	atCFA     = func(off int64) model.Recovery {
		return model.Recovery{Kind: model.FromCFA, Offset: off, Deref: true}
	}
)

const text = 0x1000 // where functions of the tests start

// functionOf returns a section of AArch64 with a function of 8 bytes and one row.
func functionOf(t *testing.T, row generator.Row) *model.Section {
	t.Helper()
	p := &generator.Plan{
		Version: 3, ABI: model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, Addr: 0x4000,
		Flags: model.SFRAME_F_FDE_SORTED | model.SFRAME_F_FDE_FUNC_START_PCREL,
		Funcs: []generator.Func{{Start: text, Size: 8, FDEType: model.SFRAME_FDE_TYPE_FLEX, Rows: []generator.Row{row}}},
	}
	if !row.Rules.CFA.Deref {
		p.Funcs[0].FDEType = model.SFRAME_FDE_TYPE_DEFAULT
	}
	b, err := generator.Encode(p)
	require.NoError(t, err)
	s, faults := reader.DecodeSection(b, reader.SectionOptions{Addr: p.Addr})
	require.Empty(t, faults)
	return s
}

// judgedRow judges a function with one row by one fact.
func judgedRow(t *testing.T, exact bool, row generator.Row, f Fact) (out []string) {
	t.Helper()
	s := functionOf(t, row)
	f.Caller = true
	x := &FileTruth{Exact: exact, Facts: []Fact{f}, Runs: [][]uint64{{text, 0, 4, 4}}}
	j := x.Judge(s)
	assert.Equal(t, 2, j.Judged)
	for _, w := range j.Wrong {
		assert.Equal(t, []any{uint64(text), 0, 0, 2}, []any{w.PC, w.FDE, w.FRE, w.Instructions})
		out = append(out, w.What+": "+w.Row+", "+w.True)
	}
	return out
}

// TestJudgeMangled compares FREs without the mangled bit with the places that have the return
// address as it is, and the others with those that have it signed, too.
func TestJudgeMangled(t *testing.T) {
	sp16 := model.Recovery{Kind: model.InRegister, Reg: 31, Offset: 16}
	slot := model.Row{CFA: sp16, RA: atCFA(-8), FP: unchanged}
	kept := model.Row{CFA: sp16, RA: unchanged, FP: unchanged}
	base := Fact{CFA: [][2]int64{{31, 16}}, FP: []int64{29}}
	signed, plain := base, base
	signed.RA, signed.RASlots = []int64{30}, []int64{-8}
	plain.RA, plain.RASlots, plain.RawRA, plain.RawRASlots = signed.RA, signed.RASlots, signed.RA, signed.RASlots
	moved := signed // the return address is in x30 as it is, and signed in the slot
	moved.RawRA = []int64{30}
	for name, x := range map[string]struct {
		fact    Fact
		rules   model.Row
		mangled bool
		want    []string
	}{
		"signed slot":               {signed, slot, true, nil},
		"signed slot, not marked":   {signed, slot, false, []string{"ra: RA=*(CFA-8), nothing always held it"}},
		"signed in x30":             {signed, kept, true, nil},
		"signed in x30, not marked": {signed, kept, false, []string{"ra: RA=unchanged, nothing always held it"}},
		"plain slot":                {plain, slot, false, nil},
		"plain slot, marked":        {plain, slot, true, nil}, // there is no signature to remove
		"plain in x30":              {plain, kept, false, nil},
		"not pushed":                {moved, slot, false, []string{"ra: RA=*(CFA-8), x30"}},
		"other slot, marked":        {signed, model.Row{CFA: sp16, RA: atCFA(-16), FP: unchanged}, true, []string{"ra: RA=*(CFA-16), x30 or *(CFA-8)"}},
	} {
		row := generator.Row{Rules: x.rules, Mangled: x.mangled}
		assert.Equal(t, x.want, judgedRow(t, true, row, x.fact), name)
		if !x.mangled { // facts of an older version contradict no mark
			assert.Empty(t, judgedRow(t, false, row, signed), name)
		}
	}
}

// TestJudgeCFAInMemory compares a CFA that is in memory with the words that were the CFA.
func TestJudgeCFAInMemory(t *testing.T) {
	fact := Fact{CFA: [][2]int64{{31, 32}}, CFASlots: []int64{-24, 8}, RA: []int64{30}, RawRA: []int64{30}, FP: []int64{29}}
	partial := fact
	partial.Partial = true
	at := fact
	at.CFA = nil
	at.Mem = [][2]int64{{31, 16}}
	not := at
	not.Mem, not.Not = nil, [][3]int64{{0, 31, 16}}
	for name, x := range map[string]struct {
		fact  Fact
		off   int64 // from SP
		want  bool  // a finding
		older bool  // a finding by a file of an older version
	}{
		"is the CFA":            {fact, 8, false, false},
		"above, is the CFA":     {fact, 40, false, false},
		"is not":                {fact, 16, true, false},
		"above, is not":         {fact, 32, true, false},
		"last word of window":   {fact, 32 + slotAbove - 8, true, false},
		"above the window":      {fact, 32 + slotAbove, false, false},
		"first word of window":  {fact, 32 - slotWindow, true, false},
		"below the window":      {fact, 24 - slotWindow, false, false},
		"not a word of it":      {fact, 20, false, false},
		"not all were known":    {partial, 16, false, false},
		"recorded of the row":   {at, 16, false, false},
		"not of the row":        {not, 16, true, true},
		"no constant distance":  {at, 24, false, false},
		"far from the register": {fact, 1 << 20, false, false},
	} {
		row := generator.Row{Rules: model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: 31, Offset: x.off, Deref: true}, RA: unchanged, FP: unchanged}}
		for exact, want := range map[bool]bool{true: x.want, false: x.older} {
			got := judgedRow(t, exact, row, x.fact)
			require.Equal(t, want, len(got) > 0, "%s: exact %t: %q", name, exact, got)
			for _, w := range got {
				assert.Contains(t, w, "cfa: CFA=*(sp", name)
			}
		}
	}
}

// TestJudgeStart names an FDE that starts inside an instruction, and not one that starts after it.
func TestJudgeStart(t *testing.T) {
	row := generator.Row{Rules: model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: 31}, RA: unchanged, FP: unchanged}}
	s := functionOf(t, row)
	fact := Fact{CFA: [][2]int64{{31, 0}}, RA: []int64{30}, RawRA: []int64{30}, FP: []int64{29}, Caller: true}
	for length, want := range map[uint64][]string{4: nil, 5: {"boundary: the FDE starts at 0x1000, an instruction of 5 bytes is at 0xffc"}} {
		x := &FileTruth{Exact: true, Facts: []Fact{fact}, Runs: [][]uint64{{text - 4, 0, length}, {math.MaxUint64 - 1, 0, 4}}} // the last one wraps
		j := x.Judge(s)
		assert.Equal(t, 2, j.NoRow)
		var got []string
		for _, w := range j.Wrong {
			assert.Equal(t, []uint64{text - 4, text}, []uint64{w.PC, w.Start})
			got = append(got, w.What+": "+w.Row+", "+w.True)
		}
		assert.Equal(t, want, got)
	}
}

// TestReadTruthOlder reads a file without the mark: what it has in the newer members is not used.
func TestReadTruthOlder(t *testing.T) {
	fact := Fact{CFA: [][2]int64{{31, 0}}, RA: []int64{30}, FP: []int64{29}, Caller: true}
	older := &Truth{TruthSchema, "a", []*FileTruth{{Name: "a", Code: "01", Facts: []Fact{fact}, Runs: [][]uint64{{text, 0, 4}}}}}
	b, err := json.Marshal(older)
	require.NoError(t, err)
	assert.NotContains(t, string(b), "exact")
	got, err := ReadTruth(strings.NewReader(string(b)), int64(len(b)), nil)
	require.NoError(t, err)
	assert.False(t, got.Files[0].Exact)

	newer := &Truth{TruthSchema, "a", []*FileTruth{{Name: "a", Code: "01", Exact: true, Facts: []Fact{fact}, Runs: [][]uint64{{text, 0, 4}}}}}
	require.NoError(t, newer.Merge(newer.File("", "01").alone()))
	assert.True(t, newer.Files[0].Exact)
	require.NoError(t, newer.Merge(got)) // the newer members hold in both, and the older file has none
	assert.False(t, newer.Files[0].Exact)
}

// alone returns a truth of a file.
func (x *FileTruth) alone() *Truth { return &Truth{TruthSchema, "a", []*FileTruth{x}} }

// fakeStack is a stack. It satisfies [Space]. Words that it lacks are zero, and those of hidden are
// not known.
type fakeStack struct {
	words  map[uint64]uint64
	hidden map[uint64]bool
}

func (m *fakeStack) Code(uint64, []byte) int     { return 0 }
func (m *fakeStack) Image(uint64) (*Image, bool) { return nil, false }

func (m *fakeStack) ReadMemory(addr uint64, b []byte) error {
	var w [8]byte
	for i := range b {
		at := addr + uint64(i)
		if m.hidden[at&^7] {
			return ErrUnknown
		}
		binary.LittleEndian.PutUint64(w[:], m.words[at&^7])
		b[i] = w[at&7]
	}
	return nil
}

// TestRecordWords records which places have a return address with and without a signature, and
// which words are the CFA.
func TestRecordWords(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE)
	const cfa, ra, sign = uint64(0x7fff0200), uint64(0x401234), uint64(0x2a << 48)
	m := &fakeStack{words: map[uint64]uint64{
		cfa - 8: ra | sign, cfa - 16: 0x1111, cfa - 24: ra, cfa - 32: cfa, cfa - 40: cfa, cfa + 16: cfa, cfa + slotAbove: cfa,
	}}
	p := NewChecker(abi, Options{}).Process(m)
	f := &frame{sp: cfa, ra: ra, fp: 0x1111}
	var r Regs
	r.Set(abi.SP, cfa-64)
	r.Set(abi.RA, ra|sign)
	r.Set(9, ra)
	r.Set(10, ra)
	x := &fact{Fact: Fact{Caller: true}, visits: 1}
	x.begin(p, f, &r, &site{}, cfa)
	got := x.Fact
	want := Fact{
		CFA: [][2]int64{{31, 64}}, CFASlots: []int64{-40, -32, 16}, Caller: true,
		RA: []int64{9, 10, 30}, RASlots: []int64{-24, -8}, RawRA: []int64{9, 10}, RawRASlots: []int64{-24}, FPSlots: []int64{-16},
	}
	got.CFA = got.CFA[len(got.CFA)-1:] // x9, x10 and others are at some distance as well
	assert.Equal(t, want, got)

	// What changes is dropped, and what is not known stays.
	m.words[cfa-40], m.words[cfa-24] = 0, ra|sign
	m.hidden = map[uint64]bool{cfa + 16: true}
	p.window.forget()
	r.Set(10, ra|sign)
	x.visits++
	x.narrow(p, f, &r, cfa)
	got = x.Fact
	assert.Equal(t, []int64{-32, 16}, got.CFASlots)
	assert.Equal(t, [][]int64{{9, 10, 30}, {9}}, [][]int64{got.RA, got.RawRA})
	assert.Equal(t, []int64{-24, -8}, got.RASlots)
	assert.Empty(t, got.RawRASlots)
	assert.False(t, got.Partial)

	// With a word that is not known, nothing can be said of the words that are not listed.
	x = &fact{}
	x.begin(p, f, &r, &site{}, cfa)
	assert.True(t, x.Partial)
}
