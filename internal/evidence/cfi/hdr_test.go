package cfi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestHdrOfPrograms finds each FDE of linked programs by the table.
func TestHdrOfPrograms(t *testing.T) {
	for _, arch := range []string{"amd64", "aarch64", "aarch64-be", "s390x"} {
		err := reader.Scan("../../../corpus/files/binutils-2.47/"+arch+"/program.elf", reader.Options{}, func(o *reader.Object) error {
			frames, err := cfi.Load(o, 0)
			require.NoError(t, err)
			h := frames.Hdr
			if h == nil {
				return nil
			}
			require.Empty(t, h.Faults)
			s := frames.Sections[0]
			require.Equal(t, s.Input().Addr, h.Frame.Addr)
			require.Equal(t, s.NumFDEs(), h.Len())
			_, bad := h.Unsorted()
			require.False(t, bad)
			for f := range s.FDEs() {
				e, ok := h.Find(f.Start.Addr)
				require.True(t, ok)
				require.Equal(t, cfi.HdrEntry{PC: f.Start.Addr, FDE: s.Input().Addr + uint64(f.Span.Off)}, e)
			}
			return nil
		})
		require.NoError(t, err)
	}
}

func TestHdr(t *testing.T) {
	whole := cat(ops(1, 0x1b, 0x03, 0x3b), num(true, 4, 0x100), num(true, 4, 2),
		num(true, 4, 0x10), num(true, 4, 0x200), num(true, 4, 0x20), num(true, 4, 0x240))
	h := cfi.NewHdr(whole, 0x1000, s390x)
	require.Empty(t, h.Faults)
	require.Equal(t, uint64(0x1104), h.Frame.Addr)
	require.Equal(t, model.Span{Off: 12, Len: 16}, h.Table)
	require.Equal(t, model.Span{Off: 20, Len: 8}, h.EntrySpan(1))
	require.Equal(t, cfi.HdrEntry{PC: 0x1020, FDE: 0x1240}, h.Entry(1))
	_, ok := h.Find(0x100f)
	require.False(t, ok)
	e, _ := h.Find(0x101f)
	require.Equal(t, uint64(0x1010), e.PC)

	change := func(f func(b []byte) []byte) *cfi.Hdr {
		return cfi.NewHdr(f(append([]byte(nil), whole...)), 0x1000, s390x)
	}
	for _, c := range []struct {
		fault  cfi.Fault
		change func(b []byte) []byte
	}{
		{cfi.Fault{Code: cfi.HdrVersion, Span: model.Span{Len: 1}, Want: 1, Got: 2}, func(b []byte) []byte { b[0] = 2; return b }},
		{cfi.Fault{Code: cfi.HdrTruncated, Span: model.Span{Len: 3}, Want: 4, Got: 3}, func(b []byte) []byte { return b[:3] }},
		{cfi.Fault{Code: cfi.HdrTruncated, Span: model.Span{Len: 9}, Got: 9}, func(b []byte) []byte { return b[:9] }},
		{cfi.Fault{Code: cfi.BadEncoding, Span: model.Span{Off: 3, Len: 1}, Got: 0x31}, func(b []byte) []byte { b[3] = 0x31; return b }},
		{cfi.Fault{Code: cfi.HdrTableBeyondEnd, Span: model.Span{Off: 8, Len: 4}, Want: 0xff000002, Got: 2}, func(b []byte) []byte { b[8] = 0xff; return b }},
	} {
		require.Equal(t, []cfi.Fault{c.fault}, change(c.change).Faults)
	}
	at, bad := change(func(b []byte) []byte { b[15] = 0x30; return b }).Unsorted()
	require.True(t, bad)
	require.Equal(t, 1, at)
	require.Zero(t, change(func(b []byte) []byte { b[3] = 0xff; return b }).Len())
}
