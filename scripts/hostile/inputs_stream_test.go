//go:build linux

package hostile

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// streamInputs are packages whose streams lie: of tar, cpio and compressed data.
func streamInputs(add func(name string, b func() []byte)) {
	zip := &compressors[0]
	add("4 GiB of zeros, bzip2", func() []byte { return bytes.Repeat(must(hex.DecodeString(bzip2Zeros)), 4<<30/45_000_000) })
	for _, c := range compressors {
		add("cut off in the middle, "+c.name, func() []byte {
			b := c.pack(strings.NewReader(string(tarFile("x", elfHead+strings.Repeat("x\n", 1<<20))) + strings.Repeat("y", 1<<20)))
			return b[:len(b)/2]
		})
		add("wrong checksums in 100,000 entries, "+c.name, func() []byte {
			b := c.pack(bytes.NewReader(tarFile("x", elfHead)))
			b[len(b)-5] ^= 1
			return bytes.Repeat(tarFile("x", string(b)), 20_000)
		})
	}
	add("gzip with a name of 100 MiB", func() []byte {
		return append([]byte("\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03"), bytes.Repeat([]byte("n"), 100<<20)...)
	})
	add("an xz index of 2^62 records", func() []byte { return append(xzHead(), "\x00\xff\xff\xff\xff\xff\xff\xff\xff\x3f\x00\x00"...) })
	add("an xz block that claims 2^62 bytes and a window of 4 GiB, 100,000 times", func() []byte {
		var b bytes.Buffer
		for range 100_000 {
			b.Write(tarFile("x", string(xzBlock())))
		}
		return b.Bytes()
	})
	add("zstd frames that claim all windows", func() []byte {
		var b bytes.Buffer
		for i := range 256 {
			b.Write(tarFile("x", fmt.Sprintf("\x28\xb5\x2f\xfd\x00%c\x03\x00\x00\x7f", rune(i%128))+strings.Repeat("\xff", 600)))
			b.Write(tarFile("y", "\x28\xb5\x2f\xfd\x00"+string([]byte{byte(i)})+"\x02\xff\x7f\x00"))
		}
		return bytes.Repeat(b.Bytes(), 30)
	})
	add("a zstd frame that claims 16 EiB", func() []byte {
		return append([]byte("\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\xff"), bytes.Repeat([]byte("\x02\x00\x10\x00"), 1<<20)...)
	})
	add("zstd windows of 128 MiB in each other", func() []byte {
		const window = 128 << 20
		var b []byte
		for range 7 { // a frame with blocks that are not compressed
			size := window + len(b)
			b = append(b, make([]byte, window)...)
			frame := []byte("\x28\xb5\x2f\xfd\x00\x88")
			for at := 0; at < size; at += 128 << 10 {
				part := b[at:min(at+128<<10, size)]
				last := 0
				if at+len(part) == size {
					last = 1
				}
				frame = append(frame, byte(len(part)<<3|last), byte(len(part)>>5), byte(len(part)>>13))
				frame = append(frame, part...)
			}
			b = frame
		}
		return compressors[2].pack(bytes.NewReader(b))
	})
	add("two million skippable frames of zstd", func() []byte {
		return append([]byte("\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00"), bytes.Repeat([]byte("\x50\x2a\x4d\x18\x00\x00\x00\x00"), 2_000_000)...)
	})

	add("sparse entries that claim 4 EiB", func() []byte { return bytes.Repeat(sparseEntry(1<<62), 1000) })
	add("a million sparse entries of 60 MiB", func() []byte { return zip.million(sparseEntry(60 << 20)) })
	add("a million PAX headers of their own", func() []byte {
		return zip.million(tarKind(tarFile("pax", "30 comment=aaaaaaaaaaaaaaaaaa\n"), 'g'))
	})
	add("PAX headers of a MiB", func() []byte {
		return bytes.Repeat(zip.pack(bytes.NewReader(append(tarKind(tarFile("pax", strings.Repeat("30 comment=aaaaaaaaaaaaaaaaaa\n", 1<<15)), 'x'), tarFile("x", elfHead)...))), 3000)
	})
	add("a PAX header that claims 1 TiB", func() []byte { return tarKind(tarHead("pax", 1<<40), 'x') })
	add("a million long names and no entry", func() []byte { return zip.million(tarKind(tarFile("long", strings.Repeat("n", 500)), 'L')) })
	add("a million links out and around", func() []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, to := range []string{"x", "y", "/etc/passwd", "../../x"} {
			must(0, w.WriteHeader(&tar.Header{Name: "y", Linkname: to, Typeflag: tar.TypeSymlink}))
			must(0, w.WriteHeader(&tar.Header{Name: "x", Linkname: to, Typeflag: tar.TypeLink}))
		}
		return bytes.Repeat(zip.pack(bytes.NewReader(bytes.Repeat(b.Bytes(), 125))), 1000)
	})
	add("a million devices", func() []byte { return zip.million(tarKind(tarFile("sda", ""), '4')) })
	add("a tar header with a negative size", func() []byte {
		b := tarFile("x", elfHead)
		copy(b[124:136], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00")
		return append(sumTar(b), tarFile("y", elfHead)...)
	})
	add("tar headers with wrong checksums", func() []byte {
		b := tarFile("x", elfHead)
		b[0] ^= 1
		return bytes.Repeat(b, 100_000)
	})

	add("a million names of one file in cpio", func() []byte {
		b := cpioFile("x", "")
		copy(b[38:46], "7FFFFFFF") // links
		return zip.million(b)
	})
	add("cpio without a trailer, 100,000 times", func() []byte { return bytes.Repeat(zip.pack(bytes.NewReader(cpioFile("x", elfHead))), 100_000) })
	add("an odc entry that claims 8 GiB", func() []byte {
		return fmt.Appendf(nil, "070707%06o%06o%06o%06o%06o%06o%06o%011o%06o%011ox\x00%s", 0, 0, 0o100644, 0, 0, 1, 0, 0, 2, int64(1)<<33-1, elfHead)
	})
	add("a million cpio entries without names", func() []byte {
		b := cpioFile("", elfHead)
		copy(b[94:], "00000000")
		return zip.million(b)
	})
	add("Linux kernels in 1,000 Linux kernels", func() []byte {
		b := []byte(elfHead)
		for range 1000 {
			b = append(kernelHead(0, uint32(len(b))), b...)
		}
		return b
	})
	add("100,000 Linux kernels that claim 4 GiB", func() []byte { return bytes.Repeat(tarFile("x", string(kernelHead(0, 1<<32-1))+elfHead), 100_000) })
	add("a Linux kernel after 4 GiB of zeros", func() []byte { return compressors[0].long(string(kernelHead(1<<32-1, 100))) })
	add("ELF files with compressed symbols of 4 GiB", func() []byte { return bytes.Repeat(tarFile("x", string(miniDebug())), 100) })
}

