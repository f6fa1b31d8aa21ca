package insn

import (
	"encoding/binary"
	"math/bits"
)

// Registers of s390x. The floating-point registers are 16 to 31; see zFloat.
const (
	zLR Reg = 14
	zSP Reg = 15
)

// zFloat has the DWARF numbers of f0 to f15.
var zFloat = [16]Reg{16, 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31}

// zInsn is an instruction that is being decoded. The bytes after its end are zero.
type zInsn struct {
	*Insn
	b          [6]byte
	pc         uint64
	form       zForm
	r1, r2, r3 Reg
	index      Reg // what is added to the base, 0 for none
	base       Reg // the only register that addresses the operand in memory, NoReg for two or none
	disp       int64
}

// S390x is the [Decoder] of s390x. [zRows] describes the effects of the instructions.
func S390x(code []byte, pc uint64, i *Insn) {
	n := zLength(code[0])
	i.reset(n)
	if len(code) < n {
		i.Len, i.Flow, i.Access = uint8(min(len(code), 2)), Bad, Reads|Writes
		return
	}
	z := zInsn{Insn: i, pc: pc}
	copy(z.b[:], code[:n])
	t := zTable()
	row := &t.rows[t.row[t.index(&z.b)]]
	z.form, z.r1, z.r2, z.r3 = row.form, z.hi(1), z.lo(1), z.hi(2)
	switch {
	case row.form&zRRE != 0:
		z.r1, z.r2 = z.hi(3), z.lo(3)
	case row.form&zRRD != 0:
		z.r1 = z.hi(2)
	case row.form&zRXF != 0:
		z.r1 = z.hi(4)
	}
	if row.form&zX != 0 {
		z.index = z.lo(1)
	}
	if z.base = z.index | z.hi(2); z.base == 0 || z.index != 0 && z.hi(2) != 0 {
		z.base = NoReg
	}
	z.disp = int64(binary.BigEndian.Uint16(z.b[2:]) & 0xfff)
	if row.form&zFar != 0 {
		z.disp |= int64(int8(z.b[4])) << 12
	}
	if row.form&zMem != 0 {
		i.Access = Reads | Writes
	}
	switch row.do {
	case "":
		z.spill(row.n)
	case "exrl":
		z.execute(code)
		return
	default:
		z.memory(row.do, row.n)
	}
	z.sets(row.sets)
	if i.Flow == Next && row.form&zKeep == 0 {
		i.flags()
	}
}

// zLength returns the length of an instruction by its first byte.
func zLength(b byte) int { return 2 + (int(b>>6)+1)&^1 } // 2, 4, 4 or 6

// hi and lo return the registers that the two digits of a byte name.
func (z *zInsn) hi(k int) Reg { return Reg(z.b[k] >> 4) }
func (z *zInsn) lo(k int) Reg { return Reg(z.b[k] & 15) }

// imm returns the constant or distance.
func (z *zInsn) imm() int64 {
	n, size := int64(int32(binary.BigEndian.Uint32(z.b[2:]))), 32
	if z.form&zImm32 == 0 {
		n, size = n>>16, 16
	}
	if z.form&zUnsigned != 0 {
		n &= 1<<size - 1
	}
	return n
}

// relative sets a target, which is a signed number of halfwords.
func (z *zInsn) relative(flow Flow) {
	z.Flow, z.Target, z.TargetOff, z.TargetLen = flow, z.pc+uint64(z.imm()*2), 2, 2
	if z.form&zImm32 != 0 {
		z.TargetLen = 4
	}
}

// execute is exrl. The target is followed where it is unchanged (R1 is 0) and in code: a branch thunk. What it
// does to registers is that of the target otherwise, which is a copy of memory.
func (z *zInsn) execute(code []byte) {
	off := z.imm() * 2
	z.Copied = z.pc + uint64(off)
	if z.hi(1) != 0 || off < 6 || off >= int64(len(code)) || code[off] == 0x44 || code[off] == 0xc6 {
		return
	}
	n, copied := z.Len, z.Copied
	if S390x(code[off:], z.pc, z.Insn); z.Target != 0 || z.Flow == Bad {
		z.reset(int(n)) // what is relative counts from the target's own address
	}
	z.Len, z.Copied = n, copied
}

