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

// addReloc inserts an entry before the k-th relocation. The table moves to the end of the file.
func (d *draft) addReloc(k int, entry []byte) anchor {
	sec := d.elf.relocs()
	table := slices.Insert(slices.Clone(d.object[sec.off:sec.off+sec.size]), k*relaSize, entry...)
	return ofObject(model.Span{Off: d.moveTable(sec, table) + int64(k)*relaSize, Len: relaSize})
}

// entryOf returns a copy of an FDE's relocation.
func (s *Subject) entryOf(i int) []byte {
	at := s.relocOf(i)
	return slices.Clone(s.object[at : at+relaSize])
}

// spare makes breaks that add a relocation after all others: that of an FDE at another field,
// of a type that does nothing where dead is set.
func spare(dead bool, value func(d *draft, i int) int64) func(*Subject) []site {
	return eachReloc(anyFDE, func(d *draft, i int) anchor {
		e := d.entryOf(i)
		number.Put(d.order(), e[:8], uint64(value(d, i)))
		if dead {
			number.Put(d.order(), e[8:16], uint64(d.abi().RelocNone))
		}
		return d.addReloc(len(d.plan.Funcs), e)
	})
}

// setReloc makes breaks that change the type and symbol of an FDE's relocation.
func setReloc(value func(d *draft, old uint64) uint64) func(*Subject) []site {
	return eachReloc(anyFDE, func(d *draft, i int) anchor {
		at := ofObject(in(d.relocOf(i), relInfo))
		d.write(at, value(d, d.read(at)))
		return d.ofReloc(i)
	})
}

// ofReloc is an anchor at the relocation of an FDE.
func (d *draft) ofReloc(i int) anchor { return ofObject(model.Span{Off: d.relocOf(i), Len: relaSize}) }

var relocBreaks = []Break{
	spoiling("lost-relocation", "SF5016", "Removes the relocation of an FDE.", sections|relocs, starts,
		eachReloc(anyFDE, func(d *draft, i int) anchor {
			sec := d.elf.relocs()
			d.overwrite(d.relocOf(i), d.object[d.relocOf(i+1):sec.off+sec.size])
			d.setObject(in(sec.at, shSize), sec.size-relaSize)
			return ofField(i, model.FDEStart)
		})),
	spoiling("spare-relocation", "SF5017", "Adds a relocation in the section's header or rows.", sections|relocs|end, starts,
		spare(false, func(d *draft, _ int) int64 {
			return pick(d, d.upTo(0, d.ix.fdeOff-1), d.upTo(d.ix.fdeOff+d.ix.fdeSize*int64(len(d.plan.Funcs)), d.size))
		})),
	spoiling("misplaced-relocation", "SF5018", "Adds a relocation of an FDE's field other than the start.", sections|relocs|end, starts,
		spare(false, func(d *draft, i int) int64 { return d.ix.funcs[i].entry + d.upTo(1, d.ix.fdeSize-1) })),
	spoiling("dead-relocation", "SF5019", "Adds a relocation that does nothing.", sections|relocs|end, starts,
		spare(true, func(d *draft, _ int) int64 { return d.upTo(0, d.size) })),
	spoiling("relocation-type", "SF5020", "Sets a relocation type that does not fit the start field.", sections|relocs, starts,
		setReloc(func(d *draft, old uint64) uint64 {
			typ := uint64(d.upTo(1, 24))
			if typ == uint64(d.abi().StartReloc(d.version())) {
				typ++
			}
			return old>>32<<32 | typ
		})),
	spoiling("relocation-order", "SF5021", "Swaps two neighbouring relocations.", sections|relocs, starts,
		eachReloc(func(s *Subject, i int) bool { return i > 0 }, func(d *draft, i int) anchor {
			d.overwrite(d.relocOf(i-1), append(d.entryOf(i), d.entryOf(i-1)...))
			return d.ofReloc(i)
		})),
	spoiling("double-relocation", "SF5022", "Relocates a start field twice.", sections|relocs|end, starts,
		eachReloc(anyFDE, func(d *draft, i int) anchor { return d.addReloc(i+1, d.entryOf(i)) })),
	spoiling("no-symbol", "SF5023", "Relocates a start field without a symbol, or by one that does not exist.", sections|relocs|symbols, starts,
		setReloc(func(d *draft, old uint64) uint64 {
			return pick(d, 0, d.elf.symtab().size/symSize+uint64(d.upTo(0, 1000)))<<32 | old&0xffffffff
		})),
	spoiling("no-relocations", "SF5028", "Makes the relocations unreadable.", sections|relocs, starts|relocs,
		inFile(func(s *Subject) bool { return s.rel() && hasFuncs(s) }, func(d *draft) anchor {
			at := d.elf.relocs().at
			edit := [...]struct {
				field model.Span
				value uint64
			}{{shType, uint64(elf.SHT_REL)}, {shEntsize, 16}, {shLink, 0}}[d.rnd.IntN(3)]
			d.setObject(in(at, edit.field), edit.value)
			return ofObject(model.Span{Off: at, Len: shdrSize})
		}, "relocations")),
	fault("group", "SF5032", "Puts the last function into a section of its own in a section group.", sections|starts,
		atLast(func(s *Subject, i int) bool { return s.rel() && !s.outer }, func(d *draft, i int) anchor {
			d.structure(func(p *generator.Plan) { p.Funcs[i].Start += 1 << 20 })
			d.orBits(ofObject(in(d.text(i).at, shFlags)), uint64(elf.SHF_GROUP))
			return ofField(i, model.FDEStart)
		})),
}
