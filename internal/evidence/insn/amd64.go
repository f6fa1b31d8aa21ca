package insn

import "encoding/binary"

// DWARF numbers of AMD64 registers. scratch is for intermediate values of one instruction.
const (
	rax Reg = iota
	rdx
	rcx
	rbx
	rsi
	rdi
	rbp
	rsp
	r8
	r11     Reg = 11
	scratch Reg = 17
)

// dwarf has the DWARF numbers of registers by the number that instructions have.
var dwarf = [16]Reg{rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, 8, 9, 10, 11, 12, 13, 14, 15}

// x86 is an instruction that is being decoded.
type x86 struct {
	code []byte
	pc   uint64
	*Insn
	p   int  // bytes decoded
	cut bool // the instruction ends beyond the code

	rexW, rex             bool
	rexR, rexX, rexB      uint8 // to be added to a number: 0, 8, 16 or 24
	op16, addr32, segment bool
	rep                   uint8 // 0, 0xf2 or 0xf3: the last of the prefixes
	vvvv                  uint8 // of VEX and EVEX
	vector                int   // bytes of a vector; 0 without VEX and EVEX
	evex                  bool

	mod, reg, rm uint8 // with the extensions of the prefixes; mod 3: rm is a register
	ext          uint8 // reg without extension
	mem
}

// mem is an operand in memory. Plain says that it is at base + disp.
type mem struct {
	plain       bool
	base, index Reg
	scale       uint8 // shift
	disp        int64
	rip         bool // disp counts from the end of the instruction
	dispAt      int  // of a 4-byte displacement; 0 for none
}

// AMD64 decodes AMD64 instructions.
func AMD64(code []byte, pc uint64, i *Insn) {
	i.reset(0)
	if i.x86Common(code, pc) {
		return
	}
	x := x86{code: code[:min(len(code), MaxLen)], pc: pc, Insn: i}
	x.decode()
	if x.cut || i.Flow == Bad {
		i.reset(1)
		i.Flow, i.Access = Bad, Reads|Writes
		return
	}
	i.Len = uint8(x.p)
	end := pc + uint64(x.p)
	switch i.Flow {
	case Jump, Branch, Call:
		i.Target += end
	case IndirectJump, IndirectCall:
		if x.rip && i.TargetLen > 0 {
			i.Target += end
		}
	}
	if x.rip && i.TargetLen > 0 && i.N > 0 && i.Ops[0].Do == Const {
		i.Ops[0].Off += int64(end)
	}
}

// x86Common decodes push, pop, ret and call without prefixes but REX: they are most of what [plainAMD64]
// leaves to the decoder.
func (i *Insn) x86Common(code []byte, pc uint64) bool {
	b, n, rexB := code[0], 1, uint8(0)
	if b == 0x41 && len(code) > 1 {
		b, n, rexB = code[1], 2, 8
	}
	switch {
	case b&0xf8 == 0x50:
		i.x86Push(dwarf[b&7|rexB])
	case b&0xf8 == 0x58:
		i.x86Pop(dwarf[b&7|rexB])
	case b == 0xc3:
		i.Flow = Return
	case b == 0xe8 && n == 1 && len(code) >= 5:
		n = 5
		i.Flow, i.TargetOff, i.TargetLen = Call, 1, 4
		i.Target = pc + 5 + uint64(int32(binary.LittleEndian.Uint32(code[1:])))
	default:
		return false
	}
	i.Len = uint8(n)
	return true
}

func (x *x86) bad() { x.Flow = Bad }

func (x *x86) byte() uint8 {
	if x.p >= len(x.code) {
		x.cut = true
		return 0
	}
	x.p++
	return x.code[x.p-1]
}

// imm reads a signed number of 1, 2, 4 or 8 bytes.
func (x *x86) imm(n int) int64 {
	if x.p+n > len(x.code) {
		x.cut = true
		return 0
	}
	b := x.code[x.p:]
	x.p += n
	switch n {
	case 1:
		return int64(int8(b[0]))
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(b)))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b)))
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// immz reads an immediate of the operand's size, of at most 4 bytes.
func (x *x86) immz() int64 {
	return x.imm(min(x.width(), 4))
}

