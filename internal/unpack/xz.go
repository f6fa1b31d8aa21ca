package unpack

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
)

// XZMagic are the first bytes of a stream of xz.
const XZMagic = "\xfd7zXZ\x00"

// XZ decompresses the streams of xz that follow each other. It stops before any other bytes.
type XZ struct {
	r      *bufio.Reader
	win    window
	lz     lzma
	in     []byte // of a chunk
	read   int64  // of the block or the index
	check  byte
	sum    hash.Hash
	filter *branches // of the block, nil for none
	block  bool      // inside one
	fresh  bool      // the chunk must reset the window
	props  bool      // known
	first  bool      // no stream yet
	err    error
	blocks int
}

// NewXZ returns a decoder of r.
func NewXZ(r *bufio.Reader, m Memory) *XZ {
	z := &XZ{win: window{memory: m}}
	z.Reset(r)
	return z
}

// Reset decodes another reader from now on.
func (z *XZ) Reset(r *bufio.Reader) {
	z.r, z.err, z.block, z.first, z.blocks = r, nil, false, true, 0
	_ = z.setFilter(nil)
	z.win.begin(0)
}

// Close gives the memory back.
func (z *XZ) Close() error {
	_ = z.setFilter(nil)
	z.win.free()
	return nil
}

func (z *XZ) Read(b []byte) (int, error) {
	for z.win.r == z.win.w {
		if f := z.filter; f != nil && f.read < f.done {
			n := copy(b, f.out[f.read:f.done])
			f.read += n
			return n, nil
		}
		if z.err != nil {
			return 0, z.err
		}
		if z.err = z.step(); z.err == io.ErrUnexpectedEOF {
			z.err = bad("the xz stream is cut off")
		}
	}
	n := copy(b, z.win.buf[z.win.r:z.win.w])
	z.win.r += n
	return n, nil
}

// step decodes a chunk, or what is between chunks.
func (z *XZ) step() error {
	if z.block {
		return z.chunk()
	}
	if z.check == noStream || z.first {
		return z.stream()
	}
	return z.header()
}

const noStream = 0xff

