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
func (d *draft) addHeader(header []byte) int64 {
	table := slices.Clone(d.object[d.elf.sections[0].at:][:len(d.elf.sections)*shdrSize])
	n := len(d.elf.sections)
	at := d.append(append(table, header...))
	d.setObject(ehShoff, uint64(at))
	d.setObject(ehShnum, uint64(n+1))
	d.elf = newELFIndex(d.object, d.plan.BigEndian)
	return at + int64(n*shdrSize)
}

// addName adds a section name and returns its offset among them.
func (d *draft) addName(name string) uint64 {
	sec := d.elf.sections[d.elf.names]
	table := slices.Clone(d.object[sec.off : sec.off+sec.size])
	off := uint64(len(table))
	table = append(append(table, name...), 0)
	d.moveTable(&sec, table)
	return off
}

// moveTable gives a section other bytes, at the end of the file, and returns their offset.
func (d *draft) moveTable(sec *elfSection, table []byte) int64 {
	at := d.append(table)
	d.setObject(in(sec.at, shOffset), uint64(at))
	d.setObject(in(sec.at, shSize), uint64(len(table)))
	d.elf = newELFIndex(d.object, d.plan.BigEndian)
	return at
}

// symbol returns a symbol with the name of the last one.
func (d *draft) symbol(info uint8, section int, value, size uint64) []byte {
	sec := d.elf.symtab()
	y := make([]byte, symSize)
	copy(y[:4], d.object[sec.off+sec.size-symSize:])
	y[4] = info
	number.Put(d.order(), y[6:8], uint64(section))
	number.Put(d.order(), y[8:16], value)
	number.Put(d.order(), y[16:], size)
	return y
}

// addSymbol adds a global function symbol.
func (d *draft) addSymbol(section int, value, size uint64) {
	sec := d.elf.symtab()
	d.moveTable(sec, slices.Concat(d.object[sec.off:sec.off+sec.size], d.symbol(elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), section, value, size)))
}

// addInput adds a FILE symbol and local function symbols before all others.
func (d *draft) addInput(section int, functions ...cfiFDE) {
	sec := d.elf.symtab()
	table := d.object[sec.off : sec.off+sec.size]
	more := d.symbol(elf.ST_INFO(elf.STB_LOCAL, elf.STT_FILE), int(elf.SHN_ABS), 0, 0)
	for _, f := range functions {
		more = append(more, d.symbol(elf.ST_INFO(elf.STB_LOCAL, elf.STT_FUNC), section, f.start, f.size)...)
	}
	d.setObject(in(sec.at, shInfo), uint64(sec.info)+uint64(len(more)/symSize))
	d.moveTable(sec, slices.Concat(table[:symSize], more, table[symSize:]))
}

// addCode adds a section of code after everything that is in memory, and
// returns its index and the offset of its header. It fails if the address
// space ends before.
func (d *draft) addCode(name uint64, size int) (index int, at int64) {
	end := uint64(0)
	for _, s := range d.elf.sections {
		if s.flags&elf.SHF_ALLOC != 0 {
			end = max(end, s.addr+s.size)
		}
	}
	if end > math.MaxUint64-1<<30 {
		d.failed = true
	}
	end += 1 << 20 // out of reach of functions that run beyond their code
	at = d.addCodeHeader(name, (end+0xfff)&^0xfff, uint64(d.append(make([]byte, size))), uint64(size), 16)
	return len(d.elf.sections) - 1, at
}

// addCodeHeader adds the header of a section of code, and returns its offset.
func (d *draft) addCodeHeader(name, addr, off, size, align uint64) int64 {
	return d.addHeaderOf(map[model.Span]uint64{
		shName: name, shType: uint64(elf.SHT_PROGBITS), shFlags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR),
		shAddr: addr, shOffset: off, shSize: size, shAddralign: align,
	})
}

// addHeaderOf adds a section header with these fields.
func (d *draft) addHeaderOf(fields map[model.Span]uint64) int64 {
	h := make([]byte, shdrSize)
	for f, v := range fields {
		number.Put(d.order(), h[f.Off:f.End()], v)
	}
	return d.addHeader(h)
}

// textIndex returns the index of the section that a function's code is in.
func (s *Subject) textIndex(i int) int {
	t := s.text(i)
	return slices.IndexFunc(s.elf.sections, func(x elfSection) bool { return x.at == t.at })
}

