package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// registerKinds are faults in the rules of FP and RA.
var registerKinds = []mutator{
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
