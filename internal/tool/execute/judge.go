package execute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// Judgement is the result of comparing a truth with the SFrame data of a file.
type Judgement struct {
	Instructions int     `json:"instructions"` // of the truth
	Judged       int     `json:"judged"`       // those with a row that could be judged in some respect
	NoRow        int     `json:"noRow"`        // those without an FDE or an FRE
	Wrong        []Wrong `json:"wrong"`
	Cut          bool    `json:"cut,omitempty"` // there are more
}

// Wrong is a row that contradicts the truth.
type Wrong struct {
	PC       uint64 `json:"pc"`    // the first instruction, in the file
	Start    uint64 `json:"start"` // of the function
	Function string `json:"function,omitempty"`
	FDE      int    `json:"fde"` // index
	FRE      int    `json:"fre"` // index in the FDE, -1 for none
	// What is cfa, ra, fp, bottom, outermost, signal, or boundary: the row or its FDE
	// starts inside the instruction.
	What         string `json:"what"`
	Row          string `json:"row"`
	True         string `json:"true"` // places that always held the value
	Instructions int    `json:"instructions"`

	Entry  model.FRE `json:"-"` // invalid where FRE is -1
	Length uint64    `json:"-"` // of the first instruction, bytes
}

// maxWrong bounds the rows that are listed.
const maxWrong = 10_000

// Judge compares the SFrame data of a section with the truth. The section must be that of a
// linked file.
func (x *FileTruth) Judge(s *model.Section) *Judgement {
	j := &judge{abi: s.ABI(), exact: x.Exact, out: &Judgement{Wrong: []Wrong{}}, seen: map[string]int{}}
	x.each(func(at, n uint64, f *Fact) {
		j.out.Instructions++
		j.start(at, n, s)
		fde, ok := s.Find(at)
		if !ok {
			j.out.NoRow++
			return
		}
		row, ok := fde.At(at - fde.Start())
		if !ok {
			j.out.NoRow++
			return
		}
		j.row(at, n, f, fde, row)
		if fde.PCType() == model.SFRAME_FDE_PCTYPE_INC {
			if next, ok := row.Next(); ok && uint64(next.Start()) < at-fde.Start()+n {
				j.recordWrong(at, n, fde, next, whatBoundary, fmt.Sprintf("starts at +0x%x", next.Start()), fmt.Sprintf("an instruction of %d bytes is at +0x%x", n, at-fde.Start()))
			}
		}
	})
	slices.SortStableFunc(j.out.Wrong, func(a, b Wrong) int { return a.FDE - b.FDE })
	return j.out
}

const whatBoundary = "boundary" // a row starts inside an instruction

type judge struct {
	abi   model.ABIInfo
	exact bool // as in [FileTruth]
	out   *Judgement
	seen  map[string]int
}

// start reports an FDE that starts inside an instruction.
func (j *judge) start(at, n uint64, s *model.Section) {
	fde, ok := s.Find(at + n - 1)
	if !ok || fde.Start() <= at {
		return
	}
	if fre, ok := fde.At(0); ok {
		j.recordWrong(at, n, fde, fre, whatBoundary, fmt.Sprintf("the FDE starts at 0x%x", fde.Start()), fmt.Sprintf("an instruction of %d bytes is at 0x%x", n, at))
	}
}

// row judges a row at an instruction.
func (j *judge) row(at, n uint64, f *Fact, fde model.FDE, fre model.FRE) {
	row := fre.Row()
	switch {
	case row.Outermost():
		j.out.Judged++
		if f.Caller {
			j.recordWrong(at, n, fde, fre, whatTop, "RA undefined", "there is a caller")
		}
		return
	case f.Bottom && !f.Caller:
		j.out.Judged++
		j.recordWrong(at, n, fde, fre, whatBottom, j.words(row), "there is no caller")
		return
	case !f.Caller:
		return
	case fde.Signal(): // of trampolines nothing is recorded
		j.out.Judged++
		j.recordWrong(at, n, fde, fre, whatSignal, "a signal frame", "the function was called")
		return
	}
	j.out.Judged++
	if j.cfa(row.CFA, f) == no {
		j.recordWrong(at, n, fde, fre, whatCFA, "CFA="+row.CFA.Format(j.abi), j.cfaWords(f))
		return // the slots are counted from it
	}
	regs, slots := f.RA, f.RASlots
	if j.abi.Pauth && j.exact && !fre.MangledRA() {
		regs, slots = f.RawRA, f.RawRASlots
	}
	if j.place(1, row.RA, j.abi.RA, f, regs, slots) == no {
		j.recordWrong(at, n, fde, fre, whatRA, "RA="+row.RA.Format(j.abi), j.placeWords(regs, slots))
	}
	if row.FP.Kind != model.Undefined && j.place(2, row.FP, j.abi.FP, f, f.FP, f.FPSlots) == no {
		j.recordWrong(at, n, fde, fre, whatFP, "FP="+row.FP.Format(j.abi), j.placeWords(f.FP, f.FPSlots))
	}
}

// answer is whether the truth contains a rule.
type answer uint8

