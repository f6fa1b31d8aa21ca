package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

func cfa(off int64) Rule {
	return Rule{Covered: true, Row: model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: 7, Offset: off}}}
}

// testFunc is a function of a test, with its names, place and rows.
type testFunc struct {
	names   []string
	section string
	offset  uint64
	start   uint64
	size    uint32
	signal  bool
	rep     uint8
	rows    []testRow
}

type testRow struct {
	from, to uint32
	rule     Rule
}

// fn is a function in .text of a linked file, with a row for each offset.
func fn(name string, start uint64, size uint32, offsets ...int64) testFunc {
	f := testFunc{section: ".text", offset: start, start: 0x1000 + start, size: size}
	if name != "" {
		f.names = []string{name}
	}
	for i, off := range offsets {
		f.rows = append(f.rows, testRow{uint32(i), uint32(i + 1), cfa(off)})
	}
	return f
}

// testNames are the names of all units.
var testNames nameTable

func nameID(name string) uint32 {
	id, _ := testNames.id([]byte(name), func(int64) error { return nil })
	return id
}

// unit is a linked file with these functions, in their order.
func unit(path string, funcs ...testFunc) *Unit {
	u := &Unit{Path: path, Linked: true, Sections: []Header{{}}, Status: "ok", ABI: model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, contents: &contents{rules: &ruleTable{}, rows: &rowTable{}, names: &testNames}}
	for i, f := range funcs {
		for k, name := range f.names {
			u.symbols.all = append(u.symbols.all, symbol{f.start, -1, false, uint32(k), nameID(name)})
		}
		g := function{start: f.start, size: f.size, signal: f.signal, rep: f.rep, row: uint32(len(u.rows.all)), rows: uint32(len(f.rows))}
		for _, r := range f.rows {
			u.rows.all = append(u.rows.all, row{r.from, r.to, u.rules.id(r.rule)})
		}
		if f.section != "" {
			g.section = int32(i + 1)
			u.sections = append(u.sections, section{g.section, f.section, f.start - f.offset})
		}
		u.funcs = append(u.funcs, g)
	}
	u.named()
	return u
}

// named finds the functions' symbols.
func (u *Unit) named() {
	u.symbols.index()
	for i := range u.funcs {
		u.funcs[i].symbol = u.symbols.at(-1, u.funcs[i].start)
	}
}

// paired renders pairs and what is left by their offsets.
func paired(a, b *Unit) string {
	m := match(a, b)
	offset := func(u *Unit, i int32) uint64 { return u.funcs[i].start - 0x1000 }
	s := ""
	for _, p := range m.pairs {
		s += fmt.Sprintf("%d=%d ", offset(a, p[0]), offset(b, p[1]))
	}
	for i, used := range m.usedA {
		if !used {
			s += fmt.Sprintf("-%d ", offset(a, int32(i)))
		}
	}
	for i, used := range m.usedB {
		if !used {
			s += fmt.Sprintf("+%d ", offset(b, int32(i)))
		}
	}
	return s
}

