package table

import (
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// names finds what addresses and relocations are called.
type names struct {
	t      *Table
	areas  []area
	buf    []byte
	slots  map[uint64]string // of words that stubs read, the functions
	relocs map[int][]reloc   // of a relocatable file, by section
}

// reloc is a relocation of code.
type reloc struct {
	off    uint64
	typ    uint32
	sym    uint32
	addend int64
}

// readNames reads the relocations that name what code refers to.
func (t *Table) readNames() {
	n, e := t.names, t.Object.ELF
	n.slots, n.relocs = map[uint64]string{}, map[int][]reloc{}
	code := map[int]bool{}
	for i := range n.areas {
		code[n.areas[i].index] = true
	}
	for i := range e.Sections {
		s := &e.Sections[i]
		if s.Type != elf.SHT_RELA || s.EntSize != elf64.RelaSize {
			continue
		}
		var err error
		switch {
		case !t.relocatable():
			err = n.readSlots(i)
		case code[int(s.Info)] && t.hold(int64(s.Size/elf64.RelaSize)*relocCost):
			err = n.eachReloc(i, func(r reloc) { n.relocs[int(s.Info)] = append(n.relocs[int(s.Info)], r) })
		}
		_ = err // a section that the file does not have is a finding
		if t.err = cmp.Or(t.err, t.Object.Err()); t.err != nil {
			return
		}
	}
	for _, all := range n.relocs {
		slices.SortStableFunc(all, func(a, b reloc) int { return cmp.Compare(a.off, b.off) })
	}
}

// relocCost is about the bytes of memory that a relocation or a slot takes.
const relocCost, slotCost, mostNames = 24, 100, 64 << 20

// eachReloc reads a section of relocations.
func (n *names) eachReloc(section int, yield func(reloc)) error {
	e := n.t.Object.ELF
	return e.EachEntry(section, elf64.RelaSize, func(b []byte, _ int) {
		for ; len(b) >= elf64.RelaSize; b = b[elf64.RelaSize:] {
			info := e.Order.Uint64(b[8:])
			yield(reloc{e.Order.Uint64(b), uint32(info), uint32(info >> 32), int64(e.Order.Uint64(b[16:]))})
		}
	})
}

// readSlots finds the words that the dynamic linker sets to the address of a function.
func (n *names) readSlots(section int) error {
	e, abi := n.t.Object.ELF, &n.t.ABI
	var strings, symbols []byte
	if link := int(e.Sections[section].Link); link < len(e.Sections) && e.Sections[link].Type == elf.SHT_DYNSYM {
		var err error
		if strings, err = e.SectionData(int(e.Sections[link].Link), mostNames); err != nil {
			return err
		}
		if symbols, err = e.SectionData(link, mostNames); err != nil {
			return err
		}
	}
	return n.eachReloc(section, func(r reloc) {
		at := uint64(r.sym) * elf64.SymSize
		name := ""
		switch {
		case r.typ != 0 && r.typ == abi.RelocIndirect:
			name = n.at(address{0, uint64(r.addend)})
		case (r.typ == abi.RelocSlot || r.typ == abi.RelocGlobal) && at > 0 && at+elf64.SymSize <= uint64(len(symbols)):
			name = nameIn(strings, uint64(e.Order.Uint32(symbols[at:])))
		}
		if name != "" && n.t.hold(slotCost) {
			n.slots[r.off] = name
		}
	})
}

// nameIn returns a name of a string table.
func nameIn(table []byte, at uint64) string {
	if at == 0 || at >= uint64(len(table)) {
		return ""
	}
	text := table[at:][:min(uint64(len(table))-at, escape.MaxName)]
	if end := bytes.IndexByte(text, 0); end >= 0 {
		text = text[:end]
	}
	return escape.UTF8(string(text))
}

// stub returns the name of a linker's stub, "" if it is not known.
func (n *names) stub(code []byte, pc uint64) string {
	if name, ok := n.slots[n.t.decode.Slot(code, pc)]; ok {
		return name + "@plt"
	}
	return ""
}

// areaAt returns the area that contains a place, nil for none.
func (n *names) areaAt(p address) *area {
	for i := range n.areas {
		if a := &n.areas[i]; a.section == p.section && p.addr >= a.addr && p.addr < a.end {
			return a
		}
	}
	return nil
}

// at returns the function at a place and the distance from it: "main+0x10", "puts@plt"; the name of a
// section with a distance if there is no function, "" if there is none.
func (n *names) at(p address) string {
	e := n.t.Object.ELF
	a := n.areaAt(p)
	if a != nil && a.stub {
		var code [insn.StubSize]byte
		if name := n.stub(n.t.read(a, p.addr, min(p.addr+insn.StubSize, a.end), code[:0]), p.addr); name != "" {
			return name
		}
	}
	var start uint64
	var ok bool
	if a != nil {
		if n.buf, start, ok = e.Symbols.AppendFunc(n.buf[:0], n.t.sectionOf(p), p.addr); ok && len(n.buf) > 0 {
			return addOffset(nameText(string(n.buf)), p.addr-start)
		}
	}
	if i, off, ok := e.Within(int(p.section), p.addr); ok {
		return addOffset(escape.UTF8(e.Sections[i].Name), off)
	}
	return ""
}

// nameText returns a name as tables have it.
func nameText(s string) string { return escape.UTF8(escape.Cut(s, escape.MaxName)) }

func addOffset(name string, off uint64) string {
	if off == 0 || name == "" {
		return name
	}
	return fmt.Sprintf("%s+0x%x", name, off)
}

// Reloc is a relocation of an instruction.
type Reloc struct {
	Offset uint64 // as a PC
	Type   string
	Symbol string // with the addend
}

// relocsAt returns the relocations of an instruction.
func (n *names) relocsAt(section uint32, pc, end uint64) []reloc {
	all := n.relocs[int(section)]
	i, _ := slices.BinarySearchFunc(all, pc, func(r reloc, pc uint64) int { return cmp.Compare(r.off, pc) })
	k := i
	for k < len(all) && all[k].off < end {
		k++
	}
	return all[i:k]
}

// describe names a relocation.
func (n *names) describe(r reloc) Reloc {
	out := Reloc{Offset: r.off, Type: n.t.ABI.RelocName(r.typ)}
	e := n.t.Object.ELF
	y, ok := e.Symbols.Symbol(int(r.sym))
	switch {
	case !ok || r.sym == 0:
	case y.Name == "" && y.Section > 0 && y.Section < len(e.Sections):
		out.Symbol = escape.UTF8(e.Sections[y.Section].Name)
	default:
		out.Symbol = nameText(y.Name)
	}
	switch {
	case r.addend < 0:
		out.Symbol += fmt.Sprintf("-0x%x", -uint64(r.addend))
	case r.addend > 0:
		out.Symbol += fmt.Sprintf("+0x%x", r.addend)
	}
	return out
}

// leads returns what the target of an instruction with a relocation is called.
func (n *names) leads(r reloc, i *insn.Insn) string {
	e := n.t.Object.ELF
	back := int64(i.TargetOff)
	if n.t.ABI.Machine == elf.EM_X86_64 {
		back -= int64(i.Len)
	}
	off := r.addend - back
	y, ok := e.Symbols.Symbol(int(r.sym))
	if !ok {
		return ""
	}
	if y.Section != int(elf.SHN_UNDEF) && !y.Reserved {
		return n.at(address{uint32(y.Section), y.Value + uint64(off)})
	}
	name := nameText(y.Name)
	if off < 0 {
		return fmt.Sprintf("%s-0x%x", name, -uint64(off))
	}
	return addOffset(name, uint64(off))
}
