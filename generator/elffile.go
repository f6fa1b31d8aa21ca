package generator

import (
	"cmp"
	"debug/elf"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
)

// pageSize is the modulus in which addresses and file offsets of loaded sections
// agree.
const pageSize = 0x1000

// elfImage is an ELF64 file under construction. Its segments are those that no section implies.
type elfImage struct {
	elf64.File
	abi model.ABIInfo
}

type elfSection = elf64.Section

// add appends a section and returns its index.
func (f *elfImage) add(s *elfSection) uint32 {
	if s.Data != nil {
		s.Size = uint64(len(s.Data))
	}
	f.Sections = append(f.Sections, s)
	return uint32(len(f.Sections))
}

// index returns a section's index, 0 if it is not in the file.
func (f *elfImage) index(s *elfSection) uint32 { return uint32(slices.Index(f.Sections, s) + 1) }

// byAddress orders the sections that are in memory.
func (f *elfImage) byAddress() {
	slices.SortStableFunc(f.Sections, func(a, b *elfSection) int { return cmp.Compare(a.Addr, b.Addr) })
}

// disjoint returns an error if two sections in memory overlap. They must be in
// the order of their addresses.
func (f *elfImage) disjoint() error {
	for i := 1; i < len(f.Sections); i++ {
		a, b := f.Sections[i-1], f.Sections[i]
		if b.Addr-a.Addr < a.Size || a.Addr+a.Size < a.Addr {
			return fmt.Errorf("%s at 0x%x and %s at 0x%x overlap", a.Label, a.Addr, b.Label, b.Addr)
		}
	}
	return nil
}

// bytes returns the file. A linked one has a segment for each section that is loaded.
func (f *elfImage) bytes() []byte {
	if f.Type != elf.ET_REL {
		f.Page = pageSize
		var loads []elf64.Segment
		for _, s := range f.Sections {
			if s.Flags&uint64(elf.SHF_ALLOC) != 0 && s.Size > 0 {
				loads = append(loads, elf64.Load(s, pageSize))
			}
		}
		f.Segments = append(loads, f.Segments...)
	}
	return f.Bytes()
}

// addSegment adds a segment that covers a section exactly.
func (f *elfImage) addSegment(t elf.ProgType, flags elf.ProgFlag, s *elfSection) {
	f.Segments = append(f.Segments, elf64.Cover(t, flags, s))
}

// encode returns values of fixed size in the file's byte order.
func (f *elfImage) encode(values ...any) []byte { return elf64.Encode(f.Order, values...) }
