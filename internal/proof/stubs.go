package proof

import (
	"bytes"
	"debug/elf"
	"errors"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/internal/insn"
)

// Stubs reports whether a section, by its name, contains the stubs of a linker.
func Stubs(section string) bool {
	return section == ".iplt" || section == ".plt" || strings.HasPrefix(section, ".plt.")
}

// addSlots records the words that the dynamic linker sets to the address of a function that does not
// return, of those that a section of relocations names. It returns errors of the budget.
func (img *image) addSlots(section int) error {
	never, err := img.neverReturn(int(img.e.Sections[section].Link))
	if err != nil || len(never) == 0 {
		return err
	}
	if img.stubSections == nil {
		for i := range img.e.Sections {
			if s := &img.e.Sections[i]; Stubs(s.Name) && len(img.stubSections) < maxStubSections {
				img.stubSections = append(img.stubSections, s)
			}
		}
	}
	return overspent(img.e.EachEntry(section, elf64.RelaSize, func(b []byte, _ int) {
		for ; len(b) >= elf64.RelaSize; b = b[elf64.RelaSize:] {
			info := img.order.Uint64(b[8:])
			if typ := uint32(info); (typ == img.arch.abi.RelocSlot || typ == img.arch.abi.RelocGlobal) && never[uint32(info>>32)] {
				if img.slots == nil {
					img.slots = map[uint64]bool{}
				}
				img.slots[img.order.Uint64(b)] = true
			}
		}
	}))
}

// neverReturn returns the symbols of a dynamic symbol table that are functions which do not return.
func (img *image) neverReturn(table int) (map[uint32]bool, error) {
	if table >= len(img.e.Sections) || img.e.Sections[table].Type != elf.SHT_DYNSYM {
		return nil, nil
	}
	names, err := img.e.SectionData(int(img.e.Sections[table].Link), maxRelocs)
	if err != nil {
		return nil, overspent(err)
	}
	never := map[uint32]bool{}
	return never, overspent(img.e.EachEntry(table, elf64.SymSize, func(b []byte, first int) {
		for k := 0; (k+1)*elf64.SymSize <= len(b); k++ {
			y := b[k*elf64.SymSize:]
			at := uint64(img.order.Uint32(y))
			if at == 0 || at >= uint64(len(names)) || img.order.Uint16(y[6:]) != uint16(elf.SHN_UNDEF) {
				continue
			}
			name := names[at:]
			if n := bytes.IndexByte(name[:min(len(name), maxName)], 0); n > 0 && noReturnNames[string(name[:n])] {
				never[uint32(first+k)] = true
			}
		}
	}))
}

// maxStubSections is more than the sections with stubs that linkers write.
const maxStubSections = 8

// maxName is more than the length of any name in noReturnNames.
const maxName = 64

// overspent returns an error of the budget, nil for others.
func overspent(err error) error {
	if over := (*budget.Exceeded)(nil); errors.As(err, &over) {
		return err
	}
	return nil
}

// stopsAt reports whether a call to an address of a linked file does not return: it is that of a stub
// which leads to such a function.
func (v *view) stopsAt(addr uint64) bool {
	if len(v.slots) == 0 {
		return false
	}
	in := false
	for _, s := range v.stubSections {
		in = in || addr-s.Addr < s.Size
	}
	if !in {
		return false
	}
	stops, ok := v.stubs[addr]
	if !ok {
		if v.stubs == nil {
			v.stubs = map[uint64]bool{}
		}
		stops = v.slots[v.slotOf(addr)]
		v.stubs[addr] = stops
	}
	return stops
}

// slotOf returns the address of the word that a stub reads the address of its function from, 0 if it is
// not known.
func (v *view) slotOf(stub uint64) uint64 {
	return v.arch.decode.Slot(v.data(0, stub, insn.StubSize), stub)
}
