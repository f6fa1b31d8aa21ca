package model_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func regionsOf(s *model.Section) []string {
	var out []string
	for r := range testkit.Regions(s) {
		out = append(out, fmt.Sprintf("%d+%d %v %d %d", r.Off, r.Len, r.Kind, r.FDE, r.FRE))
	}
	return out
}

func TestRegions(t *testing.T) {
	c := craft{v: v3, abi: amd64, fixedRA: -8, aux: []byte{1, 2, 3}, tail: []byte{0, 0},
		fns: []fn{at(0, 4, fre(0, sp, 8), fre(1, sp, 16)), at(4, 4, fre(0, sp, 8))}}
	assert.Equal(t, []string{
		"0+28 header -1 -1", "28+3 auxiliary header -1 -1", "31+16 FDE 0 -1", "47+16 FDE 1 -1",
		"63+5 FDE attribute 0 -1", "68+3 FRE 0 0", "71+3 FRE 0 1", "74+5 FDE attribute 1 -1", "79+3 FRE 1 0", "82+2 padding -1 -1",
	}, regionsOf(c.section(t)))

	c = craft{v: v1, abi: amd64, fixedRA: -8, tail: []byte{0, 7}, fns: []fn{at(0, 4, fre(0, sp, 8))}}
	s := c.section(t)
	assert.Equal(t, []string{"0+28 header -1 -1", "28+17 FDE 0 -1", "45+3 FRE 0 0", "48+2 unknown -1 -1"}, regionsOf(s))
	assert.Equal(t, []model.Gap{{Span: model.Span{Off: 48, Len: 2}, NonZero: true}}, s.Gaps())
}

// A byte that two parts claim goes to the one that starts first; the loop
// may be left at any time.
func TestRegionsOfSharedBytes(t *testing.T) {
	c := craft{v: v2, abi: amd64, fixedRA: -8, fns: []fn{at(0, 4, fre(0, sp, 8)), at(4, 4, fre(0, sp, 8))}}
	b := c.bytes()
	b[28+20+8] = 0 // the second function's rows are the first one's
	f := reader.DecodeSFrame(b, reader.SectionOptions{})
	s := f.Section
	require.Empty(t, f.Faults)
	assert.Equal(t, []string{"0+28 header -1 -1", "28+20 FDE 0 -1", "48+20 FDE 1 -1", "68+3 FRE 0 0", "71+3 unknown -1 -1"}, regionsOf(s))
	assert.True(t, f.Survey().Has(model.DataOverlaps))

	c.fns = []fn{at(0, 4, fre(0, sp, 0, 3)), at(4, 4, fre(0, sp, 8))}
	b = c.bytes()
	b[28+20+8] = 2 // in the middle of the first one's row
	s, _ = reader.DecodeSection(b, reader.SectionOptions{})
	assert.Equal(t, []string{"68+4 FRE 0 0", "72+1 FRE 1 0", "73+2 unknown -1 -1"}, regionsOf(s)[3:])
	n := 0
	for range testkit.Regions(s) {
		if n++; n == 2 {
			break
		}
	}
	assert.Equal(t, 2, n)
}

func TestFieldSpans(t *testing.T) {
	for v, want := range map[model.Version]map[model.FDEField]model.Span{
		v1: {model.FDEStart: {Off: 28, Len: 4}, model.FDENumFREs: {Off: 40, Len: 4}, model.FDEInfo: {Off: 44, Len: 1}, model.FDERepSize: {}, model.FDEInfo2: {}},
		v2: {model.FDEStart: {Off: 28, Len: 4}, model.FDENumFREs: {Off: 40, Len: 4}, model.FDEInfo: {Off: 44, Len: 1}, model.FDERepSize: {Off: 45, Len: 1}, model.FDEPadding: {Off: 46, Len: 2}},
		v3: {model.FDEStart: {Off: 28, Len: 8}, model.FDENumFREs: {Off: 44, Len: 2}, model.FDEInfo: {Off: 46, Len: 1}, model.FDEInfo2: {Off: 47, Len: 1}, model.FDERepSize: {Off: 48, Len: 1}, model.FDEPadding: {}},
	} {
		f := craft{v: v, abi: amd64, fixedRA: -8, fns: []fn{at(0, 4, fre(0, sp, 8))}}.section(t).FDE(0)
		for field, span := range want {
			assert.Equal(t, span, f.FieldSpan(field), "%v %s", v, model.FieldName(v, field))
			assert.Equal(t, span.Len > 0, model.FieldName(v, field) != "")
		}
	}
	assert.Equal(t, "sfh_fre_len", model.HdrFRELen.String())
	assert.Equal(t, model.Span{Off: 0x10, Len: 4}, model.HdrFRELen.Span())
}

func TestSpan(t *testing.T) {
	s := model.Span{Off: 4, Len: 4}
	assert.True(t, s.Contains(4) && s.Contains(7))
	assert.False(t, s.Contains(3) || s.Contains(8))
	assert.True(t, s.Overlaps(model.Span{Off: 7, Len: 9}))
	assert.False(t, s.Overlaps(model.Span{Off: 8, Len: 9}))
	assert.Equal(t, model.Span{Off: 4, Len: 2}, s.Clip(6))
	assert.Equal(t, model.Span{Off: 2, Len: 0}, s.Clip(2))
	assert.Equal(t, model.Span{Off: 0, Len: 2}, model.Span{Off: -2, Len: 4}.Clip(6))
	assert.Equal(t, "[0x4,0x8)", s.String())
}
