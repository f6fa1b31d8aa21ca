package cfi_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestHdrOfPrograms finds each FDE of linked programs by the table.
func TestHdrOfPrograms(t *testing.T) {
	for _, arch := range []string{"amd64", "aarch64", "aarch64-be", "s390x"} {
		err := reader.Scan("../../../corpus/files/binutils-2.47/"+arch+"/program.elf", reader.Options{}, func(o *reader.Object) error {
			frames := must.Get(cfi.Load(o, 0))(t)
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

// TestCallSites decodes areas at address 0x1000.
func TestCallSites(t *testing.T) {
	none := cfi.Pointer{Null: true}
	reloc := func(ok bool) func(int64) cfi.Pointer {
		return func(off int64) cfi.Pointer { return cfi.Pointer{Place: 7, Addr: uint64(off), OK: ok} }
	}
	two := []cfi.CallSite{{Start: 1, End: 3, Pad: 0x90}, {Start: 5, End: 8}}
	for _, c := range []struct {
		name  string
		abi   model.ABIInfo
		area  string
		reloc func(int64) cfi.Pointer
		base  cfi.Pointer
		ok    bool
		sites []cfi.CallSite
	}{
		{"usual", amd64, "\xff\xff\x01\x09\x01\x02\x90\x01\x00\x05\x03\x00\x01", nil, none, true, two},
		{"types", amd64, "\xff\x9b\x80\x01\x01\x09\x01\x02\x90\x01\x00\x05\x03\x00\x01", nil, none, true, two},
		{"more follows", amd64, "\xff\xff\x01\x05\x01\x02\x90\x01\x00\x05\x03\x00\x01", nil, none, true, two[:1]},
		{"cut", amd64, "\xff\xff\x01\x09\x01\x02\x90\x01\x00\x05\x03", nil, none, true, two[:1]},
		{"fields of 4 bytes", s390x, "\xff\xff\x03\x0d\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x90\x00", nil, none, true, two[:1]},
		{"PC-relative base", amd64, "\x1b\xff\xff\xff\xff\xff\x01\x00", nil, cfi.Pointer{Addr: 0x1000, OK: true}, true, nil},
		{"absolute base", amd64, "\x03\x10\x00\x00\x00\xff\x01\x00", nil, cfi.Pointer{Addr: 16, OK: true}, true, nil},
		{"relocated base", amd64, "\x1b\x00\x00\x00\x00\xff\x01\x00", reloc(true), cfi.Pointer{Addr: 1, Place: 7, OK: true}, true, nil},
		{"base with a bad relocation", amd64, "\x1b\x00\x00\x00\x00\xff\x01\x00", reloc(false), none, false, nil},
		{"indirect base", amd64, "\x9b\x00\x00\x00\x00\xff\x01\x00", nil, none, false, nil},
		{"base of a function", amd64, "\x43\x00\x00\x00\x00\xff\x01\x00", nil, none, false, nil},
		{"relative fields", amd64, "\xff\xff\x13\x00", nil, none, false, nil},
		{"no fields", amd64, "\xff\xff\xff\x00", nil, none, false, nil},
		{"head is cut", amd64, "\xff\xff\x01\x80", nil, none, false, nil},
		{"empty", amd64, "", nil, none, false, nil},
		{"4 GiB of call sites", amd64, "\xff\xff\x01\x80\x80\x80\x80\x10", nil, none, false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, ok := cfi.NewLSDA([]byte(c.area), 0x1000, c.abi, c.reloc)
			require.Equal(t, c.ok, ok)
			if !ok {
				return
			}
			require.Equal(t, c.base, l.PadBase)
			table := c.area[l.Table.Off:min(int(l.Table.End()), len(c.area))]
			require.Equal(t, c.sites, slices.Collect(l.CallSites([]byte(table))))
		})
	}
}

// TestPushed: the bytes of arguments are those at the rows where they change.
func TestPushed(t *testing.T) {
	for _, c := range []struct {
		name string
		ops  []byte
		want []cfi.Pushed
	}{
		{"none", ops(0x41, 0x0e, 16), nil},
		{"an operand", ops(0x41, 0x0e, 0x2e), nil},
		{"two", ops(0x42, 0x2e, 16, 0x43, 0x2e, 0, 0x41), []cfi.Pushed{{From: 0x1002, Bytes: 16}, {From: 0x1005, Bytes: 0}}},
		{"states do not restore them", ops(0x0a, 0x41, 0x2e, 8, 0x41, 0x0b), []cfi.Pushed{{From: 0x1001, Bytes: 8}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, f, _ := one(amd64, usual(amd64), 32, c.ops)
			require.Equal(t, c.want, f.Pushed(nil))
		})
	}
}

// TestNoRelocation: a relocation without an effect beside that of a field changes nothing.
func TestNoRelocation(t *testing.T) {
	require.NoError(t, reader.Scan("testdata/load/none.o", reader.Options{}, func(o *reader.Object) error {
		frames := must.Get(cfi.Load(o, 0))(t)
		fdes := slices.Collect(frames.Sections[0].FDEs())
		require.Len(t, fdes, 1)
		require.True(t, fdes[0].Usable())
		return nil
	}))
}
