package entries

import (
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strings"
)

// cpios writes cpio archives after each other.
func (a *archive) cpios() {
	for range 1 + a.IntN(2) {
		a.cpio()
		a.fill(512)
	}
}

func (a *archive) cpio() {
	magic := []string{"070701", "070702", "070707"}[a.IntN(3)]
	for range 1 + a.IntN(5) {
		a.cpioEntry(magic)
		a.junk(func() { a.cpioEntry(magic) })
	}
	a.cpioHeader(magic, 0, "TRAILER!!!", nil, 1, 0)
	a.junk(func() { a.cpioEntry(magic) })
}

// cpioEntry writes a file, all of its names, or something else.
func (a *archive) cpioEntry(magic string) {
	name, text := a.file()
	mode := []int{0o100644, 0o100644, 0o100644, 0o100644, 0o040755, 0o120777}[a.IntN(6)]
	if mode != 0o100644 {
		a.want[len(a.want)-1] = ""
		if text = nil; mode == 0o120777 {
			text = []byte("d0/f1")
		}
	}
	if a.hurt() {
		mode = a.IntN(16)<<12 | 0o644
	}
	links, inode := 1, 1+a.IntN(1<<15)
	if mode == 0o100644 && a.IntN(4) == 0 {
		links = 2 + a.IntN(2)
		for range links - 1 { // the last one has the bytes, in odc each
			other := []byte(nil)
			if magic == "070707" {
				other = text
				a.want = append(a.want, string(text))
			}
			a.cpioHeader(magic, mode, a.name(), other, links, inode)
		}
	}
	a.cpioHeader(magic, mode, name, text, links, inode)
}

func (a *archive) cpioHeader(magic string, mode int, name string, text []byte, links, inode int) {
	size, sum := a.size(len(text)), 0
	if magic == "070707" {
		fmt.Fprintf(a, "%s%06o%06o%06o%06o%06o%06o%06o%011o%06o%011o%s\x00", magic, 1, inode, mode, 0, 0, links, 0, 0, len(name)+1, size, name)
		a.Write(text)
		return
	}
	for _, c := range text {
		sum += int(c)
	}
	if magic == "070701" {
		sum = 0
	}
	a.Write(newc(magic, mode, name, size, links, inode, a.size(sum)))
	a.fill(4)
	a.Write(text)
	a.fill(4)
}

func newc(magic string, mode int, name string, size, links, inode, sum int) []byte {
	return fmt.Appendf(nil, "%s%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%s\x00", magic, inode, mode, 0, 0, links, 0, size, 0, 0, 0, 0, len(name)+1, sum, name)
}

// rpm writes a package. Its files have their names in its header, or in the cpio archive as others have. Hard links have their
// bytes once, with the last name, and where there are sizes in the archive none before.
func (a *archive) rpm() {
	be := binary.BigEndian
	var dirs, bases, sizes, modes, indexes, devices, inodes []byte
	own, n := a.IntN(2) == 0, 0
	body := &archive{Rand: a.Rand, program: a.program, harm: a.harm}
	add := func(mode, inode, links int, name string, text []byte, last bool) {
		dir, base := path.Split(name)
		dirs, bases = append(append(dirs, "/"+dir...), 0), append(append(bases, base...), 0)
		sizes, modes, indexes = be.AppendUint32(sizes, uint32(body.size(len(text)))), be.AppendUint16(modes, uint16(mode)), be.AppendUint32(indexes, uint32(n))
		devices, inodes = be.AppendUint32(devices, 1), be.AppendUint32(inodes, uint32(inode))
		if !last {
			text = nil
		}
		if own {
			fmt.Fprintf(body, "07070X%08X\x00\x00", n)
			body.Write(text)
			body.fill(4)
		} else {
			body.cpioHeader("070701", mode, "./"+strings.TrimPrefix(name, "./"), text, links, inode)
		}
		n++
	}
	for i := range 1 + a.IntN(5) {
		name, text := body.file()
		switch a.IntN(5) {
		case 0:
			body.want[len(body.want)-1] = ""
			add(0o120777, i+1, 1, fmt.Sprint("link", i), []byte("d0/f1"), true)
		case 1:
			links := 2 + a.IntN(2)
			for j := range links {
				add(0o100644, i+1, links, fmt.Sprint(name, "l", j), text, j == links-1)
			}
		default:
			add(0o100644, i+1, 1, name, text, true)
		}
		body.junk(func() { body.cpioEntry("070701") })
	}
	body.cpioHeader("070701", 0, "TRAILER!!!", nil, 1, 0)
	body.junk(func() { body.cpioEntry("070701") })
	header := func(tags [][2]uint32, parts ...[]byte) {
		store := slices.Concat(parts...)
		b := be.AppendUint32(be.AppendUint32([]byte("\x8e\xad\xe8\x01\x00\x00\x00\x00"), uint32(len(tags))), uint32(len(store)))
		at := 0
		for i, tag := range tags {
			count := uint32(n)
			if tag[1] == 6 {
				count = 1
			}
			b = be.AppendUint32(be.AppendUint32(be.AppendUint32(be.AppendUint32(b, tag[0]), tag[1]), uint32(at)), count)
			at += len(parts[i])
		}
		a.Write(append(b, store...))
	}
	a.WriteString("\xed\xab\xee\xdb\x03\x00\x00\x00\x00\x01x\x00")
	a.Write(make([]byte, 64))
	a.WriteString("\x00\x01\x00\x05")
	a.Write(make([]byte, 16))
	header([][2]uint32{{1000, 4}}, be.AppendUint32(nil, uint32(body.Len())))
	a.Write(make([]byte, -a.Len()&7))
	header([][2]uint32{{1000, 6}, {1001, 6}, {1002, 6}, {1028, 4}, {1095, 4}, {1096, 4}, {1116, 4}, {1030, 3}, {1117, 8}, {1118, 8}, {1124, 6}, {1125, 6}},
		[]byte("x\x00"), []byte("1\x00"), []byte("1\x00\x00\x00"), sizes, devices, inodes, indexes, modes, bases, dirs, []byte("cpio\x00"), []byte("gzip\x00"))
	a.Write(gzipped(body.Bytes()))
	a.want, a.harmed = body.want, a.harmed || body.harmed
	a.junk(func() { a.Write(gzipped(body.Bytes())) })
}
