package model_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func TestHeader(t *testing.T) {
	c := craft{v: v2, abi: s390x, flags: 5, fixedFP: -16, fixedRA: -48, aux: []byte{9, 8}, fns: []fn{at(0, 4, fre(0, sp, 8))}}
	s := c.section(t)
	assert.Equal(t, model.Header{Version: v2, Flags: 5, ABI: s390x, FixedFPOffset: -16, FixedRAOffset: -48, AuxLen: 2,
		NumFDEs: 1, NumFREs: 1, FRELen: 3, FDEOff: 0, FREOff: 20}, s.Header())
	assert.True(t, s.BigEndian())
	assert.Equal(t, []byte{9, 8}, s.Aux())
	assert.Equal(t, int64(30), s.HeaderEnd())
	assert.Equal(t, model.Span{Off: 30, Len: 20}, s.FDESubsection())
	assert.Equal(t, model.Span{Off: 50, Len: 3}, s.FRESubsection())
	assert.Equal(t, []byte{0, 3, 8}, s.Bytes(s.FRESubsection()))
	assert.EqualValues(t, 0x080300, s.Window(0))
	assert.EqualValues(t, 0x0803, s.Window(1))
	assert.Zero(t, s.Window(3), "beyond the end")
	assert.Zero(t, s.Window(-1))
	s.Bytes(s.FRESubsection())[0] = 7
	s.Aux()[0] = 7
	assert.Equal(t, []byte{9, 8}, s.Aux())
	assert.Equal(t, uint32(0), s.FDE(0).FRE(0).Start(), "immutable")
}

// What a start field counts from is said by a flag.
func TestStarts(t *testing.T) {
	for _, tt := range []struct {
		v     model.Version
		flags model.Flags
		start int64
		want  uint64
	}{
		{v1, 0, 0x10, 0x2010}, {v1, 0, -0x1000, 0x1000}, {v2, 0, -0x1000, 0x1000},
		{v2, model.SFRAME_F_FDE_FUNC_START_PCREL, -0x101c, 0x1000}, {v3, model.SFRAME_F_FDE_FUNC_START_PCREL, -0x101c, 0x1000},
		{v3, 0, 1 << 40, 1<<40 + 0x2000}, {v3, 0, -0x3000, 1<<64 - 0x1000},
	} {
		b := craft{v: tt.v, abi: amd64, flags: tt.flags, fixedRA: -8, fns: []fn{at(tt.start, 4)}}.bytes()
		s, faults := reader.DecodeSection(b, reader.SectionOptions{Addr: 0x2000})
		require.Empty(t, faults)
		f := s.FDE(0)
		assert.Equal(t, tt.want, f.Start())
		assert.Equal(t, tt.want+4, f.End())
		assert.Equal(t, tt.start, f.RawStart())
		assert.Zero(t, f.Place())
		assert.True(t, f.Resolved())
	}
}

func TestFDEFields(t *testing.T) {
	f := at(0, 64, fre(0, sp, 8))
	f.info, f.rep, f.info2 = model.InfoPCTypeBit|model.InfoSignalBit|model.InfoPauthKeyBit, 16, 1
	for _, tt := range []struct {
		v      model.Version
		signal bool
		typ    model.FDEType
		rep    uint8
		extent uint32
	}{{v1, false, 0, 0, 64}, {v2, false, 0, 16, 16}, {v3, true, 1, 16, 16}} {
		g := craft{v: tt.v, abi: aarch64, fns: []fn{f}}.section(t).FDE(0)
		assert.Equal(t, tt.signal, g.Signal())
		assert.Equal(t, tt.typ, g.Type())
		assert.Equal(t, tt.rep, g.RepSize())
		assert.Equal(t, tt.extent, g.Extent())
		assert.Equal(t, model.SFRAME_FDE_PCTYPE_MASK, g.PCType())
		assert.Equal(t, model.SFRAME_AARCH64_PAUTH_KEY_B, g.PauthKey())
		assert.Equal(t, tt.v == v3, g.AttrSpan().Len == 5)
		assert.Equal(t, g.FRESpan().End(), g.DataSpan().End())
	}
}

