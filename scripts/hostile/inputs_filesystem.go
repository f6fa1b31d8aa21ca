//go:build linux

package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"slices"
)

// filesystemInputs are images of file systems that lead back to themselves, or claim more than they have.
func filesystemInputs(add func(name string, b func() []byte)) {
	add("a squashfs directory that is in itself", func() []byte {
		return squashOf(squashImage{inodes: dirInode(0, 0, 21), entries: dirList(1, 0, 0, 1)})
	})
	add("squashfs directories in 10,000 directories", func() []byte {
		var inodes, entries []byte
		for i := range 10_000 {
			inodes = append(inodes, dirInode(uint32(i*21/8192*8194), uint16(i*21%8192), 21)...)
			next := (i + 1) * 32
			entries = append(entries, dirList(1, uint32(next/8192*8194), uint16(next%8192), 1)...)
		}
		return squashOf(squashImage{inodes: inodes, entries: entries})
	})
	add("ten million squashfs directories", func() []byte { return manyDirs(10_000_000) })
	block := deflated(append([]byte(elfHead), make([]byte, 1<<20-len(elfHead))...))
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(block)))
	names := func(file []byte) squashImage {
		list := dirList(2, 0, 40, 60_000)
		return squashImage{inodes: append(dirInode(0, 0, uint32(len(list))), file...), entries: list, packed: true, data: string(block)}
	}
	add("60,000 squashfs names of a file of 60 MiB of holes", func() []byte {
		return squashOf(names(fileInode(60<<20, noFragment, 0, append(size, make([]byte, 59*4)...))))
	})
	add("60,000 squashfs names of a file that claims 4 GiB", func() []byte { return squashOf(names(fileInode(1<<32-1, noFragment, 0, size))) })
	add("squashfs fragments that are their own table", func() []byte {
		s := names(fileInode(100, 0, 0, nil))
		s.fragments = 1 << 31
		return squashOf(s)
	})
	add("ext extents that lead back to their block", func() []byte { return extOf(extents(10), nil) })
	add("ext extents that meet again, 84 times in 5 levels", func() []byte { return extOf(extents(11), nil) })
	add("200 ext directories with 500,000 extents in each other", deepExtents)
	add("an ext directory that is in itself", func() []byte { return extOf(blockMap(dirMode, 5, 1024), blockMap(dirMode, 5, 1024)) })
	add("an ext directory of one block, 2^22 times", func() []byte { return extOf(blockMap(dirMode, 16, 1<<32-1024), blockMap(fileMode, 6, 600)) })
	add("an ext file of 60 MiB in one block, named 2^22 times", func() []byte {
		return extOf(blockMap(dirMode, 16, 1<<32-1024), blockMap(fileMode, 6, 60<<20))
	})
	add("an ext directory of 8 EiB, a hole", func() []byte {
		root := blockMap(dirMode, 0, 1<<32-1)
		binary.LittleEndian.PutUint32(root[108:], 1<<31-1)
		return extOf(root, nil)
	})
	add("an ISO directory that is in itself", func() []byte { return isoOf(isoEntry("A", 20, 2048, 2)) })
	add("ISO directories in 10,000 directories", func() []byte {
		var all []byte
		for i := range 10_000 {
			all = append(all, isoSector(isoEntry("A", uint32(21+i), 2048, 2))...)
		}
		return isoOf(all)
	})
	file := func(flags byte) []byte { return isoEntry("A", 19, 1<<32-1, flags) } // sector 19 has an ELF header
	add("an ISO file of 4,000 parts of 4 GiB", func() []byte { return isoOf(isoMany(4000, file(0x80))) })
	add("an ISO file in 60,000 parts of a sector", func() []byte { return isoOf(isoMany(60_000, isoEntry("A", 19, 2048, 0x80))) })
	add("an ISO image with the names of one file, a million times", func() []byte { return isoOf(isoMany(1_000_000, isoEntry("A", 19, 2048, 0))) })
	add("an ISO directory that claims 4 GiB", func() []byte { return isoOf(isoMany(60, isoEntry("A", 21, 1<<32-1, 2))) })
	add("an AppImage whose image leads back to it", func() []byte {
		le := binary.LittleEndian
		b := make([]byte, 64)
		copy(b, elfHead+"\x00AI\x02")
		for at, v := range map[int]uint16{16: 2, 18: 62, 20: 1, 40: 64, 52: 64, 58: 64, 60: 1} {
			le.PutUint16(b[at:], v)
		}
		return append(append(b, make([]byte, 64)...), squashOf(squashImage{inodes: dirInode(0, 0, 21), entries: dirList(1, 0, 0, 1)})...)
	})
}

// squashImage is what a small image of squashfs has.
type squashImage struct {
	inodes, entries []byte
	packed          bool // the metadata is compressed
	data            string
	fragments       uint32
}

const noFragment = 1<<32 - 1

// meta writes blocks of metadata.
func meta(b []byte, packed bool) (out []byte) {
	for part := range slices.Chunk(b, 8192) {
		if !packed {
			out = binary.LittleEndian.AppendUint16(out, uint16(len(part))|1<<15)
			out = append(out, part...)
			continue
		}
		z := deflated(part)
		out = append(binary.LittleEndian.AppendUint16(out, uint16(len(z))), z...)
	}
	return out
}

func deflated(b []byte) []byte {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	must(w.Write(b))
	must(0, w.Close())
	return z.Bytes()
}

// squashOf makes an image. Its root is the first inode.
func squashOf(s squashImage) []byte {
	le := binary.LittleEndian
	b := make([]byte, 96)
	copy(b, "hsqs")
	le.PutUint32(b[4:], 10)
	le.PutUint32(b[12:], 1<<20)
	le.PutUint32(b[16:], s.fragments)
	le.PutUint16(b[20:], 1)
	le.PutUint16(b[22:], 20)
	le.PutUint16(b[28:], 4)
	b = append(b, s.data...)
	le.PutUint64(b[64:], uint64(len(b)))
	b = append(b, meta(s.inodes, s.packed)...)
	le.PutUint64(b[72:], uint64(len(b)))
	b = append(b, meta(s.entries, s.packed)...)
	le.PutUint64(b[80:], uint64(len(b)))
	b = le.AppendUint64(b, uint64(len(b))) // a fragment's entry is where the table is
	return append(b, make([]byte, 4096-len(b)%4096)...)
}

// dirInode is the inode of a directory whose list has so many bytes.
func dirInode(block uint32, off uint16, size uint32) []byte {
	le := binary.LittleEndian
	b := make([]byte, 40)
	if size < 1<<16-3 {
		le.PutUint16(b, 1)
		le.PutUint32(b[16:], block)
		le.PutUint16(b[24:], uint16(size+3))
		le.PutUint16(b[26:], off)
		return b[:32]
	}
	le.PutUint16(b, 8)
	le.PutUint32(b[20:], size+3)
	le.PutUint32(b[24:], block)
	le.PutUint16(b[34:], off)
	return b
}

// dirList has n entries "a" of a directory, of the kind 1 for a directory and 2 for a file.
func dirList(kind uint16, block uint32, off uint16, n int) (b []byte) {
	le := binary.LittleEndian
	for n > 0 {
		now := min(n, 256)
		n -= now
		b = le.AppendUint32(b, uint32(now-1))
		b = le.AppendUint32(b, block)
		b = le.AppendUint32(b, 1)
		for range now {
			b = le.AppendUint16(b, off)
			b = le.AppendUint16(b, 0)
			b = le.AppendUint16(b, kind)
			b = append(le.AppendUint16(b, 0), 'a')
		}
	}
	return b
}

