package edit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
)

// copyStep is the number of bytes that are copied between two looks at the context, and block how
// many are left out together where all are zero.
const (
	copyStep = 1 << 20
	block    = 4 << 10
)

// Copy copies the first size bytes of a file to an empty one. Holes stay holes, and blocks
// of zeros become holes. It is an error, [io.ErrUnexpectedEOF], if the file is shorter.
func Copy(ctx context.Context, dst, src *os.File, size int64) error {
	if err := dst.Truncate(size); err != nil {
		return err
	}
	buf := make([]byte, copyStep)
	for off := int64(0); off < size; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		start, err := nextData(src, off, size)
		if err != nil {
			return err
		}
		if off = start; off >= size {
			break
		}
		b := buf[:min(size-off, copyStep)]
		if n, err := src.ReadAt(b, off); n < len(b) {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		if err := put(dst, b, off, func([]byte, int64) bool { return true }); err != nil {
			return err
		}
		off += int64(len(b))
	}
	if info, err := src.Stat(); err != nil || info.Size() < size {
		return errors.Join(err, io.ErrUnexpectedEOF)
	}
	return nil
}

// Write writes bytes at an offset of a file, but for blocks of zeros that it has there.
func Write(dst *os.File, b []byte, off int64) error {
	buf := make([]byte, block)
	return put(dst, b, off, func(zeros []byte, at int64) bool {
		old := buf[:len(zeros)]
		_, err := dst.ReadAt(old, at)
		return err == nil && isZero(old)
	})
}

// put writes bytes at an offset, but for the blocks of zeros that has reports.
func put(dst *os.File, b []byte, off int64, has func(zeros []byte, at int64) bool) error {
	for from := 0; from < len(b); {
		to := from // of the bytes to be written
		for to < len(b) {
			next := min(to+block, len(b))
			if isZero(b[to:next]) && has(b[to:next], off+int64(to)) {
				break
			}
			to = next
		}
		if to > from {
			if _, err := dst.WriteAt(b[from:to], off+int64(from)); err != nil {
				return err
			}
		}
		from = min(to+block, len(b))
	}
	return nil
}

func isZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }
