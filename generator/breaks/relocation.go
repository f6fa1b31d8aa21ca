package breaks

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// eachReloc has a site at the relocation of every FDE.
func eachReloc(ok func(s *Subject, i int) bool, do func(d *draft, i int) anchor) func(*Subject) []site {
	return claiming(eachFDE(func(s *Subject, i int) bool { return s.rel() && !s.outer && ok(s, i) }, do), "relocations")
}

// addReloc inserts an entry before the k-th relocation and returns its offset.
// The table moves to the end of the file.
func (d *draft) addReloc(k int, entry []byte) int64 {
	sec := d.elf.relocs()
	table := slices.Clone(d.object[sec.off : sec.off+sec.size])
	table = slices.Insert(table, k*relaSize, entry...)
	at := d.append(table)
	d.setObject(in(sec.at, shOffset), uint64(at))
	d.setObject(in(sec.at, shSize), uint64(len(table)))
	return at + int64(k)*relaSize
}

// entryOf returns a copy of an FDE's relocation.
func (s *Subject) entryOf(i int) []byte {
	at := s.relocOf(i)
	return slices.Clone(s.object[at : at+relaSize])
}

// spare makes breaks that add a relocation after all others: a changed copy of
// that of an FDE.
func spare(change func(d *draft, i int, entry []byte)) func(*Subject) []site {
	return eachReloc(anyFDE, func(d *draft, i int) anchor {
		e := d.entryOf(i)
		change(d, i, e)
		return ofObject(model.Span{Off: d.addReloc(len(d.plan.Funcs), e), Len: relaSize})
	})
}

// relocType is the type that start fields need.
func (s *Subject) relocType() uint32 {
	return s.abi().StartReloc(s.version())
}

var relocBreaks = []Break{
	fault("lost-relocation", "SF5016", "Removes the relocation of an FDE.", sections|relocs, starts,
		eachReloc(anyFDE, func(d *draft, i int) anchor {
			sec := d.elf.relocs()
			table := d.object[sec.off : sec.off+sec.size]
			copy(table[i*relaSize:], table[(i+1)*relaSize:])
			d.setObject(in(sec.at, shSize), sec.size-relaSize)
			return ofField(i, model.FDEStart)
		})),
	fault("spare-relocation", "SF5017", "Adds a relocation in the section's header or rows.", sections|relocs|end, starts,
		spare(func(d *draft, _ int, e []byte) {
			at := pick(d, d.upTo(0, d.ix.fdeOff-1), d.upTo(d.ix.fdeOff+d.ix.fdeSize*int64(len(d.plan.Funcs)), d.size))
			number.Put(d.order(), e[:8], uint64(at))
		})),
	fault("misplaced-relocation", "SF5018", "Adds a relocation of an FDE's field other than the start.", sections|relocs|end, starts,
		spare(func(d *draft, i int, e []byte) {
			number.Put(d.order(), e[:8], uint64(d.ix.funcs[i].entry+d.upTo(1, d.ix.fdeSize-1)))
		})),
	fault("dead-relocation", "SF5019", "Adds a relocation that does nothing.", sections|relocs|end, starts,
		spare(func(d *draft, _ int, e []byte) {
			number.Put(d.order(), e[:8], uint64(d.upTo(0, d.size)))
			number.Put(d.order(), e[8:16], uint64(d.abi().RelocNone))
		})),
	fault("relocation-type", "SF5020", "Sets a relocation type that does not fit the start field.", sections|relocs, starts,
		eachReloc(anyFDE, func(d *draft, i int) anchor {
			at := in(d.relocOf(i), relInfo)
			typ := uint64(d.upTo(1, 24))
			if typ == uint64(d.relocType()) {
				typ++
			}
			d.setObject(at, d.getObject(at)>>32<<32|typ)
			return ofObject(model.Span{Off: d.relocOf(i), Len: relaSize})
		})),
	fault("relocation-order", "SF5021", "Swaps two neighbouring relocations.", sections|relocs, starts,
		eachReloc(func(s *Subject, i int) bool { return i > 0 }, func(d *draft, i int) anchor {
			a, b := d.entryOf(i-1), d.entryOf(i)
			copy(d.object[d.relocOf(i-1):], b)
			copy(d.object[d.relocOf(i):], a)
			d.sealed = true
			return ofObject(model.Span{Off: d.relocOf(i), Len: relaSize})
		})),
	fault("double-relocation", "SF5022", "Relocates a start field twice.", sections|relocs|end, starts,
		eachReloc(anyFDE, func(d *draft, i int) anchor {
			return ofObject(model.Span{Off: d.addReloc(i+1, d.entryOf(i)), Len: relaSize})
		})),
	fault("no-symbol", "SF5023", "Relocates a start field without a symbol, or by one that does not exist.", sections|relocs|symbols, starts,
		eachReloc(anyFDE, func(d *draft, i int) anchor {
			at := in(d.relocOf(i), relInfo)
			symbol := pick(d, 0, d.elf.symtab().size/symSize+uint64(d.upTo(0, 1000)))
			d.setObject(at, symbol<<32|d.getObject(at)&0xffffffff)
			return ofObject(model.Span{Off: d.relocOf(i), Len: relaSize})
		})),
	fault("no-relocations", "SF5028", "Makes the relocations unreadable.", sections|relocs, starts|relocs,
		inFile(func(s *Subject) bool { return s.rel() && len(s.plan.Funcs) > 0 }, func(d *draft) anchor {
			at := d.elf.relocs().at
			switch d.rnd.IntN(3) {
			case 0:
				d.setObject(in(at, shType), uint64(elf.SHT_REL))
			case 1:
				d.setObject(in(at, shEntsize), 16)
			default:
				d.setObject(in(at, shLink), 0)
			}
			return ofObject(model.Span{Off: at, Len: shdrSize})
		}, "relocations")),
	fault("group", "SF5032", "Puts the last function into a section of its own in a section group.", sections|starts, 0,
		atLast(func(s *Subject, i int) bool { return s.rel() && !s.outer }, func(d *draft, i int) anchor {
			d.structure(func(p *generator.Plan) { p.Funcs[i].Start += 1 << 20 })
			at := in(d.text(i).at, shFlags)
			d.setObject(at, d.getObject(at)|uint64(elf.SHF_GROUP))
			return ofField(i, model.FDEStart)
		})),
}
