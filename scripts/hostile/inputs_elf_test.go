//go:build linux

package hostile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// huge is what sparse files claim, and have as a hole.
const huge = 20 << 30

// start returns a file of a type with a healthy section of four functions.
func start(typ elf.Type) *image {
	m := &image{typ: typ}
	m.text(4 * funcSize)
	m.sframe(leaves(4, nil))
	return m
}

// sparseInputs are files of a few KiB on disk that claim, and as a hole have, 20
// GB of something; and the same with sizes that no file has.
func sparseInputs() []input {
	var all []input
	for _, typ := range []elf.Type{elf.ET_EXEC, elf.ET_REL} {
		for _, part := range []section{
			{name: ".symtab", typ: elf.SHT_SYMTAB, link: 4, entsize: 24},
			{name: ".dynsym", typ: elf.SHT_DYNSYM, link: 4, entsize: 24},
			{name: ".text.more", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR},
			{name: ".rela.sframe", typ: elf.SHT_RELA, link: 4, info: 2, entsize: 24},
			{name: ".rel.sframe", typ: elf.SHT_REL, link: 4, info: 2, entsize: 16},
			{name: ".rela.text", typ: elf.SHT_RELA, link: 4, info: 1, entsize: 24},
			{name: ".group", typ: elf.SHT_GROUP, link: 4, entsize: 4},
			{name: ".sframe", typ: shtGNUSFrame, flags: elf.SHF_ALLOC},
			{name: ".eh_frame", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC},
			{name: ".plt", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, entsize: 16},
			{name: ".comment", typ: elf.SHT_PROGBITS},
			{name: ".note.gnu.property", typ: elf.SHT_NOTE, flags: elf.SHF_ALLOC},
		} {
			if typ == elf.ET_EXEC && part.typ == elf.SHT_GROUP {
				continue
			}
			all = append(all, sparse(fmt.Sprintf("20 GB %s, %s", part.name, kind(typ)), typ, part, huge))
		}
	}
	for _, claim := range []uint64{1 << 31, 3 << 30, 1 << 62, 1<<64 - 1} {
		for _, part := range []section{{name: ".sframe", typ: shtGNUSFrame}, {name: ".symtab", typ: elf.SHT_SYMTAB, link: 4, entsize: 24}} {
			all = append(all, sparse(fmt.Sprintf("%s of %#x bytes, no hole", part.name, claim), elf.ET_EXEC, part, claim))
		}
	}
	return append(all,
		object("20 GB symbol names", 0, func() *image { return symbolNames(huge) }),
		object("20 GB SYMTAB_SHNDX", 0, func() *image {
			m := symbolNames(0)
			m.hollow(section{name: ".symtab_shndx", typ: elf.SHT_SYMTAB_SHNDX, link: 3, entsize: 4}, huge)
			return m
		}),
		object("20 GB section names", 0, func() *image {
			m := start(elf.ET_EXEC)
			m.namesLen, m.length = huge, huge+1<<20
			return m
		}),
		object("e_shnum 0, 2^28 section headers", 0, func() *image { return manyHeaders(1 << 28) }),
		object("e_shnum 0, 2^60 section headers", 0, func() *image { return manyHeaders(1 << 60) }),
		object("PN_XNUM, 2^28 program headers", 0, func() *image {
			m := start(elf.ET_EXEC)
			m.null.Info = 1 << 28
			m.length = huge
			m.patch = func(h *elf.Header64) { h.Phnum, h.Phoff = 0xffff, 1<<20 }
			return m
		}),
		object("PT_GNU_SFRAME of 20 GB, no section headers", 0, func() *image { return segmentOnly(huge) }),
		object("PT_GNU_SFRAME of 900 MB, no section headers", 900<<20, func() *image { return segmentOnly(900 << 20) }).only("text", "fix", "diff"),
		object("zeros of 900 MB as a section", 900<<20, func() *image {
			m := start(elf.ET_EXEC)
			m.hollow(section{name: ".sframe", typ: shtGNUSFrame}, 900<<20)
			return m
		}).only("text", "all", "expect"),
		object("100 MB hole as symbols", 0, func() *image { return symbolHole(100 << 20) }),
		object("15 MB hole as symbols", 0, func() *image { return symbolHole(15 << 20) }),
		object("60 MB hole as code", 0, func() *image { return codeHole(60 << 20) }),
	)
}

func kind(t elf.Type) string {
	return map[elf.Type]string{elf.ET_EXEC: "executable", elf.ET_REL: "object file", elf.ET_DYN: "shared object"}[t]
}

