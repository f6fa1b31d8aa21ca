package reader

import (
	"bytes"
	"compress/zlib"
	"context"
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/model"
)

func zlibOf(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func zstdOf(t testing.TB, data []byte) []byte {
	w := must.Get(zstd.NewWriter(nil))(t)
	return w.EncodeAll(data, nil)
}

// chdr returns a compressed section's bytes.
func chdr(o order, how elf.CompressionType, size uint64, body []byte) []byte {
	b := o.AppendUint32(o.AppendUint32(nil, uint32(how)), 0)
	return append(o.AppendUint64(o.AppendUint64(b, size), 8), body...)
}

func gnu(size uint64, body []byte) []byte {
	return append(binary.BigEndian.AppendUint64([]byte("ZLIB"), size), body...)
}

// packedSection is a file whose section 2 is compressed.
func packedSection(o order, name string, data []byte) *testELF {
	f := exec(testSection{name: name, typ: elf.SHT_PROGBITS, data: data})
	if name != ".zdebug_frame" {
		f.sections[1].flags = elf.SHF_COMPRESSED
	}
	if f.order = o; o == be {
		f.machine = elf.EM_S390
	}
	return f
}

func TestCompressedSectionData(t *testing.T) {
	want := bytes.Repeat([]byte("some data "), 300_000)
	n := uint64(len(want))
	damaged := zlibOf(t, want)
	damaged[len(damaged)/2] ^= 0x55
	checksum := zlibOf(t, want)
	checksum[len(checksum)-1] ^= 0x55
	for _, x := range []struct {
		name, section string
		order         order
		data          []byte
		fails         string
	}{
		{"zlib", ".debug_frame", le, chdr(le, elf.COMPRESS_ZLIB, n, zlibOf(t, want)), ""},
		{"zlib, big-endian", ".debug_frame", be, chdr(be, elf.COMPRESS_ZLIB, n, zlibOf(t, want)), ""},
		{"zstd", ".debug_frame", le, chdr(le, elf.COMPRESS_ZSTD, n, zstdOf(t, want)), ""},
		{"two frames", ".debug_frame", le, chdr(le, elf.COMPRESS_ZSTD, n, append(zstdOf(t, want[:9]), zstdOf(t, want[9:])...)), ""},
		{"old form", ".zdebug_frame", be, gnu(n, zlibOf(t, want)), ""},
		{"no header", ".debug_frame", le, make([]byte, 23), "cannot be decompressed: 23 bytes"},
		{"no old header", ".zdebug_frame", le, []byte("ZLIP12345678"), `cannot be decompressed: no "ZLIB" at the start`},
		{"another type", ".debug_frame", le, chdr(le, 3, n, nil), "cannot be decompressed: compression type 3"},
		{"not zlib", ".debug_frame", le, chdr(le, elf.COMPRESS_ZLIB, 1000, want[:100]), "zlib: invalid header"},
		{"not zstd", ".debug_frame", le, chdr(le, elf.COMPRESS_ZSTD, n, want[:100]), "magic number mismatch"},
		{"damaged", ".debug_frame", le, chdr(le, elf.COMPRESS_ZLIB, n, damaged), "cannot be decompressed: "},
		{"cut off", ".debug_frame", le, chdr(le, elf.COMPRESS_ZLIB, 99*1032, zlibOf(t, want)[:99]), "unexpected EOF"},
		{"fewer, zlib", ".debug_frame", le, chdr(le, elf.COMPRESS_ZLIB, n+1, zlibOf(t, want)), "unexpected EOF"},
		{"fewer, zstd", ".debug_frame", le, chdr(le, elf.COMPRESS_ZSTD, n+1, zstdOf(t, want)), "unexpected EOF"},
		{"more, zlib", ".debug_frame", le, chdr(le, elf.COMPRESS_ZLIB, n-1, zlibOf(t, want)), "more than 2999999 bytes"},
		{"checksum", ".debug_frame", le, chdr(le, elf.COMPRESS_ZLIB, n, checksum), "invalid checksum"},
		{"more, zstd", ".debug_frame", le, chdr(le, elf.COMPRESS_ZSTD, n-1, zstdOf(t, want)), "cannot be decompressed: "},
		{"too large", ".debug_frame", le, chdr(le, elf.COMPRESS_ZLIB, 5<<20, zlibOf(t, want)), "5242880 bytes after decompression, more than 4194304"},
		{"not backed, zlib", ".debug_frame", le, chdr(le, elf.COMPRESS_ZLIB, 100*1032+1, want[:100]), "100 bytes of compressed data cannot stand for 103201"},
		{"not backed, zstd", ".debug_frame", le, chdr(le, elf.COMPRESS_ZSTD, 1<<40, want[:100]), "100 bytes of compressed data cannot stand for 1099511627776"},
	} {
		t.Run(x.name, func(t *testing.T) {
			e := scanOne(t, packedSection(x.order, x.section, x.data).bytes()).ELF
			got, err := e.SectionData(2, 4<<20)
			if x.fails != "" {
				require.ErrorContains(t, err, x.fails)
				return
			}
			require.NoError(t, err)
			assert.True(t, bytes.Equal(want, got))
			size := must.Get(e.DataSize(2))(t)
			assert.Equal(t, n, size)
		})
	}
}

// A section whose claim or whose bytes are too much costs no more than the budget: the
// memory is held before it is taken, and what does not fit is not decompressed.
func TestCompressedBomb(t *testing.T) {
	const size = 64 << 20
	zeros := make([]byte, size)
	for name, data := range map[string][]byte{
		"zlib":            chdr(le, elf.COMPRESS_ZLIB, size, zlibOf(t, zeros)),
		"zstd":            chdr(le, elf.COMPRESS_ZSTD, size, zstdOf(t, zeros)),
		"zstd claims 100": chdr(le, elf.COMPRESS_ZSTD, 100, zstdOf(t, zeros)),
		"zlib claims 100": chdr(le, elf.COMPRESS_ZLIB, 100, zlibOf(t, zeros)),
	} {
		t.Run(name, func(t *testing.T) {
			b := budget.New(context.Background(), budget.Limits{budget.Memory: 1 << 20, budget.Read: -1, budget.Work: -1, budget.Time: -1})
			file := packedSection(le, ".debug_frame", data).bytes()
			var err error
			used := allocated(func() {
				_ = ScanReader("input", bytes.NewReader(file), int64(len(file)), Options{Context: b}, func(o *Object) error {
					_, err = o.ELF.SectionData(2, 1<<30)
					return nil
				})
			})
			assert.Less(t, used, uint64(4<<20))
			require.Error(t, err)
		})
	}
}

func xzOf(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	require.NoError(t, err)
	_, err = w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// withMini is a stripped file of which section 2 is .sframe, with the bytes of its .gnu_debugdata.
func withMini(data []byte, dynamic ...namedSym) *testELF {
	f := exec(sframeOf(craft(le, model.SFRAME_VERSION_2, model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, 0, leaf(0x1000, 16))))
	if len(dynamic) > 0 {
		withSymbols(f, dynamic...)
		f.sections[2].name, f.sections[2].typ = ".dynsym", elf.SHT_DYNSYM
	}
	f.sections = append(f.sections, testSection{name: miniDebug, typ: elf.SHT_PROGBITS, data: data})
	return f
}

// TestMiniSymbols takes the symbols that .dynsym lacks from .gnu_debugdata.
func TestMiniSymbols(t *testing.T) {
	// In the other file, sections have other numbers.
	inner := withSymbols(exec(testSection{name: ".data", typ: elf.SHT_NOBITS, flags: elf.SHF_ALLOC, addr: 0x9000, size: 8}),
		sym("hidden", elf.STT_FUNC, elf.STB_LOCAL, 1, 0x1010, 8), sym("undefined", elf.STT_FUNC, elf.STB_GLOBAL, 0, 0x1020, 0),
		sym("elsewhere", elf.STT_FUNC, elf.STB_LOCAL, 1, 0x7000, 0))
	shared := sym("shared", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1000, 8)
	o := scanOne(t, withMini(xzOf(t, inner.bytes()), shared).bytes())
	require.Empty(t, o.Faults)
	y := o.ELF.Symbols
	require.NoError(t, y.Err())
	assert.Equal(t, 3, y.Len())
	for addr, want := range map[uint64]string{0x1000: "shared", 0x1004: "shared", 0x1010: "hidden", 0x1017: "hidden"} {
		s, ok := y.Func(-1, addr)
		assert.True(t, ok)
		assert.Equal(t, want, s.Name)
		assert.Equal(t, 1, s.Section)
	}
	_, ok := y.Func(-1, 0x1020)
	assert.False(t, ok)

	o = scanOne(t, withMini(xzOf(t, inner.bytes())).bytes())
	s, ok := o.ELF.Symbols.Func(-1, 0x1010)
	assert.True(t, ok)
	assert.Equal(t, "hidden", s.Name)

	full := withSymbols(withMini(xzOf(t, inner.bytes())), sym("own", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1010, 8))
	s, _ = scanOne(t, full.bytes()).ELF.Symbols.Func(-1, 0x1010)
	assert.Equal(t, "own", s.Name, "a file with .symtab does not need the other one")
}

// TestMiniFaults names what is wrong with .gnu_debugdata, and reads it once.
func TestMiniFaults(t *testing.T) {
	other := exec()
	other.machine = elf.EM_AARCH64
	whole := xzOf(t, exec().bytes())
	nested := withMini(xzOf(t, withSymbols(exec(), sym("inmost", elf.STT_FUNC, elf.STB_GLOBAL, 1, 0x1010, 8)).bytes()))
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"no xz":   {[]byte("text"), ".gnu_debugdata: cannot be decompressed: unexpected EOF"},
		"cut":     {whole[:len(whole)/2], ".gnu_debugdata: cannot be decompressed: xz: data is truncated or corrupt"},
		"no ELF":  {xzOf(t, []byte("text")), ".gnu_debugdata has no ELF file for the same machine"},
		"machine": {xzOf(t, other.bytes()), ".gnu_debugdata has no ELF file for the same machine"},
		"damaged": {xzOf(t, exec().bytes()[:300]), "in .gnu_debugdata: "},
		"nested":  {xzOf(t, nested.bytes()), ""},
	} {
		o := scanOne(t, withMini(c.data).bytes())
		require.Equal(t, StatusOK, o.Status, name)
		_, ok := o.ELF.Symbols.Func(-1, 0x1010)
		assert.False(t, ok, name)
		if c.want == "" {
			assert.Empty(t, o.Faults, name)
			continue
		}
		if assert.NotEmpty(t, o.Faults, name) {
			assert.Equal(t, ELFDamaged, o.Faults[0].Code)
			assert.Contains(t, o.Faults[0].Detail, c.want, name)
			header := o.ELF.Sections[3].Header
			assert.Equal(t, model.Span{Off: header.Off + 24, Len: 16}, o.Faults[0].Span, "sh_offset and sh_size")
		}
	}
}

// TestMiniBomb ends at the budget of memory.
func TestMiniBomb(t *testing.T) {
	data := withMini(xzOf(t, make([]byte, 64<<20))).bytes()
	limits := budget.Limits{}
	limits.Set(budget.Memory, 16<<20)
	all := scan(t, data, Options{Context: budget.New(context.Background(), limits)})
	require.Len(t, all, 1)
	require.NotEmpty(t, all[0].Faults)
	assert.Equal(t, BudgetExceeded, all[0].Faults[0].Code)
	assert.Contains(t, all[0].Faults[0].Detail, "the memory budget is exceeded (--limit max-memory=16M) for .gnu_debugdata")
}
