package unpack_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"

	"github.com/sframe-lint/sframe-lint/internal/unpack"
)

// inputs are bytes of several kinds: of a program, zeros, noise, and a little.
func inputs(t testing.TB) map[string][]byte {
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		self = bytes.Repeat([]byte("the bytes of a program, more or less; "), 1<<16)
	}
	noise := make([]byte, 300_000)
	r := rand.NewChaCha8([32]byte{1})
	_, err = r.Read(noise)
	require.NoError(t, err)
	return map[string][]byte{
		"empty": nil, "one": {7}, "zeros": make([]byte, 3<<20), "noise": noise, "program": self[:min(len(self), 1<<20)],
		"far": append(append(bytes.Clone(noise), make([]byte, 2<<20)...), noise...),
	}
}

func packXZ(t testing.TB, b []byte, check byte) []byte {
	var out bytes.Buffer
	w, err := xz.WriterConfig{CheckSum: check, NoCheckSum: check == 0}.NewWriter(&out)
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

func packLZ4(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	w := lz4.NewWriter(&out)
	require.NoError(t, w.Apply(lz4.LegacyOption(true)))
	_, err := w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func reader(b []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(b)) }

// TestXZ unpacks what another implementation has packed, several streams in a row, and stops before
// other bytes.
func TestXZ(t *testing.T) {
	for name, want := range inputs(t) {
		checks := []byte{xz.CRC64, 0, xz.CRC32, xz.SHA256}
		if len(want) > 1<<19 {
			checks = checks[:1] // packing takes most of the time
		}
		for _, check := range checks {
			packed := packXZ(t, want, check)
			var held int64
			z := unpack.NewXZ(reader(packed), func(n int64) error { held += n; return nil })
			got, err := io.ReadAll(z)
			require.NoError(t, err, name)
			require.True(t, bytes.Equal(want, got), "%s with check %d", name, check)
			require.NoError(t, z.Close())
			require.Zero(t, held)
			r := reader(append(append(append(bytes.Clone(packed), 0, 0, 0, 0), packed...), "more"...))
			got, err = io.ReadAll(unpack.NewXZ(r, nil))
			require.NoError(t, err)
			require.Len(t, got, 2*len(want))
			rest, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Equal(t, "more", string(rest))
		}
	}
}

// TestBranches undoes the filters of machine code, as xz packs it.
func TestBranches(t *testing.T) {
	program, err := exec.LookPath("xz")
	if err != nil {
		t.Skip("xz is missing")
	}
	code := inputs(t)["program"]
	r := rand.NewChaCha8([32]byte{2})
	dense := make([]byte, 300_000) // opcodes and highest bytes in all distances
	for i := range dense {
		dense[i] = []byte{0xe8, 0xe9, 0, 0xff, byte(r.Uint64()), 0x97, 0x90, 0xb0}[r.Uint64()%8]
	}
	for _, filter := range []string{"--x86", "--arm64"} {
		for name, want := range map[string][]byte{"code": code, "dense": dense, "seven": {0xe8, 1, 2, 3, 0, 0xe9, 7}, "empty": nil} {
			for _, more := range []string{"--block-size=100000", "--block-size=9999999"} {
				c := exec.Command(program, "-c", "-1", "--check=crc64", more, filter, "--lzma2=preset=0")
				c.Stdin = bytes.NewReader(want)
				packed, err := c.Output()
				if err != nil {
					t.Skipf("this xz does not know %s", filter)
				}
				var held int64
				z := unpack.NewXZ(reader(packed), func(n int64) error { held += n; return nil })
				got, err := io.ReadAll(z)
				require.NoError(t, err, "%s %s", filter, name)
				require.True(t, bytes.Equal(want, got), "%s %s", filter, name)
				require.NoError(t, z.Close())
				require.Zero(t, held)
			}
		}
	}
}

// TestZstd does the same for zstd.
func TestZstd(t *testing.T) {
	for name, want := range inputs(t) {
		for _, level := range []zstd.EncoderLevel{zstd.SpeedFastest, zstd.SpeedDefault, zstd.SpeedBetterCompression, zstd.SpeedBestCompression} {
			for _, sum := range []bool{false, true} {
				if sum && len(want) > 1<<19 && level != zstd.SpeedDefault {
					continue
				}
				packed := packZstd(t, want, zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(sum))
				skip := []byte{0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3}
				if len(packed) == 0 {
					continue
				}
				r := reader(append(append(append(bytes.Clone(packed), skip...), packed...), "more"...))
				got, err := io.ReadAll(unpack.NewZstd(r, nil))
				require.NoError(t, err, "%s at level %v", name, level)
				require.True(t, bytes.Equal(append(bytes.Clone(want), want...), got), "%s at level %v", name, level)
				rest, err := io.ReadAll(r)
				require.NoError(t, err)
				require.Equal(t, "more", string(rest))
			}
		}
	}
}

// TestLZ4 unpacks what another implementation has packed, with the size that a Linux kernel has at its end, several
// streams in a row, and stops before other bytes.
func TestLZ4(t *testing.T) {
	all := inputs(t)
	all["blocks"] = bytes.Repeat(all["program"], 9) // of more than 8 MiB
	for name, want := range all {
		packed := packLZ4(t, want)
		size := binary.LittleEndian.AppendUint32(nil, uint32(len(want)))
		more := bytes.Repeat([]byte{0xff}, 8)
		for end, c := range map[string]struct {
			b    []byte
			n    int
			rest []byte
		}{
			"plain": {packed, 1, nil}, "kernel": {append(bytes.Clone(packed), size...), 1, nil},
			"two": {append(bytes.Clone(packed), packed...), 2, nil}, "more": {append(bytes.Clone(packed), more...), 1, more},
			"zeros": {append(bytes.Clone(packed), 0, 0, 0, 0), 1, make([]byte, 4)},
		} {
			if name == "empty" && end == "zeros" {
				c.rest = []byte{} // the size of nothing
			}
			var held, most int64
			r := reader(c.b)
			z := unpack.NewLZ4(r, func(n int64) error { held += n; most = max(most, held); return nil })
			got, err := io.ReadAll(z)
			require.NoError(t, err, "%s, %s", name, end)
			require.True(t, bytes.Equal(bytes.Repeat(want, c.n), got), "%s, %s", name, end)
			require.NoError(t, z.Close())
			require.Zero(t, held)
			require.LessOrEqual(t, most, int64(1<<20))
			rest, err := io.ReadAll(r)
			require.NoError(t, err)
			require.True(t, bytes.Equal(c.rest, rest), "%s, %s", name, end)
		}
	}
	for name, b := range map[string]string{
		"none": "", "other": "PK\x03\x04", "cut": unpack.LZ4Magic + "\x09\x00\x00\x00\x10a", "no block": unpack.LZ4Magic + "\x09\x00\x00\x00",
		"far":      unpack.LZ4Magic + "\x04\x00\x00\x00\x10a\x02\x00",
		"too long": unpack.LZ4Magic + "\x05\x81\x00\x00\x1fa\x01\x00" + strings.Repeat("\xff", 0x8100) + "\x00",
		"literals": unpack.LZ4Magic + "\x02\x00\x00\x00\x20ab",
	} {
		_, err := io.Copy(io.Discard, unpack.NewLZ4(reader([]byte(b)), nil))
		require.ErrorIs(t, err, unpack.ErrFormat, name)
	}
}

// TestDamaged changes and cuts streams: nothing panics, memory stays within the window and a block, and
// what another implementation unpacks is unpacked in the same way.
func TestDamaged(t *testing.T) {
	small := inputs(t)["program"][:150_000] // more than a block of zstd
	rounds := 1500
	if testing.Short() {
		rounds = 100
	}
	r := rand.New(rand.NewPCG(1, 2))
	packed := map[string][]byte{
		"xz": packXZ(t, small[:50_000], xz.CRC32), "zstd": packZstd(t, small, zstd.WithEncoderCRC(false)), "lz4": packLZ4(t, small[:50_000]),
	}
	otherZstd, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	require.NoError(t, err)
	defer otherZstd.Close()
	otherLZ4 := lz4.NewReader(nil)
	var got, want bytes.Buffer
	read := func(to *bytes.Buffer, r io.Reader, most int64) error {
		to.Reset()
		_, err := to.ReadFrom(io.LimitReader(r, most))
		return err
	}
	for i := range rounds {
		for _, kind := range []string{"xz", "zstd", "lz4"} {
			b := bytes.Clone(packed[kind])
			for range 1 + r.IntN(4) {
				at := r.IntN(len(b))
				if r.IntN(2) == 0 {
					at = r.IntN(min(len(b), 400))
				}
				b[at] = byte(r.Uint32())
			}
			if r.IntN(4) == 0 {
				b = b[:r.IntN(len(b))]
			}
			var held, most int64
			memory := func(n int64) error {
				held += n
				most = max(most, held)
				return nil
			}
			same := func() { require.True(t, bytes.Equal(want.Bytes(), got.Bytes()), "%s in round %d", kind, i) }
			switch kind {
			case "xz":
				_, _ = io.Copy(io.Discard, io.LimitReader(unpack.NewXZ(reader(b), memory), 1<<24))
			case "lz4":
				if read(&got, unpack.NewLZ4(reader(b), memory), 1<<24) != nil {
					break
				}
				if otherLZ4.Reset(bytes.NewReader(b)); read(&want, otherLZ4, 1<<24) == nil {
					same()
				}
			default:
				if read(&got, unpack.NewZstd(reader(b), memory), 1<<22) != nil {
					break
				}
				if otherZstd.Reset(bytes.NewReader(b)) == nil && read(&want, otherZstd, 1<<22) == nil {
					same()
				}
			}
			require.Less(t, most, int64(64<<20), "%s in round %d", kind, i)
		}
	}
}

func BenchmarkUnpack(b *testing.B) {
	in := inputs(b)["program"]
	x, z := packXZ(b, in, xz.CRC64), packZstd(b, in)
	for name, open := range map[string]func() io.Reader{
		"xz":   func() io.Reader { return unpack.NewXZ(reader(x), nil) },
		"zstd": func() io.Reader { return unpack.NewZstd(reader(z), nil) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				n, err := io.Copy(io.Discard, open())
				if err != nil || n != int64(len(in)) {
					b.Fatal(fmt.Errorf("%d bytes: %w", n, err))
				}
			}
		})
	}
}
