package cfi_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
)

// fdes decodes all FDEs.
func fdes(m *image) []cfi.FDE { return slices.Collect(cfi.New(m.input()).FDEs()) }

// TestPointerEncodings decodes the same start in every encoding.
func TestPointerEncodings(t *testing.T) {
	const start, size = 0x1234, 0x40
	for _, abi := range []model.ABIInfo{amd64, s390x} {
		for enc, width := range map[byte]int{0x00: 8, 0x02: 2, 0x03: 4, 0x04: 8, 0x08: 8, 0x0a: 2, 0x0b: 4, 0x0c: 8,
			0x10: 8, 0x12: 2, 0x1b: 4, 0x1c: 8, 0x2b: 4, 0x3b: 4, 0x3c: 8, 0x01: 0, 0x09: 0, 0x19: 0, 0x50: 8} {
			m := &image{abi: abi, addr: 0x8000}
			k := usual(abi)
			k.data = ops(enc)
			cie := m.cie(k)
			base, pad := uint64(0), 0
			switch enc & 0x70 {
			case 0x10:
				base = m.addr + uint64(m.at())
			case 0x20:
				base = 0x400
			case 0x30:
				base = 0x9000
			case 0x50:
				pad = -m.at() & 7
			}
			v := uint64(start) - base
			var field, n []byte
			switch {
			case width > 0:
				field, n = num(abi.Big, width, v), num(abi.Big, width, size)
			case enc&8 != 0:
				field, n = sleb(int64(v)), uleb(size)
			default:
				field, n = uleb(v), uleb(size)
			}
			m.fde(cie, append(make([]byte, pad), field...), n, ops(0), nil)
			in := m.input()
			in.TextAddr, in.DataAddr = 0x400, 0x9000
			for f := range cfi.New(in).FDEs() {
				if enc == 0x12 { // 2 unsigned bytes cannot go back
					require.Equal(t, uint64(start+0x10000), f.Start.Addr)
					continue
				}
				require.True(t, f.Usable(), "%#x", enc)
				require.Equal(t, uint64(start), f.Start.Addr, "%#x", enc)
				require.Equal(t, uint64(size), f.Size, "%#x", enc)
			}
		}
	}
}

// TestFraming reads both kinds of section, lengths of 32 and 64 bits, the
// versions of the CIE and both byte orders.
func TestFraming(t *testing.T) {
	for _, kind := range []cfi.Format{cfi.EHFrame, cfi.DebugFrame} {
		for _, long := range []bool{false, true} {
			for _, version := range []byte{1, 3, 4} {
				for _, abi := range []model.ABIInfo{amd64, aarch64, armBig, s390x} {
					m := &image{kind: kind, abi: abi, long: long, addr: 0x8000}
					k := usual(abi)
					k.version, k.aug, k.data = version, "", nil
					first := m.cie(k)
					m.fde(first, num(abi.Big, 8, 0x1000), num(abi.Big, 8, 16), nil, ops(0x41, 0x0e, 9))
					second := m.cie(k)
					m.fde(first, num(abi.Big, 8, 0x2000), num(abi.Big, 8, 32), nil, nil)
					m.fde(second, num(abi.Big, 8, 0x3000), num(abi.Big, 8, 48), nil, nil)
					all := fdes(m)
					require.Len(t, all, 3)
					for i, f := range all {
						require.True(t, f.Usable())
						require.Equal(t, uint64(0x1000*(i+1)), f.Start.Addr)
						require.Equal(t, uint64(16*(i+1)), f.Size)
						require.Equal(t, int64([]int{first, first, second}[i]), f.CIE.Span.Off)
						require.Equal(t, abi.RA, f.CIE.RA)
					}
					require.Empty(t, all[0].Section().Faults())
				}
			}
		}
	}
}

