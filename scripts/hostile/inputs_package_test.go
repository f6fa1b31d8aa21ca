//go:build linux

package hostile

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// elfHead is how a file begins that is read as an ELF file.
const elfHead = "\x7fELF\x02\x01\x01"

// packageInputs are packages and what is compressed.
func packageInputs() (all []input) {
	add := func(name string, b func() []byte) {
		in := file("packages: "+name, 0, b)
		in.packed, in.modes = true, []string{"text", "json", "sarif", "shard", "coverage", "diff", "dump"}
		all = append(all, in)
	}
	for _, c := range compressors {
		add("4 GiB of zeros, "+c.name, func() []byte { return c.long("") })
		add("an ELF file of 4 GiB, "+c.name, func() []byte { return c.long(elfHead) })
		add("an ELF file of 4 GiB in a tar archive, "+c.name, func() []byte {
			return c.long(string(tarHead("x", 4<<30)) + elfHead)
		})
		add("compressed 1,000 times, "+c.name, func() []byte { return again(1000, []byte(elfHead), c) })
		add("100,000 streams, "+c.name, func() []byte { return bytes.Repeat(c.pack(strings.NewReader("x")), 100_000) })
		add("a million empty entries, "+c.name, func() []byte { return c.million(tarHead("x", 0)) })
		add("a million ELF headers, "+c.name, func() []byte { return c.million(tarFile("x", elfHead)) })
		add("a million archives, "+c.name, func() []byte { return c.million(tarFile("x", arMagic)) })
		add("a million entries that lead out, "+c.name, func() []byte { return c.million(tarFile("../x", elfHead)) })
		add("a million packages, "+c.name, func() []byte { return c.million(tarFile("x", arMagic+"debian-binary")) })
		add("a million initial file systems, "+c.name, func() []byte { return c.million(cpioFile("TRAILER!!!", "")) })
	}
	add("archives in 1,000 archives", func() []byte {
		b := []byte(elfHead)
		for range 1000 {
			b = tarFile("x", string(b))
		}
		return b
	})
	add("a name of 100 MiB", func() []byte { return longName(50 << 20) })
	add("a million names of 16 KiB", func() []byte { return compressors[0].million(longName(8<<10 - 1)) })
	add("an entry that claims 8 EiB", func() []byte { return tarHead("x", 1<<62) })
	for name, size := range map[string]uint32{"2 GiB": 1<<31 - 1, "4 GiB": 1<<32 - 1} {
		add("a cpio entry that claims "+name, func() []byte {
			b := cpioFile("x", elfHead)
			copy(b[54:], fmt.Sprintf("%08X", size))
			return b
		})
		add("a cpio name that claims "+name, func() []byte {
			b := cpioFile("x", elfHead)
			copy(b[94:], fmt.Sprintf("%08X", size))
			return b
		})
		add("a deb with a member that claims "+name, func() []byte {
			return append(append(debHead(), memberHeader("data.tar", int64(size))...), elfHead...)
		})
		add("an RPM header that claims "+name, func() []byte { return rpmOf(16, size, 0) })
		add("an RPM header of tags that claim "+name, func() []byte { return rpmOf(16, 64, size) })
	}
	add("a deb with 300,000 data members", func() []byte {
		return append(debHead(), bytes.Repeat(memberHeader("data.tar", 0), 300_000)...)
	})
	add("a zip archive of 60,000 names for one file", overlapping)
	add("a zip archive that claims 2^32 entries", func() []byte {
		b := zipOf(1, elfHead)
		at := bytes.LastIndex(b, []byte("PK\x05\x06"))
		binary.LittleEndian.PutUint32(b[at+8:], 1<<32-1)
		return b
	})
	add("a zip archive of 1,000 bombs", func() []byte { return zipOf(1000, elfHead+strings.Repeat("\x00", 16<<20)) })
	for _, n := range []uint64{1, 2, 3, 4, 5, 6, 7, 8} {
		add(fmt.Sprintf("damaged packages, %d", n), func() []byte { return damaged(n) })
	}
	streamInputs(add)
	entryInputs(add)
	unreadInputs(add)
	return all
}

// compressor compresses a stream.
type compressor struct {
	name string
	pack func(r io.Reader) []byte
}

var compressors = []compressor{
	{"gzip", func(r io.Reader) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		must(io.Copy(w, r))
		w.Close()
		return b.Bytes()
	}},
	{"xz", func(r io.Reader) []byte {
		var b bytes.Buffer
		w, err := xz.NewWriter(&b)
		must(w, err)
		must(io.Copy(w, r))
		w.Close()
		return b.Bytes()
	}},
	{"zstd", func(r io.Reader) []byte {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(128<<20))
		must(w, err)
		must(io.Copy(w, r))
		w.Close()
		return b.Bytes()
	}},
}

// must ends the program where an input cannot be made.
func must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
	return v
}

