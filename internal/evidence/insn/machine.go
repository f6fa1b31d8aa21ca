package insn

import "debug/elf"

// Machine describes how code of a machine uses registers under its ABI. Package model has the facts that SFrame
// needs: SP, FP, the return address, and the CFA on entry.
type Machine struct {
	Decode Decoder
	Plain  Plain // nil if the machine has none
	Regs   int   // greater than every register number in an Op
	// These are sets of registers, with one bit for each. Callees preserve Saved, and Args hold arguments. Functions
	// save other registers in Floats. Thrown hold the exception at landing pads.
	Saved, Args, Floats, Thrown uint32
	// Keep is the size in bytes of the area at SP on entry that callees leave unchanged. Callees may save registers
	// between this area and the CFA. Keep is 0 if callees may not do this.
	Keep int64
	// Shadow is the register that points to a second stack of return addresses. Callees preserve this register. It is
	// NoReg if there is no such stack.
	Shadow Reg
	// OwnFlags reports whether each Branch directly follows its Compare.
	OwnFlags bool
	Pages    bool // an instruction can set a register to the address of a page
	FromEnd  bool // a relocated target is relative to the end of the instruction
}

var amd64 = Machine{
	Decode: AMD64, Plain: plainAMD64, Regs: 19, Shadow: NoReg, OwnFlags: true, FromEnd: true,
	Args:   1<<1 | 1<<2 | 1<<4 | 1<<5 | 1<<8 | 1<<9,           // rdx, rcx, rsi, rdi, r8, r9
	Saved:  1<<3 | 1<<6 | 1<<7 | 0xf<<12 | 1<<uint32(Vectors), // rbx, rbp, rsp, r12 to r15; a callee copies nothing to vectors that is restored
	Thrown: 1<<0 | 1<<1,                                       // rax, rdx
}

var aarch64 = Machine{
	Decode: AArch64, Plain: plainAArch64, Regs: MaxRegs, Shadow: 18, Pages: true,
	Args:   0x1ff,             // x0 to x8
	Saved:  0xfff<<18 | 1<<31, // x18 to x29, sp
	Thrown: 3,                 // x0, x1
}

var s390x = Machine{
	Decode: S390x, Plain: plainS390x, Regs: MaxRegs, Shadow: NoReg, Keep: 16,
	Args:   0x1f<<2 | 0xf<<16,          // r2 to r6, f0, f2, f4, f6
	Saved:  0xff<<6 | 1<<15 | 0xff<<24, // r6 to r13, SP, f8 to f15
	Floats: 0xffff << 16,               // f0 to f15
	Thrown: 1<<6 | 1<<7,
}

// Of returns the facts about a machine, or nil if the package has no decoder for the machine.
func Of(m elf.Machine) *Machine {
	switch m {
	case elf.EM_X86_64:
		return &amd64
	case elf.EM_AARCH64:
		return &aarch64
	case elf.EM_S390:
		return &s390x
	}
	return nil
}

// For returns the decoder for a machine, or nil if there is none. Instructions of AArch64 are little-endian even if
// the data is big-endian.
func For(m elf.Machine) Decoder {
	if x := Of(m); x != nil {
		return x.Decode
	}
	return nil
}
