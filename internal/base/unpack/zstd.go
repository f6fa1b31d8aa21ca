package unpack

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/zstd"
)

// NewZstd returns a decoder of frames of zstd that follow each other.
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