// sparse returns a file with a section that claims a size. Up to huge, the file has
// a hole of this size.
func sparse(name string, typ elf.Type, part section, claim uint64) input {
	return object(name, 0, func() *image {
		m := start(typ)
		part.at, part.size, part.existing = 1<<20, claim, true
		m.add(part)
		m.add(section{name: ".strtab", typ: elf.SHT_STRTAB, data: []byte("\x00a\x00b\x00")})
		if claim == huge {
			m.length = int64(claim) + 1<<20
		}
		return m
	})
}

// symbolNames returns a file with symbols whose names are a table of n bytes.
func symbolNames(n uint64) *image {
	m := start(elf.ET_EXEC)
	m.functions(4, func(i int) uint32 { return uint32(1 + i) }, []byte("\x00abcdefg\x00"))
	if n > 0 {
		s := &m.secs[3]
		s.at, s.size = 1<<20, n
		m.length = int64(n) + 1<<20
	}
	return m
}

func manyHeaders(n uint64) *image {
	m := start(elf.ET_EXEC)
	m.null.Size = n
	m.length = huge
	m.patch = func(h *elf.Header64) { h.Shnum = 0 }
	return m
}

func segmentOnly(n uint64) *image {
	m := &image{typ: elf.ET_EXEC, length: int64(n) + 1<<20}
	m.segs = []elf.Prog64{{Type: ptGNUSFrame, Flags: 4, Off: 1 << 20, Vaddr: sframeAddr, Filesz: n, Memsz: n, Align: 8}}
	m.patch = func(h *elf.Header64) { h.Shoff, h.Shnum, h.Shstrndx = 0, 0, 0 }
	// The hole is the section's, after a header that is in order.
	m.secs = []section{{name: ".sframe", at: 1 << 20, data: encode(sorted|pcrel, nil, func(b []byte) {
		binary.LittleEndian.PutUint32(b[8:], uint32(min(n-28, 1<<32-1)/20))
		binary.LittleEndian.PutUint32(b[24:], uint32(min(n-28, 1<<32-1)/20*20))
	})}}
	return m
}

func symbolHole(n uint64) *image {
	m := start(elf.ET_EXEC)
	m.hollow(section{name: ".symtab", typ: elf.SHT_SYMTAB, link: 4, entsize: 24}, n)
	m.add(section{name: ".strtab", typ: elf.SHT_STRTAB, data: []byte("\x00a\x00")})
	return m
}

func codeHole(n uint64) *image {
	m := start(elf.ET_EXEC)
	m.secs[0].at, m.secs[0].size, m.secs[0].existing = 1<<20, n, true
	m.secs[1].data = leaves(10000, nil)
	m.length = int64(n) + 1<<20
	return m
}

