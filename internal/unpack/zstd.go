package unpack

import (
	"bufio"
	"encoding/binary"
	"io"
)

// ZstdMagic are the first bytes of a frame of zstd.
const ZstdMagic = "\x28\xb5\x2f\xfd"

const (
	zstdBlock = 128 << 10 // most bytes of a block
	spare     = 16        // bytes before and after a block, so that reads of 8 bytes stay inside
)

// Zstd decompresses the frames of zstd that follow each other. It stops before any other bytes.
type Zstd struct {
	r     *bufio.Reader
	win   window
	in    []byte // of a block, with bytes to spare
	lits  []byte
	tree  huffTree
	seqs  [3]seqTable // literal lengths, offsets, match lengths
	rep   [3]int
	sum   xxh64
	check bool
	frame bool // inside one
	first bool
	err   error
	most  int   // bytes of a block
	left  int64 // of the frame, -1 if that is not stated
}

// NewZstd returns a decoder of r.
func NewZstd(r *bufio.Reader, m Memory) *Zstd {
	z := &Zstd{win: window{memory: m}}
	z.Reset(r)
	return z
}

// Reset decodes another reader from now on.
func (z *Zstd) Reset(r *bufio.Reader) {
	z.r, z.err, z.frame, z.first = r, nil, false, true
	z.win.begin(0)
}

// Close gives the memory back.
func (z *Zstd) Close() error { z.win.free(); return nil }

func (z *Zstd) Read(b []byte) (int, error) {
	for z.win.r == z.win.w {
		if z.err != nil {
			return 0, z.err
		}
		if z.frame {
			z.err = z.block()
		} else {
			z.err = z.header()
		}
		if z.err == io.ErrUnexpectedEOF {
			z.err = bad("the zstd frame is cut off")
		}
	}
	n := copy(b, z.win.buf[z.win.r:z.win.w])
	z.win.r += n
	return n, nil
}

func (z *Zstd) full(b []byte) error {
	_, err := io.ReadFull(z.r, b)
	return cut(err)
}

// header reads the header of a frame, or ends.
func (z *Zstd) header() error {
	var b [16]byte
	head, err := z.r.Peek(4)
	if len(head) < 4 || string(head) != ZstdMagic && !skippable(head) {
		switch {
		case err != nil && err != io.EOF:
			return err
		case z.first:
			return bad("there is no zstd frame")
		}
		return io.EOF
	}
	if _, err := z.r.Discard(4); err != nil {
		return err
	}
	if skippable(head) {
		if err := z.full(b[:4]); err != nil {
			return err
		}
		z.first = false
		if _, err := io.CopyN(io.Discard, z.r, int64(binary.LittleEndian.Uint32(b[:]))); err != nil {
			return io.ErrUnexpectedEOF
		}
		return nil
	}
	if err := z.full(b[:1]); err != nil {
		return err
	}
	d := b[0]
	if d&8 != 0 {
		return bad("a reserved bit of a zstd frame is set")
	}
	single := d&0x20 != 0
	var window uint64
	if !single {
		if err := z.full(b[:1]); err != nil {
			return err
		}
		window = 1 << (10 + b[0]>>3)
		window += window / 8 * uint64(b[0]&7)
	}
	dict := []int{0, 1, 2, 4}[d&3]
	size := []int{0, 2, 4, 8}[d>>6]
	if size == 0 && single {
		size = 1
	}
	if err := z.full(b[:dict+size]); err != nil {
		return err
	}
	for _, c := range b[:dict] {
		if c != 0 {
			return bad("the zstd frame needs a dictionary")
		}
	}
	z.left = -1
	if size > 0 {
		var v [8]byte
		copy(v[:], b[dict:dict+size])
		n := binary.LittleEndian.Uint64(v[:])
		if size == 2 {
			n += 256
		}
		if single {
			window = n
		}
		if n > 1<<62 {
			return bad("a zstd frame of %d bytes", n)
		}
		z.left = int64(n)
	}
	if window > MaxWindow {
		return bad("a window of %d bytes, more than %d", window, MaxWindow)
	}
	z.most = min(zstdBlock, max(int(window), 1))
	if err := z.win.room(0); err != nil {
		return err
	}
	z.win.size, z.win.base = max(int(window), 1<<10), z.win.w
	z.frame, z.first, z.check = true, false, d&4 != 0
	z.rep = [3]int{1, 4, 8}
	z.tree.bits = 0
	for i := range z.seqs {
		z.seqs[i].log = -1
	}
	z.sum.reset()
	return nil
}

func skippable(b []byte) bool {
	return len(b) >= 4 && b[0]&0xf0 == 0x50 && b[1] == 0x2a && b[2] == 0x4d && b[3] == 0x18
}

