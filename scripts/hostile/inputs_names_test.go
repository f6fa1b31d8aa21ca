//go:build linux

package hostile

import (
	"bytes"
	"debug/elf"
	"strings"
)

// nameInputs are files whose names are long, shared or meant for a terminal or a
// continuous integration service.
func nameInputs() []input {
	long := strings.Repeat("n", 20<<10)
	return []input{
		object("1,000 functions that share a name of 20 KB", 0, func() *image { return named(1000, long, false) }),
		object("100,000 functions that share a name of 64 KB", 8<<20, func() *image { return named(100_000, strings.Repeat("n", 64<<10), false) }),
		object("50,000 functions with the ends of one name", 8<<20, func() *image { return named(50_000, strings.Repeat("n", 64<<10), true) }),
		object("1,000 functions with a name of control characters", 0, func() *image {
			return named(1000, strings.Repeat("\x1b]0;x\x07\n::error::\r##[x]\n##vso[x]\u202e\xff", 500), false)
		}),
		object("100,000 sections that share a name of 1 MB", 0, func() *image { return sectionNames(100_000, 1<<20) }),
		object("10,000 .sframe sections with a name of 64 KB", 8<<20, func() *image { return sframeNames(10_000, 64<<10) }),
		object("a section name that is never ended", 0, func() *image { return sectionNames(1, 30<<20) }),
		sharedName(),
		file("5,000 members with names of 4 KB of their own", 0, func() []byte {
			return archiveOf(5000, func(i int) []byte {
				return append(memberHeader("#1/4096", 4097), padded(bytes.Repeat([]byte{byte(' ' + i%90)}, 4097))...)
			})
		}),
		file("a table of long names of 300 MB", 0, func() []byte {
			return append([]byte(arMagic), memberHeader("//", 300<<20)...)
		}),
	}
}

// named returns a file with n functions of one name, or of its ends, each with a
// finding.
func named(n int, name string, ends bool) *image {
	m := &image{typ: elf.ET_EXEC}
	m.text(n * funcSize)
	m.sframe(leaves(n, func(_ int, f *fde) { f.pad, f.info = 0x0101, 0xc0 }))
	m.functions(n, func(i int) uint32 {
		if ends {
			return 1 + uint32(i%len(name))
		}
		return 1
	}, []byte("\x00"+name+"\x00"))
	return m
}

// sectionNames returns a file with n sections that share a name.
func sectionNames(n, length int) *image {
	m := start(elf.ET_EXEC)
	for range n {
		m.add(section{typ: elf.SHT_PROGBITS, nameAt: 1})
	}
	m.names = append([]byte{0}, bytes.Repeat([]byte{'s'}, length)...)
	return m
}

// sframeNames returns a file with n bad sections of SFrame data that share a name.
func sframeNames(n, length int) *image {
	m := &image{typ: elf.ET_EXEC}
	m.text(funcSize)
	bad := leaves(1, func(_ int, f *fde) { f.info = 0xc3 })
	for range n {
		m.add(section{typ: shtGNUSFrame, flags: elf.SHF_ALLOC, data: bad, nameAt: 1})
	}
	m.names = append([]byte{0}, bytes.Repeat([]byte{'s'}, length)...)
	return m
}

// sharedName returns an archive of bad sections with one name.
func sharedName() input {
	const n = 30_000
	in := file("30,000 members that share a name of 64 KiB", 0, func() []byte {
		bad := leaves(1, func(_ int, f *fde) { f.info = 3 })
		table := member("//", []byte(strings.Repeat("n", 64<<10)+"/\n"))
		return archiveOf(n+1, func(i int) []byte {
			if i == 0 {
				return table
			}
			return append(memberHeader("/0", int64(len(bad))), padded(bad)...)
		})
	})
	in.members = n
	return in
}
