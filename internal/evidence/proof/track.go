package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/witness"
	"github.com/sframe-lint/sframe-lint/model"
)

// Range is a range of code to track, such as the code of an FDE.
type Range struct {
	Place uint32 // index of the section in which Start and End are offsets (relocatable files), or 0
	// Block is the size in bytes of the blocks of a MASK FDE, such as stubs. Each block is a separate entry. Block is
	// 0 for other FDEs.
	Block      uint32
	Start, End uint64
}

// RangeOf returns the range of an FDE.
func RangeOf(f *model.FDE) Range {
	r := Range{Place: uint32(f.Place()), Start: f.Start(), End: f.End()}
	if f.Mask() {
		r.Block = uint32(f.RepSize())
	}
	return r
}

// starts reports whether an address in the range is that of its first instruction, or of the
// first one of a stub.
func (r *Range) starts(addr uint64) bool {
	return addr == r.Start || r.Block > 0 && (addr-r.Start)%uint64(r.Block) == 0
}

// Row has the rules of an FRE, or of a row of CFI, for the PCs in [Start, End).
type Row struct {
	model.Row
	Start, End   uint64 // addresses or offsets, as in Range
	Signed, KeyB bool   // RA has a pointer authentication code (KeyB: with key B)
	// Signal marks a signal frame. The rules of a signal frame are not checked.
	Signal bool
	// Key is equal for rows of one tracker that differ only in Start and End. It is 0 if not known.
	Key uint64
}

// ordinary reports whether a row is of no signal frame and of no outermost one.
func (r *Row) ordinary() bool { return !r.Signal && r.RA.Kind != model.Undefined }

// Evidence is a set of facts that determine the state at the first instruction of a range.
type Evidence uint16

// The kinds of evidence.
const (
	// Symbol means that a function symbol is there, and its name does not mark a part of a function.
	Symbol Evidence = 1 << iota
	// Called means that a direct call has the range as its target.
	Called
	// Taken means that code or data contains the address of the range.
	Taken
	// Returns means that a return finds the return address where it was on entry.
	Returns
	// Tail means that the range has a jump to an entry, with SP as on entry.
	Tail
	// Jumped means that the range is a part of a function, and has the state of a jump in another range.
	Jumped
	// Pad means that the range is a part of a function that exceptions enter.
	Pad
	// Released means that the range is a part of a function, because a return finds the return address higher than on
	// entry.
	Released
)

// Reason is why the state at an instruction is unknown.
type Reason uint8

// The reasons.
const (
	Known       Reason = iota // the state is known
	NotReached                // no known path leads to the instruction
	Guessed                   // only a jump table of unknown size leads to the instruction
	NoAnchor                  // the CFA on entry is not proved, or the evidence is contradictory
	Lost                      // the values of SP and FP cannot be followed
	TooLarge                  // the function is too large to be tracked
	NoCode                    // the file does not contain the code
	Undecodable               // the instruction cannot be decoded
	Exempt                    // the frame is a signal frame or the outermost frame, and is not judged
	Shared                    // other rows describe the same code, or it is not known which code the rows describe
	Blocks                    // the code consists of stubs

	NumReasons = int(iota)
)

func (r Reason) String() string {
	return [...]string{"known", "not reached", "guessed", "no anchor", "lost", "too large", "no code", "undecodable", "signal or outermost frame", "code of several FDEs or of none", "stubs"}[r]
}

// Aspect is the part of a row that a contradiction is about.
type Aspect uint8

// The aspects.
const (
	// WrongCFA means that the row computes a wrong CFA.
	WrongCFA Aspect = iota
	// WrongRA and WrongFP mean that the caller's value is not where the row says.
	WrongRA
	WrongFP
	// StaleFP means that the row finds the caller's FP in memory at FP, but FP already has the caller's value.
	StaleFP
	// WrongSigning means that the row is wrong about whether RA is signed, or about the key.
	WrongSigning
	// Inside means that the row starts within an instruction.
	Inside
)

func (k Aspect) String() string {
	return [...]string{"CFA", "RA", "FP", "stale FP", "signing", "row start inside an instruction"}[k]
}

// Shift means that the start or end of a row is off by one instruction.
type Shift int8

// The shifts.
const (
	NoShift Shift = iota
	// Early means that the row starts one instruction too early. The row is right from its second instruction on, and
	// the previous row is right at the first instruction.
	Early
	// Late means that the row ends one instruction too late. The next row is already right at the last instruction.
	Late
)

// Contradiction is a row that the code proves wrong.
type Contradiction struct {
	Kind Aspect
	Row  int // index of the row
	// Start and End are the first run of PCs at which the row is wrong, in the unit of the Range. PCs is the number
	// of bytes in all such runs.
	Start, End, PCs uint64
	// Says is the rule of the row, and Got is the value that this rule recovers. Truth is the right rule at Start, or
	// Invalid if not known.
	Says, Truth model.Recovery
	Got         Value
	// By is the number of bytes by which the row's value is above the CFA, for WrongCFA. Exact reports whether By is
	// known.
	By    int64
	Exact bool
	Shift Shift
	// Inside reports whether the row is wrong for every state on entry: a value that the row uses changes within the
	// row, or the row contradicts other rows.
	Inside bool
	// Beside reports whether the row contradicts the state that the code derives from the previous row. Only jumps
	// with unknown targets lead to this code.
	Beside bool
	// Leads reports whether the contradiction, in such code, is with the row at the target of a jump.
	Leads bool
	// Proof has the addresses of the instructions that last wrote the values that the row uses, in execution order.
	Proof []uint64
	// Witness shows how the value of the row's base changes on a path at whose end the row is wrong.
	Witness []witness.Step
	// Assumed is a call that the witness assumes to return, without evidence, or 0.
	Assumed uint64
	// Jump is an indirect jump on the witness's path, or 0. Its target is assumed to be code that nothing else leads
	// to.
	Jump  uint64
	at    int32 // the instruction
	from  int64 // see finding
	saved bool  // see finding
}