// condition sets a relative branch under a mask of condition codes: 0 (equal), 1 (low), 2 (high) and 3.
func (z *zInsn) condition(mask byte) {
	switch mask {
	case 0:
		return
	case 15:
		z.relative(Jump)
		return
	}
	z.relative(Branch)
	switch mask &^ 1 {
	case 8:
		z.Equal = ToTarget
	case 6:
		z.Equal = ToNext
	case 2:
		z.Above = ToTarget
	case 12:
		z.Above = ToNext
	}
}

// indirect sets a branch to the address in r under a mask of condition codes.
func (z *zInsn) indirect(flow Flow, r Reg, mask byte) {
	if mask == 0 || r == 0 {
		return
	}
	z.Flow, z.Via, z.Cond = flow, r, mask != 15
	if flow == IndirectJump && r == zLR {
		z.Flow = Return
	}
}

// address sets a branch to the address of the format RX or RXY.
func (z *zInsn) address(flow Flow, mask byte) {
	if mask == 0 {
		return
	}
	z.Flow, z.Via, z.Cond = flow, NoReg, mask != 15
	x, b := z.lo(1), z.hi(2)
	switch r := z.base; {
	case z.disp != 0:
	case r != NoReg:
		z.indirect(flow, r, mask)
	case flow == IndirectJump && mask == 15 && x != 0 && x != b:
		// A jump table: one register has the entry, the other one the address that it counts
		// from. Neither is used again.
		z.add(Add, x, b, 0)
		z.Via = x
	}
}

// jump sets a branch under a mask of condition codes to what the format names.
func (z *zInsn) jump(mask byte) {
	switch {
	case z.form&zRelative != 0:
		z.condition(mask)
	case z.form&zX != 0:
		z.address(IndirectJump, mask)
	default:
		z.indirect(IndirectJump, z.r2, mask)
	}
}

// branch has the instructions that may not go on.
func (z *zInsn) branch(do string, n int) {
	r1, r2 := z.r1, z.r2
	switch do {
	case "stop":
		z.Flow, z.Pad = Stop, z.b[0] == 0
	case "branch":
		z.Pad = z.form&zPad != 0 && r1 == 0
		z.jump(byte(r1))
	case "count":
		if n == 8 {
			z.add(Move, r1, r1, -1)
		} else {
			z.add(Clobber, r1, 0, 0)
		}
		z.jump(1)
	case "loop":
		z.add(Clobber, r1, 0, 0)
		if z.jump(1); z.form&zRelative == 0 {
			z.Flow, z.Via, z.Cond = IndirectJump, NoReg, true
		}
	case "call":
		if r2 == 0 {
			z.add(Const, r1, 0, int64(z.pc)+2)
		} else {
			z.add(Clobber, r1, 0, 0)
			z.indirect(IndirectCall, r2, 15)
		}
	case "bas":
		z.add(Clobber, r1, 0, 0)
		z.address(IndirectCall, 15)
	case "bras": // over a literal pool, if it is not the usual register
		if z.Len == 4 && r1 != zLR {
			z.add(Const, r1, 0, int64(z.pc)+4)
			z.relative(Jump)
		} else {
			z.add(Clobber, r1, 0, 0)
			z.relative(Call)
		}
	case "bsm":
		if r1 != 0 {
			z.add(Clobber, r1, 0, 0)
		}
		z.indirect(IndirectJump, r2, 15)
	case "bic":
		if r1 != 0 {
			z.Flow, z.Cond = IndirectJump, r1 != 15
		}
	case "crj":
		z.compareAndBranch()
	case "crb":
		z.Flow, z.Cond = IndirectJump, true
		if z.disp == 0 {
			z.indirect(IndirectJump, z.hi(2), 1)
		}
	case "svc":
		z.System = true
		z.add(Clobber, 2, 0, 0)
	default:
		panic("no effect " + do) // zRows is wrong
	}
}

// compareAndBranch is crj, cij and others. The last bit of their opcodes is set for a comparison of unsigned numbers.
func (z *zInsn) compareAndBranch() {
	unsigned := z.b[5]&1 != 0
	mask := z.b[4] >> 4
	switch imm := int64(z.b[4]); {
	case z.b[5] < 0x66: // cgrj, clgrj
		z.add(Compare, z.r1, z.r2, 0)
	case z.b[5] < 0x78: // crj, clrj: of 32 bits
		z.flags()
		mask = 1
	default:
		if !unsigned {
			imm = int64(int8(imm))
		}
		z.add(Compare, z.r1, NoReg, imm)
		mask = byte(z.r2)
	}
	z.condition(mask&14 | 1)
	if z.Flow = Branch; !unsigned {
		z.Above = NoWay
	}
}

