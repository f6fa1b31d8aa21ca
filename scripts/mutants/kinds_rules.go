package main

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// cfaKinds are faults in the CFA of ordinary functions.
var cfaKinds = append(offKinds(),
	sectionKind{name: "cfa-from-on", about: "a push is not counted: the CFA is 8 bytes low from one FRE on", row: fromRowOn(inRow(0, offCFA(-8)))},
	sectionKind{name: "cfa-drifts", about: "a pop is not counted: the CFA is 8 bytes high from one FRE on", row: fromRowOn(inRow(0, offCFA(8)))},
	sectionKind{name: "cfa-negated", about: "the CFA offset of an FRE has the wrong sign", row: inRow(0, func(_ *mutation, r *model.Row) bool {
		r.CFA.Offset = -r.CFA.Offset
		return r.CFA.Kind == model.InRegister && r.CFA.Offset != 0
	})},
	sectionKind{name: "cfa-halved", about: "the CFA offset of an FRE is half of what it should be", row: inRow(0, func(m *mutation, r *model.Row) bool {
		r.CFA.Offset /= 2
		return r.CFA.Kind == model.InRegister && r.CFA.Offset%m.in.ABI.CFAScale == 0
	})},
	sectionKind{name: "cfa-doubled", about: "the CFA offset of an FRE is twice what it should be", row: inRow(0, func(_ *mutation, r *model.Row) bool {
		r.CFA.Offset *= 2
		return r.CFA.Kind == model.InRegister
	})},
	sectionKind{name: "cfa-local", about: "the CFA offset of an FRE includes a local area of 1 KiB that is not there", row: inRow(1, offCFA(1024))},
	sectionKind{name: "base-wrong", about: "an FRE has SP as the base of the CFA for FP, or FP for SP", row: inRow(0, (*mutation).otherBase)},
	sectionKind{name: "bases-wrong", about: "all FREs but the first have the other base register", fn: each(1, inRow(0, (*mutation).otherBase))},
	sectionKind{name: "base-kept", about: "the CFA still counts from FP after the frame is gone", row: onFP(-1)},
	sectionKind{name: "base-early", about: "the CFA counts from FP before FP is set up", row: onFP(1)},
)

// offKinds are CFAs that are off by some bytes, in one FRE, in all of a function or in all but the first.
func offKinds() (out []sectionKind) {
	for _, by := range []int64{8, -8, 16, -16} {
		one := inRow(0, offCFA(by))
		words := fmt.Sprintf("%d bytes high", by)
		if by < 0 {
			words = fmt.Sprintf("%d bytes low", -by)
		}
		out = append(out,
			sectionKind{name: fmt.Sprintf("cfa%+d", by), about: "the CFA of one FRE is " + words, row: one},
			sectionKind{name: fmt.Sprintf("cfa%+d-all", by), about: "the CFA of all FREs of a function is " + words, fn: each(0, one)},
			sectionKind{name: fmt.Sprintf("cfa%+d-rest", by), about: "the CFA of all FREs but the first is " + words, fn: each(1, one)})
	}
	return out
}

func offCFA(by int64) func(*mutation, *model.Row) bool {
	return func(_ *mutation, r *model.Row) bool {
		r.CFA.Offset += by
		return r.CFA.Kind == model.InRegister
	}
}

// otherBase exchanges SP and FP as the base of the CFA.
func (m *mutation) otherBase(r *model.Row) bool {
	abi := &m.in.ABI
	switch {
	case r.CFA.Kind != model.InRegister:
		return false
	case r.CFA.Reg == abi.SP:
		r.CFA.Reg = abi.FP
	case r.CFA.Reg == abi.FP:
		r.CFA.Reg = abi.SP
	default:
		return false
	}
	return true
}

// onFP copies a CFA that counts from FP to a neighbouring row whose CFA does not.
func onFP(neighbour int) edit {
	return func(m *mutation, f *generator.Func, j int) bool {
		k := j + neighbour
		counts := func(r model.Recovery) bool { return r.Kind == model.InRegister && r.Reg == m.in.ABI.FP }
		return k >= 0 && k < len(f.Rows) && counts(f.Rows[k].Rules.CFA) && !counts(f.Rows[j].Rules.CFA) && change(&f.Rows[j], func(r *model.Row) bool {
			r.CFA = f.Rows[k].Rules.CFA
			return true
		})
	}
}

