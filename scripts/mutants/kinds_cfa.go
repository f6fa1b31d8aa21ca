package main

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// cfaKinds are faults in the CFA of ordinary functions.
var cfaKinds = append(offKinds(),
	kind{name: "cfa-from-on", about: "a push is not counted: the CFA is 8 bytes low from one FRE on", row: cfaFromOn},
	kind{name: "cfa-drifts", about: "a pop is not counted: the CFA is 8 bytes high from one FRE on", row: cfaDrifts},
	kind{name: "cfa-negated", about: "the CFA offset of an FRE has the wrong sign", row: cfaNegated},
	kind{name: "cfa-halved", about: "the CFA offset of an FRE is half of what it should be", row: cfaHalved},
	kind{name: "cfa-doubled", about: "the CFA offset of an FRE is twice what it should be", row: cfaDoubled},
	kind{name: "cfa-local", about: "the CFA offset of an FRE includes a local area of 1 KiB that is not there", row: cfaLocal},
	kind{name: "base-wrong", about: "an FRE has SP as the base of the CFA for FP, or FP for SP", row: baseWrong},
	kind{name: "bases-wrong", about: "all FREs but the first have the other base register", fn: basesWrong},
	kind{name: "base-kept", about: "the CFA still counts from FP after the frame is gone", row: baseKept},
	kind{name: "base-early", about: "the CFA counts from FP before FP is set up", row: baseEarly},
)

func offCFA(r *model.Row, by int64) bool {
	r.CFA.Offset += by
	return r.CFA.Kind == model.InRegister
}

func offKinds() (out []kind) {
	for _, by := range []int64{8, -8, 16, -16} {
		off := func(r *model.Row) bool { return offCFA(r, by) }
		words := fmt.Sprintf("%d bytes high", by)
		if by < 0 {
			words = fmt.Sprintf("%d bytes low", -by)
		}
		out = append(out,
			kind{name: fmt.Sprintf("cfa%+d", by), about: "the CFA of one FRE is " + words,
				row: func(_ *mutation, f *generator.Func, j int) bool { return ordinary(f) && change(&f.Rows[j], off) }},
			kind{name: fmt.Sprintf("cfa%+d-all", by), about: "the CFA of all FREs of a function is " + words,
				fn: func(_ *mutation, f *generator.Func) bool { return ordinary(f) && changeAll(f, 0, off) }},
			kind{name: fmt.Sprintf("cfa%+d-rest", by), about: "the CFA of all FREs but the first is " + words,
				fn: func(_ *mutation, f *generator.Func) bool { return ordinary(f) && changeAll(f, 1, off) }})
	}
	return out
}

func cfaFromOn(_ *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && j > 1 && changeAll(f, j, func(r *model.Row) bool { return offCFA(r, -8) })
}

func cfaDrifts(_ *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && j > 1 && changeAll(f, j, func(r *model.Row) bool { return offCFA(r, 8) })
}

func cfaNegated(_ *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && change(&f.Rows[j], func(r *model.Row) bool {
		r.CFA.Offset = -r.CFA.Offset
		return r.CFA.Kind == model.InRegister && r.CFA.Offset != 0
	})
}

func cfaHalved(m *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && change(&f.Rows[j], func(r *model.Row) bool {
		r.CFA.Offset /= 2
		return r.CFA.Kind == model.InRegister && r.CFA.Offset%m.in.abi.CFAScale == 0
	})
}

func cfaDoubled(_ *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && change(&f.Rows[j], func(r *model.Row) bool {
		r.CFA.Offset *= 2
		return r.CFA.Kind == model.InRegister
	})
}

func cfaLocal(_ *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && j > 0 && change(&f.Rows[j], func(r *model.Row) bool { return offCFA(r, 1024) })
}

// otherBase exchanges SP and FP as the base of the CFA.
func (m *mutation) otherBase(r *model.Row) bool {
	abi := &m.in.abi
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

func baseWrong(m *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && change(&f.Rows[j], m.otherBase)
}

func basesWrong(m *mutation, f *generator.Func) bool {
	return ordinary(f) && changeAll(f, 1, m.otherBase)
}

func baseKept(m *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && j > 0 && m.onFP(f, j-1) && !m.onFP(f, j) && change(&f.Rows[j], func(r *model.Row) bool {
		r.CFA = f.Rows[j-1].Rules.CFA
		return true
	})
}

func baseEarly(m *mutation, f *generator.Func, j int) bool {
	return ordinary(f) && j+1 < len(f.Rows) && m.onFP(f, j+1) && !m.onFP(f, j) && change(&f.Rows[j], func(r *model.Row) bool {
		r.CFA = f.Rows[j+1].Rules.CFA
		return true
	})
}

// onFP reports whether the CFA of a row counts from FP.
func (m *mutation) onFP(f *generator.Func, j int) bool {
	r := f.Rows[j].Rules.CFA
	return r.Kind == model.InRegister && r.Reg == m.in.abi.FP
}
