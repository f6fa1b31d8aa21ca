package container

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
)

// zipKinds are the methods of compression in a zip archive that files of their own have as well.
var zipKinds = map[uint16]Format{12: Bzip2, 93: Zstd, 95: XZ}

var le = binary.LittleEndian

// The records of a zip archive besides those of [EndsAsZip], and the bytes of all that have a fixed part.
const (
	zipEnd64       = "PK\x06\x06"
	zipLocator     = "PK\x06\x07"
	zipDescriptor  = "PK\x07\x08"
	zipHeaderSize  = 30
	zipEntrySize   = 46
	zipLocatorSize = 20
	zipEnd64Size   = 56
)

// zipArchive is an archive that is read.
type zipArchive struct {
	w       *walk
	r       io.ReaderAt // counts the bytes that are read
	size    int64
	base    int64      // of the offsets in the archive
	spans   [][2]int64 // the bytes of entries, of the directory and of the end records
	inflate io.ReadCloser
}

// zipFile is an entry of the directory.
type zipFile struct {
	name             string
	flags, method    uint16
	sum              uint32 // CRC-32
	packed, size, at uint64 // at is where its header is, from the base on
}

// zip reads a zip archive by its directory. All other bytes must be zeros.
func (w *walk) zip(at position, r io.ReaderAt, size int64) error {
	z := &zipArchive{w: w, r: w.readAt(r), size: size}
	defer func() { _ = w.Hold(-16 * int64(cap(z.spans))) }()
	from, to, count, err := z.ends()
	if err != nil {
		return fmt.Errorf("its directory cannot be read: %w", err)
	}
	dir, files, faults := bufio.NewReader(io.NewSectionReader(z.r, from, to-from)), 0, w.faults
	for ; ; files++ {
		if err := w.stopped(); err != nil {
			return err
		}
		if _, err := dir.Peek(1); err == io.EOF {
			break
		}
		f, err := readZipEntry(dir)
		if err != nil {
			return fmt.Errorf("its directory cannot be read: %w", err)
		}
		if err := z.file(at, f); err != nil {
			return err
		}
	}
	if uint16(files) != uint16(count) {
		return fmt.Errorf("its directory has %d entries, not %d", files, count)
	}
	if w.faults > faults { // what is named may have the bytes
		return nil
	}
	return z.others()
}

// ends returns where the directory is, by the end records. That for large archives precedes the other.
func (z *zipArchive) ends() (from, to int64, count uint64, err error) {
	b := make([]byte, min(z.size, mostTail))
	if _, err := z.r.ReadAt(b, z.size-int64(len(b))); err != nil && err != io.EOF {
		return 0, 0, 0, err
	}
	b = b[max(bytes.LastIndex(b, []byte(zipEnd)), 0):]
	last := number.Fields{B: b}
	if !bytes.HasPrefix(b, []byte(zipEnd)) || len(b) < zipEndSize || len(b) < zipEndSize+int(last.U16(20)) {
		return 0, 0, 0, errors.New("it has no end")
	}
	if last.U32(4) != 0 || last.U16(8) != last.U16(10) {
		return 0, 0, 0, errors.New("it has several volumes")
	}
	end := z.size - int64(len(b))
	to = end
	count, size, off := uint64(last.U16(10)), uint64(last.U32(12)), uint64(last.U32(16))
	var large [zipEnd64Size + zipLocatorSize]byte
	n, _ := z.r.ReadAt(large[:], end-int64(len(large)))
	if e, l := large[:zipEnd64Size], large[zipEnd64Size:]; n == len(large) && string(l[:4]) == zipLocator {
		end64 := number.Fields{B: e}
		to -= int64(n)
		z.base = to - int64(le.Uint64(l[8:]))
		if string(e[:4]) != zipEnd64 || end64.U64(4) != zipEnd64Size-12 || end64.U64(16) != 0 || end64.U64(24) != end64.U64(32) ||
			!widened(count, end64.U64(32), 1<<16-1) || !widened(size, end64.U64(40), 1<<32-1) || !widened(off, end64.U64(48), 1<<32-1) {
			return 0, 0, 0, errors.New("its end records contradict each other")
		}
		count, size, off = end64.U64(32), end64.U64(40), end64.U64(48)
		if z.base != to-int64(size)-int64(off) {
			return 0, 0, 0, errors.New("its end records contradict each other")
		}
	}
	if size > uint64(to) || off > uint64(to)-size {
		return 0, 0, 0, errors.New("it is outside of the archive")
	}
	from = to - int64(size)
	z.base = from - int64(off)
	if z.base > 0 && z.begins(int64(off), zipEntry) {
		return 0, 0, 0, errors.New("there are two")
	}
	return from, to, count, z.cover(from, end+zipEndSize+int64(last.U16(20)))
}

