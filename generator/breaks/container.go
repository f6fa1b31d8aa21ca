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
func setSHdr(field model.Span, ok test, value func(x spot, old uint64) uint64) sites {
	return inFile(ok, func(x spot) anchor {
		at := ofHeaderOf(".sframe", field)
		return x.write(at, value(x, x.read(at)))
	}, "section header")
}

// oneOf sets one of some values, withBit one of some bits.
func oneOf(values ...uint64) func(spot, uint64) uint64 {
	return func(x spot, _ uint64) uint64 { return pick(x, values...) }
}
func withBit(bits ...uint64) func(spot, uint64) uint64 {
	return func(x spot, old uint64) uint64 { return old | pick(x, bits...) }
}

// orphan turns the section into one of another name and type.
func (x spot) orphan() {
	x.add(ofHeaderOf(".sframe", shName), 1) // without the dot
	x.write(ofHeaderOf(".sframe", shType), uint64(elf.SHT_PROGBITS))
}

// dropSegment turns the section's segment into PT_NULL, if there is one.
func (x spot) dropSegment() {
	if p := x.elf.segment(ptGNUSFrame, nil); p != nil {
		x.setObject(in(p.at, pType), uint64(elf.PT_NULL))
	}
}

var containerBreaks = []Break{
	spoiling("absent", "SF5001", "Turns the section into plain data, and its segment into PT_NULL.", file, header|mapped,
		inFile(spot.hasCode, func(x spot) anchor {
			x.orphan()
			x.dropSegment()
			return ofObject(model.Span{Len: 64})
		})),
	spoiling("placeholder", "SF5002 SF5001 SF5036", "Sets the section's size to 0 in an object file.", file, header|mapped,
		inFile(func(x spot) bool { return !x.linked() }, spot.empty)),
	spoiling("ignored", "SF5035 SF5001", "Sets the section's size to 0 in a linked file, and turns its segment into PT_NULL.", file, header|mapped,
		inFile(spot.linked, func(x spot) anchor {
			x.dropSegment()
			return x.empty()
		})),
	fault("section-type", "SF5003", "Sets another section type.", file,
		setSHdr(shType, always, oneOf(uint64(elf.SHT_PROGBITS), 0x60000000))),
	spoiling("not-allocated", "SF5004", "Clears SHF_ALLOC.", file, mapped,
		setSHdr(shFlags, always, func(_ spot, old uint64) uint64 { return old &^ uint64(elf.SHF_ALLOC) })),
	fault("section-flags", "SF5005", "Sets a flag that SFrame sections do not have.", file,
		setSHdr(shFlags, always, withBit(uint64(elf.SHF_WRITE), uint64(elf.SHF_MERGE), uint64(elf.SHF_STRINGS), 0x80000000, 1<<24))),
	fault("alignment", "SF5006", "Sets an alignment of less than 8 bytes.", file,
		setSHdr(shAddralign, always, oneOf(0, 1, 2, 4))),
	spoiling("other-machine", "SF5007", "Sets the ABI of another machine, with its fixed offset of RA.", header|machine, machine,
		inFile(func(x spot) bool { return otherMachine(x).Known() }, func(x spot) anchor {
			to := otherMachine(x)
			x.write(ofHeader(model.HdrFixedRA), uint64(uint8(to.FixedRA)))
			return x.write(ofHeader(model.HdrABI), uint64(to.ID))
		}, model.HdrABI.String(), model.HdrFixedRA.String())),
	spoiling("other-order", "SF5008", "Writes the section in the other byte order, with the AArch64 ABI of that order.", header|machine, head,
		inFile(pauth, func(x spot) anchor {
			b, err := generator.Encode(generator.Flip(x.plan))
			if x.sealed || err != nil || int64(len(b)) != x.size {
				return x.fail()
			}
			x.put(0, b)
			return ofHeader(model.HdrMagic)
		})),
	spoiling("compressed", "SF5026", "Sets SHF_COMPRESSED.", file, header|mapped,
		setSHdr(shFlags, always, func(_ spot, old uint64) uint64 { return old | uint64(elf.SHF_COMPRESSED) })),
	spoiling("no-bits", "SF5027 SF5001", "Turns the section into one without bytes (SHT_NOBITS).", file, header|mapped,
		setSHdr(shType, spot.hasCode, func(spot, uint64) uint64 { return uint64(elf.SHT_NOBITS) })),
	spoiling("beyond-file", "SF5025", "Moves the section to the end of the file, so that part of it is beyond the end.", file|end, end,
		inFile(spot.rel, func(x spot) anchor {
			x.off = x.append(x.Section())
			x.write(ofHeaderOf(".sframe", shOffset), uint64(x.off))
			x.write(ofHeaderOf(".sframe", shSize), uint64(x.size+x.upTo(1, pick[int64](x, 1, 1000, math.MaxInt32))))
			return ofPlace(".sframe")
		}, "section header", "size")),
	spoiling("too-large", "SF5031", "Sets a size limit that is below the size of the section.", file, header|mapped,
		onlySite(always, func(x spot) anchor {
			x.limit = x.upTo(1, x.size-1)
			if x.container == Raw {
				return ofObject(model.Span{Len: x.size})
			}
			return ofPlace(".sframe")
		})),
	spoiling("twice", "SF5015", "Gives the section a second section header.", header|mapped|end, header|mapped,
		inFile(spot.linked, func(x spot) anchor {
			h := x.elf.sframe().at
			at := x.addHeader(x.object[h : h+shdrSize])
			x.append(make([]byte, 2*x.size)) // sections may not share all of a file's bytes
			return ofObject(model.Span{Off: at, Len: shdrSize})
		}, "section header", "header table")),
	spoiling("damaged", "SF5024", "Sets a size of headers that ELF does not have, or an index of section names that is out of range.", file, header|relocs|symbols|mapped,
		func(x spot) (all []site) {
			for _, f := range []model.Span{ehShentsize, ehShstrndx, ehPhentsize} {
				if x.inELF() && !x.outer && (x.linked() || f != ehPhentsize) {
					all = append(all, site{x, []string{"ELF header"}, func(x spot) anchor {
						return x.write(ofObject(f), uint64(x.upTo(int64(len(x.elf.sections))+64, 0xff00)))
					}})
				}
			}
			return all
		}),
	spoiling("no-symbols", "SF5024", "Sets a size of symbols that ELF does not have.", file|symbols, symbols|mapped,
		inFile(spot.linked, func(x spot) anchor {
			x.write(ofHeaderOf(".symtab", shEntsize), pick[uint64](x, 0, 16, 25))
			return ofHeaderOf(".symtab", model.Span{Len: shdrSize})
		}, "symbols")),
	spoiling("no-memory", "SF5033", "Sets a memory budget that is too small for the section headers.", file, header|layout|machine|starts|rows|symbols|relocs|mapped|end,
		inFile(always, func(x spot) anchor {
			x.memory = 1
			return ofObject(ehShnum)
		}, "section header", "size", "header table")),
	spoiling("no-abi", "SF5034", "Sets a machine for which the format has no ABI.", file, file|machine|starts|symbols|relocs|mapped,
		inFile(always, func(x spot) anchor {
			return x.write(ofObject(elf64.EhdrMachine), uint64(pick(x, elf.EM_IA_64, elf.EM_SPARCV9, elf.EM_NONE)))
		}, "ELF header")),
	spoiling("unbacked", "SF5036", "Sets SHF_COMPRESSED in the header of the symbol table.", file|symbols, symbols|mapped,
		inFile(spot.linked, func(x spot) anchor { return x.write(ofHeaderOf(".symtab", shFlags), uint64(elf.SHF_COMPRESSED)) }, "symbols")),
}

