package build

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
)

// byHand is a section of AMD64, whose fields say what a case wants.
type byHand struct {
	version, flags, abi                int
	fdes, fres, freLen, fdeOff, freOff uint32
	gap                                []byte // between the header and the first sub-section
	functions                          []fde
	rows                               []byte // the FRE sub-section, with the attributes of version 3
	rowsFirst                          bool   // the FRE sub-section comes before the FDEs
}

// fde is an FDE by hand.
type fde struct {
	start           int64 // from the section's start
	size, off, fres uint32
	info, info2     byte
	rep             byte
}

// handAddr is where the sections are.
const handAddr = 0x400000

// row1 is an FRE of one byte of start and one data word: the CFA is rsp plus an offset.
func row1(start, cfa byte) []byte { return []byte{start, 3, cfa} }

// attribute returns the attribute of a function of version 3.
func attribute(f fde) []byte {
	return append(binary.LittleEndian.AppendUint16(nil, uint16(f.fres)), f.info, f.info2, f.rep)
}

var fdeSize = map[int]uint32{1: 17, 2: 20, 3: 16}

// encode returns an FDE at an offset of the section.
func (f fde) encode(version int, at uint32) []byte {
	var b []byte
	start := f.start
	if version > 1 { // PCREL
		start -= int64(at)
	}
	if version == 3 {
		b = binary.LittleEndian.AppendUint64(b, uint64(start))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(start))
	}
	b = binary.LittleEndian.AppendUint32(b, f.size)
	b = binary.LittleEndian.AppendUint32(b, f.off)
	if version == 3 {
		return b
	}
	b = append(binary.LittleEndian.AppendUint32(b, f.fres), f.info)
	if version == 2 {
		b = append(b, f.rep, 0, 0)
	}
	return b
}

// flagsOf are those of a sorted section.
func flagsOf(version int) int {
	if version == 1 {
		return 1
	}
	return 5
}

// plainSection returns a section of some functions with a row each.
func plainSection(version, functions int) *byHand {
	s := &byHand{version: version, flags: flagsOf(version), abi: 3}
	for i := range functions {
		f := fde{start: int64(0x1000 + 64*i), size: 64, off: uint32(len(s.rows)), fres: 1}
		s.add(f, row1(0, 8))
	}
	return s
}

// add adds a function with its rows.
func (s *byHand) add(f fde, rows []byte) {
	if s.functions = append(s.functions, f); s.version == 3 {
		s.rows = append(s.rows, attribute(f)...)
	}
	s.rows = append(s.rows, rows...)
}

// bytes returns the section: its header is that of the parts, unless change changes it.
func (s *byHand) bytes(change func(*byHand)) []byte {
	c := *s
	c.fdes, c.freLen = uint32(len(s.functions)), uint32(len(s.rows))
	for _, f := range s.functions {
		c.fres += f.fres
	}
	table := c.fdes * fdeSize[s.version]
	c.fdeOff = uint32(len(s.gap))
	if c.freOff = c.fdeOff + table; s.rowsFirst {
		c.fdeOff, c.freOff = uint32(len(s.gap)+len(s.rows)), uint32(len(s.gap))
	}
	first := c.fdeOff
	if change != nil {
		change(&c)
	}
	b := append(c.header(), s.gap...)
	var fdes []byte
	for i, f := range c.functions {
		fdes = append(fdes, f.encode(s.version, 28+first+uint32(i)*fdeSize[s.version])...)
	}
	if s.rowsFirst {
		return append(append(b, c.rows...), fdes...)
	}
	return append(append(b, fdes...), c.rows...)
}