func TestMatch(t *testing.T) {
	alias := fn("y", 3, 4)
	alias.names = []string{"y", "x", "z"}
	elsewhere := fn("", 1, 4)
	elsewhere.section = ".plt"
	raw := fn("", 1, 4)
	raw.section = ""
	for name, x := range map[string]struct {
		a, b []testFunc
		want string
	}{
		"by name":              {[]testFunc{fn("f", 1, 4), fn("g", 5, 4)}, []testFunc{fn("g", 1, 4), fn("f", 5, 4)}, "1=5 5=1 "},
		"by another name":      {[]testFunc{fn("x", 1, 4)}, []testFunc{alias}, "1=3 "},
		"one name only once":   {[]testFunc{fn("x", 1, 4), fn("z", 5, 4), fn("w", 9, 4)}, []testFunc{alias}, "1=3 -5 -9 "},
		"local ones by rows":   {[]testFunc{fn("s", 1, 2, 8), fn("s", 5, 2, 16)}, []testFunc{fn("s", 2, 2, 16), fn("s", 7, 2, 8)}, "1=7 5=2 "},
		"local ones by order":  {[]testFunc{fn("s", 1, 2, 8), fn("s", 5, 2, 16)}, []testFunc{fn("s", 2, 2, 24), fn("s", 7, 2, 32)}, "1=2 5=7 "},
		"one local one less":   {[]testFunc{fn("s", 1, 2, 8), fn("s", 5, 2, 16)}, []testFunc{fn("s", 2, 2, 16)}, "5=2 -1 "},
		"stripped by place":    {[]testFunc{fn("f", 1, 4), fn("g", 5, 4)}, []testFunc{fn("", 5, 4), fn("", 1, 4)}, "1=1 5=5 "},
		"both stripped":        {[]testFunc{fn("", 1, 4)}, []testFunc{fn("", 1, 4)}, "1=1 "},
		"two names, one place": {[]testFunc{fn("f", 1, 4)}, []testFunc{fn("g", 1, 4)}, "-1 +1 "},
		"another section":      {[]testFunc{fn("f", 1, 4)}, []testFunc{elsewhere}, "-1 +1 "},
		"raw by address":       {[]testFunc{fn("f", 1, 4)}, []testFunc{raw}, "1=1 "},
	} {
		assert.Equal(t, x.want, paired(unit("a", x.a...), unit("b", x.b...)), name)
	}
}

// Very many functions of one name must not take quadratic time.
func TestMatchCrowd(t *testing.T) {
	var a, b []testFunc
	for i := range 200_000 {
		a, b = append(a, fn("s", uint64(i), 1, int64(i))), append(b, fn("s", uint64(i+7), 1, int64(i)))
	}
	m := match(unit("a", a...), unit("b", b...))
	assert.Len(t, m.pairs, len(a))
	assert.NotContains(t, m.usedA, false)
	assert.NotContains(t, m.usedB, false)
	for i := range a { // all at one place, and none fits
		a[i].names, b[i].section = nil, ""
		a[i].offset, b[i].start = 0, a[0].start
		a[i].start = a[0].start
	}
	assert.NotEmpty(t, match(unit("a", a...), unit("b", b...)).pairs)
}

// Very many functions of one name, which differ, must not take quadratic time.
func TestLinkCrowd(t *testing.T) {
	var a, b []testFunc
	for i := range 50_000 {
		a, b = append(a, fn("s", uint64(i), 1, int64(i))), append(b, fn("s", uint64(i+7), 1, int64(i+1)))
	}
	r := Link([]*Unit{unit("a.o", a...)}, unit("out", b...))
	assert.Equal(t, 1, r.Lost)
	assert.Equal(t, len(a)-1, r.Kept)
}

func TestSweep(t *testing.T) {
	type run struct {
		from, to uint32
		a, b     Rule
	}
	none := Rule{}
	for name, x := range map[string]struct {
		f, g testFunc
		want []run
	}{
		"same":                  {fn("f", 0, 3, 8, 8, 16), fn("f", 0, 3, 8, 8, 16), nil},
		"same, in other pieces": {testFunc{size: 3, rows: []testRow{{0, 3, cfa(8)}}}, fn("f", 0, 3, 8, 8, 8), nil},
		"one row":               {fn("f", 0, 3, 8, 16, 8), fn("f", 0, 3, 8, 24, 8), []run{{1, 2, cfa(16), cfa(24)}}},
		"two in a run":          {fn("f", 0, 3, 8, 16, 16), fn("f", 0, 3, 8, 24, 24), []run{{1, 3, cfa(16), cfa(24)}}},
		"gap":                   {fn("f", 0, 4, 8), testFunc{size: 4, rows: []testRow{{2, 4, cfa(8)}}}, []run{{0, 1, cfa(8), none}, {2, 4, none, cfa(8)}}},
		"only what both have":   {fn("f", 0, 2, 8, 8, 16), fn("f", 0, 3, 8, 8, 24), nil},
		"nothing":               {testFunc{size: 4}, testFunc{size: 4}, nil},
	} {
		var got []run
		d := differ{a: unit("a", x.f), b: unit("b", x.g)}
		d.sweep(&d.a.funcs[0], &d.b.funcs[0], func(from, to uint32, a, b Rule) { got = append(got, run{from, to, a, b}) })
		assert.Equal(t, x.want, got, name)
	}
}