// widened reports whether a number agrees with the one in a wider field.
func widened(short, long, most uint64) bool { return short == most || short == long }

// begins reports whether some bytes are the magic of a record.
func (z *zipArchive) begins(at int64, magic string) bool {
	var b [4]byte
	n, _ := z.r.ReadAt(b[:], at)
	return string(b[:n]) == magic
}

// readZipEntry reads an entry of the directory.
func readZipEntry(dir *bufio.Reader) (*zipFile, error) {
	var b [zipEntrySize]byte
	if _, err := io.ReadFull(dir, b[:]); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if string(b[:4]) != zipEntry {
		return nil, fmt.Errorf("an entry begins with %q", b[:4])
	}
	h := number.Fields{B: b[:]}
	f := &zipFile{
		flags: h.U16(8), method: h.U16(10), sum: h.U32(16),
		packed: uint64(h.U32(20)), size: uint64(h.U32(24)), at: uint64(h.U32(42)),
	}
	name, extra, comment := int(h.U16(28)), int(h.U16(30)), int(h.U16(32))
	rest := make([]byte, name+extra)
	if _, err := io.ReadFull(dir, rest); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if _, err := dir.Discard(comment); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	f.name = string(rest[:name])
	if !widen(rest[name:], &f.size, &f.packed, &f.at) {
		return nil, errors.New("an entry lacks its sizes")
	}
	return f, nil
}

// widen replaces numbers of 2^32-1 by those in the extra field for large files. It reports whether all are there.
func widen(extra []byte, numbers ...*uint64) bool {
	var wide []byte
	for len(extra) >= 4 {
		n := min(4+int(le.Uint16(extra[2:])), len(extra))
		if le.Uint16(extra) == 1 {
			wide = extra[4:n]
			break
		}
		extra = extra[n:]
	}
	for _, v := range numbers {
		if *v != 1<<32-1 {
			continue
		}
		if len(wide) < 8 {
			return false
		}
		*v, wide = le.Uint64(wide), wide[8:]
	}
	return true
}

// file reads a file of the archive.
func (z *zipArchive) file(at position, f *zipFile) error {
	path, ok, err := z.w.cleanPath(at, f.name)
	if err != nil {
		return err
	}
	in := at.in(path)
	from, why := z.header(f)
	if from == 0 {
		return z.w.fault(in, why)
	}
	if err := z.cover(z.base+int64(f.at), from+int64(f.packed)+z.descriptor(f, from+int64(f.packed))); err != nil || !ok {
		return err
	}
	if f.flags&1 != 0 {
		return z.w.fault(in, errors.New("it is encrypted"))
	}
	if f.packed == 0 && f.size == 0 {
		return cmp.Or(z.w.call(z.w.Step()), z.w.fault(in, why))
	}
	body := bufio.NewReader(io.NewSectionReader(z.r, from, int64(f.packed)))
	data, end, err := z.open(body, f.method)
	if err != nil {
		return z.w.fault(in, err)
	}
	defer end()
	faults, sized := z.w.faults, &stated{r: &metered{data, z.w}, left: f.size, want: f.sum}
	if err := z.w.entry(at, path, -1, sized); err != nil || z.w.faults > faults {
		return err
	}
	if _, err = io.Copy(io.Discard, sized); err == nil {
		if rest, _ := body.Peek(1); len(rest) > 0 {
			err = errors.New("other bytes follow its compressed ones")
		}
	}
	return z.w.fault(in, cmp.Or(err, why))
}

// header returns where the data of a file begins, 0 if that is not in the archive. Its header must say the same as the directory,
// or leave the sizes to what follows the data.
func (z *zipArchive) header(f *zipFile) (from int64, err error) {
	var b [zipHeaderSize]byte
	begin := z.base + int64(f.at)
	if n, _ := z.r.ReadAt(b[:], begin); f.at > uint64(z.size) || n < len(b) || string(b[:4]) != zipHeader {
		return 0, errors.New("its header cannot be read")
	}
	h := number.Fields{B: b[:]}
	name := int64(h.U16(26))
	extra := make([]byte, h.U16(28))
	_, _ = z.r.ReadAt(extra, begin+zipHeaderSize+name)
	from = begin + zipHeaderSize + name + int64(len(extra))
	sum, packed, size := uint64(h.U32(14)), uint64(h.U32(18)), uint64(h.U32(22))
	later := h.U16(6)&8 != 0
	same := func(here, there uint64) bool { return here == there || later && here == 0 }
	switch {
	case from > z.size || f.packed > uint64(z.size-from):
		return 0, errors.New("it is outside of the archive")
	case !widen(extra, &size, &packed) || h.U16(8) != f.method || (h.U16(6)^f.flags)&1 != 0 ||
		!same(sum, uint64(f.sum)) || !same(packed, f.packed) || !same(size, f.size):
		err = errors.New("its header has another method or size than the directory")
	case z.base > 0 && z.begins(int64(f.at), zipHeader):
		err = errors.New("it is in two places")
	}
	f.flags |= h.U16(6) & 8
	return from, err
}

