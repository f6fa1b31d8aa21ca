package insn

import "encoding/binary"

// plainS390x is the [Plain] of s390x.
func plainS390x(code []byte, off, end int, w *Watch) (at, n int, kind PlainFlow, regs uint32, base Reg, disp int32) {
	watched, marks, mark, t := w.Regs, w.Marks, w.Mark, zTable()
	for off+6 <= len(code) {
		b := (*[6]byte)(code[off:])
		kind, regs, base, disp = PlainNext, 0, NoReg, 0
		k := t.rows[t.row[t.index(b)]].form
		if k&zPlain == 0 {
			break
		}
		if k&(zRelative|zPad|zNumber|zShort) != 0 {
			if kind, disp = zPlainKind(b, k); kind >= PlainJump {
				return off, zLength(b[0]), kind, 0, NoReg, disp
			} else if kind == NotPlain {
				break
			}
		}
		r1, r2 := b[1]>>4, b[1]&15
		if k&zRRE != 0 {
			regs = 1 << (b[2] >> 4)
			r1, r2 = b[3]>>4, b[3]&15
		}
		if k&zR1 != 0 {
			regs |= 1 << (r1 & 15)
		}
		if k&zR2 != 0 {
			regs |= 1 << (r2 & 15)
		}
		if k&(zX|zB) != 0 {
			x := b[2] >> 4
			disp = int32(b[2]&15)<<8 | int32(b[3])
			if k&zFar != 0 {
				disp |= int32(int8(b[4])) << 12
			}
			if k&zX != 0 && r2 != 0 {
				if x == 0 {
					x = r2
				} else {
					regs |= 1<<r2 | 1<<x
					x = 0
				}
			}
			if x != 0 {
				base = Reg(x)
			}
		}
		if k&(zF1|zF2|zAfter|zAddress) != 0 {
			switch {
			case k&zF2 != 0:
				regs |= 1<<(zFloat[r1]&31) | 1<<(zFloat[r2]&31)
			case k&zF1 != 0:
				regs |= 1 << (zFloat[r1] & 31)
			case k&zAfter != 0:
				regs |= 1<<((r1+1)&15) | 1<<(r1|1)
			case base != NoReg:
				regs, base = regs|1<<base, NoReg
			case r2|b[2]>>4 == 0 && !isNumber(disp):
				return off, 0, NotPlain, 0, NoReg, 0
			}
		}
		n = zLength(b[0])
		if off+n > end || regs&watched != 0 || watched>>base&1 != 0 && !w.Passes(regs, base, disp) || off >= len(marks) || marks[off] != 0 {
			return off, n, kind, regs, base, disp
		}
		marks[off] = mark
		off += n
	}
	return off, 0, NotPlain, 0, NoReg, 0
}

// zPlainKind returns the kind of an instruction that is plain for some operands only, and the distance of a branch.
func zPlainKind(b *[6]byte, k zForm) (kind PlainFlow, disp int32) {
	imm := int32(int16(binary.BigEndian.Uint16(b[2:])))
	if b[0] == 0xc0 {
		imm = int32(binary.BigEndian.Uint32(b[2:]))
	}
	mask := b[1] >> 4
	switch {
	case k&zPad != 0:
		if mask == 0 { // not taken
			return PlainPad, 0
		}
	case k&zNumber != 0:
		if isNumber(imm) && (imm >= 0 || k&zUnsigned == 0) {
			return PlainNext, 0
		}
	case k&zShort != 0:
		if b[1] < PlainSize && b[2]>>4 != 0 {
			return PlainNext, 0
		}
	case b[0] != 0xec && mask == 0:
		return PlainNext, 0
	case 2*imm/2 == imm:
		if kind = PlainBranch; b[0] != 0xec && mask == 15 {
			kind = PlainJump
		}
		return kind, 2 * imm
	}
	return NotPlain, 0
}