func TestDiffFunction(t *testing.T) {
	f, g := fn("f", 0, 2, 8, 16), fn("", 0, 3, 8, 24)
	g.signal = true
	all := Diff(unit("a", f), unit("b", g))
	require.Len(t, all, 3)
	assert.Equal(t, []Aspect{Size, Signal, Rules}, []Aspect{all[0].Kind, all[1].Kind, all[2].Kind})
	assert.Equal(t, "f", all[0].Function)
	assert.Equal(t, "0x1", all[2].From)
	assert.Equal(t, "0x2", all[2].To)
	// Too many stubs to be compared one by one: only their size is compared.
	f.rep, g.rep = 16, 24
	a, b := unit("a", f), unit("b", g)
	assert.Len(t, Diff(a, b), 3)
	assert.True(t, same(a, &a.funcs[0], a, &a.funcs[0]))
	assert.False(t, same(a, &a.funcs[0], b, &b.funcs[0]))
}

func TestFormat(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE)
	r := Rule{Covered: true, Signed: true, Row: model.Row{
		CFA: model.Recovery{Kind: model.InRegister, Reg: 31, Offset: 16},
		RA:  model.Recovery{Kind: model.FromCFA, Deref: true, Offset: -8},
		FP:  model.Recovery{Kind: model.Unchanged},
	}}
	assert.Equal(t, "CFA = sp+16, RA *(CFA-8), FP unchanged, RA signed", r.Format(abi))
	r.KeyB = true
	assert.Equal(t, "CFA = sp+16, RA *(CFA-8), FP unchanged, RA signed with key B", r.Format(abi))
	r.Row.RA = model.Recovery{Kind: model.Undefined}
	assert.Equal(t, "outermost frame", r.Format(abi))
	assert.Equal(t, "no FRE", Rule{}.Format(abi))
}

func losses(r *LinkReport) []Effect {
	var out []Effect
	for l := range r.Losses() {
		out = append(out, l.Kind)
	}
	return out
}

func TestLink(t *testing.T) {
	bare := func(u *Unit, name string, at uint64) *Unit { // a function without an FDE
		u.symbols.all = append(u.symbols.all, symbol{at, -1, false, 0, nameID(name)})
		u.named()
		return u
	}
	alias := fn("y", 3, 2, 8)
	alias.names = []string{"y", "f"}
	for name, x := range map[string]struct {
		in   []*Unit
		out  *Unit
		want []Effect
		kept int
	}{
		"all there":       {[]*Unit{unit("a.o", fn("f", 0, 2, 8))}, unit("out", fn("f", 5, 2, 8)), nil, 1},
		"one of inline":   {[]*Unit{unit("a.o", fn("f", 0, 2, 8)), unit("b.o", fn("f", 0, 2, 16))}, unit("out", fn("f", 5, 2, 16)), nil, 2},
		"none of inline":  {[]*Unit{unit("a.o", fn("f", 0, 2, 8)), unit("b.o", fn("f", 0, 2, 16))}, unit("out", fn("f", 5, 2, 24)), []Effect{FDEChanged}, 0},
		"both local":      {[]*Unit{unit("a.o", fn("s", 0, 2, 8)), unit("b.o", fn("s", 0, 2, 16))}, unit("out", fn("s", 5, 2, 16), fn("s", 9, 2, 8)), nil, 2},
		"one local lost":  {[]*Unit{unit("a.o", fn("s", 0, 2, 8)), unit("b.o", fn("s", 0, 2, 16))}, bare(unit("out", fn("s", 5, 2, 16)), "s", 0x77), []Effect{FDELost}, 1},
		"never described": {[]*Unit{unit("a.o", fn("s", 0, 2, 8)), bare(unit("b.o"), "s", 0)}, bare(unit("out", fn("s", 5, 2, 8)), "s", 0x77), nil, 1},
		"under an alias":  {[]*Unit{unit("a.o", fn("f", 0, 2, 8))}, unit("out", alias), nil, 1},
		"left out":        {[]*Unit{unit("a.o", fn("f", 0, 2, 8), fn("g", 4, 2, 8))}, unit("out", fn("f", 0, 2, 8)), nil, 1},
		"output stripped": {[]*Unit{unit("a.o", fn("f", 0, 2, 8))}, unit("out", fn("", 0, 2, 8)), nil, 1},
		"moved together":  {[]*Unit{unit("a.o", fn("f", 0, 2, 8), fn("g", 4, 3, 8))}, unit("out", fn("", 9, 2, 8), fn("", 13, 3, 8)), nil, 2},
		"one changed":     {[]*Unit{unit("a.o", fn("f", 0, 2, 8), fn("g", 4, 3, 8))}, unit("out", fn("", 9, 2, 8), fn("", 13, 3, 16)), []Effect{FDEChanged}, 1},
		"one of three":    {[]*Unit{unit("a.o", fn("f", 0, 2, 8), fn("g", 4, 3, 8), fn("h", 8, 5, 8))}, unit("out", fn("", 9, 2, 8), fn("", 13, 3, 8)), []Effect{FDELost}, 2},
		"another size":    {[]*Unit{unit("a.o", fn("f", 0, 2, 8))}, unit("out", fn("", 0, 5, 8)), []Effect{NotComparable}, 0},
		"no FDE":          {[]*Unit{unit("a.o", fn("f", 0, 2, 8))}, bare(unit("out"), "f$plt", 4), []Effect{NotComparable}, 0},
	} {
		r := Link(x.in, x.out)
		assert.Equal(t, x.want, losses(r), name)
		assert.Equal(t, x.kept, r.Kept, name)
	}
}

