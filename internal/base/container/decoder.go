package container

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"io"

	"github.com/sframe-lint/sframe-lint/internal/base/unpack"
)

// bzip2Memory and gzipMemory are about what the decoders of the standard library take, in bytes.
const (
	bzip2Memory = 4 << 20
	gzipMemory  = 64 << 10
)

// decoder returns a decoder of what r has, and a function that ends it.
func (w *walk) decoder(r *bufio.Reader, k Format) (z io.Reader, end func(), err error) {
	var d *unpack.Decoder
	n := int64(gzipMemory)
	switch k {
	case XZ:
		d = unpack.NewXZ(r, w.window)
	case Zstd:
		d = unpack.NewZstd(r, w.window)
	case Bzip2:
		n = bzip2Memory
	}
	if d != nil {
		return d, func() { d.Close() }, nil
	}
	if err := w.take(n); err != nil {
		return nil, nil, err
	}
	end = func() { _ = w.Hold(-n) }
	if k == Bzip2 {
		return bzip2.NewReader(r), end, nil
	}
	g, err := gzip.NewReader(r)
	if err != nil {
		end()
		return nil, nil, err
	}
	g.Multistream(false)
	return &gzips{g, r}, end, nil
}

// windowCost is the number of bytes of a window that cost as much as a byte that is read: memory is cleared before use.
// What a window has beyond usualWindow costs largeCost times as much more: few real streams claim it.
const (
	windowCost, largeCost = 32, 8
	usualWindow           = 16 << 20
)

// window takes memory for a decoder.
func (w *walk) window(n int64) error {
	if err := w.call(w.Spend((max(n, 0) + largeCost*max(n-usualWindow, 0)) / windowCost)); err != nil {
		return err
	}
	return w.take(n)
}

// take takes memory, in bytes. If there is too little, the walk ends.
func (w *walk) take(n int64) error { return w.call(w.Hold(n)) }

// gzips reads members of gzip that follow each other, and stops before other bytes.
type gzips struct {
	g *gzip.Reader
	r *bufio.Reader
}

func (z *gzips) Read(b []byte) (int, error) {
	for {
		n, err := z.g.Read(b)
		if err != io.EOF || n > 0 {
			if err == io.EOF {
				err = nil // it comes again
			}
			return n, err
		}
		if head, _ := z.r.Peek(3); string(head) != "\x1f\x8b\x08" {
			return 0, io.EOF
		}
		if err := z.g.Reset(z.r); err != nil {
			return 0, err
		}
		z.g.Multistream(false)
	}
}

// ahead reads in a goroutine of its own, so that a file is checked while the next one is decompressed.
type ahead struct {
	full  chan []byte // of one read; closed at the end
	empty chan []byte // nil: not allocated yet
	done  chan struct{}
	ended chan struct{}
	now   []byte // of full
	buf   []byte // that now is a part of
	err   error  // after full was closed
}

const (
	aheadSize  = 64 << 10
	aheadCount = 6
)

func newAhead(r io.Reader) *ahead {
	a := &ahead{full: make(chan []byte, aheadCount), empty: make(chan []byte, aheadCount), done: make(chan struct{}), ended: make(chan struct{})}
	for range aheadCount {
		a.empty <- nil
	}
	go a.run(r)
	return a
}

func (a *ahead) run(r io.Reader) {
	defer close(a.ended)
	defer close(a.full)
	size := aheadSize >> 4 // many streams are short
	for {
		var b []byte
		select {
		case b = <-a.empty:
		case <-a.done:
			return
		}
		if b == nil {
			b, size = make([]byte, size), aheadSize
		}
		n, err := r.Read(b[:cap(b)])
		if n > 0 {
			select {
			case a.full <- b[:n]:
			case <-a.done:
				return
			}
		}
		if err != nil {
			a.err = err
			return
		}
	}
}

func (a *ahead) Read(b []byte) (int, error) {
	for len(a.now) == 0 {
		if a.buf != nil {
			a.empty <- a.buf // it has room for all
			a.buf = nil
		}
		next, ok := <-a.full
		if !ok {
			return 0, a.err
		}
		a.now, a.buf = next, next
	}
	n := copy(b, a.now)
	a.now = a.now[n:]
	return n, nil
}

// close ends the goroutine.
func (a *ahead) close() {
	close(a.done)
	<-a.ended
}
