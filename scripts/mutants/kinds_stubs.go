package main

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// stubKinds are faults in the description of a PLT, and of ordinary functions as
// stubs.
var stubKinds = []kind{
	{name: "plt-inc", about: "the stubs of a PLT have the PC type INC", fn: pltInc},
	{name: "plt-halved", about: "rep_size of a PLT is halved", fn: pltHalved},
	{name: "plt-doubled", about: "rep_size of a PLT is doubled", fn: pltDoubled},
	{name: "plt-cfa", about: "the CFA of an FRE of a stub is 8 bytes off", row: pltCFA},
	{name: "plt-row-missing", about: "an FRE of the stubs is missing", row: pltRowMissing},
	{name: "plt-row-moved", about: "an FRE of the stubs starts one instruction early", row: pltRowMoved},
	{name: "plt-rows-exchanged", about: "the data words of two FREs of the stubs are exchanged", row: pltRowsExchanged},
	{name: "plt-short", about: "the FDE leaves the last stub of a PLT out", fn: pltShort},
	{name: "plt-missing", about: "the FDE of the stubs of a PLT is missing", plan: pltMissing},
	{name: "mask", about: "an ordinary function has the PC type MASK", fn: maskSet},
}

func pltInc(_ *mutation, f *generator.Func) bool {
	ok := stub(f)
	if ok {
		f.PCType, f.RepSize = model.SFRAME_FDE_PCTYPE_INC, 0
	}
	return ok
}

func pltHalved(_ *mutation, f *generator.Func) bool {
	to := f.RepSize / 2
	if !stub(f) || to == 0 {
		return false
	}
	f.RepSize = to
	f.Rows = slices.DeleteFunc(f.Rows, func(r generator.Row) bool { return r.Start >= uint32(to) })
	return true
}

func pltDoubled(_ *mutation, f *generator.Func) bool {
	ok := stub(f) && f.RepSize > 0 && f.RepSize < 128 && f.Size%(2*uint32(f.RepSize)) == 0
	if ok {
		f.RepSize *= 2
	}
	return ok
}

func pltCFA(_ *mutation, f *generator.Func, j int) bool {
	return stub(f) && change(&f.Rows[j], func(r *model.Row) bool { return offCFA(r, 8) })
}

func pltRowMissing(_ *mutation, f *generator.Func, j int) bool {
	return stub(f) && j > 0 && remove(f, j)
}

func pltRowMoved(m *mutation, f *generator.Func, j int) bool {
	to, ok := m.previous(f, f.Rows[j].Start)
	return ok && stub(f) && j > 0 && move(f, j, to)
}

func pltRowsExchanged(_ *mutation, f *generator.Func, j int) bool {
	if !stub(f) || j == 0 {
		return false
	}
	a, b := f.Rows[j-1].Rules, f.Rows[j].Rules
	return set(&f.Rows[j-1], b) && set(&f.Rows[j], a)
}

func pltShort(_ *mutation, f *generator.Func) bool {
	ok := stub(f) && f.RepSize > 0 && f.Size > uint32(f.RepSize)
	if ok {
		f.Size -= uint32(f.RepSize)
	}
	return ok
}

func pltMissing(m *mutation) bool {
	for _, i := range m.rnd.Perm(len(m.p.Funcs)) {
		if stub(&m.p.Funcs[i]) {
			m.p.Funcs = slices.Delete(m.p.Funcs, i, i+1)
			return true
		}
	}
	return false
}

func maskSet(m *mutation, f *generator.Func) bool {
	if !ordinary(f) || len(f.Rows) < 2 || m.p.Version == model.SFRAME_VERSION_1 {
		return false
	}
	for _, size := range []uint32{8, 16, 32, 64} {
		if f.Size%size == 0 && f.Size > size && f.Start%uint64(size) == 0 && lastRow(f) < size {
			f.PCType, f.RepSize = model.SFRAME_FDE_PCTYPE_MASK, uint8(size)
			return true
		}
	}
	return false
}

// flexibleKinds are faults in flexible FDEs.
var flexibleKinds = []kind{
	{name: "flex-base", about: "the CFA of a flexible FRE counts from another register", row: inFlexible(func(m *mutation, r *model.Row) bool {
		r.CFA.Reg = (r.CFA.Reg + 1) % m.in.abi.AddrRegs
		return r.CFA.Kind == model.InRegister
	})},
	{name: "flex-base-sp", about: "the CFA of a flexible FRE counts from SP", row: inFlexible(func(m *mutation, r *model.Row) bool {
		r.CFA.Reg = m.in.abi.SP
		return r.CFA.Kind == model.InRegister
	})},
	{name: "flex-offset", about: "the CFA offset of a flexible FRE is 8 bytes off", row: inFlexible(func(_ *mutation, r *model.Row) bool { return offCFA(r, 8) })},
	{name: "flex-deref", about: "the CFA of a flexible FRE is an address where it should be the word there, or the other way round",
		row: inFlexible(func(_ *mutation, r *model.Row) bool {
			r.CFA.Deref = !r.CFA.Deref
			return r.CFA.Kind == model.InRegister
		})},
	{name: "flex-fp", about: "FP of a flexible FRE is 8 bytes off", row: inFlexible(func(_ *mutation, r *model.Row) bool {
		r.FP.Offset += 8
		return r.FP.Kind == model.FromCFA || r.FP.Kind == model.InRegister && r.FP.Deref
	})},
	{name: "flex-fp-missing", about: "the pair of data words for FP of a flexible FRE is missing", row: inFlexible(func(_ *mutation, r *model.Row) bool {
		return missing(&r.FP)
	})},
	{name: "flex-ra", about: "RA of a flexible FRE is 8 bytes off", row: inFlexible(func(_ *mutation, r *model.Row) bool {
		r.RA.Offset += 8
		return r.RA.Kind == model.FromCFA || r.RA.Kind == model.InRegister && r.RA.Deref
	})},
}

func inFlexible(how func(*mutation, *model.Row) bool) func(*mutation, *generator.Func, int) bool {
	return func(m *mutation, f *generator.Func, j int) bool {
		return f.FDEType == model.SFRAME_FDE_TYPE_FLEX && change(&f.Rows[j], func(r *model.Row) bool { return how(m, r) })
	}
}
