package container_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"

	"github.com/sframe-lint/sframe-lint/internal/base/container"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

var archives = flag.Int("archives", 400, "number of archives that are drawn")

// drawn is an archive that was drawn, and its entries.
type drawn struct {
	*rand.Rand
	t     testing.TB
	kind  string
	out   bytes.Buffer
	files []string // the path and the text of each file, also of those that share a path
}

// name draws a path: short, long, with other characters, relative in several ways, or that of another file.
func (d *drawn) name() string {
	if len(d.files) > 0 && d.IntN(8) == 0 {
		return strings.TrimPrefix(d.files[2*d.IntN(len(d.files)/2)], "/")
	}
	name := fmt.Sprintf("d%d/f%d", d.IntN(4), d.IntN(1000))
	switch d.IntN(8) {
	case 0:
		name = strings.Repeat("long/", 10+d.IntN(60)) + name
	case 1:
		name += strings.Repeat("n", 90+d.IntN(150))
	case 2:
		name += " ä\u2028" + string(rune('a'+d.IntN(26)))
	case 3:
		name = "./" + name
	case 4:
		name = "a/../" + name
	}
	return name
}

// text draws the bytes of a file: of a program or of something else, often few.
func (d *drawn) text() string {
	n := d.IntN(1 << d.IntN(13))
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(d.IntN(20))
	}
	switch d.IntN(8) {
	case 0:
		return ""
	case 1, 2:
		return string(b)
	case 3:
		return program + strings.Repeat("\x00", 4*n)
	}
	return program + string(b)
}

// file notes an entry and returns its name and text.
func (d *drawn) file() (name, text string) {
	name, text = d.name(), d.text()
	clean := strings.TrimPrefix(strings.TrimPrefix(name, "./"), "a/../")
	d.files = append(d.files, "/"+clean, text)
	return name, text
}

// tar writes files with headers of all formats, links with and without a target, and directories.
func (d *drawn) tar() {
	w := tar.NewWriter(&d.out)
	for range 1 + d.IntN(12) {
		h := &tar.Header{Mode: 0o644, Format: []tar.Format{tar.FormatPAX, tar.FormatGNU, tar.FormatUnknown}[d.IntN(3)]}
		text := ""
		switch d.IntN(6) {
		case 0:
			h.Name, h.Typeflag = "d/", tar.TypeDir
		case 1:
			h.Name, h.Typeflag, h.Linkname = "link", []byte{tar.TypeLink, tar.TypeSymlink}[d.IntN(2)], d.name()
		case 2:
			h.Name, text = d.file()
			h.Typeflag, h.Size = []byte{tar.TypeCont, 'Q', 'D'}[d.IntN(3)], int64(len(text))
			h.Format = tar.FormatGNU
		default:
			h.Name, text = d.file()
			h.Typeflag, h.Size = tar.TypeReg, int64(len(text))
			if h.Format == tar.FormatPAX && d.IntN(2) == 0 {
				h.PAXRecords = map[string]string{"comment": strings.Repeat("c", d.IntN(2000))}
			}
		}
		if h.Format == tar.FormatPAX && d.IntN(8) == 0 {
			require.NoError(d.t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "all"}}))
		}
		require.NoError(d.t, w.WriteHeader(h))
		_, err := io.WriteString(w, text)
		require.NoError(d.t, err)
	}
	if d.IntN(3) > 0 {
		require.NoError(d.t, w.Close())
	} else {
		require.NoError(d.t, w.Flush())
	}
}

