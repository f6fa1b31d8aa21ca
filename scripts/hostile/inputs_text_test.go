//go:build linux

package hostile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// text returns an input for one mode: a text, beside other files.
func text(mode, name string, write func() string, others ...func(dir string) error) input {
	return input{name: name, build: func(dir string) (string, error) {
		path := filepath.Join(dir, "text")
		err := os.WriteFile(path, []byte(write()), 0o666)
		for _, other := range others {
			err = errors.Join(err, other(dir))
		}
		return path, err
	}}.only(mode)
}

// textInputs are texts for asm, baselines, and lists of packages.
func textInputs() []input {
	const object = ".elf rel\n.section .x\n"
	asm := func(name string, write func() string, others ...func(dir string) error) input {
		return text("asm", "a text for asm with "+name, write, others...)
	}
	repeated := func(head, line string, n int) func() string {
		return func() string { return head + strings.Repeat(line, n) }
	}
	known := func(name, entry string, size int) input { // its entries must differ
		return text("baseline", "a baseline of "+name, func() string {
			var b bytes.Buffer
			b.WriteString(`{"schema":"sframe-lint/baseline/1","findings":[`)
			for i := 0; b.Len() < size; i++ {
				b.WriteString(","[:min(i, 1)])
				fmt.Fprintf(&b, entry, i)
			}
			return b.String() + "]}"
		})
	}
	return []input{
		asm("a part of a file of 1 TiB", repeated(object, ".incbin \"big\", 0, 16\n", 1000), func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, "big"), nil, 0o666), os.Truncate(filepath.Join(dir, "big"), 1<<40))
		}),
		asm("all of a file of 1 TiB", repeated(object, ".incbin \"big\"\n", 1), func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, "big"), nil, 0o666), os.Truncate(filepath.Join(dir, "big"), 1<<40))
		}),
		asm("a FIFO and a device", repeated(object, ".incbin \"fifo\"\n.incbin \"/dev/zero\"\n.include \"fifo\"\n", 1), func(dir string) error {
			return syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o666)
		}),
		asm("a line of 8 MB", repeated(object+".byte ", "01 ", 8<<20/3)),
		asm("a name of 8 MB", func() string { return ".func " + strings.Repeat("n", 8<<20-20) + " 0 1\n" }),
		asm("a long name repeated", func() string {
			return ".repeat 262144\n.func " + strings.Repeat("n", 1<<20) + " 0 1\n.end\n"
		}),
		asm("repetitions in each other", func() string {
			return strings.Repeat(".repeat 262144\n", 7) + ".at 0: 00\n" + strings.Repeat(".end\n", 7)
		}),
		asm("a file that includes itself", repeated(".repeat 262144\n.include \"text\"\n.end\n", "# x\n", 100_000)),
		asm("400,000 functions", func() string {
			var b strings.Builder
			for i := range 400_000 {
				fmt.Fprintf(&b, ".func f%d %d 1\n", i, i)
			}
			return b.String()
		}),
		asm("1,000,000 errors", repeated("", "x\n", 1_000_000)),
		known("2.9 MB", `{"rule":"SF1","file":"f%d","place":"p","count":1}`, 29<<20/10),
		known("2.9 MB with members and functions", `{"rule":"SF1","file":"f","member":"m%[1]d","function":"f%[1]d","place":"p%[1]d","count":1}`, 29<<20/10),
		known("15 MB with long names", `{"rule":"SF1","file":"f","function":"f%d`+strings.Repeat("n", 60_000)+`","place":"p","count":1}`, 15<<20),
		text("wrong baseline", "a baseline without keys", repeated(`{"schema":"sframe-lint/baseline/1","findings":[{}`, ",{}", 4<<20)),
		text("wrong baseline", "a baseline of lists in each other", repeated(`{"reason":`, "[", 10<<20)),
		text("batch", "a list of 1,000,000 names of one package", repeated("", "gone\n", 1_000_000)),
		text("wrong batch", "a list of one line of 16 MB", repeated("", "gone", 4<<20)),
		text("wrong batch", "a list of NUL", repeated("", "\x00", 1<<20)),
	}
}