func TestLinkHeaders(t *testing.T) {
	in := func(path string, v model.Version, flags model.Flags, aux uint8) *Unit {
		u := unit(path, fn("f", 0, 2, 8))
		u.Sections[0].Header = model.Header{Version: v, ABI: 3, Flags: flags, AuxLen: aux}
		return u
	}
	out := in("out", 2, 0, 0)
	r := Link([]*Unit{in("a.o", 2, model.SFRAME_F_FRAME_POINTER, 8), in("b.o", 2, model.SFRAME_F_FRAME_POINTER, 0)}, out)
	assert.Equal(t, []Effect{FieldDropped, FieldDropped}, losses(r))
	assert.Equal(t, "1 of 2 input sections have an auxiliary header, but the output has none", slices.Collect(r.Losses())[0].Message)
	r = Link([]*Unit{in("a.o", 2, 0, 0), in("b.o", 3, 0, 0), in("c.o", 3, 0, 0), in("d.o", 3, 0, 0), in("e.o", 3, 0, 0)}, out)
	require.Equal(t, []Effect{MixedInputs}, losses(r))
	assert.Equal(t, `the inputs differ: V2 AMD64: "a.o"; V3 AMD64: "b.o", "c.o", "d.o" and 1 more`, slices.Collect(r.Losses())[0].Message)
}

// TestNameTable: a name has one number, in whatever order names are met.
func TestNameTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var table nameTable
	known := map[string]uint32{}
	paid := int64(0)
	for i := range 20000 {
		name := fmt.Sprint("name", r.IntN(5000))
		if i%3 == 0 {
			name = fmt.Sprint("name", i%5000) // one after the other
		}
		id, err := table.id([]byte(name), func(n int64) error { paid += n; return nil })
		require.NoError(t, err)
		old, ok := known[name]
		require.Equal(t, !ok, int(id) == len(known), name)
		if ok {
			require.Equal(t, old, id, name)
		}
		known[name] = id
		require.Equal(t, name, table.name(id))
	}
	bytes := int64(0)
	for name := range known {
		bytes += int64(len(name)) + nameCost
	}
	assert.Equal(t, bytes, paid)
	_, err := table.id([]byte("one more"), func(int64) error { return assert.AnError })
	assert.ErrorIs(t, err, assert.AnError)
}
