package model_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// ctl is a flexible row's control word.
func ctl(reg uint32, flags int8) int8 { return int8(reg<<model.FlexRegShift) | flags }

const regP, derefP = model.FlexRegP, model.FlexDerefP

func TestRows(t *testing.T) {
	const undef = "undefined; undefined; undefined"
	tests := []struct {
		name  string
		c     craft
		flex  bool
		base  uint8
		words []int8
		want  string // CFA; RA; FP
	}{
		{"AMD64 V1", craft{v: v1, abi: amd64, fixedRA: -8}, false, sp, []int8{8}, "rsp+8; *(CFA-8); unchanged"},
		{"AMD64 V2", craft{v: v2, abi: amd64, fixedRA: -8}, false, sp, []int8{16, -16}, "rsp+16; *(CFA-8); *(CFA-16)"},
		{"AMD64 V3", craft{v: v3, abi: amd64, fixedRA: -8}, false, fp, []int8{16, -16}, "rbp+16; *(CFA-8); *(CFA-16)"},
		{"AMD64 extra word", craft{v: v3, abi: amd64, fixedRA: -8}, false, fp, []int8{16, -16, -24}, "rbp+16; *(CFA-8); *(CFA-16)"},
		{"AMD64 other RA offset", craft{v: v3, abi: amd64, fixedRA: -16}, false, sp, []int8{8}, "rsp+8; *(CFA-16); unchanged"},
		{"AMD64 fixed FP", craft{v: v3, abi: amd64, fixedRA: -8, fixedFP: -16}, false, sp, []int8{8}, "rsp+8; *(CFA-8); *(CFA-16)"},
		{"AMD64 negative CFA", craft{v: v3, abi: amd64, fixedRA: -8}, false, sp, []int8{-8}, "rsp-8; *(CFA-8); unchanged"},

		{"no words V1", craft{v: v1, abi: amd64, fixedRA: -8}, false, sp, nil, "invalid; invalid; invalid"},
		{"no words V2", craft{v: v2, abi: amd64, fixedRA: -8}, false, sp, nil, undef},
		{"no words V3", craft{v: v3, abi: aarch64}, false, sp, nil, undef},
		{"no words V3 flexible", craft{v: v3, abi: aarch64}, true, sp, nil, undef},

		{"AArch64 one word", craft{v: v1, abi: aarch64}, false, sp, []int8{0}, "sp; unchanged; unchanged"},
		{"AArch64 two words", craft{v: v2, abi: aarch64}, false, sp, []int8{16, -16}, "sp+16; *(CFA-16); unchanged"},
		{"AArch64 three words", craft{v: v3, abi: aarch64}, false, fp, []int8{16, -8, -16}, "x29+16; *(CFA-8); *(CFA-16)"},
		{"AArch64 word 0", craft{v: v3, abi: aarch64}, false, sp, []int8{16, 0, -16}, "sp+16; *(CFA); *(CFA-16)"},
		{"AArch64 big-endian", craft{v: v2, abi: aarch64be}, false, sp, []int8{32, -8, -16}, "sp+32; *(CFA-8); *(CFA-16)"},
		{"AArch64 odd words", craft{v: v2, abi: aarch64}, false, sp, []int8{16, -7, -15}, "sp+16; *(CFA-7); *(CFA-15)"},

		{"s390x one word", craft{v: v2, abi: s390x}, false, sp, []int8{0}, "r15+160; unchanged; unchanged"},
		{"s390x scaled", craft{v: v3, abi: s390x}, false, fp, []int8{20, -48}, "r11+320; *(CFA-48); unchanged"},
		{"s390x padding", craft{v: v3, abi: s390x}, false, sp, []int8{0, 0, -72}, "r15+160; unchanged; *(CFA-72)"},
		{"s390x padding V2", craft{v: v2, abi: s390x}, false, sp, []int8{0, 0, -72}, "r15+160; unchanged; *(CFA-72)"},
		{"s390x registers V2", craft{v: v2, abi: s390x}, false, sp, []int8{0, 17<<1 | 1, 16<<1 | 1}, "r15+160; f2; f0"},
		{"s390x odd words V3", craft{v: v3, abi: s390x}, false, sp, []int8{0, 33, -71}, "r15+160; *(CFA+33); *(CFA-71)"},
		{"s390x negative", craft{v: v3, abi: s390x}, false, sp, []int8{-20}, "r15; unchanged; unchanged"},

		{"unknown ABI", craft{v: v3, abi: 9}, false, sp, []int8{8}, "invalid; invalid; invalid"},

		{"flexible CFA", craft{v: v3, abi: amd64, fixedRA: -8}, true, sp, []int8{ctl(10, regP), 0}, "r10; *(CFA-8); unchanged"},
		{"flexible CFA in memory", craft{v: v3, abi: amd64, fixedRA: -8}, true, sp, []int8{ctl(6, regP|derefP), -8}, "*(rbp-8); *(CFA-8); unchanged"},
		{"flexible FP in register", craft{v: v3, abi: amd64, fixedRA: -8}, true, sp, []int8{ctl(7, regP), 8, 0, ctl(6, regP|derefP), 0}, "rsp+8; *(CFA-8); *(rbp)"},
		{"flexible RA and FP", craft{v: v3, abi: aarch64}, true, sp, []int8{ctl(3, regP), 16, ctl(5, regP), 0, derefP, -16}, "x3+16; x5; *(CFA-16)"},
		{"flexible RA from CFA", craft{v: v3, abi: aarch64}, true, sp, []int8{ctl(3, regP), 16, derefP, -8}, "x3+16; *(CFA-8); unchanged"},
		{"flexible paddings", craft{v: v3, abi: aarch64, fixedFP: -16}, true, sp, []int8{ctl(3, regP), 16, 0, 0}, "x3+16; unchanged; *(CFA-16)"},
		{"flexible s390x", craft{v: v3, abi: s390x}, true, sp, []int8{ctl(14, regP), 1}, "r14+168; unchanged; unchanged"},
		{"flexible CFA missing", craft{v: v3, abi: amd64, fixedRA: -8}, true, sp, []int8{0}, "invalid; *(CFA-8); unchanged"},
		{"flexible CFA from CFA", craft{v: v3, abi: amd64, fixedRA: -8}, true, sp, []int8{derefP, 8}, "invalid; *(CFA-8); unchanged"},
		{"flexible half a CFA", craft{v: v3, abi: amd64, fixedRA: -8}, true, sp, []int8{ctl(7, regP)}, "invalid; *(CFA-8); unchanged"},
		{"flexible half an RA", craft{v: v3, abi: aarch64}, true, sp, []int8{ctl(3, regP), 16, derefP}, "x3+16; invalid; unchanged"},
		{"flexible half an FP", craft{v: v3, abi: aarch64}, true, sp, []int8{ctl(3, regP), 16, 0, derefP}, "x3+16; unchanged; invalid"},
		{"flexible register of no name", craft{v: v3, abi: amd64, fixedRA: -8}, true, sp, []int8{ctl(31, regP), 0}, "reg31; *(CFA-8); unchanged"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := fn{size: 4, rows: [][]byte{fre(0, tt.base, tt.words...)}}
			if tt.flex {
				f.info2 = uint8(model.SFRAME_FDE_TYPE_FLEX)
			}
			tt.c.fns = []fn{f}
			s := tt.c.section(t)
			row := s.FDE(0).FRE(0).Row()
			got := fmt.Sprintf("%s; %s; %s", row.CFA.Format(s.ABI()), row.RA.Format(s.ABI()), row.FP.Format(s.ABI()))
			assert.Equal(t, tt.want, got)
			assert.Equal(t, tt.want == undef, row.Outermost())
		})
	}
}

