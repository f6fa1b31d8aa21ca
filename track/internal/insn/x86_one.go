package insn

// one decodes opcodes of one byte.
func (x *x86) one(b uint8) {
	switch {
	case b < 0x40:
		x.arithmetic(b)
	case b < 0x58:
		x.push(gpr(b&7 | x.rexB))
	case b < 0x60:
		x.pop(gpr(b&7 | x.rexB))
	case b&0xf0 == 0x70:
		x.branch(b&15, 1)
	case b&0xf0 == 0xb0:
		x.moveConst(b)
	case b >= 0xd8 && b <= 0xdf:
		x.modrm()
		if b == 0xdf && x.mod == 3 && x.ext == 4 && x.rm&7 == 0 { // fnstsw %ax
			x.set(Mix, rax, NoReg, 0)
		}
	case b < 0xa0:
		x.middle(b)
	case b < 0xb0:
		x.strings(b)
	case b < 0xe0:
		x.upper(b)
	default:
		x.last(b)
	}
}

// arithmetic decodes 0x00 to 0x3f: add, or, adc, sbb, and, sub, xor, cmp.
func (x *x86) arithmetic(b uint8) {
	op, size := b>>3, x.width()
	if b&1 == 0 {
		size = 1
	}
	switch b & 7 {
	case 0, 1: // rm, reg
		x.modrm()
		x.compute(op, size, false)
	case 2, 3: // reg, rm
		x.modrm()
		x.compute(op, size, true)
	case 4:
		imm := x.imm8()
		x.constant(op, 1, rax, imm&0xff)
	case 5:
		x.constant(op, size, rax, x.immz())
	default:
		x.bad()
	}
}

// compute appends the effect of arithmetic on two operands; back says that reg is the first.
func (x *x86) compute(op uint8, size int, back bool) {
	dst, src := gpr(x.rm), gpr(x.reg)
	if back {
		dst, src = src, dst
	}
	if op == 7 { // cmp
		if x.mod == 3 && size == 8 && dst != NoReg && src != NoReg {
			x.i.add(Compare, dst, src, 0)
		}
		return
	}
	switch {
	case x.mod != 3 && !back:
		x.forget(size)
	case size == 1:
		n := x.rm
		if back {
			n = x.reg
		}
		x.set(Mix, x.byteReg(n), NoReg, 0)
	case x.mod != 3:
		x.result(dst, size)
	case (op == 5 || op == 6) && x.reg == x.rm && size >= 4: // sub, xor of a register with itself
		x.set(Const, dst, NoReg, 0)
	case op == 0 && size == 8:
		x.set(Add, dst, src, 0)
	case op == 5 && size == 8:
		x.set(Sub, dst, src, 0)
	default:
		x.result(dst, size)
	}
}

// constant appends the effect of arithmetic on a register and a constant.
func (x *x86) constant(op uint8, size int, r Reg, imm int64) {
	switch {
	case op == 7:
		if size == 4 {
			imm &= 1<<32 - 1
		}
		x.i.add(Compare, r, NoReg, imm)
	case size == 8 && op == 0:
		x.set(Move, r, r, imm)
	case size == 8 && op == 5:
		x.i.add(Compare, r, NoReg, imm)
		x.set(Move, r, r, -imm)
	case op == 5 && size == 4:
		x.i.add(Compare, r, NoReg, imm)
		x.clobber(r)
	case op == 4 && size >= 4 && imm > 0 && imm < 1<<12:
		x.clobber(r)
		x.i.add(Limit, r, NoReg, imm)
	case size == 8 && op == 4 && imm < 0 && imm&-imm == -imm:
		x.set(Align, r, r, imm)
	default:
		x.result(r, size)
	}
}

// moveConst decodes mov of an immediate to a register.
func (x *x86) moveConst(b uint8) {
	if b < 0xb8 {
		x.byte()
		x.set(Mix, x.byteReg(b&7|x.rexB), NoReg, 0)
		return
	}
	r, at := gpr(b&7|x.rexB), x.p
	switch {
	case x.rexW:
		x.set(Const, r, NoReg, x.imm64())
	case x.op16:
		x.imm16()
		x.set(Mix, r, NoReg, 0)
		return
	default:
		x.set(Const, r, NoReg, x.imm32()&(1<<32-1))
	}
	x.i.TargetOff, x.i.TargetLen = uint8(at), uint8(x.p-at)
}

