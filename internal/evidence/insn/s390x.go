package insn

import "encoding/binary"

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
	b  [6]byte
	pc uint64
}

// S390x is the [Decoder] of s390x. The classes of opcodes are in s390x_classes.go.
func S390x(code []byte, pc uint64, i *Insn) {
	n := zLength(code[0])
	i.reset(n)
	if len(code) < n {
		i.Len, i.Flow, i.Access = uint8(min(len(code), 2)), Bad, Reads|Writes
		return
	}
	z := zInsn{Insn: i, pc: pc}
	copy(z.b[:], code[:n])
	if z.b[0] == 0xc6 && z.b[1]&15 == 0 || z.b[0] == 0x44 {
		z.execute(code)
		return
	}
	i.Pad = z.b[0] == 0 || z.b[0] == 0x07 && z.b[1]>>4 == 0
	i.System = z.b[0] == 0x0a
	i.Access = z.access()
	if !z.branch() && !z.exact() {
		z.classed()
	}
	if i.Flow == Next && !z.keepsCC() {
		i.add(Compare, NoReg, NoReg, 0)
	}
}

// access returns what z may do with memory: anything, if it has a format with an address. What is
// decoded in s390x_exact.go says it better.
func (z *zInsn) access() Access {
	switch b := z.b[0]; {
	case z.Len == 2 && b != 0x0e && b != 0x01: // mvcl, pr
		return 0
	case b == 0xa5, b == 0xa7, b == 0xb3, b == 0xc0, b == 0xc2, b == 0xcc, b == 0xec:
		return 0
	}
	return Reads | Writes
}

// zLength returns the length of an instruction by its first byte.
func zLength(b byte) int { return 2 + (int(b>>6)+1)&^1 } // 2, 4, 4 or 6

// hi and lo return the registers that the two digits of a byte name. Most formats have them in
// the second byte, RRE and RRF in the last one.
func (z *zInsn) hi(k int) Reg { return Reg(z.b[k] >> 4) }
func (z *zInsn) lo(k int) Reg { return Reg(z.b[k] & 15) }

// zFP returns the number of a floating-point register or of a vector register that contains it,
// or NoReg for the other vector registers; high is set for those.
func zFP(r Reg, high bool) Reg {
	if high {
		return NoReg
	}
	return zFloat[r]
}

// disp12 returns the displacement of 12 bits in bytes k and k + 1, and disp20 that in bytes 2
// to 4.
func (z *zInsn) disp12(k int) int64 {
	return int64(binary.BigEndian.Uint16(z.b[k:]) & 0xfff)
}

func (z *zInsn) disp20() int64 { return z.disp12(2) | int64(int8(z.b[4]))<<12 }

// base returns the only register that addresses a word in the formats RX and RXY, and NoReg for
// two or none.
func (z *zInsn) base() Reg {
	x, b := z.lo(1), z.hi(2)
	switch {
	case x == 0 && b == 0 || x != 0 && b != 0:
		return NoReg
	case x == 0:
		return b
	}
	return x
}

// hasLongDisplacement reports whether the address has a displacement of 20 bits.
func (z *zInsn) hasLongDisplacement() bool {
	return z.b[0] == 0xe3 || z.b[0] == 0xeb || z.b[0] == 0xed && z.b[5] >= 0x64 && z.b[5] < 0xa0
}

func (z *zInsn) disp() int64 {
	if z.hasLongDisplacement() {
		return z.disp20()
	}
	return z.disp12(2)
}

func (z *zInsn) imm16(k int) int64 { return int64(int16(binary.BigEndian.Uint16(z.b[k:]))) }
func (z *zInsn) imm32() int64      { return int64(int32(binary.BigEndian.Uint32(z.b[2:]))) }

// relative sets a target at k, which is a signed number of halfwords of n bytes.
func (z *zInsn) relative(flow Flow, k, n int) {
	off := z.imm16(k)
	if n == 4 {
		off = z.imm32()
	}
	z.Flow, z.Target = flow, z.pc+uint64(off*2)
	z.TargetOff, z.TargetLen = uint8(k), uint8(n)
}

