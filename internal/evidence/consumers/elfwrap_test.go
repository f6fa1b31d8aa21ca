package consumers_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// wrapper builds a minimal ELF64 file, section by section, so that tools
// which read no raw sections can be shown one.
type wrapper struct {
	order    binary.ByteOrder
	typ      elf.Type
	machine  elf.Machine
	sections []wrapSection
	segments []elf.Prog64
}

type wrapSection struct {
	name string
	hdr  elf.Section64
	data []byte
}

func (w *wrapper) add(name string, hdr elf.Section64, data []byte) int {
	hdr.Size = uint64(len(data))
	w.sections = append(w.sections, wrapSection{name, hdr, data})
	return len(w.sections) // the null section comes first
}

// page is what addresses and file offsets are congruent modulo.
const page = 0x1000

// bytes lays the file out: header, segments, the sections' bytes, the
// section headers.
func (w *wrapper) bytes() []byte {
	names := []byte{0}
	for i := range w.sections {
		w.sections[i].hdr.Name = uint32(len(names))
		names = append(append(names, w.sections[i].name...), 0)
	}
	at := uint32(len(names))
	names = append(names, ".shstrtab\x00"...)
	w.add(".shstrtab", elf.Section64{Name: at, Type: uint32(elf.SHT_STRTAB), Addralign: 1}, names)

	var body bytes.Buffer
	start := 64 + 56*len(w.segments)
	for i := range w.sections {
		h := &w.sections[i].hdr
		for (uint64(start+body.Len())-h.Addr)%page != 0 && h.Addr != 0 || (start+body.Len())%8 != 0 {
			body.WriteByte(0)
		}
		h.Off = uint64(start + body.Len())
		body.Write(w.sections[i].data)
	}
	for body.Len()%8 != 0 {
		body.WriteByte(0)
	}
	var out bytes.Buffer
	w.header(&out, start+body.Len())
	for _, p := range w.segments {
		w.place(&p)
		binary.Write(&out, w.order, p)
	}
	out.Write(body.Bytes())
	binary.Write(&out, w.order, elf.Section64{})
	for i := range w.sections {
		binary.Write(&out, w.order, w.sections[i].hdr)
	}
	return out.Bytes()
}

// place gives a segment the file offset of the section at its address.
func (w *wrapper) place(p *elf.Prog64) {
	for i := range w.sections {
		if h := &w.sections[i].hdr; h.Addr == p.Vaddr && h.Addr != 0 {
			p.Off, p.Filesz, p.Memsz = h.Off, h.Size, h.Size
		}
	}
}

func (w *wrapper) header(out *bytes.Buffer, shoff int) {
	h := elf.Header64{Type: uint16(w.typ), Machine: uint16(w.machine), Version: 1, Ehsize: 64,
		Phentsize: 56, Phnum: uint16(len(w.segments)), Shoff: uint64(shoff), Shentsize: 64,
		Shnum: uint16(len(w.sections) + 1), Shstrndx: uint16(len(w.sections))}
	if len(w.segments) > 0 {
		h.Phoff, h.Entry = 64, w.segments[0].Vaddr
	}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), 1
	h.Ident[elf.EI_DATA] = byte(elf.ELFDATA2LSB)
	if w.order == binary.BigEndian {
		h.Ident[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	}
	binary.Write(out, w.order, h)
}

// abiOf returns the ABI of the file that a section is wrapped in: its own,
// and where that is unknown or of the other byte order, one that its bytes
// fit into.
func abiOf(s *model.Section) model.ABIInfo {
	if s == nil {
		return model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	}
	if a := s.ABI(); a.Known() && a.Big == s.BigEndian() {
		return a
	}
	if s.BigEndian() {
		return model.LookupABI(model.SFRAME_ABI_AARCH64_ENDIAN_BIG)
	}
	return model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
}

