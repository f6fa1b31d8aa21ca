package execute

import "github.com/sframe-lint/sframe-lint/internal/evidence/insn"

// class is what the checker needs of an instruction. Where the execution goes, and what registers and
// memory contain, it sees: a class only says what a step was meant to be.
type class struct {
	len    uint8 // bytes; 0 if the bytes could not be decoded
	call   bool  // the return address is stored where callees expect it
	ret    bool  // it goes to an address from the stack or the register of RA
	kernel bool  // a system call: the kernel may change all registers
	writes bool  // it may write memory
	sets   bool  // it may set SP to a value that does not come from SP
	// execute says that it executes another instruction in its place (s390x).
	execute bool
}

// class decodes the instruction at the start of b.
func (c *Checker) class(b []byte) class {
	i := insn.For(c.abi.Machine).One(b, 0)
	if i.Flow == insn.Bad {
		return class{writes: true, sets: true}
	}
	return class{len: i.Len, call: i.Calls() && c.links(&i), ret: i.Flow == insn.Return, kernel: i.System,
		writes: i.Writes(), sets: i.Replaces(insn.Reg(c.abi.SP)),
		execute: executes(c.abi.Machine, b)}
}

// links reports whether a call stores its return address where functions return to: on the stack, or in RA. On s390x,
// "basr %r0,%r1" in a stub of mold is a jump, as "brasl %r0" to a profiler returns in its own way.
func (c *Checker) links(i *insn.Insn) bool {
	return c.abi.FixedRA != 0 || i.Sets(insn.Reg(c.abi.RA))
}

// firstStub reports whether code begins the first stub of a PLT: "push GOT+8(%rip)" or
// "stp x16, x30, [sp, #-16]!".
func firstStub(code [4]byte) bool {
	return code[0] == 0xff && code[1] == 0x35 || code == [4]byte{0xf0, 0x7b, 0xbf, 0xa9}
}