// cpio writes the formats newc, crc and odc.
func (d *drawn) cpio() {
	magic := []string{"070701", "070702", "070707"}[d.IntN(3)]
	entry := func(mode int, name, text string) {
		if magic == "070707" {
			fmt.Fprintf(&d.out, "%s%06o%06o%06o%06o%06o%06o%06o%011o%06o%011o", magic, 1, 1, mode, 0, 0, 1, 0, 0, len(name)+1, len(text))
			d.out.WriteString(name + "\x00" + text)
			return
		}
		head := newc(nil, magic, mode, name, len(text))
		if sum := 0; magic == "070702" {
			for _, c := range []byte(text) {
				sum += int(c)
			}
			copy(head[102:], fmt.Sprintf("%08X", sum))
		}
		d.out.Write(head)
		d.out.WriteString(text)
		d.out.Write(make([]byte, -len(text)&3))
	}
	for range d.IntN(12) {
		switch d.IntN(6) {
		case 0:
			entry(0o040755, "d", "")
		case 1:
			entry(0o120777, "link", program)
		case 2:
			name, text := d.file()
			entry(0o644, name, text)
		default:
			name, text := d.file()
			entry(0o100644, name, text)
		}
	}
	entry(0, "TRAILER!!!", "")
	d.out.Write(make([]byte, d.IntN(2)*(512-d.out.Len()%512)))
}

// rpm writes an RPM package: its files have their names in the header of the package, or in the archive as others have.
func (d *drawn) rpm() {
	be := binary.BigEndian
	var dirs, bases, sizes, modes, indexes, archive []byte
	n := 1 + d.IntN(12)
	own := d.IntN(2) == 0
	for i := range n {
		name, text, mode := "link", program, 0o120777
		if d.IntN(6) > 0 {
			name, text = d.file()
			mode = 0o100644
		}
		dir, base := path.Split(name)
		dirs, bases = append(append(dirs, "/"+dir...), 0), append(append(bases, base...), 0)
		sizes, modes, indexes = be.AppendUint32(sizes, uint32(len(text))), be.AppendUint16(modes, uint16(mode)), be.AppendUint32(indexes, uint32(i))
		if own {
			archive = fmt.Appendf(archive, "07070X%08X\x00\x00", i)
		} else {
			archive = newc(archive, "070701", mode, name, len(text))
		}
		archive = append(archive, text...)
		archive = append(archive, make([]byte, -len(archive)&3)...)
	}
	archive = newc(archive, "070701", 0, "TRAILER!!!", 0)
	d.out.Write(rpmOf(n, [][2]uint32{{1028, 4}, {1116, 4}, {1030, 3}, {1117, 8}, {1118, 8}}, d.pack(archive), sizes, indexes, modes, bases, dirs))
}

// rpmOf returns an RPM package: the tags of its header with the numbers of their types, the values of n files for each, and
// an archive.
func rpmOf(n int, tags [][2]uint32, archive []byte, values ...[]byte) []byte {
	be, out := binary.BigEndian, append([]byte("\xed\xab\xee\xdb\x03\x00"), make([]byte, 90)...)
	header := func(tags [][2]uint32, parts ...[]byte) {
		b := be.AppendUint32([]byte("\x8e\xad\xe8\x01\x00\x00\x00\x00"), uint32(len(tags)))
		b = be.AppendUint32(b, uint32(len(slices.Concat(parts...))))
		at := 0
		for i, tag := range tags {
			for _, v := range []uint32{tag[0], tag[1], uint32(at), uint32(n)} {
				b = be.AppendUint32(b, v)
			}
			at += len(parts[i])
		}
		out = append(append(out, b...), slices.Concat(parts...)...)
	}
	header(nil)
	header(tags, values...)
	return append(out, archive...)
}

// TestHardLinks: in a package of RPM 6, the header has the sizes of all files, in 64 bits, and the archive the bytes of the last
// one of several hard links only.
func TestHardLinks(t *testing.T) {
	be := binary.BigEndian
	var sizes, modes, indexes, inodes, archive []byte
	texts := []string{program + "linked", program + "other", program + "linked", program + "linked", ""}
	for i, text := range texts {
		sizes, modes = be.AppendUint64(sizes, uint64(len(text))), be.AppendUint16(modes, 0o100755)
		indexes, inodes = be.AppendUint32(indexes, 0), be.AppendUint32(inodes, []uint32{7, 8, 7, 7, 9}[i])
		archive = fmt.Appendf(archive, "07070X%08X\x00\x00", i)
		if i == 1 || i == 3 {
			archive = append(append(archive, text...), make([]byte, -len(text)&3)...)
		}
	}
	archive = newc(archive, "070701", 0, "TRAILER!!!", 0)
	tags := [][2]uint32{{5008, 5}, {1116, 4}, {1096, 4}, {1030, 3}, {1117, 8}, {1118, 8}}
	v := must.Get(walk(t, rpmOf(len(texts), tags, archive, sizes, indexes, inodes, modes, []byte("a\x00b\x00c\x00d\x00e\x00"), []byte("/bin/\x00")), 1<<30))(t)
	require.Empty(t, v.faults)
	require.Equal(t, map[string]string{"/bin/b": program + "other", "/bin/d": program + "linked"}, v.files)
}