func TestValidRow(t *testing.T) {
	good := model.Recovery{Kind: model.Unchanged}
	assert.True(t, model.Row{CFA: good, RA: good, FP: good}.Valid())
	assert.False(t, model.Row{RA: good, FP: good}.Valid())
	assert.False(t, model.Row{CFA: good, FP: good}.Valid())
	assert.False(t, model.Row{CFA: good, RA: good}.Valid())
}

// An undefined FDE type gives rows no meaning, but keeps them readable.
func TestRowsOfUndefinedFDEType(t *testing.T) {
	s := craft{v: v3, abi: amd64, fixedRA: -8, fns: []fn{{size: 4, info2: 2, rows: [][]byte{fre(0, sp, 8)}}}}.section(t)
	r := s.FDE(0).FRE(0)
	assert.Equal(t, model.FDEType(2), r.FDEType())
	assert.False(t, r.Row().Valid())
	assert.Equal(t, int32(8), r.Word(0))
}

func TestWideWords(t *testing.T) {
	rows := [][]byte{
		{0, 1<<model.FREInfoCountShift | sp | 1<<model.FREInfoSizeShift, 0x78, 0x56},
		{1, 1<<model.FREInfoCountShift | sp | 2<<model.FREInfoSizeShift, 0x78, 0x56, 0x34, 0xf2},
	}
	f := craft{v: v3, abi: amd64, fixedRA: -8, fns: []fn{{size: 4, rows: rows}}}.section(t).FDE(0)
	assert.Equal(t, int64(0x5678), f.FRE(0).Row().CFA.Offset)
	assert.Equal(t, int64(-0xdcba988), f.FRE(1).Row().CFA.Offset)
	assert.Equal(t, uint32(0xf2345678), f.FRE(1).Control(0))
	assert.Equal(t, uint32(0x5678), f.FRE(0).Control(0))

	rows[0][2], rows[0][3] = 0x56, 0xf8
	f = craft{v: v3, abi: amd64, fixedRA: -8, fns: []fn{{size: 4, rows: [][]byte{rows[0]}}}}.section(t).FDE(0)
	assert.Equal(t, int32(-0x7aa), f.FRE(0).Word(0))
	f = craft{v: v3, abi: s390x, fns: []fn{{size: 4, rows: [][]byte{rows[0]}}}}.section(t).FDE(0)
	assert.Equal(t, int32(0x56f8), f.FRE(0).Word(0))
}

