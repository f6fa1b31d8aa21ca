package insn

import "encoding/binary"

// A kind of an opcode of s390x says where [plainS390x] finds its registers and its operand in memory.
type zPlain uint16

const (
	zpR1     zPlain = 1 << iota // general registers in the digits of the second byte
	zpR2                        //
	zpF1                        // floating-point registers there
	zpF2                        //
	zpX                         // memory at the sum of two registers and a displacement
	zpB                         // memory at a register and a displacement
	zpLong                      // a displacement of 20 bits
	zpAdd                       // the address is the result
	zpRRE                       // registers in the third and fourth byte
	zpAfter                     // the register after the first one, too
	zpGroup                     // the kind depends on more than the first byte
	zpBranch                    // a jump or branch
	zpPad                       // what fills space
	zpPlain                     // none of that
)

// zPlainOne has the kinds of opcodes by the first byte, or 0 for those that only the decoder knows. The
// others have those of the group B9 by the second byte, and of E3, EB and EC by the last one.
var zPlainOne, zPlainB9, zPlainE3, zPlainEB, zPlainEC = func() (one, b9, e3, eb, ec [256]zPlain) {
	set := func(t *[256]zPlain, k zPlain, ops string) {
		for _, b := range []byte(ops) {
			t[b] = k
		}
	}
	set(&one, zpR1|zpR2, "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1e\x1f")
	set(&one, zpR1|zpX, "\x40\x42\x43\x48\x49\x4a\x4b\x4c\x50\x54\x55\x56\x57\x58\x59\x5a\x5b\x5e\x5f\x71")
	set(&one, zpR1|zpX|zpAfter, "\x5c\x5d")
	set(&one, zpR1|zpX|zpAdd, "\x41")
	set(&one, zpF1|zpX, "\x60\x68\x70\x78")
	set(&one, zpR1, "\x88\x89\x8a\x8b\xc4")
	set(&one, zpB, "\x91\x92\x94\x95\x96\x97")
	set(&one, zpGroup, "\x07\x28\xa5\xa7\xb3\xb9\xc0\xc2\xc6\xd2\xd5\xd7\xe3\xe5\xeb\xec\xed")

	for op, c := range zB9 {
		switch c {
		case zNone, zR1, zR1 | zR2:
			b9[op] = zpRRE | zpR1 | zpR2
		case zPair:
			b9[op] = zpRRE | zpR1 | zpR2 | zpAfter
		}
	}
	b9[0x46] = 0 // bctgr

	set(&e3, zpR1|zpX|zpLong, "\x02\x04\x06\x08\x09\x0a\x0b\x0c\x12\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1e\x1f\x20\x21\x24\x2f\x30\x31\x32"+
		"\x34\x36\x38\x39\x3e\x3f\x50\x51\x53\x54\x55\x56\x57\x58\x59\x5a\x5b\x5e\x5f\x70\x72\x73\x76\x77\x78\x79\x7a\x7b\x7c"+
		"\x80\x81\x82\x88\x89\x90\x91\x94\x95\x98\x99")
	set(&e3, zpR1|zpX|zpLong|zpAfter, "\x5c\x86\x87\x96\x97\x0d\x1d")
	set(&e3, zpR1|zpX|zpLong|zpAdd, "\x71")

	set(&eb, zpR1|zpR2, "\x0a\x0b\x0c\x0d\x1c\x1d\xdc\xdd\xde\xdf")
	set(&eb, zpB|zpLong, "\x51\x52\x54\x55\x56\x57\x6a\x6e\x7a\x7e\xe3\xf3")
	set(&eb, zpR1|zpR2|zpB|zpLong, "\x14\x30\xe2\xe4\xe6\xe7\xe8\xea\xf2\xf4\xf6\xf7\xf8\xfa")

	set(&ec, zpBranch, "\x64\x65\x76\x77\x7c\x7d\x7e\x7f")
	set(&ec, zpR1|zpR2, "\x42\x46\x4e\x51\x54\x55\x56\x57\x59\x5d\xd8\xd9\xda\xdb")
	return one, b9, e3, eb, ec
}()

