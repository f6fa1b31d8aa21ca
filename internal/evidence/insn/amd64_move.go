package insn

// moveConst decodes mov of an immediate to a register.
func (x *x86) moveConst(b uint8) {
	if b < 0xb8 {
		x.byte()
		x.resultAt(b&7|x.rexB, 1)
		return
	}
	r, at := gpr(b&7|x.rexB), x.p
	switch {
	case x.rexW:
		x.set(Const, r, NoReg, x.imm(8))
	case x.op16:
		x.imm(2)
		x.mark(Mix, r)
		return
	default:
		x.set(Const, r, NoReg, x.imm(4)&(1<<32-1))
	}
	x.TargetOff, x.TargetLen = uint8(at), uint8(x.p-at)
}

// exchange decodes xchg.
func (x *x86) exchange(b uint8) {
	x.modrm()
	size := x.sizeOf(b)
	switch {
	case size > 1 && x.mod == 3:
		x.swap(gpr(x.rm), gpr(x.reg), size)
	case size == 8 && x.plain && gpr(x.reg) != NoReg:
		x.add(Load, scratch, x.base, x.disp)
		x.store(gpr(x.reg), 8)
		x.add(Move, gpr(x.reg), scratch, 0)
	default:
		x.resultRM(size)
		x.resultAt(x.reg, size)
	}
}

func (x *x86) swap(a, b Reg, size int) {
	switch {
	case size != 8 || a == NoReg || b == NoReg:
		x.result(a, size)
		x.result(b, size)
	case a != b:
		x.add(Move, scratch, a, 0)
		x.add(Move, a, b, 0)
		x.add(Move, b, scratch, 0)
	}
}

// move decodes mov between a register and a register or memory.
func (x *x86) move(b uint8) {
	x.modrm()
	size, from, into := x.width(), x.reg, x.rm
	to := b >= 0x8a // to reg
	if to {
		from, into = into, from
	}
	dst, src := gpr(into), gpr(from)
	switch {
	case b&1 == 0 && (to || x.mod == 3):
		x.resultAt(into, 1)
	case b&1 == 0:
		x.store(NoReg, 1)
	case x.mod == 3 && size == 8:
		x.set(Move, dst, src, 0)
	case x.mod == 3 && size == 4:
		x.sum32(dst, src, NoReg)
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
	case size == 4:
		x.derived(dst, 4, NoReg)
	default:
		x.result(dst, size)
	}
}

func (x *x86) movslq(dst Reg) {
	switch {
	case dst == NoReg:
		return
	case x.rexW && x.mod == 3 && gpr(x.rm) != NoReg:
		x.add(Move, dst, gpr(x.rm), 0)
	case x.rexW && x.mod != 3 && x.index != NoReg && x.base != NoReg:
		x.lookUp(dst, 4, true)
	case x.rexW && x.mod != 3 && x.index != NoReg:
		x.element(dst, 4)
		return
	default:
		x.derived(dst, 4, NoReg)
		return
	}
	x.put(Op{Do: Scale, Dst: dst, Src: NoReg, Size: 4})
}

// lookUp appends that a register gets the bytes at an address that is computed of two
// registers, either of which may be that of a table.
func (x *x86) lookUp(dst Reg, size uint16, unsigned bool) {
	x.sumOf()
	x.put(Op{Do: Element, Dst: dst, Src: scratch, Size: size, Unsigned: unsigned})
}

// sumOf sets scratch to the address of an operand that two registers address.
func (x *x86) sumOf() {
	x.add(Move, scratch, x.base, x.disp)
	x.add(Add, scratch, x.index, int64(x.scale))
}

func (x *x86) lea() {
	dst := gpr(x.reg)
	x.Access = 0
	switch {
	case dst == NoReg:
	case x.mod == 3:
		x.bad()
	case x.op16 && !x.rexW:
		x.result(dst, 2)
	case !x.rexW:
		x.sum32(dst, x.base, x.index)
	case x.base == x.index && x.base != NoReg:
		x.Insn.product(dst, x.base, NoReg)
	case x.rip, x.base == NoReg && x.index == NoReg && x.dispAt > 0:
		x.add(Const, dst, NoReg, x.disp)
		x.relocated()
	case x.plain:
		x.add(Move, dst, x.base, x.disp)
	case x.base == NoReg || x.index == NoReg:
		if x.index == dst {
			x.mark(Mix, dst)
		} else {
			x.derive(dst, x.base, x.index)
		}
	default:
		x.sumOf()
		x.add(Move, dst, scratch, 0)
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
		x.add(Move, rsp, rsp, 2)
		x.forget(2)
	default: // an address that counts from rsp counts from its value after the pop
		x.x86Pop(scratch)
		x.store(scratch, 8)
	}
}

// advance appends that the registers of string instructions go on.
func (x *x86) advance(di, si bool) {
	if di {
		x.mark(Mix, rdi)
	}
	if si {
		x.mark(Mix, rsi)
	}
	if x.rep != 0 {
		x.clobber(rcx)
	}
}

// sizeOf returns the bytes of an operand of an opcode that is even if there is one.
func (x *x86) sizeOf(b uint8) int {
	if b&1 == 0 {
		return 1
	}
	return x.width()
}

// strings decodes 0xa0 to 0xaf.
func (x *x86) strings(b uint8) {
	op, size := b>>1&7, x.sizeOf(b)
	x.Access = [8]Access{Reads, Writes, Reads | Writes, Reads, 0, Writes, Reads, Reads}[op]
	switch op {
	case 0, 1: // mov
		if x.addr32 {
			x.imm(4)
		} else {
			x.imm(8)
		}
		if op == 0 {
			x.result(rax, x.width())
		}
		return
	case 2: // movs
		if x.rep == 0 {
			x.put(Op{Do: Forget, Dst: rdi, Src: rsi, Size: uint16(size)})
		}
	case 4: // test
		x.imm(min(size, 4))
		return
	case 5: // stos
		if x.rep == 0 {
			x.spill(rdi, 0, size)
		} else {
			x.put(Op{Do: Fill, Dst: rdi, Src: rcx, Size: uint16(size)})
		}
	case 6: // lods
		x.mark(Mix, rax)
	}
	x.advance(op != 6, op != 5 && op != 7) // cmps and scas, too
}

// storeConst decodes mov of an immediate, xabort and xbegin.
func (x *x86) storeConst(b uint8) {
	size := x.sizeOf(b)
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
	imm := x.imm(min(size, 4))
	switch {
	case x.ext != 0:
		x.bad()
	case x.mod != 3:
		x.store(NoReg, size)
	case size < 4:
		x.resultAt(x.rm, size)
	default:
		if size == 4 {
			imm &= 1<<32 - 1
		}
		x.set(Const, gpr(x.rm), NoReg, imm)
		x.TargetOff, x.TargetLen = uint8(at), 4
	}
}