// TestAugmentations decodes the letters of the augmentation string.
func TestAugmentations(t *testing.T) {
	for _, c := range []struct {
		aug   string
		data  []byte
		fault cfi.FaultCode
		check func(k *cfi.CIE) bool
	}{
		{"zRS", ops(0x1b), 0, func(k *cfi.CIE) bool { return k.Signal && !k.KeyB }},
		{"zRBG", ops(0x1b), 0, func(k *cfi.CIE) bool { return k.KeyB && k.MemTag && !k.Signal }},
		{"zPLR", cat(ops(0x03), num(false, 4, 0x7777), ops(0x1b, 0x1b)), 0, func(k *cfi.CIE) bool {
			return k.Personality.Addr == 0x7777 && k.Personality.OK && k.LSDA == 0x1b && k.Pointers == 0x1b
		}},
		{"zRP", ops(0x1b, 0xff), 0, func(k *cfi.CIE) bool { return k.Personality.Null }},
		{"zRX", ops(0x1b, 1, 2, 3), 0, func(k *cfi.CIE) bool { return k.Pointers == 0x1b }},
		{"zXR", ops(0x1b), cfi.CIEAugmentation, nil},
		{"X", nil, cfi.CIEAugmentation, nil},
		{"zR", ops(0x1f), cfi.BadEncoding, nil},
		{"zR", ops(0xff), cfi.BadEncoding, nil},
		{"zR", ops(0x9b), cfi.BadEncoding, nil},
		{"zRLL", ops(0x1b), cfi.CIETruncated, nil},
	} {
		m := &image{abi: amd64, addr: 0x8000}
		k := usual(amd64)
		k.aug, k.data = c.aug, c.data
		m.fde(m.cie(k), m.pcrel4(0x1000), num(false, 4, 16), ops(0), nil)
		s := cfi.New(m.input())
		require.Equal(t, c.fault, s.CIE(0).Fault.Code, c.aug)
		for f := range s.FDEs() {
			if c.fault != cfi.NoFault {
				require.Equal(t, cfi.BadCIE, f.Fault.Code)
				require.Len(t, s.Faults(), 1)
				require.False(t, f.Usable())
				continue
			}
			require.True(t, c.check(f.CIE), c.aug)
			require.True(t, f.Usable())
		}
	}
}

// TestLSDA decodes the augmentation data of an FDE, of which a 0 is no
// pointer whatever it counts from.
func TestLSDA(t *testing.T) {
	m := &image{abi: amd64, addr: 0x8000}
	k := usual(amd64)
	k.aug, k.data = "zLR", ops(0x1b, 0x1b)
	cie := m.cie(k)
	m.fde(cie, m.pcrel4(0x1000), num(false, 4, 16), cat(ops(4), num(false, 4, 0x10)), nil)
	at := uint64(m.at() + 9)
	m.fde(cie, m.pcrel4(0x2000), num(false, 4, 16), cat(ops(4), num(false, 4, 0)), nil)
	all := fdes(m)
	require.Equal(t, cfi.Pointer{Addr: 0x10 + 0x8000 + at - uint64(all[1].Span.Off-all[0].Span.Off), OK: true}, all[0].LSDA)
	require.True(t, all[1].LSDA.Null)
}

// TestTerminators goes on after lengths of 0, which "ld -r" leaves between
// entries.
func TestTerminators(t *testing.T) {
	m := &image{abi: amd64, addr: 0x8000}
	cie := m.cie(usual(amd64))
	m.fde(cie, m.pcrel4(0x1000), num(false, 4, 16), ops(0), nil)
	at := int64(len(m.b))
	m.b = append(m.b, 0, 0, 0, 0, 0, 0, 0, 0)
	m.fde(cie, m.pcrel4(0x2000), num(false, 4, 16), ops(0), nil)
	m.b = append(m.b, 0, 0, 0, 0)
	s := cfi.New(m.input())
	require.Empty(t, s.Faults())
	require.Equal(t, 2, s.NumFDEs())
	require.Equal(t, []model.Span{{Off: at, Len: 8}, {Off: int64(len(m.b)) - 4, Len: 4}}, s.Terminators())
	require.Equal(t, uint64(0x2000), fdes(m)[1].Start.Addr)
	off := fdes(m)[1].Span.Off
	f, ok := s.FDEAt(off)
	require.True(t, ok)
	require.Equal(t, uint64(0x2000), f.Start.Addr)
	_, ok = s.FDEAt(0)
	require.False(t, ok)
}