// constant has the instructions with a constant operand.
func (z *zInsn) constant(do string, n int) {
	r1, imm := z.r1, z.imm()
	switch do {
	case "const":
		z.add(Const, r1, 0, imm<<n)
	case "insert":
		z.add(Insert, r1, Reg(48-16*(z.b[1]&3)), imm)
	case "align": // if the mask keeps all but a few low bits
		if imm < 0 && bits.OnesCount64(uint64(-imm)) == 1 {
			z.add(Align, r1, 0, imm)
		} else {
			z.derive(r1, r1, NoReg)
		}
	case "sub":
		z.add(Move, r1, r1, -imm)
	case "add":
		from := r1
		if z.form&zThree != 0 {
			from = z.r2
		}
		z.add(Move, r1, from, imm)
	case "compare":
		z.add(Compare, r1, NoReg, imm)
	case "larl":
		z.relative(Next)
		z.add(Const, r1, 0, int64(z.Target))
	case "risbg":
		from, to, rotate := z.b[2]&63, z.b[3], z.b[4]
		if from != 0 || to&0x80 == 0 || rotate&63 != 0 {
			z.derive(r1, z.r2, NoReg)
		} else if z.add(Move, r1, z.r2, 0); to&63 != 63 {
			z.add(Align, r1, 0, -1<<(63-to&63))
		}
	default:
		z.branch(do, n)
	}
}

// register has the instructions with registers as operands.
func (z *zInsn) register(do string, n int) {
	d, a, b := z.r1, z.r1, z.r2
	if z.form&zThree != 0 {
		a, b = z.r2, z.r3
	}
	of := [...]Reg{NoReg, d, z.r2, z.r3, zFloat[d], zFloat[z.r2]} // by the digits of n
	switch do {
	case "move":
		z.add(Move, of[n/10], of[n%10], 0)
	case "lzdr":
		z.add(Const, zFloat[d], 0, 0)
	case "sums":
		z.combine(Add, d, a, b)
	case "difference":
		z.difference(Sub, d, a, b)
	case "xor":
		z.difference(Mix, d, a, b)
	case "logical":
		if a != b {
			z.combine(Mix, d, a, b)
		} else {
			z.copy(Move, d, a)
		}
	case "cgr":
		z.add(Compare, d, b, 0)
	case "locgr":
		z.copy(Either, d, b)
	case "selgr":
		if d == b {
			a, b = b, a
		}
		z.copy(Move, d, a)
		z.copy(Either, d, b)
	case "flogr":
		z.derive(d, b, NoReg)
		z.derive(d|1, b, NoReg)
	case "shift":
		z.copy(Move, d, b)
		if z.hi(2) != 0 || z.disp&63 != 0 {
			z.add(Mix, d, NoReg, 0)
		}
	case "derive", "product":
		z.deriveAs(d, of[n%10], of[n/10], do == "product")
	case "sum":
		z.sum32(d, of[n%10], of[n/10])
	case "mix":
		z.add(Mix, d, NoReg, 0)
	default:
		z.constant(do, n)
	}
}

// copy sets d to a (Move), or it may (Either).
func (z *zInsn) copy(do Do, d, a Reg) {
	if d != a {
		z.add(do, d, a, 0)
	}
}

// difference sets d to a - b (Sub), or to a xor b (Mix).
func (z *zInsn) difference(do Do, d, a, b Reg) {
	if a == b {
		z.add(Const, d, 0, 0)
	} else {
		z.combine(do, d, a, b)
	}
}

// combine sets d to the sum of a and b (Add), to a - b (Sub), or to another result (Mix).
func (z *zInsn) combine(do Do, d, a, b Reg) {
	switch {
	case d == a:
		z.add(do, d, b, 0)
	case d == b && do != Sub:
		z.add(do, d, a, 0)
	case d == b:
		z.add(Mix, d, a, 0)
	default:
		z.add(Move, d, a, 0)
		z.add(do, d, b, 0)
	}
}
