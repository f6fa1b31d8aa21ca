package main

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// cfaKinds are faults in the CFA of ordinary functions.
var cfaKinds = append(offKinds(),
	mutator{name: "cfa-from-on", about: "a push is not counted: the CFA is 8 bytes low from one FRE on", row: fromRowOn(inRow(0, offCFA(-8)))},
	mutator{name: "cfa-drifts", about: "a pop is not counted: the CFA is 8 bytes high from one FRE on", row: fromRowOn(inRow(0, offCFA(8)))},
	mutator{name: "cfa-negated", about: "the CFA offset of an FRE has the wrong sign", row: inRow(0, func(_ *mutation, r *model.Row) bool {
		r.CFA.Offset = -r.CFA.Offset
		return r.CFA.Kind == model.InRegister && r.CFA.Offset != 0
	})},
	mutator{name: "cfa-halved", about: "the CFA offset of an FRE is half of what it should be", row: inRow(0, func(m *mutation, r *model.Row) bool {
		r.CFA.Offset /= 2
		return r.CFA.Kind == model.InRegister && r.CFA.Offset%m.in.ABI.CFAScale == 0
	})},
	mutator{name: "cfa-doubled", about: "the CFA offset of an FRE is twice what it should be", row: inRow(0, func(_ *mutation, r *model.Row) bool {
		r.CFA.Offset *= 2
		return r.CFA.Kind == model.InRegister
	})},
	mutator{name: "cfa-local", about: "the CFA offset of an FRE includes a local area of 1 KiB that is not there", row: inRow(1, offCFA(1024))},
	mutator{name: "base-wrong", about: "an FRE has SP as the base of the CFA for FP, or FP for SP", row: inRow(0, (*mutation).otherBase)},
	mutator{name: "bases-wrong", about: "all FREs but the first have the other base register", fn: each(1, inRow(0, (*mutation).otherBase))},
	mutator{name: "base-kept", about: "the CFA still counts from FP after the frame is gone", row: onFP(-1)},
	mutator{name: "base-early", about: "the CFA counts from FP before FP is set up", row: onFP(1)},
)

// offKinds are CFAs that are off by some bytes, in one FRE, in all of a function or in all but the first.
func offKinds() (out []mutator) {
	for _, by := range []int64{8, -8, 16, -16} {
		one := inRow(0, offCFA(by))
		words := fmt.Sprintf("%d bytes high", by)
		if by < 0 {
			words = fmt.Sprintf("%d bytes low", -by)
		}
		out = append(out,
			mutator{name: fmt.Sprintf("cfa%+d", by), about: "the CFA of one FRE is " + words, row: one},
			mutator{name: fmt.Sprintf("cfa%+d-all", by), about: "the CFA of all FREs of a function is " + words, fn: each(0, one)},
			mutator{name: fmt.Sprintf("cfa%+d-rest", by), about: "the CFA of all FREs but the first is " + words, fn: each(1, one)})
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

// onFP gives a row whose CFA does not count from FP that of a neighbour whose does.
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