// block decodes a block.
func (z *Zstd) block() error {
	var b [4]byte
	if err := z.full(b[:3]); err != nil {
		return err
	}
	h := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	last, kind, size := h&1 != 0, h>>1&3, h>>3
	if size > z.most && (kind != 2 || size > zstdBlock) {
		return bad("a zstd block of %d bytes", size)
	}
	if err := z.win.room(zstdBlock); err != nil {
		return err
	}
	from := z.win.w
	var err error
	switch kind {
	case 0:
		if err = z.full(z.win.buf[from : from+size]); err == nil {
			z.win.w += size
		}
	case 1:
		if err = z.full(b[:1]); err == nil {
			for i := range z.win.buf[from : from+size] {
				z.win.buf[from+i] = b[0]
			}
			z.win.w += size
		}
	case 2:
		err = z.compressed(size)
	default:
		err = bad("a zstd block of a reserved type")
	}
	if err != nil {
		z.win.w = from
		return err
	}
	n := int64(z.win.w - from)
	if z.left >= 0 {
		if z.left -= n; z.left < 0 || last && z.left > 0 {
			z.win.w = from
			return bad("the size of the zstd frame is wrong")
		}
	}
	if z.check {
		z.sum.write(z.win.buf[from:z.win.w])
	}
	if !last {
		return nil
	}
	z.frame = false
	if z.check {
		if err := z.full(b[:4]); err != nil {
			return err
		}
		if binary.LittleEndian.Uint32(b[:]) != uint32(z.sum.sum()) {
			return bad("the checksum of the zstd frame is wrong")
		}
	}
	return nil
}

// compressed decodes a compressed block of size bytes.
func (z *Zstd) compressed(size int) error {
	if z.in == nil {
		z.in = make([]byte, spare+zstdBlock+spare)
		z.lits = make([]byte, zstdBlock)
	}
	if err := z.full(z.in[spare : spare+size]); err != nil {
		return err
	}
	clear(z.in[spare+size : spare+size+spare])
	at, lits, err := z.literals(spare, spare+size)
	if err != nil {
		return err
	}
	return z.sequences(at, spare+size, lits)
}

// literals decodes the literals that begin at z.in[at].
func (z *Zstd) literals(at, end int) (next int, lits []byte, err error) {
	if at >= end {
		return 0, nil, bad("an empty zstd block")
	}
	h := binary.LittleEndian.Uint64(z.in[at:]) // bytes to spare follow
	kind, form := h&3, h>>2&3
	if kind < 2 {
		var n int
		switch form {
		case 1:
			n, at = int(h>>4&0xfff), at+2
		case 3:
			n, at = int(h>>4&0xfffff), at+3
		default:
			n, at = int(h>>3&0x1f), at+1
		}
		size := n
		if kind == 1 {
			size = 1
		}
		if n > z.most || at+size > end {
			return 0, nil, bad("literals of %d bytes in a zstd block", n)
		}
		if kind == 0 {
			return at + n, z.in[at : at+n], nil
		}
		lits = z.lits[:n]
		for i := range lits {
			lits[i] = z.in[at]
		}
		return at + 1, lits, nil
	}
	var n, size int
	switch form {
	case 0, 1:
		n, size, at = int(h>>4&0x3ff), int(h>>14&0x3ff), at+3
	case 2:
		n, size, at = int(h>>4&0x3fff), int(h>>18&0x3fff), at+4
	case 3:
		n, size, at = int(h>>4&0x3ffff), int(h>>22&0x3ffff), at+5
	}
	if n > z.most || at+size > end {
		return 0, nil, bad("literals of %d bytes in a zstd block", n)
	}
	next = at + size
	if kind == 2 {
		used, err := z.tree.read(z.in, at, next)
		if err != nil {
			return 0, nil, err
		}
		at = used
	}
	if z.tree.bits == 0 {
		return 0, nil, bad("zstd literals without a tree")
	}
	lits = z.lits[:n]
	if form == 0 {
		return next, lits, z.tree.decode(z.in, at, next, lits)
	}
	if next-at < 6 || n < 6 {
		return 0, nil, bad("four zstd streams of %d bytes", next-at)
	}
	starts := [5]int{at + 6, 0, 0, 0, next}
	for i := range 3 {
		starts[i+1] = starts[i] + int(binary.LittleEndian.Uint16(z.in[at+2*i:]))
	}
	if starts[3] > next {
		return 0, nil, bad("zstd streams beyond the block")
	}
	part := (n + 3) / 4
	if 3*part > n {
		return 0, nil, bad("four zstd streams for %d bytes", n)
	}
	for i := range 4 {
		out := lits[i*part : min((i+1)*part, n)]
		if i == 3 {
			out = lits[3*part:]
		}
		if err := z.tree.decode(z.in, starts[i], starts[i+1], out); err != nil {
			return 0, nil, err
		}
	}
	return next, lits, nil
}
