package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// stubKinds are faults in the description of a PLT, and of ordinary functions as
// stubs.
var stubKinds = []mutator{
	{name: "plt-inc", about: "the stubs of a PLT have the PC type INC", of: stub, fn: func(_ *mutation, f *generator.Func, _ int) bool {
		f.PCType, f.RepSize = model.SFRAME_FDE_PCTYPE_INC, 0
		return true
	}},
	{name: "plt-halved", about: "rep_size of a PLT is halved", of: stub, fn: func(_ *mutation, f *generator.Func, _ int) bool {
		to := f.RepSize / 2
		if to > 0 {
			f.RepSize = to
			f.Rows = slices.DeleteFunc(f.Rows, func(r generator.Row) bool { return r.Start >= uint32(to) })
		}
		return to > 0
	}},
	{name: "plt-doubled", about: "rep_size of a PLT is doubled", of: stub, fn: func(_ *mutation, f *generator.Func, _ int) bool {
		ok := f.RepSize > 0 && f.RepSize < 128 && f.Size%(2*uint32(f.RepSize)) == 0
		if ok {
			f.RepSize *= 2
		}
		return ok
	}},
	{name: "plt-cfa", about: "the CFA of an FRE of a stub is 8 bytes off", of: stub, row: inRow(0, offCFA(8))},
	{name: "plt-row-missing", about: "an FRE of the stubs is missing", of: stub, row: func(_ *mutation, f *generator.Func, j int) bool {
		return j > 0 && remove(f, j)
	}},
	{name: "plt-row-moved", about: "an FRE of the stubs starts one instruction early", of: stub, row: startEarly},
	{name: "plt-rows-exchanged", about: "the data words of two FREs of the stubs are exchanged", of: stub, row: exchanged},
	{name: "plt-short", about: "the FDE leaves the last stub of a PLT out", of: stub, fn: func(_ *mutation, f *generator.Func, _ int) bool {
		ok := f.RepSize > 0 && f.Size > uint32(f.RepSize)
		if ok {
			f.Size -= uint32(f.RepSize)
		}
		return ok
	}},
	{name: "plt-missing", about: "the FDE of the stubs of a PLT is missing", of: stub, fn: drop},
	{name: "mask", about: "an ordinary function has the PC type MASK", fn: func(m *mutation, f *generator.Func, _ int) bool {
		for _, size := range []uint32{8, 16, 32, 64} {
			if len(f.Rows) > 1 && m.p.Version != model.SFRAME_VERSION_1 && f.Size%size == 0 && f.Size > size && f.Start%uint64(size) == 0 && lastRow(f) < size {
				f.PCType, f.RepSize = model.SFRAME_FDE_PCTYPE_MASK, uint8(size)
				return true
			}
		}
		return false
	}},
}

// flexibleKinds are faults in flexible FDEs.
var flexibleKinds = []mutator{
	{name: "flex-base", about: "the CFA of a flexible FRE counts from another register", of: flexible, row: inRow(0, func(m *mutation, r *model.Row) bool {
		r.CFA.Reg = (r.CFA.Reg + 1) % m.in.ABI.AddrRegs
		return r.CFA.Kind == model.InRegister
	})},
	{name: "flex-base-sp", about: "the CFA of a flexible FRE counts from SP", of: flexible, row: inRow(0, func(m *mutation, r *model.Row) bool {
		r.CFA.Reg = m.in.ABI.SP
		return r.CFA.Kind == model.InRegister
	})},
	{name: "flex-offset", about: "the CFA offset of a flexible FRE is 8 bytes off", of: flexible, row: inRow(0, offCFA(8))},
	{name: "flex-deref", about: "the CFA of a flexible FRE is an address where it should be the word there, or the other way round", of: flexible,
		row: inRow(0, func(_ *mutation, r *model.Row) bool {
			r.CFA.Deref = !r.CFA.Deref
			return r.CFA.Kind == model.InRegister
		})},
	{name: "flex-fp", about: "FP of a flexible FRE is 8 bytes off", of: flexible, row: inRow(0, func(_ *mutation, r *model.Row) bool { return offWord(&r.FP) })},
	{name: "flex-fp-missing", about: "the pair of data words for FP of a flexible FRE is missing", of: flexible, row: of(fp, missing)},
	{name: "flex-ra", about: "RA of a flexible FRE is 8 bytes off", of: flexible, row: inRow(0, func(_ *mutation, r *model.Row) bool { return offWord(&r.RA) })},
}

// offWord moves a value that has an offset word, in memory or not.
func offWord(r *model.Recovery) bool {
	r.Offset += 8
	return r.Kind == model.FromCFA || r.Kind == model.InRegister && r.Deref
}
