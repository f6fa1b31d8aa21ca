package generator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// one is a plan of a single function with one row.
func one(v model.Version, id model.ABI, rules model.Row) *generator.Plan {
	abi := model.LookupABI(id)
	p := &generator.Plan{
		Version: v, ABI: id, BigEndian: abi.Big, FixedRA: abi.FixedRA, Addr: 0x1000,
		Flags: model.DefinedFlags(v) &^ model.SFRAME_F_FRAME_POINTER,
		Funcs: []generator.Func{{Name: "f", Start: 0x2000, Size: 32, Rows: []generator.Row{{Rules: rules}}}},
	}
	p.FitType(&p.Funcs[0])
	return p
}

var (
	unchanged = model.Recovery{Kind: model.Unchanged}
	undefined = model.Recovery{Kind: model.Undefined}
)

func reg(r uint32, off int64) model.Recovery {
	return model.Recovery{Kind: model.InRegister, Reg: r, Offset: off}
}

func at(off int64) model.Recovery {
	return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: off}
}

func deref(v model.Recovery) model.Recovery {
	v.Deref = true
	return v
}

// words are the data words and the FDE type that rules come out as.
func words(t *testing.T, p *generator.Plan) ([]int64, model.FDEType) {
	t.Helper()
	_, s, wrong := encoded(p)
	require.Empty(t, wrong)
	q, err := generator.FromModel(s)
	require.NoError(t, err)
	require.Equal(t, p.Funcs[0].Rows[0].Rules, q.Funcs[0].Rows[0].Rules)
	return q.Funcs[0].Rows[0].Words, q.Funcs[0].FDEType
}

// TestWords checks the words of rules against ones written by hand.
func TestWords(t *testing.T) {
	const (
		amd64, aarch64, s390x = model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, model.SFRAME_ABI_S390X_ENDIAN_BIG
		v1, v2, v3            = model.SFRAME_VERSION_1, model.SFRAME_VERSION_2, model.SFRAME_VERSION_3
	)
	for name, c := range map[string]struct {
		v     model.Version
		abi   model.ABI
		rules model.Row
		words []int64
		flex  bool
	}{
		"amd64 entry":        {v1, amd64, model.Row{CFA: reg(7, 8), RA: at(-8), FP: unchanged}, []int64{8}, false},
		"amd64 frame":        {v2, amd64, model.Row{CFA: reg(6, 16), RA: at(-8), FP: at(-16)}, []int64{16, -16}, false},
		"amd64 realigned":    {v3, amd64, model.Row{CFA: deref(reg(6, -8)), RA: at(-8), FP: deref(reg(6, 0))}, []int64{6<<3 | 3, -8, 0, 6<<3 | 3, 0}, true},
		"amd64 other base":   {v3, amd64, model.Row{CFA: reg(10, 0), RA: at(-8), FP: unchanged}, []int64{10<<3 | 1, 0}, true},
		"amd64 RA moved":     {v3, amd64, model.Row{CFA: reg(7, 8), RA: reg(11, 0), FP: unchanged}, []int64{7<<3 | 1, 8, 11<<3 | 1, 0}, true},
		"outermost":          {v3, amd64, model.Row{CFA: undefined, RA: undefined, FP: undefined}, []int64{}, false},
		"outermost in V2":    {v2, aarch64, model.Row{CFA: undefined, RA: undefined, FP: undefined}, []int64{}, false},
		"aarch64 entry":      {v1, aarch64, model.Row{CFA: reg(31, 0), RA: unchanged, FP: unchanged}, []int64{0}, false},
		"aarch64 frame":      {v2, aarch64, model.Row{CFA: reg(29, 32), RA: at(-24), FP: at(-32)}, []int64{32, -24, -32}, false},
		"aarch64 FP alone":   {v3, aarch64, model.Row{CFA: reg(31, 16), RA: unchanged, FP: at(-16)}, []int64{31<<3 | 1, 16, 0, 2, -16}, true},
		"s390x entry":        {v2, s390x, model.Row{CFA: reg(15, 160), RA: unchanged, FP: unchanged}, []int64{0}, false},
		"s390x frame":        {v3, s390x, model.Row{CFA: reg(11, 320), RA: at(-48), FP: at(-72)}, []int64{20, -48, -72}, false},
		"s390x padding":      {v2, s390x, model.Row{CFA: reg(15, 160), RA: unchanged, FP: at(-72)}, []int64{0, 0, -72}, false},
		"s390x registers":    {v2, s390x, model.Row{CFA: reg(15, 160), RA: reg(16, 0), FP: reg(17, 0)}, []int64{0, 33, 35}, false},
		"s390x registers V3": {v3, s390x, model.Row{CFA: reg(15, 168), RA: reg(16, 0), FP: unchanged}, []int64{15<<3 | 1, 1, 16<<3 | 1, 0}, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, ft := words(t, one(c.v, c.abi, c.rules))
			assert.Equal(t, c.words, got)
			assert.Equal(t, c.flex, ft == model.SFRAME_FDE_TYPE_FLEX)
		})
	}
}

