//go:build linux

package hostile

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// linkerMap returns an input that is a linker map, beside the output of the linker.
func linkerMap(name string, write func(w *bufio.Writer, dir string)) input {
	return input{name: name, modes: []string{"link map"}, build: func(dir string) (string, error) {
		if err := start(elf.ET_EXEC).write(filepath.Join(dir, "output")); err != nil {
			return "", err
		}
		path := filepath.Join(dir, "map")
		f, err := os.Create(path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		w := bufio.NewWriter(f)
		write(w, dir)
		return path, w.Flush()
	}}
}

// part writes the line of an input section of GNU ld.
func part(w *bufio.Writer, name string) {
	fmt.Fprintf(w, " .text          0x0000000000401000       0x10 %s\n", name)
}

// mapInputs are linker maps that name more, or something else, than those of real links.
func mapInputs() []input {
	return []input{
		linkerMap("a map of 200,000 archives", func(w *bufio.Writer, _ string) {
			for i := range 200_000 {
				part(w, fmt.Sprintf("lib%d.a(x.o)", i))
			}
		}),
		linkerMap("a map of 10,000 archives that exist", func(w *bufio.Writer, dir string) {
			for i := range 10_000 {
				path := filepath.Join(dir, fmt.Sprintf("lib%d.a", i))
				_ = os.WriteFile(path, []byte("!<arch>\n"), 0o666) // one that is not there is hostile too
				part(w, path+"(x.o)")
			}
		}),
		linkerMap("a map of 1,000,000 members of an archive", func(w *bufio.Writer, _ string) {
			for i := range 1_000_000 {
				part(w, fmt.Sprintf("lib.a(%d.o)", i))
			}
		}),
		linkerMap("a map that names an input 1,000,000 times", func(w *bufio.Writer, _ string) {
			for i := range 1_000_000 {
				part(w, []string{"a.o", "b.o"}[i&1])
			}
		}),
		linkerMap("a map of one line of 64 MB", func(w *bufio.Writer, _ string) {
			_, _ = w.Write(bytes.Repeat([]byte{'x'}, 64<<20))
		}),
		linkerMap("a map of 64 MB of numbers", func(w *bufio.Writer, _ string) {
			for range 64 << 10 {
				_, _ = w.WriteString(strings.Repeat(" 0", 511) + "\n")
			}
		}),
		linkerMap("a map of itself, directories, FIFOs and deep paths", func(w *bufio.Writer, dir string) {
			fifo := filepath.Join(dir, "fifo")
			_ = syscall.Mkfifo(fifo, 0o666)
			for range 20 {
				for _, name := range []string{filepath.Join(dir, "map"), dir, fifo, "-", "@x", strings.Repeat("../", 2000) + "x.o", strings.Repeat("x", 1<<16)} {
					part(w, name)
					part(w, name+"(x.o)")
				}
			}
		}),
	}
}
