package insn

import "debug/elf"

// Plain recognises the first instruction of code if it is one of the many that seldom matter to one who
// follows the stack; the kind is NotPlain otherwise, and n is the length in bytes.
//
// A plain instruction reads and changes no register but those with a bit in regs, by their DWARF
// numbers, and no memory but up to [PlainSize] bytes at base + disp, where base may be NoReg, and at
// addresses that are computed from more registers. It sets no register to a constant that is
// [PlainNumber] or more, positive or negative, unless a relocation gives it. The target of a jump is
// disp bytes after its start. A [Decoder] agrees, at several times the cost.
type Plain func(code []byte) (n int, kind PlainKind, regs uint32, base Reg, disp int32)

// PlainKind is what follows a plain instruction.
type PlainKind uint8

// Kinds of plain instructions.
const (
	NotPlain    PlainKind = iota
	PlainNext             // the next instruction
	PlainPad              // the same: it has no effect, and [Insn.Pad]
	PlainJump             // the target
	PlainBranch           // either of both
)

const (
	// PlainSize is the largest operand in memory of a plain instruction, in bytes.
	PlainSize = 16
	// PlainNumber is larger than what plain instructions set registers to: addresses are larger.
	PlainNumber = 1 << 12
)

// PlainOf returns the Plain of a machine, nil if it has none.
func PlainOf(m elf.Machine) Plain {
	switch m {
	case elf.EM_X86_64:
		return plainAMD64
	case elf.EM_AARCH64:
		return plainAArch64
	case elf.EM_S390:
		return plainS390x
	}
	return nil
}

// notPlain is the result for other instructions.
func notPlain() (n int, kind PlainKind, regs uint32, base Reg, disp int32) {
	return 0, NotPlain, 0, NoReg, 0
}

// isNumber reports whether a constant is not an address.
func isNumber(n int32) bool { return n >= -PlainNumber && n < PlainNumber }