// descriptor returns the bytes of what repeats the sizes after the data, of four forms.
func (z *zipArchive) descriptor(f *zipFile, at int64) int64 {
	b := make([]byte, 24)
	n, _ := z.r.ReadAt(b, at)
	if b = b[:n]; f.flags&8 == 0 {
		return 0
	}
	short := le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, f.sum), uint32(f.packed)), uint32(f.size))
	long := le.AppendUint64(le.AppendUint64(short[:4:4], f.packed), f.size)
	for _, form := range []string{zipDescriptor + string(long), zipDescriptor + string(short), string(long), string(short)} {
		if strings.HasPrefix(string(b), form) {
			return int64(len(form))
		}
	}
	return 0
}

// stated reads data of which the size and the CRC-32 are stated.
type stated struct {
	r    io.Reader
	left uint64
	sum  uint32
	want uint32
}

func (s *stated) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	s.sum = crc32.Update(s.sum, crc32.IEEETable, b[:n])
	if uint64(n) > s.left || err == io.EOF && (uint64(n) < s.left || s.sum != s.want) {
		return 0, errors.New("its data have another size or CRC than the directory states")
	}
	s.left -= uint64(n)
	return n, err
}

// cover notes a range that is read.
func (z *zipArchive) cover(from, to int64) error {
	if n := len(z.spans); n == cap(z.spans) {
		if err := z.w.take(16 * int64(n+64)); err != nil {
			return err
		}
		z.spans = slices.Grow(z.spans, n+64)[: n : 2*n+64]
	}
	z.spans = append(z.spans, [2]int64{from, to})
	return nil
}

// others looks at the bytes that nothing has. What precedes an archive may be a script or a program, without other files.
func (z *zipArchive) others() error {
	if err := z.cover(z.size, z.size); err != nil {
		return err
	}
	slices.SortFunc(z.spans, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	end := int64(0)
	for _, s := range z.spans {
		if s[0] < end {
			return fmt.Errorf("two of its files overlap at %#x", s[0])
		}
		r := bufio.NewReaderSize(io.NewSectionReader(z.r, end, s[0]-end), 1<<16)
		if head, _ := r.Peek(HeadSize); end > 0 && skipZeros(r) || end == 0 && (beginsWithFile(head) || holdsFile(r)) {
			return fmt.Errorf("%d bytes at %#x are of no entry of its directory", s[0]-end, end)
		}
		end = s[1]
	}
	return z.w.stopped()
}

// holdsFile reports whether bytes before an archive have the header of a file with a name. A program that reads archives
// contains the magic, but no such header.
func holdsFile(r *bufio.Reader) bool {
	for {
		if _, err := r.ReadSlice(zipHeader[0]); err != nil && err != bufio.ErrBufferFull {
			return false
		}
		b, _ := r.Peek(zipHeaderSize - 1)
		if len(b) < zipHeaderSize-1 || string(b[:3]) != zipHeader[1:] {
			continue
		}
		const mostVersion, mostMethod, mostName = 63, 99, 1 << 12
		if h := (number.Fields{B: b}); h.U16(3)&0xff <= mostVersion && h.U16(7) <= mostMethod && h.U16(25) > 0 && h.U16(25) <= mostName {
			return true
		}
	}
}

// open returns a reader of the bytes of a file, and a function that ends it.
func (z *zipArchive) open(in *bufio.Reader, method uint16) (r io.Reader, end func(), err error) {
	end = func() {}
	switch method {
	case zip.Store:
		return in, end, nil
	case zip.Deflate:
		if z.inflate == nil {
			z.inflate = flate.NewReader(in)
		} else if err := z.inflate.(flate.Resetter).Reset(in, nil); err != nil {
			return nil, nil, err
		}
		return z.inflate, end, nil
	}
	if k, ok := zipKinds[method]; ok {
		return z.w.decoder(in, k)
	}
	return nil, nil, fmt.Errorf("compressed by method %d of zip, which is not read", method)
}
