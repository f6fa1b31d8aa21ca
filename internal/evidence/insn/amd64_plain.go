package insn

import "encoding/binary"

// A kind of an opcode of AMD64 says how [x86PlainOne] finds its length and registers.
type x86Plain uint32

const (
	kModRM   x86Plain = 1 << iota // operands follow, which are as below
	kImm8                         // a number of 1 byte follows the operands
	kImm                          // one of 2 or 4 bytes
	kExt                          // there is no register operand
	kVectors                      // both operands are vectors, unless one is in memory
	kByte                         // operands have 1 byte
	kAddress                      // the address of one operand is the result
	kRAX                          // rax and rdx are operands, too
	kGroup                        // the instruction depends on the byte of operands: see x86PlainGroup
	kBranch                       // a jump or branch
	kJump                         // with kBranch: a jump
	kPad                          // what fills space
	kConst                        // a constant follows, for the register in the opcode
)

// plainOne and plainTwo have the kinds of opcodes, and those after 0x0f, or 0 for instructions that
// only the decoder knows.
var plainOne, plainTwo = func() (one, two [256]x86Plain) {
	set := func(t *[256]x86Plain, k x86Plain, ops string) {
		for _, b := range []byte(ops) {
			t[b] = k
		}
	}
	for b := 0; b < 0x40; b += 8 {
		for j, k := range [...]x86Plain{kModRM | kByte, kModRM, kModRM | kByte, kModRM, kRAX | kImm8, kRAX | kImm} {
			one[b+j] = k
		}
	}
	one[0] = 0 // zeros fill space
	for b := range 16 {
		one[0x70+b], two[0x80+b] = kBranch|kImm8, kBranch
	}
	set(&one, kModRM, "\x63\x85\x87\x89\x8b")
	set(&one, kModRM|kExt, "\xd1\xd3")
	set(&one, kModRM|kByte, "\x84\x86\x88\x8a")
	set(&one, kModRM|kExt|kByte, "\xd0\xd2")
	set(&one, kModRM|kImm8, "\x6b")
	set(&one, kModRM|kExt|kImm8, "\x83\xc1")
	set(&one, kModRM|kExt|kImm8|kByte, "\x80\xc0")
	set(&one, kModRM|kImm, "\x69")
	set(&one, kModRM|kExt|kImm, "\x81")
	set(&one, kModRM|kAddress, "\x8d")
	set(&one, kRAX|kImm8, "\xa8")
	set(&one, kRAX|kImm, "\xa9")
	set(&one, kRAX, "\x98\x99")
	set(&one, kConst, "\xb8\xb9\xba\xbb\xbc\xbd\xbe\xbf")
	set(&one, kBranch|kJump|kImm8, "\xeb")
	set(&one, kBranch|kJump, "\xe9")
	set(&one, kPad, "\x90")
	set(&one, kGroup|kByte, "\xc6\xf6\xfe")
	set(&one, kGroup, "\xc7\xf7\xff")

	set(&two, kModRM|kVectors, "\x10\x11\x14\x15\x16\x28\x29\x2e\x2f\x51\x54\x55\x56\x57\x58\x59\x5a\x5b\x5c\x5d\x5e\x5f"+
		"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6f\x74\x75\x76\x7f"+
		"\xd4\xd6\xd8\xdb\xdc\xde\xdf\xeb\xef\xf4\xfa\xfb\xfc\xfd\xfe")
	set(&two, kModRM|kVectors|kImm8, "\x70\xc2\xc6")
	set(&two, kModRM|kExt, "\x18\x2a\x6e\x7e")
	set(&two, kModRM|kExt|kPad, "\x1f")
	set(&two, kModRM, "\x2c\x2d\x40\x41\x42\x43\x44\x45\x46\x47\x48\x49\x4a\x4b\x4c\x4d\x4e\x4f"+
		"\xa3\xa5\xab\xad\xaf\xb3\xb6\xb7\xb8\xbb\xbc\xbd\xbe\xbf\xc1")
	set(&two, kModRM|kExt|kByte, "\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f")
	set(&two, kModRM|kImm8, "\xa4\xac")
	set(&two, kModRM|kExt|kImm8, "\xba")
	set(&two, kModRM|kRAX, "\xb1")
	return one, two
}()

