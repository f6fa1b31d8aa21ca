package properties

import (
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
)

// maxLookups bounds how many addresses of a section are looked up, unless
// the check is thorough. That looks up all addresses of functions of up to
// smallFunction bytes.
const maxLookups, smallFunction = 100, 128

// lookup compares look-ups of addresses with a scan of the plan: around the ends
// of functions, at and before the starts of rows, and anywhere in between.
func (r *run) lookup() {
	_, s := r.section()
	if s == nil {
		return
	}
	for i := range r.p.Funcs {
		f := &r.p.Funcs[i]
		if !r.Thorough || f.Size > smallFunction {
			continue
		}
		for pc := f.Start - 1; pc != f.Start+uint64(f.Size)+1; pc++ {
			r.lookUp(s, pc)
		}
	}
	for n := 0; n < maxLookups && len(r.p.Funcs) > 0; n += 4 {
		f := &r.p.Funcs[r.m.Rand.IntN(len(r.p.Funcs))]
		pcs := []uint64{f.Start - 1, f.Start + uint64(f.Size), f.Start + uint64(r.m.Rand.Uint32N(max(f.Size, 1)))}
		if len(f.Rows) > 0 {
			row := &f.Rows[r.m.Rand.IntN(len(f.Rows))]
			pcs = append(pcs, f.Start+uint64(row.Start), f.Start+uint64(row.Start)-1)
		}
		for _, pc := range pcs {
			r.lookUp(s, pc)
		}
	}
}

func (r *run) lookUp(s *model.Section, pc uint64) {
	fde, row := find(r.p, pc)
	f, ok := s.Find(pc)
	if ok != (fde >= 0) || ok && f.Index() != fde {
		r.fail("address 0x%x: found %v, in FDE %d by a scan", pc, ok, fde)
		return
	}
	if _, fre, ok := s.At(pc); ok != (row >= 0) || ok && (fre.FDEIndex() != fde || fre.Index() != row) {
		r.fail("address 0x%x: row found %v, FDE %d FRE %d by a scan", pc, ok, fde, row)
	}
}

// find scans the plan for the function and row of an address, -1 for none.
func find(p *generator.Plan, pc uint64) (fde, row int) {
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if pc < f.Start || pc-f.Start >= uint64(f.Size) {
			continue
		}
		off, row := pc-f.Start, -1
		if f.PCType == model.SFRAME_FDE_PCTYPE_MASK {
			if f.RepSize == 0 {
				return i, -1 // version 1 does not say which row is for which byte
			}
			off %= uint64(f.RepSize)
		}
		for j := range f.Rows {
			if uint64(f.Rows[j].Start) <= off {
				row = j
			}
		}
		return i, row
	}
	return -1, -1
}
