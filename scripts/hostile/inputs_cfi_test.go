//go:build linux

package hostile

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
)

// mostCIEs is how many CIEs of a section are decoded.
const mostCIEs = 1 << 18

// cfiInputs have call frame information that takes far more memory or time than bytes.
func cfiInputs() []input {
	return []input{
		object("4 compressed .eh_frame of 2^18 CIEs", 0, func() *image { return compressedCIEs(4) }),
		object("7 compressed .eh_frame of 2^18 CIEs", 0, func() *image { return compressedCIEs(7) }),
		object("15 MB .eh_frame of CIEs", 0, func() *image { return withCFI(ehFrame(plainCIEs(15 << 20 / cieSize))) }),
		object("15 MB .eh_frame of FDEs with a CIE each", 0, func() *image { return withCFI(ehFrame(pairs(15 << 20 / (cieSize + fdeSize)))) }),
		object("15 MB .eh_frame of terminators", 0, func() *image { return withCFI(ehFrame(terminators(15 << 20 / 20))) }),
		object("60,000 .eh_frame of 13 bytes", 0, func() *image {
			s := ehFrame(plainCIEs(1))
			m := withCFI(s)
			m.names = []byte("\x00.eh_frame\x00")
			for i := range m.secs {
				m.secs[i].nameAt = 1
			}
			for range 60_000 {
				m.add(section{nameAt: 1, typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, data: s.data})
			}
			return m
		}),
		object("expression of 4 MB in 1,000,000 rows", 0, func() *image { return expression(4<<20, 1_000_000) }),
		object("3 expressions of 1 MB in 1,000,000 rows", 0, func() *image { return expressions(1<<20, 1_000_000) }),
		object("CIE program of 4 MB for 100,000 FDEs", 0, func() *image { return longCIE(4<<20, 100_000) }),
		object(".eh_frame of 900 MB, a hole", 0, func() *image { return hollow(".eh_frame", elf.SHT_PROGBITS, elf.SHF_ALLOC) }),
		object(".debug_frame of 900 MB, a hole", 0, func() *image { return hollow(".debug_frame", elf.SHT_PROGBITS, 0) }),
		object("relocations of .eh_frame of 900 MB, a hole", 0, func() *image {
			m := withCFI(ehFrame(plainCIEs(1)))
			m.typ = elf.ET_REL
			m.hollow(section{name: ".rela.eh_frame", typ: elf.SHT_RELA, info: uint32(len(m.secs)), entsize: 24}, 900<<20/24*24)
			return m
		}),
	}
}

// withCFI returns a file with a healthy section of four functions and a section of CFI.
func withCFI(s section) *image {
	m := start(elf.ET_EXEC)
	m.add(s)
	return m
}

func ehFrame(data []byte) section {
	return section{name: ".eh_frame", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, addr: ehFrameAddr, data: data}
}

// hollow returns a file with a section of 900 MB that the file has as a hole.
func hollow(name string, typ elf.SectionType, flags elf.SectionFlag) *image {
	m := start(elf.ET_EXEC)
	m.hollow(section{name: name, typ: typ, flags: flags}, 900<<20)
	return m
}

// cieSize and fdeSize are the bytes of the smallest CIE and FDE here.
const (
	cieSize = 13
	fdeSize = 24
)

// cie appends a CIE without an augmentation to b.
func cie(b, program []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(9+len(program)))
	b = append(b, 0, 0, 0, 0, 1, 0, 1, 0x78, 16)
	return append(b, program...)
}

// function appends an FDE with the CIE at an offset.
func function(b []byte, cie int, start, size uint64, program []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(20+len(program)))
	b = le.AppendUint32(b, uint32(len(b)-cie))
	b = le.AppendUint64(b, start)
	b = le.AppendUint64(b, size)
	return append(b, program...)
}

func plainCIEs(n int) []byte { return bytes.Repeat(cie(nil, nil), n) }

// pairs returns n CIEs with an FDE each.
func pairs(n int) []byte {
	var b []byte
	for i := range n {
		at := len(b)
		b = function(cie(b, nil), at, textAddr+uint64(i), 1, nil)
	}
	return b
}

// terminators returns n lengths of 0 with a CIE after each.
func terminators(n int) []byte {
	return bytes.Repeat(append(make([]byte, 4), cie(nil, []byte{0, 0, 0})...), n)
}

// compressedHead is how a compressed section of n bytes begins.
func compressedHead(n uint64) []byte {
	return elf64.Encode(binary.LittleEndian, elf.Chdr64{Type: uint32(elf.COMPRESS_ZLIB), Size: n, Addralign: 1})
}

// compressedCIEs returns a file with some compressed sections of as many CIEs as are decoded.
func compressedCIEs(n int) *image {
	data := plainCIEs(mostCIEs)
	out := bytes.NewBuffer(compressedHead(uint64(len(data))))
	z, _ := zlib.NewWriterLevel(out, zlib.BestCompression) // the level is valid
	_, _ = z.Write(data)                                   // a Buffer has no errors
	_ = z.Close()
	m := start(elf.ET_EXEC)
	for range n {
		m.add(section{name: ".eh_frame", typ: elf.SHT_PROGBITS, flags: elf.SHF_COMPRESSED, data: out.Bytes()})
	}
	return m
}

// described returns a file with one function of some bytes, SFrame data and a program of CFI.
func described(size int, program []byte) *image {
	m := &image{typ: elf.ET_EXEC}
	m.text(size)
	f := leaf(0)
	f.size = uint32(size)
	m.sframe(encode(sorted|pcrel, []fde{f}, nil))
	m.add(ehFrame(function(cie(nil, nil), 0, textAddr, uint64(size), program)))
	return m
}

// block returns an expression of n bytes that gives rsp + 8, after an opcode.
func block(op byte, n int) []byte {
	b := binary.AppendUvarint([]byte{op}, uint64(n))
	b = append(b, 0x77, 8) // breg7 +8
	return append(b, bytes.Repeat([]byte{0x96}, n-2)...)
}

// expression returns a file with an expression for the CFA of n rows.
func expression(size, n int) *image {
	return described(n, append(block(0x0f, size), bytes.Repeat([]byte{0x41}, n-1)...))
}

// expressions returns a file with an expression each for the CFA, RA and FP of n rows.
func expressions(size, n int) *image {
	p := block(0x0f, size)
	for _, reg := range []byte{16, 6} {
		p = append(p, 0x16, reg) // DW_CFA_val_expression
		p = append(p, block(0, size)[1:]...)
	}
	return described(n, append(p, bytes.Repeat([]byte{0x41}, n-1)...))
}

// longCIE returns a file in which FDEs alternate between two CIEs with long programs.
func longCIE(size, n int) *image {
	nops := make([]byte, size/2)
	b := cie(nil, nops)
	second := len(b)
	b = cie(b, nops)
	fdes := make([]fde, n)
	for i := range fdes {
		fdes[i] = leaf(i)
		b = function(b, []int{0, second}[i%2], textAddr+funcSize*uint64(i), funcSize, nil)
	}
	m := &image{typ: elf.ET_EXEC}
	m.text(funcSize * n)
	m.sframe(encode(sorted|pcrel, fdes, nil))
	m.add(ehFrame(b))
	return m
}