// zeros reads n bytes, the first of which are given.
func zeros(first string, n int64) io.Reader {
	return io.LimitReader(io.MultiReader(strings.NewReader(first), zeroReader{}), n)
}

type zeroReader struct{}

func (zeroReader) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// long compresses 4 GiB of zeros after head, as streams that follow each other.
func (c *compressor) long(head string) []byte {
	const part = 64 << 20
	return append(c.pack(strings.NewReader(head)), bytes.Repeat(c.pack(zeros("", part)), 4<<30/part)...)
}

// million compresses b a million times, as streams that follow each other.
func (c *compressor) million(b []byte) []byte {
	return bytes.Repeat(c.pack(bytes.NewReader(bytes.Repeat(b, 1000))), 1000)
}

// again compresses what was compressed, n times.
func again(n int, b []byte, c compressor) []byte {
	for range n {
		b = c.pack(bytes.NewReader(b))
	}
	return b
}

// tarOf returns an entry with the bytes of an ELF header, without the end of an archive.
func tarOf(h *tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	h.Typeflag = tar.TypeReg
	must(0, w.WriteHeader(h))
	if h.Size < 1<<20 {
		must(io.CopyN(w, zeros(elfHead, h.Size), h.Size))
		must(0, w.Flush())
	}
	return b.Bytes()
}

func tarHead(name string, size int64) []byte {
	if size == 0 {
		return tarOf(&tar.Header{Name: name})
	}
	return tarOf(&tar.Header{Name: name, Size: max(size, 1<<20)})
}

func tarFile(name, text string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	must(0, w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Typeflag: tar.TypeReg}))
	must(io.WriteString(w, text))
	must(0, w.Flush())
	return b.Bytes()
}

// longName is an entry whose name has n directories.
func longName(n int) []byte {
	b := tarFile("long", strings.Repeat("n/", n)+"n\x00")
	b = tarKind(b, 'L')
	return append(b, tarFile("x", elfHead)...)
}

// cpioFile is an entry of a cpio archive.
func cpioFile(name, text string) []byte {
	b := fmt.Appendf(nil, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", 1, 0o100644, 0, 0, 1, 0, len(text), 0, 0, 0, 0, len(name)+1, 0)
	b = append(append(b, name...), 0)
	b = append(b, make([]byte, -len(b)&3)...)
	b = append(b, text...)
	return append(b, make([]byte, -len(b)&3)...)
}

// debHead is what comes before the data of a Debian package.
func debHead() []byte { return append([]byte(arMagic), member("debian-binary", []byte("2.0\n"))...) }

// rpmOf is an RPM package whose main header claims so many bytes, and so many numbers in each tag.
func rpmOf(tags, size, count uint32) []byte {
	head := func(n, size uint32) []byte {
		return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("\x8e\xad\xe8\x01\x00\x00\x00\x00"), n), size)
	}
	b := append([]byte("\xed\xab\xee\xdb\x03\x00"), make([]byte, 90)...)
	b = append(b, head(0, 0)...)
	b = append(b, head(tags, size)...)
	for i := range tags {
		for _, v := range []uint32{1117 + i%2, 8, 0, count} { // names of files and of directories
			b = binary.BigEndian.AppendUint32(b, v)
		}
	}
	b = append(b, make([]byte, 64)...)
	return append(b, cpioFile("x", elfHead)...)
}

func zipOf(n int, text string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range n {
		f := must(w.Create(fmt.Sprint(i)))
		must(io.WriteString(f, text))
	}
	must(0, w.Close())
	return b.Bytes()
}

// overlapping is a zip archive whose directory names one file, of 4 MiB after decompression, very often.
func overlapping() []byte {
	const times = 60_000
	b := zipOf(1, elfHead+strings.Repeat("\x00", 4<<20))
	at := bytes.LastIndex(b, []byte("PK\x01\x02"))
	end := bytes.LastIndex(b, []byte("PK\x05\x06"))
	entry, tail := bytes.Clone(b[at:end]), bytes.Clone(b[end:])
	out := append(bytes.Clone(b[:at]), bytes.Repeat(entry, times)...)
	le := binary.LittleEndian
	le.PutUint16(tail[8:], times)
	le.PutUint16(tail[10:], times)
	le.PutUint32(tail[12:], uint32(times*len(entry)))
	return append(out, tail...)
}

// damaged is an archive of packages of all kinds, whose bytes were changed.
func damaged(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	var out bytes.Buffer
	for _, path := range append(must(filepath.Glob("internal/base/container/testdata/*")), "reader/testdata/p.deb") {
		b := must(os.ReadFile(path))
		for i := range 10 {
			c := bytes.Clone(b)
			for range 1 + r.IntN(8) {
				c[r.IntN(min(len(c), 1<<(8+r.IntN(12))))] = byte(r.Uint32())
			}
			out.Write(tarFile(fmt.Sprintf("%d/%s", i, filepath.Base(path)), string(c)))
		}
	}
	return out.Bytes()
}
