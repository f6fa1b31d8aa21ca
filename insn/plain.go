package insn

import "debug/elf"

// Plain returns the length in bytes of the first instruction of code if it is one of the many that
// seldom matter to one who follows the stack, and 0 otherwise. The next instruction follows a plain one;
// it reads and changes no register but those with a bit in regs, by their DWARF numbers, and no memory
// but up to [PlainSize] bytes at base + disp, where base may be NoReg, and at addresses that are
// computed from more registers; it has no address that a relocation or a table could give. A
// [Decoder] agrees, at several times the cost. The last instructions of code are not plain.
type Plain func(code []byte) (n int, regs uint32, base Reg, disp int32)

// PlainSize is the largest operand in memory of a plain instruction, in bytes.
const PlainSize = 16

// PlainOf returns the Plain of a machine, nil if it has none.
func PlainOf(m elf.Machine) Plain {
	switch m {
	case elf.EM_X86_64:
		return plainAMD64
	}
	return nil
}
