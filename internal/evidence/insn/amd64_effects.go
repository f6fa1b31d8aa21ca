package insn

// set appends an effect on a register, if it is tracked.
func (x *x86) set(do Do, dst, src Reg, off int64) {
	if dst == NoReg {
		return
	}
	if src == NoReg && (do == Move || do == Load || do == Add || do == Sub) {
		do = Lose
	}
	x.add(do, dst, src, off)
}

// mark is set for an effect that needs no more.
func (x *x86) mark(do Do, dst Reg) { x.set(do, dst, NoReg, 0) }

// setEither appends that dst gets src or keeps what it has; NoReg as src is any other value.
func (x *x86) setEither(dst, src Reg) {
	if src == NoReg {
		x.mark(Lose, dst)
	} else if src != dst {
		x.set(Either, dst, src, 0)
	}
}

func (x *x86) clobber(regs ...Reg) {
	for _, r := range regs {
		x.mark(Clobber, r)
	}
}

// result appends that a register gets a result of size bytes that is computed from it.
func (x *x86) result(r Reg, size int) {
	if size == 4 {
		x.derive(r, r, NoReg)
	} else {
		x.mark(Mix, r)
	}
}

// derived appends that a register gets a result of the operand of modrm, of which size bytes count, and of another
// register, unless it is NoReg.
func (x *x86) derived(dst Reg, size int, other Reg) {
	switch {
	case x.mod == 3:
		x.derive(dst, x.gprOf(x.rm, size), other)
	case x.plain && other == NoReg && size < 8:
		x.loadPart(dst, x.base, x.disp, size)
	case dst != NoReg:
		x.operand(size)
		x.derive(dst, scratch, other)
	}
}

// operand sets scratch to size bytes of the operand in memory.
func (x *x86) operand(size int) {
	if x.plain && size < 8 {
		x.loadPart(scratch, x.base, x.disp, size)
	} else {
		x.load(scratch)
	}
}

// resultAt is result for the register with a number of the instruction.
func (x *x86) resultAt(n uint8, size int) {
	x.result(x.gprOf(n, size), size)
}

// resultRM is result for the operand of modrm, in memory or in a register.
func (x *x86) resultRM(size int) {
	if x.mod != 3 {
		x.forget(size)
	} else {
		x.resultAt(x.rm, size)
	}
}

// changedRM is resultRM for a result that is never what the operand was.
func (x *x86) changedRM(size int) {
	if x.mod != 3 {
		x.store(NoReg, size)
	} else {
		x.resultRM(size)
	}
}

// forget appends that size bytes of the operand in memory are unknown.
func (x *x86) forget(size int) {
	x.Access = Writes
	if x.plain {
		x.put(Op{Do: Forget, Dst: x.base, Src: NoReg, Off: x.disp, Size: uint16(size)})
	}
}

// store appends that the operand in memory gets a register's value; NoReg is any other.
func (x *x86) store(src Reg, size int) {
	x.Access = Writes
	switch {
	case !x.plain:
	case src == NoReg || size != 8:
		x.storePart(x.base, src, x.disp, size)
	default:
		x.add(Store, x.base, src, x.disp)
	}
}

// load appends that a register gets the 8 bytes of the operand in memory.
func (x *x86) load(dst Reg) {
	switch {
	case dst == NoReg:
	case x.plain:
		x.add(Load, dst, x.base, x.disp)
	case x.index != NoReg && x.base != NoReg:
		x.lookUp(dst, 8, false)
	case x.index != NoReg:
		x.element(dst, 8)
	default:
		x.clobber(dst)
	}
}

// element appends that a register gets an entry of the table at the displacement.
func (x *x86) element(dst Reg, size uint16) {
	if x.dispAt == 0 {
		x.clobber(dst)
		return
	}
	x.put(Op{Do: Element, Dst: dst, Src: NoReg, Off: x.disp, Size: size})
	x.relocated()
}

// relocated says that a relocation may be at the displacement.
func (x *x86) relocated() {
	if x.dispAt > 0 {
		x.TargetOff, x.TargetLen = uint8(x.dispAt), 4
	}
}

// push appends that a register is pushed; NoReg is another value.
func (x *x86) push(r Reg) {
	size := 8
	if x.op16 {
		size = 2
	}
	if r != NoReg && size == 8 {
		x.x86Push(r)
		return
	}
	x.spill(rsp, -int64(size), size)
	x.add(Move, rsp, rsp, -int64(size))
}

// x86Push appends that a register of 8 bytes is pushed, and x86Pop that one is popped.
func (i *Insn) x86Push(r Reg) {
	i.add(Store, rsp, r, -8)
	i.add(Move, rsp, rsp, -8)
}

func (i *Insn) x86Pop(r Reg) {
	i.add(Load, r, rsp, 0)
	if r != rsp {
		i.add(Move, rsp, rsp, 8)
	}
}

// pop appends that a register is popped; NoReg stands for none.
func (x *x86) pop(r Reg) {
	switch {
	case x.op16:
		x.mark(Mix, r)
		x.add(Move, rsp, rsp, 2)
	case r != NoReg:
		x.x86Pop(r)
	default:
		x.add(Move, rsp, rsp, 8)
	}
}

// jump sets where the instruction leads: size bytes follow.
func (x *x86) jump(f Flow, size int) {
	x.Flow, x.TargetOff, x.TargetLen = f, uint8(x.p), uint8(size)
	x.Target = uint64(x.imm(size))
}

// branch is jump for a condition, as the low 4 bits of an opcode have it.
func (x *x86) branch(cond uint8, size int) {
	x.jump(Branch, size)
	switch cond {
	case 4:
		x.Equal = ToTarget
	case 5:
		x.Equal = ToNext
	case 6:
		x.Above = ToNext
	case 7:
		x.Above = ToTarget
	}
}
