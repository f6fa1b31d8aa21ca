package run

import (
	"encoding/binary"

	"golang.org/x/arch/x86/x86asm"
)

// flow is what an instruction does to the order of execution.
type flow uint8

const (
	plain  flow = iota // the next instruction follows, or the same one again
	call               // and the return address is stored
	ret                // to an address from the stack or the register of RA
	jump               // any other branch, whether or not it is taken
	kernel             // a system call: the kernel may change all registers
)

// insn is what the checker needs of an instruction.
type insn struct {
	len    uint8 // bytes; 0 if the bytes could not be decoded
	flow   flow
	writes bool // it may write memory
	sets   bool // it may set SP to a value that does not come from SP
}

// maxInsn is the largest number of bytes of an instruction.
const maxInsn = 15

func decodeX86(b []byte) insn {
	if len(b) >= 4 && b[0] == 0xf3 && b[1] == 0x0f && b[2] == 0x1e && (b[3] == 0xfa || b[3] == 0xfb) {
		return insn{len: 4} // endbr64, endbr32
	}
	x, err := x86asm.Decode(b, 64)
	if err != nil || x.Op == 0 {
		return insn{writes: true, sets: true}
	}
	i := insn{len: uint8(x.Len)}
	dst := x.Args[0]
	_, toMem := dst.(x86asm.Mem)
	switch x.Op {
	case x86asm.CALL, x86asm.LCALL:
		i.flow, i.writes = call, true
	case x86asm.RET, x86asm.LRET, x86asm.IRET, x86asm.IRETD, x86asm.IRETQ:
		i.flow = ret
	case x86asm.SYSCALL, x86asm.SYSENTER, x86asm.INT:
		i.flow, i.writes = kernel, true
	case x86asm.JMP, x86asm.LJMP, x86asm.JA, x86asm.JAE, x86asm.JB, x86asm.JBE, x86asm.JCXZ, x86asm.JE, x86asm.JECXZ,
		x86asm.JG, x86asm.JGE, x86asm.JL, x86asm.JLE, x86asm.JNE, x86asm.JNO, x86asm.JNP, x86asm.JNS, x86asm.JO,
		x86asm.JP, x86asm.JRCXZ, x86asm.JS, x86asm.LOOP, x86asm.LOOPE, x86asm.LOOPNE, x86asm.XBEGIN:
		i.flow = jump
	case x86asm.CMP, x86asm.TEST, x86asm.NOP, x86asm.BT, x86asm.UCOMISD, x86asm.UCOMISS:
	case x86asm.PUSH, x86asm.PUSHF, x86asm.PUSHFQ, x86asm.ENTER, x86asm.MOVSB, x86asm.MOVSW, x86asm.MOVSQ,
		x86asm.STOSB, x86asm.STOSW, x86asm.STOSD, x86asm.STOSQ, x86asm.INSB, x86asm.INSW, x86asm.INSD, x86asm.MASKMOVQ, x86asm.MASKMOVDQU:
		i.writes = true
	case x86asm.MOVSD, x86asm.MOVSD_XMM, x86asm.XCHG, x86asm.XADD, x86asm.CMPXCHG:
		i.writes = true
	default:
		i.writes = toMem
	}
	i.sets = setsSP(&x)
	return i
}

// setsSP reports whether an instruction sets SP other than by a step from its value.
func setsSP(x *x86asm.Inst) bool {
	switch x.Op {
	case x86asm.LEAVE, x86asm.XCHG, x86asm.CMPXCHG, x86asm.XADD:
		return true
	case x86asm.ADD, x86asm.SUB, x86asm.AND, x86asm.INC, x86asm.DEC:
		return false
	case x86asm.LEA:
		m, ok := x.Args[1].(x86asm.Mem)
		return x.Args[0] == x86asm.RSP && (!ok || m.Base != x86asm.RSP)
	}
	return x.Args[0] == x86asm.RSP
}

func decodeAArch64(b []byte) insn {
	if len(b) < 4 {
		return insn{writes: true, sets: true}
	}
	w := binary.LittleEndian.Uint32(b) // code is little-endian in both byte orders
	i := insn{len: 4}
	switch {
	case w>>26 == 0b100101: // bl
		i.flow = call
	case w>>25 == 0b1101011: // br, blr, ret and those with authentication
		i.flow = jump
		switch w >> 21 & 0xf {
		case 1, 9:
			i.flow = call
		case 2:
			i.flow = ret
		}
	case w>>26 == 0b000101, w>>24 == 0x54, w>>25&0x3f == 0b011010, w>>25&0x3f == 0b011011:
		i.flow = jump // b, b.cond, cbz and cbnz, tbz and tbnz
	case w&0xffe0001f == 0xd4000001:
		i.flow, i.writes = kernel, true // svc
	case w>>27&1 == 1 && w>>25&1 == 0:
		i.writes = !loadAArch64(w)
	case w&0x7f80001f == 0x1100001f || w&0x7fe0001f == 0x0b20001f:
		i.sets = w>>5&31 != 31 // add to SP, by an immediate or an extended register
	}
	return i
}

// loadAArch64 reports whether an instruction of the group of loads and stores writes no
// memory.
func loadAArch64(w uint32) bool {
	switch w >> 27 & 7 {
	case 0b011: // literal
		return true
	case 0b101: // pair
		return w>>22&1 == 1
	case 0b111: // a register
		opc, vector := w>>22&3, w>>26&1 == 1
		if w>>21&1 == 1 && w>>10&3 == 0 && w>>24&1 == 0 {
			return false // atomic
		}
		return opc == 1 || opc == 3 || opc == 2 && !vector
	}
	return false
}

func decodeZ(b []byte) insn {
	if len(b) < 2 {
		return insn{writes: true, sets: true}
	}
	// The first two bits are the length. What reads memory alone costs little to be read
	// again, and whether SP is set shows in its value.
	i := insn{len: [4]uint8{2, 4, 4, 6}[b[0]>>6], writes: true, sets: true}
	if len(b) < int(i.len) {
		return insn{writes: true, sets: true}
	}
	switch op := b[0]; {
	case op == 0x0d, op == 0x4d, op == 0xa7 && b[1]&0xf == 5, op == 0xc0 && b[1]&0xf == 5: // basr, bas, bras, brasl
		i.flow = call
		if op == 0x0d && b[1]&0xf == 0 {
			i.flow = plain // basr %r1,0 loads the address of the next instruction
		}
	case op == 0x07 && b[1] == 0xfe: // br %r14
		i.flow = ret
	case op == 0x07, op == 0x47, op == 0x06, op == 0x46, op == 0xa7 && (b[1]&0xf == 4 || b[1]&0xe == 6), op == 0x84, op == 0x85,
		op == 0x86, op == 0x87, op == 0xc0 && b[1]&0xf == 4, op == 0xcc && b[1]&0xf == 6, op == 0xec, op == 0xeb && (b[5] == 0x44 || b[5] == 0x45), op == 0xe3 && b[5] == 0x47:
		i.flow = jump
	case op == 0x0a:
		i.flow = kernel
	}
	return i
}

// firstStub reports whether code begins the first stub of a PLT: "push GOT+8(%rip)" or
// "stp x16, x30, [sp, #-16]!".
func firstStub(code [4]byte) bool {
	return code[0] == 0xff && code[1] == 0x35 || code == [4]byte{0xf0, 0x7b, 0xbf, 0xa9}
}
