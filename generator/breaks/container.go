package breaks

import (
	"debug/elf"
	"math"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
)

// hasCode reports whether the file contains code.
func (s *Subject) hasCode() bool {
	for _, t := range s.elf.sections {
		if t.flags&elf.SHF_EXECINSTR != 0 && t.typ == elf.SHT_PROGBITS && t.size > 0 {
			return true
		}
	}
	return false
}

func emptySection(d *draft) anchor {
	d.resize(0)
	return ofHeaderOf(".sframe", model.Span{Len: shdrSize})
}

// setSHdr makes breaks that overwrite a field of the section's header.
func setSHdr(field model.Span, ok func(*Subject) bool, value func(d *draft, old uint64) uint64) func(*Subject) []site {
	return inFile(ok, func(d *draft) anchor {
		at := in(d.elf.sframe().at, field)
		d.setObject(at, value(d, d.getObject(at)))
		return ofHeaderOf(".sframe", field)
	}, "section header")
}

// orphan turns the section into one of another name and type.
func (d *draft) orphan() {
	at := d.elf.sframe().at
	name := d.getObject(in(at, shName))
	d.setObject(in(at, shName), name+1) // without the dot
	d.setObject(in(at, shType), uint64(elf.SHT_PROGBITS))
}

var containerBreaks = []Break{
	fault("absent", "SF5001", "Turns the section into plain data, and its segment into PT_NULL.", file, header|mapped,
		inFile((*Subject).hasCode, func(d *draft) anchor {
			d.orphan()
			if p := d.elf.segment(ptGNUSFrame, nil); p != nil {
				d.setObject(in(p.at, pType), uint64(elf.PT_NULL))
			}
			return ofObject(model.Span{Len: 64})
		})),
	fault("placeholder", "SF5002 SF5001 SF5036", "Sets the section's size to 0 in an object file.", file, header|mapped,
		inFile(func(s *Subject) bool { return !s.linked() }, emptySection)),
	fault("ignored", "SF5035 SF5001", "Sets the section's size to 0 in a linked file, and turns its segment into PT_NULL.", file, header|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			if p := d.elf.segment(ptGNUSFrame, nil); p != nil {
				d.setObject(in(p.at, pType), uint64(elf.PT_NULL))
			}
			return emptySection(d)
		})),
	fault("section-type", "SF5003", "Sets another section type.", file, 0,
		setSHdr(shType, always, func(d *draft, _ uint64) uint64 { return pick(d, uint64(elf.SHT_PROGBITS), 0x60000000) })),
	fault("not-allocated", "SF5004", "Clears SHF_ALLOC.", file, mapped,
		setSHdr(shFlags, always, func(_ *draft, old uint64) uint64 { return old &^ uint64(elf.SHF_ALLOC) })),
	fault("section-flags", "SF5005", "Sets a flag that SFrame sections do not have.", file, 0,
		setSHdr(shFlags, always, func(d *draft, old uint64) uint64 {
			return old | pick(d, uint64(elf.SHF_WRITE), uint64(elf.SHF_MERGE), uint64(elf.SHF_STRINGS), 0x80000000, 1<<24)
		})),
	fault("alignment", "SF5006", "Sets an alignment of less than 8 bytes.", file, 0,
		setSHdr(shAddralign, always, func(d *draft, _ uint64) uint64 { return pick[uint64](d, 0, 1, 2, 4) })),
	fault("other-machine", "SF5007", "Sets the ABI of another machine, with its fixed offset of RA.", header|machine, machine,
		inFile(func(s *Subject) bool {
			return otherMachine(s).Known()
		}, func(d *draft) anchor {
			to := otherMachine(d.Subject)
			d.set(model.HdrABI.Span(), uint64(to.ID))
			d.set(model.HdrFixedRA.Span(), uint64(uint8(to.FixedRA)))
			return ofHeader(model.HdrABI)
		}, model.HdrABI.String(), model.HdrFixedRA.String())),
	fault("other-order", "SF5008", "Writes the section in the other byte order, with the AArch64 ABI of that order.", header|machine, head,
		inFile(func(s *Subject) bool { return s.abi().Pauth }, flipOrder)),
	fault("compressed", "SF5026", "Sets SHF_COMPRESSED.", file, header|mapped,
		setSHdr(shFlags, always, func(_ *draft, old uint64) uint64 { return old | uint64(elf.SHF_COMPRESSED) })),
	fault("no-bits", "SF5027 SF5001", "Turns the section into one without bytes (SHT_NOBITS).", file, header|mapped,
		setSHdr(shType, (*Subject).hasCode, func(*draft, uint64) uint64 { return uint64(elf.SHT_NOBITS) })),
	fault("beyond-file", "SF5025", "Moves the section to the end of the file, so that part of it is beyond the end.", file|end, end,
		inFile((*Subject).rel, func(d *draft) anchor {
			h := d.elf.sframe().at
			at := d.append(d.Section())
			d.off = at
			d.setObject(in(h, shOffset), uint64(at))
			d.setObject(in(h, shSize), uint64(d.size+d.upTo(1, pick[int64](d, 1, 1000, math.MaxInt32))))
			return ofObject(model.Span{Off: h + shOffset.Off, Len: 16})
		}, "section header", "size")),
	fault("too-large", "SF5031", "Sets a size limit that is below the size of the section.", file, header|mapped,
		onlySite(always, func(d *draft) anchor {
			d.limit = d.upTo(1, d.size-1)
			if d.container == Raw {
				return ofObject(model.Span{Len: d.size})
			}
			return ofHeaderOf(".sframe", model.Span{Off: shOffset.Off, Len: 16})
		})),
	fault("twice", "SF5015", "Gives the section a second section header.", header|mapped|end, header|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			h := d.elf.sframe().at
			at := d.addHeader(d.object[h : h+shdrSize])
			d.append(make([]byte, 2*d.size)) // sections may not share all of a file's bytes
			return ofObject(model.Span{Off: at, Len: shdrSize})
		}, "section header", "header table")),
	fault("damaged", "SF5024", "Sets a size of headers that ELF does not have, or an index of section names that is out of range.", file, header|relocs|symbols|mapped,
		func(s *Subject) []site {
			if !s.inELF() || s.outer {
				return nil
			}
			fields := []model.Span{ehShentsize, ehShstrndx}
			if s.linked() {
				fields = append(fields, ehPhentsize)
			}
			var all []site
			for _, f := range fields {
				all = append(all, site{[]string{"ELF header"}, func(d *draft) anchor {
					d.setObject(f, uint64(d.upTo(int64(len(d.elf.sections))+64, 0xff00)))
					return ofObject(f)
				}})
			}
			return all
		}),
	fault("no-symbols", "SF5024", "Sets a size of symbols that ELF does not have.", file|symbols, symbols|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			d.setObject(in(d.elf.symtab().at, shEntsize), pick[uint64](d, 0, 16, 25))
			return ofHeaderOf(".symtab", model.Span{Len: shdrSize})
		}, "symbols")),
	fault("no-memory", "SF5033", "Sets a memory budget that is too small for the section headers.", file, header|layout|machine|starts|rows|symbols|relocs|mapped|end,
		inFile(always, func(d *draft) anchor {
			d.memory = 1
			return ofObject(elf64.EhdrShnum)
		}, "section header", "size", "header table")),
	fault("no-abi", "SF5034", "Sets a machine for which the format has no ABI.", file, file|machine|starts|symbols|relocs|mapped,
		inFile(always, func(d *draft) anchor {
			d.setObject(elf64.EhdrMachine, uint64(pick(d, elf.EM_IA_64, elf.EM_SPARCV9, elf.EM_NONE)))
			return ofObject(elf64.EhdrMachine)
		}, "ELF header")),
	fault("unbacked", "SF5036", "Sets SHF_COMPRESSED in the header of the symbol table.", file|symbols, symbols|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			d.setObject(in(d.elf.symtab().at, elf64.ShdrFlags), uint64(elf.SHF_COMPRESSED))
			return ofHeaderOf(".symtab", elf64.ShdrFlags)
		}, "symbols")),
}

// flipOrder writes the plan in the other byte order; only bytes change.
func flipOrder(d *draft) anchor {
	if d.sealed {
		return d.fail()
	}
	b, err := generator.Encode(generator.Flip(d.plan))
	if err != nil || int64(len(b)) != d.size {
		return d.fail()
	}
	d.put(0, b)
	return ofHeader(model.HdrMagic)
}

// otherMachine returns an ABI of the same byte order for another machine, a
// blank one where the version has none.
func otherMachine(s *Subject) model.ABIInfo {
	for _, a := range model.ABIs() {
		if a.Big == s.abi().Big && a.Machine != s.abi().Machine && a.InVersion(s.version()) {
			return a
		}
	}
	return model.ABIInfo{}
}
