package container

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/sframe-lint/sframe-lint/internal/unpack"
)

const (
	squashSuper    = 96
	squashMeta     = 8 << 10 // bytes of a block of metadata
	squashNoFrag   = 1<<32 - 1
	squashPlain    = 1 << 24 // a block of data that is not compressed
	squashMaxBlock = 1 << 20
	squashCached   = 64  // blocks of metadata
	mostDirs       = 256 // directories in directories
)

// squash reads a squashfs image of version 4.
type squash struct {
	w                              *walk
	r                              io.ReaderAt
	size                           int64
	block                          int64
	comp                           uint16
	inodes, dirs, frags, fragCount uint64
	zlib                           io.ReadCloser
	own                            io.ReadCloser // another decoder than of zlib: see [walk.own]
	in                             *bufio.Reader
	raw                            []byte
	cache                          map[int64]squashBlock
	visited                        visited
	frag                           []byte // the last one that was read
	fragAt                         uint64
}

type squashBlock struct {
	data []byte
	next int64
}

// squashfs reads an image.
func (w *walk) squashfs(at place, r io.ReaderAt, size int64) error {
	var b [squashSuper]byte
	if _, err := r.ReadAt(b[:], 0); err != nil {
		return err
	}
	le := binary.LittleEndian
	s := &squash{w: w, r: w.readAt(r), size: size, block: int64(le.Uint32(b[12:])), comp: le.Uint16(b[20:]), inodes: le.Uint64(b[64:]),
		dirs: le.Uint64(b[72:]), frags: le.Uint64(b[80:]), fragCount: uint64(le.Uint32(b[16:])), cache: map[int64]squashBlock{},
		visited: visited{w: w}, fragAt: squashNoFrag, in: bufio.NewReaderSize(nil, 1<<12)}
	if major := le.Uint16(b[28:]); major != 4 {
		return fmt.Errorf("version %d of squashfs is not read", major)
	}
	if s.block <= 0 || s.block > squashMaxBlock || s.inodes > uint64(size) || s.dirs > uint64(size) {
		return errors.New("its header is wrong")
	}
	held := 3*s.block + squashCached*squashMeta
	if err := w.take(held); err != nil {
		return err
	}
	defer func() {
		_ = w.Hold(-held)
		s.visited.drop()
		if s.own != nil {
			s.own.Close()
		}
	}()
	s.raw = make([]byte, s.block)
	return s.dir(at, "", le.Uint64(b[32:]), 0)
}

// squashKinds are the kinds of data of compressions that have no decoder in the standard library.
var squashKinds = [...]Kind{4: XZ, 5: LZ4, 6: Zstd}

// decoder returns a decoder of a block in s.in, of n bytes.
func (s *squash) decoder(n int) (io.Reader, error) {
	if s.comp == 1 {
		if s.zlib != nil {
			return s.zlib, s.zlib.(zlib.Resetter).Reset(s.in, nil)
		}
		var err error
		s.zlib, err = zlib.NewReader(s.in)
		return s.zlib, err
	}
	if s.own == nil && int(s.comp) < len(squashKinds) {
		s.own = s.w.own(s.in, squashKinds[s.comp])
	}
	switch z := s.own.(type) {
	case *unpack.XZ:
		z.Reset(s.in)
	case *unpack.Zstd:
		z.Reset(s.in)
	case *unpack.LZ4:
		z.Block(s.in, n)
	default:
		return nil, fmt.Errorf("compression %d of squashfs (1 gzip, 4 xz, 5 lz4 and 6 zstd are read)", s.comp)
	}
	return s.own, nil
}

// unpack decompresses a block of at most len(out) bytes.
func (s *squash) unpack(in, out []byte) (n int, err error) {
	s.in.Reset(bytes.NewReader(in))
	z, err := s.decoder(len(in))
	if err != nil {
		return 0, err
	}
	n, err = io.ReadFull(z, out)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return n, errors.Join(err, s.w.call(s.w.Spend(int64(n))))
}

