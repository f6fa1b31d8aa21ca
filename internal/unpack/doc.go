// Package unpack decompresses streams of xz, zstd and legacy LZ4.
//
// A decoder holds the window of its stream, which grows with the bytes that come out and not with what a
// header claims, and at most a block besides. Nothing is computed before a decoder is used.
package unpack

import (
	"errors"
	"fmt"
	"io"
)

// ErrFormat is the error for a stream that cannot be decompressed.
var ErrFormat = errors.New("cannot be decompressed")

// MaxWindow is the largest window of a stream that is decompressed, in bytes.
const MaxWindow = 128 << 20

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrFormat}, args...)...)
}

// cut returns the error for a stream that ends where it must not.
func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Memory is called before n more bytes are allocated; a negative number gives bytes back.
type Memory func(n int64) error

// window has the decompressed bytes that were not read yet, and those before them that later ones may
// repeat.
type window struct {
	buf    []byte
	r, w   int // buf[r:w] was not read yet
	base   int // of what may be repeated
	origin int // where counting began; it may be before the buffer
	size   int // bytes that may be repeated
	memory Memory
}

// begin empties the window. What was not read is lost.
func (x *window) begin(size int) {
	x.r, x.w, x.base, x.origin, x.size = 0, 0, 0, 0, size
}

// free gives the memory back.
func (x *window) free() {
	if x.memory != nil && x.buf != nil {
		_ = x.memory(-int64(len(x.buf)))
	}
	x.buf = nil
	x.begin(0)
}

// room makes room for n bytes after those that were written.
func (x *window) room(n int) error {
	if len(x.buf)-x.w >= n {
		return nil
	}
	from := max(min(x.r, x.w-x.size), 0)
	if x.base > from {
		from = min(x.base, x.r)
	}
	kept := x.w - from
	most := x.size + max(x.size/2, 256<<10) + n
	if len(x.buf) < most && len(x.buf)-kept < max(n, len(x.buf)/2) {
		size := min(max(2*len(x.buf), kept+n, 64<<10), max(most, kept+n))
		if x.memory != nil {
			if err := x.memory(int64(size)); err != nil {
				return err
			}
		}
		b := make([]byte, size)
		copy(b, x.buf[from:x.w])
		if x.memory != nil && x.buf != nil {
			_ = x.memory(-int64(len(x.buf)))
		}
		x.buf = b
	} else {
		copy(x.buf, x.buf[from:x.w])
	}
	x.r, x.w, x.base, x.origin = x.r-from, x.w-from, max(x.base-from, 0), x.origin-from
	return nil
}

// repeat writes n bytes from distance d on. There is room for them.
func (x *window) repeat(d, n int) error {
	if d <= 0 || d > x.w-x.base || d > x.size {
		return bad("a distance of %d bytes is outside of the window", d)
	}
	repeat(x.buf, x.w, d, n)
	x.w += n
	return nil
}

// repeat copies n bytes within b, to w from d bytes before it.
func repeat(b []byte, w, d, n int) {
	if d >= n {
		copy(b[w:w+n], b[w-d:w-d+n])
		return
	}
	from := w - d
	for end := w + n; w < end; {
		w += copy(b[w:end], b[from:w])
	}
}
