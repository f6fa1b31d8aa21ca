//go:build linux

package hostile

import (
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// badMembers returns an archive of bad sections.
func badMembers() input {
	const n = 100_000
	in := file("100,000 members that are bad sections", 0, func() []byte {
		bad := leaves(1, func(_ int, f *fde) { f.info = 0xc3 })
		return archiveOf(n, func(i int) []byte { return member(fmt.Sprintf("%d.o/", i), bad) })
	})
	in.members = n
	return in
}

// archiveInputs are archives, plain and thin.
func archiveInputs() []input {
	all := []input{
		file("100,000 members without bytes", 0, func() []byte {
			return archiveOf(100_000, func(int) []byte { return member("e.o/", nil) })
		}),
		badMembers(),
		file("100,000 members with a wrong long name", 0, func() []byte {
			return archiveOf(100_000, func(int) []byte { return member("/99999", nil) })
		}),
		file("archives in 8 archives", 0, func() []byte { return nest(8, []byte("x")) }),
		file("archives in 1,000 archives", 0, func() []byte { return nest(1000, []byte("x")) }),
		file("2^16 members of archives in archives", 0, func() []byte {
			inner := archiveOf(4, func(int) []byte { return member("e.o/", []byte("xx")) })
			for range 7 {
				one := member("n.a/", inner)
				inner = archiveOf(4, func(int) []byte { return one })
			}
			return inner
		}),
		file("a member that claims 9,999,999,999 bytes", 0, func() []byte {
			return append([]byte(arMagic), memberHeader("x.o/", 9_999_999_999)...)
		}),
		sparseArchive("a table of long names of 9 GB", "//"),
		sparseArchive("a member that is a hole of 9 GB", "x.o/"),
		sparseArchive("a name of 9 GB", "#1/9000000000"),
	}
	for _, x := range []struct {
		name string
		n    int
		to   string
	}{
		{"a thin archive of one member of 4.6 MB, 400 times", 400, "member.o"},
		{"a thin archive of a missing member, 100,000 times", 100_000, "missing.o"},
		{"a thin archive of itself, 10,000 times", 10_000, "input"},
		{"a thin archive of a FIFO, 10,000 times", 10_000, "fifo"},
		{"a thin archive of /dev/zero, 1,000 times", 1000, "/dev/zero"},
		{"a thin archive of a file outside, 1,000 times", 1000, "../../../../../../etc/passwd"},
		{"a thin archive of a circle of links, 1,000 times", 1000, "circle/circle/circle/x"},
		{"a thin archive of a sparse file, 400 times", 400, "sparse"},
	} {
		all = append(all, thin(x.name, x.n, x.to))
	}
	return append(all, input{name: "a thin archive of an archive's members, 50,000 times", build: func(dir string) (string, error) {
		inner := append([]byte(arMagic), member("//", bytes.Repeat([]byte("long/\n"), 10_000))...)
		at := len(inner)
		inner = append(inner, member("/0", leaves(1, nil))...)
		if err := os.WriteFile(filepath.Join(dir, "inner.a"), inner, 0o666); err != nil {
			return "", err
		}
		b := append([]byte(thinMagic), member("//", []byte("inner.a/\n"))...)
		for range 50_000 {
			b = append(b, memberHeader(fmt.Sprintf("/0:%d", at), 63)...)
		}
		path := filepath.Join(dir, "input")
		return path, os.WriteFile(path, b, 0o666)
	}})
}

// sparseArchive returns an archive with one member of 9 GB, a hole.
func sparseArchive(name, member string) input {
	return input{name: name, build: func(dir string) (string, error) {
		path := filepath.Join(dir, "input")
		if err := os.WriteFile(path, append([]byte(arMagic), memberHeader(member, 9<<30)...), 0o666); err != nil {
			return "", err
		}
		return path, os.Truncate(path, 9<<30+68)
	}}
}

// thinSection is the bytes of the SFrame section that a thin archive may name.
const thinSection = 4 << 20

// thin returns a thin archive that names a file n times, and what it may name.
func thin(name string, n int, to string) input {
	section := int64(0)
	if to == "member.o" {
		section = thinSection
	}
	return input{name: name, section: section, build: func(dir string) (string, error) {
		m := &image{typ: elf.ET_EXEC}
		m.text(1 << 20)
		m.sframe(leaves(thinSection/25, nil))
		path := filepath.Join(dir, "input")
		err := first(
			m.write(filepath.Join(dir, "member.o")),
			syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o666),
			os.Symlink(".", filepath.Join(dir, "circle")),
			os.WriteFile(path, thinArchive(n, to, 4<<20), 0o666),
			symbolHole(100<<20).write(filepath.Join(dir, "sparse")),
		)
		return path, err
	}}
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// treeInputs are directories.
func treeInputs() []input {
	tree := func(name string, fill func(dir string) error) input {
		return input{name: name, tree: true, build: func(dir string) (string, error) {
			path := filepath.Join(dir, "tree")
			return path, first(os.Mkdir(path, 0o777), fill(path))
		}}
	}
	const many = 20_000
	crowd := tree("a directory of 20,000 bad sections", func(dir string) error {
		bad := leaves(1, func(_ int, f *fde) { f.info = 0xc3 })
		for i := range many {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), bad, 0o666); err != nil {
				return err
			}
		}
		return nil
	})
	crowd.files = many
	return []input{
		crowd,
		tree("a directory 500 deep", func(dir string) error {
			deep := filepath.Join(dir, strings.Repeat("directory/", 300))
			return first(os.MkdirAll(deep, 0o777), os.WriteFile(filepath.Join(deep, "x"), leaves(1, nil), 0o666))
		}),
		tree("names of control characters and commands", func(dir string) error {
			bad := leaves(1, func(_ int, f *fde) { f.info = 0xc3 })
			for _, name := range []string{"::error::x", "##[error]x", "##vso[task.x]y", "\x1b]0;x\x07", "a\n::warning::x", "\xff\u202e", "%0A::x", strings.Repeat("n", 255)} {
				if err := os.WriteFile(filepath.Join(dir, name), bad, 0o666); err != nil {
					return err
				}
			}
			return nil
		}),
		tree("FIFOs, sockets and circles of links", func(dir string) error {
			return first(syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o666), os.Symlink("..", filepath.Join(dir, "up")),
				os.Symlink("self", filepath.Join(dir, "self")), os.Symlink("/dev/zero", filepath.Join(dir, "zero")))
		}),
		tree("1,000 sparse files of 20 GB", func(dir string) error {
			one := sparse("", elf.ET_EXEC, section{name: ".symtab", typ: elf.SHT_SYMTAB, link: 4, entsize: 24}, huge)
			path, err := one.build(dir)
			for i := 0; i < 1000 && err == nil; i++ {
				err = sparseCopy(path, filepath.Join(dir, fmt.Sprint(i)))
			}
			return err
		}),
	}
}

// sparseCopy copies the first and last bytes of a file, with a hole between them.
func sparseCopy(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := io.CopyN(out, in, 64<<10); err != nil {
		return err
	}
	return out.Truncate(info.Size())
}
