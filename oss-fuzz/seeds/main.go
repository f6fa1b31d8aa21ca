// Command seeds writes the files of the corpus as seeds for the fuzzers that OSS-Fuzz
// builds from targets whose first argument is a file:
//
//	go run ./oss-fuzz/seeds DIR
//
// A libFuzzer input for a Go target is not the argument itself: a byte slice is
// preceded by its length, in four bytes, big-endian, and an address has eight bytes
// and one for the byte order.
package main

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// fuzzers are the fuzzers that take a file, with what follows it.
var fuzzers = map[string][]byte{
	"reader_FuzzSection":              make([]byte, 9),
	"reader_FuzzELF":                  nil,
	"reader_FuzzArchive":              nil,
	"internal_properties_FuzzHostile": make([]byte, 9),
	"cmd_lintcmd_FuzzCommands":        nil,
	"cmd_lintcmd_FuzzStdin":           {0},
}

// most is the size of the largest seed, in bytes.
const most = 64 << 10

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: seeds DIR")
		os.Exit(2)
	}
	for name, after := range fuzzers {
		if err := write(filepath.Join(os.Args[1], name+"_seed_corpus.zip"), after); err != nil {
			fmt.Fprintln(os.Stderr, "seeds:", err)
			os.Exit(1)
		}
	}
}

// write writes an archive of seeds.
func write(path string, after []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	z := zip.NewWriter(f)
	n := 0
	for _, dir := range []string{"corpus/files", "corpus/regressions"} {
		err = errors.Join(err, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil || len(data) > most {
				return err
			}
			w, err := z.Create(fmt.Sprint(n))
			if err != nil {
				return err
			}
			n++
			_, err = w.Write(seed(data, after))
			return err
		}))
	}
	return errors.Join(err, z.Close(), f.Close())
}

// seed returns the input of a fuzzer for a file.
func seed(data, after []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	return append(append(b, data...), after...)
}