// plainS390x is the [Plain] of s390x.
func plainS390x(code []byte, off, end int, w *Watch) (at, n int, kind PlainFlow, regs uint32, base Reg, disp int32) {
	watched, marks, mark := w.Regs, w.Marks, w.Mark
	for off+6 <= len(code) {
		b := (*[6]byte)(code[off:])
		kind, regs, base, disp = PlainNext, 0, NoReg, 0
		k := zPlainOne[b[0]]
		if k&zpGroup != 0 {
			switch b[0] {
			case 0xb9:
				k = zPlainB9[b[1]]
			case 0xe3:
				k = zPlainE3[b[5]]
			case 0xeb:
				k = zPlainEB[b[5]]
			case 0xec:
				k = zPlainEC[b[5]]
			default:
				k = zPlainGroup(b)
			}
			if k&(zpBranch|zpPad) != 0 {
				if k&zpBranch != 0 {
					if kind, disp = zPlainBranch(b); kind == NotPlain {
						break
					}
					return off, zLength(b[0]), kind, 0, NoReg, disp
				}
				kind = PlainPad
			}
		}
		if k == 0 {
			break
		}
		r1, r2 := b[1]>>4, b[1]&15
		if k&zpRRE != 0 {
			regs = 1 << (b[2] >> 4)
			r1, r2 = b[3]>>4, b[3]&15
		}
		if k&zpR1 != 0 {
			regs |= 1 << (r1 & 15)
		}
		if k&zpR2 != 0 {
			regs |= 1 << (r2 & 15)
		}
		if k&(zpX|zpB) != 0 {
			x := b[2] >> 4
			disp = int32(b[2]&15)<<8 | int32(b[3])
			if k&zpLong != 0 {
				disp |= int32(int8(b[4])) << 12
			}
			if k&zpX != 0 && r2 != 0 {
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
		if k&(zpF1|zpF2|zpAfter|zpAdd) != 0 {
			switch {
			case k&zpF2 != 0:
				regs |= 1<<(zFloat[r1]&31) | 1<<(zFloat[r2]&31)
			case k&zpF1 != 0:
				regs |= 1 << (zFloat[r1] & 31)
			case k&zpAfter != 0:
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

// zPlainGroup returns the kind of an instruction with an opcode of more than a byte.
func zPlainGroup(b *[6]byte) zPlain {
	imm16, imm32 := int32(int16(binary.BigEndian.Uint16(b[2:]))), int32(binary.BigEndian.Uint32(b[2:]))
	has := false
	k := zpR1
	switch op := b[1] & 15; b[0] {
	case 0x07: // bcr, not taken
		k, has = zpPad, b[1]>>4 == 0
	case 0x28: // ldr
		k, has = zpF1|zpF2, true
	case 0xa5:
		has = op < 12 || op == 15 && imm16 >= 0 && isNumber(imm16)
	case 0xa7:
		switch op {
		case 4: // brc
			k, has = zPlainMask(b[1]), true
		case 8, 9: // lhi, lghi
			has = isNumber(imm16)
		default:
			has = op < 4 || op >= 10
		}
	case 0xb3:
		c := zB3[b[1]]
		k, has = zpRRE|zpR1|zpR2|zpF1|zpF2, c&^(zF|zR1) == 0 && b[1]&0xce != 0x0e && b[1]&0xf8 != 0x38
	case 0xc0:
		switch op {
		case 1, 15: // lgfi, llilf
			has = isNumber(imm32) && (op == 1 || imm32 >= 0)
		case 4: // brcl
			k, has = zPlainMask(b[1]), true
		default:
			has = op >= 6 && op < 14
		}
	case 0xc2:
		has = op < 2 || op > 3
	case 0xc6:
		has = op != 0
	case 0xd2, 0xd7: // mvc, xc
		k, has = zpB, b[1] < PlainSize && b[2]>>4 != 0
	case 0xd5: // clc
		k, has = zpPlain, true
	case 0xe5:
		k, has = zpB, b[1]&0xe2 == 0x40 || b[1]&0xf2 == 0x50
	case 0xed:
		switch {
		case b[5] < 0x20 && b[5]&14 != 14 && zED[b[5]]&^zF == 0:
			k, has = zpF1|zpX, true
		case b[5] >= 0x64 && b[5] < 0x68:
			k, has = zpF1|zpX|zpLong, true
		}
	}
	if !has {
		return 0
	}
	return k
}

// zPlainMask returns the kind of a relative branch under the mask in the second byte.
func zPlainMask(b byte) zPlain {
	if b>>4 == 0 {
		return zpPlain
	}
	return zpBranch
}

// zPlainBranch returns a relative branch.
func zPlainBranch(b *[6]byte) (kind PlainFlow, disp int32) {
	kind, disp = PlainBranch, 2*int32(int16(binary.BigEndian.Uint16(b[2:])))
	switch b[0] {
	case 0xc0:
		far := int32(binary.BigEndian.Uint32(b[2:]))
		if disp = 2 * far; disp/2 != far {
			return NotPlain, 0
		}
		fallthrough
	case 0xa7:
		if b[1]>>4 == 15 {
			kind = PlainJump
		}
	}
	return kind, disp
}
