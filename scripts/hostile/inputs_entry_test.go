//go:build linux

package hostile

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// entryInputs are packages whose directories and headers lie: of zip, deb and rpm.
func entryInputs(add func(name string, b func() []byte)) {
	le := binary.LittleEndian
	add("a zip64 directory that claims 2^62 entries", func() []byte {
		b := zipOf(1, elfHead)
		end := bytes.LastIndex(b, []byte("PK\x05\x06"))
		at, dir := bytes.LastIndex(b, []byte("PK\x01\x02")), bytes.Clone(b[end:])
		big := make([]byte, 56+20)
		copy(big, "PK\x06\x06")
		le.PutUint64(big[32:], 1<<62)
		le.PutUint64(big[40:], uint64(end-at))
		le.PutUint64(big[48:], uint64(at))
		copy(big[56:], "PK\x06\x07")
		le.PutUint64(big[64:], uint64(end))
		le.PutUint16(dir[10:], 1<<16-1)
		return append(append(b[:end], big...), dir...)
	})
	add("a zip bomb of files that overlap and quote each other", quoting)
	add("a zip archive of 60,000 names of 64 KiB", func() []byte {
		b := zipOf(1, elfHead)
		at, end := bytes.LastIndex(b, []byte("PK\x01\x02")), bytes.LastIndex(b, []byte("PK\x05\x06"))
		entry, tail := bytes.Clone(b[at:at+46]), bytes.Clone(b[end:])
		le.PutUint16(entry[28:], 1<<16-1)
		le.PutUint16(entry[30:], 0)
		entry = append(entry, strings.Repeat("n/", 1<<15)[:1<<16-1]...)
		const times = 1600
		le.PutUint16(tail[10:], times)
		le.PutUint32(tail[12:], uint32(times*len(entry)))
		return append(append(b[:at], bytes.Repeat(entry, times)...), tail...)
	})
	add("zip archives in 1,000 zip archives", func() []byte {
		b := []byte(elfHead)
		for range 1000 {
			b = zipOf(1, string(b))
		}
		return b
	})
	add("zip archives of 60 MiB in each other", func() []byte {
		b := []byte(elfHead)
		for i := range 8 {
			var out bytes.Buffer
			w := zip.NewWriter(&out)
			f := must(w.CreateHeader(&zip.FileHeader{Name: "x", Method: zip.Store}))
			must(f.Write(b))
			if i == 0 {
				f = must(w.CreateHeader(&zip.FileHeader{Name: "y", Method: zip.Store}))
				must(io.Copy(f, zeros("", 58<<20)))
			}
			must(0, w.Close())
			b = out.Bytes()
		}
		return compressors[0].pack(bytes.NewReader(tarFile("x", string(b))))
	})
	add("a zip archive whose sizes are negative", func() []byte {
		b := zipOf(100, elfHead)
		for at := 0; ; {
			i := bytes.Index(b[at:], []byte("PK\x01\x02"))
			if i < 0 {
				return b
			}
			at += i
			le.PutUint32(b[at+20:], 1<<32-2)
			le.PutUint32(b[at+24:], 1<<31)
			at += 46
		}
	})
	add("zip in 60,000 comments of its own", func() []byte {
		return append(zipOf(1, elfHead), bytes.Repeat([]byte("PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00"), 60_000)...)
	})

	add("a deb with its data 1,000 times", func() []byte {
		data := compressors[0].pack(zeros(string(tarFile("x", elfHead))+string(tarFile("y", elfHead)), 16<<20))
		return append(debHead(), bytes.Repeat(member("data.tar.gz", data), 1000)...)
	})
	add("a deb of data that lies, cut off", func() []byte {
		b := append(debHead(), member("data.tar.gz", []byte(elfHead))...)
		b = append(b, member("data.tar.xz", compressors[0].pack(bytes.NewReader(tarFile("x", elfHead))))...)
		b = append(b, member("data.tar.zst", compressors[2].pack(bytes.NewReader(tarFile("y", elfHead))))...)
		return b[:len(b)-30]
	})
	add("debs in 1,000 debs", func() []byte {
		b := []byte(elfHead)
		for range 1000 {
			b = append(debHead(), member("data.tar", tarFile("x", string(b)))...)
		}
		return b
	})
	for _, size := range []string{"-1", "9999999999", "0x10", ""} {
		add(fmt.Sprintf("deb members of size %q", size), func() []byte {
			h := memberHeader("data.tar", 0)
			copy(h[48:58], fmt.Sprintf("%-10s", size))
			return append(debHead(), bytes.Repeat(h, 1000)...)
		})
	}

	add("an RPM header of 200 MiB of empty names, compressed", func() []byte { return compressors[0].pack(bytes.NewReader(rpmNames(200 << 20))) })
	add("an RPM header of 60 MiB of empty names, compressed", func() []byte { return compressors[0].pack(bytes.NewReader(rpmNames(60 << 20))) })
	add("an RPM header of 20 MiB of empty names, 100 times", func() []byte {
		return bytes.Repeat(compressors[0].pack(bytes.NewReader(tarFile("x", string(rpmNames(20<<20))))), 100)
	})
	add("RPM headers after each other", func() []byte {
		b := append([]byte("\xed\xab\xee\xdb\x03\x00"), make([]byte, 90)...)
		return append(b, bytes.Repeat([]byte("\x8e\xad\xe8\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 1<<20)...)
	})
	add("an RPM package in 1,000 of them", func() []byte {
		b := []byte(elfHead)
		for range 1000 {
			p := rpmOf(0, 0, 0)
			b = append(p[:bytes.Index(p, []byte("0707"))-64], cpioFile("x", string(b))...)
		}
		return b
	})
}

// quoting is a zip archive in which the data of each file has the headers of all files after it, as blocks that are
// stored: little data is decompressed by all of them, and no two files begin at the same place.
func quoting() []byte {
	const files = 2000
	var kernel bytes.Buffer
	w := must(flate.NewWriter(&kernel, 9))
	must(io.WriteString(w, elfHead))
	must(io.Copy(w, zeros("", 8<<20)))
	must(0, w.Close())
	le := binary.LittleEndian
	local := make([]byte, 31)
	copy(local, "PK\x03\x04\x14\x00\x00\x00\x08\x00")
	le.PutUint16(local[26:], 1)
	local[30] = 'x'
	// From the last file to the first one.
	rest := kernel.Bytes()
	size := 8<<20 + len(elfHead)
	var parts [][]byte // from the last to the first
	type entry struct{ fromEnd, packed, size int }
	var entries []entry
	length := len(rest)
	for range files {
		h := bytes.Clone(local)
		le.PutUint32(h[14:], crc32.ChecksumIEEE(nil))
		le.PutUint32(h[18:], uint32(length))
		le.PutUint32(h[22:], uint32(size))
		entries = append(entries, entry{length + len(h), length, size})
		quote := append([]byte{0}, le.AppendUint16(le.AppendUint16(nil, uint16(len(h))), ^uint16(len(h)))...)
		parts = append(parts, h, quote)
		length += len(h) + len(quote)
		size += len(h)
	}
	var b bytes.Buffer
	for i := len(parts) - 2; i >= 0; i-- { // nothing quotes the first header
		b.Write(parts[i])
	}
	b.Write(rest)
	end := b.Len()
	for i, e := range entries {
		h := make([]byte, 46)
		copy(h, "PK\x01\x02\x14\x00\x14\x00\x00\x00\x08\x00")
		le.PutUint32(h[20:], uint32(e.packed))
		le.PutUint32(h[24:], uint32(e.size))
		name := fmt.Sprint(i)
		le.PutUint16(h[28:], uint16(len(name)))
		le.PutUint32(h[42:], uint32(end-e.fromEnd))
		b.Write(h)
		b.WriteString(name)
	}
	tail := make([]byte, 22)
	copy(tail, "PK\x05\x06")
	le.PutUint16(tail[8:], files)
	le.PutUint16(tail[10:], files)
	le.PutUint32(tail[12:], uint32(b.Len()-end))
	le.PutUint32(tail[16:], uint32(end))
	b.Write(tail)
	return b.Bytes()
}

// rpmNames is an RPM package with so many empty names of files and of directories, and one file without a name of its own.
func rpmNames(n uint32) []byte {
	be := binary.BigEndian
	b := append([]byte("\xed\xab\xee\xdb\x03\x00"), make([]byte, 90)...)
	b = append(b, "\x8e\xad\xe8\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	b = append(b, "\x8e\xad\xe8\x01\x00\x00\x00\x00"...)
	b = be.AppendUint32(be.AppendUint32(b, 5), n)
	for _, tag := range [][3]uint32{{1028, 4, 1}, {1030, 3, 1}, {1116, 4, 1}, {1117, 8, n}, {1118, 8, n}} {
		for _, v := range []uint32{tag[0], tag[1], 0, tag[2]} {
			b = be.AppendUint32(b, v)
		}
	}
	return append(append(b, make([]byte, n)...), "07070X00000000\x00\x00"...)
}