// execute is ex and exrl. The target is followed where it is unchanged (R1 is 0) and in code: a
// branch thunk. What it does to registers is that of the target otherwise, which is a copy of
// memory.
func (z *zInsn) execute(code []byte) {
	if z.b[0] == 0x44 {
		return
	}
	off := z.imm32() * 2
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

// condition sets a relative branch under a mask of condition codes.
func (z *zInsn) condition(mask byte, k, n int) {
	switch mask {
	case 0:
		return
	case 15:
		z.relative(Jump, k, n)
		return
	}
	z.relative(Branch, k, n)
	z.ways(mask)
}

// ways says what a mask of the condition codes 0 (equal), 1 (low) and 2 (high) means.
func (z *zInsn) ways(mask byte) {
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
	switch r := z.base(); {
	case z.disp() != 0:
	case r != NoReg:
		z.indirect(flow, r, mask)
	case flow == IndirectJump && mask == 15 && x != 0 && x != b:
		// A jump table: one register has the entry, the other one the address that it counts
		// from. Neither is used again.
		z.add(Add, x, b, 0)
		z.Via = x
	}
}

// count sets r to r - 1, as the branches on count do.
func (z *zInsn) count(r Reg, wide bool) {
	if wide {
		z.add(Move, r, r, -1)
	} else {
		z.add(Clobber, r, 0, 0)
	}
}

// branch decodes the instructions that may branch.
func (z *zInsn) branch() bool {
	r1, r2 := z.hi(1), z.lo(1)
	switch z.b[0] {
	case 0x05, 0x0c, 0x0d: // balr, bassm, basr
		if r2 == 0 {
			z.add(Const, r1, 0, int64(z.pc)+2)
		} else {
			z.add(Clobber, r1, 0, 0)
			z.indirect(IndirectCall, r2, 15)
		}
	case 0x06: // bctr
		z.count(r1, false)
		z.indirect(IndirectJump, r2, 1)
	case 0x07: // bcr
		z.indirect(IndirectJump, r2, byte(r1))
	case 0x0b: // bsm
		if r1 != 0 {
			z.add(Clobber, r1, 0, 0)
		}
		z.indirect(IndirectJump, r2, 15)
	case 0x45, 0x4d: // bal, bas
		z.add(Clobber, r1, 0, 0)
		z.address(IndirectCall, 15)
	case 0x46: // bct
		z.count(r1, false)
		z.address(IndirectJump, 1)
	case 0x47: // bc
		z.address(IndirectJump, byte(r1))
	case 0x84, 0x85: // brxh, brxle
		z.add(Clobber, r1, 0, 0)
		z.relative(Branch, 2, 2)
	case 0x86, 0x87: // bxh, bxle
		z.add(Clobber, r1, 0, 0)
		z.Flow, z.Cond = IndirectJump, true
	case 0xa7, 0xc0, 0xcc:
		return z.branchRelative(r1)
	case 0xe3, 0xeb:
		return z.branchLong(r1)
	case 0xec:
		return z.compareAndBranch()
	case 0xb9:
		if z.b[1] != 0x46 {
			return false
		}
		z.count(z.hi(3), true) // bctgr
		z.indirect(IndirectJump, z.lo(3), 1)
	default:
		return z.stops()
	}
	return true
}

// stops decodes the instructions that no other one of the function follows.
func (z *zInsn) stops() bool {
	switch binary.BigEndian.Uint16(z.b[:]) {
	case 0x0101, 0x01ff, 0xb218, 0xb2b2, 0xb2ff: // pr, trap2, pc, lpswe, trap4
	default:
		if z.b[0] != 0 && z.b[0] != 0x82 { // no instruction; lpsw
			return false
		}
	}
	z.Flow = Stop
	return true
}

func (z *zInsn) branchRelative(r1 Reg) bool {
	switch uint16(z.b[0])<<4 | uint16(z.b[1]&15) {
	case 0xa74: // brc
		z.condition(byte(r1), 2, 2)
	case 0xc04: // brcl
		z.condition(byte(r1), 2, 4)
	case 0xa75: // bras: over a literal pool, if it is not the usual register
		if r1 == zLR {
			z.add(Clobber, r1, 0, 0)
			z.relative(Call, 2, 2)
		} else {
			z.add(Const, r1, 0, int64(z.pc)+4)
			z.relative(Jump, 2, 2)
		}
	case 0xc05: // brasl
		z.add(Clobber, r1, 0, 0)
		z.relative(Call, 2, 4)
	case 0xa76, 0xcc6: // brct, brcth
		z.count(r1, false)
		z.relative(Branch, 2, int(z.Len)-2)
	case 0xa77: // brctg
		z.count(r1, true)
		z.relative(Branch, 2, 2)
	default:
		return false
	}
	return true
}

// branchLong decodes the branches with a displacement of 20 bits.
func (z *zInsn) branchLong(r1 Reg) bool {
	switch uint16(z.b[0])<<8 | uint16(z.b[5]) {
	case 0xe346: // bctg
		z.count(r1, true)
		z.address(IndirectJump, 1)
	case 0xe347: // bic
		if r1 != 0 {
			z.Flow, z.Cond = IndirectJump, r1 != 15
		}
	case 0xeb44, 0xeb45: // bxhg, bxleg
		z.add(Clobber, r1, 0, 0)
		z.Flow, z.Cond = IndirectJump, true
	default:
		return false
	}
	return true
}

// compareAndBranch decodes crj, cij, crb, cib and others, and brxhg.
func (z *zInsn) compareAndBranch() bool {
	r1, r2 := z.hi(1), z.lo(1)
	switch z.b[5] {
	case 0x44, 0x45: // brxhg, brxlg
		z.add(Clobber, r1, 0, 0)
		z.relative(Branch, 2, 2)
	case 0x64, 0x65: // cgrj, clgrj
		z.add(Compare, r1, r2, 0)
		z.comparison(z.b[4]>>4, z.b[5] == 0x65)
	case 0x76, 0x77: // crj, clrj: of 32 bits
		z.add(Compare, NoReg, NoReg, 0)
		z.comparison(z.b[4]>>4, false)
		z.Equal = NoWay
	case 0x7c, 0x7e: // cgij, cij
		z.add(Compare, r1, NoReg, int64(int8(z.b[4])))
		z.comparison(z.b[1]&15, false)
	case 0x7d, 0x7f: // clgij, clij
		z.add(Compare, r1, NoReg, int64(z.b[4]))
		z.comparison(z.b[1]&15, true)
	case 0xe4, 0xe5, 0xf6, 0xf7, 0xfc, 0xfd, 0xfe, 0xff: // cgrb, cgib and others
		z.Flow, z.Cond = IndirectJump, true
		if z.disp12(2) == 0 {
			z.indirect(IndirectJump, z.hi(2), 1)
		}
	default:
		return false
	}
	return true
}

// comparison sets the branch of a compare-and-branch instruction.
func (z *zInsn) comparison(mask byte, unsigned bool) {
	z.relative(Branch, 2, 2)
	z.ways(mask)
	if !unsigned {
		z.Above = NoWay
	}
}
