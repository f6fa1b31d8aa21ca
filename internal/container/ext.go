package container

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

const (
	extSuper       = 1024
	extRoot        = 2
	extExtents     = 0x80000
	extInline      = 0x10000000
	extMagic       = 0xf30a
	extMostExtents = 1 << 20
)

// ext reads an image of ext2, ext3 or ext4.
type ext struct {
	w         *walk
	r         io.ReaderAt
	size      int64
	block     int64
	perGroup  uint64 // inodes
	inodes    uint64
	inodeSize int64
	descSize  int64
	descs     int64 // where the descriptors of groups are
	visited   visited
}

// ext reads an image.
func (w *walk) ext(at place, r io.ReaderAt, size int64) error {
	var b [512]byte
	if err := readFullAt(r, b[:], extSuper); err != nil {
		return err
	}
	le := binary.LittleEndian
	shift := le.Uint32(b[24:])
	x := &ext{w: w, r: w.readAt(r), size: size, perGroup: uint64(le.Uint32(b[40:])), inodes: uint64(le.Uint32(b[0:])), inodeSize: 128,
		descSize: 32, visited: visited{w: w}}
	defer x.visited.drop()
	if shift > 6 || x.perGroup == 0 {
		return errors.New("its header is wrong")
	}
	x.block = 1 << (10 + shift)
	if le.Uint32(b[76:]) > 0 {
		x.inodeSize = int64(le.Uint16(b[88:]))
	}
	if le.Uint32(b[96:])&0x80 != 0 { // 64 bits
		x.descSize = int64(le.Uint16(b[254:]))
	}
	if x.inodeSize < 128 || x.inodeSize > x.block || x.descSize < 32 || x.descSize > x.block {
		return errors.New("its header is wrong")
	}
	x.descs = (int64(le.Uint32(b[20:])) + 1) * x.block
	return x.dir(at, "", extRoot, 0)
}

// inode reads an inode.
func (x *ext) inode(n uint64) (b [128]byte, err error) {
	if n == 0 || n > x.inodes {
		return b, errors.New("an inode is outside of the image")
	}
	le := binary.LittleEndian
	var d [64]byte
	desc := d[:min(x.descSize, 64)]
	if err := readFullAt(x.r, desc, x.descs+int64((n-1)/x.perGroup)*x.descSize); err != nil {
		return b, err
	}
	table := uint64(le.Uint32(desc[8:]))
	if len(desc) == 64 {
		table |= uint64(le.Uint32(desc[40:])) << 32
	}
	if table > uint64(x.size/x.block) {
		return b, errors.New("a table of inodes is outside of the image")
	}
	return b, readFullAt(x.r, b[:], int64(table)*x.block+int64((n-1)%x.perGroup)*x.inodeSize)
}

// dir reads a directory.
func (x *ext) dir(at place, name string, n uint64, depth int) error {
	if err := x.visited.add(n, depth); err != nil {
		return err
	}
	inode, err := x.inode(n)
	if err != nil {
		return err
	}
	f, err := x.open(&inode)
	if err != nil {
		return err
	}
	defer f.drop()
	le := binary.LittleEndian
	b := make([]byte, x.block)
	for off := int64(0); off < f.size; off += x.block {
		if err := x.w.call(x.w.Step()); err != nil {
			return err
		}
		if _, err := f.ReadAt(b, off); err != nil && err != io.EOF {
			return err
		}
		for i := 0; i+8 <= len(b); {
			child, length, chars := uint64(le.Uint32(b[i:])), int(le.Uint16(b[i+4:])), int(b[i+6])
			if length < 8 || i+length > len(b) || 8+chars > length {
				return errors.New("a directory is wrong")
			}
			text := string(b[i+8 : i+8+chars])
			i += length
			if child == 0 || text == "." || text == ".." || text == "" {
				continue
			}
			if err := x.w.ended(x.child(at, name+"/"+text, child, depth)); err != nil {
				return err
			}
		}
	}
	return nil
}

// child reads an entry of a directory.
func (x *ext) child(at place, name string, n uint64, depth int) error {
	inode, err := x.inode(n)
	if err != nil {
		return err
	}
	switch binary.LittleEndian.Uint16(inode[:]) & 0o170000 {
	case 0o040000:
		return x.dir(at, name, n, depth+1)
	case 0o100000:
	default:
		return nil
	}
	path, ok, err := x.w.clean(at, name)
	if err != nil || !ok {
		return err
	}
	f, err := x.open(&inode)
	if err != nil {
		return err
	}
	defer f.drop()
	if f.size == 0 || f.inline {
		return nil
	}
	return x.w.entry(at, path, f.size, io.NewSectionReader(f, 0, f.size))
}

// extFile is a file, whose blocks extents or a tree of blocks lead to.
type extFile struct {
	x       *ext
	size    int64
	inline  bool // its few bytes are in the inode
	extents []extent
	held    int64     // memory of the extents
	tree    *[60]byte // nil for extents
	level   [3][]byte // the last blocks of the tree that were read
	levelAt [3]uint32
}

type extent struct {
	at, n uint64 // blocks
	from  uint64 // 0 for a hole
}

// extentMemory is what an extent takes in memory while the list grows, in bytes.
const extentMemory = 48