// TestNotExpressible has what a version, ABI or field cannot hold.
func TestNotExpressible(t *testing.T) {
	const (
		amd64, aarch64, s390x = model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE, model.SFRAME_ABI_S390X_ENDIAN_BIG
		v1, v2, v3            = model.SFRAME_VERSION_1, model.SFRAME_VERSION_2, model.SFRAME_VERSION_3
	)
	entry := model.Row{CFA: reg(7, 8), RA: at(-8), FP: unchanged}
	for name, c := range map[string]struct {
		v     model.Version
		abi   model.ABI
		rules model.Row
		turn  func(*generator.Plan)
		want  string
	}{
		"no outermost in V1":    {v1, amd64, model.Row{CFA: undefined, RA: undefined, FP: undefined}, nil, "an undefined RA"},
		"AMD64's RA is fixed":   {v2, amd64, model.Row{CFA: reg(7, 8), RA: at(-16), FP: unchanged}, nil, "fixed by the ABI"},
		"other base":            {v2, amd64, model.Row{CFA: reg(10, 8), RA: at(-8), FP: unchanged}, nil, "SP or FP"},
		"CFA in memory":         {v2, amd64, model.Row{CFA: deref(reg(7, 8)), RA: at(-8), FP: unchanged}, nil, "register and an offset"},
		"FP without RA":         {v2, aarch64, model.Row{CFA: reg(31, 16), RA: unchanged, FP: at(-16)}, nil, "RA must be saved"},
		"uneven CFA":            {v2, s390x, model.Row{CFA: reg(15, 164), RA: unchanged, FP: unchanged}, nil, "multiple of 8"},
		"uneven CFA in V3":      {v3, s390x, model.Row{CFA: reg(1, 164), RA: unchanged, FP: unchanged}, nil, "multiple of 8"},
		"odd slot":              {v2, s390x, model.Row{CFA: reg(15, 160), RA: at(-47), FP: unchanged}, nil, "odd word"},
		"RA at the CFA":         {v2, s390x, model.Row{CFA: reg(15, 160), RA: at(0), FP: unchanged}, nil, "padding"},
		"slot not read":         {v3, amd64, model.Row{CFA: reg(7, 8), RA: at(-8), FP: model.Recovery{Kind: model.FromCFA, Offset: -8}}, nil, "padding"},
		"wide CFA":              {v3, amd64, model.Row{CFA: reg(7, 1<<31), RA: at(-8), FP: unchanged}, nil, "do not fit"},
		"far function":          {v2, amd64, entry, func(p *generator.Plan) { p.Funcs[0].Start = 1 << 32 }, "4 bytes"},
		"signal frame":          {v2, amd64, entry, func(p *generator.Plan) { p.Funcs[0].Signal = true }, "no signal frames"},
		"rep_size":              {v1, amd64, entry, func(p *generator.Plan) { p.Funcs[0].RepSize = 16 }, "no rep_size"},
		"FDE type":              {v2, amd64, entry, func(p *generator.Plan) { p.Funcs[0].FDEType = 1 }, "FDE types"},
		"unknown FDE type":      {v3, amd64, entry, func(p *generator.Plan) { p.Funcs[0].FDEType = 2 }, "known words"},
		"unknown version":       {4, amd64, entry, nil, "known layout"},
		"auxiliary header":      {v2, amd64, entry, func(p *generator.Plan) { p.Aux = make([]byte, 256) }, "sfh_auxhdr_len has 1 byte"},
		"too many rows":         {v3, amd64, entry, func(p *generator.Plan) { p.Funcs[0].Rows = make([]generator.Row, 65536); rowsOf(p, entry) }, "2 bytes"},
		"too many words":        {v2, amd64, entry, func(p *generator.Plan) { p.Funcs[0].Rows[0].Words = make([]int64, 16) }, "room for 15"},
		"layout of other rows":  {v2, amd64, entry, func(p *generator.Plan) { arranged(p).Funcs[0].Words = nil }, "0 rows"},
		"layout too small":      {v2, amd64, entry, func(p *generator.Plan) { arranged(p).Size-- }, "outside"},
		"layout with overlap":   {v2, amd64, entry, func(p *generator.Plan) { arranged(p).FREOff = 0 }, "two pieces"},
		"layout too narrow":     {v2, amd64, entry, func(p *generator.Plan) { p.Funcs[0].Rows[0].Start = 256; arranged(p).Funcs[0].FREType = 0 }, "ADDR1"},
		"layout of narrow word": {v2, amd64, model.Row{CFA: reg(7, 256), RA: at(-8), FP: unchanged}, func(p *generator.Plan) { arranged(p).Funcs[0].Words[0] = 0 }, "word size"},
		"fill over a field":     {v2, amd64, entry, func(p *generator.Plan) { arranged(p).Fill = []generator.Fill{{Off: 4, Bytes: []byte{1}}} }, "two pieces"},
	} {
		t.Run(name, func(t *testing.T) {
			p := one(c.v, c.abi, c.rules)
			if c.turn != nil {
				c.turn(p)
			}
			_, err := generator.Encode(p)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func rowsOf(p *generator.Plan, rules model.Row) {
	for j := range p.Funcs[0].Rows {
		p.Funcs[0].Rows[j] = generator.Row{Start: uint32(j), Rules: rules}
	}
}

// arranged gives the plan the layout that it would have had.
func arranged(p *generator.Plan) *generator.Layout {
	p.Layout, _ = generator.Arrange(p)
	return p.Layout
}

// TestConvertRefuses has what V2 cannot say.
func TestConvertRefuses(t *testing.T) {
	const amd64 = model.SFRAME_ABI_AMD64_ENDIAN_LITTLE
	entry := model.Row{CFA: reg(7, 8), RA: at(-8), FP: unchanged}
	v3 := func(turn func(*generator.Plan)) *generator.Plan {
		p := one(model.SFRAME_VERSION_3, amd64, entry)
		turn(p)
		return p
	}
	for name, c := range map[string]struct {
		p    *generator.Plan
		to   model.Version
		want string
	}{
		"signal frame": {v3(func(p *generator.Plan) { p.Funcs[0].Signal = true }), 2, "signal"},
		"far start":    {v3(func(p *generator.Plan) { p.Funcs[0].Start = 1 << 40 }), 2, "4 bytes"},
		"no rows":      {v3(func(p *generator.Plan) { p.Funcs[0].Rows = nil }), 2, "without rows"},
		"flexible":     {one(3, amd64, model.Row{CFA: reg(10, 0), RA: at(-8), FP: unchanged}), 2, "SP or FP"},
		"no such ABI":  {one(2, model.SFRAME_ABI_S390X_ENDIAN_BIG, model.Row{CFA: reg(15, 160), RA: unchanged, FP: unchanged}), 1, "does not support"},
		"stubs": {v3(func(p *generator.Plan) {
			p.Funcs[0].PCType, p.Funcs[0].RepSize = model.SFRAME_FDE_PCTYPE_MASK, 16
		}), 1, "stub"},
		"rules not known": {v3(func(p *generator.Plan) {
			p.Funcs[0].Rows[0].Words, p.Funcs[0].Rows[0].Rules = []int64{1, 2, 3}, model.Row{}
		}), 2, "unknown rules"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := generator.Convert(c.p, c.to)
			assert.ErrorContains(t, err, c.want)
		})
	}
}
