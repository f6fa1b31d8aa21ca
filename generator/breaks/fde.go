package breaks

import (
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

func (s *Subject) mask(i int) bool { return s.fn(i).PCType == model.SFRAME_FDE_PCTYPE_MASK }
func (s *Subject) inc(i int) bool  { return !s.mask(i) }
func anyFDE(*Subject, int) bool    { return true }

// lastStart is the start of the function's last row, -1 without rows.
func (s *Subject) lastStart(i int) int64 {
	rows := s.fn(i).Rows
	if len(rows) == 0 {
		return -1
	}
	return int64(rows[len(rows)-1].Start)
}

// setFDE makes breaks that set a field of an FDE, which is also what the
// rule blames.
func setFDE(f model.FDEField, ok func(*Subject, int) bool, value func(d *draft, i int) uint64) func(*Subject) []site {
	has := func(s *Subject, i int) bool { return s.field(i, f).Len > 0 && ok(s, i) }
	return eachFDE(has, func(d *draft, i int) anchor { return d.write(ofField(i, f), value(d, i)) })
}

// setBits sets bits of an FDE's field.
func setBits(f model.FDEField, ok func(*Subject, int) bool, bits func(d *draft) uint64) func(*Subject) []site {
	return setFDE(f, ok, func(d *draft, i int) uint64 { return d.read(ofField(i, f)) | bits(d) })
}

// draw draws the value of a field.
func draw(lo, hi int64) func(*draft, int) uint64 {
	return func(d *draft, _ int) uint64 { return uint64(d.upTo(lo, hi)) }
}

var fdeBreaks = []Break{
	spoiling("fre-type", "SF2001", "Sets an FRE type that does not exist.", sections, rows,
		setFDE(model.FDEInfo, anyFDE, func(d *draft, i int) uint64 {
			return d.read(ofField(i, model.FDEInfo))&^model.InfoFRETypeMask | uint64(d.upTo(3, 15))
		})),
	fault("info-reserved", "SF2002", "Sets a reserved bit of an FDE's info byte.", sections,
		setBits(model.FDEInfo, anyFDE, func(d *draft) uint64 {
			reserved := uint64(d.version().Info().Reserved)
			return pick(d, slices.DeleteFunc([]uint64{0x40, 0x80, 0xc0}, func(bits uint64) bool { return bits&^reserved != 0 })...)
		})),
	fault("info2-reserved", "SF2003", "Sets reserved bits of an FDE's second info byte.", sections,
		setBits(model.FDEInfo2, anyFDE, func(d *draft) uint64 { return uint64(d.upTo(1, 7)) << 5 })),
	fault("fde-type", "SF2004", "Sets an FDE type that does not exist.", sections,
		setFDE(model.FDEInfo2, anyFDE, draw(2, model.Info2FDETypeMask))),
	fault("padding", "SF2005", "Writes to the padding of an FDE.", sections,
		setFDE(model.FDEPadding, anyFDE, draw(1, math.MaxUint16))),
	fault("pauth-key", "SF2006", "Sets a key where nothing is signed.", sections|machine,
		setBits(model.FDEInfo, func(s *Subject, _ int) bool { return !pauth(s) }, func(*draft) uint64 { return model.InfoPauthKeyBit })),
	fault("no-rep-size", "SF2007", "Sets the size of a stub to 0.", sections,
		setFDE(model.FDERepSize, (*Subject).mask, draw(0, 0))),
	fault("mask", "SF2007", "Sets PC type MASK for a plain function.", sections,
		eachFDE(func(s *Subject, i int) bool { return s.inc(i) && s.field(i, model.FDERepSize).Len > 0 }, func(d *draft, i int) anchor {
			d.orBits(ofField(i, model.FDEInfo), model.InfoPCTypeBit)
			return ofField(i, model.FDERepSize)
		})),
	fault("unused-rep-size", "SF2008", "Sets the size of a stub for a plain function.", sections,
		setFDE(model.FDERepSize, (*Subject).inc, draw(1, 255))),
	fault("empty", "SF2009", "Sets a function's size to 0.", sections,
		setFDE(model.FDEFuncSize, anyFDE, draw(0, 0))),
	fault("unsorted", "SF2010", "Swaps two neighbouring FDEs of a sorted section.", sections|starts,
		claiming(eachTwo(func(s *Subject, f, g int) bool { return g == f+1 && s.has(model.SFRAME_F_FDE_SORTED) && !s.rel() }, func(d *draft, f, g int) anchor {
			return d.structure(func(p *generator.Plan) { p.Funcs[f], p.Funcs[g] = p.Funcs[g], p.Funcs[f] }).blame(ofField(g, model.FDEStart))
		}), model.HdrFlags.String())),
	fault("sorted-rel", "SF2011", "Sets the SORTED flag in an object file.", sections,
		setHeader(model.HdrFlags, (*Subject).rel, func(d *draft) uint64 { return uint64(d.plan.Flags | model.SFRAME_F_FDE_SORTED) })),
	fault("same-start", "SF2012 SF2022 SF2024 SF6002 SF6014 SF3112 SF7004 SF7006", "Makes two functions start at the same address.", sections|starts,
		eachNext(func(s *Subject, i, next int) bool { return true }, func(d *draft, i, next int) anchor {
			// The later one in the section is to blame.
			return d.setStart(next, d.fn(i).Start).blame(ofField(max(i, next), model.FDEStart))
		})),
	fault("overrun", "SF2013", "Makes a function end after the first instruction of the next one.", sections|starts,
		eachNext(func(s *Subject, i, next int) bool {
			return s.inc(i) && s.fn(next).Size > s.insn() && s.fn(next).Start-s.fn(i).Start < 1<<31
		}, func(d *draft, i, next int) anchor {
			return d.write(ofField(i, model.FDEFuncSize), d.fn(next).Start-d.fn(i).Start+uint64(d.insn()))
		})),
	fault("beyond-code", "SF2014", "Makes a function end beyond the end of the code.", sections|starts,
		setFDE(model.FDEFuncSize, func(s *Subject, i int) bool {
			return s.inELF() && s.inc(i) && s.next(i) < 0 && s.size < 1<<15 && s.fn(i).Size < 1<<31
		}, func(d *draft, i int) uint64 {
			// Further than misread start fields could be off.
			return uint64(d.fn(i).Size) + uint64((d.size/int64(d.insn())+1)*int64(d.insn()))
		})),
	spoiling("pcrel-flag", "SF2015 SF6006 SF7004 SF7006", "Inverts the PCREL flag.", sections|starts, starts,
		claimingAll(setHeader(model.HdrFlags, func(s *Subject) bool {
			return misreadable(s) && model.DefinedFlags(s.version())&model.SFRAME_F_FDE_FUNC_START_PCREL != 0
		}, func(d *draft) uint64 { return uint64(d.plan.Flags ^ model.SFRAME_F_FDE_FUNC_START_PCREL) }))),
	spoiling("pcrel-fields", "SF2015 SF6006 SF7004 SF7006", "Writes the start fields as if the PCREL flag were inverted.", sections|starts, starts,
		claimingAll(onlySite(misreadable, (*draft).contradict, model.HdrFlags.String()))),
	fault("odd-start", "SF2016 SF3112 SF3114 SF3115 SF3116 SF3117 SF3118 SF6001", "Makes a function start inside an instruction.", sections|machine|starts,
		// The last function of a text section would end beyond it.
		eachFDE(func(s *Subject, i int) bool { return s.insn() > 1 && (!s.inELF() || s.next(i) >= 0) }, func(d *draft, i int) anchor {
			return d.setStart(i, d.fn(i).Start+uint64(d.upTo(1, int64(d.insn())-1))).blame(ofField(i, model.FDEStart))
		})),
	fault("odd-size", "SF2017 SF6002", "Ends a function inside an instruction.", sections|machine,
		setFDE(model.FDEFuncSize, func(s *Subject, i int) bool { return s.insn() > 1 && s.inc(i) },
			func(d *draft, i int) uint64 { return uint64(d.fn(i).Size) - uint64(d.upTo(1, int64(d.insn())-1)) })),
	fault("no-rows", "SF2018", "Removes all rows of a function.", sections,
		eachFDE(func(s *Subject, i int) bool { return !s.version().Info().OutermostFDE && len(s.fn(i).Rows) > 0 }, func(d *draft, i int) anchor {
			return d.structure(func(p *generator.Plan) { p.Funcs[i].Rows = nil }).blame(ofField(i, model.FDENumFREs))
		})),
	fault("no-signal-rows", "SF2023", "Marks a function as a signal frame and removes all its rows.", sections,
		removeRows((*Subject).inc, func(f *generator.Func) { f.Signal = true })),
	fault("returns-rowless", "SF2024", "Removes all rows of a function that returns.", sections|machine|starts,
		removeRows(func(s *Subject, i int) bool { return s.inCode(i) && s.inc(i) && s.fn(i).Size >= 8 },
			func(f *generator.Func) { f.Signal = false }, (*draft).endInReturn)),
	fault("no-stub-rows", "SF2025", "Removes all rows of stubs.", sections,
		removeRows((*Subject).mask, func(*generator.Func) {})),
	fault("wrap-around", "SF2019 SF2022", "Moves everything to the end of the address space and makes the last function end beyond it.", sections|starts,
		atLast(func(s *Subject, i int) bool { return !s.rel() && s.container != Shared && s.inc(i) }, func(d *draft, i int) anchor {
			top := max(d.fn(i).Start+uint64(d.fn(i).Size), d.plan.Addr+uint64(d.size))
			by := (math.MaxUint64 - top) &^ 0xffff
			d.structure(func(p *generator.Plan) {
				p.Addr += by
				for k := range p.Funcs {
					p.Funcs[k].Start += by
				}
			})
			d.failed = d.failed || -d.fn(i).Start > 1<<31
			return d.write(ofField(i, model.FDEFuncSize), -d.fn(i).Start+uint64(d.insn()))
		})),
	fault("cut-stub", "SF2020 SF3118", "Removes part of the last stub of a run.", sections,
		setFDE(model.FDEFuncSize, func(s *Subject, i int) bool { return s.manyStubs(i) && uint32(s.fn(i).RepSize) > s.insn() },
			func(d *draft, i int) uint64 { return uint64(d.fn(i).Size - d.insn()) })),
	fault("large-stub", "SF2021", "Makes a stub larger than the function.", sections,
		setFDE(model.FDERepSize, func(s *Subject, i int) bool { return s.mask(i) && s.fn(i).Size < 255 },
			func(d *draft, i int) uint64 { return uint64(d.upTo(int64(d.fn(i).Size)+1, 255)) })),
	fault("skewed-stubs", "SF2022 SF3118 SF6001 SF6002 SF6014 SF7004 SF7006", "Moves a run of stubs to an address that is not a multiple of their size.", sections|starts,
		eachFDE(func(s *Subject, i int) bool {
			f := s.fn(i)
			return s.manyStubs(i) && (s.linked() || s.Addr() != 0) && s.version() > 1 && len(f.Rows) > 1 && uint32(f.RepSize) > s.insn() && f.Start%uint64(f.RepSize) == 0
		}, func(d *draft, i int) anchor {
			// One stub fewer makes room within the function.
			rep, insn := uint32(d.fn(i).RepSize), int64(d.insn())
			start, field := d.fn(i).Start+uint64(insn*d.upTo(1, int64(rep)/insn-1)), uint64(d.field(i, model.FDEStart).Off)
			if d.has(model.SFRAME_F_FDE_FUNC_START_PCREL) {
				field = -field
			}
			d.failed = (start+field)%uint64(rep) == 0 // the flag would be to blame
			d.write(ofField(i, model.FDEFuncSize), uint64(d.fn(i).Size-rep))
			return d.setStart(i, start).blame(ofField(i, model.FDEStart))
		})),
	fault("far-start", "SF2101 SF2022", "Moves the last function almost out of reach of its start field.", sections|starts,
		atLast(func(s *Subject, i int) bool { return !s.rel() && s.version().Info().StartWidth == 4 }, func(d *draft, i int) anchor {
			at := (d.base.Addr + 1<<31 - uint64(d.upTo(1<<21, 60<<20))) &^ 0xf
			d.failed = at < d.fn(i).Start // it is as far already, and others may be in between
			return d.structure(func(p *generator.Plan) { p.Funcs[i].Start = at }).blame(ofField(i, model.FDEStart))
		})),
}

// manyStubs reports whether an FDE describes two stubs or more.
func (s *Subject) manyStubs(i int) bool {
	f := s.fn(i)
	return s.mask(i) && f.RepSize != 0 && f.Size >= 2*uint32(f.RepSize)
}

// eachNext has a site at every two functions that follow each other in
// memory.
func eachNext(ok func(s *Subject, i, next int) bool, do func(d *draft, i, next int) anchor) func(*Subject) []site {
	return func(s *Subject) (all []site) {
		for i := range s.plan.Funcs {
			if next := s.next(i); next >= 0 && ok(s, i, next) {
				all = append(all, site{[]string{claimFDE(i), claimFDE(next)}, func(d *draft) anchor { return do(d, i, next) }})
			}
		}
		return all
	}
}

// misreadable reports whether misread start fields can be detected in so small a
// file: its functions fill their text section.
func misreadable(s *Subject) bool { return s.linked() && hasFuncs(s) && len(s.plan.Funcs) <= 20 }

// contradict writes all start fields as if the flag were inverted.
func (d *draft) contradict() anchor {
	for i := range d.plan.Funcs {
		d.setStartField(i, d.fn(i).Start, !d.has(model.SFRAME_F_FDE_FUNC_START_PCREL))
	}
	return ofHeader(model.HdrFlags)
}

// removeRows makes breaks that leave a function of a version that allows it without rows,
// and change it otherwise and then its code.
func removeRows(ok func(*Subject, int) bool, change func(*generator.Func), code ...func(*draft, int) *draft) func(*Subject) []site {
	return eachFDE(func(s *Subject, i int) bool {
		return s.version().Info().OutermostFDE && len(s.fn(i).Rows) > 0 && ok(s, i)
	}, func(d *draft, i int) anchor {
		d.structure(func(p *generator.Plan) {
			f := &p.Funcs[i]
			f.Rows, f.FDEType = nil, model.SFRAME_FDE_TYPE_DEFAULT
			change(f)
			p.FitType(f)
		})
		for _, after := range code {
			after(d, i)
		}
		return ofField(i, model.FDENumFREs)
	})
}
