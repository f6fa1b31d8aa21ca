package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/witness"
	"github.com/sframe-lint/sframe-lint/model"
)

// Range is code to track: what an FDE covers.
type Range struct {
	Place uint32 // 0, or the section that Start and End count from (relocatable files)
	// Block is the size in bytes of the stubs of a MASK FDE, each of which is a separate
	// entry; 0 for other FDEs.
	Block      uint32
	Start, End uint64
}

// RangeOf returns the code that an FDE covers.
func RangeOf(f *model.FDE) Range {
	r := Range{Place: uint32(f.Place()), Start: f.Start(), End: f.End()}
	if f.PCType() == model.SFRAME_FDE_PCTYPE_MASK {
		r.Block = uint32(f.RepSize())
	}
	return r
}

// starts reports whether an address in the range is that of its first instruction, or of the
// first one of a stub.
func (r *Range) starts(addr uint64) bool {
	return addr == r.Start || r.Block > 0 && (addr-r.Start)%uint64(r.Block) == 0
}

// Row has the rules of an FRE, or of a row of CFI, for the code from Start to before End.
type Row struct {
	model.Row
	Start, End   uint64 // in the unit of the Range
	Signed, KeyB bool   // RA has a pointer authentication code
	// Signal says that the frame is a signal frame: nothing about it is checked.
	Signal bool
	// Key is the same for rows of the same tracker that differ only in where they are, 0 if it is not known.
	Key uint64
}

// Evidence is what determines the state at the first instruction of a range.
type Evidence uint16

// Evidence. A range may have several.
const (
	// Symbol: a function symbol is there whose name is not that of a part of a function.
	Symbol Evidence = 1 << iota
	// Called: a direct call has it as its target.
	Called
	// Taken: code or data refers to it by its address.
	Taken
	// Returns: a return finds the return address where it was on entry.
	Returns
	// Tail: a jump leads from there to an entry, with SP as on entry.
	Tail
	// Jumped: it is a part of a function: the state is that of a jump in another range.
	Jumped
	// Pad: it is a part of a function: exceptions lead there.
	Pad
	// Released: it is a part of a function: a return finds the return address above where it is
	// on entry.
	Released
)

// Reason is why the state at an instruction is unknown.
type Reason uint8

// Reasons.
const (
	Known       Reason = iota // it is known
	NotReached                // no known path leads there
	Guessed                   // only a jump table of unknown size leads there
	NoAnchor                  // the CFA on entry is not proven, or the evidence is contradictory
	Lost                      // SP and FP have values that cannot be followed
	TooLarge                  // the function is larger than what is tracked
	NoCode                    // the file does not contain the code
	Undecodable               // the instruction cannot be decoded
	Exempt                    // the frame is one of a signal, or the outermost one: nothing is said of it
	Shared                    // other rows describe the same code, or it is not known which code they describe
	Blocks                    // the code is of stubs

	NumReasons = int(iota)
)

func (r Reason) String() string {
	return [...]string{"known", "not reached", "guessed", "no anchor", "lost", "too large", "no code", "undecodable", "signal or outermost frame", "code of several FDEs or of none", "stubs"}[r]
}

// Aspect is what a contradiction is about.
type Aspect uint8

// Aspects.
const (
	// WrongCFA: the CFA that the row computes is another one.
	WrongCFA Aspect = iota
	// WrongRA, WrongFP: the caller's value is not where the row says.
	WrongRA
	WrongFP
	// StaleFP: by the row the caller's FP is in memory at FP, which has the caller's value already.
	StaleFP
	// WrongSigning: RA is signed and the row says that it is not, or the other way, or the keys
	// differ.
	WrongSigning
	// Inside: the row starts inside an instruction.
	Inside
)

func (k Aspect) String() string {
	return [...]string{"CFA", "RA", "FP", "stale FP", "signing", "row start inside an instruction"}[k]
}

// Shift says that the start or end of a row is off by one instruction.
type Shift int8

// Shifts.
const (
	NoShift Shift = iota
	// Early: the row starts one instruction too early: it is correct from its second
	// instruction on, and the previous row is correct at its first.
	Early
	// Late: the row ends one instruction too late: the next row is already correct at its
	// last instruction.
	Late
)

// Contradiction is a row that the code proves wrong.
type Contradiction struct {
	Kind Aspect
	Row  int // index of the row
	// Start and End are the first run of PCs at which the row is wrong, as in the Range;
	// PCs is the number of bytes of all runs in the row.
	Start, End, PCs uint64
	// Says is the rule of the row, and Got the value at the place that it names. Truth is
	// the correct rule at Start, Invalid if it is not known.
	Says, Truth model.Recovery
	Got         Value
	// By is, for WrongCFA, the distance of the row's value above the CFA in bytes; Exact
	// says that it is known.
	By    int64
	Exact bool
	Shift Shift
	// Inside says that the row is wrong whatever the state at the entry is: something that it names
	// changes while it is in force, or it contradicts other rows.
	Inside bool
	// Beside says that the row contradicts what the code makes of the row before it, in code that only jumps of unknown targets
	// lead to.
	Beside bool
	// Leads says that it contradicts, in such code, the row that a jump leads to.
	Leads bool
	// Proof has the addresses of the instructions that prove it, in the order of execution:
	// those that last wrote what the row names.
	Proof []uint64
	// Witness is a path on which the row is wrong: how what it counts from came about there.
	Witness []witness.Step
	// Assumed is, if not 0, a call of which the witness takes for granted that it returns, without evidence.
	Assumed uint64
	// Jump is, if not 0, an indirect jump on the path of the witness that is taken to lead to code that nothing else
	// leads to.
	Jump  uint64
	at    int32 // the instruction
	from  int64 // see finding
	saved bool  // see finding
}
