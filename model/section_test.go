package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