// full reads len(b) bytes, and counts them.
func (z *XZ) full(b []byte) error {
	n, err := io.ReadFull(z.r, b)
	z.read += int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// stream reads the header of a stream, or ends.
func (z *XZ) stream() error {
	for !z.first { // zero bytes may be between two streams
		b, _ := z.r.Peek(4)
		if len(b) < 4 || !bytes.Equal(b, []byte{0, 0, 0, 0}) {
			break
		}
		_, _ = z.r.Discard(4)
	}
	if b, err := z.r.Peek(len(XZMagic)); !z.first && string(b) != XZMagic {
		if err != nil && err != io.EOF {
			return err
		}
		return io.EOF
	}
	var b [12]byte
	if err := z.full(b[:]); err != nil {
		return err
	}
	if string(b[:6]) != XZMagic || b[6] != 0 || b[7] > 15 || binary.LittleEndian.Uint32(b[8:]) != crc32.ChecksumIEEE(b[6:8]) {
		return bad("the header of the xz stream is wrong")
	}
	z.first, z.check, z.blocks = false, b[7], 0
	z.sum = nil
	switch z.check {
	case 1:
		z.sum = crc32.NewIEEE()
	case 4:
		z.sum = crc64.New(crc64.MakeTable(crc64.ECMA))
	}
	return nil
}

// header reads the header of a block, or the index after the last one.
func (z *XZ) header() error {
	z.read = 0
	var b [1024]byte
	if err := z.full(b[:1]); err != nil {
		return err
	}
	if b[0] == 0 {
		return z.index()
	}
	n := (int(b[0]) + 1) * 4
	if err := z.full(b[1:n]); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(b[n-4:]) != crc32.ChecksumIEEE(b[:n-4]) {
		return bad("the checksum of an xz block's header is wrong")
	}
	p := b[2 : n-4]
	for _, flag := range []byte{0x40, 0x80} { // sizes, which nobody needs
		if b[1]&flag != 0 {
			var ok bool
			if _, p, ok = vli(p); !ok {
				return bad("an xz block's header is wrong")
			}
		}
	}
	id, p, ok := vli(p)
	filter := newBranches(id)
	if filter != nil && ok && b[1]&0x3f == 1 && len(p) > 0 && p[0] == 0 { // with a start offset, nobody packs
		id, p, ok = vli(p[1:])
	} else if b[1]&0x3f != 0 {
		ok = false
	}
	if !ok || id != filterLZMA2 || len(p) < 2 || p[0] != 1 {
		return bad("filter %#x of an xz block is not supported", id)
	}
	size, err := dictSize(p[1])
	if err != nil {
		return err
	}
	if err := z.setFilter(filter); err != nil {
		return err
	}
	if err := z.win.room(0); err != nil {
		return err
	}
	z.win.size = size
	z.block, z.fresh, z.props = true, true, false
	z.blocks++
	if z.sum != nil {
		z.sum.Reset()
	}
	return nil
}

// setFilter takes the filter of the next block.
func (z *XZ) setFilter(f *branches) error {
	if memory := z.win.memory; memory != nil && (f == nil) != (z.filter == nil) {
		n := int64(filterMemory)
		if f == nil {
			n = -n
		}
		if err := memory(n); err != nil {
			return err
		}
	}
	z.filter = f
	return nil
}

// dictSize returns the size of the window that a property stands for.
func dictSize(b byte) (int, error) {
	if b > 40 {
		return 0, bad("dictionary size %d", b)
	}
	size := int64(2|b&1) << (b/2 + 11)
	if size > MaxWindow {
		return 0, bad("a window of %d bytes, more than %d", size, MaxWindow)
	}
	return int(size), nil
}

// vli reads an integer of variable length.
func vli(b []byte) (v uint64, rest []byte, ok bool) {
	for i := 0; i < 9 && i < len(b); i++ {
		v |= uint64(b[i]&0x7f) << (7 * i)
		if b[i] < 0x80 {
			return v, b[i+1:], true
		}
	}
	return 0, nil, false
}

// chunk decodes a chunk of LZMA2, or ends the block.
func (z *XZ) chunk() error {
	var b [6]byte
	if err := z.full(b[:1]); err != nil {
		return err
	}
	c := b[0]
	switch {
	case c == 0:
		return z.endBlock()
	case c >= 3 && c < 0x80, z.fresh && c != 1 && c < 0xe0:
		return bad("LZMA2 chunk of type %#x", c)
	case c < 3:
		return z.stored(c == 1)
	}
	if err := z.full(b[1:5]); err != nil {
		return err
	}
	n, size := (int(c&0x1f)<<16|int(b[1])<<8|int(b[2]))+1, (int(b[3])<<8|int(b[4]))+1
	if c >= 0xe0 {
		z.win.base, z.win.origin, z.fresh = z.win.w, z.win.w, false
	}
	if c >= 0xc0 {
		if err := z.full(b[5:6]); err != nil {
			return err
		}
		if err := z.lz.setProps(b[5]); err != nil {
			return err
		}
		z.props = true
	}
	if !z.props {
		return bad("an LZMA2 chunk without properties")
	}
	if c >= 0xa0 {
		z.lz.reset()
	}
	if z.in == nil {
		z.in = make([]byte, 1<<16+overrun)
	}
	if err := z.full(z.in[:size]); err != nil {
		return err
	}
	clear(z.in[size : size+overrun])
	if err := z.win.room(n); err != nil {
		return err
	}
	from := z.win.w
	if err := z.lz.chunk(z.in[:size+overrun], size, &z.win, n); err != nil {
		return err
	}
	z.add(from)
	return nil
}

// stored copies a chunk that is not compressed.
func (z *XZ) stored(reset bool) error {
	var b [2]byte
	if err := z.full(b[:]); err != nil {
		return err
	}
	n := int(b[0])<<8 | int(b[1]) + 1
	if err := z.win.room(n); err != nil {
		return err
	}
	if reset {
		z.win.base, z.win.origin, z.fresh = z.win.w, z.win.w, false
	}
	from := z.win.w
	if err := z.full(z.win.buf[from : from+n]); err != nil {
		return err
	}
	z.win.w += n
	z.add(from)
	return nil
}

// add passes what was written to the filter and to the check of the block.
func (z *XZ) add(from int) {
	b := z.win.buf[from:z.win.w]
	if z.filter != nil {
		b = z.filter.write(b)
		z.win.r = z.win.w
	}
	if z.sum != nil {
		_, _ = z.sum.Write(b)
	}
}

// checkSizes are the bytes of a check, by its type.
var checkSizes = [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}

// endBlock reads what follows the chunks of a block: padding and the check.
func (z *XZ) endBlock() error {
	if z.filter != nil {
		if rest := z.filter.end(); z.sum != nil {
			_, _ = z.sum.Write(rest)
		}
	}
	var b [64]byte
	pad := int(-z.read & 3)
	if err := z.full(b[:pad]); err != nil {
		return err
	}
	n := checkSizes[z.check]
	if err := z.full(b[:n]); err != nil {
		return err
	}
	if z.sum != nil {
		want := z.sum.Sum(nil)
		for i := range n {
			if b[i] != want[n-1-i] {
				return bad("the checksum of an xz block is wrong")
			}
		}
	}
	z.block = false
	return nil
}

// index reads the index and the footer of a stream, whose first byte was read.
func (z *XZ) index() error {
	next := func() (v uint64, err error) {
		for i := range 9 {
			c, err := z.r.ReadByte()
			if err != nil {
				return 0, io.ErrUnexpectedEOF
			}
			z.read++
			v |= uint64(c&0x7f) << (7 * i)
			if c < 0x80 {
				return v, nil
			}
		}
		return 0, bad("the index of the xz stream is wrong")
	}
	n, err := next()
	if err != nil {
		return err
	}
	if n != uint64(z.blocks) {
		return bad("the index of the xz stream has %d blocks of %d", n, z.blocks)
	}
	for range 2 * n {
		if _, err := next(); err != nil {
			return err
		}
	}
	var b [3 + 4 + 12]byte
	rest := b[:int(-z.read&3)+4+12]
	if err := z.full(rest); err != nil {
		return err
	}
	if string(rest[len(rest)-2:]) != "YZ" {
		return bad("the footer of the xz stream is wrong")
	}
	z.check = noStream
	return nil
}