func orderOf(abi model.ABIInfo) binary.ByteOrder {
	if abi.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// textOf returns where the code is that the section's functions are in, cut
// to a size that a test can write.
func textOf(s *model.Section) (addr, size uint64) {
	addr, size = 0x1000, 0x400
	if s == nil || s.NumFDEs() == 0 {
		return addr, size
	}
	lo, hi := ^uint64(0), uint64(0)
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		lo, hi = min(lo, f.Start()), max(hi, f.End())
	}
	if lo >= page && hi > lo && hi-lo < 1<<20 && hi < 1<<40 {
		addr = lo &^ (page - 1)
		size = hi - addr
	}
	return addr, size
}

// host is what a section is wrapped in.
type host struct {
	abi        model.ABIInfo
	text, size uint64 // where the code is, bytes
}

func hostOf(s *model.Section) host {
	h := host{abi: abiOf(s)}
	h.text, h.size = textOf(s)
	return h
}

// exec wraps a raw section into a program, at its address.
func (h host) exec(f *reader.SFrame, addr uint64) []byte {
	abi, text, size := h.abi, h.text, h.size
	w := &wrapper{order: orderOf(abi), typ: elf.ET_EXEC, machine: abi.Machine}
	w.add(".text", elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addr: text, Addralign: 16}, make([]byte, size))
	w.add(".sframe", elf.Section64{Type: uint32(reader.SHT_GNU_SFRAME), Flags: uint64(elf.SHF_ALLOC), Addr: addr, Addralign: 8}, f.Data)
	w.segments = []elf.Prog64{
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_X), Vaddr: text, Align: page},
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R), Vaddr: addr, Align: page},
		{Type: uint32(reader.PT_GNU_SFRAME), Flags: uint32(elf.PF_R), Vaddr: addr, Align: 8},
	}
	return w.bytes()
}

// object wraps a raw section into a relocatable file, with the relocation
// of every start that an assembler would write.
func (h host) object(f *reader.SFrame, typ elf.SectionType) []byte {
	abi, text, size := h.abi, h.text, h.size
	w := &wrapper{order: orderOf(abi), typ: elf.ET_REL, machine: abi.Machine}
	w.add(".text", elf.Section64{Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Addralign: 16}, make([]byte, size))
	w.add(".sframe", elf.Section64{Type: uint32(typ), Flags: uint64(elf.SHF_ALLOC), Addralign: 8}, f.Data)
	const symtab, strtab = 4, 5
	w.add(".rela.sframe", elf.Section64{Type: uint32(elf.SHT_RELA), Flags: uint64(elf.SHF_INFO_LINK), Link: symtab, Info: 2, Addralign: 8, Entsize: 24}, relas(w.order, f.Section, abi, text))
	var syms bytes.Buffer
	binary.Write(&syms, w.order, elf.Sym64{})
	binary.Write(&syms, w.order, elf.Sym64{Info: byte(elf.STT_SECTION), Shndx: 1})
	binary.Write(&syms, w.order, elf.Sym64{Name: 1, Info: byte(elf.STB_GLOBAL)<<4 | byte(elf.STT_FUNC), Shndx: 1})
	w.add(".symtab", elf.Section64{Type: uint32(elf.SHT_SYMTAB), Link: strtab, Info: 2, Addralign: 8, Entsize: 24}, syms.Bytes())
	w.add(".strtab", elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1}, []byte("\x00_start\x00"))
	return w.bytes()
}

func relas(order binary.ByteOrder, s *model.Section, abi model.ABIInfo, text uint64) []byte {
	var out bytes.Buffer
	if s == nil {
		return nil
	}
	typ := abi.Reloc32
	if s.Version() == model.SFRAME_VERSION_3 {
		typ = abi.Reloc64
	}
	for i := range s.NumFDEs() {
		fde := s.FDE(i)
		off := fde.FieldSpan(model.FDEStart).Off
		binary.Write(&out, order, elf.Rela64{Off: uint64(off), Info: 1<<32 | uint64(typ), Addend: int64(fde.Start() - text)})
	}
	return out.Bytes()
}