// newc appends the header of an entry of a cpio archive.
func newc(b []byte, magic string, mode int, name string, size int) []byte {
	b = fmt.Appendf(b, "%s%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%s\x00", magic, 1, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, len(name)+1, 0, name)
	return append(b, make([]byte, -len(b)&3)...)
}

// zip writes files by all methods, with sizes before or after their bytes, with and without fields for large files.
func (d *drawn) zip() {
	w := zip.NewWriter(&d.out)
	w.SetOffset(0)
	w.RegisterCompressor(93, func(out io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(out, zstd.WithEncoderConcurrency(1))
	})
	w.RegisterCompressor(95, func(out io.Writer) (io.WriteCloser, error) { return &lateXZ{out: out}, nil })
	require.NoError(d.t, w.SetComment(strings.Repeat("c", d.IntN(2)*d.IntN(60_000))))
	for range d.IntN(12) {
		h := &zip.FileHeader{Method: []uint16{zip.Store, zip.Deflate, 93, 95}[d.IntN(4)]}
		text := ""
		if h.Name = "d/"; d.IntN(6) > 0 {
			h.Name, text = d.file()
		}
		if h.Name == "d/" {
			h.Method = zip.Store
		}
		if d.IntN(4) > 0 || h.Name == "d/" {
			f, err := w.CreateHeader(h)
			require.NoError(d.t, err)
			_, err = io.WriteString(f, text)
			require.NoError(d.t, err)
			continue
		}
		var body bytes.Buffer // sizes before the bytes, and a field that nobody needs
		h.Method = zip.Deflate
		f, err := flate.NewWriter(&body, 1)
		require.NoError(d.t, err)
		_, err = io.WriteString(f, text)
		require.NoError(d.t, err)
		require.NoError(d.t, f.Close())
		h.CompressedSize64, h.UncompressedSize64, h.Extra = uint64(body.Len()), uint64(len(text)), []byte{9, 9, 2, 0, 1, 2}
		h.CRC32 = crc32.ChecksumIEEE([]byte(text))
		raw, err := w.CreateRaw(h)
		require.NoError(d.t, err)
		_, err = raw.Write(body.Bytes())
		require.NoError(d.t, err)
	}
	require.NoError(d.t, w.Close())
}

// lateXZ writes nothing before its end, as archive/zip demands.
type lateXZ struct {
	bytes.Buffer
	out io.Writer
}

func (x *lateXZ) Close() error {
	w, err := xz.NewWriter(x.out)
	if err != nil {
		return err
	}
	if _, err := w.Write(x.Bytes()); err != nil {
		return err
	}
	return w.Close()
}

// pack compresses a part of an archive.
func (d *drawn) pack(b []byte) []byte {
	switch d.IntN(4) {
	case 0:
		return gzipped(d.t, b)
	case 1:
		var out bytes.Buffer
		w, err := xz.WriterConfig{DictCap: 1 << (12 + d.IntN(10)), CheckSum: []byte{xz.CRC32, xz.CRC64, xz.SHA256}[d.IntN(3)]}.NewWriter(&out)
		require.NoError(d.t, err)
		_, err = w.Write(b)
		require.NoError(d.t, err)
		require.NoError(d.t, w.Close())
		return out.Bytes()
	case 2:
		w := must.Get(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<(10+d.IntN(14))), zstd.WithSingleSegment(d.IntN(2) == 0)))(d.t)
		skip := ""
		if d.IntN(2) == 0 {
			skip = "\x5a\x2a\x4d\x18\x04\x00\x00\x00skip"
		}
		return w.EncodeAll(b, []byte(skip))
	}
	return b
}

