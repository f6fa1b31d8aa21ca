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

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
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
