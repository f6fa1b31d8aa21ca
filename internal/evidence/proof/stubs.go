package proof

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// Stubs reports whether the section with this name contains a linker's stubs.
func Stubs(section string) bool {
	return section == ".iplt" || section == ".plt" || strings.HasPrefix(section, ".plt.")
}

// tables are those of the relocations that the dynamic linker makes: the tags of the address and of the size.
var tables = [...][2]elf.DynTag{{elf.DT_RELA, elf.DT_RELASZ}, {elf.DT_JMPREL, elf.DT_PLTRELSZ}}

// pointers finds functions whose addresses the dynamic linker writes to data, and words with the address of a function that
// does not return.
func (t *Tracker) pointers() error {
	if t.img.rel {
		return nil
	}
	v, abi := &view{image: t.img}, &t.img.arch.abi
	tags := v.dynamic()
	for _, table := range tables {
		err := v.e.EachLoaded(tags[table[0]], tags[table[1]], elf64.RelaSize, func(b []byte, _ int) {
			for ; len(b) >= elf64.RelaSize; b = b[elf64.RelaSize:] {
				switch info := v.order.Uint64(b[8:]); uint32(info) {
				case abi.RelocRelative:
					addr := v.order.Uint64(b[16:])
					if x, ok := t.find(0, addr); ok && t.ranges[x].Start == addr {
						t.facts[x].evidence |= Taken
					}
				case abi.RelocSlot, abi.RelocGlobal:
					y := v.data(0, tags[elf.DT_SYMTAB]+info>>32*elf64.SymSize, elf64.SymSize)
					if kind := v.external(tags, y); kind < 0 {
						v.slots[v.order.Uint64(b)], v.throws = kind, v.throws || kind <= resumes
					} else if x, ok := t.defines(y, v.order); ok {
						v.slots[v.order.Uint64(b)] = x
						t.facts[x].evidence |= Taken
					}
				}
			}
		})
		if err = overspent(err); err != nil {
			return err
		}
	}
	return v.findStubs()
}

// defines returns the range that a symbol of the dynamic linker is the start of.
func (t *Tracker) defines(symbol []byte, order binary.ByteOrder) (x int32, ok bool) {
	if len(symbol) < elf64.SymSize || order.Uint16(symbol[6:]) == uint16(elf.SHN_UNDEF) || symbol[4]&15 != uint8(elf.STT_FUNC) {
		return 0, false
	}
	addr := order.Uint64(symbol[8:])
	x, ok = t.find(0, addr)
	return x, ok && t.ranges[x].Start == addr
}

// stubStep divides the distances of stubs from the start of their section, in bytes.
const stubStep = 8

// findStubs finds the stubs of a PLT that lead to functions that do not return, or to those of the file.
func (v *view) findStubs() error {
	for i := range v.e.Sections {
		s := &v.e.Sections[i]
		for at := s.Addr; len(v.slots) > 0 && Stubs(s.Name) && at-s.Addr < s.Size; at += stubStep {
			if len(v.data(0, at, insn.StubSize)) == 0 {
				break
			}
			if x, ok := v.slots[v.slotOf(at)]; ok {
				v.image.plt[at] = x
			}
			if err := budget.Of(v.o.Context).Step(1); err != nil {
				return err
			}
		}
	}
	return nil
}

// dynamic returns what the dynamic section of a linked file says.
func (v *view) dynamic() map[elf.DynTag]uint64 {
	tags := map[elf.DynTag]uint64{}
	for i := range v.e.Segments {
		s := &v.e.Segments[i]
		for off := uint64(0); s.Type == elf.PT_DYNAMIC && off < min(s.Filesz, dataPiece); off += 16 {
			b := v.data(0, s.Vaddr+off, 16)
			if len(b) < 16 || elf.DynTag(v.order.Uint64(b)) == elf.DT_NULL {
				break
			}
			tags[elf.DynTag(v.order.Uint64(b))] = v.order.Uint64(b[8:])
		}
	}
	return tags
}

// external returns the kind of a symbol of the dynamic linker that is a function of another file, 0 for others.
func (v *view) external(tags map[elf.DynTag]uint64, y []byte) int32 {
	if len(y) < elf64.SymSize || v.order.Uint16(y[6:]) != uint16(elf.SHN_UNDEF) {
		return 0
	}
	name, err := v.e.Part(0, tags[elf.DT_STRTAB]+uint64(v.order.Uint32(y)), maxName, v.large)
	if err != nil {
		return 0
	}
	v.large = name
	name, _, ended := bytes.Cut(name, []byte{0})
	if !ended {
		return 0
	}
	return kindOf(string(name))
}

// maxName is more than the length of any name that kindOf knows.
const maxName = 64

// overspent returns an error of the budget, nil for others.
func overspent(err error) error {
	if over := (*budget.Exceeded)(nil); errors.As(err, &over) {
		return err
	}
	return nil
}

// stopsAt reports whether a call to an address of a linked file does not return: it is that of a stub
// which leads to such a function. Without section headers, any code may be a stub.
func (v *view) stopsAt(addr uint64) bool {
	if len(v.slots) == 0 || len(v.e.Sections) > 0 {
		x, ok := v.image.plt[addr]
		return ok && stops(x)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	known, ok := v.stubs[addr]
	if !ok {
		_ = budget.Of(v.o.Context).Step(1) // the next step says that there is none left
		known = v.never(v.slotOf(addr))
		if len(v.stubs) < maxTargets {
			v.stubs[addr] = known
		}
	}
	return known
}

// maxTargets is the number of targets of calls that are remembered.
const maxTargets = 1 << 16

// never reports whether a word has the address of a function that does not return.
func (img *image) never(slot uint64) bool {
	x, ok := img.slots[slot]
	return ok && stops(x)
}

// slotOf returns the address of the word that a stub reads the address of its function from, 0 if it is
// not known.
func (v *view) slotOf(stub uint64) uint64 {
	return v.arch.Decode.Slot(v.data(0, stub, insn.StubSize), stub)
}
