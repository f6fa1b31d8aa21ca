package insn

import "encoding/binary"

// plainAArch64 is the [Plain] of AArch64.
func plainAArch64(code []byte) (n int, kind PlainKind, regs uint32, base Reg, disp int32) {
	if len(code) < 4 {
		return notPlain()
	}
	w := binary.LittleEndian.Uint32(code)
	switch w >> 25 & 15 {
	case 0b1000, 0b1001:
		return a64PlainConstant(w)
	case 0b0101, 0b1101:
		return a64PlainRegister(w)
	case 0b0100, 0b0110, 0b1100, 0b1110:
		return a64PlainMemory(w)
	case 0b1010, 0b1011:
		return a64PlainBranch(w)
	case 0b0111, 0b1111: // vectors, some to or from a register
		return 4, PlainNext, a64Bit(w) | a64Bit(w>>5), NoReg, 0
	}
	return notPlain()
}

// a64Bit returns the bit of the register in the low bits of w, where 31 is XZR.
func a64Bit(w uint32) uint32 { return 1 << (w & 31) &^ (1 << a64SP) }

// a64PlainConstant has the instructions with a constant operand.
func a64PlainConstant(w uint32) (n int, kind PlainKind, regs uint32, base Reg, disp int32) {
	rd, rn := uint32(1)<<(w&31), uint32(1)<<(w>>5&31)
	switch w >> 23 & 7 {
	case 2: // add, sub: 31 is SP, but XZR as the result of adds and subs
		if w>>29&1 != 0 {
			rd &^= 1 << a64SP
		}
		return 4, PlainNext, rd | rn, NoReg, 0
	case 4: // and, orr, eor, ands
		if w>>29&3 == 3 {
			rd &^= 1 << a64SP
		}
		if w>>29&3 == 1 && w>>5&31 == 31 { // the constant of a register
			break
		}
		return 4, PlainNext, rd | rn&^(1<<a64SP), NoReg, 0
	case 5:
		if op := w >> 29 & 3; op == 3 || op != 1 && w>>17&0x3f == 0 { // movk; movn and movz of a small number
			return 4, PlainNext, rd &^ (1 << a64SP), NoReg, 0
		}
	case 6, 7: // bfm, extr
		if w>>23&7 == 6 || w>>29&3 == 0 {
			return 4, PlainNext, (rd | rn) &^ (1 << a64SP), NoReg, 0
		}
	}
	return notPlain()
}

// a64PlainRegister has the instructions with register operands.
func a64PlainRegister(w uint32) (n int, kind PlainKind, regs uint32, base Reg, disp int32) {
	rd, rn, rm := a64Bit(w), a64Bit(w>>5), a64Bit(w>>16)
	switch w >> 24 & 0x1f {
	case 0x0a: // and, orr, eor
		switch zn, zm := w>>5&31 == 31, w>>16&31 == 31; {
		case zn && zm && w>>29&3 == 1 && w>>21&1 == 0: // zero
		case zm, zn && w>>29&3 != 1: // nobody computes with zero
			return notPlain()
		}
	case 0x0b:
		if w>>21&1 != 0 { // an extended register: 31 is SP
			rn = 1 << (w >> 5 & 31)
			if w>>29&1 == 0 {
				rd = 1 << (w & 31)
			}
		}
	case 0x1a: // besides csel, ccmp and udiv
		if op := w >> 21 & 7; op != 2 && op != 4 && (op != 6 || w>>30&1 != 0 && w>>16&31 != 0 || w>>30&1 == 0 && w>>10&0x3f == 4) {
			return notPlain()
		}
	}
	return 4, PlainNext, rd | rn | rm, NoReg, 0
}

// a64PlainMemory has loads and stores.
func a64PlainMemory(w uint32) (n int, kind PlainKind, regs uint32, base Reg, disp int32) {
	rt, size := a64Bit(w), w>>30
	base = Reg(w >> 5 & 31)
	vector := w>>26&1 != 0
	if vector {
		rt = 0
	}
	switch w >> 27 & 7 {
	case 3:
		if w>>24&1 == 0 { // of a literal
			return 4, PlainNext, rt, NoReg, 0
		}
	case 5: // pairs
		shift := 2 + size>>1
		switch {
		case vector && size > 1 || size == 3 || size == 1 && !vector && w>>22&1 == 0:
			return notPlain() // of 32 bytes, or with tags
		case vector:
			shift = 2 + size
		default:
			rt |= a64Bit(w >> 10)
		}
		disp = int32(w<<10) >> 25 << shift
		if w>>23&1 != 0 { // the base changes
			rt, base = rt|1<<base, NoReg
		}
		return 4, PlainNext, rt, base, disp
	case 7:
		if vector && w>>23&1 != 0 {
			size = 4
		}
		switch mode := w >> 10 & 3; {
		case w>>24&1 != 0:
			return 4, PlainNext, rt, base, int32(w >> 10 & 0xfff << size)
		case w>>21&1 == 0 && mode&1 == 0:
			return 4, PlainNext, rt, base, int32(w<<11) >> 23
		case w>>21&1 == 0: // the base changes
			return 4, PlainNext, rt | 1<<base, NoReg, 0
		case mode == 2: // base and index
			return 4, PlainNext, rt | 1<<base, NoReg, 0
		}
	}
	return notPlain()
}

// a64PlainBranch has the jumps and branches to a target.
func a64PlainBranch(w uint32) (n int, kind PlainKind, regs uint32, base Reg, disp int32) {
	switch w >> 24 {
	case 0x14, 0x15, 0x16, 0x17: // b
		return 4, PlainJump, 0, NoReg, int32(w<<6) >> 4
	case 0x54: // b.eq and others
		if w&15 >= 14 {
			return 4, PlainJump, 0, NoReg, int32(w<<8) >> 13 << 2
		}
		fallthrough
	case 0x34, 0x35, 0xb4, 0xb5: // cbz, cbnz
		return 4, PlainBranch, 0, NoReg, int32(w<<8) >> 13 << 2
	case 0x36, 0x37, 0xb6, 0xb7: // tbz, tbnz
		return 4, PlainBranch, 0, NoReg, int32(w<<13) >> 18 << 2
	case 0xd5:
		if w == 0xd503201f { // nop
			return 4, PlainPad, 0, NoReg, 0
		}
	}
	return notPlain()
}
