// Package unpack opens decoders of xz and zstd for untrusted data. It states the memory of a decoder before the
// decoder allocates it. It must not decompress anything itself: libraries do.
package unpack

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// ErrFormat is the error for a stream that cannot be decompressed.
var ErrFormat = errors.New("cannot be decompressed")

// MaxWindow is the maximum window of a stream that is decompressed, in bytes.
const MaxWindow = 128 << 20

// usualWindow is the window that every stream may use, in bytes. The parts of a stream have headers of their
// own, and only the first one is looked at: later ones may claim as much as the first one, and at least this.
const usualWindow = 8 << 20

// decoderMemory is what a decoder takes besides its window, in bytes.
const decoderMemory = 1 << 20

// Memory is called before n more bytes are allocated. A negative n releases bytes.
type Memory func(n int64) error

// Decoder decompresses a stream. The first read opens it.
type Decoder struct {
	in     *bufio.Reader
	window func(r *bufio.Reader) (uint64, error) // that the stream claims
	open   func(r io.Reader, limit uint32) (io.Reader, error)
	memory Memory
	held   int64
	z      io.Reader
	err    error
}

// Read decompresses. Errors wrap [ErrFormat] or are those of the memory budget.
func (d *Decoder) Read(b []byte) (n int, err error) {
	if d.z == nil && d.err == nil {
		d.err = d.begin()
	}
	if d.err != nil {
		return 0, d.err
	}
	n, err = d.z.Read(b)
	if err != nil && err != io.EOF {
		err = bad(err)
	}
	d.err = err
	return n, err
}

func bad(err error) error { return fmt.Errorf("%w: %w", ErrFormat, err) }

// begin opens the library's decoder, with memory for the window.
func (d *Decoder) begin() error {
	claim, err := d.window(d.in)
	switch {
	case err == io.EOF:
		return err
	case err != nil:
		return bad(err)
	case claim > MaxWindow:
		return fmt.Errorf("%w: it needs a window of %d bytes, more than %d", ErrFormat, claim, MaxWindow)
	}
	limit := max(claim, usualWindow)
	if d.memory != nil {
		if err := d.memory(int64(limit) + decoderMemory); err != nil {
			return err
		}
		d.held = int64(limit) + decoderMemory
	}
	if d.z, err = d.open(d.in, uint32(limit)); err != nil {
		return bad(err)
	}
	return nil
}

// Close releases the memory.
func (d *Decoder) Close() error {
	if z, ok := d.z.(interface{ Close() }); ok {
		z.Close()
	}
	d.z, d.err = nil, io.ErrClosedPipe
	if d.held == 0 {
		return nil
	}
	n := d.held
	d.held = 0
	return d.memory(-n)
}

// NewZstd returns a decoder of consecutive zstd frames.
func NewZstd(r *bufio.Reader, memory Memory) *Decoder {
	return &Decoder{in: r, memory: memory, window: zstdWindow, open: func(r io.Reader, limit uint32) (io.Reader, error) {
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(uint64(limit)), zstd.WithDecoderMaxMemory(uint64(limit)))
	}}
}

// zstdWindow returns the window of the first frame that has data. It skips the frames before it.
func zstdWindow(r *bufio.Reader) (uint64, error) {
	for {
		b, err := r.Peek(zstd.HeaderMaxSize)
		if len(b) == 0 {
			return 0, err
		}
		var h zstd.Header
		if err := h.Decode(b); err != nil {
			return 0, err
		}
		switch {
		case h.SingleSegment: // all of the frame is its window
			return h.FrameContentSize, nil
		case !h.Skippable:
			return h.WindowSize, nil
		}
		for n := int64(h.HeaderSize) + int64(h.SkippableSize); n > 0; {
			k, err := r.Discard(int(min(n, 1<<30)))
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				return 0, err
			}
			n -= int64(k)
		}
	}
}

// XZMagic is the first bytes of an xz stream.
const XZMagic = "\xfd7zXZ\x00"

// NewXZ returns a decoder of consecutive xz streams.
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
