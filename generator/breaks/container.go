package breaks

import (
	"debug/elf"
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
)

// hasCode reports whether the file contains code.
func (s *Subject) hasCode() bool {
	return slices.ContainsFunc(s.elf.sections, func(t elfSection) bool {
		return t.flags&elf.SHF_EXECINSTR != 0 && t.typ == elf.SHT_PROGBITS && t.size > 0
	})
}

// setSHdr makes breaks that overwrite a field of the section's header.
func setSHdr(field model.Span, ok func(*Subject) bool, value func(d *draft, old uint64) uint64) func(*Subject) []site {
	return inFile(ok, func(d *draft) anchor {
		at := ofHeaderOf(".sframe", field)
		return d.write(at, value(d, d.read(at)))
	}, "section header")
}

// oneOf sets one of some values, withBit one of some bits.
func oneOf(values ...uint64) func(*draft, uint64) uint64 {
	return func(d *draft, _ uint64) uint64 { return pick(d, values...) }
}
func withBit(bits ...uint64) func(*draft, uint64) uint64 {
	return func(d *draft, old uint64) uint64 { return old | pick(d, bits...) }
}

// orphan turns the section into one of another name and type.
func (d *draft) orphan() {
	d.add(ofHeaderOf(".sframe", shName), 1) // without the dot
	d.write(ofHeaderOf(".sframe", shType), uint64(elf.SHT_PROGBITS))
}

// dropSegment turns the section's segment into PT_NULL, if there is one.
func (d *draft) dropSegment() {
	if p := d.elf.segment(ptGNUSFrame, nil); p != nil {
		d.setObject(in(p.at, pType), uint64(elf.PT_NULL))
	}
}

var containerBreaks = []Break{
	spoiling("absent", "SF5001", "Turns the section into plain data, and its segment into PT_NULL.", file, header|mapped,
		inFile((*Subject).hasCode, func(d *draft) anchor {
			d.orphan()
			d.dropSegment()
			return ofObject(model.Span{Len: 64})
		})),
	spoiling("placeholder", "SF5002 SF5001 SF5036", "Sets the section's size to 0 in an object file.", file, header|mapped,
		inFile(func(s *Subject) bool { return !s.linked() }, (*draft).empty)),
	spoiling("ignored", "SF5035 SF5001", "Sets the section's size to 0 in a linked file, and turns its segment into PT_NULL.", file, header|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			d.dropSegment()
			return d.empty()
		})),
	fault("section-type", "SF5003", "Sets another section type.", file,
		setSHdr(shType, always, oneOf(uint64(elf.SHT_PROGBITS), 0x60000000))),
	spoiling("not-allocated", "SF5004", "Clears SHF_ALLOC.", file, mapped,
		setSHdr(shFlags, always, func(_ *draft, old uint64) uint64 { return old &^ uint64(elf.SHF_ALLOC) })),
	fault("section-flags", "SF5005", "Sets a flag that SFrame sections do not have.", file,
		setSHdr(shFlags, always, withBit(uint64(elf.SHF_WRITE), uint64(elf.SHF_MERGE), uint64(elf.SHF_STRINGS), 0x80000000, 1<<24))),
	fault("alignment", "SF5006", "Sets an alignment of less than 8 bytes.", file,
		setSHdr(shAddralign, always, oneOf(0, 1, 2, 4))),
	spoiling("other-machine", "SF5007", "Sets the ABI of another machine, with its fixed offset of RA.", header|machine, machine,
		inFile(func(s *Subject) bool { return otherMachine(s).Known() }, func(d *draft) anchor {
			to := otherMachine(d.Subject)
			d.write(ofHeader(model.HdrFixedRA), uint64(uint8(to.FixedRA)))
			return d.write(ofHeader(model.HdrABI), uint64(to.ID))
		}, model.HdrABI.String(), model.HdrFixedRA.String())),
	spoiling("other-order", "SF5008", "Writes the section in the other byte order, with the AArch64 ABI of that order.", header|machine, head,
		inFile(pauth, func(d *draft) anchor {
			b, err := generator.Encode(generator.Flip(d.plan))
			if d.sealed || err != nil || int64(len(b)) != d.size {
				return d.fail()
			}
			d.put(0, b)
			return ofHeader(model.HdrMagic)
		})),
	spoiling("compressed", "SF5026", "Sets SHF_COMPRESSED.", file, header|mapped,
		setSHdr(shFlags, always, func(_ *draft, old uint64) uint64 { return old | uint64(elf.SHF_COMPRESSED) })),
	spoiling("no-bits", "SF5027 SF5001", "Turns the section into one without bytes (SHT_NOBITS).", file, header|mapped,
		setSHdr(shType, (*Subject).hasCode, func(*draft, uint64) uint64 { return uint64(elf.SHT_NOBITS) })),
	spoiling("beyond-file", "SF5025", "Moves the section to the end of the file, so that part of it is beyond the end.", file|end, end,
		inFile((*Subject).rel, func(d *draft) anchor {
			d.off = d.append(d.Section())
			d.write(ofHeaderOf(".sframe", shOffset), uint64(d.off))
			d.write(ofHeaderOf(".sframe", shSize), uint64(d.size+d.upTo(1, pick[int64](d, 1, 1000, math.MaxInt32))))
			return ofPlace(".sframe")
		}, "section header", "size")),
	spoiling("too-large", "SF5031", "Sets a size limit that is below the size of the section.", file, header|mapped,
		onlySite(always, func(d *draft) anchor {
			d.limit = d.upTo(1, d.size-1)
			if d.container == Raw {
				return ofObject(model.Span{Len: d.size})
			}
			return ofPlace(".sframe")
		})),
	spoiling("twice", "SF5015", "Gives the section a second section header.", header|mapped|end, header|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			h := d.elf.sframe().at
			at := d.addHeader(d.object[h : h+shdrSize])
			d.append(make([]byte, 2*d.size)) // sections may not share all of a file's bytes
			return ofObject(model.Span{Off: at, Len: shdrSize})
		}, "section header", "header table")),
	spoiling("damaged", "SF5024", "Sets a size of headers that ELF does not have, or an index of section names that is out of range.", file, header|relocs|symbols|mapped,
		func(s *Subject) (all []site) {
			for _, f := range []model.Span{ehShentsize, ehShstrndx, ehPhentsize} {
				if s.inELF() && !s.outer && (s.linked() || f != ehPhentsize) {
					all = append(all, site{[]string{"ELF header"}, func(d *draft) anchor {
						return d.write(ofObject(f), uint64(d.upTo(int64(len(d.elf.sections))+64, 0xff00)))
					}})
				}
			}
			return all
		}),
	spoiling("no-symbols", "SF5024", "Sets a size of symbols that ELF does not have.", file|symbols, symbols|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			d.write(ofHeaderOf(".symtab", shEntsize), pick[uint64](d, 0, 16, 25))
			return ofHeaderOf(".symtab", model.Span{Len: shdrSize})
		}, "symbols")),
	spoiling("no-memory", "SF5033", "Sets a memory budget that is too small for the section headers.", file, header|layout|machine|starts|rows|symbols|relocs|mapped|end,
		inFile(always, func(d *draft) anchor {
			d.memory = 1
			return ofObject(ehShnum)
		}, "section header", "size", "header table")),
	spoiling("no-abi", "SF5034", "Sets a machine for which the format has no ABI.", file, file|machine|starts|symbols|relocs|mapped,
		inFile(always, func(d *draft) anchor {
			return d.write(ofObject(elf64.EhdrMachine), uint64(pick(d, elf.EM_IA_64, elf.EM_SPARCV9, elf.EM_NONE)))
		}, "ELF header")),
	spoiling("unbacked", "SF5036", "Sets SHF_COMPRESSED in the header of the symbol table.", file|symbols, symbols|mapped,
		inFile((*Subject).linked, func(d *draft) anchor { return d.write(ofHeaderOf(".symtab", shFlags), uint64(elf.SHF_COMPRESSED)) }, "symbols")),
}

