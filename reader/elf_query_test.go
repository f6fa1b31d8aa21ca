package reader

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/assert"
)

const top = ^uint64(0)

func queryELF() *ELF {
	const ax = elf.SHF_ALLOC | elf.SHF_EXECINSTR
	return &ELF{Type: elf.ET_DYN, Machine: elf.EM_X86_64, Sections: []Section{
		{},
		{Name: ".text", Flags: ax, Addr: 0x1000, Size: 0x100},
		{Name: ".plt", Flags: ax, Addr: 0x1100, Size: 0x10},
		{Name: ".data", Flags: elf.SHF_ALLOC | elf.SHF_WRITE, Addr: 0x2000, Size: 0x10},
		{Name: ".tbss", Type: elf.SHT_NOBITS, Flags: elf.SHF_ALLOC | elf.SHF_TLS, Addr: 0x2000, Size: 0x1000},
		{Name: ".inner", Flags: elf.SHF_ALLOC, Addr: 0x1010, Size: 1},
		{Name: ".comment", Addr: 0, Size: 0x100},
		{Name: ".init", Flags: ax, Addr: 0x800, Size: 0x10},
		{Name: ".none", Flags: ax, Addr: 0x4000},
		{Name: ".wraps", Flags: ax, Addr: top - 1, Size: 100},
	}}
}

func TestSectionAt(t *testing.T) {
	e := queryELF()
	for addr, want := range map[uint64]int{0x1000: 1, 0x100f: 1, 0x1010: 5, 0x1011: 1, 0x10ff: 1, 0x1100: 2, 0x1110: 0,
		0x2000: 3, 0x2010: 0, 0: 0, 0x7ff: 0, 0x80f: 7, 0x4000: 0, top: 9, top - 2: 0} {
		i, ok := e.SectionAt(addr)
		assert.Equal(t, want, i, "%#x", addr)
		assert.Equal(t, want != 0, ok)
	}
	rel := queryELF()
	rel.Type = elf.ET_REL
	_, ok := rel.SectionAt(0x1000)
	assert.False(t, ok)
	assert.Empty(t, rel.ExecRanges())
}

func TestExecRanges(t *testing.T) {
	e := queryELF()
	assert.Equal(t, AddrRanges{{0x800, 0x80f}, {0x1000, 0x10ff}, {0x1100, 0x110f}, {top - 1, top}}, e.ExecRanges())
	e.Segments = []Segment{{Type: elf.PT_LOAD, Flags: elf.PF_R, Vaddr: 1, Memsz: 1},
		{Type: elf.PT_LOAD, Flags: elf.PF_R | elf.PF_X, Vaddr: 0x1000, Memsz: 0x10}, {Type: elf.PT_LOAD, Flags: elf.PF_X, Vaddr: 5}}
	e.Sections = nil
	assert.Equal(t, AddrRanges{{0x1000, 0x100f}}, e.ExecRanges())
}

func TestAddrRangeContains(t *testing.T) {
	r := AddrRange{10, 19}
	for _, tt := range []struct {
		addr, size uint64
		want       bool
	}{{10, 10, true}, {10, 11, false}, {9, 1, false}, {19, 1, true}, {19, 0, true}, {20, 0, false}, {20, 1, false}, {12, top, false}} {
		assert.Equal(t, tt.want, r.Contains(tt.addr, tt.size), "%v", tt)
	}
	assert.True(t, AddrRange{0, top}.Contains(5, top-5))
}

func TestSectionData(t *testing.T) {
	f := exec(sframeOf(plain), testSection{name: ".bss", typ: elf.SHT_NOBITS, size: 4},
		testSection{name: ".far", typ: elf.SHT_PROGBITS, offset: 1 << 40, size: 4})
	e := scanOne(t, f.bytes()).ELF
	b, err := e.SectionData(2, int64(len(plain)))
	assert.NoError(t, err)
	assert.Equal(t, plain, b)
	for _, i := range []int{-1, 3, 4, 99} {
		_, err = e.SectionData(i, 1<<20)
		assert.Error(t, err)
	}
	_, err = e.SectionData(2, int64(len(plain))-1)
	assert.ErrorContains(t, err, "more than")
	_, err = queryELF().SectionData(1, 1<<20)
	assert.Error(t, err)
}

func TestCoveringDoesNotStepForEver(t *testing.T) {
	var v intervals
	v.add(0, 1<<40, 7)
	for i := range 1000 {
		v.add(uint64(10+i*10), uint64(10+i*10), int32(i))
	}
	v.sort()
	id, ok := v.covering(15)
	assert.True(t, ok)
	assert.Equal(t, int32(7), id)
	_, ok = v.covering(9999)
	assert.False(t, ok)
}

// A section with the flag of machine code counts as that, whatever its type: else a file could hide code from a limit.
func TestCodeSections(t *testing.T) {
	e := &ELF{Sections: []Section{
		{},
		{Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR},
		{Type: elf.SHT_NOBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR},
		{Type: elf.SHT_SYMTAB, Flags: elf.SHF_EXECINSTR},
		{Type: elf.SHT_RELA, Flags: elf.SHF_EXECINSTR, Info: 2},
		{Type: elf.SHT_RELA, Info: 1},
		{Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC},
	}}
	assert.Equal(t, []int{1, 3, 4}, e.CodeSections())
	assert.Equal(t, []int{3}, e.SymbolTables())
	assert.Equal(t, []int{5, 4}, e.RelaTables(), "by the sections that they apply to")
}
