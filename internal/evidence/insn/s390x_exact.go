package insn

import "math/bits"

// exact decodes the instructions whose results are followed: copies of registers, sums,
// constants, and loads and stores of words.
func (z *zInsn) exact() bool {
	r1, r2 := z.hi(1), z.lo(1)
	switch z.b[0] {
	case 0x28: // ldr
		z.add(Move, zFloat[r1], zFloat[r2], 0)
	case 0x41: // la
		z.sum(r1)
	case 0x60: // std
		z.store(zFloat[r1])
	case 0x68: // ld
		z.load(zFloat[r1])
	case 0xa5, 0xa7:
		return z.immediate16(r1)
	case 0xb3, 0xb9:
		return z.registers(z.hi(3), z.lo(3))
	case 0xc0, 0xc2:
		return z.immediate32(r1)
	case 0xe3:
		return z.long64(r1)
	case 0xe7:
		return z.vectorWord()
	case 0xeb:
		return z.multiple()
	case 0xec:
		return z.immediate3(r1, r2)
	case 0xed:
		switch z.b[5] {
		case 0x65: // ldy
			z.load(zFloat[r1])
		case 0x67: // stdy
			z.store(zFloat[r1])
		default:
			return false
		}
	default:
		return false
	}
	return true
}

// sum sets r to an address.
func (z *zInsn) sum(r Reg) {
	x, b, d := z.lo(1), z.hi(2), z.disp()
	z.Access = 0
	switch {
	case x == 0 && b == 0:
		z.add(Const, r, 0, d)
	case z.base() != NoReg:
		z.add(Move, r, z.base(), d)
	case r == x:
		z.add(Add, r, b, 0)
		z.add(Move, r, r, d)
	default:
		z.add(Move, r, b, d)
		z.add(Add, r, x, 0)
	}
}

func (z *zInsn) load(r Reg) {
	z.Access = Reads
	if base := z.base(); base != NoReg {
		z.add(Load, r, base, z.disp())
		return
	}
	z.add(Clobber, r, 0, 0)
}

// part loads a part of a word.
func (z *zInsn) part(r Reg, size int) {
	if base := z.base(); base != NoReg {
		z.loadPart(r, base, z.disp(), size)
	} else {
		z.add(Clobber, r, 0, 0)
	}
}

// store stores a register. What is addressed by two registers is no word that is followed.
func (z *zInsn) store(r Reg) {
	z.Access = Writes
	if base := z.base(); base != NoReg {
		z.add(Store, base, r, z.disp())
	}
}

// element loads an entry of a table that two registers address. Either of them may be that of
// the table.
func (z *zInsn) element(r Reg, size uint16, unsigned bool) {
	x, b := z.lo(1), z.hi(2)
	z.Access = Reads
	if x == 0 || b == 0 {
		z.part(r, int(size))
		return
	}
	z.combine(Add, r, b, x)
	z.put(Op{Do: Element, Dst: r, Src: r, Size: size, Unsigned: unsigned, Off: z.disp()})
}

func (z *zInsn) immediate16(r1 Reg) bool {
	imm := z.imm16(2)
	switch uint16(z.b[0])<<4 | uint16(z.b[1]&15) {
	case 0xa79, 0xa78: // lghi, lhi
		z.add(Const, r1, 0, imm)
	case 0xa7b: // aghi
		z.add(Move, r1, r1, imm)
	case 0xa7f: // cghi
		z.add(Compare, r1, NoReg, imm)
	case 0xa5c, 0xa5d, 0xa5e, 0xa5f: // llihh and others
		z.add(Const, r1, 0, imm&0xffff<<(48-16*(z.b[1]&3)))
	case 0xa50, 0xa51, 0xa52, 0xa53: // iihh and others
		z.add(Insert, r1, Reg(48-16*(z.b[1]&3)), imm&0xffff)
	case 0xa57: // nill
		return z.align(r1, imm)
	default:
		return false
	}
	return true
}

// align rounds r down if the mask keeps all but a few low bits.
func (z *zInsn) align(r Reg, mask int64) bool {
	if mask >= 0 || bits.OnesCount64(uint64(-mask)) != 1 {
		return false
	}
	z.add(Align, r, 0, mask)
	return true
}