func (s *byHand) header() []byte {
	b := []byte{0xe2, 0xde, byte(s.version), byte(s.flags), byte(s.abi), 0, 0xf8, 0}
	for _, v := range []uint32{s.fdes, s.fres, s.freLen, s.fdeOff, s.freOff} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// limits adds small sections with a field at its limit, or whose parts end where they must.
func (b *builder) limits() {
	for v := 1; v <= 3; v++ {
		b.limitsOf(v)
	}
}

// limitsOf adds those of a version.
func (b *builder) limitsOf(v int) {
	add := func(name string, s *byHand, change func(*byHand)) {
		b.add(fmt.Sprintf("limit/v%d/%s", v, name), s.bytes(change), handAddr, nil)
	}
	one := func(f fde, rows []byte) *byHand {
		s := plainSection(v, 0)
		s.add(f, rows)
		return s
	}
	lookedUp := func(name string, addr uint64, f fde, rows []byte) {
		data := one(f, rows).bytes(nil)
		b.add(fmt.Sprintf("limit/v%d/%s", v, name), data, addr, nil)
		b.lookUps(fmt.Sprintf("limit-v%d/%s", v, name), data, addr)
	}
	for _, n := range []uint32{0x8000_0000, 0xffff_ffff, 0xffff_fff0} {
		for functions := range 2 {
			s := plainSection(v, functions)
			name := fmt.Sprintf("-%x-of-%d", n, functions)
			add("fdes"+name, s, func(s *byHand) { s.fdes = n })
			add("fre-len"+name, s, func(s *byHand) { s.freLen = n })
			add("fde-off"+name, s, func(s *byHand) { s.fdeOff = n })
			add("fre-off"+name, s, func(s *byHand) { s.freOff = n })
		}
	}
	for _, abi := range []int{0, 5, 255} {
		add(fmt.Sprintf("abi-%d", abi), plainSection(v, 1), func(s *byHand) { s.abi = abi })
	}
	for _, version := range []int{0, 4, 255} {
		add(fmt.Sprintf("version-%d", version), plainSection(v, 1), func(s *byHand) { s.version = version })
	}
	last := plainSection(v, 2)
	last.rowsFirst = true
	add("fdes-at-the-end", last, nil)
	for _, info := range []byte{3, 8, 15} {
		add(fmt.Sprintf("fre-type-%d", info), one(fde{start: 0x1000, size: 64, fres: 1, info: info}, append(make([]byte, 7), row1(0, 8)...)), nil)
		none := plainSection(v, 1)
		none.add(fde{start: 0x2000, size: 64, off: uint32(len(none.rows)), info: info}, nil)
		add(fmt.Sprintf("fre-type-%d-without-fres", info), none, nil)
	}
	// The second function's rows end beyond the sub-section, and inside the section.
	beyond := plainSection(v, 2)
	beyond.rowsFirst = true
	for cut := 1; cut <= len(beyond.rows)/2; cut++ {
		add(fmt.Sprintf("fre-len-less-%d", cut), beyond, func(s *byHand) { s.freLen -= uint32(cut) })
	}
	before := plainSection(v, 2)
	before.functions[1].off = 0xffff_fff0
	add("fres-before-the-sub-section", before, nil)
	sum := plainSection(v, 2)
	add("more-fres", sum, func(s *byHand) { s.fres++ })
	add("fewer-fres", sum, func(s *byHand) { s.fres-- })
	lookedUp("size-80000010", handAddr, fde{start: 0x1000, size: 0x8000_0010, fres: 1}, row1(0, 8))
	lookedUp("ends-at-2-to-the-64", 0xffff_ffff_ffff_0000, fde{start: 0xf000, size: 0x1000, fres: 1}, row1(0, 8))
	lookedUp("late-row", handAddr, fde{start: 0x1000, size: 64, fres: 1}, row1(4, 8))
	lookedUp("size-0", handAddr, fde{start: 0x1000, fres: 1}, row1(0, 8))
	for _, words := range []byte{4, 7, 8, 15} {
		rows := slices.Concat(row1(0, 8), []byte{4, words<<1 | 1, 16, 0xf0}, make([]byte, words-2), row1(8, 24))
		add(fmt.Sprintf("words-%d", words), one(fde{start: 0x1000, size: 64, fres: 3}, rows), nil)
	}
	if v > 1 {
		for _, rep := range []byte{1, 128, 255} {
			lookedUp(fmt.Sprintf("rep-size-%d", rep), handAddr, fde{start: 0x1000, size: 2 * uint32(rep), fres: 1, info: 0x10, rep: rep}, row1(0, 8))
		}
	}
	if v == 3 {
		for _, info2 := range []byte{2, 16, 17, 31, 32, 33, 64, 128} {
			rows := []byte{0, 5, 57, 8} // has a sense as either type
			add(fmt.Sprintf("fde-type-%d", info2), one(fde{start: 0x1000, size: 64, fres: 1, info2: info2}, rows), nil)
		}
	}
}

// Parts of a large section: a header and what is repeated.
func (s *byHand) part(b []byte, times int, steps ...conformance.Steps) conformance.Part {
	return conformance.Part{Hex: hex.EncodeToString(b), Times: times, Steps: steps}
}

// large adds look-ups in sections whose counts and offsets need more than 16 bits.
func (b *builder) large() {
	for v := 1; v <= 3; v++ {
		b.lookLarge(fmt.Sprintf("large/v%d-functions", v), manyFunctions(v))
		b.lookLarge(fmt.Sprintf("large/v%d-rows", v), manyRows(v))
		b.lookLarge(fmt.Sprintf("large/v%d-gap", v), farTable(v))
	}
}

// manyFunctions is the recipe of a section of 65,600 functions with a row each.
func manyFunctions(v int) []conformance.Part {
	const n, stride = 65_600, 32
	row := row1(0, 8)
	s := &byHand{version: v, flags: flagsOf(v), abi: 3, fdes: n, fres: n}
	f := fde{start: 0x10_0000_00, size: 24, fres: 1}
	if v == 3 {
		row = append(attribute(f), row...)
	}
	s.freLen, s.freOff = uint32(n*len(row)), n*fdeSize[v]
	size, step := 4, int64(stride)
	if v == 3 {
		size = 8
	}
	if v > 1 {
		step -= int64(fdeSize[v])
	}
	cfa := conformance.Steps{At: len(row) - 1, Size: 1, Add: 8} // each row differs from the one before
	return []conformance.Part{s.part(s.header(), 0),
		s.part(f.encode(v, 28), n, conformance.Steps{At: 0, Size: size, Add: step}, conformance.Steps{At: size + 4, Size: 4, Add: int64(len(row))}),
		s.part(row, n, cfa)}
}

// manyRows is the recipe of a section with a function of 70,000 rows, of 65,535 in version 3, and another one after it.
func manyRows(v int) []conformance.Part {
	n := 70_000
	if v == 3 {
		n = 65_535
	}
	s := &byHand{version: v, flags: flagsOf(v), abi: 3, fdes: 2, fres: uint32(n) + 1, freOff: 2 * fdeSize[v]}
	f := fde{start: 0x1000_0000, size: uint32(16 * n), fres: uint32(n), info: 2}
	row := []byte{0, 0, 0, 0, 3, 8}
	g := fde{start: f.start + int64(f.size), size: 64, off: uint32(n * len(row)), fres: 1}
	var first, second []byte
	if v == 3 {
		first, second = attribute(f), attribute(g)
		g.off += uint32(len(first))
	}
	second = append(second, row1(0, 8)...)
	s.freLen = uint32(len(first) + n*len(row) + len(second))
	all := []conformance.Part{s.part(append(append(s.header(), f.encode(v, 28)...), g.encode(v, 28+fdeSize[v])...), 0)}
	if len(first) > 0 {
		all = append(all, s.part(first, 0))
	}
	return append(all, s.part(row, n, conformance.Steps{At: 0, Size: 4, Add: 16}, conformance.Steps{At: 5, Size: 1, Add: 8}), s.part(second, 0))
}

// farTable is the recipe of a section whose FDEs are 70,000 bytes after the header.
func farTable(v int) []conformance.Part {
	s := plainSection(v, 2)
	s.gap = make([]byte, 70_000)
	b := s.bytes(nil)
	return []conformance.Part{s.part(b[:28], 0), s.part(make([]byte, 100), 700), s.part(b[28+70_000:], 0)}
}

// lookLarge adds look-ups in a large section: around the numbers of functions and rows that have one bit more.
func (b *builder) lookLarge(name string, recipe []conformance.Part) {
	x, err := conformance.Read(conformance.Expand(recipe), handAddr)
	if err == nil && x.Duty != conformance.Accept {
		err = fmt.Errorf("not valid: %v", x.Rules)
	}
	if b.note(name, err) {
		return
	}
	s := x.Read
	x.Recipe = recipe
	pcs, about := map[string]uint64{}, map[string][]string{}
	for _, i := range []int{0, 255, 256, 4095, 4096, 65_535, 65_536, s.NumFDEs() - 1} {
		if i < s.NumFDEs() {
			name := fmt.Sprintf("fde%d", i)
			pcs[name], about[name] = s.FDE(i).Start()+1, []string{"HDR-13"}
		}
	}
	for r := range s.FDE(0).FREs() {
		switch r.Index() {
		case 255, 256, 4095, 4096, 65_534, 65_535, 65_536, s.FDE(0).NumFREs() - 1:
			name := fmt.Sprintf("fre%d", r.Index())
			pcs[name], about[name] = s.FDE(0).Start()+uint64(r.Start())+1, []string{"FDE-11", "ATT-04"}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(pcs)) {
		b.lookUp(x, name+"/"+what, pcs[what], about[what]...)
	}
}
