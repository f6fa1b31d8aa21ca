package proof

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// arch is what the engine needs of an ABI.
type arch struct {
	abi    model.ABIInfo
	decode insn.Decoder
	plain  insn.Plain
	n      int      // registers that are followed
	sp, fp insn.Reg //
	ra     insn.Reg // of the return address on entry; AMD64: that of no instruction
	framed uint32   // sp, fp and ra
	saved  uint32   // registers that a callee keeps, a bit each
	floats uint32   // floating-point registers in which functions save others (s390x)
	args   uint32   // registers of arguments
	thrown uint32   // registers of those that a landing pad has the exception in
	onSP   bool     // RA is at SP on entry (AMD64)
	// save is the number of bytes from SP on that a callee may use to save registers, but not the first keep of them, which
	// stay the caller's (s390x).
	save, keep int64
	// shadow points to a stack of return addresses besides that of SP, which callees leave as it was; NoReg where
	// there is none (AArch64).
	shadow insn.Reg
	// ownFlags says that a Compare is only followed by the Branch that it is for.
	ownFlags bool
	pages    bool // an instruction sets a register to the address of a page (AArch64)
	fromEnd  bool // a target in a relocated field counts from the end of the instruction (AMD64)
}

func newArch(abi model.ABIInfo) (*arch, bool) {
	a := &arch{abi: abi, sp: insn.Reg(abi.SP), fp: insn.Reg(abi.FP), ra: insn.Reg(abi.RA), n: insn.MaxRegs, shadow: insn.NoReg, decode: insn.For(abi.Machine)}
	a.plain, a.framed = insn.PlainOf(abi.Machine), bit(a.sp)|bit(a.fp)|bit(a.ra)
	switch abi.Machine {
	case elf.EM_X86_64:
		a.onSP, a.n, a.ownFlags, a.fromEnd = true, 19, true, true
		a.args = 1<<1 | 1<<2 | 1<<4 | 1<<5 | 1<<8 | 1<<9 // rdx, rcx, rsi, rdi, r8, r9
		a.saved = 1<<3 | 1<<6 | 1<<7 | 0xf<<12           // rbx, rbp, rsp, r12 to r15
		a.saved |= 1 << insn.Vectors                     // a callee copies nothing there that is restored
	case elf.EM_AARCH64:
		a.pages, a.args = true, 0x1ff // x0 to x8
		a.shadow = 18
		a.saved = 0xfff<<18 | 1<<31 // x18 to x29, sp
	case elf.EM_S390:
		a.save, a.keep, a.args = a.abi.EntryCFA, 16, 0x1f<<2 // r2 to r6
		a.saved = 0xff<<6 | 1<<15 | 0xff<<24                 // r6 to r13, SP, f8 to f15
		a.floats = 0xffff << 16                              // f0 to f15
		a.thrown = 1<<6 | 1<<7
	default:
		return nil, false
	}
	return a, true
}

// entry sets s to the state at the entry of a function.
func (a *arch) entry(s *state) {
	s.forgetAll()
	for i := range s.regs[:a.n] {
		s.regs[i] = Value{Base: Entry, Reg: insn.Reg(i)}
		s.by[i] = -1
	}
	if a.onSP {
		s.regs[16], s.regs[17], s.regs[insn.Vectors] = Value{}, Value{}, Value{Base: Other}
		s.put(slot{base: CFA, off: -8, by: -1, v: Value{Base: Entry, Reg: a.ra}})
	}
	s.regs[a.sp] = Value{Base: CFA, Off: -a.abi.EntryCFA}
	s.floor, s.args, s.weak, s.guess = nowhere, true, false, false
}

// part sets s to the state at the start of a part of a function of which only the distance of
// SP from the CFA is known.
func (a *arch) part(s *state, sp int64) {
	s.forgetAll()
	for i := range s.by {
		s.by[i] = -1
	}
	if a.onSP {
		s.put(slot{base: CFA, off: -8, by: -1, v: Value{Base: Entry, Reg: a.ra}})
	}
	s.regs[a.sp] = Value{Base: CFA, Off: sp}
	s.weak, s.guess = false, false
}