func (z *zInsn) immediate32(r1 Reg) bool {
	imm := z.imm32()
	unsigned := imm & 0xffffffff
	switch uint16(z.b[0])<<4 | uint16(z.b[1]&15) {
	case 0xc00: // larl
		z.relative(Next, 2, 4)
		z.add(Const, r1, 0, int64(z.Target))
	case 0xc01: // lgfi
		z.add(Const, r1, 0, imm)
	case 0xc0e: // llihf
		z.add(Const, r1, 0, unsigned<<32)
	case 0xc0f: // llilf
		z.add(Const, r1, 0, unsigned)
	case 0xc0b: // nilf
		return z.align(r1, imm)
	case 0xc24: // slgfi
		z.add(Move, r1, r1, -unsigned)
	case 0xc28: // agfi
		z.add(Move, r1, r1, imm)
	case 0xc2a: // algfi
		z.add(Move, r1, r1, unsigned)
	case 0xc2c: // cgfi
		z.add(Compare, r1, NoReg, imm)
	case 0xc2e, 0xc2f: // clgfi, clfi
		z.add(Compare, r1, NoReg, unsigned)
	default:
		return false
	}
	return true
}

// registers decodes the formats RRE and RRF.
func (z *zInsn) registers(r1, r2 Reg) bool {
	r3 := z.hi(2)
	switch uint16(z.b[0])<<8 | uint16(z.b[1]) {
	case 0xb375: // lzdr
		z.add(Const, zFloat[r1], 0, 0)
	case 0xb3c1: // ldgr
		z.add(Move, zFloat[r1], r2, 0)
	case 0xb3cd: // lgdr
		z.add(Move, r1, zFloat[r2], 0)
	case 0xb904, 0xb902: // lgr, ltgr
		z.add(Move, r1, r2, 0)
	case 0xb908, 0xb90a: // agr, algr
		z.combine(Add, r1, r1, r2)
	case 0xb909, 0xb90b: // sgr, slgr
		z.difference(r1, r1, r2)
	case 0xb9e8, 0xb9ea: // agrk, algrk
		z.combine(Add, r1, r2, r3)
	case 0xb9e9, 0xb9eb: // sgrk, slgrk
		z.difference(r1, r2, r3)
	case 0xb920, 0xb921: // cgr, clgr
		z.add(Compare, r1, r2, 0)
	case 0xb980, 0xb981: // ngr, ogr
		z.logical(r1, r1, r2)
	case 0xb9e4, 0xb9e6: // ngrk, ogrk
		z.logical(r1, r2, r3)
	case 0xb982: // xgr
		z.exclusive(r1, r1, r2)
	case 0xb9e7: // xgrk
		z.exclusive(r1, r2, r3)
	case 0xb9e2: // locgr
		z.setEither(r1, r2)
	case 0xb9e3: // selgr
		if r1 == r3 {
			r2, r3 = r3, r2
		}
		if r1 != r2 {
			z.add(Move, r1, r2, 0)
		}
		z.setEither(r1, r3)
	case 0xb983: // flogr
		z.derive(r1, r2, NoReg)
		z.derive(r1|1, r2, NoReg)
	default:
		return false
	}
	z.Access = 0
	return true
}

// setEither sets d to a, or leaves it.
func (z *zInsn) setEither(d, a Reg) {
	if d != a {
		z.add(Either, d, a, 0)
	}
}

// logical sets d to a and b, or to a or b.
func (z *zInsn) logical(d, a, b Reg) {
	switch {
	case a != b:
		z.combine(Mix, d, a, b)
	case d != a:
		z.add(Move, d, a, 0)
	}
}

// exclusive sets d to a xor b, and difference sets it to a - b.
func (z *zInsn) exclusive(d, a, b Reg) {
	if a == b {
		z.add(Const, d, 0, 0)
	} else {
		z.combine(Mix, d, a, b)
	}
}

func (z *zInsn) difference(d, a, b Reg) {
	if a == b {
		z.add(Const, d, 0, 0)
	} else {
		z.combine(Sub, d, a, b)
	}
}

// combine sets d to the sum of a and b (Add), or to a - b (Sub).
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

// long64 decodes the format RXY.
func (z *zInsn) long64(r1 Reg) bool {
	switch z.b[5] {
	case 0x02, 0x04, 0x85: // ltg, lg, lgat
		if z.base() == NoReg {
			z.element(r1, 8, true)
		} else {
			z.load(r1)
		}
	case 0x14, 0x16: // lgf, llgf
		z.element(r1, 4, z.b[5] == 0x16)
	case 0x15, 0x91: // lgh, llgh
		z.element(r1, 2, z.b[5] == 0x91)
	case 0x77, 0x90: // lgb, llgc
		z.element(r1, 1, z.b[5] == 0x90)
	case 0x24, 0x25: // stg, ntstg
		z.store(r1)
	case 0x71: // lay
		z.sum(r1)
	case 0x08, 0x09, 0x0a, 0x0b, 0x18, 0x19, 0x1a, 0x1b, 0x38, 0x39: // ag, slgf, agh and others
		z.add(Mix, r1, NoReg, 0)
	case 0x80, 0x81, 0x82: // ng, og, xg
		z.add(Mix, r1, NoReg, 0)
	case 0x8e: // stpq
		z.store(r1)
		if b := z.base(); b != NoReg {
			z.add(Store, b, r1|1, z.disp()+8)
		}
	case 0x8f: // lpq
		z.loads(r1&^1, r1|1, z.base(), z.disp(), true)
	default:
		return false
	}
	return true
}