// meta returns the block of metadata at an offset, and where the next one is.
func (s *squash) meta(at int64) (b squashBlock, err error) {
	if b, ok := s.cache[at]; ok {
		return b, nil
	}
	var h [2]byte
	if at < 0 || at > s.size-2 {
		return b, errors.New("metadata is outside of the image")
	}
	if _, err := s.r.ReadAt(h[:], at); err != nil {
		return b, err
	}
	v := binary.LittleEndian.Uint16(h[:])
	n := int64(v &^ (1 << 15))
	if n == 0 || n > squashMeta || n > s.size-at-2 {
		return b, errors.New("a block of metadata is wrong")
	}
	in := make([]byte, n)
	if _, err := s.r.ReadAt(in, at+2); err != nil {
		return b, err
	}
	b = squashBlock{in, at + 2 + n}
	if v&(1<<15) == 0 {
		out := make([]byte, squashMeta)
		k, err := s.unpack(in, out)
		if err != nil {
			return b, err
		}
		b.data = out[:k]
	}
	if len(s.cache) >= squashCached {
		clear(s.cache)
	}
	s.cache[at] = b
	return b, nil
}

// squashCursor reads metadata in order.
type squashCursor struct {
	s   *squash
	at  int64 // of the block
	off int
}

func (s *squash) cursor(table, block, off uint64) *squashCursor {
	return &squashCursor{s, int64(min(table+block, 1<<62)), int(off)}
}

func (c *squashCursor) read(b []byte) error {
	for len(b) > 0 {
		m, err := c.s.meta(c.at)
		if err != nil {
			return err
		}
		if c.off >= len(m.data) {
			if c.off > len(m.data) || len(m.data) < squashMeta {
				return errors.New("metadata ends too early")
			}
			c.at, c.off = m.next, 0
			continue
		}
		n := copy(b, m.data[c.off:])
		b, c.off = b[n:], c.off+n
	}
	return nil
}

