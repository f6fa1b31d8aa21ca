package main

import (
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// registerKinds are faults in the rules of FP and RA.
var registerKinds = []kind{
	{name: "fp-missing", about: "an FRE does not recover FP", row: inRow(fpOf, missing)},
	{name: "fp-missing-all", about: "no FRE of a function recovers FP", fn: inAll(fpOf, missing)},
	{name: "fp+8", about: "the slot of FP is 8 bytes high in one FRE", row: inRow(fpOf, off(8))},
	{name: "fp-8", about: "the slot of FP is 8 bytes low in one FRE", row: inRow(fpOf, off(-8))},
	{name: "fp-8-all", about: "the slot of FP is 8 bytes low in all FREs", fn: inAll(fpOf, off(-8))},
	{name: "fp-early", about: "FP is recovered from its slot before it is saved", row: early(fpOf)},
	{name: "fp-kept", about: "FP is recovered from its slot after it is restored", row: kept(fpOf)},
	{name: "fp-invented", about: "FP is recovered from a slot although the function does not save it", fn: fpInvented},
	{name: "ra-missing", about: "an FRE does not recover RA (AArch64, s390x)", row: raMissing},
	{name: "ra-missing-all", about: "no FRE of a function recovers RA (AArch64, s390x)", fn: raMissingAll},
	{name: "ra+8", about: "the slot of RA is 8 bytes high in one FRE (AArch64, s390x)", row: inRow(raOf, off(8))},
	{name: "ra-8", about: "the slot of RA is 8 bytes low in one FRE (AArch64, s390x)", row: inRow(raOf, off(-8))},
	{name: "ra-8-all", about: "the slot of RA is 8 bytes low in all FREs (AArch64, s390x)", fn: inAll(raOf, off(-8))},
	{name: "ra-early", about: "RA is recovered from its slot before it is saved (AArch64, s390x)", row: early(raOf)},
	{name: "ra-kept", about: "RA is recovered from its slot after it is restored (AArch64, s390x)", row: kept(raOf)},
	{name: "slots-exchanged", about: "the slots of RA and FP are exchanged in one FRE (AArch64, s390x)", row: slotsExchanged},
	{name: "slots-exchanged-all", about: "the slots of RA and FP are exchanged in all FREs (AArch64, s390x)", fn: slotsExchangedAll},
	{name: "register-wrong", about: "RA or FP is in another register (s390x)", row: registerWrong},
}

func fpOf(r *model.Row) *model.Recovery { return &r.FP }
func raOf(r *model.Row) *model.Recovery { return &r.RA }

// tracked reports whether a rule is one that FREs of the ABI state: AMD64's RA is
// fixed.
func (m *mutation) tracked(r *model.Recovery, row *model.Row) bool {
	return m.in.abi.TracksRA() || r != &row.RA
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

// inRow changes a rule of one row.
func inRow(of func(*model.Row) *model.Recovery, how func(*model.Recovery) bool) func(*mutation, *generator.Func, int) bool {
	return func(m *mutation, f *generator.Func, j int) bool {
		return ordinary(f) && change(&f.Rows[j], func(r *model.Row) bool { return m.tracked(of(r), r) && how(of(r)) })
	}
}

// inAll changes a rule of all rows that have it.
func inAll(of func(*model.Row) *model.Recovery, how func(*model.Recovery) bool) func(*mutation, *generator.Func) bool {
	return func(m *mutation, f *generator.Func) bool {
		return ordinary(f) && changeAll(f, 0, func(r *model.Row) bool { return m.tracked(of(r), r) && how(of(r)) })
	}
}

// early gives a row the rule of the next one, which saves the register.
func early(of func(*model.Row) *model.Recovery) func(*mutation, *generator.Func, int) bool {
	return func(m *mutation, f *generator.Func, j int) bool {
		return ordinary(f) && j+1 < len(f.Rows) && m.takes(f, j, j+1, of)
	}
}

// kept gives a row the rule of the previous one, which still had the register saved.
func kept(of func(*model.Row) *model.Recovery) func(*mutation, *generator.Func, int) bool {
	return func(m *mutation, f *generator.Func, j int) bool {
		return ordinary(f) && j > 0 && m.takes(f, j, j-1, of)
	}
}

// takes gives a row that does not save a register the rule of one that does.
func (m *mutation) takes(f *generator.Func, j, from int, of func(*model.Row) *model.Recovery) bool {
	return change(&f.Rows[j], func(r *model.Row) bool {
		have, want := of(r), of(&f.Rows[from].Rules)
		ok := m.tracked(have, r) && have.Kind == model.Unchanged && want.Kind == model.FromCFA
		*have = *want
		return ok
	})
}

func fpInvented(_ *mutation, f *generator.Func) bool {
	if !ordinary(f) || len(f.Rows) < 2 {
		return false
	}
	for j := range f.Rows {
		if f.Rows[j].Rules.FP != unchanged {
			return false
		}
	}
	return changeAll(f, 1, func(r *model.Row) bool {
		r.FP = slot(-16)
		return r.RA.Kind == model.FromCFA && r.RA.Offset != -16
	})
}

// withoutRA leaves the data word of RA out. Where the format has no padding for it,
// the word of FP takes its place.
func (m *mutation) withoutRA(r *model.Row) bool {
	if !m.in.abi.TracksRA() || r.RA.Kind != model.FromCFA && r.RA.Kind != model.InRegister {
		return false
	}
	r.RA = unchanged
	if !m.in.abi.RAPadding {
		r.RA, r.FP = r.FP, unchanged
	}
	return true
}

func raMissing(m *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && change(&f.Rows[j], m.withoutRA)
}

func raMissingAll(m *mutation, f *generator.Func) bool {
	return ordinary(f) && changeAll(f, 0, m.withoutRA)
}

func exchange(r *model.Row) bool {
	r.RA, r.FP = r.FP, r.RA
	return r.RA.Kind == model.FromCFA && r.FP.Kind == model.FromCFA
}

func slotsExchanged(m *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && m.in.abi.TracksRA() && change(&f.Rows[j], exchange)
}

func slotsExchangedAll(m *mutation, f *generator.Func) bool {
	return ordinary(f) && m.in.abi.TracksRA() && changeAll(f, 0, exchange)
}

func registerWrong(m *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && m.in.abi.TracksRA() && change(&f.Rows[j], func(r *model.Row) bool {
		for _, v := range []*model.Recovery{&r.RA, &r.FP} {
			if v.Kind == model.InRegister && !v.Deref {
				v.Reg ^= 1
				return true
			}
		}
		return false
	})
}
