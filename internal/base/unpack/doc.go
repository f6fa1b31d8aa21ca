// Package unpack opens decoders of xz and zstd for data of unknown origin. It states the memory of a decoder
// before the decoder allocates it. It must not decompress anything itself: libraries do.
package unpack

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// ErrFormat is the error for a stream that cannot be decompressed.
var ErrFormat = errors.New("cannot be decompressed")

// MaxWindow is the largest window of a stream that is decompressed, in bytes.
const MaxWindow = 128 << 20

// usualWindow is the window that every stream may use, in bytes. The parts of a stream have headers of their
// own, and only the first one is looked at: later ones may claim as much as the first one, and at least this.
const usualWindow = 8 << 20

// decoderMemory is what a decoder takes besides its window, in bytes.
const decoderMemory = 1 << 20

// Memory is called before n more bytes are allocated; a negative number gives bytes back.
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

// Read decompresses. The error wraps [ErrFormat], or is that of the memory.
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

// Close gives the memory back.
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