func TestFREFields(t *testing.T) {
	f := craft{v: v3, abi: aarch64, fns: []fn{{size: 64, info: 0x21, rows: [][]byte{
		{0, 0, 0x03, 0}, {0x34, 0x12, 0x84 | 1, 16, 0xf0}, {0x40, 0x12, 0x00},
	}}}}.section(t).FDE(0)
	require.Equal(t, 3, f.NumFREs())
	assert.Equal(t, model.SFRAME_FRE_TYPE_ADDR2, f.FREType())
	assert.Equal(t, model.SFRAME_AARCH64_PAUTH_KEY_B, f.PauthKey())
	r := f.FRE(1)
	assert.Equal(t, uint32(0x1234), r.Start())
	assert.Equal(t, uint32(0x1240), r.End())
	assert.Equal(t, uint32(64), f.FRE(2).End())
	assert.True(t, r.MangledRA())
	assert.False(t, f.FRE(0).MangledRA())
	assert.Equal(t, model.SFRAME_BASE_REG_SP, r.Base())
	assert.Equal(t, 2, r.NumWords())
	assert.Equal(t, []int32{16, -16}, r.Words(nil))
	assert.Equal(t, 0, f.FRE(2).NumWords())
	base := f.Section().FRESubsection().Off + int64(f.Section().Version().Info().AttrSize)
	assert.Equal(t, model.Span{Off: base + 4, Len: 5}, r.Span())
	assert.Equal(t, model.Span{Off: base + 4, Len: 2}, r.StartSpan())
	assert.Equal(t, model.Span{Off: base + 6, Len: 1}, r.InfoSpan())
	assert.Equal(t, model.Span{Off: base + 8, Len: 1}, r.WordSpan(1))
	assert.Equal(t, model.Span{Off: base + 7, Len: 2}, r.WordsSpan())
	assert.Panics(t, func() { f.FRE(3) })
	assert.Panics(t, func() { f.FRE(-1) })
	assert.Panics(t, func() { r.Word(2) })
}
