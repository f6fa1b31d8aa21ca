package insn

import "encoding/binary"

// A kind of an opcode of AMD64 says how [plainAMD64] finds its length and registers.
type plainKind uint16

const (
	kModRM   plainKind = 1 << iota // operands follow, which are as below
	kImm8                          // a number of 1 byte follows the operands
	kImm                           // one of 2 or 4 bytes
	kVector                        // the register operand is a vector
	kVectors                       // both operands are, unless one is in memory
	kByte                          // operands have 1 byte
	kMemory                        // one operand is in memory
	kRAX                           // rax and rdx are operands, too
	kGroup                         // the instruction depends on the register operand: see plainGroup
)

// plainOne and plainTwo have the kinds of opcodes, and those after 0x0f, or 0 for instructions that
// only the decoder knows.
var plainOne, plainTwo = func() (one, two [256]plainKind) {
	set := func(t *[256]plainKind, k plainKind, ops string) {
		for _, b := range []byte(ops) {
			t[b] = k
		}
	}
	for b := 0; b < 0x40; b += 8 {
		for j, k := range [...]plainKind{kModRM | kByte, kModRM, kModRM | kByte, kModRM, kRAX | kImm8, kRAX | kImm} {
			one[b+j] = k
		}
	}
	set(&one, kModRM, "\x63\x85\x87\x89\x8b\xd1\xd3")
	set(&one, kModRM|kByte, "\x84\x86\x88\x8a\xd0\xd2")
	set(&one, kModRM|kImm8, "\x6b\x83\xc1")
	set(&one, kModRM|kImm8|kByte, "\x80\xc0")
	set(&one, kModRM|kImm, "\x69\x81")
	set(&one, kModRM|kMemory, "\x8d")
	set(&one, kRAX|kImm8, "\xa8")
	set(&one, kRAX|kImm, "\xa9")
	set(&one, kRAX, "\x98\x99")
	set(&one, kGroup|kByte, "\xc6\xf6\xfe")
	set(&one, kGroup, "\xc7\xf7\xff")

	set(&two, kModRM|kVectors, "\x10\x11\x14\x15\x16\x28\x29\x2e\x2f\x51\x54\x55\x56\x57\x58\x59\x5a\x5b\x5c\x5d\x5e\x5f"+
		"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6f\x74\x75\x76\x7f"+
		"\xd4\xd6\xd8\xdb\xdc\xde\xdf\xeb\xef\xf4\xfa\xfb\xfc\xfd\xfe")
	set(&two, kModRM|kVectors|kImm8, "\x70\xc2\xc6")
	set(&two, kModRM|kVector, "\x2a\x6e\x7e")
	set(&two, kModRM, "\x1f\x2c\x2d\x40\x41\x42\x43\x44\x45\x46\x47\x48\x49\x4a\x4b\x4c\x4d\x4e\x4f"+
		"\xa3\xa5\xab\xad\xaf\xb3\xb6\xb7\xb8\xbb\xbc\xbd\xbe\xbf\xc1")
	set(&two, kModRM|kByte, "\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f")
	set(&two, kModRM|kImm8, "\xa4\xac\xba")
	set(&two, kModRM|kRAX, "\xb1")
	return one, two
}()

// plainGroup returns the kind of an opcode of a group, by the byte of operands.
func plainGroup(op, modrm uint8, k plainKind) plainKind {
	ext := modrm >> 3 & 7
	k = k&kByte | kModRM
	switch {
	case op&0xfe == 0xc6 && ext == 0 && modrm < 0xc0, op&0xfe == 0xf6 && ext == 0: // not the constant of a register
		if k&kByte != 0 {
			return k | kImm8
		}
		return k | kImm
	case op&0xfe == 0xf6 && ext >= 4:
		return k | kRAX
	case op&0xfe == 0xf6 && ext >= 2, op&0xfe == 0xfe && ext < 2:
		return k
	}
	return 0
}

// plainAMD64 is the [Plain] of AMD64.
func plainAMD64(code []byte) (n int, regs uint32, base Reg, disp int32) {
	if len(code) < MaxLen+1 {
		return 0, 0, NoReg, 0
	}
	b, p := code[0], 1
	imm := 4
	prefix := b
	switch b {
	case 0x66, 0xf2, 0xf3:
		if b == 0x66 {
			imm = 2
		}
		b, p = code[1], 2
	}
	rex := uint8(0)
	if b&0xf0 == 0x40 {
		rex = b
		b = code[p]
		p++
		if rex&8 != 0 {
			imm = 4
		}
	}
	k := plainOne[b]
	if b == 0x0f {
		b = code[p]
		p++
		k = plainTwo[b]
	} else if prefix >= 0xf2 {
		k = 0 // repeated, or an elided lock
	} else if k&kGroup != 0 {
		k = plainGroup(b, code[p], k)
	}
	if k == 0 {
		return 0, 0, NoReg, 0
	}
	base = NoReg
	if k&kModRM != 0 {
		if n, regs, base, disp = plainOperands(code[p:], rex, k); n == 0 {
			return 0, 0, NoReg, 0
		}
		p += n
	}
	if k&kRAX != 0 {
		regs |= 1<<rax | 1<<rdx
	}
	if k&kImm8 != 0 {
		p++
	} else if k&kImm != 0 {
		p += imm
	}
	return p, regs, base, disp
}

// plainOperands returns the length of the byte of operands with what belongs to it, and the operands.
// It returns 0 for an operand that is an address or may be in a table.
func plainOperands(code []byte, rex uint8, k plainKind) (n int, regs uint32, base Reg, disp int32) {
	b := code[0]
	mod, reg, rm := b>>6, b>>3&7|rex&4<<1, b&7|rex&1<<3
	if k&kByte != 0 && rex == 0 {
		reg &= 3 // ah is a part of rax
	}
	if k&(kVector|kVectors) == 0 {
		regs = 1 << dwarf[reg&15]
	}
	if mod == 3 {
		switch {
		case k&kMemory != 0:
			return 0, 0, NoReg, 0
		case k&kByte != 0 && rex == 0:
			rm &= 3
		}
		if k&kVectors == 0 {
			regs |= 1 << dwarf[rm&15]
		}
		return 1, regs, NoReg, 0
	}
	n, base = 1, dwarf[rm&15]
	switch {
	case b&7 == 4:
		sib := code[1]
		n, base = 2, dwarf[sib&7|rex&1<<3]
		if sib&7 == 5 && mod == 0 {
			return 0, 0, NoReg, 0
		}
		if index := sib>>3&7 | rex&2<<2; index != 4 {
			if k&kMemory != 0 {
				regs |= 1<<base | 1<<dwarf[index]
			}
			base = NoReg
		}
	case b&7 == 5 && mod == 0:
		if k&kMemory != 0 {
			return 0, 0, NoReg, 0
		}
		return 5, regs, NoReg, 0
	}
	if k&kMemory != 0 && base != NoReg { // the address is the result
		regs |= 1 << base
		base = NoReg
	}
	switch mod {
	case 1:
		disp = int32(int8(code[n]))
		n++
	case 2:
		disp = int32(binary.LittleEndian.Uint32(code[n:]))
		n += 4
	}
	return n, regs, base, disp
}
