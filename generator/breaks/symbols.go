package breaks

import (
	"debug/elf"
	"maps"
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// addHeader adds a section header after all others and returns its offset. The
// table moves to the end of the file.
func (x spot) addHeader(header []byte) int64 {
	table := slices.Clone(x.object[x.elf.sections[0].at:][:len(x.elf.sections)*shdrSize])
	n := len(x.elf.sections)
	at := x.append(append(table, header...))
	x.setObject(ehShoff, uint64(at))
	x.setObject(ehShnum, uint64(n+1))
	x.elf = newELFIndex(x.object, x.plan.BigEndian)
	return at + int64(n*shdrSize)
}

// addName adds a section name and returns its offset among them.
func (x spot) addName(name string) uint64 {
	sec := x.elf.sections[x.elf.names]
	table := slices.Clone(x.object[sec.off : sec.off+sec.size])
	off := uint64(len(table))
	table = append(append(table, name...), 0)
	x.moveTable(&sec, table)
	return off
}

// moveTable gives a section other bytes, at the end of the file, and returns their offset.
func (x spot) moveTable(sec *elfSection, table []byte) int64 {
	at := x.append(table)
	x.setObject(in(sec.at, shOffset), uint64(at))
	x.setObject(in(sec.at, shSize), uint64(len(table)))
	x.elf = newELFIndex(x.object, x.plan.BigEndian)
	return at
}

// symbol returns a symbol with the name of the last one.
func (x spot) symbol(info uint8, section int, value, size uint64) []byte {
	sec := x.elf.symtab()
	y := make([]byte, symSize)
	copy(y[:4], x.object[sec.off+sec.size-symSize:])
	y[4] = info
	number.Put(x.order(), y[6:8], uint64(section))
	number.Put(x.order(), y[8:16], value)
	number.Put(x.order(), y[16:], size)
	return y
}

// addSymbol adds a global function symbol.
func (x spot) addSymbol(section int, value, size uint64) {
	sec := x.elf.symtab()
	x.moveTable(sec, slices.Concat(x.object[sec.off:sec.off+sec.size], x.symbol(elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), section, value, size)))
}

// addInput adds a FILE symbol and local function symbols before all others.
func (x spot) addInput(section int, functions ...cfiFDE) {
	sec := x.elf.symtab()
	table := x.object[sec.off : sec.off+sec.size]
	more := x.symbol(elf.ST_INFO(elf.STB_LOCAL, elf.STT_FILE), int(elf.SHN_ABS), 0, 0)
	for _, f := range functions {
		more = append(more, x.symbol(elf.ST_INFO(elf.STB_LOCAL, elf.STT_FUNC), section, f.start, f.size)...)
	}
	x.setObject(in(sec.at, shInfo), uint64(sec.info)+uint64(len(more)/symSize))
	x.moveTable(sec, slices.Concat(table[:symSize], more, table[symSize:]))
}

// addCode adds a section of code after everything that is in memory, and
// returns its index and the offset of its header. It fails if the address
// space ends before.
func (x spot) addCode(name uint64, size int) (index int, at int64) {
	end := uint64(0)
	for _, s := range x.elf.sections {
		if s.flags&elf.SHF_ALLOC != 0 {
			end = max(end, s.addr+s.size)
		}
	}
	if end > math.MaxUint64-1<<30 {
		x.failed = true
	}
	end += 1 << 20 // out of reach of functions that run beyond their code
	at = x.addCodeHeader(name, (end+0xfff)&^0xfff, uint64(x.append(make([]byte, size))), uint64(size), 16)
	return len(x.elf.sections) - 1, at
}

// addCodeHeader adds the header of a section of code, and returns its offset.
func (x spot) addCodeHeader(name, addr, off, size, align uint64) int64 {
	return x.addHeaderOf(map[model.Span]uint64{
		shName: name, shType: uint64(elf.SHT_PROGBITS), shFlags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR),
		shAddr: addr, shOffset: off, shSize: size, shAddralign: align,
	})
}

