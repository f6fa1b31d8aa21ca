package container

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// zipKinds are the methods of compression in a zip archive that files of their own have as well.
var zipKinds = map[uint16]Format{12: Bzip2, 93: Zstd, 95: XZ}

var le = binary.LittleEndian

// entryMemory bounds the memory that the package archive/zip takes for a byte of the directory, in bytes.
const entryMemory = 8

// zipArchive is an archive that is read.
type zipArchive struct {
	w       *walk
	r       io.ReaderAt // counts the bytes that are read
	size    int64
	opening bool // the directory is read, and held
	held    int64
	header  [30]byte       // of a file that was found by the directory
	headers map[int64]bool // where those are
	ends    []int64        // where the bytes of files end
	inflate io.ReadCloser
}

// ReadAt reads the directory, for which it takes memory, and then the headers of files.
func (z *zipArchive) ReadAt(b []byte, off int64) (int, error) {
	if z.opening {
		n := entryMemory * int64(len(b))
		if err := z.w.take(n); err != nil {
			return 0, err
		}
		z.held += n
	}
	n, err := z.r.ReadAt(b, off)
	if !z.opening {
		copy(z.header[:], b[:n])
		z.headers[off] = true
	}
	return n, err
}

// zip reads a zip archive by its directory.
func (w *walk) zip(at position, r io.ReaderAt, size int64) error {
	z := &zipArchive{w: w, r: w.readAt(r), size: size, opening: true, headers: map[int64]bool{}, ends: []int64{0}}
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
		if err := z.file(at, f); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(z.ends, z.unlisted) {
		return errors.New("it has files that its directory does not list")
	}
	return nil
}

// unlisted reports whether a file that the directory does not list follows the end of one, and what describes that.
func (z *zipArchive) unlisted(end int64) bool {
	var b [28]byte
	n, _ := z.r.ReadAt(b[:], end)
	i := bytes.Index(b[:n], []byte(zipHeader))
	return i >= 0 && !z.headers[end+int64(i)]
}

// file reads a file of the archive. The sizes that the directory states for it after decompression are not used.
func (z *zipArchive) file(at position, f *zip.File) error {
	from, ferr := f.DataOffset()
	path, ok, err := z.w.cleanPath(at, f.Name)
	if err != nil || !ok {
		return err
	}
	in, to := at.in(path), uint64(from)+f.CompressedSize64
	switch {
	case ferr != nil:
		return z.w.fault(in, fmt.Errorf("its header cannot be read: %v", ferr))
	case to < f.CompressedSize64 || to > uint64(z.size):
		return z.w.fault(in, errors.New("it is outside of the archive"))
	case f.CompressedSize64 == 0 && z.hides(f, from):
		return z.w.fault(in, errors.New("it has no bytes by the directory, but there are some"))
	case z.contradicts(f):
		return z.w.fault(in, errors.New("its header has another method or size than the directory"))
	}
	if z.ends = append(z.ends, int64(to)); f.Flags&1 != 0 {
		return z.w.fault(in, errors.New("it is encrypted"))
	}
	if f.CompressedSize64 == 0 {
		return z.w.call(z.w.Step())
	}
	data, end, err := z.open(io.NewSectionReader(z.r, from, int64(f.CompressedSize64)), f.Method)
	if err != nil {
		return z.w.fault(in, err)
	}
	defer end()
	return z.w.entry(at, path, -1, &metered{data, z.w})
}

// contradicts reports whether the header of a file has another method or size than the directory, which programs prefer
// in different ways. A header may lack the size.
func (z *zipArchive) contradicts(f *zip.File) bool {
	size := le.Uint32(z.header[18:])
	return le.Uint16(z.header[8:]) != f.Method || size != 0 && size != 1<<32-1 && uint64(size) != f.CompressedSize64
}

// hides reports whether something else than a header follows where a file has no bytes by the directory.
func (z *zipArchive) hides(f *zip.File, from int64) bool {
	var b [4]byte
	n, _ := z.r.ReadAt(b[:], from)
	switch string(b[:n]) {
	case "", zipHeader, zipEntry, zipEnd, "PK\x06\x06":
		return false
	case "PK\x07\x08", "\x00\x00\x00\x00":
		return f.Flags&8 == 0
	}
	return true
}

// open returns a reader of the bytes of a file, and a function that ends it.
func (z *zipArchive) open(body io.Reader, method uint16) (r io.Reader, end func(), err error) {
	end = func() {}
	in := bufio.NewReader(body)
	switch method {
	case zip.Store:
		return body, end, nil
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