// x86PlainGroup returns the kind of an opcode of a group, by the byte of operands.
func x86PlainGroup(op, modrm uint8, k x86Plain) x86Plain {
	ext := modrm >> 3 & 7
	k = k&kByte | kModRM | kExt
	switch {
	case op&0xfe == 0xc6 && ext == 0 && modrm < 0xc0, op&0xfe == 0xf6 && ext == 0:
		if k&kByte != 0 {
			return k | kImm8
		}
		return k | kImm
	case op == 0xc7 && ext == 0:
		return kConst | kModRM
	case op&0xfe == 0xf6 && ext >= 4:
		return k | kRAX
	case op&0xfe == 0xf6 && ext >= 2, op&0xfe == 0xfe && ext < 2:
		return k
	}
	return 0
}

// x86Bit has the bits of registers.
var x86Bit = [16]uint32{
	1 << rax, 1 << rcx, 1 << rdx, 1 << rbx, 1 << rsp, 1 << rbp, 1 << rsi, 1 << rdi,
	1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15,
}

// plainAMD64 is the [Plain] of AMD64.
func plainAMD64(code []byte, off, end int, w *Watch) (at, n int, kind PlainFlow, regs uint32, base Reg, disp int32) {
	for ; off < len(code)-MaxLen; off += n {
		n, kind, regs, base, disp = x86PlainOne((*[MaxLen + 1]byte)(code[off:]))
		if kind == NotPlain || kind >= PlainJump || off+n > end || !w.Passes(regs, base, disp) || off >= len(w.Marks) || w.Marks[off] != 0 {
			return off, n, kind, regs, base, disp
		}
		w.Marks[off] = w.Mark
	}
	return off, 0, NotPlain, 0, NoReg, 0
}

// x86PlainOne recognises one instruction.
func x86PlainOne(c *[MaxLen + 1]byte) (n int, kind PlainFlow, regs uint32, base Reg, disp int32) {
	b, p, rex, imm := c[0], 1, uint8(0), 4
	if b&0xf0 == 0x40 {
		b, p, rex = c[1], 2, b
	}
	k := plainOne[b]
	if b == 0x0f {
		b = c[p]
		p++
		k = plainTwo[b]
	}
	kind, base = PlainNext, NoReg
	if k == 0 || k&(kGroup|kBranch|kConst|kPad) != 0 {
		if k, b, p, imm, rex = x86PlainRare(c, k, b, p, rex); k == 0 {
			return 0, NotPlain, 0, NoReg, 0
		}
		switch {
		case k&kBranch != 0:
			n, kind, disp = x86PlainBranch(c, k, p)
			return n, kind, 0, NoReg, disp
		case k&kPad != 0:
			kind = PlainPad
		}
	}
	if k&kModRM != 0 {
		m := c[p&MaxLen]
		p++
		switch rm := m&7 | rex&1<<3; {
		case m >= 0xc0:
			if k&kByte != 0 && rex == 0 {
				rm &= 3 // ah is a part of rax
			}
			if k&kVectors == 0 {
				regs = x86Bit[rm]
			}
		case m&7 == 4:
			if regs, base, p = x86PlainIndex(c, m, rex, p); base == NoReg && regs == 0 {
				return 0, NotPlain, 0, NoReg, 0
			}
			if k&kAddress == 0 {
				regs = 0
			}
		case m&0xc7 == 5: // relative to the PC
			if k&kAddress != 0 {
				return 0, NotPlain, 0, NoReg, 0
			}
			p += 4
		default:
			base = dwarf[rm]
		}
		switch m >> 6 {
		case 1:
			disp = int32(int8(c[p&MaxLen]))
			p++
		case 2:
			disp = int32(binary.LittleEndian.Uint32(c[p:]))
			p += 4
		}
		if k&(kExt|kVectors) == 0 {
			reg := m>>3&7 | rex&4<<1
			if k&kByte != 0 && rex == 0 {
				reg &= 3
			}
			regs |= x86Bit[reg]
		}
		switch {
		case k&kPad != 0:
			regs, base, disp = 0, NoReg, 0
		case k&kConst != 0:
			b = m
		case k&kAddress == 0:
		case m >= 0xc0:
			return 0, NotPlain, 0, NoReg, 0
		case base != NoReg: // the address is the result
			regs, base = regs|1<<base, NoReg
		}
	}
	switch {
	case k&kImm8 != 0:
		p++
	case k&kImm != 0:
		p += imm
	case k&kConst != 0:
		if !isNumber(int32(binary.LittleEndian.Uint32(c[p:]))) {
			return 0, NotPlain, 0, NoReg, 0
		}
		regs = x86Bit[b&7|rex&1<<3]
		p += 4
	}
	if k&kRAX != 0 {
		regs |= 1<<rax | 1<<rdx
	}
	return p, kind, regs, base, disp
}

