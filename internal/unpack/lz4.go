package unpack

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// LZ4Magic are the first bytes of a stream in the legacy format of LZ4, in which the Linux kernel and its
// initial file systems are compressed. It has no checksums.
const LZ4Magic = "\x02\x21\x4c\x18"

const (
	lz4Block    = 8 << 20                      // most bytes that come out of a block
	lz4Packed   = lz4Block + lz4Block/255 + 16 // most bytes of a block
	lz4Distance = 1<<16 - 1                    // from which bytes may be repeated
	lz4Piece    = 64 << 10                     // about what is decompressed at once
	lz4Least    = 4                            // bytes that are repeated, besides those that a sequence states
	lz4More     = 15                           // a length to which the next byte is added
)

// LZ4 decompresses streams of legacy LZ4 that follow each other. It stops before any other bytes, but reads
// the size that is at the end of the stream in a Linux kernel.
type LZ4 struct {
	r     *bufio.Reader
	win   window
	first bool
	err   error
	total uint32 // bytes that came out of the stream, modulo 2^32
	left  int    // bytes of the block
	out   int    // bytes that came out of the block

	token byte // of the sequence
	lits  int  // bytes of the sequence that are yet to be copied
	match int  // bytes that are yet to be repeated
	dist  int
	begun bool // a sequence, whose match was not read yet
}

// NewLZ4 returns a decoder of r.
func NewLZ4(r *bufio.Reader, m Memory) *LZ4 {
	z := &LZ4{r: r, first: true, win: window{memory: m}}
	z.win.begin(lz4Distance)
	return z
}

// Block makes it a decoder of a block of n bytes that has no header, which is all of r.
func (z *LZ4) Block(r *bufio.Reader, n int) {
	*z = LZ4{r: r, left: n, win: z.win}
	z.win.begin(lz4Distance)
}

// Close gives the memory back.
func (z *LZ4) Close() error { z.win.free(); return nil }

func (z *LZ4) Read(b []byte) (int, error) {
	for z.err == nil && z.win.w-z.win.r < lz4Piece {
		z.err = z.step()
		if errors.Is(z.err, io.ErrUnexpectedEOF) {
			z.err = bad("the lz4 block is cut off")
		}
	}
	if z.win.r == z.win.w {
		return 0, z.err
	}
	n := copy(b, z.win.buf[z.win.r:z.win.w])
	z.win.r += n
	return n, nil
}

// step reads the next part: a header, a token, some literals, or a match.
func (z *LZ4) step() error {
	switch {
	case z.lits > 0:
		return z.literals()
	case z.match > 0:
		n := min(z.match, lz4Piece)
		if err := z.grow(n); err != nil {
			return err
		}
		z.match -= n
		return z.win.repeat(z.dist, n)
	case z.left == 0: // the last sequence of a block has no match
		z.begun = false
		return z.header()
	case z.begun:
		return z.repetition()
	}
	var err error
	if z.token, err = z.next(); err != nil {
		return err
	}
	z.begun = true
	z.lits, err = z.length(int(z.token >> 4))
	return err
}

// header reads what is before a block, or ends.
func (z *LZ4) header() error {
	head, err := z.r.Peek(5)
	if len(head) < 4 {
		switch {
		case err != nil && err != io.EOF:
			return err
		case z.first:
			return bad("there is no lz4 stream")
		}
		return io.EOF
	}
	switch n := binary.LittleEndian.Uint32(head); {
	case string(head[:4]) == LZ4Magic:
		z.first, z.total = false, 0
	case z.first:
		return bad("there is no lz4 stream")
	case len(head) == 4 && n == z.total:
	case n == 0 || n > lz4Packed:
		return io.EOF
	case len(head) == 4:
		return io.ErrUnexpectedEOF
	default:
		z.left, z.out = int(n), 0
		z.win.base = z.win.w
	}
	_, err = z.r.Discard(4)
	return err
}

// literals copies bytes of the block.
func (z *LZ4) literals() error {
	n := min(z.lits, lz4Piece)
	if n > z.left {
		return io.ErrUnexpectedEOF
	}
	if err := z.grow(n); err != nil {
		return err
	}
	if _, err := io.ReadFull(z.r, z.win.buf[z.win.w:z.win.w+n]); err != nil {
		return cut(err)
	}
	z.win.w += n
	z.left -= n
	z.lits -= n
	return nil
}

// repetition reads how many bytes are repeated, and from which distance.
func (z *LZ4) repetition() error {
	low, err := z.next()
	if err != nil {
		return err
	}
	high, err := z.next()
	if err != nil {
		return err
	}
	z.begun, z.dist = false, int(low)|int(high)<<8
	n, err := z.length(int(z.token & 15))
	z.match = n + lz4Least
	return err
}

// length returns a length of which the token has the first part.
func (z *LZ4) length(n int) (int, error) {
	if n < lz4More {
		return n, nil
	}
	for {
		b, err := z.next()
		if n += int(b); err != nil || b < 255 {
			return n, err
		}
	}
}

// next reads a byte of the block.
func (z *LZ4) next() (byte, error) {
	if z.left == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	z.left--
	b, err := z.r.ReadByte()
	return b, cut(err)
}

// grow makes room for bytes that come out.
func (z *LZ4) grow(n int) error {
	if z.out += n; z.out > lz4Block {
		return bad("more than %d bytes come out of an lz4 block", lz4Block)
	}
	z.total += uint32(n)
	return z.win.room(n)
}
