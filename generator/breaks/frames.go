package breaks

import (
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// framed reports whether the base of a row's CFA is SP.
func (x spot) framed() bool {
	cfa := x.row().Rules.CFA
	return x.plainCFA() && cfa.Reg == x.abi().SP
}

// plainCFA reports whether the base of a row's CFA is SP or FP.
func (x spot) plainCFA() bool {
	r := x.row()
	cfa := r.Rules.CFA
	return r.Words == nil && cfa.Kind == model.InRegister && !cfa.Deref && (cfa.Reg == x.abi().SP || cfa.Reg == x.abi().FP)
}

// free reports whether a row may have any rules: it is not the first one of a
// function that is called, which must have the state at entry.
func (x spot) free() bool {
	return x.j > 0 || !x.inELF() || x.mask() || x.fn().Signal
}

func saved(v model.Recovery) bool { return v.Kind == model.FromCFA && v.Deref }

// fpSaved and raSaved report whether the row has a slot for FP or RA.
func (x spot) fpSaved() bool { return saved(x.row().Rules.FP) }
func (x spot) raSaved() bool {
	return x.abi().TracksRA() && saved(x.row().Rules.RA)
}

// savesNothing reports whether nothing is saved.
func (x spot) savesNothing() bool {
	r := x.row().Rules
	return r.FP.Kind == model.Unchanged && (!x.abi().TracksRA() || r.RA.Kind == model.Unchanged)
}

// rule changes the rules of a row. They must still differ from those of its
// neighbours.
func (x spot) rule(change func(r *model.Row)) spot {
	rows := x.base.Funcs[x.i].Rows
	r := rows[x.j].Rules
	change(&r)
	for _, k := range []int{x.j - 1, x.j + 1} {
		if k >= 0 && k < len(rows) && rows[k].Rules == r && rows[k].Mangled == rows[x.j].Mangled {
			x.failed = true
		}
	}
	return x.replan(func(p *generator.Plan) { p.Funcs[x.i].Rows[x.j].Rules = r })
}

// ofEntity is an anchor at the words for CFA, RA or FP (0, 1, 2); only at
// the offset among them where offset is set.
func (x spot) ofEntity(role int, offset bool) anchor {
	return x.here(func(x spot) model.Span {
		if x.fn().FDEType != model.SFRAME_FDE_TYPE_FLEX {
			k := role
			if role == 2 && !x.abi().TracksRA() {
				k--
			}
			return x.ofWords(k, 1).of(x.Subject)
		}
		for _, e := range x.entities() {
			switch {
			case e.role != role:
			case offset:
				return x.ofWords(e.word+1, 1).of(x.Subject)
			default:
				return x.ofWords(e.word, 2).of(x.Subject)
			}
		}
		return x.ofRow().of(x.Subject)
	})
}

// eachRule makes breaks that change a row's rule for CFA, RA or FP.
func eachRule(role int, offset bool, ok test, change func(x spot, r *model.Row)) sites {
	return eachRow(ok, func(x spot) anchor {
		return x.rule(func(r *model.Row) { change(x, r) }).blame(x.ofEntity(role, offset))
	})
}

// Roles of a row's entities.
const (
	roleCFA = iota
	roleRA
	roleFP
)

// larger moves a CFA up.
func larger(x spot, r *model.Row) { r.CFA.Offset += x.abi().CFAAlign * x.upTo(1, 4) }

var frameBreaks = []Break{
	fault("low-cfa", "SF3101", "Moves a CFA below the return address.", judged,
		eachRule(roleCFA, false, func(x spot) bool { return x.free() && x.framed() && x.savesNothing() },
			func(x spot, r *model.Row) { r.CFA.Offset = x.abi().EntryCFA - x.abi().CFAAlign*x.upTo(1, 4) })),
	fault("odd-cfa", "SF3102", "Makes a CFA offset that is not aligned.", judged,
		// Data words of s390x cannot express it.
		eachRule(roleCFA, false, func(x spot) bool { return x.abi().CFAScale == 1 && x.free() && x.plainCFA() },
			func(x spot, r *model.Row) {
				by := x.upTo(1, 6)
				if by >= 4 { // code that lowers SP by 4 makes a CFA right
					by++
				}
				r.CFA.Offset += by
			})),
	fault("foreign-slot", "SF3103", "Saves FP in the caller's frame.", judged,
		eachRule(roleFP, false, func(x spot) bool {
			return x.plainCFA() && x.fpSaved() && (x.framed() || x.row().Rules.CFA.Offset != 0)
		}, func(x spot, r *model.Row) { r.FP.Offset = 8 * x.upTo(1, 8) })),
	fault("lost-slot", "SF3103", "Saves RA or FP far below SP.", judged,
		eachRule(roleFP, false, func(x spot) bool { return x.framed() && x.fpSaved() },
			func(x spot, r *model.Row) { r.FP.Offset = -(r.CFA.Offset+x.abi().RedZone)&^7 - 8*x.upTo(1, 100) })),
	fault("one-slot", "SF3104", "Saves FP where RA is.", judged,
		eachRule(roleFP, false, func(x spot) bool {
			return x.plainCFA() && x.fpSaved() && saved(x.row().Rules.RA)
		}, func(_ spot, r *model.Row) { r.FP.Offset = r.RA.Offset })),
	fault("unsaved-fp", "SF3105", "Makes FP the base of a CFA before FP is saved.", judged,
		eachRule(roleCFA, false, func(x spot) bool {
			return x.free() && x.framed() && x.row().Rules.FP.Kind == model.Unchanged
		}, func(x spot, r *model.Row) { r.CFA.Reg = x.abi().FP })),
	fault("entry", "SF3106 SF3114", "Makes a function begin with a frame.", proven|symbols,
		eachRow(func(x spot) bool { return !x.free() && x.framed() }, func(x spot) anchor {
			return x.rule(func(r *model.Row) { larger(x, r) }).blame(x.ofRow())
		})),
	fault("huge-frame", "SF3108", "Makes a frame larger than any stack.", judged,
		eachRule(roleCFA, false, func(x spot) bool { return x.free() && x.plainCFA() },
			func(x spot, r *model.Row) { r.CFA.Offset = 1<<24 + 16*x.upTo(1, 1<<20) })),
	fault("return", "SF3114 SF3112 SF3118", "Returns from a function while its frame is set up.", proven,
		eachRow(func(x spot) bool {
			return x.j > 0 && x.isLast() && x.inc() && x.inELF() && x.framed() && x.row().Rules.RA.Kind != model.InRegister
		}, func(x spot) anchor {
			return x.rule(func(r *model.Row) { r.CFA.Offset += x.abi().CFAAlign }).endInReturn().blame(x.ofRow())
		})),
	besideSlot("beside-record", "SF3110", true),
	besideSlot("beside-slot", "SF3111", false),
	fault("unsaid-signature", "SF3112 SF3114 SF3115 SF3116 SF3118", "Signs a return address that the rows do not give as signed, or signs one twice.", proven,
		eachRow(func(x spot) bool {
			return x.signable() && x.limitOf()-x.row().Start >= 3*x.insn()
		}, func(x spot) anchor {
			insn := paciasp
			if x.fn().PauthKey == model.SFRAME_AARCH64_PAUTH_KEY_B {
				insn = pacibsp
			}
			return x.instruction(x.row().Start, insn).blame(x.ofInfo())
		})),
	fault("other-key", "SF3113 SF3112 SF3114 SF3115 SF3116 SF3118", "Authenticates a return address with the other key than that of the FDE.", proven,
		eachRow(func(x spot) bool {
			return x.signable() && x.row().Mangled && !x.isLast() && x.nth(x.j+1).signable() && !x.nth(x.j+1).row().Mangled
		}, func(x spot) anchor {
			insn := autibsp
			if x.fn().PauthKey == model.SFRAME_AARCH64_PAUTH_KEY_B {
				insn = autiasp
			}
			return x.instruction(x.nth(x.j+1).row().Start-x.insn(), insn).blame(x.ofField(model.FDEInfo))
		})),
	fault("other-base", "SF3201", "Makes a register other than SP and FP the base of a CFA.", judged,
		topmost("SF3201", func(x spot) bool { return x.format().Flex }, func(x spot) anchor {
			x.rule(func(r *model.Row) { r.CFA.Reg = uint32(x.upTo(3, 5)) })
			return x.replan(func(p *generator.Plan) { p.FitType(&p.Funcs[x.i]) }).blame(x.ofRow())
		})),
	fault("in-register", "SF3202", "Keeps RA in a register.", judged,
		topmost("SF3202", func(x spot) bool { return x.format().WordRegs && x.abi().LSBRegs }, func(x spot) anchor {
			ra := model.Recovery{Kind: model.InRegister, Reg: uint32(x.upTo(16, 31))}
			return x.rule(func(r *model.Row) { r.RA = ra }).blame(x.ofRow())
		})),
	fault("call", "SF3203 SF3112 SF3114 SF3115 SF3116", "Makes a call while RA is unchanged.", proven,
		eachRow(func(x spot) bool {
			r := x.row()
			return tracksRA(x) && x.inELF() && x.inc() && !x.fn().Signal && r.Rules.RA.Kind == model.Unchanged && x.limitOf()-r.Start >= x.insn()
		}, func(x spot) anchor {
			return x.instruction(x.row().Start, x.machine().Call).blame(x.ofRow())
		})),
	fault("prologue", "SF3114 SF3112 SF3117 SF3118", "Begins a function with an instruction that lowers SP, then traps, and no FRE follows.", proven,
		eachRow(func(x spot) bool {
			n, f := uint32(len(x.machine().Reserve)), x.fn()
			return x.inc() && !f.Signal && x.inELF() && x.framed() && f.Size >= 16 &&
				x.row().Start <= n && (x.isLast() || x.nth(x.j+1).row().Start > n) &&
				x.entry() && x.row().Rules.CFA.Offset != x.abi().EntryCFA+reserved
		}, func(x spot) anchor {
			return x.instruction(0, x.machine().Reserve+x.machine().Trap).blame(x.ofRow())
		})),
}

// reserved is by how many bytes the instruction Reserve of an ABI lowers SP.
const reserved = 48

// entry reports whether the first row of a function has the CFA of the entry state.
func (x spot) entry() bool {
	return x.nth(0).framed() && x.nth(0).row().Rules.CFA.Offset == x.abi().EntryCFA
}

// Instructions of AArch64 that sign and authenticate return addresses.
const (
	paciasp = "\x3f\x23\x03\xd5"
	pacibsp = "\x7f\x23\x03\xd5"
	autiasp = "\xbf\x23\x03\xd5"
	autibsp = "\xff\x23\x03\xd5"
)

// signable reports whether the code of a row could sign or authenticate RA.
func (x spot) signable() bool {
	return pauth(x) && x.inELF() && x.inc() && !x.fn().Signal && x.row().Rules.RA.Kind != model.Undefined
}

// instruction writes an instruction at an offset in a function, endInReturn a return at its end.
func (x spot) instruction(off uint32, insn string) spot {
	at, ok := x.code()
	x.failed = x.failed || !ok
	x.overwrite(at+int64(off), []byte(insn))
	return x
}
func (x spot) endInReturn() spot {
	ret := x.machine().Return
	return x.instruction(x.fn().Size-uint32(len(ret)), ret)
}

// besideSlot makes a break that moves a CFA so that FP does not point to its slot.
func besideSlot(name, rule string, record bool) Break {
	return fault(name, rule, "Moves a CFA that counts from FP, so that FP does not point to its saved value.", judged,
		eachRule(roleCFA, false, func(x spot) bool {
			r := x.row()
			return x.abi().FrameRecord == record && (record || !x.inELF() || !x.hasCode()) && x.abi().FrameRecord == tracksRA(x) && x.free() && x.plainCFA() &&
				r.Rules.CFA.Reg == x.abi().FP && x.fpSaved() && r.Rules.CFA.Offset+r.Rules.FP.Offset == 0
		}, larger))
}

// topmost makes breaks after which a row serves the topmost frame only. They apply to sections without
// such a row, since the rule reports only the first one.
func topmost(rule string, ok test, do edit) sites {
	return sitesWhere(func(x spot) bool { return ok(x) && !x.anyRow(spot.topmost) },
		claiming(eachRow(func(x spot) bool { return x.free() && x.plainCFA() }, do), rule))
}

// anyRow reports whether some row satisfies ok.
func (x spot) anyRow(ok test) bool {
	for x.i = range x.plan.Funcs {
		for x.j = range x.fn().Rows {
			if ok(x) {
				return true
			}
		}
	}
	return false
}

// topmost reports whether a row is of use in the topmost frame only.
func (x spot) topmost() bool {
	r := x.row().Rules
	for k, v := range []model.Recovery{r.CFA, r.RA, r.FP} {
		if v.Kind == model.InRegister && (v.Reg != x.abi().SP && v.Reg != x.abi().FP || k > 0 && x.format().WordRegs) {
			return true
		}
	}
	return false
}