// ofPlace is an anchor at the offset and size that a section header gives.
func ofPlace(name string) anchor { return ofHeaderOf(name, model.Span{Off: shOffset.Off, Len: 16}) }

// empty sets the size of the section to 0.
func (x spot) empty() anchor {
	x.resize(0)
	return ofHeaderOf(".sframe", model.Span{Len: shdrSize})
}

// otherMachine returns an ABI of the same byte order for another machine, a
// blank one where the version has none.
func otherMachine(x spot) model.ABIInfo {
	for _, a := range model.ABIs() {
		if a.Big == x.abi().Big && a.Machine != x.abi().Machine && a.InVersion(x.version()) {
			return a
		}
	}
	return model.ABIInfo{}
}

// inSegment makes breaks that overwrite a field of the section's program
// header.
func inSegment(field model.Span, value func(x spot, old uint64) uint64) sites {
	return inFile(spot.linked, func(x spot) anchor {
		at := x.ofSegment(field)
		return x.write(at, value(x, x.read(at)))
	}, "segment", "size")
}

// ofSegment is an anchor at a field of the section's program header.
func (x spot) ofSegment(field model.Span) anchor {
	return ofObject(in(x.elf.segment(ptGNUSFrame, nil).at, field))
}

func smaller(x spot, old uint64) uint64 { return uint64(x.upTo(0, int64(old)-1)) }
func later(x spot, old uint64) uint64   { return old + 8*uint64(x.upTo(1, 1000)) }

var segmentBreaks = []Break{
	fault("no-segment", "SF5009", "Turns the section's segment into PT_NULL.", file|mapped,
		inFile(spot.linked, func(x spot) anchor {
			x.dropSegment()
			return ofObject(ehPhnum)
		}, "segment")),
	fault("segment-larger", "SF5010", "Makes the section's segment larger than the section.", file|mapped,
		inFile(spot.linked, func(x spot) anchor {
			size := uint64(x.size + x.upTo(1, 1000))
			at := x.write(x.ofSegment(pMemsz), size)
			if x.rnd.IntN(2) == 0 {
				return at
			}
			return x.write(x.ofSegment(pFilesz), size)
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
		inFile(spot.linked, func(x spot) anchor {
			from, to := x.elf.segment(ptGNUSFrame, nil).at, x.elf.segment(elf.PT_GNU_STACK, nil).at
			x.overwrite(to, x.object[from:from+phdrSize])
			return ofObject(in(to, pType))
		}, "segment", "stack")),
	fault("not-loaded", "SF5013", "Removes the segment that loads the section.", file|mapped,
		inFile(spot.linked, func(x spot) anchor {
			x.setObject(in(x.elf.loadOf(x.elf.sframe()).at, pType), uint64(elf.PT_NULL))
			return ofHeaderOf(".sframe", shAddr)
		}, "load")),
	fault("loaded-elsewhere", "SF5013", "Loads other bytes of the file at the section's address.", file|mapped,
		inFile(spot.linked, func(x spot) anchor {
			x.add(ofObject(in(x.elf.loadOf(x.elf.sframe()).at, pOffset)), 0x1000*uint64(x.upTo(1, 10)))
			return ofHeaderOf(".sframe", shOffset)
		}, "load")),
	spoiling("segment-alone", "SF5014 SF5001", "Turns the section into plain data and keeps its segment.", file|mapped, header|mapped,
		inFile(spot.linked, func(x spot) anchor {
			x.orphan()
			return x.ofSegment(pType)
		}, "segment")),
}
