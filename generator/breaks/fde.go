package breaks

import (
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

func (x spot) mask() bool { return x.fn().PCType == model.SFRAME_FDE_PCTYPE_MASK }
func (x spot) inc() bool  { return !x.mask() }

// lastStart is the start of the function's last row, -1 without rows.
func (x spot) lastStart() int64 {
	rows := x.fn().Rows
	if len(rows) == 0 {
		return -1
	}
	return int64(rows[len(rows)-1].Start)
}

// setFDE makes breaks that set a field of an FDE, which is also what the
// rule blames.
func setFDE(f model.FDEField, ok test, value drawn) sites {
	has := func(x spot) bool { return x.field(f).Len > 0 && ok(x) }
	return eachFDE(has, func(x spot) anchor { return x.write(x.ofField(f), value(x)) })
}

// setBits sets bits of an FDE's field.
func setBits(f model.FDEField, ok test, bits drawn) sites {
	return setFDE(f, ok, func(x spot) uint64 { return x.read(x.ofField(f)) | bits(x) })
}

// draw draws the value of a field.
func draw(lo, hi int64) drawn {
	return func(x spot) uint64 { return uint64(x.upTo(lo, hi)) }
}

var fdeBreaks = []Break{
	spoiling("fre-type", "SF2001", "Sets an FRE type that does not exist.", sections, rows,
		setFDE(model.FDEInfo, always, func(x spot) uint64 {
			return x.read(x.ofField(model.FDEInfo))&^model.InfoFRETypeMask | uint64(x.upTo(3, 15))
		})),
	fault("info-reserved", "SF2002", "Sets a reserved bit of an FDE's info byte.", sections,
		setBits(model.FDEInfo, always, func(x spot) uint64 {
			reserved := uint64(x.format().Reserved)
			return pick(x, slices.DeleteFunc([]uint64{0x40, 0x80, 0xc0}, func(bits uint64) bool { return bits&^reserved != 0 })...)
		})),
	fault("info2-reserved", "SF2003", "Sets reserved bits of an FDE's second info byte.", sections,
		setBits(model.FDEInfo2, always, func(x spot) uint64 { return uint64(x.upTo(1, 7)) << 5 })),
	fault("fde-type", "SF2004", "Sets an FDE type that does not exist.", sections,
		setFDE(model.FDEInfo2, always, draw(2, model.Info2FDETypeMask))),
	fault("padding", "SF2005", "Writes to the padding of an FDE.", sections,
		setFDE(model.FDEPadding, always, draw(1, math.MaxUint16))),
	fault("pauth-key", "SF2006", "Sets a key where nothing is signed.", sections|machine,
		setBits(model.FDEInfo, func(x spot) bool { return !pauth(x) }, func(spot) uint64 { return model.InfoPauthKeyBit })),
	fault("no-rep-size", "SF2007", "Sets the size of a stub to 0.", sections,
		setFDE(model.FDERepSize, spot.mask, draw(0, 0))),
	fault("mask", "SF2007", "Sets PC type MASK for a plain function.", sections,
		eachFDE(func(x spot) bool { return x.inc() && x.field(model.FDERepSize).Len > 0 }, func(x spot) anchor {
			x.orBits(x.ofField(model.FDEInfo), model.InfoPCTypeBit)
			return x.ofField(model.FDERepSize)
		})),
	fault("unused-rep-size", "SF2008", "Sets the size of a stub for a plain function.", sections,
		setFDE(model.FDERepSize, spot.inc, draw(1, 255))),
	fault("empty", "SF2009", "Sets a function's size to 0.", sections,
		setFDE(model.FDEFuncSize, always, draw(0, 0))),
	fault("unsorted", "SF2010", "Swaps two neighbouring FDEs of a sorted section.", sections|starts,
		claiming(eachTwo(func(x spot) bool { return x.g == x.i+1 && x.has(model.SFRAME_F_FDE_SORTED) && !x.rel() }, func(x spot) anchor {
			return x.structure(func(p *generator.Plan) { p.Funcs[x.i], p.Funcs[x.g] = p.Funcs[x.g], p.Funcs[x.i] }).blame(x.other().ofField(model.FDEStart))
		}), model.HdrFlags.String())),
	fault("sorted-rel", "SF2011", "Sets the SORTED flag in an object file.", sections,
		setHeader(model.HdrFlags, spot.rel, func(x spot) uint64 { return uint64(x.plan.Flags | model.SFRAME_F_FDE_SORTED) })),
	fault("same-start", "SF2012 SF2022 SF2024 SF6002 SF6014 SF3112 SF7004 SF7006", "Makes two functions start at the same address.", sections|starts,
		eachNext(always, func(x spot) anchor {
			// The later one in the section is to blame.
			return x.other().setStart(x.fn().Start).blame(x.fde(max(x.i, x.g)).ofField(model.FDEStart))
		})),
	fault("overrun", "SF2013", "Makes a function end after the first instruction of the next one.", sections|starts,
		eachNext(func(x spot) bool {
			return x.inc() && x.other().fn().Size > x.insn() && x.other().fn().Start-x.fn().Start < 1<<31
		}, func(x spot) anchor {
			return x.write(x.ofField(model.FDEFuncSize), x.other().fn().Start-x.fn().Start+uint64(x.insn()))
		})),
	fault("beyond-code", "SF2014", "Makes a function end beyond the end of the code.", sections|starts,
		setFDE(model.FDEFuncSize, func(x spot) bool {
			return x.inELF() && x.inc() && x.next() < 0 && x.size < 1<<15 && x.fn().Size < 1<<31
		}, func(x spot) uint64 {
			// Further than misread start fields could be off.
			return uint64(x.fn().Size) + uint64((x.size/int64(x.insn())+1)*int64(x.insn()))
		})),
	spoiling("pcrel-flag", "SF2015 SF6006 SF7004 SF7006", "Inverts the PCREL flag.", sections|starts, starts,
		claimingAll(setHeader(model.HdrFlags, func(x spot) bool {
			return misreadable(x) && model.DefinedFlags(x.version())&model.SFRAME_F_FDE_FUNC_START_PCREL != 0
		}, func(x spot) uint64 { return uint64(x.plan.Flags ^ model.SFRAME_F_FDE_FUNC_START_PCREL) }))),
	spoiling("pcrel-fields", "SF2015 SF6006 SF7004 SF7006", "Writes the start fields as if the PCREL flag were inverted.", sections|starts, starts,
		claimingAll(onlySite(misreadable, spot.contradict, model.HdrFlags.String()))),
	fault("odd-start", "SF2016 SF3112 SF3114 SF3115 SF3116 SF3117 SF3118 SF6001", "Makes a function start inside an instruction.", sections|machine|starts,
		// The last function of a text section would end beyond it.
		eachFDE(func(x spot) bool { return x.insn() > 1 && (!x.inELF() || x.next() >= 0) }, func(x spot) anchor {
			return x.setStart(x.fn().Start + uint64(x.upTo(1, int64(x.insn())-1))).blame(x.ofField(model.FDEStart))
		})),
	fault("odd-size", "SF2017 SF6002", "Ends a function inside an instruction.", sections|machine,
		setFDE(model.FDEFuncSize, func(x spot) bool { return x.insn() > 1 && x.inc() },
			func(x spot) uint64 { return uint64(x.fn().Size) - uint64(x.upTo(1, int64(x.insn())-1)) })),
	fault("no-rows", "SF2018", "Removes all rows of a function.", sections,
		eachFDE(func(x spot) bool { return !x.format().OutermostFDE && len(x.fn().Rows) > 0 }, func(x spot) anchor {
			return x.structure(func(p *generator.Plan) { p.Funcs[x.i].Rows = nil }).blame(x.ofField(model.FDENumFREs))
		})),
	fault("no-signal-rows", "SF2023", "Marks a function as a signal frame and removes all its rows.", sections,
		removeRows(spot.inc, func(f *generator.Func) { f.Signal = true })),
	fault("returns-rowless", "SF2024", "Removes all rows of a function that returns.", sections|machine|starts,
		removeRows(func(x spot) bool { return x.inCode() && x.inc() && x.fn().Size >= 8 },
			func(f *generator.Func) { f.Signal = false }, spot.endInReturn)),
	fault("no-stub-rows", "SF2025", "Removes all rows of stubs.", sections,
		removeRows(spot.mask, func(*generator.Func) {})),
	fault("wrap-around", "SF2019 SF2022", "Moves everything to the end of the address space and makes the last function end beyond it.", sections|starts,
		atLast(func(x spot) bool { return !x.rel() && x.container != Shared && x.inc() }, func(x spot) anchor {
			top := max(x.fn().Start+uint64(x.fn().Size), x.plan.Addr+uint64(x.size))
			by := (math.MaxUint64 - top) &^ 0xffff
			x.structure(func(p *generator.Plan) {
				p.Addr += by
				for k := range p.Funcs {
					p.Funcs[k].Start += by
				}
			})
			x.failed = x.failed || -x.fn().Start > 1<<31
			return x.write(x.ofField(model.FDEFuncSize), -x.fn().Start+uint64(x.insn()))
		})),
	fault("cut-stub", "SF2020 SF3118", "Removes part of the last stub of a run.", sections,
		setFDE(model.FDEFuncSize, func(x spot) bool { return x.manyStubs() && uint32(x.fn().RepSize) > x.insn() },
			func(x spot) uint64 { return uint64(x.fn().Size - x.insn()) })),
	fault("large-stub", "SF2021", "Makes a stub larger than the function.", sections,
		setFDE(model.FDERepSize, func(x spot) bool { return x.mask() && x.fn().Size < 255 },
			func(x spot) uint64 { return uint64(x.upTo(int64(x.fn().Size)+1, 255)) })),
	fault("skewed-stubs", "SF2022 SF3118 SF6001 SF6002 SF6014 SF7004 SF7006", "Moves a run of stubs to an address that is not a multiple of their size.", sections|starts,
		eachFDE(func(x spot) bool {
			f := x.fn()
			return x.manyStubs() && (x.linked() || x.Addr() != 0) && x.version() > 1 && len(f.Rows) > 1 && uint32(f.RepSize) > x.insn() && f.Start%uint64(f.RepSize) == 0
		}, func(x spot) anchor {
			// One stub fewer makes room within the function.
			rep, insn := uint32(x.fn().RepSize), int64(x.insn())
			start, field := x.fn().Start+uint64(insn*x.upTo(1, int64(rep)/insn-1)), uint64(x.field(model.FDEStart).Off)
			if x.has(model.SFRAME_F_FDE_FUNC_START_PCREL) {
				field = -field
			}
			x.failed = (start+field)%uint64(rep) == 0 // the flag would be to blame
			x.write(x.ofField(model.FDEFuncSize), uint64(x.fn().Size-rep))
			return x.setStart(start).blame(x.ofField(model.FDEStart))
		})),
	fault("far-start", "SF2101 SF2022", "Moves the last function almost out of reach of its start field.", sections|starts,
		atLast(func(x spot) bool { return !x.rel() && x.format().StartWidth == 4 }, func(x spot) anchor {
			at := (x.base.Addr + 1<<31 - uint64(x.upTo(1<<21, 60<<20))) &^ 0xf
			x.failed = at < x.fn().Start // it is as far already, and others may be in between
			return x.structure(func(p *generator.Plan) { p.Funcs[x.i].Start = at }).blame(x.ofField(model.FDEStart))
		})),
}

// manyStubs reports whether an FDE describes two stubs or more.
func (x spot) manyStubs() bool {
	f := x.fn()
	return x.mask() && f.RepSize != 0 && f.Size >= 2*uint32(f.RepSize)
}

// eachNext has a site at every two functions that follow each other in
// memory.
func eachNext(ok test, do edit) sites {
	return func(x spot) (all []site) {
		for x.i = range x.plan.Funcs {
			if x.g = x.next(); x.g >= 0 {
				all = x.site(all, ok, do, x.i, x.g)
			}
		}
		return all
	}
}

// misreadable reports whether misread start fields can be detected in so small a
// file: its functions fill their text section.
func misreadable(x spot) bool { return x.linked() && hasFuncs(x) && len(x.plan.Funcs) <= 20 }

// contradict writes all start fields as if the flag were inverted.
func (x spot) contradict() anchor {
	for x.i = range x.plan.Funcs {
		x.setStartField(x.fn().Start, !x.has(model.SFRAME_F_FDE_FUNC_START_PCREL))
	}
	return ofHeader(model.HdrFlags)
}

// removeRows makes breaks that leave a function of a version that allows it without rows,
// and change it otherwise and then its code.
func removeRows(ok test, change func(*generator.Func), code ...func(spot) spot) sites {
	return eachFDE(func(x spot) bool {
		return x.format().OutermostFDE && len(x.fn().Rows) > 0 && ok(x)
	}, func(x spot) anchor {
		x.structure(func(p *generator.Plan) {
			f := &p.Funcs[x.i]
			f.Rows, f.FDEType = nil, model.SFRAME_FDE_TYPE_DEFAULT
			change(f)
			p.FitType(f)
		})
		for _, after := range code {
			after(x)
		}
		return x.ofField(model.FDENumFREs)
	})
}
