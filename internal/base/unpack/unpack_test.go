package unpack_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"

	"github.com/sframe-lint/sframe-lint/internal/base/unpack"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

var damagedCount = flag.Int("damaged", 300, "number of damaged streams of each format")

func packXZ(t testing.TB, b []byte, check byte) []byte {
	var out bytes.Buffer
	w, err := xz.WriterConfig{CheckSum: check, NoCheckSum: check == 0, DictCap: 1 << 16}.NewWriter(&out)
	require.NoError(t, err)
	_, err = w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func packZstd(t testing.TB, b []byte, opts ...zstd.EOption) []byte {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, append(opts, zstd.WithEncoderConcurrency(1))...)
	require.NoError(t, err)
	_, err = w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

// open returns a decoder of the bytes.
func open(b []byte, memory unpack.Memory) *unpack.Decoder {
	r := bufio.NewReader(bytes.NewReader(b))
	if bytes.HasPrefix(b, []byte(unpack.XZMagic[:4])) {
		return unpack.NewXZ(r, memory)
	}
	return unpack.NewZstd(r, memory)
}

// account counts memory.
type account struct{ held, most int64 }

func (a *account) take(n int64) error {
	a.held += n
	a.most = max(a.most, a.held)
	return nil
}

// unpacked returns what a stream stands for, and the most memory that was stated for it.
func unpacked(t testing.TB, b []byte) ([]byte, int64, error) {
	var a account
	z := open(b, a.take)
	out, err := io.ReadAll(io.LimitReader(z, 64<<20))
	require.NoError(t, z.Close())
	require.Zero(t, a.held)
	return out, a.most, err
}

// TestStreams reads what other implementations have written, several streams in a row, and streams of no bytes.
func TestStreams(t *testing.T) {
	noise := make([]byte, 300_000)
	_, err := rand.NewChaCha8([32]byte{1}).Read(noise)
	require.NoError(t, err)
	skip := []byte("\x5f\x2a\x4d\x18\x03\x00\x00\x00abc")
	for name, want := range map[string][]byte{"empty": {}, "one": {7}, "zeros": make([]byte, 3<<20), "noise": noise} {
		for _, check := range []byte{xz.CRC64, 0, xz.CRC32, xz.SHA256} {
			packed := packXZ(t, want, check)
			got, most, err := unpacked(t, append(append(bytes.Clone(packed), 0, 0, 0, 0), packed...))
			require.NoError(t, err, name)
			require.True(t, bytes.Equal(append(bytes.Clone(want), want...), got), "%s with check %d", name, check)
			require.EqualValues(t, 9<<20, most)
		}
		packed := packZstd(t, want, zstd.WithEncoderCRC(true))
		got, _, err := unpacked(t, bytes.Join([][]byte{skip, skip, packed, skip, packed}, nil))
		require.NoError(t, err, name)
		require.True(t, bytes.Equal(append(bytes.Clone(want), want...), got), name)
	}
	_, most, err := unpacked(t, nil)
	require.NoError(t, err, "nothing is an empty stream")
	require.Zero(t, most)
}

// TestFilters undoes the filters of xz for machine code, in blocks, and refuses one that the library does not have.
func TestFilters(t *testing.T) {
	var first []byte
	for _, name := range []string{"x86", "arm", "delta"} {
		b := must.Get(os.ReadFile("testdata/" + name + ".xz"))(t)
		got, _, err := unpacked(t, b)
		require.NoError(t, err, name)
		require.Len(t, got, 24_000)
		if first == nil {
			first = got
		}
		require.True(t, bytes.Equal(first, got), name)
	}
	b, err := os.ReadFile("testdata/arm64.xz")
	require.NoError(t, err)
	_, _, err = unpacked(t, b)
	require.EqualError(t, err, "cannot be decompressed: xz: compression options not supported")
}

// claiming returns a stream of xz whose only block claims a dictionary: 2^n bytes for the property 2n - 24.
func claiming(t testing.TB, property byte) []byte {
	b := packXZ(t, []byte("x"), xz.CRC32)
	n := 4 * (int(b[12]) + 1)
	head := b[12 : 12+n]
	at := bytes.Index(head, []byte{0x21, 1})
	head[at+2] = property
	binary.LittleEndian.PutUint32(head[n-4:], crc32.ChecksumIEEE(head[:n-4]))
	return b
}

// frame returns a frame of zstd of one byte that claims a window: 1 KiB, doubled so many times.
func frame(doubled byte) []byte {
	return []byte{0x28, 0xb5, 0x2f, 0xfd, 0, doubled << 3, 9, 0, 0, 'x'}
}

// TestClaims states the memory of the window that a stream claims, and refuses a larger one before anything is allocated.
func TestClaims(t *testing.T) {
	large, huge := "it needs a window of", "cannot be decompressed"
	for name, c := range map[string]struct {
		b    []byte
		most int64
		err  string
	}{
		"xz of 64 KiB":          {claiming(t, 8), 9 << 20, ""},
		"xz of 64 MiB":          {claiming(t, 28), 65 << 20, ""},
		"xz of 128 MiB":         {claiming(t, 30), 129 << 20, ""},
		"xz of 192 MiB":         {claiming(t, 31), 0, large},
		"xz of 4 GiB":           {claiming(t, 40), 0, large},
		"xz, 4 GiB later":       {append(claiming(t, 8), claiming(t, 40)...), 9 << 20, huge},
		"xz, smaller later":     {append(claiming(t, 28), claiming(t, 26)...), 65 << 20, ""},
		"zstd of 1 KiB":         {frame(0), 9 << 20, ""},
		"zstd of 128 MiB":       {frame(17), 129 << 20, ""},
		"zstd of 256 MiB":       {frame(18), 0, large},
		"zstd of 2 TiB":         {frame(31), 0, large},
		"zstd, 2 TiB later":     {append(frame(0), frame(31)...), 9 << 20, huge},
		"zstd, segment":         {append([]byte("\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x01\x00\x00\x00"), 9, 0, 0, 'x'), 0, large},
		"zstd, skips 4 GiB":     {append([]byte("\x50\x2a\x4d\x18\xff\xff\xff\xff"), frame(0)...), 0, "unexpected EOF"},
		"zstd, other bytes":     {append(frame(0), "other"...), 9 << 20, "magic"},
		"xz, other bytes":       {append(claiming(t, 8), "other bytes."...), 9 << 20, huge},
		"zstd, unknown bits":    {[]byte("\x28\xb5\x2f\xfd\x08\x00\x09\x00\x00x"), 0, "reserved bit"},
		"zstd, a dictionary":    {must.Get(os.ReadFile("testdata/dictionary.zst"))(t), 9 << 20, "unknown dictionary"},
		"zstd, long window":     {must.Get(os.ReadFile("testdata/long.zst"))(t), 129 << 20, ""},
		"xz, header cut":        {[]byte(unpack.XZMagic), 0, "unexpected EOF"},
		"xz, block header cut":  {claiming(t, 8)[:16], 9 << 20, "truncated"},
		"xz, filters that leak": {append(claiming(t, 8)[:12], "\x02\x03\x04\xff\x04\xff\x04\xff"...), 9 << 20, "corrupt"},
	} {
		_, most, err := unpacked(t, c.b)
		require.Equal(t, c.most, most, name)
		if c.err == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorIs(t, err, unpack.ErrFormat, name)
		require.ErrorContains(t, err, c.err, name)
	}
}

// TestDamaged changes, cuts and joins streams, also such that claim large windows: nothing panics, and a decoder
// allocates no more than it states. -damaged sets how many there are.
func TestDamaged(t *testing.T) {
	code := must.Get(os.ReadFile("testdata/x86.xz"))(t)
	text, _, err := unpacked(t, code)
	require.NoError(t, err)
	whole := packXZ(t, text, xz.CRC64)
	streams := map[string][][]byte{
		"xz":   {claiming(t, 8), claiming(t, 22), claiming(t, 28), claiming(t, 40), packXZ(t, text, xz.CRC32), packXZ(t, text[:3000], 0)},
		"zstd": {frame(0), frame(16), frame(17), frame(22), packZstd(t, text), packZstd(t, text[:3000], zstd.WithEncoderCRC(false)), packZstd(t, bytes.Repeat(text, 20))},
	}
	more := must.Get(filepath.Glob("testdata/*"))(t)
	for _, path := range more {
		kind := strings.TrimPrefix(filepath.Ext(path), ".")
		if kind == "zst" {
			kind = "zstd"
		}
		streams[kind] = append(streams[kind], must.Get(os.ReadFile(path))(t))
	}
	for kind, all := range streams {
		t.Run(kind, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(kind))))
			for i := range *damagedCount {
				if got, _, err := unpacked(t, whole); err != nil || !bytes.Equal(got, text) { // whatever was damaged before
					t.Fatalf("%s %d: %v", kind, i, err)
				}
				b := damage(r, all)
				var a account
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				z := open(b, a.take)
				_, err := io.Copy(io.Discard, io.LimitReader(z, 8<<20))
				require.NoError(t, z.Close())
				runtime.ReadMemStats(&after)
				require.Zero(t, a.held)
				require.LessOrEqual(t, a.most, int64(unpack.MaxWindow+1<<20), "%s %d", kind, i)
				took := int64(after.TotalAlloc - before.TotalAlloc)
				// Windows of later parts may be larger than the one before them: together less than twice the largest.
				require.LessOrEqual(t, took, 2*a.most+1<<20, "%s %d: %v: %x", kind, i, err, fmt.Sprintf("%.40s", b))
			}
		})
	}
}

// damage returns damaged streams after each other.
func damage(r *rand.Rand, all [][]byte) (b []byte) {
	for range 1 + r.IntN(3) {
		one := bytes.Clone(all[r.IntN(len(all))])
		for range r.IntN(5) {
			at := r.IntN(len(one))
			if r.IntN(2) == 0 {
				at = r.IntN(min(len(one), 60))
			}
			one[at] ^= 1 << r.IntN(8)
			if r.IntN(3) == 0 {
				one[at] = byte(r.Uint32())
			}
		}
		if r.IntN(2) == 0 && len(one) > 24 && one[0] == unpack.XZMagic[0] { // so that more than the checksum is looked at
			if n := 4 * (int(one[12]) + 1); 12+n < len(one) {
				binary.LittleEndian.PutUint32(one[12+n-4:], crc32.ChecksumIEEE(one[12:12+n-4]))
			}
		}
		if r.IntN(4) == 0 {
			one = one[:r.IntN(len(one))]
		}
		if b = append(b, one...); r.IntN(6) == 0 {
			b = append(b, make([]byte, r.IntN(9))...)
		}
	}
	return b
}
