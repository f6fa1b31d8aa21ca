//go:build linux

package hostile

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// unreadInputs are packages that hide an object, and files of kinds that are recognized and not read.
func unreadInputs(add func(name string, b func() []byte)) {
	for _, path := range must(filepath.Glob("cmd/internal/lintcmd/testdata/unread/*")) {
		add("an object hidden in "+filepath.Base(path), func() []byte { return must(os.ReadFile(path)) })
	}
	zip := &compressors[0]
	magic := map[string]string{
		"LZ4": "\x04\x22\x4d\x18 ", "LZMA": "\x5d\x00\x00\x80\x00" + strings.Repeat("\xff", 8) + "\x00", "7z": "7z\xbc\xaf\x27\x1c", "squashfs": "hsqs",
	}
	for kind, head := range magic {
		add("100,000 files of a kind that is not read, "+kind, func() []byte {
			return zip.pack(bytes.NewReader(bytes.Repeat(tarFile("x", head), 100_000)))
		})
	}
	image := make([]byte, 40<<10)
	copy(image[16*2048:], "\x01CD001\x01")
	add("20,000 images of ISO 9660", func() []byte { return zip.pack(bytes.NewReader(bytes.Repeat(tarFile("x", string(image)), 20_000))) })
	add("10,000 zstd streams with windows of 128 MiB", func() []byte {
		return bytes.Repeat(tarFile("x.zst", "\x28\xb5\x2f\xfd\x00\x88\x09\x00\x00x"), 10_000)
	})
	add("a million links with bytes", func() []byte { return zip.million(append(tarKind(tarFile("x", elfHead), '2'), make([]byte, 512)...)) })
	add("100,000 scripts before zip archives", func() []byte {
		return zip.pack(bytes.NewReader(bytes.Repeat(tarFile("x", "#!/bin/sh\n"+string(zipOf(1, elfHead))), 100_000)))
	})
	add("a library of 100,000 packages", func() []byte {
		return append([]byte(arMagic), bytes.Repeat(member("x.tar", tarFile("x", elfHead)), 100_000)...)
	})
	add("100,000 archives of packages in a tar archive", func() []byte {
		return zip.pack(bytes.NewReader(bytes.Repeat(tarFile("x.a", arMagic+string(member("x.tar", tarFile("x", elfHead)))), 100_000)))
	})
}
