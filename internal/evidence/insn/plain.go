package insn

// Plain skips plain instructions of code from off to at most end. Plain instructions do not matter to a stack tracer
// (see [Watch]).
//
// Plain returns the offset, length and kind of the next instruction, or the kind NotPlain if this instruction is not
// plain. Besides [Vectors], a plain instruction uses only the registers in regs, up to [PlainSize] bytes of memory at
// base + disp or at computed addresses, and constants below [PlainNumber].
//
// A [Decoder] gives the same results at several times the cost. Plain need not recognize instructions in the last
// [MaxLen] bytes.
type Plain func(code []byte, off, end int, w *Watch) (at, n int, kind PlainFlow, regs uint32, base Reg, disp int32)

// Watch tells [Plain] where to stop: at jumps, at an instruction that uses a register in Regs or an operand in Slots,
// and at an offset that has a mark already or lies outside Marks.
type Watch struct {
	Regs  uint32   // one bit for each register
	Slots [2]Slots // for base registers in Regs; every operand at another register in Regs matters
	Marks []int32  // indexed by offset; 0 means no mark
	Mark  int32    // the mark to set at each instruction that Plain skips
}

// Slots is a range of words in memory. An operand of [PlainSize] bytes at Base may overlap the words if its offset is
// in [From, To).
type Slots struct {
	Base     Reg
	From, To int32
}

// Passes reports whether Plain may skip an instruction with these registers and this operand.
func (w *Watch) Passes(regs uint32, base Reg, disp int32) bool {
	if regs&w.Regs != 0 {
		return false
	}
	if w.Regs>>base&1 == 0 {
		return true
	}
	for k := range w.Slots {
		if s := &w.Slots[k]; s.Base == base {
			return disp < s.From || disp >= s.To
		}
	}
	return false
}

// PlainFlow is where execution continues after a plain instruction.
type PlainFlow uint8

// The flows of plain instructions.
const (
	NotPlain    PlainFlow = iota
	PlainNext             // at the next instruction
	PlainPad              // at the next instruction; the instruction is filler, see [Insn.Pad]
	PlainJump             // at the target
	PlainBranch           // at the next instruction or at the target
)

const (
	// PlainSize is the maximum size of a plain instruction's memory operand, in bytes.
	PlainSize = 16
	// PlainNumber is the bound for constants in plain instructions. Addresses are not below it.
	PlainNumber = 1 << 12
)

// isNumber reports whether a constant is not an address.
func isNumber(n int32) bool { return n >= -PlainNumber && n < PlainNumber }
