package container

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/unpack"
)

// Format is the format of a file.
type Format uint8

// Formats of containers, of compressed data, and of files that are recognized but not read.
const (
	None Format = iota
	Tar
	Cpio
	RPM
	Kernel
	Zip
	Gzip
	Bzip2
	XZ
	Zstd
	unread // the first kind that is not read
	LZ4
	LZMA
	LZO
	LZIP
	LZRIP
	Compress
	OldCpio
	OldDeb
	APK3
	SevenZip
	RAR
	CAB
	XAR
	LHA
	Squashfs
	Ext
	ISO
)

var formatNames = [...]string{
	None: "of an unknown kind", Tar: "a tar archive", Cpio: "a cpio archive", RPM: "an RPM package", Kernel: "a Linux kernel", Zip: "a zip archive",
	Gzip: "compressed with gzip", Bzip2: "compressed with bzip2", XZ: "compressed with xz", Zstd: "compressed with zstd",
	LZ4: "compressed with LZ4", LZMA: "compressed with LZMA", LZO: "compressed with LZO", LZIP: "compressed with lzip",
	LZRIP: "compressed with lrzip", Compress: "compressed with compress", OldCpio: "a binary cpio archive",
	OldDeb: "a Debian package of version 0.9", APK3: "an Alpine package of version 3", SevenZip: "a 7z archive", RAR: "a RAR archive",
	CAB: "a cabinet archive", XAR: "a xar archive", LHA: "an LHA archive", Squashfs: "a squashfs image",
	Ext: "an ext2, ext3 or ext4 image", ISO: "an ISO 9660 image",
}

func (k Format) String() string { return formatNames[k] }

func (k Format) compressed() bool { return k >= Gzip && k <= Zstd }

// Unsupported reports whether files of the format are recognized but not read.
func (k Format) Unsupported() bool { return k > unread }

var magics = []struct {
	at    int
	magic string
	kind  Format
}{
	{0, "\x1f\x8b\x08", Gzip}, {4, "1AY&SY", Bzip2}, {4, "\x17rE8P\x90", Bzip2}, {0, unpack.XZMagic, XZ}, {0, "\x28\xb5\x2f\xfd", Zstd},
	{0, "\xed\xab\xee\xdb", RPM}, {0, zipEnd, Zip}, {0, "PK\x07\x08PK", Zip},
	{0, "070701", Cpio}, {0, "070702", Cpio}, {0, "070707", Cpio}, {257, "ustar", Tar},
	{0, "\x04\x22\x4d\x18", LZ4}, {0, "\x02\x21\x4c\x18", LZ4}, {0, "\x89LZO\x00\r\n\x1a\n", LZO}, {0, "LZIP\x01", LZIP}, {0, "LRZI\x00", LZRIP},
	{0, "\x1f\x9d", Compress}, {0, "0.939000\n", OldDeb}, {0, "ADBd", APK3}, {0, "7z\xbc\xaf\x27\x1c", SevenZip}, {0, "Rar!\x1a\x07", RAR},
	{0, "MSCF\x00\x00\x00\x00", CAB}, {0, "xar!\x00", XAR}, {2, "-lh5-", LHA}, {2, "-lh6-", LHA}, {2, "-lh7-", LHA}, {2, "-lh0-", LHA},
	{0, "hsqs", Squashfs}, {0, "sqsh", Squashfs},
}

// Where images have what tells them: their superblock, and a part of it.
const (
	extSuper, isoSuper = 1024, 16 * 2048
	imageHead          = isoSuper + 6 // bytes that decide
)

// KindOf returns the format of a file with these first bytes: [HeadSize] of them, or all of a smaller file. Unless r
// is nil, KindOf reads further from r to recognize images, and archives that follow other bytes.
func KindOf(head []byte, r io.ReaderAt, size int64) Format {
	if (isTar(head) || isLikeTar(head)) && !isCpio(head) { // its first name may begin like something else
		return Tar
	}
	for _, m := range magics {
		if len(head) >= m.at+len(m.magic) && string(head[m.at:m.at+len(m.magic)]) == m.magic {
			return m.kind
		}
	}
	switch {
	case len(head) >= 8 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18":
		return Zstd // it begins with a frame that decoders skip
	case isKernel(head):
		return Kernel
	case isLZMA(head):
		return LZMA
	case isOldCpio(head, binary.LittleEndian), isOldCpio(head, binary.BigEndian):
		return OldCpio
	case beginsWithFile(head):
		return Zip
	case r == nil:
		return None
	}
	var b [64]byte
	if n, _ := r.ReadAt(b[:], extSuper+24); n == len(b) && le.Uint16(b[32:]) == 0xef53 && le.Uint32(b[:]) <= 6 && le.Uint32(b[52:]) <= 1 {
		return Ext
	}
	if n, _ := r.ReadAt(b[:6], isoSuper); n == 6 && string(b[1:6]) == "CD001" {
		return ISO
	}
	if EndsAsZip(r, size) {
		return Zip
	}
	return None
}

// isCpio reports whether a whole header of a cpio archive is there: its digits, those of files and of further headers may be
// what those of a tar archive are.
func isCpio(head []byte) bool {
	_, err := readCpio(bufio.NewReader(bytes.NewReader(head)), nil)
	return err == nil
}

// isTar reports whether the first block has the sum of a header, as archives without a magic have.
func isTar(head []byte) bool {
	const block, from, to = 512, 148, 156 // where the sum is
	if len(head) < block {
		return false
	}
	want, err := strconv.ParseInt(strings.Trim(string(head[from:to]), " \x00"), 8, 32)
	sum, signed := int64(' '*(to-from)), int64(' '*(to-from)) // old programs sum up signed bytes
	for i, c := range head[:block] {
		if i < from || i >= to {
			sum, signed = sum+int64(c), signed+int64(int8(c))
		}
	}
	return err == nil && (sum == want || signed == want)
}

