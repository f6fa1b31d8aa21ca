package compare

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

func cfa(off int64) Rule {
	return Rule{Covered: true, Row: model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: 7, Offset: off}}}
}

// fn is a function in .text of a linked file, with a row for each offset.
func fn(name string, start uint64, size uint32, offsets ...int64) Function {
	f := Function{Name: name, Section: ".text", Offset: start, Start: 0x1000 + start, Size: size, at: Place{-1, 0x1000 + start}}
	for i, off := range offsets {
		f.Ranges = append(f.Ranges, Range{uint64(i), uint64(i + 1), cfa(off)})
	}
	return f
}

// paired renders pairs and what is left by their starts.
func paired(a, b []Function) string {
	pairs, restA, restB := match(a, b)
	s := ""
	for _, p := range pairs {
		s += fmt.Sprintf("%d=%d ", p[0].Offset, p[1].Offset)
	}
	for _, f := range restA {
		s += fmt.Sprintf("-%d ", f.Offset)
	}
	for _, f := range restB {
		s += fmt.Sprintf("+%d ", f.Offset)
	}
	return s
}

func TestMatch(t *testing.T) {
	alias := fn("y", 3, 4)
	alias.Aliases = []string{"x", "z"}
	elsewhere := fn("", 1, 4)
	elsewhere.Section = ".plt"
	raw := fn("", 1, 4)
	raw.Section = ""
	for name, x := range map[string]struct {
		a, b []Function
		want string
	}{
		"by name":              {[]Function{fn("f", 1, 4), fn("g", 5, 4)}, []Function{fn("g", 1, 4), fn("f", 5, 4)}, "1=5 5=1 "},
		"by another name":      {[]Function{fn("x", 1, 4)}, []Function{alias}, "1=3 "},
		"one name only once":   {[]Function{fn("x", 1, 4), fn("z", 5, 4), fn("w", 9, 4)}, []Function{alias}, "1=3 -5 -9 "},
		"local ones by rows":   {[]Function{fn("s", 1, 2, 8), fn("s", 5, 2, 16)}, []Function{fn("s", 2, 2, 16), fn("s", 7, 2, 8)}, "1=7 5=2 "},
		"local ones by order":  {[]Function{fn("s", 1, 2, 8), fn("s", 5, 2, 16)}, []Function{fn("s", 2, 2, 24), fn("s", 7, 2, 32)}, "1=2 5=7 "},
		"one local one less":   {[]Function{fn("s", 1, 2, 8), fn("s", 5, 2, 16)}, []Function{fn("s", 2, 2, 16)}, "5=2 -1 "},
		"stripped by place":    {[]Function{fn("f", 1, 4), fn("g", 5, 4)}, []Function{fn("", 5, 4), fn("", 1, 4)}, "1=1 5=5 "},
		"both stripped":        {[]Function{fn("", 1, 4)}, []Function{fn("", 1, 4)}, "1=1 "},
		"two names, one place": {[]Function{fn("f", 1, 4)}, []Function{fn("g", 1, 4)}, "-1 +1 "},
		"another section":      {[]Function{fn("f", 1, 4)}, []Function{elsewhere}, "-1 +1 "},
		"raw by address":       {[]Function{fn("f", 1, 4)}, []Function{raw}, "1=1 "},
	} {
		assert.Equal(t, x.want, paired(x.a, x.b), name)
	}
}

// Very many functions of one name must not take quadratic time.
func TestMatchCrowd(t *testing.T) {
	var a, b []Function
	for i := range 200_000 {
		a, b = append(a, fn("s", uint64(i), 1, int64(i))), append(b, fn("s", uint64(i+7), 1, int64(i)))
	}
	pairs, restA, restB := match(a, b)
	assert.Len(t, pairs, len(a))
	assert.Empty(t, restA)
	assert.Empty(t, restB)
	for i := range a {
		a[i].Name, b[i].Section, b[i].Offset = "", "", 0 // all at one place, and none fits
		a[i].Section, a[i].Offset = ".text", 0
	}
	pairs, _, _ = match(a, b)
	assert.NotEmpty(t, pairs)
}

func TestSweep(t *testing.T) {
	type run struct {
		from, to uint64
		a, b     Rule
	}
	none := Rule{}
	for name, x := range map[string]struct {
		f, g Function
		want []run
	}{
		"same":                  {fn("f", 0, 3, 8, 8, 16), fn("f", 0, 3, 8, 8, 16), nil},
		"same, in other pieces": {Function{Size: 3, Ranges: []Range{{0, 3, cfa(8)}}}, fn("f", 0, 3, 8, 8, 8), nil},
		"one row":               {fn("f", 0, 3, 8, 16, 8), fn("f", 0, 3, 8, 24, 8), []run{{1, 2, cfa(16), cfa(24)}}},
		"two in a run":          {fn("f", 0, 3, 8, 16, 16), fn("f", 0, 3, 8, 24, 24), []run{{1, 3, cfa(16), cfa(24)}}},
		"gap":                   {fn("f", 0, 4, 8), Function{Size: 4, Ranges: []Range{{2, 4, cfa(8)}}}, []run{{0, 1, cfa(8), none}, {2, 4, none, cfa(8)}}},
		"only what both have":   {fn("f", 0, 2, 8, 8, 16), fn("f", 0, 3, 8, 8, 24), nil},
		"nothing":               {Function{Size: 4}, Function{Size: 4}, nil},
	} {
		var got []run
		sweep(&x.f, &x.g, func(from, to uint64, a, b Rule) { got = append(got, run{from, to, a, b}) })
		assert.Equal(t, x.want, got, name)
	}
}