// TestDiscardedCode leaves out FDEs whose code a linker has discarded.
func TestDiscardedCode(t *testing.T) {
	m := &image{kind: cfi.DebugFrame, abi: amd64}
	k := usual(amd64)
	k.aug, k.data = "", nil
	cie := m.cie(k)
	for _, start := range []uint64{0, 0x1000, 1<<64 - 1, 1<<64 - 2} {
		m.fde(cie, num(false, 8, start), num(false, 8, 16), nil, nil)
	}
	var dead []bool
	for _, f := range fdes(m) {
		require.Equal(t, f.Usable(), !f.Dead)
		dead = append(dead, f.Dead)
	}
	require.Equal(t, []bool{true, false, true, true}, dead)
	in := m.input()
	in.ZeroIsCode = true
	for f := range cfi.New(in).FDEs() {
		require.False(t, f.Dead)
		break
	}
	m = &image{abi: amd64, addr: 0x8000}
	m.fde(m.cie(usual(amd64)), num(false, 4, 0), num(false, 4, 16), ops(0), nil)
	require.True(t, fdes(m)[0].Dead)
}

// TestRelocatable takes starts and CIE pointers from relocations.
func TestRelocatable(t *testing.T) {
	m := &image{abi: amd64}
	cie := m.cie(usual(amd64))
	var at []int64
	for range 5 {
		at = append(at, int64(m.at()))
		m.fde(cie, num(false, 4, 0), num(false, 4, 16), ops(0), nil)
	}
	in := m.input()
	in.Relocatable, in.Index = true, 9
	in.Relocs = []cfi.Reloc{
		{Offset: at[3], Addr: 7, Place: 1, Width: 4, PCRel: true, OK: true},
		{Offset: at[0], Addr: 32, Place: 3, Width: 4, PCRel: true, OK: true},
		{Offset: at[1], Width: 4, PCRel: true}, // an undefined symbol
		{Offset: at[2], Addr: 1, Place: 1, Width: 8, PCRel: true, OK: true},
		{Offset: at[3], Addr: 7, Place: 1, Width: 4, PCRel: true, OK: true},
	}
	var usable []bool
	for f := range cfi.New(in).FDEs() {
		usable = append(usable, f.Usable())
	}
	require.Equal(t, []bool{true, false, false, false, false}, usable)
	f, _ := cfi.New(in).FDEAt(at[0] - 8)
	require.Equal(t, cfi.Pointer{Addr: 32, Place: 3, OK: true}, f.Start)
}

// TestFaults reports what can't be decoded, with the bytes to blame, and goes
// on where the next entry can be found.
func TestFaults(t *testing.T) {
	whole := func() *image {
		m := &image{abi: amd64, addr: 0x8000}
		cie := m.cie(usual(amd64))
		m.fde(cie, m.pcrel4(0x1000), num(false, 4, 16), ops(0), nil)
		m.fde(cie, m.pcrel4(0x2000), num(false, 4, 16), ops(0), nil)
		return m
	}
	first := fdes(whole())[0].Span
	for _, c := range []struct {
		name   string
		change func(b []byte) []byte
		fault  cfi.Fault
		starts []uint64
	}{
		{"length beyond the end", func(b []byte) []byte { b[first.Off] = 0xff; return b },
			cfi.Fault{Code: cfi.LengthBeyondEnd, Span: model.Span{Off: first.Off, Len: 4}, Want: 0xff, Got: uint64(2*first.Len - 4)}, nil},
		{"64-bit length beyond the end", func(b []byte) []byte {
			return append(b[:first.Off], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0)
		}, cfi.Fault{Code: cfi.LengthBeyondEnd, Span: model.Span{Off: first.Off, Len: 12}, Want: 1<<64 - 1, Got: 1}, nil},
		{"reserved length", func(b []byte) []byte { copy(b[first.Off:], "\xf0\xff\xff\xff"); return b },
			cfi.Fault{Code: cfi.LengthReserved, Span: model.Span{Off: first.Off, Len: 4}, Got: 0xfffffff0}, nil},
		{"trailing bytes", func(b []byte) []byte { return append(b, 1, 2, 3) },
			cfi.Fault{Code: cfi.TrailingBytes, Span: model.Span{Off: first.End() + first.Len, Len: 3}, Want: 4, Got: 3}, []uint64{0x1000, 0x2000}},
		{"no room for a CIE pointer", func(b []byte) []byte { return slices.Insert(b, int(first.End()), 3, 0, 0, 0, 1, 1, 1) },
			cfi.Fault{Code: cfi.LengthTooShort, Span: model.Span{Off: first.End(), Len: 4}, Want: 4, Got: 3}, []uint64{0x1000, 0}},
		{"version", func(b []byte) []byte { b[8] = 2; return b },
			cfi.Fault{Code: cfi.CIEVersion, Span: model.Span{Off: 8, Len: 1}, Got: 2}, []uint64{0, 0}},
		{"no end of the augmentation", func(b []byte) []byte {
			b = b[:20]
			copy(b, "\x10\x00\x00\x00\x00\x00\x00\x00\x01zRSSSSSSSSS")
			return b
		},
			cfi.Fault{Code: cfi.CIETruncated, Span: model.Span{Off: 0, Len: 20}}, nil},
		{"CIE with a bad program", func(b []byte) []byte { b[17] = 0x3f; return b },
			cfi.Fault{Code: cfi.OpcodeUnknown, Span: model.Span{Off: 17, Len: 1}, Got: 0x3f}, []uint64{0x1000, 0x2000}},
		{"CIE that advances", func(b []byte) []byte { b[20] = 0x41; return b },
			cfi.Fault{Code: cfi.LocationInCIE, Span: model.Span{Off: 20, Len: 1}}, []uint64{0x1000, 0x2000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := whole()
			m.b = c.change(m.b)
			s := cfi.New(m.input())
			require.Equal(t, []cfi.Fault{c.fault}, s.Faults())
			var starts []uint64
			for _, f := range fdes(m) {
				if starts = append(starts, f.Start.Addr); !f.Usable() {
					require.Contains(t, []cfi.FaultCode{cfi.BadCIE, cfi.NoCIE}, f.Fault.Code)
					starts[len(starts)-1] = 0
				}
			}
			for i := range c.starts { // entries moved by the change have other pc-relative starts
				require.Equal(t, c.starts[i] == 0, starts[i] == 0)
			}
			require.Equal(t, len(c.starts), len(starts))
		})
	}
}