// multiple decodes the loads and stores of several registers and the conditional ones.
func (z *zInsn) multiple() bool {
	r1, r3, base, off := z.hi(1), z.lo(1), z.hi(2), z.disp20()
	if base == 0 {
		base = NoReg
	}
	switch z.b[5] {
	case 0x04: // lmg
		z.loads(r1, r3, base, off, true)
	case 0x96, 0x98: // lmh, lmy
		z.loads(r1, r3, base, off, false)
	case 0x24: // stmg
		if base == NoReg {
			return true
		}
		for r := r1; ; r = (r + 1) & 15 {
			z.add(Store, base, r, off)
			if off += 8; r == r3 {
				break
			}
		}
	case 0x26, 0x90: // stmh, stmy
		z.memory(base, off, 4*(int(r3-r1)&15+1))
	case 0xe2: // locg
		if z.Access = Reads; base == NoReg {
			z.add(Lose, r1, 0, 0)
		} else {
			z.put(Op{Do: Either, Dst: r1, Src: base, Off: off, Size: 8})
		}
	case 0xe1, 0xe3, 0xf3: // stocfh, stocg, stoc
		if base != NoReg {
			z.add(Forget, base, NoReg, off)
			z.Ops[z.N-1].Size = 8
		}
	case 0x0a, 0x0b, 0x0c, 0x0d, 0x1c: // srag, slag, srlg, sllg, rllg
		if r1 != r3 {
			z.add(Move, r1, r3, 0)
		}
		if base != NoReg || off&63 != 0 {
			z.add(Mix, r1, NoReg, 0)
		}
	default:
		return false
	}
	return true
}

// loads loads the registers r1 to r3, the base register last.
func (z *zInsn) loads(r1, r3, base Reg, off int64, words bool) {
	last := Op{Do: Clobber, Dst: NoReg}
	z.Access = Reads
	for r := r1; ; r = (r + 1) & 15 {
		op := Op{Do: Clobber, Dst: r}
		if words && base != NoReg {
			op = Op{Do: Load, Dst: r, Src: base, Off: off}
		}
		if r == base {
			last = op
		} else {
			z.put(op)
		}
		if off += 8; r == r3 {
			break
		}
	}
	if last.Dst != NoReg {
		z.put(last)
	}
}

// immediate3 decodes the format RIE.
func (z *zInsn) immediate3(r1, r3 Reg) bool {
	switch z.b[5] {
	case 0xd9, 0xdb: // aghik, alghsik
		z.add(Move, r1, r3, z.imm16(2))
	case 0x55, 0x59: // risbg, risbgn
		from, to, rotate := z.b[2]&63, z.b[3], z.b[4]
		if from == 0 && to&0x80 != 0 && rotate&63 == 0 {
			z.add(Move, r1, r3, 0)
			if to&63 != 63 {
				z.add(Align, r1, 0, -1<<(63-to&63))
			}
			return true
		}
		return false
	default:
		return false
	}
	return true
}

// vectorWord decodes the moves between a general register and the word of a vector register
// that is a floating-point register.
func (z *zInsn) vectorWord() bool {
	high := z.b[4] & 15
	word := z.b[4]>>4 == 3 && z.hi(2) == 0 && z.disp12(2) == 0
	switch z.b[5] {
	case 0x21: // vlgv
		if from := zFP(z.lo(1), high&4 != 0); word && from != NoReg {
			z.add(Move, z.hi(1), from, 0)
		} else if z.b[4]>>4 == 3 {
			z.add(Lose, z.hi(1), 0, 0) // a word that is not followed
		} else {
			z.add(Clobber, z.hi(1), 0, 0)
		}
	case 0x22: // vlvg
		if to := zFP(z.hi(1), high&8 != 0); to == NoReg {
		} else if word {
			z.add(Move, to, z.lo(1), 0)
		} else if z.b[4]>>4 != 3 {
			z.add(Mix, to, NoReg, 0)
		} else if z.hi(2) != 0 || z.b[3]&1 == 0 { // else it is the other word
			z.setEither(to, z.lo(1))
		}
	case 0x62: // vlvgp
		if to := zFP(z.hi(1), high&8 != 0); to != NoReg {
			z.add(Move, to, z.lo(1), 0)
		}
	case 0x56: // vlr
		to, from := zFP(z.hi(1), high&8 != 0), zFP(z.lo(1), high&4 != 0)
		if to != NoReg && from != NoReg {
			z.add(Move, to, from, 0)
		} else if to != NoReg {
			z.add(Lose, to, 0, 0)
		}
	default:
		return false
	}
	return true
}