// fileInode is the inode of a file whose blocks have these sizes.
func fileInode(size, fragment, off uint32, sizes []byte) []byte {
	le := binary.LittleEndian
	b := make([]byte, 32)
	le.PutUint16(b, 2)
	le.PutUint32(b[16:], 96)
	le.PutUint32(b[20:], fragment)
	le.PutUint32(b[24:], off)
	le.PutUint32(b[28:], size)
	return append(b, sizes...)
}

// manyDirs is an image with n empty directories, each with an inode of its own.
func manyDirs(n int) []byte {
	empty := dirInode(0, 0, 0)
	inodes := deflated(bytes.Repeat(empty, 256))
	block := append(binary.LittleEndian.AppendUint16(nil, uint16(len(inodes))), inodes...)
	var lists []byte
	blocks := n / 256
	size := 0
	for i := range blocks {
		list := dirList(1, uint32(len(block)*(i+1)), 0, 256)
		for j := range 256 {
			binary.LittleEndian.PutUint16(list[12+9*j:], uint16(32*j))
		}
		lists = append(lists, list...)
		size += len(list)
	}
	root := append(dirInode(0, 0, uint32(size)), make([]byte, 8192-40)...)
	first := deflated(root)
	for len(first) < len(inodes) { // all blocks have the same size
		first = append(first, 0)
	}
	s := squashOf(squashImage{packed: true})
	le := binary.LittleEndian
	b := s[:96]
	le.PutUint64(b[64:], uint64(len(b)))
	le.PutUint16(b[32:], 0)
	b = append(append(le.AppendUint16(b, uint16(len(first))), first...), bytes.Repeat(block, blocks)...)
	le.PutUint64(b[72:], uint64(len(b)))
	b = append(b, meta(lists, true)...)
	return append(b, make([]byte, 4096-len(b)%4096)...)
}

// extOf is an image of ext4 with blocks of 1 KiB: the root, and inode 11.
func extOf(root, file []byte) []byte {
	le := binary.LittleEndian
	b := make([]byte, 64<<10)
	super := b[1024:]
	le.PutUint32(super, 1<<16)
	le.PutUint32(super[4:], 64)
	le.PutUint32(super[20:], 1)
	le.PutUint32(super[32:], 8192)
	le.PutUint32(super[40:], 1<<16)
	le.PutUint16(super[56:], 0xef53)
	le.PutUint32(b[2048+8:], 3) // inodes are in block 3
	copy(b[3072+128:], root)
	copy(b[3072+10*128:], file)
	// Block 5 is a directory, and so is block 16, which names only the file in block 6.
	for i, inode := range []uint32{11, 2} {
		e := b[5*1024+i*512:]
		le.PutUint32(e, inode)
		le.PutUint16(e[4:], 512)
		e[6], e[8] = 1, byte('a'+i)
	}
	copy(b[6*1024:], elfHead)
	dir := b[16*1024:]
	le.PutUint32(dir, 11)
	le.PutUint16(dir[4:], 1024)
	dir[6], dir[8] = 1, 'a'
	// The blocks 7 to 9 lead to the blocks of the file that needs them.
	for i := range 256 {
		copy(b[7*1024+4*i:], root[40:44])
		le.PutUint32(b[8*1024+4*i:], 7)
		le.PutUint32(b[9*1024+4*i:], 8)
	}
	// A node of extents that leads to itself, and nodes that lead to the next one.
	copy(b[10*1024:], extentNode(84, 4, 10))
	for i := range 5 {
		copy(b[(11+i)*1024:], extentNode(84, uint16(4-i), uint32(12+i)))
	}
	return b
}

const dirMode, fileMode = 0o040755, 0o100644

// blockMap is an inode whose blocks are all this one, 0 for a hole.
func blockMap(mode uint16, block, size uint32) []byte {
	le := binary.LittleEndian
	b := make([]byte, 128)
	le.PutUint16(b, mode)
	le.PutUint32(b[4:], size)
	for i := range 12 {
		le.PutUint32(b[40+4*i:], block)
	}
	for i := range 3 {
		if block != 0 {
			le.PutUint32(b[88+4*i:], uint32(7+i))
		}
	}
	return b
}

