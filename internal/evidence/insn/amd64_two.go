package insn

// two decodes opcodes after 0x0f.
func (x *x86) two(b uint8) {
	switch {
	case b == 0x01:
		x.system()
	case b == 0x05: // syscall
		x.clobber(rax, rcx, r11)
		x.System = true
	case b == 0x07 || b == 0x35: // sysret, sysexit
		x.Flow = IndirectJump
	case b == 0x0b:
		x.Flow = Stop
	case b == 0x34: // sysenter
		x.System = true
	case b == 0x06 || b == 0x08 || b == 0x09 || b == 0x0e || b == 0x30 || b == 0x77 || b == 0xaa:
	case b == 0x31 || b == 0x32 || b == 0x33 || b == 0x37:
		x.clobber(rax, rdx)
	case b&0xf0 == 0x80:
		x.branch(b&15, 4)
	case b == 0xa0 || b == 0xa8:
		x.push(NoReg)
	case b == 0xa1 || b == 0xa9:
		x.pop(NoReg)
	case b == 0xa2:
		x.clobber(rax, rbx, rcx, rdx)
	case b&0xf8 == 0xc8: // bswap
		x.result(gpr(b&7|x.rexB), x.width())
	case b == 0x04 || b == 0x0a || b == 0x0c || b >= 0x24 && b <= 0x27 || b == 0x36 || b >= 0x39 && b <= 0x3f:
		x.bad()
	case b >= 0x20 && b < 0x24: // mov of a control or debug register, and a general one
		if m := x.byte(); b < 0x22 {
			x.clobber(gpr(m&7 | x.rexB))
		}
	default:
		x.modrm()
		x.operands(b)
	}
}

// product appends that a register gets the product of the operand of modrm and another register, or a constant for NoReg.
func (x *x86) product(dst Reg, size int, other Reg) {
	switch {
	case size == 2:
		x.result(dst, size)
	case x.mod == 3:
		x.Insn.product(dst, gpr(x.rm), other)
	default:
		x.derived(dst, size, other)
	}
}

// system decodes the group of 0x0f 0x01.
func (x *x86) system() {
	x.modrm()
	switch {
	case x.ext == 4: // smsw
		x.resultRM(8)
	case x.mod != 3:
		if x.ext < 2 { // sgdt, sidt
			x.Access = Writes
		}
	case x.ext == 7 && x.rm&7 == 1: // rdtscp
		x.clobber(rax, rdx, rcx)
	case x.ext == 2 || x.ext == 5 || x.ext == 0 || x.ext == 3: // xgetbv, rdpkru, vmcall
		x.clobber(rax, rdx)
	}
}

// operands decodes the opcodes after 0x0f that have a modrm byte, which has been read.
func (x *x86) operands(b uint8) {
	if x.vectors(b) {
		return
	}
	reg, rm, size := gpr(x.reg), gpr(x.rm), x.width()
	switch b {
	case 0x00:
		if x.ext < 2 {
			x.resultRM(8)
		}
	case 0x02, 0x03, 0xb2, 0xb4, 0xb5:
		x.result(reg, size)
	case 0xaf:
		x.product(reg, size, reg)
	case 0xb8, 0xbc, 0xbd: // popcnt, bsf, tzcnt, bsr, lzcnt
		x.derived(reg, size, NoReg)
	case 0xb6, 0xb7, 0xbe, 0xbf: // movzx, movsx
		if size == 2 {
			x.mark(Mix, reg)
		} else {
			x.derived(reg, 1+int(b&1), NoReg)
		}
	case 0x0f:
		x.byte()
	case 0x1e:
		x.decodeShadow()
	case 0x78:
		if x.op16 || x.rep == 0xf2 { // extrq, insertq
			x.imm(2)
		} else if x.rep == 0 {
			x.resultRM(8)
		}
	case 0x0d, 0x18, 0x19, 0x1c, 0x1d, 0x1f: // prefetch, nop
		x.Access, x.Pad = 0, b == 0x1f
	case 0x1b: // bndmov
		x.writes()
	case 0xa3, 0x1a:
	case 0xc3: // movnti
		if x.mod != 3 {
			x.store(NoReg, size)
		}
	case 0xa4, 0xac, 0xba:
		if x.byte(); b != 0xba || x.ext > 4 {
			x.resultRM(size)
		}
	case 0xa5, 0xad, 0xab, 0xb3, 0xbb:
		x.resultRM(size)
	case 0xae:
		switch {
		case x.mod != 3 && x.ext == 3: // stmxcsr
			x.store(NoReg, 4)
		case x.mod != 3 && x.ext&1 == 0 && x.ext != 2: // fxsave, xsave, xsaveopt
			x.forget([8]int{0: 512, 4: 576, 6: 576}[x.ext])
		case x.mod == 3 && x.rep == 0xf3 && x.ext < 2: // rdfsbase, rdgsbase
			x.clobber(rm)
		}
	case 0xb0, 0xb1: // cmpxchg
		x.compareExchange(b)
	case 0xb9, 0xff:
		x.Flow = Stop
	case 0xc0, 0xc1: // xadd
		x.exchangeAdd(b)
	case 0xc7:
		x.group9()
	default:
		switch b & 0xf0 {
		case 0x40:
			x.moveIf(reg, size)
		case 0x90:
			x.changedRM(1) // set
		}
	}
}

