package reader

import (
	"fmt"
	"io"
	"sync"

	"github.com/sframe-lint/sframe-lint/model"
)

// source is a bounded window of an input: a whole file or a member of an
// archive. Offsets count from the window's first byte.
type source struct {
	r    io.ReaderAt
	path string // for errors
	base int64
	size int64
	lost *readError // where a failure is noted, nil for nowhere
}

// readError keeps the first failure of a source's reads. Symbols and code are
// read while an object is visited, by callers that can do without: the scan
// must still end in the error.
type readError struct {
	mu  sync.Mutex
	err error
}

func (e *readError) note(err error) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.err = err
	}
}

func (e *readError) first() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

func newSource(r io.ReaderAt, path string, size int64) source {
	return source{r: r, path: path, size: size, lost: new(readError)}
}

// window returns a part of the source. The caller has seen that it is
// inside.
func (s source) window(sp model.Span) source {
	return source{r: s.r, path: s.path, base: s.base + sp.Off, size: sp.Len, lost: s.lost}
}

// clip cuts n bytes at off, which a file claims, to the bytes that are
// there, and reports whether nothing was cut.
func (s source) clip(off, n uint64) (sp model.Span, whole bool) {
	size := uint64(s.size)
	from := min(off, size)
	length := min(n, size-from)
	return model.Span{Off: int64(from), Len: int64(length)}, off <= size && length == n
}

// read returns a span's bytes in a slice of exactly that size. The span must
// come from clip: it is the one place where a size that a file claims meets
// the size that the file has.
func (s source) read(sp model.Span) ([]byte, error) {
	if sp.Len == 0 {
		return nil, nil
	}
	b := make([]byte, sp.Len)
	n, err := readAt(s.r, b, s.base+sp.Off)
	if n == len(b) {
		return b, nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF // the file became shorter since it was measured
	}
	err = fmt.Errorf("reading %d bytes at 0x%x of %s: %w", sp.Len, s.base+sp.Off, s.path, err)
	s.lost.note(err)
	return nil, err
}

// head returns the first n bytes, fewer where the source is shorter.
func (s source) head(n int64) ([]byte, error) {
	return s.read(model.Span{Len: min(n, s.size)})
}

// parallelRead is the number of bytes from which it pays to read with two
// goroutines: the kernel's copy and the first touch of fresh memory are then
// done by two processors.
const parallelRead = 1 << 20

// readAt is r.ReadAt for any size.
func readAt(r io.ReaderAt, b []byte, off int64) (int, error) {
	if len(b) < parallelRead {
		return r.ReadAt(b, off)
	}
	hugePages(b)
	half := len(b) / 2
	var n2 int
	var err2 error
	var wg sync.WaitGroup
	wg.Go(func() { n2, err2 = r.ReadAt(b[half:], off+int64(half)) })
	n, err := r.ReadAt(b[:half], off)
	wg.Wait()
	if n < half {
		return n, err
	}
	return n + n2, err2
}