func TestDiffFunction(t *testing.T) {
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	f, g := fn("f", 0, 2, 8, 16), fn("", 0, 3, 8, 24)
	g.Signal = true
	all := diffFunction(&f, &g, abi)
	require.Len(t, all, 3)
	assert.Equal(t, []Kind{Size, Signal, Rules}, []Kind{all[0].Kind, all[1].Kind, all[2].Kind})
	assert.Equal(t, "f", all[0].Function)
	assert.Equal(t, "0x1", all[2].From)
	assert.Equal(t, "0x2", all[2].To)
	// Too many stubs to be written out: only their size is compared.
	f.Rep, g.Rep = 16, 24
	assert.Len(t, diffFunction(&f, &g, abi), 3)
	assert.True(t, same(&f, &f))
	assert.False(t, same(&f, &g))
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

// unit is a linked or relocatable file with these functions.
func unit(path string, funcs ...Function) *Unit {
	u := &Unit{Path: path, Functions: funcs, Sections: []Header{{}}, Symbols: map[string][]Place{}, Status: "ok"}
	u.ABI = model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	for i := range funcs {
		for _, name := range funcs[i].names() {
			u.Symbols[name] = append(u.Symbols[name], funcs[i].at)
		}
	}
	return u
}

func losses(r *LinkReport) []LossKind {
	var out []LossKind
	for _, l := range r.Losses {
		out = append(out, l.Kind)
	}
	return out
}

func TestLink(t *testing.T) {
	bare := func(u *Unit, name string, at uint64) *Unit { // a function without an FDE
		u.Symbols[name] = append(u.Symbols[name], Place{-1, at})
		return u
	}
	alias := fn("y", 3, 2, 8)
	alias.Aliases = []string{"f"}
	for name, x := range map[string]struct {
		in   []*Unit
		out  *Unit
		want []LossKind
		kept int
	}{
		"all there":       {[]*Unit{unit("a.o", fn("f", 0, 2, 8))}, unit("out", fn("f", 5, 2, 8)), nil, 1},
		"one of inline":   {[]*Unit{unit("a.o", fn("f", 0, 2, 8)), unit("b.o", fn("f", 0, 2, 16))}, unit("out", fn("f", 5, 2, 16)), nil, 2},
		"none of inline":  {[]*Unit{unit("a.o", fn("f", 0, 2, 8)), unit("b.o", fn("f", 0, 2, 16))}, unit("out", fn("f", 5, 2, 24)), []LossKind{FDEChanged}, 0},
		"both local":      {[]*Unit{unit("a.o", fn("s", 0, 2, 8)), unit("b.o", fn("s", 0, 2, 16))}, unit("out", fn("s", 5, 2, 16), fn("s", 9, 2, 8)), nil, 2},
		"one local lost":  {[]*Unit{unit("a.o", fn("s", 0, 2, 8)), unit("b.o", fn("s", 0, 2, 16))}, bare(unit("out", fn("s", 5, 2, 16)), "s", 0x77), []LossKind{FDELost}, 1},
		"never described": {[]*Unit{unit("a.o", fn("s", 0, 2, 8)), bare(unit("b.o"), "s", 0)}, bare(unit("out", fn("s", 5, 2, 8)), "s", 0x77), nil, 1},
		"under an alias":  {[]*Unit{unit("a.o", fn("f", 0, 2, 8))}, unit("out", alias), nil, 1},
		"left out":        {[]*Unit{unit("a.o", fn("f", 0, 2, 8), fn("g", 4, 2, 8))}, unit("out", fn("f", 0, 2, 8)), nil, 1},
		"output stripped": {[]*Unit{unit("a.o", fn("f", 0, 2, 8))}, unit("out", fn("", 0, 2, 8)), []LossKind{NotComparable}, 0},
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
	assert.Equal(t, []LossKind{FieldDropped, FieldDropped}, losses(r))
	assert.Equal(t, "1 of 2 input sections have an auxiliary header, but the output has none", r.Losses[0].Message)
	r = Link([]*Unit{in("a.o", 2, 0, 0), in("b.o", 3, 0, 0), in("c.o", 3, 0, 0), in("d.o", 3, 0, 0), in("e.o", 3, 0, 0)}, out)
	require.Equal(t, []LossKind{MixedInputs}, losses(r))
	assert.Equal(t, "the inputs differ: V2 AMD64: a.o; V3 AMD64: b.o, c.o, d.o and 1 more", r.Losses[0].Message)
}