// extentNode has n entries that lead to a block.
func extentNode(n, depth uint16, block uint32) []byte {
	le := binary.LittleEndian
	b := make([]byte, 12+12*int(n))
	le.PutUint16(b, 0xf30a)
	le.PutUint16(b[2:], n)
	le.PutUint16(b[4:], n)
	le.PutUint16(b[6:], depth)
	for i := range int(n) {
		le.PutUint32(b[12+12*i+4:], block)
	}
	return b
}

// extents is the inode of a directory with extents that a block has.
func extents(block uint32) []byte {
	le := binary.LittleEndian
	b := make([]byte, 128)
	le.PutUint16(b, dirMode)
	le.PutUint32(b[4:], 1<<20)
	le.PutUint32(b[32:], 0x80000)
	copy(b[40:], extentNode(4, 5, block))
	return b
}

// deepExtents is an image of directories in each other. Each has a block of its own, and after it extents that all of them
// share.
func deepExtents() []byte {
	le := binary.LittleEndian
	const dirs, node, first = 200, 40, 64 // blocks
	b := append(extOf(make([]byte, 128), nil), make([]byte, 2*dirs*1024)...)
	leaf := func(n uint16, at, from uint32) []byte {
		b := extentNode(n, 0, 0)
		for i := range int(n) {
			le.PutUint32(b[12+12*i:], at)
			le.PutUint32(b[12+12*i+4:], 1)
			le.PutUint32(b[12+12*i+8:], from)
		}
		return b
	}
	for i := range uint32(dirs) {
		own := first + 2*i
		inode := b[3072+128*(1+i):]
		copy(inode, extents(node))
		le.PutUint32(inode[4:], 1024)
		le.PutUint16(inode[42:], 2)
		le.PutUint32(inode[40+12+4:], own)
		copy(b[own*1024:], leaf(1, 0, own+1))
		entry := b[(own+1)*1024:]
		le.PutUint32(entry, 3+i)
		le.PutUint16(entry[4:], 1024)
		entry[6], entry[8] = 1, 'a'
	}
	copy(b[node*1024:], extentNode(84, 2, node+1))
	copy(b[(node+1)*1024:], extentNode(84, 1, node+2))
	copy(b[(node+2)*1024:], leaf(84, 7, 6))
	return b
}

// isoOf is an image whose root, from sector 20 on, has these entries. Sector 19 has an ELF header.
func isoOf(entries []byte) []byte {
	b := make([]byte, 20*2048)
	copy(b[19*2048:], elfHead)
	vol := b[16*2048:]
	copy(vol, "\x01CD001\x01")
	binary.LittleEndian.PutUint16(vol[128:], 2048)
	size := (len(entries) + 2047) / 2048 * 2048
	root := uint32(size)
	if len(entries) > 2048 && entries[34] == 0 { // a sector for each directory
		root = 2048
	}
	copy(vol[156:], isoEntry("\x00", 20, root, 2))
	b = append(b, entries...)
	return append(b, make([]byte, 64<<10+size-len(entries))...)
}

// isoSector fills a sector up.
func isoSector(b []byte) []byte { return append(b, make([]byte, 2048-len(b))...) }

// isoMany repeats an entry.
func isoMany(n int, entry []byte) (b []byte) {
	per := 2048 / len(entry)
	for ; n > 0; n -= per {
		b = append(b, isoSector(bytes.Repeat(entry, min(n, per)))...)
	}
	return b
}

func isoEntry(name string, sector, size uint32, flags byte) []byte {
	n := 33 + len(name)
	b := make([]byte, n+n%2)
	b[0] = byte(len(b))
	binary.LittleEndian.PutUint32(b[2:], sector)
	binary.LittleEndian.PutUint32(b[10:], size)
	b[25] = flags
	b[32] = byte(len(name))
	copy(b[33:], name)
	return b
}