// ofPlace is an anchor at the offset and size that a section header gives.
func ofPlace(name string) anchor { return ofHeaderOf(name, model.Span{Off: shOffset.Off, Len: 16}) }

// empty sets the size of the section to 0.
func (d *draft) empty() anchor {
	d.resize(0)
	return ofHeaderOf(".sframe", model.Span{Len: shdrSize})
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

// inSegment makes breaks that overwrite a field of the section's program
// header.
func inSegment(field model.Span, value func(d *draft, old uint64) uint64) func(*Subject) []site {
	return inFile((*Subject).linked, func(d *draft) anchor {
		at := d.ofSegment(field)
		return d.write(at, value(d, d.read(at)))
	}, "segment", "size")
}

// ofSegment is an anchor at a field of the section's program header.
func (d *draft) ofSegment(field model.Span) anchor {
	return ofObject(in(d.elf.segment(ptGNUSFrame, nil).at, field))
}

func smaller(d *draft, old uint64) uint64 { return uint64(d.upTo(0, int64(old)-1)) }
func later(d *draft, old uint64) uint64   { return old + 8*uint64(d.upTo(1, 1000)) }

var segmentBreaks = []Break{
	fault("no-segment", "SF5009", "Turns the section's segment into PT_NULL.", file|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			d.dropSegment()
			return ofObject(ehPhnum)
		}, "segment")),
	fault("segment-larger", "SF5010", "Makes the section's segment larger than the section.", file|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			size := uint64(d.size + d.upTo(1, 1000))
			at := d.write(d.ofSegment(pMemsz), size)
			if d.rnd.IntN(2) == 0 {
				return at
			}
			return d.write(d.ofSegment(pFilesz), size)
		}, "segment", "size")),
	fault("segment-smaller", "SF5011", "Makes the section's segment smaller than the section in the file.", file|mapped,
		inSegment(pFilesz, smaller)),
	fault("segment-memory", "SF5011", "Makes the section's segment smaller than the section in memory.", file|mapped,
		inSegment(pMemsz, smaller)),
	fault("segment-address", "SF5011", "Moves the section's segment in memory.", file|mapped,
		inSegment(pVaddr, later)),
	fault("segment-offset", "SF5011", "Moves the section's segment in the file.", file|mapped,
		inSegment(pOffset, later)),
	fault("two-segments", "SF5012", "Turns another segment into one for SFrame data.", file|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			from, to := d.elf.segment(ptGNUSFrame, nil).at, d.elf.segment(elf.PT_GNU_STACK, nil).at
			d.overwrite(to, d.object[from:from+phdrSize])
			return ofObject(in(to, pType))
		}, "segment", "stack")),
	fault("not-loaded", "SF5013", "Removes the segment that loads the section.", file|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			d.setObject(in(d.elf.loadOf(d.elf.sframe()).at, pType), uint64(elf.PT_NULL))
			return ofHeaderOf(".sframe", shAddr)
		}, "load")),
	fault("loaded-elsewhere", "SF5013", "Loads other bytes of the file at the section's address.", file|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			d.add(ofObject(in(d.elf.loadOf(d.elf.sframe()).at, pOffset)), 0x1000*uint64(d.upTo(1, 10)))
			return ofHeaderOf(".sframe", shOffset)
		}, "load")),
	spoiling("segment-alone", "SF5014 SF5001", "Turns the section into plain data and keeps its segment.", file|mapped, header|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			d.orphan()
			return d.ofSegment(pType)
		}, "segment")),
}
