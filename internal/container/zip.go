package container

import (
	"bufio"
	"compress/bzip2"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/unpack"
)

const (
	zipEnd, zipEnd64, zipLocator64   = "PK\x05\x06", "PK\x06\x06", "PK\x06\x07"
	zipEntry, zipLocal               = "PK\x01\x02", "PK\x03\x04"
	zipEndSize, zipTail              = 22, 22 + 1<<16
	zipStored, zipDeflated, zipBzip2 = 0, 8, 12
	zipZstd, zipXZ                   = 93, 95
)

// zip reads a zip archive by its directory, which is read in order.
func (w *walk) zip(at place, r io.ReaderAt, size int64) error {
	tail := make([]byte, min(size, zipTail))
	if _, err := w.readAt(r).ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return err
	}
	i := strings.LastIndex(string(tail), zipEnd)
	if i < 0 || len(tail)-i < zipEndSize {
		return errors.New("it has no directory")
	}
	end := size - int64(len(tail)-i)
	le := binary.LittleEndian
	n, length, off := int64(le.Uint16(tail[i+10:])), int64(le.Uint32(tail[i+12:])), int64(le.Uint32(tail[i+16:]))
	if n == 1<<16-1 || length == 1<<32-1 || off == 1<<32-1 {
		var err error
		if n, length, off, end, err = zip64(r, end); err != nil {
			return err
		}
	}
	base := end - length - off // bytes before the archive
	if n < 0 || length < 0 || off < 0 || base < 0 {
		return errors.New("its directory is outside of it")
	}
	dir := bufio.NewReaderSize(io.NewSectionReader(w.readAt(r), base+off, length), 1<<15)
	z := &zipFile{w: w, r: r, base: base, size: size}
	for range n {
		if err := w.stopped(); err != nil {
			return err
		}
		if err := z.entry(at, dir); err != nil {
			return err
		}
	}
	return nil
}

// zip64 reads the end of the directory of a large archive, whose locator is before end.
func zip64(r io.ReaderAt, end int64) (n, length, off, newEnd int64, err error) {
	var b [56]byte
	wrong := errors.New("the end of its directory is wrong")
	if end < 20 {
		return 0, 0, 0, 0, wrong
	}
	le := binary.LittleEndian
	if _, err := r.ReadAt(b[:20], end-20); err != nil || string(b[:4]) != zipLocator64 {
		return 0, 0, 0, 0, wrong
	}
	newEnd = int64(le.Uint64(b[8:]))
	if newEnd < 0 || newEnd > end {
		return 0, 0, 0, 0, wrong
	}
	if _, err := r.ReadAt(b[:], newEnd); err != nil || string(b[:4]) != zipEnd64 {
		return 0, 0, 0, 0, wrong
	}
	n, length, off = int64(le.Uint64(b[32:])), int64(le.Uint64(b[40:])), int64(le.Uint64(b[48:]))
	if n < 0 || length < 0 || off < 0 || off > newEnd || length > newEnd-off {
		return 0, 0, 0, 0, wrong
	}
	return n, length, off, newEnd, nil
}

// zipFile reads the entries of an archive.
type zipFile struct {
	w          *walk
	r          io.ReaderAt
	base, size int64
	inflate    io.ReadCloser
}

// entry reads an entry of the directory and the file that it is for.
func (z *zipFile) entry(at place, dir *bufio.Reader) error {
	var b [46]byte
	if _, err := io.ReadFull(dir, b[:]); err != nil {
		return err
	}
	if string(b[:4]) != zipEntry {
		return errors.New("an entry of its directory is wrong")
	}
	le := binary.LittleEndian
	flags, method := le.Uint16(b[8:]), le.Uint16(b[10:])
	packed, size, local := int64(le.Uint32(b[20:])), int64(le.Uint32(b[24:])), int64(le.Uint32(b[42:]))
	name := make([]byte, le.Uint16(b[28:]))
	extra := make([]byte, le.Uint16(b[30:]))
	for _, part := range [][]byte{name, extra} {
		if _, err := io.ReadFull(dir, part); err != nil {
			return err
		}
	}
	if _, err := dir.Discard(int(le.Uint16(b[32:]))); err != nil {
		return err
	}
	for _, v := range []*int64{&size, &packed, &local} {
		if *v == 1<<32-1 {
			field := zipExtra(&extra)
			if field < 0 {
				return errors.New("the size of an entry is wrong")
			}
			*v = field
		}
	}
	path, ok, err := z.w.clean(at, string(name))
	if err != nil || !ok || strings.HasSuffix(string(name), "/") || size == 0 {
		return err
	}
	in := place{name: at.name + Separator + path, depth: at.depth, layers: at.layers}
	if flags&1 != 0 {
		return z.w.fault(in, errors.New("it is encrypted"))
	}
	if local > z.size-z.base-30 {
		return errors.New("an entry is outside of it")
	}
	var h [30]byte
	if _, err := z.r.ReadAt(h[:], z.base+local); err != nil || string(h[:4]) != zipLocal {
		return errors.New("the header of a file is wrong")
	}
	from := z.base + local + 30 + int64(le.Uint16(h[26:])) + int64(le.Uint16(h[28:]))
	if from > z.size || packed > z.size-from {
		return errors.New("an entry is outside of it")
	}
	body := io.NewSectionReader(z.w.readAt(z.r), from, packed)
	data, err := z.open(body, method)
	if err != nil {
		return z.w.fault(in, err)
	}
	err = z.w.entry(at, path, size, &metered{data, z.w})
	if c, ok := data.(*unpack.XZ); ok {
		c.Close()
	}
	if c, ok := data.(*unpack.Zstd); ok {
		c.Close()
	}
	return err
}

// zipExtra takes the next number of the field for large files.
func zipExtra(extra *[]byte) int64 {
	le := binary.LittleEndian
	for b := *extra; len(b) >= 4; {
		n := int(le.Uint16(b[2:]))
		if 4+n > len(b) {
			break
		}
		if le.Uint16(b) == 1 && n >= 8 {
			v := int64(le.Uint64(b[4:]))
			rest := append([]byte{1, 0, byte(n - 8), byte((n - 8) >> 8)}, b[12:4+n]...)
			*extra = rest
			return v
		}
		b = b[4+n:]
	}
	return -1
}

// open returns a reader of the bytes of an entry.
func (z *zipFile) open(body *io.SectionReader, method uint16) (io.Reader, error) {
	switch method {
	case zipStored:
		return body, nil
	case zipDeflated:
		in := bufio.NewReaderSize(body, 1<<12)
		if z.inflate == nil {
			z.inflate = flate.NewReader(in)
		} else if err := z.inflate.(flate.Resetter).Reset(in, nil); err != nil {
			return nil, err
		}
		return z.inflate, nil
	case zipBzip2:
		return bzip2.NewReader(bufio.NewReader(body)), nil
	case zipZstd:
		return unpack.NewZstd(bufio.NewReader(body), z.w.take), nil
	case zipXZ:
		return unpack.NewXZ(bufio.NewReader(body), z.w.take), nil
	}
	return nil, fmt.Errorf("compressed by method %d of zip, which is not read", method)
}
