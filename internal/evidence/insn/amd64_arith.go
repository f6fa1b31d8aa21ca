package insn

// arithmetic decodes 0x00 to 0x3f: add, or, adc, sbb, and, sub, xor, cmp.
func (x *x86) arithmetic(b uint8) {
	op, size := b>>3, x.sizeOf(b)
	switch b & 7 {
	case 0, 1: // rm, reg
		x.modrm()
		x.Pad = b|x.mod|x.reg|x.rm == 0 // two zeros
		x.compute(op, size, false)
	case 2, 3: // reg, rm
		x.modrm()
		x.compute(op, size, true)
	case 4:
		x.constant(op, 1, rax, x.imm(1)&0xff)
	case 5:
		x.constant(op, size, rax, x.immz())
	default:
		x.bad()
	}
}

// compute appends the effect of arithmetic on two operands; back says that reg is the first.
func (x *x86) compute(op uint8, size int, back bool) {
	into, from := x.rm, x.reg
	if back {
		into, from = from, into
	}
	dst, src := gpr(into), gpr(from)
	if op == 7 { // cmp
		if x.mod == 3 && size == 8 && dst != NoReg && src != NoReg {
			x.add(Compare, dst, src, 0)
		}
		return
	}
	switch {
	case x.mod != 3 && !back:
		x.forget(size)
	case x.mod != 3:
		x.computeFrom(op, size, dst)
	case (op == 5 || op == 6) && x.reg == x.rm && size >= 4: // sub, xor of a register with itself
		x.mark(Const, dst)
	case (op == 1 || op == 4) && x.reg == x.rm && size == 8: // or, and of a register with itself
	case op == 0 && size == 8:
		x.set(Add, dst, src, 0)
	case op == 5 && size == 8:
		x.set(Sub, dst, src, 0)
	case size == 4 && op == 0:
		x.sum32(dst, dst, src)
	case size == 4:
		x.derive(dst, dst, src)
	case size == 8 && src != NoReg:
		x.set(Mix, dst, src, 0)
	default:
		x.resultAt(into, size)
	}
}

// computeFrom appends the effect of arithmetic on a register and the operand in memory.
func (x *x86) computeFrom(op uint8, size int, dst Reg) {
	if size < 4 || dst == NoReg {
		x.resultAt(x.reg, size)
		return
	}
	x.operand(size)
	if size == 4 {
		x.derive(dst, dst, scratch)
	} else {
		x.add([8]Do{Add, Mix, Mix, Mix, Mix, Sub, Mix}[op], dst, scratch, 0)
	}
}

// constant appends the effect of arithmetic on a register and a constant.
func (x *x86) constant(op uint8, size int, r Reg, imm int64) {
	switch {
	case op == 7:
		if size == 4 {
			imm &= 1<<32 - 1
		}
		x.add(Compare, r, NoReg, imm)
	case size == 8 && op == 0:
		x.set(Move, r, r, imm)
	case size == 8 && op == 5:
		x.add(Compare, r, NoReg, imm)
		x.set(Move, r, r, -imm)
	case op == 5 && size == 4:
		x.add(Compare, r, NoReg, imm)
		x.result(r, size)
	case op == 4 && size >= 4 && imm == 0:
		x.mark(Const, r)
	case op == 4 && size >= 4 && imm > 0 && imm < 1<<12:
		x.derive(r, r, NoReg)
		x.add(Limit, r, NoReg, imm)
	case size == 8 && op == 4 && imm < 0 && imm&-imm == -imm:
		x.set(Align, r, r, imm)
	default:
		x.result(r, size)
	}
}

func (x *x86) group1(b uint8) {
	x.modrm()
	size, imm := x.immOf(b)
	switch {
	case size == 1 && x.ext == 7:
		x.add(Compare, NoReg, NoReg, imm&0xff)
	case x.mod != 3 && x.ext == 7:
		x.add(Compare, NoReg, NoReg, imm&(1<<32-1))
	case x.mod != 3 || size == 1:
		x.resultRM(size)
	case gpr(x.rm) != NoReg:
		x.constant(x.ext, size, gpr(x.rm), imm)
	}
}

// immOf reads the number of an opcode of group1 or imul, and returns the size of the operands.
func (x *x86) immOf(b uint8) (size int, imm int64) {
	if b&3 == 1 {
		return x.width(), x.immz()
	}
	return x.sizeOf(b), x.imm(1)
}

// group3 decodes test, not, neg, mul, imul, div and idiv.
func (x *x86) group3(b uint8) {
	x.modrm()
	size := x.sizeOf(b)
	switch {
	case x.ext < 2:
		x.imm(min(size, 4))
	case x.ext < 4: // not, neg
		x.changedRM(size)
	case size < 4:
		x.result(rax, size)
		if size > 1 {
			x.result(rdx, size)
		}
	default: // mul, imul, div, idiv
		by := gpr(x.rm)
		if x.mod != 3 {
			by = scratch
			x.operand(size)
		}
		x.deriveAs(rax, rax, by, x.ext < 6)
		x.derive(rdx, rax, NoReg)
	}
}