// middle decodes 0x60 to 0x9f, jumps apart.
func (x *x86) middle(b uint8) {
	size := x.width()
	switch b {
	case 0x63:
		x.modrm()
		x.movslq(gpr(x.reg))
	case 0x68:
		x.immz()
		x.push(NoReg)
	case 0x6a:
		x.byte()
		x.push(NoReg)
	case 0x69:
		x.modrm()
		x.immz()
		x.result(gpr(x.reg), size)
	case 0x6b:
		x.modrm()
		x.byte()
		x.result(gpr(x.reg), size)
	case 0x6c, 0x6d, 0x6e, 0x6f: // ins, outs
		x.advance(b < 0x6e, b >= 0x6e)
	case 0x80, 0x81, 0x83:
		x.group1(b)
	case 0x84, 0x85:
		x.modrm()
	case 0x86, 0x87:
		x.exchange(b)
	case 0x88, 0x89, 0x8a, 0x8b:
		x.move(b)
	case 0x8c:
		x.modrm()
		if x.mod == 3 {
			x.clobber(gpr(x.rm))
		} else {
			x.store(NoReg, 2)
		}
	case 0x8d:
		x.modrm()
		x.lea()
	case 0x8e:
		x.modrm()
	case 0x8f:
		x.popRM()
	case 0x98:
		if size == 8 { // cltq
			x.i.Ops[x.i.N] = Op{Do: Scale, Dst: rax, Src: NoReg, Size: 4}
			x.i.N++
		} else {
			x.result(rax, size)
		}
	case 0x99:
		x.result(rdx, size)
	case 0x9b, 0x9e:
	case 0x9c:
		x.push(NoReg)
	case 0x9d:
		x.pop(NoReg)
	case 0x9f:
		x.set(Mix, rax, NoReg, 0)
	default:
		if b&0xf8 != 0x90 {
			x.bad()
			return
		}
		if r := gpr(b&7 | x.rexB); r != rax {
			x.swap(rax, r, size)
		}
	}
}

func (x *x86) group1(b uint8) {
	x.modrm()
	size, imm := x.width(), int64(0)
	switch b {
	case 0x80:
		size, imm = 1, x.imm8()
	case 0x81:
		imm = x.immz()
	default:
		imm = x.imm8()
	}
	switch {
	case size == 1 && x.ext == 7:
		x.i.add(Compare, NoReg, NoReg, imm&0xff)
	case x.mod != 3 && x.ext == 7:
		x.i.add(Compare, NoReg, NoReg, imm&(1<<32-1))
	case x.mod != 3 || size == 1:
		x.resultRM(size)
	case gpr(x.rm) != NoReg:
		x.constant(x.ext, size, gpr(x.rm), imm)
	}
}

// exchange decodes xchg.
func (x *x86) exchange(b uint8) {
	x.modrm()
	size := x.width()
	if b == 0x86 {
		size = 1
	}
	switch {
	case size == 1:
		x.set(Mix, x.byteReg(x.reg), NoReg, 0)
		x.resultRM(1)
	case x.mod == 3:
		x.swap(gpr(x.rm), gpr(x.reg), size)
	case size == 8 && x.plain && gpr(x.reg) != NoReg:
		x.i.add(Load, scratch, x.base, x.disp)
		x.i.add(Store, x.base, gpr(x.reg), x.disp)
		x.i.add(Move, gpr(x.reg), scratch, 0)
	default:
		x.forget(size)
		x.result(gpr(x.reg), size)
	}
}

func (x *x86) swap(a, b Reg, size int) {
	switch {
	case size != 8 || a == NoReg || b == NoReg:
		x.result(a, size)
		x.result(b, size)
	case a != b:
		x.i.add(Move, scratch, a, 0)
		x.i.add(Move, a, b, 0)
		x.i.add(Move, b, scratch, 0)
	}
}

// move decodes mov between a register and a register or memory.
func (x *x86) move(b uint8) {
	x.modrm()
	size, dst, src := x.width(), gpr(x.rm), gpr(x.reg)
	to := b >= 0x8a // to reg
	if to {
		dst, src = src, dst
	}
	switch {
	case b&1 == 0 && (to || x.mod == 3):
		n := x.rm
		if to {
			n = x.reg
		}
		x.set(Mix, x.byteReg(n), NoReg, 0)
	case b&1 == 0:
		x.store(NoReg, 1)
	case x.mod == 3 && size == 8:
		x.set(Move, dst, src, 0)
	case x.mod == 3:
		x.result(dst, size)
	case !to && size == 8 && src == NoReg:
		x.forget(8)
	case !to:
		x.store(src, size)
	case size == 8:
		x.load(dst)
	case size == 4 && x.index != NoReg && x.base != NoReg && dst != NoReg:
		x.lookUp(dst, 4, true)
	default:
		x.result(dst, size)
	}
}

