package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// Function is a tracked range.
type Function struct {
	u        *unit
	part     int
	evidence Evidence
	repairs  []Repair // of the rows that Check has judged last
	atCalls  bool     // see AtCalls
	open     []Reason // of each of these rows, what is not known of it
	strays   []Leaf   // of code to which no known way leads
	// unconfirmed has the kinds of contradictions for which no path was replayed, as too many were.
	unconfirmed [Inside + 1]bool
}

// Index returns the index of the range.
func (f *Function) Index() int { return f.u.parts[f.part].index }

// Range returns the range.
func (f *Function) Range() Range { return f.u.parts[f.part].Range }

// Evidence returns the evidence for the state at the start. If the evidence includes Called, the result at is the
// address of a call.
func (f *Function) Evidence() (e Evidence, at uint64) { return f.evidence, f.u.t.facts[f.Index()].at }

// Anchored reports whether the CFA at the first instruction is known.
func (f *Function) Anchored() bool { return f.u.anchored }

// State is the known state before an instruction.
type State struct {
	Reason Reason // Known, or why the state is unknown
	SP, FP Value
	RA     Value // value of the register with RA on entry; on AMD64, of the word below the CFA
}

// Insns yields the address and size in bytes of each reached instruction, and the state before it. The state is valid
// until yield returns.
func (f *Function) Insns(yield func(pc uint64, n int, s *State) bool) {
	more := true
	f.u.walk(f.part, func(k int32, s *state) {
		if more {
			t := f.u.state(s)
			more = yield(f.u.pc(k), int(f.u.ins[k].len), &t)
		}
	})
}

// state returns what is known in a state.
func (u *unit) state(s *state) State {
	t := State{SP: s.regs[u.arch.sp], FP: s.regs[u.arch.fp]}
	if u.arch.onSP {
		t.RA, _ = s.word(CFA, 0, -8)
	} else {
		t.RA = s.regs[u.arch.ra]
	}
	switch {
	case !u.anchored:
		t = State{Reason: NoAnchor}
	case s.guess:
		t = State{Reason: Guessed}
	case t.SP.Base == CFA || t.SP.Base == Aligned || t.FP.Base == CFA || t.FP.Base == Aligned:
	default:
		t.Reason = Lost
	}
	return t
}

// Departure is how execution leaves a range.
type Departure uint8

// The departures.
const (
	LeafCall  Departure = iota
	LeafJump            // a jump or a branch
	LeafFalls           // the last instruction continues after the range
	LeafCut             // the last instruction is invalid or extends beyond the range
)

// Leaf is an instruction at which execution leaves a range.
type Leaf struct {
	Kind Departure
	PC   uint64
	// If Resolved is set, Place and Target are the target in the object's code.
	Place    uint32
	Target   uint64
	Resolved bool
	State    State // state after the instruction
	Framed   bool  // the function has a frame there
}

// Leaves yields the instructions at which execution leaves the range. A call at the end of the range does not return. Code
// to which no known way leads counts once Check has judged its rows.
func (f *Function) Leaves(yield func(*Leaf) bool) {
	u, more := f.u, true
	r := f.Range()
	var l Leaf
	u.walk(f.part, func(k int32, s *state) {
		i := &u.ins[k]
		l.PC, l.Kind, l.Place, l.Target, l.Resolved = u.pc(k), LeafCall, uint32(i.place), i.target, i.resolved
		outside := !i.resolved || l.Place != r.Place || i.target < r.Start || i.target >= r.End
		switch {
		case !more:
			return
		case i.flow == insn.Call && outside:
		case (i.flow == insn.Jump || i.flow == insn.Branch) && outside:
			l.Kind = LeafJump
		case i.flow == insn.Bad && l.PC+insn.MaxLen > r.End && s.rank() == 0:
			l.Kind, l.Place, l.Target, l.Resolved = LeafCut, r.Place, r.End, true
		case (i.flow == insn.Next || i.flow == insn.Branch) && l.PC+uint64(i.len) == r.End:
			l.Kind, l.Place, l.Target, l.Resolved = LeafFalls, r.Place, r.End, true
		default:
			return
		}
		after := u.stepped(k, s)
		l.State, l.Framed = u.state(after), u.framed(after)
		more = yield(&l)
	})
	for i := 0; more && i < len(f.strays); i++ {
		more = yield(&f.strays[i])
	}
}

// Opaque reports whether the function has an indirect jump with unknown targets, so that any instruction may be a
// target.
func (f *Function) Opaque() bool { return f.u.opaque() }