// vectors decodes the opcodes after 0x0f, or of map 1, that VEX and EVEX have too. It reports false
// for others.
func (x *x86) vectors(b uint8) bool {
	switch b {
	case 0x70, 0x71, 0x72, 0x73, 0xc2, 0xc4, 0xc6:
		x.byte()
	case 0xc5: // pextrw
		x.byte()
		x.clobber(gpr(x.reg))
	case 0x2c, 0x2d:
		if x.rep != 0 {
			x.clobber(gpr(x.reg))
		}
	case 0x50, 0xd7: // movmsk, pmovmskb
		x.clobber(gpr(x.reg))
	case 0x6e:
		x.intoVector()
	case 0x7e:
		if x.rep != 0xf3 {
			x.fromVector(x.width())
		}
	case 0x11, 0x13, 0x17, 0x29, 0x2b, 0x7f, 0xd6, 0xe7:
		x.vectorStore(b)
	case 0xf7: // maskmovdqu
		x.Access = Writes
	default:
		return false
	}
	return true
}

// moveIf decodes a conditional move of the operand of modrm to a register.
func (x *x86) moveIf(dst Reg, size int) {
	switch {
	case size == 2:
		x.result(dst, size)
	case size == 4:
		x.derived(dst, size, dst)
	case x.mod == 3:
		x.setEither(dst, gpr(x.rm))
	case dst != NoReg:
		x.load(scratch)
		x.setEither(dst, scratch)
	}
}

// compareExchange decodes cmpxchg.
func (x *x86) compareExchange(b uint8) {
	size := x.sizeOf(b)
	switch {
	case size != 8:
		x.result(rax, size)
		x.resultRM(size)
	case x.mod == 3:
		x.set(Move, scratch, gpr(x.rm), 0)
		x.setEither(gpr(x.rm), gpr(x.reg))
		x.setEither(rax, scratch)
	default:
		x.load(scratch)
		x.forget(size)
		x.setEither(rax, scratch)
	}
}

// exchangeAdd decodes xadd: the operand of modrm gets the sum, and the register what that was before.
func (x *x86) exchangeAdd(b uint8) {
	size, reg, rm := x.sizeOf(b), gpr(x.reg), gpr(x.rm)
	switch {
	case size != 8:
		x.resultAt(x.reg, size)
		x.resultRM(size)
	case x.mod == 3:
		x.set(Move, scratch, rm, 0)
		x.set(Add, rm, reg, 0)
		x.set(Move, reg, scratch, 0)
	default:
		x.load(scratch)
		x.forget(size)
		x.set(Move, reg, scratch, 0)
	}
}

// decodeShadow decodes 0x0f 0x1e: endbr64, rdssp, and otherwise nothing.
func (x *x86) decodeShadow() {
	if x.rep != 0xf3 || x.mod != 3 {
		return
	}
	switch {
	case x.ext == 7 && x.rm == 2:
		x.Landing = true
	case x.ext == 1:
		x.clobber(gpr(x.rm))
	}
}

