package breaks

import (
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// framed reports whether the base of a row's CFA is SP.
func (s *Subject) framed(i, j int) bool {
	cfa := s.row(i, j).Rules.CFA
	return s.plainCFA(i, j) && cfa.Reg == s.abi().SP
}

// plainCFA reports whether the base of a row's CFA is SP or FP.
func (s *Subject) plainCFA(i, j int) bool {
	r := s.row(i, j)
	cfa := r.Rules.CFA
	return r.Words == nil && cfa.Kind == model.InRegister && !cfa.Deref && (cfa.Reg == s.abi().SP || cfa.Reg == s.abi().FP)
}

// free reports whether a row may have any rules: it is not the first one of a
// function that is called, which must have the state at entry.
func (s *Subject) free(i, j int) bool {
	return j > 0 || !s.inELF() || s.mask(i) || s.fn(i).Signal
}

func saved(v model.Recovery) bool { return v.Kind == model.FromCFA && v.Deref }

// fpSaved and raSaved report whether the row has a slot for FP or RA.
func (s *Subject) fpSaved(i, j int) bool { return saved(s.row(i, j).Rules.FP) }
func (s *Subject) raSaved(i, j int) bool {
	return s.abi().TracksRA() && saved(s.row(i, j).Rules.RA)
}

// savesNothing reports whether nothing is saved.
func (s *Subject) savesNothing(i, j int) bool {
	r := s.row(i, j).Rules
	return r.FP.Kind == model.Unchanged && (!s.abi().TracksRA() || r.RA.Kind == model.Unchanged)
}

// rule changes the rules of a row. They must still differ from those of its
// neighbours.
func (d *draft) rule(i, j int, change func(r *model.Row)) *draft {
	rows := d.base.Funcs[i].Rows
	r := rows[j].Rules
	change(&r)
	for _, k := range []int{j - 1, j + 1} {
		if k >= 0 && k < len(rows) && rows[k].Rules == r && rows[k].Mangled == rows[j].Mangled {
			d.failed = true
		}
	}
	return d.replan(func(p *generator.Plan) { p.Funcs[i].Rows[j].Rules = r })
}

// ofEntity is an anchor at the words for CFA, RA or FP (0, 1, 2); only at
// the offset among them where offset is set.
func ofEntity(i, j, role int, offset bool) anchor {
	return ofSection(func(s *Subject) model.Span {
		if s.fn(i).FDEType != model.SFRAME_FDE_TYPE_FLEX {
			k := role
			if role == 2 && !s.abi().TracksRA() {
				k--
			}
			return ofWords(i, j, k, 1).span(s)
		}
		for _, e := range s.entities(i, j) {
			switch {
			case e.role != role:
			case offset:
				return ofWords(i, j, e.word+1, 1).span(s)
			default:
				return ofWords(i, j, e.word, 2).span(s)
			}
		}
		return ofRow(i, j).span(s)
	})
}

// eachRule makes breaks that change a row's rule for CFA, RA or FP.
func eachRule(role int, offset bool, ok func(s *Subject, i, j int) bool, change func(d *draft, r *model.Row)) func(*Subject) []site {
	return eachRow(ok, func(d *draft, i, j int) anchor {
		return d.rule(i, j, func(r *model.Row) { change(d, r) }).blame(ofEntity(i, j, role, offset))
	})
}

// Roles of a row's entities.
const (
	roleCFA = iota
	roleRA
	roleFP
)

// larger moves a CFA up.
func larger(d *draft, r *model.Row) { r.CFA.Offset += d.abi().CFAAlign * d.upTo(1, 4) }

var frameBreaks = []Break{
	fault("low-cfa", "SF3101", "Moves a CFA below the return address.", judged,
		eachRule(roleCFA, false, func(s *Subject, i, j int) bool { return s.free(i, j) && s.framed(i, j) && s.savesNothing(i, j) },
			func(d *draft, r *model.Row) { r.CFA.Offset = d.abi().EntryCFA - d.abi().CFAAlign*d.upTo(1, 4) })),
	fault("odd-cfa", "SF3102", "Makes a CFA offset that is not aligned.", judged,
		// Data words of s390x cannot express it.
		eachRule(roleCFA, false, func(s *Subject, i, j int) bool { return s.abi().CFAScale == 1 && s.free(i, j) && s.plainCFA(i, j) },
			func(d *draft, r *model.Row) {
				by := d.upTo(1, 6)
				if by >= 4 { // code that lowers SP by 4 makes a CFA right
					by++
				}
				r.CFA.Offset += by
			})),
	fault("foreign-slot", "SF3103", "Saves FP in the caller's frame.", judged,
		eachRule(roleFP, false, func(s *Subject, i, j int) bool {
			return s.plainCFA(i, j) && s.fpSaved(i, j) && (s.framed(i, j) || s.row(i, j).Rules.CFA.Offset != 0)
		}, func(d *draft, r *model.Row) { r.FP.Offset = 8 * d.upTo(1, 8) })),
	fault("lost-slot", "SF3103", "Saves RA or FP far below SP.", judged,
		eachRule(roleFP, false, func(s *Subject, i, j int) bool { return s.framed(i, j) && s.fpSaved(i, j) },
			func(d *draft, r *model.Row) { r.FP.Offset = -(r.CFA.Offset+d.abi().RedZone)&^7 - 8*d.upTo(1, 100) })),
	fault("one-slot", "SF3104", "Saves FP where RA is.", judged,
		eachRule(roleFP, false, func(s *Subject, i, j int) bool {
			return s.plainCFA(i, j) && s.fpSaved(i, j) && saved(s.row(i, j).Rules.RA)
		}, func(d *draft, r *model.Row) { r.FP.Offset = r.RA.Offset })),
	fault("unsaved-fp", "SF3105", "Makes FP the base of a CFA before FP is saved.", judged,
		eachRule(roleCFA, false, func(s *Subject, i, j int) bool {
			return s.free(i, j) && s.framed(i, j) && s.row(i, j).Rules.FP.Kind == model.Unchanged
		}, func(d *draft, r *model.Row) { r.CFA.Reg = d.abi().FP })),
	fault("entry", "SF3106 SF3114", "Makes a function begin with a frame.", proven|symbols,
		eachRow(func(s *Subject, i, j int) bool { return !s.free(i, j) && s.framed(i, j) }, func(d *draft, i, j int) anchor {
			return d.rule(i, j, func(r *model.Row) { larger(d, r) }).blame(ofRow(i, j))
		})),
	fault("huge-frame", "SF3108", "Makes a frame larger than any stack.", judged,
		eachRule(roleCFA, false, func(s *Subject, i, j int) bool { return s.free(i, j) && s.plainCFA(i, j) },
			func(d *draft, r *model.Row) { r.CFA.Offset = 1<<24 + 16*d.upTo(1, 1<<20) })),
	fault("return", "SF3114 SF3112 SF3118", "Returns from a function while its frame is set up.", proven,
		eachRow(func(s *Subject, i, j int) bool {
			return j > 0 && s.isLast(i, j) && s.inc(i) && s.inELF() && s.framed(i, j) && s.row(i, j).Rules.RA.Kind != model.InRegister
		}, func(d *draft, i, j int) anchor {
			return d.rule(i, j, func(r *model.Row) { r.CFA.Offset += d.abi().CFAAlign }).endInReturn(i).blame(ofRow(i, j))
		})),
	besideSlot("beside-record", "SF3110", true),
	besideSlot("beside-slot", "SF3111", false),
	fault("unsaid-signature", "SF3112 SF3114 SF3115 SF3116 SF3118", "Signs a return address that the rows do not give as signed, or signs one twice.", proven,
		eachRow(func(s *Subject, i, j int) bool {
			return s.signable(i, j) && s.limitOf(i, j)-s.row(i, j).Start >= 3*s.insn()
		}, func(d *draft, i, j int) anchor {
			insn := paciasp
			if d.fn(i).PauthKey == model.SFRAME_AARCH64_PAUTH_KEY_B {
				insn = pacibsp
			}
			return d.instruction(i, d.row(i, j).Start, insn).blame(ofInfo(i, j))
		})),
	fault("other-key", "SF3113 SF3112 SF3114 SF3115 SF3116 SF3118", "Authenticates a return address with the other key than that of the FDE.", proven,
		eachRow(func(s *Subject, i, j int) bool {
			return s.signable(i, j) && s.row(i, j).Mangled && !s.isLast(i, j) && s.signable(i, j+1) && !s.row(i, j+1).Mangled
		}, func(d *draft, i, j int) anchor {
			insn := autibsp
			if d.fn(i).PauthKey == model.SFRAME_AARCH64_PAUTH_KEY_B {
				insn = autiasp
			}
			return d.instruction(i, d.row(i, j+1).Start-d.insn(), insn).blame(ofField(i, model.FDEInfo))
		})),
	fault("other-base", "SF3201", "Makes a register other than SP and FP the base of a CFA.", judged,
		topmost("SF3201", func(s *Subject) bool { return s.version().Info().Flex }, func(d *draft, i, j int) anchor {
			d.rule(i, j, func(r *model.Row) { r.CFA.Reg = uint32(d.upTo(3, 5)) })
			return d.replan(func(p *generator.Plan) { p.FitType(&p.Funcs[i]) }).blame(ofRow(i, j))
		})),
	fault("in-register", "SF3202", "Keeps RA in a register.", judged,
		topmost("SF3202", func(s *Subject) bool { return s.version().Info().WordRegs && s.abi().LSBRegs }, func(d *draft, i, j int) anchor {
			ra := model.Recovery{Kind: model.InRegister, Reg: uint32(d.upTo(16, 31))}
			return d.rule(i, j, func(r *model.Row) { r.RA = ra }).blame(ofRow(i, j))
		})),
	fault("call", "SF3203 SF3112 SF3114 SF3115 SF3116", "Makes a call while RA is unchanged.", proven,
		eachRow(func(s *Subject, i, j int) bool {
			r := s.row(i, j)
			return tracksRA(s) && s.inELF() && s.inc(i) && !s.fn(i).Signal && r.Rules.RA.Kind == model.Unchanged && s.limitOf(i, j)-r.Start >= s.insn()
		}, func(d *draft, i, j int) anchor {
			return d.instruction(i, d.row(i, j).Start, d.machine().Call).blame(ofRow(i, j))
		})),
	fault("prologue", "SF3114 SF3112 SF3117 SF3118", "Begins a function with an instruction that lowers SP, then traps, and no FRE follows.", proven,
		eachRow(func(s *Subject, i, j int) bool {
			n, f := uint32(len(s.machine().Reserve)), s.fn(i)
			return s.inc(i) && !f.Signal && s.inELF() && s.framed(i, j) && f.Size >= 16 &&
				s.row(i, j).Start <= n && (s.isLast(i, j) || s.row(i, j+1).Start > n) &&
				s.entry(i) && s.row(i, j).Rules.CFA.Offset != s.abi().EntryCFA+reserved
		}, func(d *draft, i, j int) anchor {
			return d.instruction(i, 0, d.machine().Reserve+d.machine().Trap).blame(ofRow(i, j))
		})),
}

// reserved is by how many bytes the instruction Reserve of an ABI lowers SP.
const reserved = 48

// entry reports whether the first row of a function has the CFA of the entry state.
func (s *Subject) entry(i int) bool {
	return s.framed(i, 0) && s.row(i, 0).Rules.CFA.Offset == s.abi().EntryCFA
}

// Instructions of AArch64 that sign and authenticate return addresses.
const (
	paciasp = "\x3f\x23\x03\xd5"
	pacibsp = "\x7f\x23\x03\xd5"
	autiasp = "\xbf\x23\x03\xd5"
	autibsp = "\xff\x23\x03\xd5"
)

// signable reports whether the code of a row could sign or authenticate RA.
func (s *Subject) signable(i, j int) bool {
	return pauth(s) && s.inELF() && s.inc(i) && !s.fn(i).Signal && s.row(i, j).Rules.RA.Kind != model.Undefined
}

// instruction writes an instruction at an offset in a function, endInReturn a return at its end.
func (d *draft) instruction(i int, off uint32, insn string) *draft {
	at, ok := d.code(i)
	d.failed = d.failed || !ok
	d.overwrite(at+int64(off), []byte(insn))
	return d
}
func (d *draft) endInReturn(i int) *draft {
	ret := d.machine().Return
	return d.instruction(i, d.fn(i).Size-uint32(len(ret)), ret)
}

// besideSlot makes a break that moves a CFA so that FP does not point to its slot.
func besideSlot(name, rule string, record bool) Break {
	return fault(name, rule, "Moves a CFA that counts from FP, so that FP does not point to its saved value.", judged,
		eachRule(roleCFA, false, func(s *Subject, i, j int) bool {
			r := s.row(i, j)
			return s.abi().FrameRecord == record && (record || !s.inELF() || !s.hasCode()) && s.abi().FrameRecord == tracksRA(s) && s.free(i, j) && s.plainCFA(i, j) &&
				r.Rules.CFA.Reg == s.abi().FP && s.fpSaved(i, j) && r.Rules.CFA.Offset+r.Rules.FP.Offset == 0
		}, larger))
}

// topmost makes breaks after which a row serves the topmost frame only. They apply to sections without
// such a row, since the rule reports only the first one.
func topmost(rule string, ok func(*Subject) bool, do func(d *draft, i, j int) anchor) func(*Subject) []site {
	return sitesWhere(func(s *Subject) bool { return ok(s) && !s.anyRow(s.topmost) },
		claiming(eachRow(func(s *Subject, i, j int) bool { return s.free(i, j) && s.plainCFA(i, j) }, do), rule))
}

// anyRow reports whether some row satisfies ok.
func (s *Subject) anyRow(ok func(i, j int) bool) bool {
	for i := range s.plan.Funcs {
		for j := range s.fn(i).Rows {
			if ok(i, j) {
				return true
			}
		}
	}
	return false
}

// topmost reports whether a row is of use in the topmost frame only.
func (s *Subject) topmost(i, j int) bool {
	r := s.row(i, j).Rules
	for k, v := range []model.Recovery{r.CFA, r.RA, r.FP} {
		if v.Kind == model.InRegister && (v.Reg != s.abi().SP && v.Reg != s.abi().FP || k > 0 && s.version().Info().WordRegs) {
			return true
		}
	}
	return false
}