func (x *x86) movslq(dst Reg) {
	extend := Op{Do: Scale, Dst: dst, Src: NoReg, Size: 4}
	switch {
	case dst == NoReg:
		return
	case !x.rexW:
		x.clobber(dst)
		return
	case x.mod == 3 && gpr(x.rm) != NoReg:
		x.i.add(Move, dst, gpr(x.rm), 0)
	case x.mod != 3 && x.index != NoReg && x.base != NoReg:
		x.lookUp(dst, 4, true)
	case x.mod != 3 && x.index != NoReg:
		x.element(dst, 4)
		return
	default:
		x.clobber(dst)
		return
	}
	x.i.Ops[x.i.N] = extend
	x.i.N++
}

// lookUp appends that a register gets the bytes at an address that is computed of two
// registers, either of which may be that of a table.
func (x *x86) lookUp(dst Reg, size uint16, unsigned bool) {
	x.i.add(Move, scratch, x.base, x.disp)
	x.i.add(Add, scratch, x.index, int64(x.scale))
	x.i.Ops[x.i.N] = Op{Do: Element, Dst: dst, Src: scratch, Size: size, Unsigned: unsigned}
	x.i.N++
}

func (x *x86) lea() {
	dst := gpr(x.reg)
	switch {
	case dst == NoReg:
	case x.mod == 3:
		x.bad()
	case !x.rexW:
		x.result(dst, x.width())
	case x.rip, x.base == NoReg && x.index == NoReg && x.dispAt > 0:
		x.i.add(Const, dst, NoReg, x.disp)
		x.relocated()
	case x.plain:
		x.i.add(Move, dst, x.base, x.disp)
	case x.base == NoReg || x.index == NoReg:
		x.set(Mix, dst, NoReg, 0)
		if x.index != dst {
			x.i.Ops[x.i.N-1].Do = Clobber
		}
	default:
		x.i.add(Move, scratch, x.base, x.disp)
		x.i.add(Add, scratch, x.index, int64(x.scale))
		x.i.add(Move, dst, scratch, 0)
	}
}

func (x *x86) popRM() {
	x.modrm()
	switch {
	case x.ext != 0:
		x.bad()
	case x.mod == 3:
		x.pop(gpr(x.rm))
	case x.op16:
		x.i.add(Move, rsp, rsp, 2)
		x.forget(2)
	default:
		// An address that counts from rsp counts from its value after the pop.
		x.i.add(Load, scratch, rsp, 0)
		x.i.add(Move, rsp, rsp, 8)
		x.store(scratch, 8)
	}
}

// advance appends that the registers of string instructions go on.
func (x *x86) advance(di, si bool) {
	if di {
		x.set(Mix, rdi, NoReg, 0)
	}
	if si {
		x.set(Mix, rsi, NoReg, 0)
	}
	if x.rep != 0 {
		x.clobber(rcx)
	}
}

// strings decodes 0xa0 to 0xaf.
func (x *x86) strings(b uint8) {
	switch b {
	case 0xa0, 0xa1, 0xa2, 0xa3:
		if x.addr32 {
			x.imm32()
		} else {
			x.imm64()
		}
		if b < 0xa2 {
			x.result(rax, x.width())
		}
	case 0xa8:
		x.byte()
	case 0xa9:
		x.immz()
	case 0xa4, 0xa5, 0xa6, 0xa7:
		x.advance(true, true)
	case 0xaa, 0xab, 0xae, 0xaf:
		x.advance(true, false)
	default: // lods
		x.set(Mix, rax, NoReg, 0)
		x.advance(false, true)
	}
}

// upper decodes 0xc0 to 0xdf, floating-point instructions apart.
func (x *x86) upper(b uint8) {
	size := x.width()
	switch b {
	case 0xc0, 0xc1, 0xd0, 0xd1, 0xd2, 0xd3: // shifts
		x.modrm()
		if b < 0xc2 {
			x.byte()
		}
		if b&1 == 0 {
			size = 1
		}
		x.resultRM(size)
	case 0xc2:
		x.imm16()
		x.i.Flow = Return
	case 0xc3:
		x.i.Flow = Return
	case 0xc6, 0xc7:
		x.storeConst(b, size)
	case 0xc8:
		n := x.imm16() & 0xffff
		level := x.byte()
		x.i.add(Store, rsp, rbp, -8)
		x.i.add(Move, rsp, rsp, -8)
		x.i.add(Move, rbp, rsp, 0)
		x.i.add(Move, rsp, rsp, -n)
		if level != 0 {
			x.set(Lose, rsp, NoReg, 0)
			x.set(Lose, rbp, NoReg, 0)
		}
	case 0xc9:
		x.i.add(Move, rsp, rbp, 0)
		x.i.add(Load, rbp, rsp, 0)
		x.i.add(Move, rsp, rsp, 8)
	case 0xca:
		x.imm16()
		x.i.Flow = IndirectJump
	case 0xcb, 0xcf:
		x.i.Flow = IndirectJump
	case 0xcc:
		x.i.Flow = Stop
	case 0xcd:
		x.byte()
		x.clobber(rax)
	case 0xd7:
		x.set(Mix, rax, NoReg, 0)
	default:
		x.bad()
	}
}