// fromVector decodes the moves of size bytes from a vector register to a general one or memory.
func (x *x86) fromVector(size int) {
	switch {
	case x.mod != 3:
		x.part(size)
	case size == 8:
		x.set(Move, gpr(x.rm), Vectors, 0)
	default:
		x.clobber(gpr(x.rm))
	}
}

// part appends that size bytes of a vector are stored, which may be a whole word that was saved in it. A store of
// EVEX may have a mask.
func (x *x86) part(size int) {
	if x.evex && x.mod == 1 {
		x.disp *= int64(size)
	}
	if size < 8 {
		x.store(NoReg, size)
	} else if x.forget(size); x.plain && !x.evex {
		x.Ops[x.N-1].Unsigned = true
	}
}

// intoVector decodes the moves from a general register to a vector register.
func (x *x86) intoVector() {
	if x.mod == 3 && x.rexW {
		x.setEither(Vectors, gpr(x.rm))
	}
}

// vectorStore appends that a vector is stored, if the operand is in memory.
func (x *x86) vectorStore(b uint8) {
	if x.mod == 3 {
		return
	}
	size := max(x.vector, 16)
	switch {
	case b == 0x13 || b == 0x17 || b == 0xd6 || (b == 0x7f || b == 0xe7) && !x.op16 && x.rep == 0 && x.vector == 0:
		size = 8
	case b == 0x11 && x.rep == 0xf3: // movss
		size = 4
	case b == 0x11 && x.rep != 0:
		size = 8
	}
	x.part(size)
}

// group9 decodes cmpxchg16b, rdrand, rdseed and rdpid, and xsavec.
func (x *x86) group9() {
	if x.ext != 3 && x.ext != 6 {
		x.writes()
	}
	switch {
	case x.mod != 3 && x.ext == 1:
		x.clobber(rax, rdx)
		x.forget(16)
	case x.mod == 3 && x.ext >= 6 && !(x.ext == 6 && x.rep == 0xf3):
		x.clobber(gpr(x.rm))
	}
}

// map38 decodes opcodes after 0x0f 0x38.
func (x *x86) map38(b uint8) {
	x.modrm()
	reg, size := gpr(x.reg), x.width()
	switch b {
	case 0xf0, 0xf1:
		switch {
		case x.rep == 0xf2: // crc32
			x.result(reg, 4)
		case b == 0xf0:
			x.result(reg, size)
		case x.mod != 3:
			x.store(NoReg, size)
		}
	case 0x8a, 0x8b:
		if x.rep == 0 && !x.op16 || b == 0x8b { // movrs
			x.resultAt(x.reg, x.sizeOf(b))
		}
	case 0xf6:
		if x.op16 || x.rep == 0xf3 { // adcx, adox
			x.mark(Mix, reg)
		} else {
			x.store(NoReg, size) // wrss
		}
	case 0xf9:
		x.store(NoReg, size)
	case 0xfa, 0xfb:
		if x.rep == 0xf3 { // encodekey
			x.clobber(reg)
		}
	case 0xf5, 0xfc: // wruss, aadd
		x.Access = Writes
	case 0xf8: // movdir64b, enqcmd
		if x.mod == 3 { // urdmsr, uwrmsr
			if x.rep == 0xf2 {
				x.clobber(gpr(x.rm))
			}
			return
		}
		x.Access = Reads | Writes
		if x.op16 {
			x.plain = false
		}
	}
}

// map3a decodes opcodes after 0x0f 0x3a.
func (x *x86) map3a(b uint8) {
	x.modrm()
	x.byte()
	x.extract(b)
}

// extract appends the effects of opcodes after 0x0f 0x3a, encoded with VEX or not.
func (x *x86) extract(b uint8) {
	switch b {
	case 0x14, 0x15: // pextrb, pextrw
		x.fromVector(1 << (b & 1))
	case 0x17: // extractps
		x.fromVector(4)
	case 0x16: // pextrd, pextrq
		x.fromVector(x.width())
	case 0x22: // pinsrd, pinsrq
		x.intoVector()
	case 0x61, 0x63: // pcmpestri, pcmpistri
		x.clobber(rcx)
	}
}