// dir reads the directory whose inode is at ref.
func (s *squash) dir(at place, name string, ref uint64, depth int) error {
	if err := s.visited.add(ref, depth); err != nil {
		return err
	}
	c := s.cursor(s.inodes, ref>>16, ref&0xffff)
	var b [40]byte
	if err := c.read(b[:16]); err != nil {
		return err
	}
	le := binary.LittleEndian
	var block, off uint64
	var size int64
	switch le.Uint16(b[:]) {
	case 1:
		if err := c.read(b[:16]); err != nil {
			return err
		}
		block, size, off = uint64(le.Uint32(b[:])), int64(le.Uint16(b[8:])), uint64(le.Uint16(b[10:]))
	case 8:
		if err := c.read(b[:24]); err != nil {
			return err
		}
		block, size, off = uint64(le.Uint32(b[8:])), int64(le.Uint32(b[4:])), uint64(le.Uint16(b[18:]))
	default:
		return errors.New("a directory has the inode of something else")
	}
	list := s.cursor(s.dirs, block, off)
	for size -= 3; size > 0; {
		if err := list.read(b[:12]); err != nil {
			return err
		}
		n, start := le.Uint32(b[:]), uint64(le.Uint32(b[4:]))
		if n > 255 {
			return errors.New("a directory is wrong")
		}
		size -= 12
		for range n + 1 {
			if err := list.read(b[:8]); err != nil {
				return err
			}
			inode, kind := start<<16|uint64(le.Uint16(b[:])), le.Uint16(b[4:])
			text := make([]byte, int(le.Uint16(b[6:]))+1)
			if len(text) > 256 {
				return errors.New("a name is too long")
			}
			if err := list.read(text); err != nil {
				return err
			}
			size -= 8 + int64(len(text))
			path := name + "/" + string(text)
			var err error
			switch kind {
			case 1:
				err = s.dir(at, path, inode, depth+1)
			case 2:
				err = s.file(at, path, inode)
			}
			if err = s.w.ended(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// file reads a file.
func (s *squash) file(at place, name string, ref uint64) error {
	path, ok, err := s.w.clean(at, name)
	if err != nil || !ok {
		return err
	}
	c := s.cursor(s.inodes, ref>>16, ref&0xffff)
	var b [40]byte
	if err := c.read(b[:16]); err != nil {
		return err
	}
	le := binary.LittleEndian
	f := &squashFile{s: s, sizes: c}
	var frag, fragOff uint32
	switch le.Uint16(b[:]) {
	case 2:
		if err := c.read(b[:16]); err != nil {
			return err
		}
		f.at, frag, fragOff, f.left = int64(le.Uint32(b[:])), le.Uint32(b[4:]), le.Uint32(b[8:]), int64(le.Uint32(b[12:]))
	case 9:
		if err := c.read(b[:40]); err != nil {
			return err
		}
		f.at, f.left, frag, fragOff = int64(le.Uint64(b[:])), int64(le.Uint64(b[8:])), le.Uint32(b[28:]), le.Uint32(b[32:])
	default:
		return errors.New("a file has the inode of something else")
	}
	if f.left < 0 || f.at < 0 {
		return errors.New("the inode of a file is wrong")
	}
	f.frag, f.fragOff = uint64(frag), int64(fragOff)
	return s.w.entry(at, path, f.left, f)
}

// squashFile reads the blocks of a file, and its last bytes, which share a block with those of other files.
type squashFile struct {
	s       *squash
	sizes   *squashCursor
	at      int64
	left    int64
	frag    uint64
	fragOff int64
	buf     []byte // a block of its own: files may be read in between
	now     []byte
}

func (f *squashFile) Read(b []byte) (int, error) {
	for len(f.now) == 0 {
		if f.left == 0 {
			return 0, io.EOF
		}
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n := copy(b, f.now)
	f.now = f.now[n:]
	return n, nil
}

// next reads the next block.
func (f *squashFile) next() error {
	s := f.s
	n := min(f.left, s.block)
	if f.frag != squashNoFrag && f.left < s.block {
		data, err := s.fragment(f.frag)
		if err != nil {
			return err
		}
		if f.fragOff > int64(len(data)) || n > int64(len(data))-f.fragOff {
			return errors.New("a file is outside of its fragment")
		}
		f.now, f.left = data[f.fragOff:f.fragOff+n], 0
		return nil
	}
	var b [4]byte
	if err := f.sizes.read(b[:]); err != nil {
		return err
	}
	size := binary.LittleEndian.Uint32(b[:])
	if f.buf == nil {
		f.buf = make([]byte, s.block)
	}
	f.now, f.left = f.buf[:n], f.left-n
	if size == 0 {
		clear(f.now)
		return s.w.call(s.w.Spend(n))
	}
	k, err := s.data(f.at, size, f.buf)
	if err != nil {
		return err
	}
	f.at += int64(size &^ squashPlain)
	if int64(k) != n {
		return errors.New("a block has the wrong size")
	}
	return nil
}

// data reads a block of data, whose size says whether it is compressed.
func (s *squash) data(at int64, size uint32, out []byte) (int, error) {
	n := int64(size &^ squashPlain)
	if n > s.block || at > s.size || n > s.size-at {
		return 0, errors.New("a block is outside of the image")
	}
	if size&squashPlain != 0 {
		return int(n), readFullAt(s.r, out[:n], at)
	}
	if err := readFullAt(s.r, s.raw[:n], at); err != nil {
		return 0, err
	}
	return s.unpack(s.raw[:n], out)
}

func readFullAt(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	return err
}

// fragment returns a block that has the last bytes of several files.
func (s *squash) fragment(i uint64) ([]byte, error) {
	if s.fragAt == i {
		return s.frag, nil
	}
	at := s.frags + i/512*8
	if i >= s.fragCount || s.frags > uint64(s.size) || at > uint64(s.size)-8 {
		return nil, errors.New("a fragment is outside of the image")
	}
	var b [16]byte
	if err := readFullAt(s.r, b[:8], int64(at)); err != nil {
		return nil, err
	}
	c := s.cursor(0, binary.LittleEndian.Uint64(b[:]), i%512*16)
	if err := c.read(b[:]); err != nil {
		return nil, err
	}
	if s.frag == nil {
		s.frag = make([]byte, s.block)
	}
	s.fragAt = squashNoFrag
	n, err := s.data(int64(min(binary.LittleEndian.Uint64(b[:]), 1<<62)), binary.LittleEndian.Uint32(b[8:]), s.frag[:s.block])
	if err != nil {
		return nil, err
	}
	s.frag, s.fragAt = s.frag[:n], i
	return s.frag, nil
}
