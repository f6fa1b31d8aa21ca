package container

import (
	"archive/zip"
	"bufio"
	"compress/bzip2"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/sframe-lint/sframe-lint/internal/unpack"
)

// Methods of compression in a zip archive.
const (
	zipStored, zipDeflated, zipBzip2 = 0, 8, 12
	zipZstd, zipXZ                   = 93, 95
)

// entryMemory bounds the memory that the package archive/zip takes for a byte of the directory, in bytes.
const entryMemory = 8

// zipFile is an archive that is read.
type zipFile struct {
	w       *walk
	r       io.ReaderAt // counts the bytes that are read
	size    int64
	opening bool // the directory is read, and held
	held    int64
	starts  map[int64]bool // where the data of files begin, once it matters
	inflate io.ReadCloser
}

// ReadAt reads the archive. Memory for the directory is taken before it is read.
func (z *zipFile) ReadAt(b []byte, off int64) (int, error) {
	if z.opening {
		n := entryMemory * int64(len(b))
		if err := z.w.take(n); err != nil {
			return 0, err
		}
		z.held += n
	}
	return z.r.ReadAt(b, off)
}

// zip reads a zip archive by its directory.
func (w *walk) zip(at place, r io.ReaderAt, size int64) error {
	z := &zipFile{w: w, r: w.readAt(r), size: size, opening: true}
	defer func() { _ = w.Hold(-z.held) }()
	dir, err := zip.NewReader(z, size)
	if err != nil {
		return fmt.Errorf("its directory cannot be read: %v", err)
	}
	z.opening = false
	for _, f := range dir.File {
		if err := w.stopped(); err != nil {
			return err
		}
		if err := z.file(at, f, dir); err != nil {
			return err
		}
	}
	return nil
}

// file reads a file of the archive. The sizes that the directory states for it after decompression are not used.
func (z *zipFile) file(at place, f *zip.File, dir *zip.Reader) error {
	path, ok, err := z.w.clean(at, f.Name)
	if err != nil || !ok {
		return err
	}
	in := at.in(path)
	if f.Flags&1 != 0 {
		return z.w.fault(in, errors.New("it is encrypted"))
	}
	from, err := f.DataOffset()
	switch {
	case err != nil:
		return z.w.fault(in, fmt.Errorf("its header cannot be read: %v", err))
	case from > z.size || f.CompressedSize64 > uint64(z.size-from):
		return z.w.fault(in, errors.New("it is outside of the archive"))
	case f.CompressedSize64 > 0:
	case z.hides(f, from, dir):
		return z.w.fault(in, errors.New("it has no bytes by the directory, but there are some"))
	default:
		return z.w.call(z.w.Step())
	}
	data, end, err := z.open(io.NewSectionReader(z.r, from, int64(f.CompressedSize64)), f.Method)
	if err != nil {
		return z.w.fault(in, err)
	}
	defer end()
	return z.w.entry(at, path, -1, &metered{data, z.w})
}

// hides reports whether something else than a header follows where a file has no bytes by the directory.
func (z *zipFile) hides(f *zip.File, from int64, dir *zip.Reader) bool {
	const local, descriptor = "PK\x03\x04", "PK\x07\x08"
	var b [30]byte
	n, _ := z.r.ReadAt(b[:], from)
	switch magic := string(b[:min(n, 4)]); {
	case magic == "", magic == "PK\x01\x02", magic == "PK\x05\x06", magic == "PK\x06\x06":
		return false
	case f.Flags&8 != 0 && (magic == descriptor || magic == "\x00\x00\x00\x00"):
		return false
	case magic != local:
		return true
	}
	if z.starts == nil {
		z.starts = map[int64]bool{}
		for _, f := range dir.File {
			if at, err := f.DataOffset(); err == nil {
				z.starts[at] = true
			}
		}
	}
	le := binary.LittleEndian
	return !z.starts[from+int64(len(b))+int64(le.Uint16(b[26:]))+int64(le.Uint16(b[28:]))]
}

// open returns a reader of the bytes of a file, and a function that ends it.
func (z *zipFile) open(body io.Reader, method uint16) (r io.Reader, end func(), err error) {
	end = func() {}
	in := bufio.NewReader(body)
	switch method {
	case zipStored:
		return body, end, nil
	case zipDeflated:
		if z.inflate == nil {
			z.inflate = flate.NewReader(in)
		} else if err := z.inflate.(flate.Resetter).Reset(in, nil); err != nil {
			return nil, nil, err
		}
		return z.inflate, end, nil
	case zipBzip2:
		if err := z.w.take(bzip2Memory); err != nil {
			return nil, nil, err
		}
		return bzip2.NewReader(in), func() { _ = z.w.Hold(-bzip2Memory) }, nil
	case zipZstd:
		d := unpack.NewZstd(in, z.w.window)
		return d, func() { d.Close() }, nil
	case zipXZ:
		d := unpack.NewXZ(in, z.w.window)
		return d, func() { d.Close() }, nil
	}
	return nil, nil, fmt.Errorf("compressed by method %d of zip, which is not read", method)
}
