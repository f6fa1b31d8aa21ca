package entries

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// archive is an archive that is drawn.
type archive struct {
	*rand.Rand
	bytes.Buffer
	program []byte   // an object file with a .sframe section
	want    []string // the programs in it
	holes   bool     // a file has holes that not all programs know
	harm    bool     // it may be damaged
	harmed  bool     // it is
}

// kinds are the formats, by the end of a file's name.
var kinds = map[string]func(*archive){
	"tar": (*archive).tars, "zip": (*archive).zip, "whl": (*archive).zip, "cpio": (*archive).cpios, "rpm": (*archive).rpm,
	"a": func(a *archive) { a.ar(nil) }, "deb": (*archive).deb,
}

// hurt reports that the archive is damaged in a place.
func (a *archive) hurt() bool {
	if !a.harm || a.IntN(12) > 0 {
		return false
	}
	a.harmed = true
	return true
}

// size returns n or, in an archive that is damaged, another number.
func (a *archive) size(n int) int {
	if a.hurt() {
		return max(0, []int{0, 1, n - 1, n + 1, n / 2, 2 * n, n + 512, 512, 1 << 20}[a.IntN(9)])
	}
	return n
}

// junk is what is between other parts: nothing, and where the archive is damaged bytes, a program, or other entries.
func (a *archive) junk(entries func()) {
	if a.hurt() {
		switch a.IntN(4) {
		case 0:
			a.WriteString("some other bytes"[:1+a.IntN(15)])
		case 1:
			a.Write(a.text())
		case 2:
			a.Write(make([]byte, 1+a.IntN(1024)))
		default:
			entries()
		}
	}
}

// fill writes the bytes up to the next multiple of n.
func (a *archive) fill(n int) { a.pad(a.Len(), n) }

// pad writes what follows size bytes up to a multiple of n.
func (a *archive) pad(size, n int) {
	b := make([]byte, -size&(n-1))
	if len(b) > 0 && a.hurt() {
		b[a.IntN(len(b))] = byte(1 + a.IntN(255))
	}
	a.Write(b)
}

// name draws a path.
func (a *archive) name() string {
	name := fmt.Sprintf("d%d/f%d", a.IntN(3), a.IntN(40))
	switch a.IntN(12) {
	case 0:
		return "./" + name
	case 1:
		return name + " ä"
	case 2:
		return strings.Repeat("n", 60) + "/" + name
	}
	return name
}

// text draws the bytes of a file, mostly a program that no other file has.
func (a *archive) text() []byte {
	switch a.IntN(10) {
	case 0:
		return nil
	case 1:
		return []byte("some text"[:1+a.IntN(8)])
	case 2:
		return fmt.Appendf([]byte("\x7fELF"), "%0*d", 1+a.IntN(900), a.IntN(1000))
	}
	b := slices.Clone(a.program)
	binary.LittleEndian.PutUint64(b[bytes.Index(b, []byte("\xe2\xde"))+16:], a.Uint64())
	return append(b, make([]byte, a.IntN(600))...)
}

// file draws a file that the archive has.
func (a *archive) file() (name string, text []byte) {
	name, text = a.name(), a.text()
	a.want = append(a.want, string(text))
	return name, text
}

// gzipped compresses.
func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

// pack compresses all that was written, in one or two parts.
func (a *archive) pack() {
	all := slices.Clone(a.Bytes())
	at := a.IntN(len(all) + 1)
	a.Reset()
	a.Write(gzipped(all[:at]))
	a.junk(a.tar)
	a.Write(gzipped(all[at:]))
	a.junk(a.tar)
}

// tars writes tar archives, which may be compressed.
func (a *archive) tars() {
	for range 1 + a.IntN(2) {
		a.tar()
	}
	if a.IntN(4) == 0 {
		a.pack()
	}
}

func (a *archive) tar() {
	for range 1 + a.IntN(5) {
		a.tarEntry()
	}
	if a.IntN(4) > 0 {
		a.Write(make([]byte, 512*(1+a.IntN(3))))
		a.junk(a.tarEntry)
	}
}

// tarRecords are those of extended headers that change what is read.
var tarRecords = []string{"size", "path", "linkpath", "GNU.sparse.major", "GNU.sparse.minor", "GNU.sparse.name", "GNU.sparse.realsize",
	"GNU.sparse.size", "GNU.sparse.numblocks", "GNU.sparse.map", "GNU.sparse.offset", "GNU.sparse.numbytes", "SCHILY.realsize", "comment"}