// registerKinds are faults in the rules of FP and RA.
var registerKinds = []sectionKind{
	{name: "fp-missing", about: "an FRE does not recover FP", row: of(fp, missing)},
	{name: "fp-missing-all", about: "no FRE of a function recovers FP", fn: each(0, of(fp, missing))},
	{name: "fp+8", about: "the slot of FP is 8 bytes high in one FRE", row: of(fp, off(8))},
	{name: "fp-8", about: "the slot of FP is 8 bytes low in one FRE", row: of(fp, off(-8))},
	{name: "fp-8-all", about: "the slot of FP is 8 bytes low in all FREs", fn: each(0, of(fp, off(-8)))},
	{name: "fp-early", about: "FP is recovered from its slot before it is saved", row: takeRule(fp, 1)},
	{name: "fp-kept", about: "FP is recovered from its slot after it is restored", row: takeRule(fp, -1)},
	{name: "fp-invented", about: "FP is recovered from a slot although the function does not save it", fn: fpInvented},
	{name: "ra-missing", about: "an FRE does not recover RA (AArch64, s390x)", row: inRow(0, (*mutation).withoutRA)},
	{name: "ra-missing-all", about: "no FRE of a function recovers RA (AArch64, s390x)", fn: each(0, inRow(0, (*mutation).withoutRA))},
	{name: "ra+8", about: "the slot of RA is 8 bytes high in one FRE (AArch64, s390x)", row: of(ra, off(8))},
	{name: "ra-8", about: "the slot of RA is 8 bytes low in one FRE (AArch64, s390x)", row: of(ra, off(-8))},
	{name: "ra-8-all", about: "the slot of RA is 8 bytes low in all FREs (AArch64, s390x)", fn: each(0, of(ra, off(-8)))},
	{name: "ra-early", about: "RA is recovered from its slot before it is saved (AArch64, s390x)", row: takeRule(ra, 1)},
	{name: "ra-kept", about: "RA is recovered from its slot after it is restored (AArch64, s390x)", row: takeRule(ra, -1)},
	{name: "slots-exchanged", about: "the slots of RA and FP are exchanged in one FRE (AArch64, s390x)", row: inRow(0, (*mutation).exchange)},
	{name: "slots-exchanged-all", about: "the slots of RA and FP are exchanged in all FREs (AArch64, s390x)", fn: each(0, inRow(0, (*mutation).exchange))},
	{name: "register-wrong", about: "RA or FP is in another register (s390x)", row: inRow(0, (*mutation).otherRegister)},
}

// register names a rule of a row: fp or ra.
type register = func(*model.Row) *model.Recovery

func fp(r *model.Row) *model.Recovery { return &r.FP }
func ra(r *model.Row) *model.Recovery { return &r.RA }

// tracked reports whether a rule is one that FREs of the ABI state: AMD64's RA is
// fixed.
func (m *mutation) tracked(r *model.Recovery, row *model.Row) bool {
	return m.in.ABI.TracksRA() || r != &row.RA
}

// of changes the rule of a register.
func of(reg register, how func(*model.Recovery) bool) edit {
	return inRow(0, func(m *mutation, r *model.Row) bool { return m.tracked(reg(r), r) && how(reg(r)) })
}

// missing makes a rule that of a register without data words.
func missing(r *model.Recovery) bool {
	was := *r
	*r = unchanged
	return was.Kind == model.FromCFA || was.Kind == model.InRegister
}

// off moves a slot.
func off(by int64) func(r *model.Recovery) bool {
	return func(r *model.Recovery) bool {
		r.Offset += by
		return r.Kind == model.FromCFA && r.Deref
	}
}

// takeRule gives a row that does not save a register the rule of a neighbour that does: of the next one,
// or of the previous one.
func takeRule(reg register, neighbour int) edit {
	return func(m *mutation, f *generator.Func, j int) bool {
		k := j + neighbour
		return k >= 0 && k < len(f.Rows) && change(&f.Rows[j], func(r *model.Row) bool {
			have, want := reg(r), reg(&f.Rows[k].Rules)
			ok := m.tracked(have, r) && have.Kind == model.Unchanged && want.Kind == model.FromCFA
			*have = *want
			return ok
		})
	}
}

func fpInvented(m *mutation, f *generator.Func, _ int) bool {
	if slices.ContainsFunc(f.Rows, func(r generator.Row) bool { return r.Rules.FP != unchanged }) {
		return false
	}
	return each(1, inRow(0, func(_ *mutation, r *model.Row) bool {
		r.FP = slot(-16)
		return r.RA.Kind == model.FromCFA && r.RA.Offset != -16
	}))(m, f, 0)
}

