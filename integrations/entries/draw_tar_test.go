package entries

import (
	"encoding/binary"
	"fmt"
	"strings"
)

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
		a.want[len(a.want)-1] = full
	case form == 9 && len(text) > 0:
		records = append(records, [2]string{"GNU.sparse.size", fmt.Sprint(a.size(len(full)))}, [2]string{"GNU.sparse.numblocks", "2"},
			[2]string{"GNU.sparse.map", fmt.Sprintf("0,%d,%d,0", a.size(len(text)), a.size(len(full)))}, [2]string{"GNU.sparse.name", name})
		a.harmed = true // which is named
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
