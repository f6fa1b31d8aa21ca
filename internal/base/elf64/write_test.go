package elf64_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// TestPlaces: parts get their places, and those that claim one keep it.
func TestPlaces(t *testing.T) {
	text := &elf64.Section{Label: ".text", Data: []byte{1, 2, 3}, Section64: elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC), Addr: 0x5010, Addralign: 16}}
	f := elf64.File{Type: elf.ET_EXEC, Machine: elf.EM_S390, Order: binary.BigEndian, Page: 0x1000, Null: elf.Section64{Info: 7}, Sections: []*elf64.Section{
		text,
		{Label: ".twice", Data: []byte{4}, Section64: elf.Section64{Type: uint32(elf.SHT_PROGBITS), Off: 0x3000, Size: 1 << 40}},
		{Label: ".twice", Raw: true, Section64: elf.Section64{Type: uint32(elf.SHT_PROGBITS)}, Data: nil},
	}, Segments: []elf64.Segment{{Covers: text, Prog64: elf.Prog64{Type: uint32(elf.PT_LOAD)}}, {Data: []byte{5, 6}}}}
	b := f.Bytes()
	e := must.Get(elf.NewFile(bytes.NewReader(b)))(t)
	assert.Equal(t, elf.EM_S390, e.Machine)
	require.Len(t, e.Sections, 5)
	assert.EqualValues(t, 7, e.Sections[0].Info)
	assert.EqualValues(t, 0x1010, e.Sections[1].Offset)
	data := must.Get(e.Sections[1].Data())(t)
	assert.Equal(t, []byte{1, 2, 3}, data)
	assert.EqualValues(t, 0x3000, e.Sections[2].Offset)
	assert.EqualValues(t, 1<<40, e.Sections[2].Size)
	assert.EqualValues(t, 4, b[0x3000])
	assert.Equal(t, ".twice", e.Sections[3].Name)
	assert.Zero(t, e.Sections[3].Offset)
	assert.Equal(t, ".shstrtab", e.Sections[4].Name)
	assert.EqualValues(t, len("\x00.text\x00.twice\x00.shstrtab\x00"), e.Sections[4].Size)
	assert.EqualValues(t, 0x1010, e.Progs[0].Off)
	assert.EqualValues(t, 2, e.Progs[1].Filesz)
	assert.EqualValues(t, 5, b[e.Progs[1].Off])
}

// TestManySections: the numbers that do not fit the header are in the null section.
func TestManySections(t *testing.T) {
	f := elf64.File{Patch: func(h *elf.Header64) { h.Entry = 9 }}
	for range elf.SHN_LORESERVE {
		f.Sections = append(f.Sections, &elf64.Section{})
	}
	b := f.Bytes()
	var h elf.Header64
	_, err := binary.Decode(b, binary.LittleEndian, &h)
	require.NoError(t, err)
	assert.EqualValues(t, 9, h.Entry)
	assert.Zero(t, h.Shnum)
	assert.EqualValues(t, elf.SHN_XINDEX, h.Shstrndx)
	var null elf.Section64
	_, err = binary.Decode(b[h.Shoff:], binary.LittleEndian, &null)
	require.NoError(t, err)
	assert.EqualValues(t, int(elf.SHN_LORESERVE)+2, null.Size)
	assert.EqualValues(t, int(elf.SHN_LORESERVE)+1, null.Link)
}

// TestNoSections: a file without sections, such as a core dump, has no headers of them.
func TestNoSections(t *testing.T) {
	b := (&elf64.File{Type: elf.ET_CORE, Segments: []elf64.Segment{{Data: []byte{1}}}}).Bytes()
	assert.Len(t, b, 64+56+1)
}
