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
		switch {
		case b == 0xdf && x.mod == 3 && x.ext == 4 && x.rm&7 == 0: // fnstsw %ax
			x.mark(Mix, rax)
		case x.mod != 3 && b&1 != 0 && x.ext&3 != 0 && x.ext != 5: // fst, fistp, fnstcw, fnsave and others
			x.store(NoReg, x87Stores[b>>1&3][x.ext])
		}
	case b < 0xa0:
		x.middle(b)
	case b < 0xb0:
		x.strings(b)
	case b < 0xe0:
		x.decodeX87(b)
	default:
		x.last(b)
	}
}

// x87Stores has the bytes that floating-point instructions store, by their opcodes 0xd9, 0xdb, 0xdd and
// 0xdf and the register operand.
var x87Stores = [4][8]int{
	{2: 4, 3: 4, 6: 28, 7: 2},
	{1: 4, 2: 4, 3: 4, 7: 10},
	{1: 8, 2: 8, 3: 8, 6: 108, 7: 2},
	{1: 2, 2: 2, 3: 2, 6: 10, 7: 8},
}

// middle decodes 0x60 to 0x9f, jumps apart.
func (x *x86) middle(b uint8) {
	size := x.width()
	switch b {
	case 0x63:
		x.modrm()
		x.movslq(gpr(x.reg))
	case 0x68, 0x6a:
		x.immOf(b ^ 1) // 0x68 has the longer one
		x.push(NoReg)
	case 0x69, 0x6b:
		x.modrm()
		x.immOf(b)
		x.product(gpr(x.reg), size, NoReg)
	case 0x6c, 0x6d, 0x6e, 0x6f: // ins, outs
		x.Access = Writes
		if b >= 0x6e {
			x.Access = Reads
		}
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
			x.put(Op{Do: Scale, Dst: rax, Src: NoReg, Size: 4})
		} else {
			x.result(rax, size)
		}
	case 0x99:
		if size == 2 {
			x.result(rdx, size)
		} else {
			x.derive(rdx, rax, NoReg)
		}
	case 0x9b, 0x9e:
	case 0x9c:
		x.push(NoReg)
	case 0x9d:
		x.pop(NoReg)
	case 0x9f:
		x.mark(Mix, rax)
	default:
		if b&0xf8 != 0x90 {
			x.bad()
			return
		}
		if r := gpr(b&7 | x.rexB); r != rax {
			x.swap(rax, r, size)
		} else {
			x.Pad = x.rep == 0
		}
	}
}

// decodeX87 decodes 0xc0 to 0xdf, floating-point instructions apart.
func (x *x86) decodeX87(b uint8) {
	switch b {
	case 0xc0, 0xc1, 0xd0, 0xd1, 0xd2, 0xd3: // shifts
		x.modrm()
		if b < 0xc2 {
			x.byte()
		}
		x.resultRM(x.sizeOf(b))
	case 0xc2:
		x.imm(2)
		x.Flow = Return
	case 0xc3:
		x.Flow = Return
	case 0xc6, 0xc7:
		x.storeConst(b)
	case 0xc8:
		n := x.imm(2) & 0xffff
		level := x.byte()
		x.x86Push(rbp)
		x.add(Move, rbp, rsp, 0)
		x.add(Move, rsp, rsp, -n)
		if level != 0 {
			x.mark(Lose, rsp)
			x.mark(Lose, rbp)
		}
	case 0xc9:
		x.add(Move, rsp, rbp, 0)
		x.x86Pop(rbp)
	case 0xca, 0xcb, 0xcf:
		if x.Flow = IndirectJump; b == 0xca {
			x.imm(2)
		}
	case 0xcc:
		x.Flow, x.Pad = Stop, true
	case 0xcd:
		x.byte()
		x.clobber(rax)
		x.System = true
	case 0xd7:
		x.Access = Reads
		x.mark(Mix, rax)
	default:
		x.bad()
	}
}

// last decodes 0xe0 to 0xff.
func (x *x86) last(b uint8) {
	switch b {
	case 0xe0, 0xe1, 0xe2: // loop
		x.mark(Mix, rcx)
		x.jump(Branch, 1)
	case 0xe3:
		x.jump(Branch, 1)
	case 0xe4, 0xe5, 0xec, 0xed:
		if x.mark(Mix, rax); b < 0xe8 {
			x.byte()
		}
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
		x.Flow, x.Pad = Stop, b == 0xf4
	case 0xf6, 0xf7:
		x.group3(b)
	case 0xfe, 0xff:
		x.group5(b)
	default:
		x.bad()
	}
}

// group5 decodes inc, dec, call, jmp and push.
func (x *x86) group5(b uint8) {
	x.modrm()
	size := x.sizeOf(b)
	switch {
	case x.ext < 2 && x.mod == 3 && size == 8:
		x.set(Move, gpr(x.rm), gpr(x.rm), 1-2*int64(x.ext))
	case x.ext < 2:
		x.resultRM(size)
	case b == 0xfe || x.ext == 7:
		x.bad()
	case x.ext == 6 && x.mod == 3:
		x.push(gpr(x.rm))
	case x.ext == 6 && x.plain && !x.op16:
		x.add(Load, scratch, x.base, x.disp)
		x.push(scratch)
	case x.ext == 6:
		x.push(NoReg)
	default:
		x.indirect()
	}
}

// indirect decodes calls and jumps to an address in a register or in memory.
func (x *x86) indirect() {
	x.Flow = IndirectCall
	if x.ext >= 4 {
		x.Flow = IndirectJump
	}
	switch {
	case x.ext&1 != 0: // of another segment
	case x.mod == 3:
		x.Via = gpr(x.rm)
	case x.rip:
		x.Target = uint64(x.disp)
		x.relocated()
	case x.ext == 4 && (x.plain || x.index != NoReg):
		x.load(scratch)
		x.Via = scratch
	}
}
