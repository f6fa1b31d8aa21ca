package insn

import "debug/elf"

// Machine is what code of a machine does with registers, by the ABI. Package model has what SFrame says of an ABI: its SP,
// FP and return address, and the CFA on entry.
type Machine struct {
	Decode Decoder
	Plain  Plain // nil: there is none
	Regs   int   // that effects name: numbers below it
	// Registers, a bit each: those that a callee keeps, those of arguments, floating-point registers in which functions save
	// others, and the saved ones that a landing pad has the exception in.
	Saved, Args, Floats, Thrown uint32
	// Keep is the number of bytes from SP on, on entry, that stay the caller's, before those up to the CFA, which a callee
	// may use to save registers; 0 where a callee may use none.
	Keep int64
	// Shadow points to a stack of return addresses besides that of SP, which callees leave as it was; NoReg where
	// there is none.
	Shadow Reg
	// OwnFlags says that a Compare is only followed by the Branch that it is for.
	OwnFlags bool
	Pages    bool // an instruction sets a register to the address of a page
	FromEnd  bool // a target in a relocated field counts from the end of the instruction
}

var amd64 = Machine{
	Decode: AMD64, Plain: plainAMD64, Regs: 19, Shadow: NoReg, OwnFlags: true, FromEnd: true,
	Args:  1<<1 | 1<<2 | 1<<4 | 1<<5 | 1<<8 | 1<<9,           // rdx, rcx, rsi, rdi, r8, r9
	Saved: 1<<3 | 1<<6 | 1<<7 | 0xf<<12 | 1<<uint32(Vectors), // rbx, rbp, rsp, r12 to r15; a callee copies nothing to vectors that is restored
}

var aarch64 = Machine{
	Decode: AArch64, Plain: plainAArch64, Regs: MaxRegs, Shadow: 18, Pages: true,
	Args:  0x1ff,             // x0 to x8
	Saved: 0xfff<<18 | 1<<31, // x18 to x29, sp
}

var s390x = Machine{
	Decode: S390x, Plain: plainS390x, Regs: MaxRegs, Shadow: NoReg, Keep: 16,
	Args:   0x1f<<2 | 0xf<<16,          // r2 to r6, f0, f2, f4, f6
	Saved:  0xff<<6 | 1<<15 | 0xff<<24, // r6 to r13, SP, f8 to f15
	Floats: 0xffff << 16,               // f0 to f15
	Thrown: 1<<6 | 1<<7,
}

// Of returns the facts of a machine, nil if its code is not followed.
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

// For returns the decoder of the instructions of a machine, nil if there is none. On AArch64 they are
// little-endian even if the data are big-endian.
func For(m elf.Machine) Decoder {
	if x := Of(m); x != nil {
		return x.Decode
	}
	return nil
}