func TestVersions(t *testing.T) {
	for v, want := range map[model.Version]struct {
		size  int
		flags model.Flags
	}{0: {0, 0}, v1: {17, 3}, v2: {20, 7}, v3: {16, 5}, 4: {0, 0}} {
		assert.Equal(t, want.size, model.FDESize(v))
		assert.Equal(t, want.flags, model.DefinedFlags(v))
		assert.Equal(t, want.size > 0, v.Known())
	}
}

func TestWidths(t *testing.T) {
	for typ, want := range []struct {
		width int
		top   uint32
	}{{1, 0xff}, {2, 0xffff}, {4, 0xffffffff}} {
		assert.Equal(t, want.width, model.FREType(typ).Width())
		assert.Equal(t, want.top, model.FREType(typ).MaxStart())
		assert.Equal(t, want.width, model.WordSize(typ).Width())
		assert.Equal(t, want.top, model.WordSize(typ).Mask())
	}
	assert.Zero(t, model.FREType(3).Width())
	assert.Zero(t, model.WordSize(3).Width())
}

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

// fn is a function of a crafted section; rows are its FREs as bytes.
type fn struct {
	start            int64
	size             uint32
	info, info2, rep uint8
	rows             [][]byte
}

// craft is a crafted section, laid out as producers do it.
type craft struct {
	v       model.Version
	abi     model.ABI
	flags   model.Flags
	fixedFP int8
	fixedRA int8
	aux     []byte
	fns     []fn
	tail    []byte
}

// appender writes numbers in either byte order.
type appender interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func (c craft) order() appender {
	if model.LookupABI(c.abi).Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (c craft) bytes() []byte {
	o := c.order()
	var fdes, fres []byte
	total := 0
	for _, f := range c.fns {
		at, n := uint32(len(fres)), len(f.rows)
		total += n
		if c.v == model.SFRAME_VERSION_3 {
			fdes = o.AppendUint32(o.AppendUint32(o.AppendUint64(fdes, uint64(f.start)), f.size), at)
			fres = append(o.AppendUint16(fres, uint16(n)), f.info, f.info2, f.rep)
		} else {
			fdes = o.AppendUint32(o.AppendUint32(fdes, uint32(f.start)), f.size)
			fdes = append(o.AppendUint32(o.AppendUint32(fdes, at), uint32(n)), f.info)
			if c.v == model.SFRAME_VERSION_2 {
				fdes = append(fdes, f.rep, 0, 0)
			}
		}
		for _, r := range f.rows {
			fres = append(fres, r...)
		}
	}
	b := o.AppendUint16(nil, model.SFRAME_MAGIC)
	b = append(b, uint8(c.v), uint8(c.flags), uint8(c.abi), uint8(c.fixedFP), uint8(c.fixedRA), uint8(len(c.aux)))
	for _, n := range []int{len(c.fns), total, len(fres), 0, len(fdes)} {
		b = o.AppendUint32(b, uint32(n))
	}
	b = append(append(b, c.aux...), fdes...)
	return append(append(b, fres...), c.tail...)
}

// section decodes the crafted section at address 0.
func (c craft) section(t testing.TB) *model.Section {
	t.Helper()
	s, faults := reader.DecodeSection(c.bytes(), reader.SectionOptions{})
	require.Empty(t, faults)
	return s
}

// fre is a row with words of one byte.
func fre(start, base uint8, words ...int8) []byte {
	b := []byte{start, base | uint8(len(words))<<model.FREInfoCountShift}
	for _, w := range words {
		b = append(b, uint8(w))
	}
	return b
}

const (
	v1 = model.SFRAME_VERSION_1
	v2 = model.SFRAME_VERSION_2
	v3 = model.SFRAME_VERSION_3

	aarch64be = model.SFRAME_ABI_AARCH64_ENDIAN_BIG
	aarch64   = model.SFRAME_ABI_AARCH64_ENDIAN_LITTLE
	amd64     = model.SFRAME_ABI_AMD64_ENDIAN_LITTLE
	s390x     = model.SFRAME_ABI_S390X_ENDIAN_BIG

	fp = uint8(model.SFRAME_BASE_REG_FP)
	sp = uint8(model.SFRAME_BASE_REG_SP)
)