func (x *ext) open(inode *[128]byte) (*extFile, error) {
	le := binary.LittleEndian
	f := &extFile{x: x, size: int64(le.Uint32(inode[4:])) | int64(le.Uint32(inode[108:]))<<32}
	if f.size < 0 {
		return nil, errors.New("the size of a file is wrong")
	}
	flags := le.Uint32(inode[32:])
	f.inline = flags&extInline != 0
	if f.inline {
		f.size = 0
		return f, nil
	}
	if flags&extExtents == 0 {
		f.tree = new([60]byte)
		copy(f.tree[:], inode[40:])
		return f, nil
	}
	err := f.collect(inode[40:100], 5)
	if err == nil && !slices.IsSortedFunc(f.extents, func(a, b extent) int { return cmp.Compare(a.at, b.at) }) {
		err = errors.New("the extents of a file are wrong")
	}
	if err != nil {
		f.drop()
	}
	return f, err
}

// drop gives the memory of the extents back.
func (f *extFile) drop() {
	_ = f.x.w.Hold(-f.held)
	f.held = 0
}

// collect adds the extents of a node.
func (f *extFile) collect(b []byte, most int) error {
	le := binary.LittleEndian
	n, depth := int(le.Uint16(b[2:])), int(le.Uint16(b[6:]))
	if le.Uint16(b) != extMagic || depth > most || 12+12*n > len(b) {
		return errors.New("the extents of a file are wrong")
	}
	if err := f.x.w.call(f.x.w.Step()); err != nil {
		return err
	}
	for i := range n {
		e := b[12+12*i:]
		if depth > 0 {
			block := uint64(le.Uint32(e[4:])) | uint64(le.Uint16(e[8:]))<<32
			if block >= uint64(f.x.size/f.x.block) {
				return errors.New("the extents of a file are outside of the image")
			}
			node := make([]byte, f.x.block)
			if err := readFullAt(f.x.r, node, int64(block)*f.x.block); err != nil {
				return err
			}
			if err := f.collect(node, depth-1); err != nil {
				return err
			}
			continue
		}
		length, from := uint64(le.Uint16(e[4:])), uint64(le.Uint32(e[8:]))|uint64(le.Uint16(e[6:]))<<32
		if length > 1<<15 { // it has no bytes yet
			length, from = length-1<<15, 0
		}
		if len(f.extents) >= extMostExtents {
			return errors.New("a file has too many extents")
		}
		if len(f.extents) == cap(f.extents) {
			more := max(len(f.extents), 4)
			if err := f.x.w.take(int64(more) * extentMemory); err != nil {
				return err
			}
			f.held += int64(more) * extentMemory
			f.extents = slices.Grow(f.extents, more)
		}
		f.extents = append(f.extents, extent{uint64(le.Uint32(e)), length, from})
	}
	return nil
}

// find returns the block of the image that has a block of the file, 0 for a hole, and how many follow it.
func (f *extFile) find(n uint64) (block, count uint64, err error) {
	if f.tree != nil {
		block, err = f.walk(n)
		return block, 1, err
	}
	i, ok := slices.BinarySearchFunc(f.extents, n, func(e extent, n uint64) int { return cmp.Compare(e.at, n) })
	if !ok {
		i--
	}
	if i >= 0 {
		if e := f.extents[i]; n < e.at+e.n {
			if e.from == 0 {
				return 0, e.at + e.n - n, nil
			}
			return e.from + n - e.at, e.at + e.n - n, nil
		}
	}
	return 0, 1, nil
}

// walk looks a block up in the tree of ext2 and ext3.
func (f *extFile) walk(n uint64) (uint64, error) {
	le := binary.LittleEndian
	if n < 12 {
		return uint64(le.Uint32(f.tree[4*n:])), nil
	}
	n -= 12
	per := uint64(f.x.block / 4)
	span := per
	for depth := range 3 {
		if n >= span {
			n -= span
			span *= per
			continue
		}
		block := le.Uint32(f.tree[48+4*depth:])
		for level := depth; level >= 0; level-- {
			if block == 0 {
				return 0, nil
			}
			if f.levelAt[level] != block {
				if f.level[level] == nil {
					f.level[level] = make([]byte, f.x.block)
				}
				f.levelAt[level] = 0
				if err := readFullAt(f.x.r, f.level[level], int64(block)*f.x.block); err != nil {
					return 0, err
				}
				f.levelAt[level] = block
			}
			span /= per
			block = le.Uint32(f.level[level][4*(n/span%per):])
		}
		return uint64(block), nil
	}
	return 0, errors.New("a file has too many blocks")
}

func (f *extFile) ReadAt(b []byte, off int64) (n int, err error) {
	if off >= f.size {
		return 0, io.EOF
	}
	if left := f.size - off; int64(len(b)) > left {
		b, err = b[:left], io.EOF
	}
	for n < len(b) {
		at := off + int64(n)
		block, count, ferr := f.find(uint64(at / f.x.block))
		if ferr != nil {
			return n, ferr
		}
		in := at % f.x.block
		part := b[n:]
		if most := int64(min(count, 1<<20))*f.x.block - in; int64(len(part)) > most {
			part = part[:most]
		}
		switch {
		case block == 0:
			clear(part)
		case block >= uint64(f.x.size/f.x.block)+1:
			return n, errors.New("a block is outside of the image")
		default:
			if err := readFullAt(f.x.r, part, int64(block)*f.x.block+in); err != nil {
				return n, err
			}
		}
		n += len(part)
	}
	return n, err
}
