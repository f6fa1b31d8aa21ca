package insn

// promotion is an instruction of APX: an older one with an EVEX prefix, and perhaps a third operand.
type promotion struct {
	*x86
	third bool // the result is in the register vvvv, which gets all of its bits
	same  bool // flags are not changed; of a conditional move, the operand of modrm is the destination
	size  int  // bytes of an operand
}

// promoted decodes an instruction of APX, whose last byte of the prefix is p2.
func (x *x86) promoted(b, p2 uint8) {
	x.modrm()
	a := promotion{x, p2&0x10 != 0, p2&4 != 0, x.width()}
	switch {
	case b < 0x40 && b&7 < 4:
		a.arithmetic(b)
	case b == 0x80 || b == 0x81 || b == 0x83:
		a.withNumber(b)
	case b&0xf0 == 0x40:
		a.conditional()
	case b&0xfc == 0xd0, b&0xfe == 0xc0, b == 0x24, b == 0x2c, b == 0xa5, b == 0xad: // shifts
		if b&0xfe == 0xc0 || b < 0x40 {
			x.byte()
		}
		if b >= 0xc0 {
			a.size = a.sizeOf(b)
		}
		a.result()
	case b >= 0xf6 && b != 0xfa && b != 0xfb:
		a.group(b)
	case b == 0xf0 || b == 0xf1:
		if a.rep != 0xf3 { // crc32
			a.x86.result(gpr(a.reg), 4)
		}
	default:
		a.decodeOther(b)
	}
}

// result appends that the destination gets a result of its operands.
func (a *promotion) result() {
	switch {
	case !a.third:
		a.resultRM(a.size)
	case a.size == 8 && a.mod == 3 && gpr(a.rm) != NoReg:
		a.set(Move, gpr(a.vvvv), gpr(a.rm), 0)
		a.mark(Mix, gpr(a.vvvv))
	default:
		a.clobber(gpr(a.vvvv))
	}
}

// arithmetic decodes add, or, adc, sbb, and, sub, xor of two operands, and ccmp.
func (a *promotion) arithmetic(b uint8) {
	op, back := b>>3, b&2 != 0
	a.size = a.sizeOf(b)
	into, from := gpr(a.rm), gpr(a.reg)
	if back {
		into, from = from, into
	}
	dst := gpr(a.vvvv)
	switch {
	case op == 7:
	case !a.third:
		a.compute(op, a.size, back)
	case a.size != 8 || a.mod != 3 || into == NoReg || from == NoReg:
		a.clobber(dst)
	case (op == 0 || op == 5) && dst != from:
		a.set(Move, dst, into, 0)
		a.set([8]Do{Add, 5: Sub}[op], dst, from, 0)
	case dst == from:
		a.set(Mix, dst, into, 0)
	default:
		a.set(Move, dst, into, 0)
		a.set(Mix, dst, from, 0)
	}
}

// withNumber decodes the same with a number.
func (a *promotion) withNumber(b uint8) {
	size, imm := a.immOf(b)
	a.size = size
	dst, src := gpr(a.vvvv), gpr(a.rm)
	switch {
	case a.ext == 7: // ccmp
	case a.third && size == 8 && a.mod == 3 && src != NoReg && a.ext == 0:
		a.set(Move, dst, src, imm)
	case a.third && size == 8 && a.mod == 3 && src != NoReg && a.ext == 5:
		a.set(Move, dst, src, -imm)
	case !a.third && size > 1 && a.mod == 3 && src != NoReg:
		a.constant(a.ext, size, src, imm)
	default:
		a.result()
	}
}

// conditional decodes cmov, cfcmov and set.
func (a *promotion) conditional() {
	reg, rm := gpr(a.reg), gpr(a.rm)
	switch {
	case a.rep == 0xf2: // set: third says that it clears the other bytes
		if a.third && a.mod == 3 {
			a.clobber(rm)
		} else {
			a.resultRM(1)
		}
	case a.third: // reg or rm, or zero
		if a.size == 8 && reg != NoReg {
			a.set(Move, gpr(a.vvvv), reg, 0)
		}
		a.moveIf(gpr(a.vvvv), a.size)
	case !a.same: // rm or zero
		a.mark(Const, reg)
		a.moveIf(reg, a.size)
	case a.mod == 3:
		a.mark(Const, rm)
		a.setEither(rm, reg)
	default:
		a.forget(a.size)
	}
}

// group decodes not, neg, mul, div, inc, dec, push2, and others from 0xf6 on.
func (a *promotion) group(b uint8) {
	if b != 0xf8 {
		a.size = a.sizeOf(b)
	}
	switch {
	case b < 0xf8 && a.ext < 2: // ctest
		a.imm(min(a.size, 4))
	case b < 0xf8 && a.ext >= 4: // mul, div
		a.x86.result(rax, a.size)
		if a.size > 1 {
			a.x86.result(rdx, a.size)
		}
	case b < 0xf8, b >= 0xfe && a.ext < 2:
		a.result()
	case b >= 0xfe:
		if b == 0xfe || a.ext != 6 || a.mod != 3 {
			a.bad()
			return
		}
		// push2
		a.push(gpr(a.vvvv))
		a.push(gpr(a.rm))
	case b == 0xf8 && a.mod == 3: // urdmsr, uwrmsr
		if a.rep == 0xf2 {
			a.clobber(gpr(a.rm))
		}
	case b == 0xf8: // movdir64b, enqcmd
		a.Access = Reads | Writes
	case b == 0xf9: // movdiri
		a.store(NoReg, a.size)
	case b == 0xfc: // aadd and others
		a.forget(a.size)
	}
}

// decodeOther decodes the rest.
func (a *promotion) decodeOther(b uint8) {
	reg := gpr(a.reg)
	switch b {
	case 0x69, 0x6b: // imul
		a.immOf(b)
		a.x86.result(reg, a.size)
		if a.third {
			a.clobber(reg)
		}
	case 0xaf, 0x66: // imul, adcx, adox, wrss
		switch {
		case b == 0x66 && !a.op16 && a.rep != 0xf3:
			a.store(NoReg, a.size)
		case a.third:
			a.clobber(gpr(a.vvvv))
		default:
			a.x86.result(reg, a.size)
		}
	case 0x65: // wruss
		a.store(NoReg, a.size)
	case 0x61: // movbe
		a.resultRM(a.size)
	case 0x8a: // movrs
		a.resultAt(a.reg, 1)
	case 0x60, 0x88, 0x8b, 0xf4, 0xf5, 0xda, 0xdb: // movbe, popcnt, movrs, tzcnt, lzcnt, encodekey
		a.x86.result(reg, a.size)
	case 0x8f: // pop2
		if a.mod != 3 || a.ext != 0 {
			a.bad()
			return
		}
		a.pop(gpr(a.vvvv))
		a.pop(gpr(a.rm))
	}
}