// x86PlainRare continues with an instruction that has prefixes, or an opcode that needs another look.
func x86PlainRare(code *[MaxLen + 1]byte, k x86Plain, b uint8, p int, rex uint8) (x86Plain, uint8, int, int, uint8) {
	imm := 4
	prefix := uint8(0)
	if p == 1 {
		switch b {
		case 0x66:
			for imm = 2; p < 3 && (code[p] == 0x66 || code[p] == 0x2e); p++ {
			}
			prefix = b
		case 0xf2, 0xf3:
			prefix = b
		}
		if prefix != 0 {
			if b = code[p]; b&0xf0 == 0x40 {
				rex = b
				p++
				b = code[p]
				if rex&8 != 0 {
					imm = 4
				}
			}
			p++
			if k = plainOne[b]; b == 0x0f {
				b = code[p]
				p++
				k = plainTwo[b]
			} else if prefix >= 0xf2 {
				return 0, 0, 0, 0, 0 // repeated, or an elided lock
			}
		}
	}
	if k&kGroup != 0 {
		k = x86PlainGroup(b, code[p], k)
	}
	switch {
	case k&kBranch != 0 && (prefix|rex) != 0, k&kConst != 0 && (prefix != 0 || rex&8 != 0 && k&kModRM == 0),
		k&(kPad|kModRM) == kPad && rex != 0:
		k = 0
	}
	return k, b, p, imm, rex
}

// x86PlainBranch returns the jump or branch whose target is at p.
func x86PlainBranch(code *[MaxLen + 1]byte, k x86Plain, p int) (n int, kind PlainFlow, disp int32) {
	kind = PlainBranch
	if k&kJump != 0 {
		kind = PlainJump
	}
	if k&kImm8 != 0 {
		return p + 1, kind, int32(p+1) + int32(int8(code[p]))
	}
	return p + 4, kind, int32(p+4) + int32(binary.LittleEndian.Uint32(code[p:]))
}

// x86PlainIndex reads the byte at p of an address with a base and perhaps an index, after the byte m of
// operands. It returns both registers, the base if it is the only one, and the next offset: no register
// for an address that may be in a table.
func x86PlainIndex(code *[MaxLen + 1]byte, m, rex uint8, p int) (regs uint32, base Reg, next int) {
	sib := code[p&MaxLen]
	if sib&7 == 5 && m < 0x40 {
		return 0, NoReg, p
	}
	base = dwarf[sib&7|rex&1<<3]
	if index := sib>>3&7 | rex&2<<2; index != 4 {
		return 1<<base | x86Bit[index], NoReg, p + 1
	}
	return 0, base, p + 1
}
