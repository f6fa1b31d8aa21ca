package unpack

import (
	"bufio"
	"encoding/binary"
	"io"
	"strings"
	"sync"

	"github.com/therootcompany/xz"
)

// XZMagic is how a stream of xz begins.
const XZMagic = "\xfd7zXZ\x00"

// NewXZ returns a decoder of streams of xz that follow each other.
func NewXZ(r *bufio.Reader, memory Memory) *Decoder {
	return &Decoder{in: r, memory: memory, window: xzWindow, open: openXZ}
}

// xzReaders are readers of the usual window that were used: thousands of small files would each clear one.
var xzReaders sync.Pool

// xzReader is a reader that is used again.
type xzReader struct{ *xz.Reader }

func openXZ(r io.Reader, limit uint32) (io.Reader, error) {
	if limit != usualWindow {
		return xz.NewReader(r, limit)
	}
	if z, ok := xzReaders.Get().(*xz.Reader); ok {
		return xzReader{z}, z.Reset(r)
	}
	z, err := xz.NewReader(r, limit)
	return xzReader{z}, err
}

// Close lets the reader be used again.
func (z xzReader) Close() {
	_ = z.Reset(strings.NewReader("")) // it forgets its input
	xzReaders.Put(z.Reader)
}

const (
	xzHead    = 12   // bytes of the header of a stream
	xzBlock   = 1024 // and at most of the header of a block
	xzLZMA2   = 0x21
	xzLargest = 40 // the property of the largest dictionary
)

// xzWindow returns the size of the dictionary in the header of the first block, 0 for none. The decoder reports
// damage.
func xzWindow(r *bufio.Reader) (uint64, error) {
	b, err := r.Peek(xzHead + xzBlock)
	switch {
	case len(b) == 0:
		return 0, err
	case len(b) < xzHead+2:
		return 0, io.ErrUnexpectedEOF
	}
	flags := b[xzHead+1]
	b = b[xzHead+2:]
	for _, size := range []byte{0x40, 0x80} { // of the block, compressed and not
		if flags&size != 0 {
			_, n := binary.Uvarint(b)
			b = b[max(n, 0):]
		}
	}
	for len(b) > 2 { // a filter has an ID, the size of its properties, and those
		if next := 2 + int(b[1]); b[0] != xzLZMA2 {
			b = b[min(next, len(b)):]
			continue
		}
		p := min(b[2], xzLargest)
		return uint64(2+p&1) << (p/2 + 11), nil
	}
	return 0, nil
}
