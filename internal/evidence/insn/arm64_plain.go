package insn

import "encoding/binary"

// plainAArch64 is the [Plain] of AArch64.
func plainAArch64(code []byte, off, end int, w *Watch) (at, n int, kind PlainFlow, regs uint32, base Reg, disp int32) {
	watched, marks, mark := w.Regs, w.Marks, w.Mark
	for ; off+4 <= len(code); off += 4 {
		w32 := binary.LittleEndian.Uint32(code[off:])
		kind, base, disp = PlainNext, NoReg, 0
		ok := true
		switch w32 >> 25 & 15 {
		case 0b1000, 0b1001:
			if w32>>23&7 == 2 { // add, sub: 31 is SP, but XZR as the result of adds and subs
				if regs = 1<<(w32&31) | 1<<(w32>>5&31); w32>>29&1 != 0 {
					regs = a64Bit(w32) | 1<<(w32>>5&31)
				}
			} else {
				regs, ok = a64PlainConstant(w32)
			}
		case 0b0101, 0b1101:
			if regs = a64Bit(w32) | a64Bit(w32>>5) | a64Bit(w32>>16); w32>>24&0x1f != 0x1b {
				regs, ok = a64PlainRegister(w32, regs)
			}
		case 0b0100, 0b0110, 0b1100, 0b1110:
			if w32>>24&0x3f == 0x39 { // of a general register at a base and an offset
				regs, base, disp = a64Bit(w32), Reg(w32>>5&31), int32(w32>>10&0xfff<<(w32>>30))
			} else {
				regs, base, disp, ok = a64PlainMemory(w32)
			}
		case 0b1010, 0b1011:
			switch kind, disp = a64PlainBranch(w32); kind {
			case NotPlain:
				ok = false
			case PlainPad:
				regs = 0
			default:
				return off, 4, kind, 0, NoReg, disp
			}
		case 0b0111, 0b1111: // vectors, some to or from a register
			regs = a64Bit(w32) | a64Bit(w32>>5)
		default:
			ok = false
		}
		if !ok {
			break
		}
		if off+4 > end || regs&watched != 0 || watched>>base&1 != 0 && !w.Passes(regs, base, disp) || off >= len(marks) || marks[off] != 0 {
			return off, 4, kind, regs, base, disp
		}
		marks[off] = mark
	}
	return off, 0, NotPlain, 0, NoReg, 0
}

// a64Bit returns the bit of the register in the low bits of w, where 31 is XZR.
func a64Bit(w uint32) uint32 { return 1 << (w & 31) &^ (1 << a64SP) }

// a64PlainConstant has instructions with a constant operand, besides sums.
func a64PlainConstant(w uint32) (regs uint32, ok bool) {
	rd, rn := a64Bit(w), a64Bit(w>>5)
	switch w >> 23 & 7 {
	case 4: // and, orr, eor: 31 is SP as the result; ands
		if w>>29&3 != 3 {
			rd = 1 << (w & 31)
		}
		return rd | rn, w>>29&3 != 1 || w>>5&31 != 31 // not the constant of a register
	case 5: // movk; movn and movz of a small number
		op := w >> 29 & 3
		return rd, op == 3 || op != 1 && w>>17&0x3f == 0
	case 6: // bfm
		return rd | rn, true
	case 7: // extr
		return rd | rn, w>>29&3 == 0
	}
	return 0, false
}

// a64PlainRegister has instructions with register operands, whose bits are regs if 31 is XZR.
func a64PlainRegister(w, regs uint32) (uint32, bool) {
	switch w >> 24 & 0x1f {
	case 0x0a: // and, orr, eor
		if zn, zm := w>>5&31 == 31, w>>16&31 == 31; zn || zm { // compilers do not compute with zero, but orr copies
			return regs, w>>29&3 == 1 && zn && (!zm || w>>21&1 == 0)
		}
	case 0x0b:
		if w>>21&1 != 0 { // an extended register: 31 is SP
			regs |= 1 << (w >> 5 & 31)
			if w>>29&1 == 0 {
				regs |= 1 << (w & 31)
			}
		}
	case 0x1a: // besides csel, ccmp and udiv
		op := w >> 21 & 7
		return regs, op == 2 || op == 4 || op == 6 && (w>>30&1 != 0 && w>>16&31 == 0 || w>>30&1 == 0 && w>>10&0x3f != 4)
	}
	return regs, true
}

// a64PlainMemory has loads and stores.
func a64PlainMemory(w uint32) (regs uint32, base Reg, disp int32, ok bool) {
	rt, size, vector := a64Bit(w), w>>30, w>>26&1 != 0
	base = Reg(w >> 5 & 31)
	if vector {
		rt = 0
	}
	switch w >> 27 & 7 {
	case 3: // of a literal
		return rt, NoReg, 0, w>>24&1 == 0
	case 5: // pairs
		shift := 2 + size>>1
		switch {
		case vector && size > 1 || size == 3 || size == 1 && !vector && w>>22&1 == 0:
			return 0, NoReg, 0, false // of 32 bytes, or with tags
		case vector:
			shift = 2 + size
		default:
			rt |= a64Bit(w >> 10)
		}
		if w>>23&1 != 0 { // the base changes
			return rt | 1<<base, NoReg, 0, true
		}
		return rt, base, int32(w<<10) >> 25 << shift, true
	case 7:
		if vector && w>>23&1 != 0 {
			size = 4
		}
		switch mode := w >> 10 & 3; {
		case w>>24&1 != 0:
			return rt, base, int32(w >> 10 & 0xfff << size), true
		case w>>21&1 == 0 && mode&1 == 0:
			return rt, base, int32(w<<11) >> 23, true
		case w>>21&1 == 0 || mode == 2: // the base changes, or there is an index
			return rt | 1<<base, NoReg, 0, true
		}
	}
	return 0, NoReg, 0, false
}

// a64PlainBranch has the jumps and branches to a target, and nop.
func a64PlainBranch(w uint32) (kind PlainFlow, disp int32) {
	switch w >> 24 {
	case 0x14, 0x15, 0x16, 0x17: // b
		return PlainJump, int32(w<<6) >> 4
	case 0x54: // b.eq and others
		if w&15 >= 14 {
			return PlainJump, int32(w<<8) >> 13 << 2
		}
		fallthrough
	case 0x34, 0x35, 0xb4, 0xb5: // cbz, cbnz
		return PlainBranch, int32(w<<8) >> 13 << 2
	case 0x36, 0x37, 0xb6, 0xb7: // tbz, tbnz
		return PlainBranch, int32(w<<13) >> 18 << 2
	case 0xd5:
		if w == 0xd503201f {
			return PlainPad, 0
		}
	}
	return NotPlain, 0
}