const (
	yes answer = iota
	no
	unclear
)

func answerOf(ok bool) answer {
	if ok {
		return yes
	}
	return no
}

// cfa judges a rule for the CFA.
func (j *judge) cfa(r model.Recovery, f *Fact) answer {
	if r.Kind != model.InRegister || r.Reg >= 32 {
		return unclear
	}
	pair := [2]int64{int64(r.Reg), r.Offset}
	if r.Deref {
		switch {
		case slices.Contains(f.Not, [3]int64{0, pair[0], pair[1]}):
			return no
		case slices.Contains(f.Mem, pair):
			return yes
		}
		for _, b := range f.CFA {
			if b[0] == pair[0] {
				return j.cfaSlot(r.Offset-b[1], f)
			}
		}
		return unclear
	}
	return answerOf(slices.Contains(f.CFA, pair))
}

// cfaSlot judges the word at a distance from the CFA, which is to be the CFA.
func (j *judge) cfaSlot(off int64, f *Fact) answer {
	switch {
	case slices.Contains(f.CFASlots, off):
		return yes
	case !j.exact || f.Partial || off < -slotWindow || off > slotAbove-8 || off&7 != 0:
		return unclear
	}
	return no
}

// place judges a rule for RA (what is 1) or FP (2), whose own register is reg.
func (j *judge) place(what int64, r model.Recovery, reg uint32, f *Fact, regs, slots []int64) answer {
	switch {
	case r.Kind == model.Unchanged:
		return answerOf(slices.Contains(regs, int64(reg)))
	case r.Kind == model.InRegister && !r.Deref && r.Offset == 0 && r.Reg < 32:
		return answerOf(slices.Contains(regs, int64(r.Reg)))
	case r.Kind == model.FromCFA && r.Deref:
		return j.slot(r.Offset, f, slots)
	case r.Kind == model.InRegister && r.Deref:
		if slices.Contains(f.Not, [3]int64{what, int64(r.Reg), r.Offset}) {
			return no
		}
		for _, b := range f.CFA {
			if b[0] == int64(r.Reg) {
				return j.slot(r.Offset-b[1], f, slots)
			}
		}
	}
	return unclear
}

// slot judges the word at a distance from the CFA.
func (j *judge) slot(off int64, f *Fact, slots []int64) answer {
	switch {
	case slices.Contains(slots, off):
		return yes
	case f.Partial || off >= 0 || off&7 != 0:
		return unclear
	case off >= -slotWindow:
		return no
	}
	for _, s := range slots {
		if s < -slotWindow && off >= s-slotMargin && off < s+slotMargin {
			return no
		}
	}
	return unclear
}

// recordWrong records a row that contradicts the truth, once for each row.
func (j *judge) recordWrong(at, n uint64, fde model.FDE, fre model.FRE, what, row, truth string) {
	key := fmt.Sprint(fde.Index(), " ", fre.Index(), what)
	if i, ok := j.seen[key]; ok {
		j.out.Wrong[i].Instructions++
		return
	}
	if len(j.out.Wrong) >= maxWrong {
		j.out.Cut = true
		return
	}
	j.seen[key] = len(j.out.Wrong)
	j.out.Wrong = append(j.out.Wrong, Wrong{
		PC: at, Start: fde.Start(), FDE: fde.Index(), FRE: fre.Index(), What: what, Row: row, True: truth,
		Instructions: 1, Entry: fre, Length: n,
	})
}

func (j *judge) words(r model.Row) string {
	return "CFA=" + r.CFA.Format(j.abi) + " RA=" + r.RA.Format(j.abi)
}

// cfaWords names what always was the CFA. SP and FP come first.
func (j *judge) cfaWords(f *Fact) string {
	var out []string
	for _, want := range []uint32{j.abi.SP, j.abi.FP} {
		for _, b := range f.CFA {
			if b[0] == int64(want) {
				out = append(out, model.Recovery{Kind: model.InRegister, Reg: want, Offset: b[1]}.Format(j.abi))
			}
		}
	}
	for _, b := range f.CFA {
		if r := uint32(b[0]); len(out) == 0 && r != j.abi.SP && r != j.abi.FP {
			out = append(out, model.Recovery{Kind: model.InRegister, Reg: r, Offset: b[1]}.Format(j.abi))
		}
	}
	for _, b := range f.Mem {
		out = append(out, model.Recovery{Kind: model.InRegister, Reg: uint32(b[0]), Offset: b[1], Deref: true}.Format(j.abi))
	}
	return joinOr(out)
}

func (j *judge) placeWords(regs, slots []int64) string {
	var out []string
	for _, r := range regs {
		out = append(out, j.abi.RegName(uint32(r)))
	}
	for _, s := range slots {
		out = append(out, model.Recovery{Kind: model.FromCFA, Offset: s, Deref: true}.Format(j.abi))
	}
	return joinOr(out)
}

func joinOr(all []string) string {
	if len(all) == 0 {
		return "nothing always held it"
	}
	return strings.Join(all[:min(len(all), 4)], " or ")
}