// storeConst decodes mov of an immediate, xabort and xbegin.
func (x *x86) storeConst(b uint8, size int) {
	x.modrm()
	if x.ext == 7 && x.mod == 3 && x.rm&7 == 0 {
		if b == 0xc6 {
			x.byte()
		} else {
			x.jump(Branch, 4)
		}
		return
	}
	at := x.p
	if b == 0xc6 {
		size = 1
		x.byte()
	}
	imm := int64(0)
	if b == 0xc7 {
		imm = x.immz()
	}
	switch {
	case x.ext != 0:
		x.bad()
	case x.mod != 3:
		x.store(NoReg, size)
	case size == 1:
		x.set(Mix, x.byteReg(x.rm), NoReg, 0)
	case size == 2:
		x.set(Mix, gpr(x.rm), NoReg, 0)
	default:
		if size == 4 {
			imm &= 1<<32 - 1
		}
		x.set(Const, gpr(x.rm), NoReg, imm)
		x.i.TargetOff, x.i.TargetLen = uint8(at), 4
	}
}

// last decodes 0xe0 to 0xff.
func (x *x86) last(b uint8) {
	switch b {
	case 0xe0, 0xe1, 0xe2: // loop
		x.set(Mix, rcx, NoReg, 0)
		x.jump(Branch, 1)
	case 0xe3:
		x.jump(Branch, 1)
	case 0xe4, 0xe5:
		x.byte()
		x.set(Mix, rax, NoReg, 0)
	case 0xec, 0xed:
		x.set(Mix, rax, NoReg, 0)
	case 0xe6, 0xe7:
		x.byte()
	case 0xee, 0xef, 0xf5, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd:
	case 0xe8:
		x.jump(Call, 4)
	case 0xe9:
		x.jump(Jump, 4)
	case 0xeb:
		x.jump(Jump, 1)
	case 0xf1, 0xf4:
		x.i.Flow = Stop
	case 0xf6, 0xf7:
		x.group3(b)
	case 0xfe, 0xff:
		x.group5(b)
	default:
		x.bad()
	}
}

// group3 decodes test, not, neg, mul, imul, div and idiv.
func (x *x86) group3(b uint8) {
	x.modrm()
	size := x.width()
	if b == 0xf6 {
		size = 1
	}
	switch {
	case x.ext < 2 && size == 1:
		x.byte()
	case x.ext < 2:
		x.immz()
	case x.ext < 4:
		x.resultRM(size)
	default:
		x.result(rax, size)
		if size > 1 {
			x.result(rdx, size)
		}
	}
}

// group5 decodes inc, dec, call, jmp and push.
func (x *x86) group5(b uint8) {
	x.modrm()
	size := x.width()
	switch {
	case x.ext < 2:
		switch {
		case b == 0xfe:
			x.resultRM(1)
		case x.mod == 3 && size == 8:
			x.set(Move, gpr(x.rm), gpr(x.rm), 1-2*int64(x.ext))
		default:
			x.resultRM(size)
		}
	case b == 0xfe || x.ext == 7:
		x.bad()
	case x.ext == 3 || x.ext == 5:
		x.i.Flow = IndirectJump
		if x.ext == 3 {
			x.i.Flow = IndirectCall
		}
	case x.ext == 6 && x.mod == 3:
		x.push(gpr(x.rm))
	case x.ext == 6 && x.plain && !x.op16:
		x.i.add(Load, scratch, x.base, x.disp)
		x.push(scratch)
	case x.ext == 6:
		x.push(NoReg)
	default:
		x.indirect()
	}
}

// indirect decodes calls and jumps to an address in a register or in memory.
func (x *x86) indirect() {
	x.i.Flow = IndirectCall
	if x.ext == 4 {
		x.i.Flow = IndirectJump
	}
	switch {
	case x.mod == 3:
		x.i.Via = gpr(x.rm)
	case x.rip:
		x.i.Target = uint64(x.disp)
		x.relocated()
	case x.ext == 4 && (x.plain || x.index != NoReg):
		x.load(scratch)
		x.i.Via = scratch
	}
}