// tarEntry writes an entry of one of the formats.
func (a *archive) tarEntry() {
	name, text := a.file()
	kind, hole, records := byte('0'), 100*a.IntN(20), [][2]string{}
	plain := func(k byte) {
		kind, text, a.want[len(a.want)-1] = k, nil, ""
	}
	full := string(text) + strings.Repeat("\x00", -len(text)&511+hole&^511)
	form := a.IntN(14)
	if form >= 7 && form <= 9 { // GNU tar writes whole blocks
		text = []byte(full[:(len(text)+511)&^511])
	}
	switch {
	case form == 0:
		plain('5')
	case form == 1:
		plain('2')
	case form == 2 && len(a.want) > 1:
		plain('1')
	case form == 3:
		kind = "7\x00"[a.IntN(2)]
	case form == 4:
		records = append(records, [2]string{"path", name}, [2]string{"comment", strings.Repeat("c", a.IntN(800))})
	case form == 5:
		records = append(records, [2]string{"size", fmt.Sprint(a.size(len(text)))})
	case form == 6:
		a.tarHeader("././@LongLink", 'L', len(name)+1, 0, false)
		a.WriteString(name + "\x00")
		a.fill(512)
	case form == 7 && len(text) > 0:
		kind, a.want[len(a.want)-1] = 'S', full
	case form == 8 && len(text) > 0:
		records = append(records, [2]string{"GNU.sparse.major", "1"}, [2]string{"GNU.sparse.minor", "0"}, [2]string{"GNU.sparse.name", name},
			[2]string{"GNU.sparse.realsize", fmt.Sprint(a.size(len(full)))})
		ranges := fmt.Sprintf("2\n0\n%d\n%d\n0\n", a.size(len(text)), a.size(len(full)))
		text = append([]byte(ranges+strings.Repeat("\x00", -len(ranges)&511)), text...)
		a.want[len(a.want)-1], a.holes = full, true
	case form == 9 && len(text) > 0:
		records = append(records, [2]string{"GNU.sparse.size", fmt.Sprint(a.size(len(full)))}, [2]string{"GNU.sparse.numblocks", "2"},
			[2]string{"GNU.sparse.map", fmt.Sprintf("0,%d,%d,0", a.size(len(text)), a.size(len(full)))}, [2]string{"GNU.sparse.name", name})
		a.want[len(a.want)-1], a.holes = full, true
	}
	if a.hurt() {
		kind = "0123456789SxgLKXNMVDAQ\x00"[a.IntN(23)]
	}
	for a.hurt() {
		values := []string{"0", "1", "512", fmt.Sprint(len(text)), "0,512", "d0/other", ""}
		records = append(records, [2]string{tarRecords[a.IntN(len(tarRecords))], values[a.IntN(len(values))]})
	}
	if len(records) > 0 {
		var b strings.Builder
		for _, r := range records {
			n := len(r[0]) + len(r[1]) + 3
			digits := len(fmt.Sprint(n))
			digits = len(fmt.Sprint(n + digits))
			fmt.Fprintf(&b, "%d %s=%s\n", n+digits, r[0], r[1])
		}
		extended := byte('x')
		if a.hurt() {
			extended = 'g'
		}
		a.tarHeader("x", extended, a.size(b.Len()), 0, false)
		a.WriteString(b.String())
		a.fill(512)
	}
	a.tarHeader(name, kind, a.size(len(text)), len(full)-len(text), form == 8 || form == 9)
	a.Write(text)
	a.pad(len(text), 512)
	a.junk(a.tarEntry)
}

// tarHeader writes a block.
func (a *archive) tarHeader(name string, kind byte, size, hole int, posix bool) {
	h := make([]byte, 512)
	copy(h[:100], name)
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], fmt.Sprintf("%011o", size))
	copy(h[136:], "00000000000")
	switch a.IntN(6) {
	case 0:
		copy(h[124:], fmt.Sprintf("%11o ", size))
	case 1:
		copy(h[124:], "\x80\x00\x00\x00")
		binary.BigEndian.PutUint64(h[128:], uint64(size))
	}
	if h[156] = kind; kind == '1' || kind == '2' {
		copy(h[157:], "d0/f1")
	}
	if kind == 'S' {
		copy(h[257:], "ustar  ")
		copy(h[386:], fmt.Sprintf("%011o\x00%011o\x00%011o\x00%011o\x00", 0, a.size(size), a.size(size+hole), 0))
		copy(h[483:], fmt.Sprintf("%011o", a.size(size+hole)))
	} else if copy(h[257:], "ustar\x0000"); !posix || a.hurt() {
		copy(h[257:], []string{"ustar\x0000", "ustar  ", "\x00\x00\x00\x00\x00\x00\x00\x00"}[a.IntN(3)])
	}
	sum := 8 * int(' ')
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", a.size(sum)))
	a.Write(h)
}

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