// addHeaderOf adds a section header with these fields.
func (x spot) addHeaderOf(fields map[model.Span]uint64) int64 {
	h := make([]byte, shdrSize)
	for f, v := range fields {
		number.Put(x.order(), h[f.Off:f.End()], v)
	}
	return x.addHeader(h)
}

// textIndex returns the index of the section that a function's code is in.
func (x spot) textIndex() int {
	t := x.text()
	return slices.IndexFunc(x.elf.sections, func(sec elfSection) bool { return sec.at == t.at })
}

var symbolBreaks = []Break{
	fault("bolted", "SF6026", "Gives the code of the first FDE the name under which BOLT keeps old code.", sections|machine|starts|end,
		claimingAll(inFile(func(x spot) bool { return x.linked() && hasFuncs(x) && x.text() != nil }, func(x spot) anchor {
			at := x.text().at
			x.setObject(in(at, shName), x.addName(".bolt.org.text"))
			return x.ofField(model.FDEStart)
		}))),
	fault("inside", "SF6001 SF3112 SF3114 SF3115 SF3116 SF3118 SF3119 SF3120", "Makes an FDE start one instruction after its function.", decoded|starts|symbols,
		eachFDE(func(x spot) bool {
			return x.shortable() && x.lastStart()+int64(x.insn()) < int64(x.fn().Size)-1
		}, func(x spot) anchor {
			x.write(x.ofField(model.FDEFuncSize), uint64(x.fn().Size-x.insn()))
			return x.setStart(x.fn().Start + uint64(x.insn())).blame(x.ofField(model.FDEStart))
		})),
	fault("symbol-size", "SF6002 SF3118", "Makes an FDE end before its function's last instruction.", decoded|starts|symbols,
		setFDE(model.FDEFuncSize, func(x spot) bool {
			return x.shortable() && x.lastStart() < int64(x.fn().Size)-int64(x.insn())
		},
			func(x spot) uint64 { return uint64(x.fn().Size - x.insn()) })),
	fault("undescribed", "SF6014", "Adds a symbol for a function that no FDE describes, between two others.", sections|machine|starts|symbols|end,
		eachNext(func(x spot) bool {
			return x.inCode() && x.other().fn().Start-x.fn().Start > uint64(x.fn().Size)
		}, func(x spot) anchor {
			if x.outer {
				return x.fail()
			}
			end := x.fn().Start + uint64(x.fn().Size)
			x.addSymbol(x.textIndex(), end, x.other().fn().Start-end)
			return ofHeader(model.HdrNumFDEs)
		})),
	spoiling("plt-alone", "SF6004", "Renames all code that has FDEs to a PLT and adds a function without an FDE.", sections|starts|symbols|end, symbols,
		claimingAll(inFile(func(x spot) bool { return x.linked() && x.hasCode() }, func(x spot) anchor {
			plt := x.addName(".plt")
			for _, t := range x.elf.sections {
				if t.flags&elf.SHF_EXECINSTR != 0 {
					x.setObject(in(t.at, shName), plt)
				}
			}
			index, _ := x.addCode(0, 64)
			x.addSymbol(index, x.elf.sections[index].addr, 64)
			return ofHeader(model.HdrNumFDEs)
		}, "header table", "symbols"))),
	fault("plt", "SF6005", "Adds a PLT that no FDE describes.", sections|starts|end,
		inFile(func(x spot) bool { return x.linked() && hasFuncs(x) }, func(x spot) anchor {
			_, at := x.addCode(x.addName(pick(x, ".plt", ".plt.got", ".plt.sec", ".iplt")), 64)
			return ofObject(model.Span{Off: at, Len: shdrSize})
		}, "header table")),
	fault("plt-code", "SF6018 SF3112 SF3114 SF3115 SF3116 SF3117 SF3118 SF6001", "Makes the start of a function the first stub of a PLT, which moves SP otherwise than the rows say.", proven|end,
		pltCode),
	spoiling("pcrel-symbols", "SF6006", "Writes the start fields as if the PCREL flag were inverted, with code around the functions.", sections|starts|symbols|end, starts,
		claimingAll(inFile(func(x spot) bool { return misreadable(x) && x.ix.freOff < 0x400 }, surroundFunctions, model.HdrFlags.String()))),
}