// bzip2Zeros are 45 million zero bytes.
const bzip2Zeros = "425a6839314159265359c901b6c80158ab4020c00010000008200030cc0529a65248526c5492149e2ee48a70a12192036d90"

// kernelHead is the head of a Linux kernel for x86 whose ELF file is so many bytes behind it.
func kernelHead(after, size uint32) []byte {
	b := make([]byte, 1024)
	b[0x1f1] = 1
	copy(b[0x1fe:], "\x55\xaa\x00\x00HdrS\x0f\x02")
	binary.LittleEndian.PutUint32(b[0x248:], after)
	binary.LittleEndian.PutUint32(b[0x24c:], size)
	return b
}

// tarKind changes the kind of an entry.
func tarKind(b []byte, kind byte) []byte {
	b[156] = kind
	return sumTar(b)
}

// sumTar corrects the checksum of a header.
func sumTar(b []byte) []byte {
	copy(b[148:156], "        ")
	sum := 0
	for _, x := range b[:512] {
		sum += int(x)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00", sum))
	return b
}

// sparseEntry is an entry of so many bytes, the first of which are there.
func sparseEntry(size int64) []byte {
	text := fmt.Sprintf("1\n0\n%d\n", len(elfHead))
	text += strings.Repeat("\x00", 512-len(text)) + elfHead
	records := ""
	for _, kv := range []string{"GNU.sparse.major=1", "GNU.sparse.minor=0", "GNU.sparse.name=x", fmt.Sprintf("GNU.sparse.realsize=%d", size)} {
		n := len(kv) + 3
		n += len(fmt.Sprint(n)) - 1
		records += fmt.Sprintf("%d %s\n", n, kv)
	}
	return append(tarKind(tarFile("pax", records), 'x'), tarFile("x", text)...)
}

// withSum appends a checksum of xz.
func withSum(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)) }

func xzHead() []byte { return append([]byte("\xfd7zXZ\x00"), withSum([]byte{0, 1})...) }

// xzBlock begins a stream with a block whose header claims what it can.
func xzBlock() []byte {
	head := []byte{0, 0xc0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f, 0x21, 1, 40}
	for len(head)%4 != 0 {
		head = append(head, 0)
	}
	head[0] = byte(len(head) / 4)
	return append(append(xzHead(), withSum(head)...), "\x01\xff\xffabc"...)
}

// miniDebug is an ELF file with SFrame data and .gnu_debugdata, in which xz has 4 GiB.
func miniDebug() []byte {
	m := &image{typ: elf.ET_DYN}
	m.text(1)
	m.sframe(encode(0, nil, nil))
	m.add(section{name: ".gnu_debugdata", typ: elf.SHT_PROGBITS, data: miniSymbols()})
	return m.file().Bytes()
}

var symbols []byte

func miniSymbols() []byte {
	if symbols == nil {
		symbols = compressors[1].pack(io.MultiReader(strings.NewReader(elfHead), zeros("", 64<<20)))
		symbols = append(symbols, bytes.Repeat(compressors[1].pack(zeros("", 64<<20)), 63)...)
	}
	return symbols
}
