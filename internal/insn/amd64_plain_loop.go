package insn

import "encoding/binary"

// x86Opcode says how [plainAMD64] finds the length and the registers of an instruction: 0 for one that
// x86PlainOne looks at. Its low 16 bits are all set if the operands name a register.
type x86Opcode uint32

const (
	oReg    x86Opcode = 1<<16 - 1
	oPrefix x86Opcode = 1 << 16 // an opcode with 0x0f follows
	oLea    x86Opcode = 1 << 17 // the address is the result
	oCommon x86Opcode = 1 << 18 // the byte of operands follows
	oByte   x86Opcode = 1 << 19 // operands have 1 byte
	oAlone  x86Opcode = 1 << 20 // no operands follow; rax and rdx are those
	oNot    x86Opcode = 1 << 21 // it is not plain
	oSize   x86Opcode = 1 << 24 // times the bytes of the number after the operands
)

// x86Opcodes has the opcodes, and those after 0x0f.
var x86Opcodes = func() (t [512]x86Opcode) {
	for b := range t {
		k := plainOne[b&255]
		if b >= 256 {
			k = plainTwo[b&255]
		}
		switch {
		case k&(kModRM|kGroup|kBranch|kConst|kPad|kRAX) == kModRM:
			t[b] = oCommon
		case k&(kModRM|kRAX) == kRAX:
			t[b] = oAlone
		case k == 0 && b != 0x0f:
			t[b] = oNot
			continue
		default:
			continue
		}
		if k&(kExt|kVectors|kRAX) == 0 {
			t[b] |= oReg
		}
		if k&kAddress != 0 {
			t[b] |= oLea
		}
		if k&kByte != 0 {
			t[b] |= oByte
		}
		switch {
		case k&kImm8 != 0:
			t[b] |= oSize
		case k&kImm != 0:
			t[b] |= 4 * oSize
		}
	}
	t[0x66], t[0xf2], t[0xf3] = oPrefix, oPrefix, oPrefix
	return t
}()

// x86Operand describes the byte of operands: the bits of the register that it has as base or second operand, from
// bit 16 on those of the first operand, and the length of the operands.
type x86Operand uint64

const (
	mSIB  x86Operand = 1 << 40 // a SIB byte follows
	mReg  x86Operand = 1 << 41 // both are registers
	mRIP  x86Operand = 1 << 42 // the address is relative to the PC
	mSize x86Operand = 1 << 32 // times the bytes of the operands
)

// Tables of x86Operands: the bits R and B of REX are 4 and 1, and byteTable is for operands of 1 byte without REX.
const byteTable = 2

var x86Operands = func() (t [8 << 8]x86Operand) {
	for m := range 256 {
		x, n := x86Operand(0), 1
		switch {
		case m >= 0xc0:
			x = mReg
		case m&7 == 4:
			x = mSIB
			n++
		case m&0xc7 == 5:
			x = mRIP
			n += 4
		}
		switch m >> 6 {
		case 1:
			n++
		case 2:
			n += 4
		}
		x |= x86Operand(n) * mSize
		for rex := range 8 {
			reg, rm := m>>3&7|rex&4<<1, m&7|rex&1<<3
			if rex == byteTable { // ah is a part of rax
				if reg &= 3; m >= 0xc0 {
					rm &= 3
				}
			}
			bits := x86Operand(x86Bit[reg]) << 16
			if x&(mSIB|mRIP) == 0 {
				bits |= x86Operand(x86Bit[rm])
			}
			t[rex<<8|m] = x | bits
		}
	}
	return t
}()

// plainAMD64 is the [Plain] of AMD64. The loop goes on with common instructions that name no register of
// w; x86PlainOne looks at others.
//
//go:noinline
func plainAMD64(code []byte, off, end int, w *Watch) (at, n int, kind PlainKind, regs uint32, base Reg, disp int32) {
	for limit := len(code) - MaxLen; off < limit; off += n {
		var not bool
		if off, not = x86Skip(code[:limit+MaxLen-8], off, end, w); not || off >= limit {
			break
		}
		n, kind, regs, base, disp = x86PlainOne((*[MaxLen + 1]byte)(code[off:]))
		if kind == NotPlain || kind >= PlainJump || off+n > end || w.Regs>>base&1 != 0 && !w.passes(regs, base, disp) || regs&w.Regs != 0 || off >= len(w.Marks) || w.Marks[off] != 0 {
			return off, n, kind, regs, base, disp
		}
		w.Marks[off] = w.Mark
	}
	return off, 0, NotPlain, 0, NoReg, 0
}

// x86Skip returns the offset of the first instruction, from one on, that x86PlainOne looks at, and whether it is
// not plain. More bytes follow the code.
func x86Skip(code []byte, off, end int, w *Watch) (at int, not bool) {
	marks, watched, mark := w.Marks, w.Regs, w.Mark
	for off < len(code)-8 && off < len(marks) && marks[off] == 0 {
		v := binary.LittleEndian.Uint64(code[off:])
		o, rex, next := x86Opcodes[uint8(v)], uint(0), off+1
		if o&oPrefix != 0 {
			v >>= 8
			next++
		}
		if v&0xf0 == 0x40 {
			rex = uint(v & 0xff)
			v >>= 8
			next++
			if o&oPrefix == 0 {
				o = x86Opcodes[uint8(v)]
			}
		}
		if v&0xff == 0x0f {
			v >>= 8
			next++
			o = x86Opcodes[v&0xff|256]
		}
		if o&(oCommon|oAlone) == 0 {
			return off, o&oNot != 0
		}
		matters := uint32(1<<rax | 1<<rdx)
		if o&oCommon != 0 {
			table := rex & 5
			if rex == 0 && o&oByte != 0 {
				table = byteTable
			}
			m := x86Operands[table<<8|uint(v>>8&0xff)]
			next += int(m / mSize & 15)
			matters = uint32(m)&0xffff | uint32(m)>>16&uint32(o)
			if m&mSIB != 0 {
				sib := uint(v >> 16 & 0xff)
				if v&0xc000 == 0 && sib&7 == 5 {
					break
				}
				if matters |= x86Bit[sib&7|rex&1<<3]; sib>>3&7|rex&2<<2 != 4 {
					matters |= x86Bit[sib>>3&7|rex&2<<2]
				}
			}
			if o&oLea != 0 && m&(mReg|mRIP) != 0 {
				break
			}
		}
		if next += int(o / oSize); matters&watched != 0 || next > end {
			break
		}
		marks[off] = mark
		off = next
	}
	return off, false
}