// draw draws an archive.
func draw(t testing.TB, seed uint64) *drawn {
	d := &drawn{Rand: rand.New(rand.NewPCG(seed, 47)), t: t}
	switch d.IntN(4) {
	case 0:
		d.kind = "tar"
		for range 1 + d.IntN(2) {
			d.tar()
		}
	case 1:
		d.kind = "cpio"
		for range 1 + d.IntN(3) {
			d.cpio()
		}
	case 2:
		d.kind = "rpm"
		d.rpm()
	default:
		d.kind = "zip"
		d.out.WriteString([]string{"", "#!/bin/sh\n"}[d.IntN(2)])
		d.zip()
	}
	return d
}

// again compresses in the way of packed.
func again(t testing.TB, packed, b []byte) []byte {
	switch packed[0] {
	case 0x1f:
		return gzipped(t, b)
	case 0xfd:
		var out bytes.Buffer
		w, err := xz.NewWriter(&out)
		require.NoError(t, err)
		_, err = w.Write(b)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return out.Bytes()
	}
	return zstdOf(t, string(b))
}

// TestAccounting draws archives: each entry that has bytes is read, does not begin like a program, or is named, also if
// the archive was damaged. -archives sets how many there are.
func TestAccounting(t *testing.T) {
	for seed := range uint64(*archives) {
		d := draw(t, seed)
		b := d.out.Bytes()
		if len(b) == 0 {
			continue
		}
		if at := d.IntN(len(b) + 1); d.kind != "zip" && d.kind != "rpm" && d.IntN(2) == 0 { // streams after each other
			if packed := d.pack(b[:at]); len(packed) != at {
				b = slices.Concat(packed, again(t, packed, b[at:]))
			}
		}
		want := map[string]int{}
		for file := range slices.Chunk(d.files, 2) {
			if strings.HasPrefix(file[1], program) {
				want[file[0]+" "+file[1]]++
			}
		}
		got, faults := account(t, seed, b)
		require.Empty(t, faults, "seed %d", seed)
		if !maps.Equal(want, got) {
			t.Fatalf("seed %d: %d files are read, not %d", seed, len(got), len(want))
		}

		damaged := slices.Clone(b)
		for range 1 + d.IntN(3) {
			damaged[d.IntN(len(damaged))] = byte(d.Uint32())
		}
		if d.IntN(3) == 0 {
			damaged = damaged[:d.IntN(len(damaged))]
		}
		account(t, seed, damaged)
	}
}

// account walks through an archive, and returns how often it visits each file, and what it names. The sums must be right.
func account(t testing.TB, seed uint64, b []byte) (files map[string]int, faults []string) {
	v := &visited{files: map[string]string{}}
	o := v.options(t, 1<<30)
	files = map[string]int{}
	listed, wanted, others := 0, 0, 0
	o.Skip = func(string) bool { listed++; return false }
	o.Want = func(head []byte) bool {
		if bytes.HasPrefix(head, []byte(program)) {
			wanted++
			return true
		}
		others++
		return false
	}
	read := 0
	o.Visit = func(f *container.File) error {
		all := must.Get(io.ReadAll(io.NewSectionReader(f.R, 0, f.Size)))(t)
		files[strings.TrimPrefix(f.Name, "p!")+" "+string(all)]++
		read++
		return nil
	}
	r := bytes.NewReader(b)
	k := container.KindOf(b[:min(len(b), container.HeadSize)], r, r.Size())
	if k == container.None {
		return files, nil
	}
	require.NoError(t, container.Walk("p", r, r.Size(), k, o), "seed %d", seed)
	require.Zero(t, v.held, "seed %d", seed)
	if n := read + others + len(v.faults); listed > n || wanted > read+len(v.faults) {
		t.Fatalf("seed %d: %d entries listed, %d read, %d others, named: %q", seed, listed, read, others, v.faults)
	}
	return files, v.faults
}
