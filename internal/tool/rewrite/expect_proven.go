package rewrite

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// proven is a function without call frame information.
type proven struct {
	proof.Range
	rows []provenRow // what its code proves, where that is something for each instruction
	why  string      // the reason why it is not
}

type provenRow struct {
	start uint32
	model.Row
}

// provenCost is what is held for a function without call frame information, and provenRowCost for a
// row of it, in bytes.
const provenCost, provenRowCost = 256, 112

// noCFI begins the reason why a function without CFI has no FDE.
const noCFI = "it has no call frame information, and "

// findProven finds the functions that have a symbol with a size and no call frame information, and follows
// the stack through their code.
func (x *expecter) findProven(o *reader.Object, frames *cfi.Frames) error {
	var known []proof.Range
	frames.Each(func(place uint32, start, end uint64, _ cfi.FDE) bool {
		known = append(known, proof.Range{Place: place, Start: start, End: end})
		return true
	})
	if err := x.spend(int64(len(known)) * expectedCost); err != nil {
		return err
	}
	var over error
	err := o.ELF.Symbols.Each(func(_ int, y reader.Symbol) {
		if y.Type != elf.STT_FUNC || y.Size == 0 || y.Reserved || y.Section <= 0 || y.Section >= len(o.ELF.Sections) || o.ELF.Sections[y.Section].Flags&elf.SHF_EXECINSTR == 0 || over != nil {
			return
		}
		r := proof.Range{Start: y.Value, End: y.Value + y.Size}
		if x.Relocatable {
			r.Place = uint32(y.Section)
		}
		if r.End > r.Start && !overlapping(known, &r) {
			over = x.spend(provenCost)
			x.proven = append(x.proven, proven{Range: r})
		}
	})
	if err := cmp.Or(over, err); err != nil || len(x.proven) == 0 {
		return err
	}
	slices.SortFunc(x.proven, func(a, b proven) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	kept := x.proven[:0]
	for _, p := range x.proven { // a symbol may be an alias, or of a part
		if n := len(kept); n == 0 || kept[n-1].Place != p.Place || kept[n-1].End <= p.Start {
			kept = append(kept, p)
		}
	}
	x.proven = kept
	return x.prove(o, frames)
}

// overlapping reports whether a range overlaps one of others, which are sorted.
func overlapping(others []proof.Range, r *proof.Range) bool {
	k, _ := slices.BinarySearchFunc(others, r, func(a proof.Range, r *proof.Range) int {
		return cmp.Or(cmp.Compare(a.Place, r.Place), cmp.Compare(a.Start, r.Start))
	})
	before := k > 0 && others[k-1].Place == r.Place && others[k-1].End > r.Start
	return before || k < len(others) && others[k].Place == r.Place && others[k].Start < r.End
}

// prove finds the rows of the functions.
func (x *expecter) prove(o *reader.Object, frames *cfi.Frames) error {
	ranges := make([]proof.Range, len(x.proven))
	for i := range x.proven {
		ranges[i], x.proven[i].why = x.proven[i].Range, noCFI+"its code cannot be followed"
	}
	t, err := proof.New(o, ranges, proof.LSDAs(frames), nil)
	if errors.Is(err, proof.ErrABI) {
		return nil
	}
	if err != nil {
		return err
	}
	defer t.Close()
	var over error
	err = t.Run(1, func(f *proof.Function) {
		if over != nil {
			return
		}
		p := &x.proven[f.Index()]
		if p.rows, p.why, over = rowsOf(o, f); p.why != "" {
			p.rows, p.why = nil, noCFI+p.why
		}
		if over == nil {
			over = x.spend(int64(len(p.rows)) * provenRowCost)
		}
	})
	return cmp.Or(over, err)
}

// rowsOf returns the rows that the code of a function proves, or why it does not for one of its instructions.
func rowsOf(o *reader.Object, f *proof.Function) (rows []provenRow, why string, err error) {
	r := f.Range()
	if !f.Anchored() {
		return nil, "the CFA at its start is not proven", nil
	}
	if e, _ := f.Evidence(); e&(proof.Returns|proof.Tail) == 0 {
		return nil, "no return in it proves the state at its start", nil
	}
	if f.Opaque() {
		return nil, "an indirect jump may lead anywhere in it", nil
	}
	code, err := o.ELF.Part(int(r.Place), r.Start, r.End-r.Start, nil)
	if err != nil || uint64(len(code)) < r.End-r.Start {
		return nil, "its code is not in the file", err
	}
	inMemory := atCalls(o, f, code)
	reached := map[uint64]int{}
	if err := budget.Of(o.Context).Spend(budget.Memory, int64(r.End-r.Start)*16); err != nil {
		return nil, "", err
	}
	defer budget.Of(o.Context).Release(budget.Memory, int64(r.End-r.Start)*16)
	f.Points(nil, func(p *proof.Point) {
		reached[p.PC] = p.Len
		if ra, calls := inMemory[p.PC]; calls {
			p.RA = ra
		}
		switch {
		case why != "":
		case p.Reason != proof.Known:
			why = fmt.Sprintf("its state at 0x%x is not known: %v", p.PC, p.Reason)
		case p.Signed:
			why = fmt.Sprintf("RA is signed at 0x%x", p.PC)
		case p.CFA.Kind == model.Invalid || p.RA.Kind == model.Invalid || p.FP.Kind == model.Invalid:
			why = fmt.Sprintf("CFA, RA or FP are not known at 0x%x", p.PC)
		case len(rows) == 0 || rows[len(rows)-1].Row != p.Row:
			rows = append(rows, provenRow{uint32(p.PC - r.Start), p.Row})
		}
	})
	if why != "" {
		return nil, why, nil
	}
	for pc, i := range proof.CodeOf(o).Instructions(int(r.Place), r.Start, r.End) {
		if reached[pc] == 0 && !i.Pad && i.Flow != insn.Stop {
			return nil, fmt.Sprintf("nothing is known to lead to the instruction at 0x%x", pc), nil
		}
	}
	if len(rows) == 0 || rows[0].start != 0 {
		return nil, "its first instruction is not known", nil
	}
	return rows, "", nil
}

// atCalls returns where RA is in memory at the calls that overwrite its register, by their addresses. A tracer looks
// up the callers of the called function there. A rule is Invalid if no slot has RA.
func atCalls(o *reader.Object, f *proof.Function, code []byte) map[uint64]model.Recovery {
	abi, all := o.ELF.ABI(), map[uint64]model.Recovery{}
	if !abi.TracksRA() {
		return nil
	}
	r := f.Range()
	saved := proof.Row{Start: r.Start, End: r.End, Row: model.Row{RA: model.Recovery{Kind: model.FromCFA, Deref: true}}}
	f.Points([]proof.Row{saved}, func(p *proof.Point) {
		off := min(p.PC-r.Start, uint64(len(code)))
		if i := insn.For(abi.Machine).One(code[off:], p.PC); i.Calls() && i.Sets(insn.Reg(abi.RA)) {
			if !p.RA.Deref {
				p.RA = model.Recovery{}
			}
			all[p.PC] = p.RA
		}
	})
	return all
}

// before writes the functions without CFI that are before an address.
func (x *expecter) before(place uint32, start uint64) error {
	for len(x.proven) > 0 {
		p := &x.proven[0]
		if p.Place > place || p.Place == place && p.Start >= start {
			break
		}
		one, why := &expected{place: p.Place, start: p.Start, end: p.End, proven: p.rows}, p.why
		var err error
		if why == "" {
			why, err = x.function(one)
		}
		if why == "" {
			x.res.Proven++
		} else {
			err = x.omit(one, why, false, false)
		}
		if err != nil {
			return err
		}
		x.proven = x.proven[1:]
	}
	return nil
}