// tableInputs are files with many headers, symbols and relocations.
func tableInputs() []input {
	return []input{
		object("1,000,000 section headers", 0, func() *image { return sections(1_000_000, section{typ: elf.SHT_PROGBITS}) }),
		object("100,000 empty .sframe sections", 0, func() *image { return sections(100_000, section{typ: shtGNUSFrame}) }),
		object("60,000 overlapping LOAD segments", 0, func() *image {
			m := start(elf.ET_EXEC)
			m.segs = make([]elf.Prog64, 60_000)
			for i := range m.segs {
				m.segs[i] = elf.Prog64{Type: 1, Flags: 5, Vaddr: 0, Filesz: 1 << 20, Memsz: 1 << 40}
			}
			return m
		}),
		object("60,000 PT_GNU_SFRAME segments", 0, func() *image {
			m := start(elf.ET_EXEC)
			m.segs = make([]elf.Prog64, 60_000)
			for i := range m.segs {
				m.segs[i] = elf.Prog64{Type: ptGNUSFrame, Flags: 4, Off: uint64(i), Vaddr: uint64(i), Filesz: 1 << 20, Memsz: 1 << 20}
			}
			return m
		}),
		object("60,000 PT_GNU_SFRAME segments, no section headers", 0, func() *image {
			m := segmentOnly(1 << 20)
			m.segs = make([]elf.Prog64, 60_000)
			for i := range m.segs {
				m.segs[i] = elf.Prog64{Type: ptGNUSFrame, Flags: 4, Off: 1 << 20, Vaddr: sframeAddr, Filesz: 28, Memsz: 28}
			}
			m.secs[0].at, m.length = 8<<20, 9<<20
			return m
		}),
		object("300,000 symbols that all overlap", 23*100_000, func() *image {
			return symbolsOf(300_000, func(i int) elf.Sym64 { return elf.Sym64{Name: 1, Info: 2, Shndx: 1, Size: 1<<64 - 1} })
		}),
		object("300,000 symbols with one value", 23*100_000, func() *image {
			return symbolsOf(300_000, func(i int) elf.Sym64 { return elf.Sym64{Name: 1, Info: 2, Shndx: 1, Value: textAddr, Size: uint64(i)} })
		}),
		object("300,000 nested symbols", 23*100_000, func() *image {
			return symbolsOf(300_000, func(i int) elf.Sym64 {
				return elf.Sym64{Name: 1, Info: 2, Shndx: 1, Value: textAddr + uint64(i), Size: 1<<30 - 2*uint64(i)}
			})
		}),
		object("600,000 mapping symbols of AArch64", 23*100_000, func() *image {
			m := symbolsOf(600_000, func(i int) elf.Sym64 { return elf.Sym64{Name: 5, Shndx: 1, Value: textAddr + uint64(i)} })
			m.machine = elf.EM_AARCH64
			return m
		}),
		object("1,000,000 relocations of one field", 0, func() *image {
			return relocations(1_000_000, func(i int) elf.Rela64 { return elf.Rela64{Off: 28, Info: 1<<32 | 2} })
		}),
		object("1,000,000 relocations from the end to the start", 0, func() *image {
			return relocations(1_000_000, func(i int) elf.Rela64 { return elf.Rela64{Off: uint64(1_000_000 - i), Info: uint64(i)<<32 | 2} })
		}),
		object("60,000 relocation sections for one .sframe", 0, func() *image {
			m := start(elf.ET_REL)
			for range 60_000 {
				m.add(section{name: "", typ: elf.SHT_RELA, link: 3, info: 2, entsize: 24, at: 64, size: 24 * 100, existing: true})
			}
			return m
		}),
		object("compressed .sframe that claims 2^40 bytes", 0, func() *image {
			m := start(elf.ET_EXEC)
			m.secs[1].data = append(compressedHead(1<<40), bytes.Repeat([]byte{0x78, 0x9c, 0xed, 0xc1}, 1<<20)...)
			m.secs[1].flags = elf.SHF_ALLOC | elf.SHF_COMPRESSED
			return m
		}),
		object("compressed code, symbols and names", 0, func() *image {
			m := symbolNames(0)
			for i := range m.secs {
				if i != 1 {
					m.secs[i].flags |= elf.SHF_COMPRESSED
				}
			}
			return m
		}),
		object("sections in a circle of links", 0, func() *image {
			m := start(elf.ET_REL)
			for i := range uint32(10_000) {
				m.add(section{typ: elf.SectionType([]elf.SectionType{elf.SHT_SYMTAB, elf.SHT_STRTAB, elf.SHT_RELA, elf.SHT_GROUP, elf.SHT_SYMTAB_SHNDX}[i%5]),
					link: (i + 1) % 10_000, info: (i + 2) % 10_000, entsize: 24, at: 64, size: 4800, existing: true})
			}
			return m
		}),
		object("60,000 group sections", 0, func() *image {
			m := start(elf.ET_REL)
			for range 60_000 {
				m.add(section{typ: elf.SHT_GROUP, flags: elf.SHF_GROUP, entsize: 4, at: 64, size: 60_000, existing: true})
			}
			return m
		}),
		object("60,000 code sections that share 4 MB", 0, func() *image { return sharedCode(60_000, 4<<20) }),
	}
}

// sections returns a file with n sections.
func sections(n int, s section) *image {
	m := start(elf.ET_EXEC)
	for range n {
		m.add(s)
	}
	return m
}

func symbolsOf(n int, of func(i int) elf.Sym64) *image {
	m := &image{typ: elf.ET_EXEC}
	m.text(funcSize)
	m.sframe(leaves(100_000, nil))
	syms := make([]elf.Sym64, n)
	for i := range syms {
		syms[i] = of(i)
	}
	m.symbols(syms, []byte("\x00abc\x00$x\x00"))
	return m
}

func relocations(n int, of func(i int) elf.Rela64) *image {
	m := start(elf.ET_REL)
	all := make([]elf.Rela64, n)
	for i := range all {
		all[i] = of(i)
	}
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, all)
	m.add(section{name: ".rela.sframe", typ: elf.SHT_RELA, link: 4, info: 2, entsize: 24, data: b.Bytes()})
	m.symbols([]elf.Sym64{{Info: 3, Shndx: 1}}, []byte("\x00"))
	return m
}

func sharedCode(n int, size uint64) *image {
	m := &image{typ: elf.ET_EXEC}
	m.text(int(size))
	for i := range n {
		m.add(section{typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, addr: textAddr + uint64(i)*funcSize, at: 64, size: size, existing: true})
	}
	m.sframe(leaves(50_000, nil))
	return m
}
