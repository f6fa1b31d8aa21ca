package insn

// Plain skips plain instructions from an offset of code to end at most, and returns the offset, length and kind of the next
// one; kind is NotPlain if that is not plain. Plain instructions do not matter to one who follows the stack (see [Watch]):
// they use, besides [Vectors], only registers in regs, memory of up to [PlainSize] bytes at base + disp or at computed
// addresses, and constants below [PlainNumber]. A [Decoder] agrees, at several times the cost. The last [MaxLen] bytes need
// not be recognised.
type Plain func(code []byte, off, end int, w *Watch) (at, n int, kind PlainFlow, regs uint32, base Reg, disp int32)

// Watch is what a [Plain] does not go on with: jumps, what names a register or has an operand in one of
// the slots, and an offset that has a mark already, or none.
type Watch struct {
	Regs  uint32   // a bit each
	Slots [2]Slots // for registers in Regs; what another one of them addresses matters
	Marks []int32  // by offset; 0 for none
	Mark  int32    // what an instruction gets that does not matter
}

// Slots are words of memory: operands of [PlainSize] bytes at offsets from From to before To from Base
// may have bytes of them.
type Slots struct {
	Base     Reg
	From, To int32
}

// Passes reports whether an instruction does not matter.
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

// PlainFlow is what follows a plain instruction.
type PlainFlow uint8

// Flows of plain instructions.
const (
	NotPlain    PlainFlow = iota
	PlainNext             // the next instruction
	PlainPad              // the same: it has no effect, and [Insn.Pad]
	PlainJump             // the target
	PlainBranch           // the next instruction or the target
)

const (
	// PlainSize is the largest operand in memory of a plain instruction, in bytes.
	PlainSize = 16
	// PlainNumber is larger than what plain instructions set registers to: addresses are larger.
	PlainNumber = 1 << 12
)

// isNumber reports whether a constant is not an address.
func isNumber(n int32) bool { return n >= -PlainNumber && n < PlainNumber }
