package proof

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Pushed is the end of an instruction of a prologue, and by how many bytes SP is lower there than where the
// prologue starts.
type Pushed struct {
	End  uint64
	Down int64
}

// Prologues finds the prologues of functions. Where functions overlap it decodes an instruction once, as long as they
// ascend.
type Prologues struct {
	code  *Code
	abi   *model.ABIInfo
	place int
	start uint64 // of the last function
	down  int64  // of all, what is before that
	all   []Pushed
	next  uint64 // where the next instruction starts
	ended bool   // the instruction there is not one of a prologue
}

// ProloguesOf returns the prologues of an object's functions.
func ProloguesOf(o *reader.Object, abi *model.ABIInfo) *Prologues {
	return &Prologues{code: CodeOf(o), abi: abi, place: -1}
}

// maxPrologue is the number of instructions of a function that are followed.
const maxPrologue = budget.TrackPrologue

// Of returns what [Prologue] finds in a function, and what to subtract from each Down. The list may go on after the end
// of the function, and is valid until the next call.
func (p *Prologues) Of(f model.FDE) (all []Pushed, down int64) {
	i, ok := 0, f.Place() == p.place && f.Start() == p.start
	if !ok && f.Place() == p.place && f.Start() > p.start {
		i, ok = slices.BinarySearchFunc(p.all, f.Start(), func(s Pushed, at uint64) int { return cmp.Compare(s.End, at) })
		i++
	}
	switch {
	case !ok:
		p.place, p.next, p.down, p.all, p.ended = f.Place(), f.Start(), 0, p.all[:0], false
	case i > 0:
		p.down, p.all = p.all[i-1].Down, p.all[i:]
	}
	p.start = f.Start()
	p.extend(f)
	return p.all, p.down
}

// extend decodes more of a function.
func (p *Prologues) extend(f model.FDE) {
	down := p.down
	if len(p.all) > 0 {
		down = p.all[len(p.all)-1].Down
	}
	for pc, i := range p.code.Instructions(p.place, p.next, f.End()) {
		by, ok := lowers(i, insn.Reg(p.abi.SP))
		if p.ended = p.ended || !ok && pc+insn.MaxLen <= f.End(); !ok || p.ended || len(p.all) == maxPrologue { // else it may be cut
			break
		}
		down, p.next = down+by, pc+uint64(i.Len)
		p.all = append(p.all, Pushed{p.next, down})
	}
}