// shortable reports whether the FDE of a function in a file can leave an instruction out.
func (x spot) shortable() bool { return x.inCode() && x.inc() && x.fn().Size > x.insn() }

// surroundFunctions spreads the functions out and makes their text section so large
// that they stay in it, and apart, when their starts are misread.
func surroundFunctions(x spot) anchor {
	const apart = 0x400 // more than any misread start field is off, and less than splits the code
	x.structure(func(p *generator.Plan) {
		at := p.Funcs[x.byAddress()[0]].Start
		for _, i := range x.byAddress() {
			p.Funcs[i].Start = at &^ 15
			at = p.Funcs[i].Start + uint64(p.Funcs[i].Size) + apart
		}
	})
	t := x.text()
	for i := range x.plan.Funcs {
		if x.fde(i).text() != t || x.fde(i).fn().Size < 64 {
			return x.fail()
		}
	}
	if t == nil || t.typ != elf.SHT_PROGBITS {
		return x.fail()
	}
	nothing := make([]byte, apart)
	code := slices.Concat(nothing, x.object[t.off:t.off+t.size], nothing)
	x.setObject(in(t.at, shOffset), uint64(x.append(code)))
	x.setObject(in(t.at, shAddr), t.addr-apart)
	x.setObject(in(t.at, shSize), t.size+2*apart)
	return x.contradict()
}

// resolverStubs is the code of the stub with which a linker starts .plt, and the
// distances of the CFA from SP at offsets in it.
var resolverStubs = map[elf.Machine]struct {
	code string
	cfa  map[uint32]int64
}{
	elf.EM_X86_64: {"\xff\x35\x00\x00\x00\x00\xff\x25\x00\x00\x00\x00\x0f\x1f\x40\x00", map[uint32]int64{0: 16, 6: 24}},
	elf.EM_AARCH64: {"\xf0\x7b\xbf\xa9\x10\x00\x00\x90\x11\x02\x40\xf9\x10\x02\x00\x91\x20\x02\x1f\xd6\x1f\x20\x03\xd5\x1f\x20\x03\xd5\x1f\x20\x03\xd5",
		map[uint32]int64{0: 0, 4: 16}},
}

// pltCode makes breaks that put the code of a stub where the rows describe other
// code.
func pltCode(x spot) []site {
	stub := resolverStubs[x.abi().Machine]
	if !x.linked() || !x.inELF() || x.outer || stub.code == "" || x.elf.names == 0 {
		return nil
	}
	return claiming(eachFDE(func(x spot) bool {
		_, wrong := x.contradicts(stub.cfa)
		return len(x.plan.Funcs) > 1 && x.inCode() && wrong && x.inc() && int64(x.fn().Size) >= int64(len(stub.code))+16
	}, func(x spot) anchor {
		at, _ := x.code()
		x.overwrite(at, []byte(stub.code))
		x.addCodeHeader(x.addName(".plt"), x.fn().Start, uint64(at), uint64(len(stub.code)), 1)
		j, _ := x.contradicts(stub.cfa)
		return x.nth(j).ofRow()
	}), "header table", "symbols")(x)
}

// contradicts returns the first row of a function that gives SP another distance
// from the CFA than cfa does, by offset in the function.
func (x spot) contradicts(cfa map[uint32]int64) (j int, ok bool) {
	for _, off := range slices.Sorted(maps.Keys(cfa)) {
		for j := len(x.fn().Rows) - 1; j >= 0; j-- {
			r := x.nth(j).row()
			if r.Start > off {
				continue
			}
			got := r.Rules.CFA
			if got.Kind != model.InRegister {
				return 0, false
			}
			if got != (model.Recovery{Kind: model.InRegister, Reg: x.abi().SP, Offset: cfa[off]}) {
				return j, true
			}
			break
		}
	}
	return 0, false
}