var symbolBreaks = []Break{
	fault("bolted", "SF6026", "Gives the code of the first FDE the name under which BOLT keeps old code.", sections|machine|starts|end,
		claimingAll(inFile(func(s *Subject) bool { return s.linked() && hasFuncs(s) && s.text(0) != nil }, func(d *draft) anchor {
			at := d.text(0).at
			d.setObject(in(at, shName), d.addName(".bolt.org.text"))
			return ofField(0, model.FDEStart)
		}))),
	fault("inside", "SF6001 SF3112 SF3114 SF3115 SF3116 SF3118 SF3119 SF3120", "Makes an FDE start one instruction after its function.", decoded|starts|symbols,
		eachFDE(func(s *Subject, i int) bool {
			return s.shortable(i) && s.lastStart(i)+int64(s.insn()) < int64(s.fn(i).Size)-1
		}, func(d *draft, i int) anchor {
			d.write(ofField(i, model.FDEFuncSize), uint64(d.fn(i).Size-d.insn()))
			return d.setStart(i, d.fn(i).Start+uint64(d.insn())).blame(ofField(i, model.FDEStart))
		})),
	fault("symbol-size", "SF6002 SF3118", "Makes an FDE end before its function's last instruction.", decoded|starts|symbols,
		setFDE(model.FDEFuncSize, func(s *Subject, i int) bool {
			return s.shortable(i) && s.lastStart(i) < int64(s.fn(i).Size)-int64(s.insn())
		},
			func(d *draft, i int) uint64 { return uint64(d.fn(i).Size - d.insn()) })),
	fault("undescribed", "SF6014", "Adds a symbol for a function that no FDE describes, between two others.", sections|machine|starts|symbols|end,
		eachNext(func(s *Subject, i, next int) bool {
			return s.inCode(i) && s.fn(next).Start-s.fn(i).Start > uint64(s.fn(i).Size)
		}, func(d *draft, i, next int) anchor {
			if d.outer {
				return d.fail()
			}
			end := d.fn(i).Start + uint64(d.fn(i).Size)
			d.addSymbol(d.textIndex(i), end, d.fn(next).Start-end)
			return ofHeader(model.HdrNumFDEs)
		})),
	spoiling("plt-alone", "SF6004", "Renames all code that has FDEs to a PLT and adds a function without an FDE.", sections|starts|symbols|end, symbols,
		claimingAll(inFile(func(s *Subject) bool { return s.linked() && s.hasCode() }, func(d *draft) anchor {
			plt := d.addName(".plt")
			for _, t := range d.elf.sections {
				if t.flags&elf.SHF_EXECINSTR != 0 {
					d.setObject(in(t.at, shName), plt)
				}
			}
			index, _ := d.addCode(0, 64)
			d.addSymbol(index, d.elf.sections[index].addr, 64)
			return ofHeader(model.HdrNumFDEs)
		}, "header table", "symbols"))),
	fault("plt", "SF6005", "Adds a PLT that no FDE describes.", sections|starts|end,
		inFile(func(s *Subject) bool { return s.linked() && hasFuncs(s) }, func(d *draft) anchor {
			_, at := d.addCode(d.addName(pick(d, ".plt", ".plt.got", ".plt.sec", ".iplt")), 64)
			return ofObject(model.Span{Off: at, Len: shdrSize})
		}, "header table")),
	fault("plt-code", "SF6018 SF3112 SF3114 SF3115 SF3116 SF3117 SF3118 SF6001", "Makes the start of a function the first stub of a PLT, which moves SP otherwise than the rows say.", proven|end,
		pltCode),
	spoiling("pcrel-symbols", "SF6006", "Writes the start fields as if the PCREL flag were inverted, with code around the functions.", sections|starts|symbols|end, starts,
		claimingAll(inFile(func(s *Subject) bool { return misreadable(s) && s.ix.freOff < 0x400 }, surroundFunctions, model.HdrFlags.String()))),
}

// shortable reports whether the FDE of a function in a file can leave an instruction out.
func (s *Subject) shortable(i int) bool { return s.inCode(i) && s.inc(i) && s.fn(i).Size > s.insn() }

// surroundFunctions spreads the functions out and makes their text section so large
// that they stay in it, and apart, when their starts are misread.
func surroundFunctions(d *draft) anchor {
	const apart = 0x400 // more than any misread start field is off, and less than splits the code
	d.structure(func(p *generator.Plan) {
		at := p.Funcs[d.byAddress()[0]].Start
		for _, i := range d.byAddress() {
			p.Funcs[i].Start = at &^ 15
			at = p.Funcs[i].Start + uint64(p.Funcs[i].Size) + apart
		}
	})
	t := d.text(0)
	for i := range d.plan.Funcs {
		if d.text(i) != t || d.fn(i).Size < 64 {
			return d.fail()
		}
	}
	if t == nil || t.typ != elf.SHT_PROGBITS {
		return d.fail()
	}
	nothing := make([]byte, apart)
	code := slices.Concat(nothing, d.object[t.off:t.off+t.size], nothing)
	d.setObject(in(t.at, shOffset), uint64(d.append(code)))
	d.setObject(in(t.at, shAddr), t.addr-apart)
	d.setObject(in(t.at, shSize), t.size+2*apart)
	return d.contradict()
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
func pltCode(s *Subject) []site {
	stub := resolverStubs[s.abi().Machine]
	if !s.linked() || !s.inELF() || s.outer || stub.code == "" || s.elf.names == 0 {
		return nil
	}
	return claiming(eachFDE(func(s *Subject, i int) bool {
		_, wrong := s.contradicts(i, stub.cfa)
		return len(s.plan.Funcs) > 1 && s.inCode(i) && wrong && s.inc(i) && int64(s.fn(i).Size) >= int64(len(stub.code))+16
	}, func(d *draft, i int) anchor {
		at, _ := d.code(i)
		d.overwrite(at, []byte(stub.code))
		d.addCodeHeader(d.addName(".plt"), d.fn(i).Start, uint64(at), uint64(len(stub.code)), 1)
		j, _ := d.contradicts(i, stub.cfa)
		return ofRow(i, j)
	}), "header table", "symbols")(s)
}

// contradicts returns the first row of a function that gives SP another distance
// from the CFA than cfa does, by offset in the function.
func (s *Subject) contradicts(i int, cfa map[uint32]int64) (j int, ok bool) {
	for _, off := range slices.Sorted(maps.Keys(cfa)) {
		for j := len(s.fn(i).Rows) - 1; j >= 0; j-- {
			r := s.row(i, j)
			if r.Start > off {
				continue
			}
			got := r.Rules.CFA
			if got.Kind != model.InRegister {
				return 0, false
			}
			if got != (model.Recovery{Kind: model.InRegister, Reg: s.abi().SP, Offset: cfa[off]}) {
				return j, true
			}
			break
		}
	}
	return 0, false
}