// withoutRA leaves the data word of RA out. Where the format has no padding for it,
// the word of FP takes its place.
func (m *mutation) withoutRA(r *model.Row) bool {
	if !m.in.ABI.TracksRA() || r.RA.Kind != model.FromCFA && r.RA.Kind != model.InRegister {
		return false
	}
	r.RA = unchanged
	if !m.in.ABI.RAPadding {
		r.RA, r.FP = r.FP, unchanged
	}
	return true
}

func (m *mutation) exchange(r *model.Row) bool {
	r.RA, r.FP = r.FP, r.RA
	return m.in.ABI.TracksRA() && r.RA.Kind == model.FromCFA && r.FP.Kind == model.FromCFA
}

func (m *mutation) otherRegister(r *model.Row) bool {
	for _, v := range []*model.Recovery{&r.RA, &r.FP} {
		if m.in.ABI.TracksRA() && v.Kind == model.InRegister && !v.Deref {
			v.Reg ^= 1
			return true
		}
	}
	return false
}

// stateKinds are faults in what is said of a frame apart from its three values.
var stateKinds = []sectionKind{
	{name: "outermost", about: "an FRE of an ordinary function ends the trace", row: outermost},
	{name: "outermost-all", about: "all FREs of an ordinary function end the trace", fn: each(0, outermost)},
	{name: "outermost-missing", about: "the FREs of the outermost function, such as _start, recover a caller", of: anyFunc,
		fn: each(0, func(m *mutation, f *generator.Func, j int) bool {
			return f.Rows[j].Rules.Outermost() && set(&f.Rows[j], m.entry())
		})},
	{name: "signal", about: "an ordinary function is marked as a signal frame", fn: func(m *mutation, f *generator.Func, _ int) bool {
		ok := m.p.Version.Info().Signal && !f.Signal
		f.Signal = f.Signal || ok
		return ok
	}},
	{name: "signal-missing", about: "a signal frame is not marked as one", of: anyFunc, fn: func(_ *mutation, f *generator.Func, _ int) bool {
		ok := f.Signal
		f.Signal = false
		return ok
	}},
	{name: "key", about: "the FDE has the other pauth key (AArch64)", fn: func(m *mutation, f *generator.Func, _ int) bool {
		ok := m.in.ABI.Pauth && slices.ContainsFunc(f.Rows, func(r generator.Row) bool { return r.Mangled })
		if ok {
			f.PauthKey ^= model.SFRAME_AARCH64_PAUTH_KEY_B
		}
		return ok
	}},
	{name: "mangled", about: "RA is marked as signed in an FRE where it is not (AArch64)", row: signRA(true)},
	{name: "mangled-missing", about: "RA is not marked as signed in an FRE where it is (AArch64)", row: signRA(false)},
	{name: "mangled-all", about: "RA is marked as signed in all FREs (AArch64)", fn: each(0, signRA(true))},
	{name: "mangled-missing-all", about: "RA is marked as signed in no FRE (AArch64)", fn: each(0, signRA(false))},
	{name: "cold-entry", about: "a part of a function, such as .cold, starts as an entry does", fn: coldEntry},
	{name: "cold-entry-all", about: "a part of a function, such as .cold, has the FREs of an entry only", fn: func(m *mutation, f *generator.Func, i int) bool {
		ok := coldEntry(m, f, i)
		if ok {
			f.Rows = f.Rows[:1]
		}
		return ok
	}},
}

var undefined = model.Recovery{Kind: model.Undefined}

func outermost(_ *mutation, f *generator.Func, j int) bool {
	return set(&f.Rows[j], model.Row{CFA: undefined, RA: undefined, FP: undefined})
}

// signRA marks RA as signed in a row, or not.
func signRA(to bool) edit {
	return func(m *mutation, f *generator.Func, j int) bool {
		r := &f.Rows[j]
		ok := m.in.ABI.Pauth && r.Mangled != to && !r.Rules.Outermost()
		r.Mangled = r.Mangled != ok
		return ok
	}
}

// coldEntry gives a function that starts in another state than on entry that state.
func coldEntry(m *mutation, f *generator.Func, _ int) bool {
	return !f.Rows[0].Rules.Outermost() && set(&f.Rows[0], m.entry())
}