// isLikeTar reports whether mode, owner, group and time of a header are numbers as programs write them, whatever its sum is.
func isLikeTar(head []byte) bool {
	const from, size, date, to = 100, 124, 136, 148
	if len(head) < 512 {
		return false
	}
	fields := string(head[from:size]) + string(head[date:to])
	return strings.Trim(fields, "01234567 \x00") == "" && strings.Count(fields, "\x00")+strings.Count(fields, " ") == 4 && head[0] != 0
}

// isLZMA reports whether the header has a size of a dictionary and of the data as programs write them.
func isLZMA(head []byte) bool {
	const from, mostData = 13, 1 << 38
	if len(head) <= from || head[0] >= 225 || head[from] != 0 {
		return false
	}
	dict, size := le.Uint32(head[1:]), le.Uint64(head[5:])
	return dict >= 1<<12 && bits.OnesCount32(dict>>(bits.TrailingZeros32(dict))) <= 2 && (size == 1<<64-1 || size < mostData && size > 0)
}

// isOldCpio reports whether the header is one of the first cpio, with the mode of a file or directory and the size of a name.
func isOldCpio(head []byte, order binary.ByteOrder) bool {
	const least = 26
	if len(head) < least || order.Uint16(head) != 0o70707 {
		return false
	}
	mode, name := order.Uint16(head[6:])>>12, order.Uint16(head[20:])
	return mode <= 0o14 && mode != 0 && name > 0 && name <= 4096
}

const (
	zipEnd     = "PK\x05\x06"
	zipEntry   = "PK\x01\x02" // in the directory
	zipHeader  = "PK\x03\x04" // before the bytes of a file
	zipEndSize = 22
	mostTail   = zipEndSize + 1<<16 // bytes of the end with its comment
)

// beginsWithFile reports whether a file of a zip archive is the first thing, or follows the line of a script.
func beginsWithFile(head []byte) bool {
	if bytes.HasPrefix(head, []byte("#!")) {
		_, head, _ = bytes.Cut(head, []byte("\n"))
	}
	return bytes.HasPrefix(head, []byte(zipHeader))
}

// EndsAsZip reports whether a file ends with a zip archive. Other bytes may precede the archive, and a few may follow
// its directory.
func EndsAsZip(r io.ReaderAt, size int64) bool {
	b := make([]byte, min(size, mostTail))
	if n, _ := r.ReadAt(b, size-int64(len(b))); n < len(b) {
		return false
	}
	for i := bytes.Index(b, []byte(zipEnd)); i >= 0; i = bytes.Index(b, []byte(zipEnd)) {
		if b = b[i:]; len(b) >= zipEndSize {
			var entry, stated [len(zipEntry)]byte
			_, _ = r.ReadAt(entry[:], max(size-int64(len(b))-int64(le.Uint32(b[12:])), 0)) // it may be anything
			_, _ = r.ReadAt(stated[:], int64(le.Uint32(b[16:])))
			if string(entry[:]) == zipEntry || string(stated[:]) == zipEntry || int(le.Uint16(b[20:])) == len(b)-zipEndSize {
				return true
			}
		}
		b = b[1:]
	}
	return false
}

// Cut separates the path of a container from the path of a file in it. It reports whether there is a separator.
func Cut(name string) (outer, inner string, ok bool) {
	outer, inner, ok = strings.Cut(name, Separator+"/")
	return outer, "/" + inner, ok
}

// The header of a Linux kernel for x86, a bzImage. What it loads is an ELF file, which is mostly compressed.
const (
	kernelBoot    = 0x1fe // the end of a boot sector
	kernelMagic   = 0x202
	kernelVersion = 0x206 // of the boot protocol
	kernelSetup   = 0x1f1 // sectors before the code, besides the first one
	kernelPayload = 0x248 // where the ELF file is in the code, and its bytes
	kernelHead    = kernelPayload + 8
	kernelLeast   = 0x208 // the first version that says where the ELF file is
	kernelSize    = 4     // bytes after compressed data: the size of the ELF file, which gzip has itself
)

func isKernel(head []byte) bool {
	return len(head) >= kernelHead && string(head[kernelBoot:kernelBoot+2]) == "\x55\xaa" && string(head[kernelMagic:kernelMagic+4]) == "HdrS"
}

// kernel reads the ELF file of a kernel, which has the path of the kernel.
func (w *walk) kernel(at position, r *bufio.Reader) error {
	head, err := r.Peek(kernelHead)
	if err != nil {
		return err
	}
	if le.Uint16(head[kernelVersion:]) < kernelLeast {
		return errors.New("its header does not say where the kernel is")
	}
	sectors := int64(head[kernelSetup])
	if sectors == 0 {
		sectors = 4
	}
	from, size := (sectors+1)*512+int64(le.Uint32(head[kernelPayload:])), int64(le.Uint32(head[kernelPayload+4:]))
	if _, err := io.CopyN(io.Discard, r, from); err != nil {
		return err
	}
	at.layers++
	head, err = r.Peek(HeadSize)
	if err != nil && err != io.EOF {
		return err
	}
	head = head[:min(int64(len(head)), size)]
	switch k := KindOf(head, nil, 0); {
	case w.Want(head), k == Gzip, k.Unsupported():
	case k.compressed():
		size -= kernelSize
	default:
		return errors.New("what it loads is of an unknown kind")
	}
	return w.entry(at, "", -1, io.LimitReader(r, size))
}
