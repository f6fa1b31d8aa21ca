package rewrite

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
)

// stubSize is the size in bytes of a stub of a PLT whose CFI depends on the PC (AMD64), and
// mostStubs is the number of PLTs of a file that get FDEs.
const stubSize, mostStubs = 16, 8

// stubs writes the FDEs of a PLT as linkers do: one of the code before the stubs, and one of the type
// MASK of the stubs. Each stub has the rows of the first one, or there is a reason why no FDE is written.
func (x *expecter) stubs(f *expected, w *written) (why string, err error) {
	var run cfi.Runner
	var row cfi.Row
	found := false
	for run.Reset(&f.fde); !found && run.Next(&row); {
		found = row.Start >= f.start && row.Start < f.end && f.fde.Recover(&row, row.Start).PC != 0
	}
	size := f.end - row.Start
	if !found || row.End < f.end || size == 0 || size%stubSize != 0 || !x.info.Stubs && x.info.AttrSize == 0 || x.plts == mostStubs {
		return DependsOnPC, nil
	}
	if err := x.Budget.Step(int64(size)); err != nil {
		return "", err
	}
	x.rows = x.rows[:0]
	for off := range size {
		r := f.fde.Recover(&row, row.Start+off)
		if off >= stubSize {
			if first := f.fde.Recover(&row, row.Start+off%stubSize); r.Row != first.Row {
				return DependsOnPC, nil
			}
		} else if r.CFAReason != cfi.Comparable {
			return "CFA: " + r.CFAReason.String(), nil
		} else if why := x.add(uint32(off), r.Row, row.Sign, model.SFRAME_FDE_TYPE_DEFAULT); why != "" {
			return why, nil
		}
	}
	rows := append([]fre(nil), x.rows...)
	if row.Start > f.start {
		if why, err := x.function(&expected{f.place, f.start, row.Start, f.fde}); why != "" || err != nil {
			return why, err
		}
	}
	x.rows = append(x.rows[:0], rows...)
	x.plts++
	*w = written{size: uint32(size), info: model.InfoPCTypeBit, rep: stubSize, done: true}
	return x.put(&expected{f.place, row.Start, f.end, f.fde}, w)
}
