package dump_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/reader"
)

// plain reports whether a terminal shows the text as it is.
func plain(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) < 0
}

// survives runs all styles over a section that may hold anything.
func survives(t *testing.T, o *reader.Object, s *reader.SFrame, what string, bit int) {
	t.Helper()
	for _, y := range styles {
		var b bytes.Buffer
		if err := y.dump(&b, o, s); err != nil && err != dump.ErrNothing {
			t.Fatalf("%s, bit %d, %s: %v", what, bit, y.name, err)
		}
		if y.name == "json" && !json.Valid(b.Bytes()) {
			t.Fatalf("%s, bit %d: no JSON: %s", what, bit, b.Bytes())
		}
		if !plain(b.String()) {
			t.Fatalf("%s, bit %d, %s: control characters: %q", what, bit, y.name, b.String())
		}
	}
}

// flips calls try with single bits of data turned over: every step-th one.
func flips(data []byte, step int, try func(bit int)) {
	for bit := 0; bit < 8*len(data); bit += step {
		data[bit/8] ^= 1 << (bit % 8)
		try(bit)
		data[bit/8] ^= 1 << (bit % 8)
	}
}

// TestBitFlipsOfSections turns over every bit of the sections of this
// package.
func TestBitFlipsOfSections(t *testing.T) {
	for _, c := range sections {
		data := unhex(t, c.hex)
		flips(data, 1, func(bit int) {
			o, s := rawSection("flipped", bytes.Clone(data), c.addr)
			survives(t, o, s, c.name, bit)
		})
	}
}

// TestCutSections cuts the sections of this package at every byte.
func TestCutSections(t *testing.T) {
	for _, c := range sections {
		data := unhex(t, c.hex)
		for n := range data {
			o, s := rawSection("cut", bytes.Clone(data[:n]), c.addr)
			survives(t, o, s, c.name, 8*n)
		}
	}
}

// TestBitFlipsOfFiles turns over bits of whole ELF files: an object with
// relocations and symbols, and a linked file.
func TestBitFlipsOfFiles(t *testing.T) {
	for _, file := range []string{"binutils-2.47/amd64/signal.o", "binutils-2.47/s390x/one.elf"} {
		data, err := os.ReadFile(corpusPath(file))
		require.NoError(t, err)
		seen := 0
		flips(data, 3, func(bit int) {
			err := reader.ScanReader("flipped", bytes.NewReader(data), int64(len(data)), reader.Options{},
				func(o *reader.Object) error {
					for _, s := range o.SFrames {
						survives(t, o, s, file, bit)
						seen++
					}
					return nil
				})
			require.NoError(t, err)
		})
		require.Greater(t, seen, len(data), "most of the flipped files still have their section")
	}
}

// failing is a writer that takes n bytes.
type failing struct{ n int }

func (w *failing) Write(b []byte) (int, error) {
	if len(b) > w.n {
		return w.n, io.ErrShortWrite
	}
	w.n -= len(b)
	return len(b), nil
}

// TestWriterErrors passes on what the writer says, wherever it says so.
func TestWriterErrors(t *testing.T) {
	o, s := rawSection("large", manyRows(6000), 0x1000)
	for _, y := range styles {
		for _, n := range []int{0, 100, 1 << 16} {
			require.ErrorIs(t, y.dump(&failing{n}, o, s), io.ErrShortWrite, "%s after %d bytes", y.name, n)
		}
		require.NoError(t, y.dump(&failing{1 << 30}, o, s))
	}
}

// largest is a writer that notes the size of the largest write.
type largest struct{ total, max int }

func (w *largest) Write(b []byte) (int, error) {
	w.total += len(b)
	w.max = max(w.max, len(b))
	return len(b), nil
}

// TestStreams sees that text is handed on while it comes: a large section,
// and one with a large gap.
func TestStreams(t *testing.T) {
	many := manyRows(30000)
	gap := append(manyRows(1), bytes.Repeat([]byte("0123456789abcdefg"), 20000)...)
	for _, y := range styles {
		for name, data := range map[string][]byte{"rows": many, "gap": gap} {
			if y.name == "objdump" && name == "gap" {
				continue // it shows none
			}
			o, s := rawSection("large", data, 0x1000)
			var w largest
			require.NoError(t, y.dump(&w, o, s))
			require.Greater(t, w.total, 500_000, "%s, %s", y.name, name)
			require.Less(t, w.max, 64<<10, "%s, %s", y.name, name)
		}
	}
}

// manyRows makes a V2 section for AMD64 of one FDE with n rows.
func manyRows(n int) []byte {
	u32 := func(v int) []byte { return []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)} }
	const row = 6 // ADDR4, info, one word of 1 byte
	b := []byte{0xe2, 0xde, 2, 5, 3, 0, 0xf8, 0}
	for _, v := range []int{1, n, n * row, 0, 20} {
		b = append(b, u32(v)...)
	}
	for _, v := range []int{0x1000, n, 0, n, 2} { // the last one: ADDR4
		b = append(b, u32(v)...)
	}
	for i := range n {
		b = append(append(b, u32(i)...), 3, byte(8*(i%16)))
	}
	return b
}

// BenchmarkDump dumps a section of 80,000 FREs.
func BenchmarkDump(b *testing.B) {
	o, s := rawSection("raw", testkit.ShapeSection(testkit.Plain, 20000), 0)
	require.Empty(b, s.Faults)
	for name, write := range map[string]func(io.Writer, *reader.Object, *reader.SFrame) error{
		"text": func(w io.Writer, o *reader.Object, s *reader.SFrame) error {
			return dump.Full(w, o, s, dump.Selection{})
		},
		"objdump": dump.Objdump,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, write(io.Discard, o, s))
			}
		})
	}
}
