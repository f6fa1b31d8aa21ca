package entries

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
)

// archive is an archive that is drawn.
type archive struct {
	*rand.Rand
	bytes.Buffer
	program []byte   // an object file with a .sframe section
	want    []string // the programs in it
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
	a.want, a.harmed = data.want, data.harmed
	a.ar(func(member func(string, []byte)) {
		member("debian-binary", []byte("2.0\n"))
		member("control.tar.gz", gzipped(control.Bytes()))
		member("data.tar"+suffix, data.Bytes())
		a.junk(func() { member("data.tar"+suffix, data.Bytes()) })
	})
}
