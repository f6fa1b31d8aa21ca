//go:build linux

package hostile

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
)

// debugInputs have findings, and debug information that takes far more memory or time than bytes.
func debugInputs() []input {
	plain := info(unit(0, nil))
	return []input{
		object("line program of 40 MB", 0, func() *image {
			return withLines(plain, lineTable(sequence(textAddr, bytes.Repeat([]byte{same}, 40<<20))))
		}),
		object("line program of 40 MB of sequences", 0, func() *image {
			return withLines(plain, lineTable(bytes.Repeat(sequence(textAddr, nil), 40<<20/16)))
		}),
		object("line program of one row for 2^60 bytes", 0, func() *image {
			return withLines(plain, lineTable(sequence(textAddr, append(binary.AppendUvarint([]byte{2}, 1<<60), same))))
		}),
		object("line table that claims 2^60 directories", 0, func() *image { return withLines(plain, claims(60)) }),
		object("1,000,000 units of debug information", 0, func() *image {
			return withLines(info(bytes.Repeat(unit(0, nil), 1_000_000)), lineTable(sequence(textAddr, nil)))
		}),
		object("3,000,000 nested entries", 0, func() *image {
			return withLines(info(unit(0, bytes.Repeat([]byte{2}, 3_000_000))), lineTable(sequence(textAddr, nil)))
		}),
		object("1,000,000 functions that stand for themselves", 0, func() *image {
			var own []byte
			for i := range 1_000_000 {
				at := uint32(unitHead + 5*i) // of the entry itself
				own = append(own, 3)
				own = binary.LittleEndian.AppendUint32(own, at)
			}
			return withLines(info(unit(0, own)), lineTable(sequence(textAddr, nil)))
		}),
		object("1,000,000 abbreviations of each of 1,000 units", 0, func() *image {
			d := info(bytes.Repeat(unit(0, nil), 1000))
			var many []byte
			for i := range 1_000_000 {
				many = append(binary.AppendUvarint(many, uint64(i+10)), 0x11, 0, 0, 0)
			}
			d.abbrevs = append(many, d.abbrevs...)
			return withLines(d, lineTable(sequence(textAddr, nil)))
		}),
		object("20 GB .debug_line, a hole", 0, func() *image { return hollowDebug(".debug_line") }),
		object("20 GB .debug_info, a hole", 0, func() *image { return hollowDebug(".debug_info") }),
		object("compressed .debug_line of 1 GB", 0, func() *image {
			m := withLines(plain, lineTable(sequence(textAddr, nil)))
			s := &m.secs[len(m.secs)-1]
			s.flags, s.data = elf.SHF_COMPRESSED, bomb(1<<30)
			return m
		}),
	}
}

// dwarf is the debug information of a file.
type dwarf struct{ info, abbrevs []byte }

// info returns debug information with abbreviations for a unit (1), an entry with children (2), and a function
// with an abstract origin (3).
func info(units []byte) dwarf {
	const stmtList, lowPC, highPC, origin = 0x10, 0x11, 0x12, 0x31
	const addr, data8, ref4, secOffset = 0x01, 0x07, 0x13, 0x17
	return dwarf{units, []byte{
		1, 0x11, 1, stmtList, secOffset, lowPC, addr, highPC, data8, 0, 0,
		2, 0x0b, 1, 0, 0,
		3, 0x2e, 0, origin, ref4, 0, 0,
		0,
	}}
}

// unitHead is the size of a unit's header and its first entry.
const unitHead = 11 + 1 + 4 + 8 + 8

// unit returns a unit of version 4 for the functions of start.
func unit(abbrevs uint32, entries []byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, uint32(unitHead-4+len(entries)+1))
	b = le.AppendUint16(b, 4)
	b = le.AppendUint32(b, abbrevs)
	b = append(b, 8, 1)
	b = le.AppendUint32(b, 0)
	b = le.AppendUint64(b, textAddr)
	b = le.AppendUint64(b, 4*funcSize)
	return append(append(b, entries...), 0)
}

// lineTable returns a line table of version 3 with a program.
func lineTable(program []byte) []byte {
	le := binary.LittleEndian
	head := []byte{1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 'a', '.', 'c', 0, 0, 0, 0, 0}
	b := le.AppendUint32(nil, uint32(2+4+len(head)+len(program)))
	b = le.AppendUint16(b, 3)
	b = le.AppendUint32(b, uint32(len(head)))
	return append(append(b, head...), program...)
}

// claims returns a line table of version 5 with 2^bits directories.
func claims(bits int) []byte {
	le := binary.LittleEndian
	head := []byte{1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0x0b}
	head = binary.AppendUvarint(head, 1<<bits)
	b := le.AppendUint32(nil, uint32(2+2+4+len(head)))
	b = append(le.AppendUint16(b, 5), 8, 0)
	b = le.AppendUint32(b, uint32(len(head)))
	return append(b, head...)
}

// same is the opcode for another row of the same line at the same address.
const same = 18

// sequence returns a program with a row at an address, others, and an end one byte after them.
func sequence(addr uint64, others []byte) []byte {
	b := binary.LittleEndian.AppendUint64([]byte{0, 9, 2}, addr)
	return append(append(append(b, 1), others...), 2, 1, 0, 1, 1)
}

// withLines returns a file with four functions whose FREs are wrong, and debug information about them.
func withLines(d dwarf, table []byte) *image {
	m := &image{typ: elf.ET_EXEC}
	m.text(4 * funcSize)
	m.sframe(leaves(4, func(_ int, f *fde) { f.fres = []byte{0, 2, 16} }))
	m.add(section{name: ".debug_abbrev", typ: elf.SHT_PROGBITS, data: d.abbrevs})
	m.add(section{name: ".debug_info", typ: elf.SHT_PROGBITS, data: d.info})
	m.add(section{name: ".debug_line", typ: elf.SHT_PROGBITS, data: table})
	return m
}

// hollowDebug returns a file with a section of debug information that the file has as a hole.
func hollowDebug(name string) *image {
	m := withLines(info(unit(0, nil)), lineTable(sequence(textAddr, nil)))
	for i := range m.secs {
		if s := &m.secs[i]; s.name == name {
			s.at, s.size, s.existing = holeAt, huge, true
			m.length = huge + holeAt
		}
	}
	return m
}

// bomb returns the contents of a compressed section of n zeros.
func bomb(n int64) []byte {
	out := bytes.NewBuffer(compressedHead(uint64(n)))
	z := zlib.NewWriter(out)
	zeros := make([]byte, 1<<20)
	for range n >> 20 {
		z.Write(zeros) //nolint:errcheck // to memory
	}
	z.Close() //nolint:errcheck // to memory
	return out.Bytes()
}