// zip writes an archive by both methods, with sizes before or after the bytes.
func (a *archive) zip() {
	le := binary.LittleEndian
	if a.IntN(4) == 0 {
		a.WriteString("#!/bin/sh\n")
	}
	var dir []byte
	n, base := 0, a.Len()*a.IntN(2)
	entry := func() {
		name, text := a.file()
		method, flags, data := a.IntN(2)*8, a.IntN(2)*8, text
		if method == 8 {
			var out bytes.Buffer
			w, _ := flate.NewWriter(&out, a.IntN(10))
			_, _ = w.Write(text)
			_ = w.Close()
			data = out.Bytes()
		}
		sum, at := int(crc32.ChecksumIEEE(text)), a.Len()-base
		part := func() []byte { // what both headers have
			m, f := method, flags
			if a.hurt() {
				m = []int{0, 8, 9, 12, 99}[a.IntN(5)]
			}
			if a.hurt() {
				f ^= []int{1, 8, 64, 2048}[a.IntN(4)]
			}
			b := le.AppendUint16(le.AppendUint16(le.AppendUint16(nil, 20), uint16(f)), uint16(m))
			b = append(b, 0, 0, 33, 0)
			return le.AppendUint32(le.AppendUint32(le.AppendUint32(b, uint32(a.size(sum))), uint32(a.size(len(data)))), uint32(a.size(len(text))))
		}
		local := part()
		if flags == 8 && a.IntN(2) == 0 {
			clear(local[10:])
		}
		extra := []string{"", "", "\x09\x09\x02\x00ab", ""}[a.IntN(4)]
		if a.hurt() {
			extra = string(le.AppendUint64(le.AppendUint64([]byte("\x01\x00\x10\x00"), uint64(a.size(len(text)))), uint64(len(data))))
		}
		lengths := le.AppendUint16(le.AppendUint16(nil, uint16(len(name))), uint16(len(extra)))
		a.WriteString("PK\x03\x04" + string(local) + string(lengths) + name + extra)
		a.Write(data)
		if flags == 8 {
			a.WriteString([]string{"PK\x07\x08", ""}[a.IntN(2)])
			for _, v := range []int{sum, len(data), len(text)} {
				a.Write(le.AppendUint32(nil, uint32(a.size(v))))
			}
		}
		if n > 0 && a.hurt() {
			return // the directory lacks it
		}
		n++
		dir = append(dir, "PK\x01\x02\x14\x00"+string(part())+string(lengths)...)
		dir = le.AppendUint32(append(dir, make([]byte, 10)...), uint32(a.size(at)))
		dir = append(dir, name+extra...)
	}
	for range 1 + a.IntN(5) {
		entry()
		a.junk(entry)
	}
	end := func(comment string) {
		at, size := a.Len()-base, len(dir)
		a.Write(dir)
		a.junk(entry)
		count := uint16(a.size(n))
		b := le.AppendUint16(le.AppendUint16([]byte("PK\x05\x06\x00\x00\x00\x00"), count), count)
		b = le.AppendUint32(le.AppendUint32(b, uint32(a.size(size))), uint32(a.size(at)))
		a.Write(append(le.AppendUint16(b, uint16(a.size(len(comment)))), comment...))
	}
	end(strings.Repeat("c", a.IntN(2)*a.IntN(100)))
	if a.hurt() { // a second directory, with other entries
		first := n
		dir, n = nil, 0
		entry()
		end("")
		n += first
	}
	a.junk(entry)
}

// ar writes an archive: members with names in the header, in a table and before the bytes.
func (a *archive) ar(first func(member func(name string, text []byte))) {
	a.WriteString("!<arch>\n")
	table := "a-name-that-is-too-long-for-a-header.o/\nanother-name-that-is-too-long.o/\n"
	member := func(name string, text []byte) {
		size := a.size(len(text))
		if a.hurt() {
			name = []string{"/", "//", "/0", "/99", "__.SYMDEF", "#1/4", "", "/SYM64/"}[a.IntN(8)]
		}
		fmt.Fprintf(a, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", name, 0, 0, 0, 0o100644, size)
		a.Write(text)
		if len(text)&1 > 0 {
			if a.WriteByte('\n'); a.hurt() {
				a.Truncate(a.Len() - 1)
				a.junk(func() {})
			}
		}
	}
	if first != nil {
		first(member)
	} else {
		long := a.IntN(2) == 0
		if long {
			member("//", []byte(table))
		}
		for range 1 + a.IntN(5) {
			_, text := a.file()
			switch name := fmt.Sprintf("f%d.o", a.IntN(40)); {
			case long && a.IntN(2) == 0:
				member([]string{"/0", "/40"}[a.IntN(2)], text)
			case a.IntN(6) == 0:
				member(fmt.Sprintf("#1/%d", 8), append([]byte((name + "\x00\x00\x00\x00")[:8]), text...))
			default:
				member(name+"/", text)
			}
			a.junk(func() { member("g.o/", a.text()) })
		}
	}
	a.junk(func() { member("g.o/", a.text()) })
}

// deb writes a Debian package.
func (a *archive) deb() {
	data, control := &archive{Rand: a.Rand, program: a.program, harm: a.harm}, &archive{Rand: a.Rand}
	control.tarHeader("control", '0', 9, 0, false)
	control.WriteString("Package: x\nVersion: 1\nArchitecture: all\nMaintainer: x\nDescription: x\n"[:9])
	control.fill(512)
	data.tar()
	suffix := ""
	if a.IntN(2) == 0 {
		data.pack()
		suffix = ".gz"
	}
	a.want, a.harmed, a.holes = data.want, data.harmed, data.holes
	a.ar(func(member func(string, []byte)) {
		member("debian-binary", []byte("2.0\n"))
		member("control.tar.gz", gzipped(control.Bytes()))
		member("data.tar"+suffix, data.Bytes())
		a.junk(func() { member("data.tar"+suffix, data.Bytes()) })
	})
}
