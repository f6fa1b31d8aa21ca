package breaks

import (
	"debug/elf"
	"math"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
)

// inFile makes breaks that change a file around the section.
func inFile(ok func(*Subject) bool, do func(d *draft) (anchor, error), claims ...string) func(*Subject) []site {
	return onlySite(func(s *Subject) bool { return s.inELF() && !s.outer && ok(s) }, do, claims...)
}

func always(*Subject) bool { return true }

// hasCode reports whether the file contains code.
func (s *Subject) hasCode() bool {
	for _, t := range s.elf.sections {
		if t.flags&elf.SHF_EXECINSTR != 0 && t.typ == elf.SHT_PROGBITS && t.size > 0 {
			return true
		}
	}
	return false
}

func emptySection(d *draft) (anchor, error) {
	d.resize(0)
	return ofHeaderOf(".sframe", model.Span{Len: shdrSize}), nil
}

// setSHdr makes breaks that overwrite a field of the section's header.
func setSHdr(field model.Span, ok func(*Subject) bool, value func(d *draft, old uint64) uint64) func(*Subject) []site {
	return inFile(ok, func(d *draft) (anchor, error) {
		at := in(d.elf.sframe().at, field)
		d.setObject(at, value(d, d.getObject(at)))
		return ofHeaderOf(".sframe", field), nil
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
	{
		Name: "absent", Rule: "SF5001",
		Doc:   "Turns the section into plain data, and its segment into PT_NULL.",
		needs: file, spoils: header | mapped,
		sites: inFile((*Subject).hasCode, func(d *draft) (anchor, error) {
			d.orphan()
			if p := d.elf.segment(ptGNUSFrame, nil); p != nil {
				d.setObject(in(p.at, pType), uint64(elf.PT_NULL))
			}
			return ofObject(model.Span{Len: 64}), nil
		}),
	},
	{
		Name: "placeholder", Rule: "SF5002", Also: []string{"SF5001", "SF5036"},
		Doc:   "Sets the section's size to 0 in an object file.",
		needs: file, spoils: header | mapped,
		sites: inFile(func(s *Subject) bool { return !s.linked() }, emptySection),
	},
	{
		Name: "ignored", Rule: "SF5035", Also: []string{"SF5001"},
		Doc:   "Sets the section's size to 0 in a linked file, and turns its segment into PT_NULL.",
		needs: file, spoils: header | mapped,
		sites: inFile((*Subject).linked, func(d *draft) (anchor, error) {
			if p := d.elf.segment(ptGNUSFrame, nil); p != nil {
				d.setObject(in(p.at, pType), uint64(elf.PT_NULL))
			}
			return emptySection(d)
		}),
	},
	{
		Name: "section-type", Rule: "SF5003",
		Doc:   "Sets another section type.",
		needs: file,
		sites: setSHdr(shType, always, func(d *draft, _ uint64) uint64 { return pick(d, uint64(elf.SHT_PROGBITS), 0x60000000) }),
	},
	{
		Name: "not-allocated", Rule: "SF5004",
		Doc:   "Clears SHF_ALLOC.",
		needs: file, spoils: mapped,
		sites: setSHdr(shFlags, always, func(_ *draft, old uint64) uint64 { return old &^ uint64(elf.SHF_ALLOC) }),
	},
	{
		Name: "section-flags", Rule: "SF5005",
		Doc:   "Sets a flag that SFrame sections do not have.",
		needs: file,
		sites: setSHdr(shFlags, always, func(d *draft, old uint64) uint64 {
			return old | pick(d, uint64(elf.SHF_WRITE), uint64(elf.SHF_MERGE), uint64(elf.SHF_STRINGS), 0x80000000, 1<<24)
		}),
	},
	{
		Name: "alignment", Rule: "SF5006",
		Doc:   "Sets an alignment of less than 8 bytes.",
		needs: file,
		sites: setSHdr(shAddralign, always, func(d *draft, _ uint64) uint64 { return pick[uint64](d, 0, 1, 2, 4) }),
	},
	{
		Name: "other-machine", Rule: "SF5007",
		Doc:   "Sets the ABI of another machine, with its fixed offset of RA.",
		needs: header | machine, spoils: machine,
		sites: inFile(func(s *Subject) bool {
			return otherMachine(s).Known()
		}, func(d *draft) (anchor, error) {
			to := otherMachine(d.Subject)
			d.set(model.HdrABI.Span(), uint64(to.ID))
			d.set(model.HdrFixedRA.Span(), uint64(uint8(to.FixedRA)))
			return ofHeader(model.HdrABI), nil
		}, model.HdrABI.String(), model.HdrFixedRA.String()),
	},
	{
		Name: "other-order", Rule: "SF5008",
		Doc:   "Writes the section in the other byte order, with the AArch64 ABI of that order.",
		needs: header | machine, spoils: head,
		sites: inFile(func(s *Subject) bool { return s.abi().Pauth }, flipOrder),
	},
	{
		Name: "compressed", Rule: "SF5026",
		Doc:   "Sets SHF_COMPRESSED.",
		needs: file, spoils: header | mapped,
		sites: setSHdr(shFlags, always, func(_ *draft, old uint64) uint64 { return old | uint64(elf.SHF_COMPRESSED) }),
	},
	{
		Name: "no-bits", Rule: "SF5027", Also: []string{"SF5001"},
		Doc:   "Turns the section into one without bytes (SHT_NOBITS).",
		needs: file, spoils: header | mapped,
		sites: setSHdr(shType, (*Subject).hasCode, func(*draft, uint64) uint64 { return uint64(elf.SHT_NOBITS) }),
	},
	{
		Name: "beyond-file", Rule: "SF5025",
		Doc:   "Moves the section to the end of the file, so that part of it is beyond the end.",
		needs: file | end, spoils: end,
		sites: inFile((*Subject).rel, func(d *draft) (anchor, error) {
			h := d.elf.sframe().at
			at := d.append(d.Section())
			d.off = at
			d.setObject(in(h, shOffset), uint64(at))
			d.setObject(in(h, shSize), uint64(d.size+d.upTo(1, pick[int64](d, 1, 1000, math.MaxInt32))))
			return ofObject(model.Span{Off: h + shOffset.Off, Len: 16}), nil
		}, "section header", "size"),
	},
	{
		Name: "too-large", Rule: "SF5031",
		Doc:   "Sets a size limit that is below the size of the section.",
		needs: file, spoils: header | mapped,
		sites: onlySite(always, func(d *draft) (anchor, error) {
			d.limit = d.upTo(1, d.size-1)
			if d.container == Raw {
				return ofObject(model.Span{Len: d.size}), nil
			}
			return ofHeaderOf(".sframe", model.Span{Off: shOffset.Off, Len: 16}), nil
		}),
	},
	{
		Name: "twice", Rule: "SF5015",
		Doc:   "Gives the section a second section header.",
		needs: header | mapped | end, spoils: header | mapped,
		sites: inFile((*Subject).linked, func(d *draft) (anchor, error) {
			h := d.elf.sframe().at
			at := d.addHeader(d.object[h : h+shdrSize])
			d.append(make([]byte, 2*d.size)) // sections may not share all of a file's bytes
			return ofObject(model.Span{Off: at, Len: shdrSize}), nil
		}, "section header", "header table"),
	},
	{
		Name: "damaged", Rule: "SF5024",
		Doc:   "Sets a size of headers that ELF does not have, or an index of section names that is out of range.",
		needs: file, spoils: header | relocs | symbols | mapped,
		sites: func(s *Subject) []site {
			if !s.inELF() || s.outer {
				return nil
			}
			fields := []model.Span{ehShentsize, ehShstrndx}
			if s.linked() {
				fields = append(fields, ehPhentsize)
			}
			var all []site
			for _, f := range fields {
				all = append(all, site{[]string{"ELF header"}, func(d *draft) (anchor, error) {
					d.setObject(f, uint64(d.upTo(int64(len(d.elf.sections))+64, 0xff00)))
					return ofObject(f), nil
				}})
			}
			return all
		},
	},
	{
		Name: "no-symbols", Rule: "SF5024",
		Doc:   "Sets a size of symbols that ELF does not have.",
		needs: file | symbols, spoils: symbols | mapped,
		sites: inFile((*Subject).linked, func(d *draft) (anchor, error) {
			d.setObject(in(d.elf.symtab().at, shEntsize), pick[uint64](d, 0, 16, 25))
			return ofHeaderOf(".symtab", model.Span{Len: shdrSize}), nil
		}, "symbols"),
	},
	{
		Name: "no-memory", Rule: "SF5033",
		Doc:   "Sets a memory budget that is too small for the section headers.",
		needs: file, spoils: header | layout | machine | starts | rows | symbols | relocs | mapped | end,
		sites: inFile(always, func(d *draft) (anchor, error) {
			d.memory = 1
			return ofObject(elf64.EhdrShnum), nil
		}, "section header", "size", "header table"),
	},
	{
		Name: "no-abi", Rule: "SF5034",
		Doc:   "Sets a machine for which the format has no ABI.",
		needs: file, spoils: file | machine | starts | symbols | relocs | mapped,
		sites: inFile(always, func(d *draft) (anchor, error) {
			d.setObject(elf64.EhdrMachine, uint64(pick(d, elf.EM_IA_64, elf.EM_SPARCV9, elf.EM_NONE)))
			return ofObject(elf64.EhdrMachine), nil
		}, "ELF header"),
	},
	{
		Name: "unbacked", Rule: "SF5036",
		Doc:   "Sets SHF_COMPRESSED in the header of the symbol table.",
		needs: file | symbols, spoils: symbols | mapped,
		sites: inFile((*Subject).linked, func(d *draft) (anchor, error) {
			d.setObject(in(d.elf.symtab().at, elf64.ShdrFlags), uint64(elf.SHF_COMPRESSED))
			return ofHeaderOf(".symtab", elf64.ShdrFlags), nil
		}, "symbols"),
	},
}

// flipOrder writes the plan in the other byte order; only bytes change.
func flipOrder(d *draft) (anchor, error) {
	if d.sealed {
		return anchor{}, errNoRoom
	}
	b, err := encodeFlipped(d.plan)
	if err != nil || int64(len(b)) != d.size {
		return anchor{}, errNoRoom
	}
	d.put(0, b)
	return ofHeader(model.HdrMagic), nil
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
