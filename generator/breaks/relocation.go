package breaks

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// eachReloc has a site at the relocation of every FDE.
func eachReloc(ok test, do edit) sites {
	return claiming(eachFDE(func(x spot) bool { return x.rel() && !x.outer && ok(x) }, do), "relocations")
}

// addReloc inserts an entry before the k-th relocation. The table moves to the end of the file.
func (x spot) addReloc(k int, entry []byte) anchor {
	sec := x.elf.relocs()
	table := slices.Insert(slices.Clone(x.object[sec.off:sec.off+sec.size]), k*relaSize, entry...)
	return ofObject(model.Span{Off: x.moveTable(sec, table) + int64(k)*relaSize, Len: relaSize})
}

// entryOf returns a copy of an FDE's relocation.
func (x spot) entryOf() []byte {
	at := x.relocOf()
	return slices.Clone(x.object[at : at+relaSize])
}

// spare makes breaks that add a relocation after all others: that of an FDE at another field,
// of a type that does nothing where dead is set.
func spare(dead bool, value func(spot) int64) sites {
	return eachReloc(always, func(x spot) anchor {
		e := x.entryOf()
		number.Put(x.order(), e[:8], uint64(value(x)))
		if dead {
			number.Put(x.order(), e[8:16], uint64(x.abi().RelocNone))
		}
		return x.addReloc(len(x.plan.Funcs), e)
	})
}

// setReloc makes breaks that change the type and symbol of an FDE's relocation.
func setReloc(value func(x spot, old uint64) uint64) sites {
	return eachReloc(always, func(x spot) anchor {
		at := ofObject(in(x.relocOf(), relInfo))
		x.write(at, value(x, x.read(at)))
		return x.ofReloc()
	})
}

// ofReloc is an anchor at the relocation of an FDE.
func (x spot) ofReloc() anchor { return ofObject(model.Span{Off: x.relocOf(), Len: relaSize}) }

var relocBreaks = []Break{
	spoiling("lost-relocation", "SF5016", "Removes the relocation of an FDE.", sections|relocs, starts,
		eachReloc(always, func(x spot) anchor {
			sec := x.elf.relocs()
			x.overwrite(x.relocOf(), x.object[x.fde(x.i+1).relocOf():sec.off+sec.size])
			x.setObject(in(sec.at, shSize), sec.size-relaSize)
			return x.ofField(model.FDEStart)
		})),
	spoiling("spare-relocation", "SF5017", "Adds a relocation in the section's header or rows.", sections|relocs|end, starts,
		spare(false, func(x spot) int64 {
			return pick(x, x.upTo(0, x.ix.fdeOff-1), x.upTo(x.ix.fdeOff+x.ix.fdeSize*int64(len(x.plan.Funcs)), x.size))
		})),
	spoiling("misplaced-relocation", "SF5018", "Adds a relocation of an FDE's field other than the start.", sections|relocs|end, starts,
		spare(false, func(x spot) int64 { return x.written().entry + x.upTo(1, x.ix.fdeSize-1) })),
	spoiling("dead-relocation", "SF5019", "Adds a relocation that does nothing.", sections|relocs|end, starts,
		spare(true, func(x spot) int64 { return x.upTo(0, x.size) })),
	spoiling("relocation-type", "SF5020", "Sets a relocation type that does not fit the start field.", sections|relocs, starts,
		setReloc(func(x spot, old uint64) uint64 {
			typ := uint64(x.upTo(1, 24))
			if typ == uint64(x.abi().StartReloc(x.version())) {
				typ++
			}
			return old>>32<<32 | typ
		})),
	spoiling("relocation-order", "SF5021", "Swaps two neighbouring relocations.", sections|relocs, starts,
		eachReloc(func(x spot) bool { return x.i > 0 }, func(x spot) anchor {
			x.overwrite(x.fde(x.i-1).relocOf(), append(x.entryOf(), x.fde(x.i-1).entryOf()...))
			return x.ofReloc()
		})),
	spoiling("double-relocation", "SF5022", "Relocates a start field twice.", sections|relocs|end, starts,
		eachReloc(always, func(x spot) anchor { return x.addReloc(x.i+1, x.entryOf()) })),
	spoiling("no-symbol", "SF5023", "Relocates a start field without a symbol, or by one that does not exist.", sections|relocs|symbols, starts,
		setReloc(func(x spot, old uint64) uint64 {
			return pick(x, 0, x.elf.symtab().size/symSize+uint64(x.upTo(0, 1000)))<<32 | old&0xffffffff
		})),
	spoiling("no-relocations", "SF5028", "Makes the relocations unreadable.", sections|relocs, starts|relocs,
		inFile(func(x spot) bool { return x.rel() && hasFuncs(x) }, func(x spot) anchor {
			at := x.elf.relocs().at
			edit := [...]struct {
				field model.Span
				value uint64
			}{{shType, uint64(elf.SHT_REL)}, {shEntsize, 16}, {shLink, 0}}[x.rnd.IntN(3)]
			x.setObject(in(at, edit.field), edit.value)
			return ofObject(model.Span{Off: at, Len: shdrSize})
		}, "relocations")),
	fault("group", "SF5032", "Puts the last function into a section of its own in a section group.", sections|starts,
		atLast(func(x spot) bool { return x.rel() && !x.outer }, func(x spot) anchor {
			x.structure(func(p *generator.Plan) { p.Funcs[x.i].Start += 1 << 20 })
			x.orBits(ofObject(in(x.text().at, shFlags)), uint64(elf.SHF_GROUP))
			return x.ofField(model.FDEStart)
		})),
}
