package edit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/base/regular"
)

// View is a file with the changes of a plan.
type View struct {
	Size  int64 // with the changes
	plan  *Plan
	file  io.ReaderAt
	bytes int64 // of the file
}

// View returns a file of size bytes with the plan's changes.
func (p *Plan) View(file io.ReaderAt, size int64) (*View, error) {
	if err := p.check(size); err != nil {
		return nil, err
	}
	v := &View{size, p, file, size}
	if n := len(p.edits); n > 0 && int64(len(p.edits[n-1].New)) != p.edits[n-1].Len {
		v.Size = p.edits[n-1].Off + int64(len(p.edits[n-1].New))
	}
	return v, nil
}

// Bytes returns the bytes of a file with the plan's changes.
func (p *Plan) Bytes(data []byte) ([]byte, error) {
	v, err := p.View(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	out := make([]byte, v.Size)
	_, err = io.ReadFull(io.NewSectionReader(v, 0, v.Size), out)
	return out, err
}

// ReadAt implements [io.ReaderAt].
func (v *View) ReadAt(b []byte, off int64) (int, error) {
	if off >= v.Size {
		return 0, io.EOF
	}
	full := len(b)
	b = b[:min(int64(full), v.Size-off)]
	n, err := io.NewSectionReader(v.file, 0, v.bytes).ReadAt(b, off)
	if err == io.EOF && off+int64(n) >= v.bytes { // what is added follows
		clear(b[n:])
		n, err = len(b), nil
	}
	for _, e := range v.plan.from(off) {
		if e.Off >= off+int64(n) {
			break
		}
		copy(b[max(e.Off-off, 0):n], e.New[max(off-e.Off, 0):])
	}
	if err == nil && n < full {
		err = io.EOF
	}
	return n, err
}

// Data returns how many of the n bytes at an offset are not in a hole of the file. A plan does not fill holes.
func (v *View) Data(off, n int64) int64 { return regular.Data(v.file, off, n) }

// Those that are copied between two looks at the context, and those that become a hole together if all are zero.
const (
	copyStep = 1 << 20 // bytes
	block    = 4 << 10 // bytes
)

// copyTo copies the view to an empty file. Holes stay holes, and blocks of zeros become holes.
func (v *View) copyTo(ctx context.Context, dst *os.File) error {
	if err := dst.Truncate(v.Size); err != nil {
		return err
	}
	buf := make([]byte, copyStep)
	for off := v.next(0); off < v.Size; off = v.next(off) {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		b := buf[:min(v.Size-off, copyStep)]
		if _, err := v.ReadAt(b, off); err == io.EOF {
			return v.changed()
		} else if err != nil {
			return err
		}
		for from, to := 0, 0; to < len(b); to += block {
			end := min(to+block, len(b))
			zero := len(bytes.TrimLeft(b[to:end], "\x00")) == 0
			if zero {
				end = to
			}
			if zero || end == len(b) {
				if _, err := dst.WriteAt(b[from:end], off+int64(from)); err != nil {
					return err
				}
				from = to + block
			}
		}
		off += int64(len(b))
	}
	return context.Cause(ctx)
}

// next returns where bytes follow that are not in a hole, from an offset on.
func (v *View) next(off int64) int64 {
	at := regular.Next(v.file, off, v.Size)
	if edits := v.plan.from(off); len(edits) > 0 {
		at = max(off, min(at, edits[0].Off))
	}
	return at
}

// ErrChanged is the error for a file whose bytes have changed since the check.
var ErrChanged = errors.New("the file has changed since it was checked")

func (v *View) changed() error { return fmt.Errorf("%s: %w", v.plan.Path, ErrChanged) }

// unchanged returns an error if the file is shorter than it was, or the bytes that an edit replaces are others.
func (v *View) unchanged(src *os.File) error {
	if info, err := src.Stat(); err != nil {
		return err
	} else if info.Size() < v.bytes {
		return v.changed()
	}
	for _, e := range v.plan.edits {
		if e.Sum == ([sha256.Size]byte{}) {
			continue
		}
		sum, err := Sum(io.NewSectionReader(src, e.Off, e.Len))
		if err != nil {
			return err
		}
		if sum != e.Sum {
			return fmt.Errorf("%w: bytes 0x%x to 0x%x", v.changed(), e.Off, e.Off+e.Len)
		}
	}
	return nil
}

// Apply writes the changed file to a path, as [File] does. The path may be that of the file. A new file gets its
// permissions. If the context ends, nothing is changed. Errors: I/O, [ErrShape], [ErrChanged], and the context's
// cause.
func (p *Plan) Apply(ctx context.Context, to string) error {
	src, info, err := regular.Open(p.Path)
	if err != nil {
		return err
	}
	defer src.Close()
	v, err := p.View(src, info.Size())
	if err != nil {
		return err
	}
	_, err = os.Stat(to)
	isNew := errors.Is(err, fs.ErrNotExist)
	return File(to, func(dst *os.File) error {
		if isNew {
			if err := dst.Chmod(info.Mode().Perm()); err != nil {
				return err
			}
		}
		if err := v.copyTo(ctx, dst); err != nil {
			return err
		}
		if err := v.unchanged(src); err != nil {
			return err
		}
		return dst.Sync()
	})
}
