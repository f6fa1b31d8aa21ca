//go:build linux

package hostile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// bulk is the bytes of the large sections, about.
const bulk = 8 << 20

// sectionInputs are large sections with faults of one kind. Each is a file of its
// own and, for some, in an ELF file.
func sectionInputs() []input {
	const n = bulk / 23 // functions of an FDE and an FRE
	of := func(name string, n int, change func(i int, f *fde)) []input {
		size := int64(n) * 23
		data := func() []byte { return leaves(n, change) }
		return []input{file(name, size, data), object(name+", in a program", size, func() *image {
			m := &image{typ: elf.ET_EXEC}
			m.text(1 << 20)
			m.sframe(data())
			return m
		})}
	}
	var all []input
	for _, x := range []struct {
		name   string
		change func(i int, f *fde)
	}{
		{"healthy functions", nil},
		{"functions without an FRE type", func(_ int, f *fde) { f.info = 3 }},
		{"functions with reserved bits and padding", func(_ int, f *fde) { f.info, f.pad = 0xc0, 0xffff }},
		{"functions of size 0", func(_ int, f *fde) { f.size = 0 }},
		{"functions from the last to the first", func(i int, f *fde) { f.start = textAddr + funcSize*int64(n-i) }},
		{"functions at one address", func(_ int, f *fde) { f.start = textAddr }},
		{"functions that overlap", func(_ int, f *fde) { f.size = 1 << 31 }},
		{"functions that share their FREs", func(_ int, f *fde) { f.freOff = 0 }},
		{"functions with FREs beyond the end", func(_ int, f *fde) { f.freOff = 1 << 31 }},
		{"functions that claim 2^32-1 FREs", func(_ int, f *fde) { f.num = 1<<32 - 1 }},
		{"functions with FREs that have wrong words", func(_ int, f *fde) { f.fres = []byte{0, 0x7f, 8} }},
		{"functions whose CFA is not aligned", func(i int, f *fde) { f.fres = []byte{0, 2, byte(i)} }},
		{"functions in no order", func(i int, f *fde) { f.start = textAddr + funcSize*int64(uint32(i)*2654435761%n) }},
	} {
		all = append(all, of(fmt.Sprintf("%d %s", n, x.name), n, x.change)...)
	}
	all = append(all,
		file("one function of 1,000,000 FREs", 9<<20, func() []byte {
			f := leaf(0)
			f.num, f.info, f.size, f.fres = 1_000_000, addr4, 1<<30, rows(1_000_000, func(int) uint32 { return 8 })
			return encode(sorted|pcrel, []fde{f}, nil)
		}),
		file("one function of 1,000,000 different FREs", 9<<20, func() []byte {
			f := leaf(0)
			f.num, f.info, f.size, f.fres = 1_000_000, addr4, 1<<30, rows(1_000_000, func(i int) uint32 { return uint32(8 * i) })
			return encode(sorted|pcrel, []fde{f}, nil)
		}),
		file("100,000 functions with 400,000 different FREs", 6<<20, func() []byte {
			k := uint32(0)
			return leaves(100_000, func(_ int, f *fde) {
				f.num, f.info = 4, addr4
				f.fres = rows(4, func(int) uint32 { k += 8; return k })
			})
		}),
		file("400,000 FREs from the last to the first", 4<<20, func() []byte {
			f := leaf(0)
			f.num, f.info, f.size = 400_000, addr4, 1<<30
			f.fres = rows(400_000, func(int) uint32 { return 8 })
			for i := range 400_000 {
				binary.LittleEndian.PutUint32(f.fres[9*i:], uint32(400_000-i))
			}
			return encode(sorted|pcrel, []fde{f}, nil)
		}),
		file("a header that claims 2^32-1 of everything", 1<<20, func() []byte {
			b := leaves(1000, nil)
			for at := 8; at < 28; at += 4 {
				binary.LittleEndian.PutUint32(b[at:], 1<<32-1)
			}
			return b
		}),
		file("FDEs and FREs that overlap", bulk, func() []byte {
			b := leaves(n, nil)
			binary.LittleEndian.PutUint32(b[24:], 0)
			return b
		}),
		file("FREs before the FDEs", bulk, func() []byte {
			b := leaves(n, nil)
			binary.LittleEndian.PutUint32(b[20:], 3*n)
			binary.LittleEndian.PutUint32(b[24:], 0)
			return b
		}),
		file("8 MB of zeros after a header of V3", bulk, func() []byte {
			return encode(sorted|pcrel, nil, func(b []byte) {
				b[2] = 3
				binary.LittleEndian.PutUint32(b[8:], bulk/16)
				binary.LittleEndian.PutUint32(b[24:], bulk)
			})
		}),
		file("sections put together", bulk, func() []byte { return bytes.Repeat(leaves(4, nil), bulk/120) }),
	)
	for v := byte(1); v <= 3; v++ {
		all = append(all, file(fmt.Sprintf("8 MB at random after a header of V%d", v), bulk, func() []byte {
			return random(v, 0)
		}), file(fmt.Sprintf("8 MB of small random values after a header of V%d", v), bulk, func() []byte {
			return random(v, 0xf8)
		}))
	}
	return all
}

// random returns a section of random bytes without the bits of a mask, in which
// half of the bytes are FDEs.
func random(version, without byte) []byte {
	size := map[byte]uint32{1: 17, 2: 20, 3: 16}[version]
	b := encode(pcrel, nil, func(b []byte) {
		b[2] = version
		n := bulk / 2 / size
		for i, v := range []uint32{n, n, bulk / 2, 0, n * size} {
			binary.LittleEndian.PutUint32(b[8+4*i:], v)
		}
	})
	r := rand.New(rand.NewPCG(1, uint64(version)))
	for len(b) < bulk {
		b = append(b, byte(r.Uint32())&^without)
	}
	return b
}

// manyInputs have many sections.
func manyInputs() []input {
	bad := leaves(1, func(_ int, f *fde) { f.info, f.pad = 0xc3, 1 })
	return []input{
		object("100,000 bad sections of their own", 0, func() *image { return manySections(100_000, bad, false) }),
		object("100,000 bad sections that share bytes", 0, func() *image { return manySections(100_000, bad, true) }),
		object("1,000 sections that share 1 MB", 1<<20, func() *image { return manySections(1000, leaves(1<<20/23, nil), true) }),
		object("1,000 sections that share 64 KB", 64<<10, func() *image { return manySections(1000, leaves(64<<10/23, nil), true) }),
		object("50,000 sections without a header", 0, func() *image { return manySections(50_000, []byte{0xe2, 0xde, 9, 0}, false) }),
		object("20,000 healthy sections", 0, func() *image { return manySections(20_000, leaves(2, nil), false) }),
		object("20,000 bad sections of an object file", 0, func() *image {
			m := manySections(20_000, bad, false)
			m.typ = elf.ET_REL
			return m
		}),
	}
}

// manySections returns a file with n sections of SFrame data.
func manySections(n int, data []byte, share bool) *image {
	m := &image{typ: elf.ET_EXEC}
	m.text(funcSize)
	m.sframe(data)
	first := m.secs[1]
	first.nameAt = 1
	for range n - 1 {
		s := first
		if share {
			s.at, s.size, s.existing = 64+16, uint64(len(data)), true
		}
		m.add(s)
	}
	m.secs[1].nameAt = 1
	m.names = []byte("\x00.sframe\x00")
	return m
}
