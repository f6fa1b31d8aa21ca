package insn

// vex decodes what follows the first byte of a VEX prefix.
func (x *x86) vex(b uint8) {
	m, last := uint8(1), uint8(0)
	if b == 0xc5 {
		last = x.byte()
		x.rexR = ^last >> 7 << 3
	} else {
		first := x.byte()
		last = x.byte()
		x.rexR, x.rexX, x.rexB = ^first>>7<<3, ^first>>6&1<<3, ^first>>5&1<<3
		x.rexW, m = last&0x80 != 0, first&0x1f
	}
	x.vvvv = ^last >> 3 & 15
	x.vector = 16 << (last >> 2 & 1)
	x.prefix(last & 3)
	x.vexOpcode(m, x.byte())
}

// prefix sets the prefix that a VEX or EVEX prefix stands for.
func (x *x86) prefix(pp uint8) {
	x.op16, x.rep = pp == 1, [4]uint8{0, 0, 0xf3, 0xf2}[pp]
}

// vexOpcode decodes an opcode of map m after a VEX prefix.
func (x *x86) vexOpcode(m, b uint8) {
	if m == 1 && b == 0x77 { // vzeroupper
		return
	}
	if m == 0 || m == 4 || m > 7 {
		x.bad()
		return
	}
	x.modrm()
	reg := gpr(x.reg)
	switch m {
	case 1:
		switch {
		case x.vectors(b):
		case b == 0x92: // kmov to a mask register
			x.intoVector()
		case b == 0x93 && x.rexW && x.rep == 0xf2: // kmovq
			x.set(Move, reg, Vectors, 0)
		case b == 0x93, (b == 0x78 || b == 0x79) && x.rep != 0: // kmov, vcvttss2usi and others
			x.clobber(reg)
		case (b == 0x91 || b == 0xae && x.ext == 3) && x.mod != 3: // kmov, vstmxcsr
			x.forget(8)
		}
	case 2:
		x.vexMap2(b, reg)
	case 3:
		x.byte()
		if b == 0xf0 { // rorx
			x.clobber(reg)
		}
		x.extract(b)
		switch b {
		case 0x19, 0x1b, 0x1d, 0x39, 0x3b: // vextractf128, vcvtps2ph
			x.writes()
		}
	case 5:
		switch b {
		case 0x11: // vmovsh
			x.writes()
		case 0x2c, 0x2d, 0x78, 0x79, 0x6c, 0x6d:
			if x.rep != 0 {
				x.clobber(reg)
			}
		case 0x7e: // vmovw
			if x.rep == 0 {
				x.fromVector(2)
			}
		}
	case 7:
		if b == 0xfd { // tdpbf8ps and others: no number
			return
		}
		if x.imm(4); x.rep == 0xf2 { // urdmsr, rdmsr
			x.clobber(gpr(x.rm))
		}
	}
}

// writes appends that the operand is unknown, if it is in memory: a vector, a part of one, or less.
func (x *x86) writes() {
	if x.mod == 3 {
		return
	}
	if x.evex && x.mod == 1 && x.disp != 0 {
		x.plain = false // a multiple of the size of an element
	}
	x.forget(max(x.vector, 8))
}

// vexMap2 has the opcodes of map 2 that write general registers or memory.
func (x *x86) vexMap2(b uint8, reg Reg) {
	switch {
	case b == 0x63, b == 0x8a, b == 0x8b, b == 0x8e, b >= 0xa0 && b < 0xa4, // vpcompress, vpmaskmov, vpscatter
		!x.evex && (b == 0x2e || b == 0x2f || b == 0x4b), // vmaskmov, tilestored
		x.evex && b < 0x40 && b&0xf < 6 && x.rep == 0xf3: // vpmov
		x.writes()
	}
	switch {
	case x.evex && b < 0xe0 || b < 0xe0:
	case b < 0xf0: // cmpccxadd
		x.clobber(reg)
		x.resultRM(x.width())
	case b == 0xf2 || b == 0xf5 || b == 0xf7: // andn, bzhi, pext, pdep, bextr, shlx
		x.derived(reg, 8, gpr(x.vvvv))
	case b == 0xf3: // blsr, blsmsk, blsi
		x.clobber(gpr(x.vvvv))
	case b == 0xf6 && x.rep == 0xf2: // mulx
		x.clobber(reg, gpr(x.vvvv))
	}
}

// evexPrefix decodes what follows the first byte of an EVEX prefix.
func (x *x86) evexPrefix() {
	p0, p1, p2 := x.byte(), x.byte(), x.byte()
	x.evex, x.rex = true, true // no ah and the like
	m := p0 & 7
	x.rexR = ^p0>>7<<3 | ^p0>>4&1<<4
	x.rexX, x.rexB = ^p0>>6&1<<3, ^p0>>5&1<<3|p0>>3&1<<4
	x.rexW = p1&0x80 != 0
	x.vvvv = ^p1>>3&15 | ^p2>>3&1<<4
	x.vector = 16 << min(p2>>5&3, 2)
	x.prefix(p1 & 3)
	b := x.byte()
	if m == 4 {
		x.promoted(b, p2)
		return
	}
	if m == 1 && b == 0x77 {
		x.bad()
		return
	}
	x.vexOpcode(m, b)
}

// rex2 decodes what follows the first byte of a REX2 prefix.
func (x *x86) rex2() {
	b := x.byte()
	x.setREX(b)
	x.rexR |= b >> 6 & 1 << 4
	x.rexX |= b >> 5 & 1 << 4
	x.rexB |= b >> 4 & 1 << 4
	op := x.byte()
	row := op >> 4
	switch {
	case b&0x80 != 0 && row != 3 && row != 8:
		x.two(op)
	case op == 0xa1: // jmpabs
		x.imm(8)
		x.Flow = IndirectJump
	case b&0x80 != 0, op == 0x0f || op == 0x62 || op == 0xc4 || op == 0xc5 || op == 0xd5, row == 4 || row == 7 || row == 10 || row == 14:
		x.bad()
	default:
		x.one(op)
	}
}

// xop decodes an instruction of AMD's XOP.
func (x *x86) xop() {
	first, last := x.byte(), x.byte()
	x.rexR, x.rexX, x.rexB = ^first>>7<<3, ^first>>6&1<<3, ^first>>5&1<<3
	x.rexW, x.vvvv, x.vector = last&0x80 != 0, ^last>>3&15, 16
	m, b := first&0x1f, x.byte()
	x.modrm()
	switch {
	case m == 8:
		x.byte()
	case m == 9 && (b == 1 || b == 2): // blcfill and the like
		x.clobber(gpr(x.vvvv))
	case m == 9 && b == 0x12 && x.ext == 1: // slwpcb
		x.clobber(gpr(x.rm))
	case m == 9: // vector instructions
	case m == 10:
		x.imm(4)
		if b == 0x10 { // bextr
			x.clobber(gpr(x.reg))
		}
	default:
		x.bad()
	}
}