// TestFDEFaults reports what is wrong with an FDE alone.
func TestFDEFaults(t *testing.T) {
	m := &image{abi: amd64, addr: 0x8000}
	k := usual(amd64)
	k.data = ops(0x1c)
	cie := m.cie(k)
	good := m.fde(cie, num(false, 8, 0x100), num(false, 8, 16), ops(0), nil)
	m.fde(cie, num(false, 8, 0x100), num(false, 8, 1<<64-1), ops(0), nil)
	m.fde(cie, num(false, 8, 0x100), num(false, 8, 16), ops(0x7f), nil)
	m.fde(good, num(false, 8, 0x100), num(false, 8, 16), ops(0), nil)
	m.fde(cie, num(false, 4, 0x100), nil, nil, nil)
	all := fdes(m)
	id := model.Span{Off: all[3].Span.Off + 4, Len: 4}
	want := []cfi.Fault{
		{},
		{Code: cfi.RangeWraps, Span: all[1].SizeSpan, Got: 1<<64 - 1},
		{Code: cfi.FDETruncated, Span: all[2].Span},
		{Code: cfi.NoCIE, Span: id, Got: uint64(good)},
		{Code: cfi.FDETruncated, Span: all[4].Span},
	}
	for i, f := range all {
		require.Equal(t, want[i], f.Fault, "%d", i)
	}
}

// TestManyFaults keeps a bounded number of faults.
func TestManyFaults(t *testing.T) {
	m := &image{abi: amd64}
	for range 5000 {
		m.b = append(m.b, 1, 0, 0, 0, 7)
	}
	faults := cfi.New(m.input()).Faults()
	require.Len(t, faults, 1001)
	require.Equal(t, cfi.FaultsCut, faults[1000].Code)
	require.Equal(t, uint64(4000), faults[1000].Got)
}

// TestManyCIEs decodes a bounded number of CIEs.
func TestManyCIEs(t *testing.T) {
	m := &image{abi: amd64, addr: 0x8000}
	first := m.cie(usual(amd64))
	one := len(m.b)
	m.b = bytes.Repeat(m.b, cfi.MaxCIEs+1)
	last := len(m.b) - one
	m.fde(first, m.pcrel4(0x1000), num(false, 4, 16), ops(0), nil)
	m.fde(last, m.pcrel4(0x2000), num(false, 4, 16), ops(0), nil)
	s := cfi.New(m.input())
	require.Equal(t, cfi.MaxCIEs, s.NumCIEs())
	require.Equal(t, []cfi.Fault{{Code: cfi.TooManyCIEs, Span: model.Span{Off: int64(last), Len: int64(one)}, Want: cfi.MaxCIEs}}, s.Faults())
	all := fdes(m)
	require.True(t, all[0].Usable())
	require.Equal(t, cfi.NoCIE, all[1].Fault.Code)
}
