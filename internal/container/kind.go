package container

import (
	"bytes"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/unpack"
)

// Kind is what a file is.
type Kind uint8

// Kinds of containers, and of compressed data.
const (
	None Kind = iota
	Tar
	Cpio
	RPM
	Deb
	Kernel
	Zip
	Squashfs
	Ext
	ISO
	Gzip
	Bzip2
	XZ
	Zstd
	LZ4      // the legacy format
	LZ4Frame // not read
	LZIP     // not read
	APK3     // not read
)

var kindNames = [...]string{
	Tar: "a tar archive", Cpio: "a cpio archive", RPM: "an RPM package", Deb: "a Debian package", Kernel: "a Linux kernel", Zip: "a zip archive",
	Squashfs: "a squashfs image", Ext: "an ext2, ext3 or ext4 image", ISO: "an ISO 9660 image", Gzip: "compressed with gzip",
	Bzip2: "compressed with bzip2", XZ: "compressed with xz", Zstd: "compressed with zstd", LZ4: "compressed with lz4",
	LZ4Frame: "compressed with lz4", LZIP: "compressed with lzip", APK3: "an Alpine package of version 3",
}

func (k Kind) String() string { return kindNames[k] }

func (k Kind) compressed() bool { return k >= Gzip && k <= LZ4 }

// seeks reports whether the bytes are read in any order.
func (k Kind) seeks() bool { return k >= Zip && k <= ISO }

// unsupported names a kind that is not read, "" for one that is.
func (k Kind) unsupported() string {
	if k >= LZ4Frame && k <= APK3 {
		return kindNames[k]
	}
	return ""
}

// Unsupported reports whether files of the kind are not read.
func (k Kind) Unsupported() bool { return k.unsupported() != "" }

var magics = []struct {
	magic string
	kind  Kind
}{
	{"\x1f\x8b\x08", Gzip}, {"BZh", Bzip2}, {unpack.XZMagic, XZ}, {unpack.ZstdMagic, Zstd},
	{"\xed\xab\xee\xdb", RPM}, {"!<arch>\ndebian-binary", Deb}, {"PK\x03\x04", Zip}, {"PK\x05\x06", Zip}, {"hsqs", Squashfs},
	{"070701", Cpio}, {"070702", Cpio}, {"070707", Cpio},
	{"\x04\x22\x4d\x18", LZ4Frame}, {unpack.LZ4Magic, LZ4}, {"LZIP\x01", LZIP}, {"ADBd", APK3},
}

// isoHead is how many bytes have the magic of an ISO 9660 image.
const isoHead = 16*2048 + 8

// KindOf returns what a file with these first bytes is, [HeadSize] of them if there are as many. Images have
// their magic further on: r is asked for it, unless it is nil.
func KindOf(head []byte, r io.ReaderAt, size int64) Kind {
	for _, m := range magics {
		if len(head) >= len(m.magic) && string(head[:len(m.magic)]) == m.magic {
			if m.kind == Bzip2 && (len(head) < 10 || head[3] < '1' || head[3] > '9' || string(head[4:10]) != "1AY&SY" && string(head[4:10]) != "\x17rE8P\x90") {
				continue
			}
			return m.kind
		}
	}
	if len(head) >= 512 && string(head[257:262]) == "ustar" {
		return Tar
	}
	if isKernel(head) {
		return Kernel
	}
	if r == nil || size < 2048 || size%1024 != 0 && size != isoHead {
		return None
	}
	var b [6]byte
	if n, _ := r.ReadAt(b[:2], 1024+56); n == 2 && b[0] == 0x53 && b[1] == 0xef {
		return Ext
	}
	if size >= isoHead {
		if n, _ := r.ReadAt(b[:6], 16*2048); n == 6 && bytes.Equal(b[:], []byte("\x01CD001")) {
			return ISO
		}
	}
	return None
}

// Cut separates the path of a file in a container from the path of the container. It reports whether there is
// a separator.
func Cut(name string) (outer, inner string, ok bool) {
	outer, inner, ok = strings.Cut(name, Separator+"/")
	return outer, "/" + inner, ok
}