// width returns the bytes of an operand of the usual size.
func (x *x86) width() int {
	switch {
	case x.rexW:
		return 8
	case x.op16:
		return 2
	}
	return 4
}

func (x *x86) decode() {
	rex := uint8(0)
	for {
		b := x.byte()
		if x.cut {
			return
		}
		switch {
		case b&0xf0 == 0x40:
			rex = b
			continue
		case b == 0x66:
			x.op16 = true
		case b == 0xf2 || b == 0xf3:
			x.rep = b
		case b == 0x67:
			x.addr32 = true
		case b == 0x64 || b == 0x65:
			x.segment = true
		case b == 0x2e || b == 0x36 || b == 0x3e || b == 0x26 || b == 0xf0:
		default:
			if rex != 0 {
				x.setREX(rex)
			}
			x.opcode(b)
			return
		}
		rex = 0 // it counts if the opcode follows
	}
}

func (x *x86) peek() uint8 {
	if x.p < len(x.code) {
		return x.code[x.p]
	}
	return 0
}

func (x *x86) setREX(b uint8) {
	x.rex, x.rexW = true, b&8 != 0
	x.rexR, x.rexX, x.rexB = b&4<<1, b&2<<2, b&1<<3
}

func (x *x86) opcode(b uint8) {
	switch b {
	case 0x0f:
		x.escape(x.byte())
	case 0xc4, 0xc5:
		x.vex(b)
	case 0x62:
		x.evexPrefix()
	case 0xd5:
		x.rex2()
	case 0x8f:
		if x.peek()&0x1f >= 8 { // XOP
			x.xop()
			return
		}
		x.one(b)
	default:
		x.one(b)
	}
}

// escape decodes what follows an 0x0f.
func (x *x86) escape(b uint8) {
	switch b {
	case 0x38:
		x.map38(x.byte())
	case 0x3a:
		x.map3a(x.byte())
	default:
		x.two(b)
	}
}

// modrm reads the byte of operands, and a SIB byte and displacement if they follow.
func (x *x86) modrm() {
	b := x.byte()
	x.mod, x.ext = b>>6, b>>3&7
	x.reg, x.rm = x.ext|x.rexR, b&7|x.rexB
	if x.mod == 3 {
		return
	}
	x.base, x.index, x.Access = NoReg, NoReg, Reads
	switch {
	case b&7 == 4:
		x.sib(x.byte())
	case b&7 == 5 && x.mod == 0:
		x.rip = true
	default:
		x.base = gpr(x.rm)
		x.plain = x.rm < 16
	}
	switch {
	case x.mod == 1:
		x.disp = x.imm(1)
	case x.mod == 2 || x.rip || x.dispAt < 0:
		x.dispAt = x.p
		x.disp = x.imm(4)
	}
	if x.addr32 || x.segment {
		x.plain, x.rip, x.base, x.index, x.dispAt = false, false, NoReg, NoReg, 0
	}
}

func (x *x86) sib(b uint8) {
	index, base := b>>3&7|x.rexX, b&7|x.rexB
	x.scale = b >> 6
	if index != 4 {
		x.index = gpr(index)
	}
	if b&7 == 5 && x.mod == 0 {
		x.dispAt = -1 // a displacement follows
		return
	}
	x.base = gpr(base)
	x.plain = index == 4 && base < 16
}

// gpr returns the register with a number of an instruction; NoReg for those of APX.
func gpr(n uint8) Reg {
	if n < 16 {
		return dwarf[n]
	}
	return NoReg
}

// gprOf returns the register of which an operand of size bytes is a part.
func (x *x86) gprOf(n uint8, size int) Reg {
	if size == 1 && !x.rex && n >= 4 && n < 8 {
		n -= 4 // ah, ch, dh, bh
	}
	return gpr(n)
}
