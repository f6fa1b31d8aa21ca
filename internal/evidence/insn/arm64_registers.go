package insn

// a64Register is data processing with register operands.
func (i *Insn) a64Register(w uint32) {
	d, n, wide := regAt(w, 0), regAt(w, 5), w>>31 != 0
	switch {
	case w>>28&1 == 0 && w>>24&1 == 0:
		i.a64LogicalShifted(w, d, n, wide)
	case w>>28&1 == 0:
		i.a64AddRegister(w, d, n, wide)
	case w>>24&1 != 0: // madd, umulh and others
		i.a64Derive(d, n, regAt(w, 16), true)
	case field(w, 21, 3) == 0:
		switch {
		case field(w, 13, 3) == 1: // addpt, subpt: SP too
			i.a64Offset(d, n)
		case field(w, 10, 6) == 0: // adc, sbc
			i.a64Derive(d, n, regAt(w, 16), false)
			i.a64Flags(w)
		default: // rmif, setf8
			i.flags()
		}
	case field(w, 21, 3) == 2: // ccmp, ccmn
		i.flags()
	case field(w, 21, 3) == 4: // csel, csinc and others
		i.a64Select(w, d, n, wide)
	case w>>30&1 != 0:
		i.a64OneSource(w, d, n)
	case field(w, 10, 6) == 4: // irg: SP too
		i.a64Offset(d, n)
	default: // udiv, lslv, crc32b, pacga and others; subps sets the flags
		i.a64Derive(d, n, regAt(w, 16), false)
		i.a64Flags(w)
	}
}

func (i *Insn) a64LogicalShifted(w uint32, d, n Reg, wide bool) {
	m, shifted := regAt(w, 16), w&0xc0fc00 != 0
	opc, inverted := field(w, 29, 2), w>>21&1 != 0
	switch {
	case d == 31:
	case !wide:
		i.a64Derive(d, n, m, false)
	case opc == 1 && !inverted && n == 31 && m == 31: // mov x0, xzr
		i.add(Const, d, 0, 0)
	case opc == 1 && !inverted && n == 31 && !shifted: // mov
		i.add(Move, d, m, 0)
	case opc < 2 && !inverted && n == m && !shifted, opc == 1 && !inverted && m == 31: // the same value
		i.a64Copy(d, n)
	case opc == 0 && !inverted && !shifted && d == n && m != 31: // clang's -mspeculative-load-hardening masks with ones
		i.add(Mix, d, m, 1)
	case opc == 0 || opc == 3 || opc == 1 && !inverted: // and, bic: a rounded address; orr
		i.a64Mix(d, n, m)
	default:
		i.a64Derive(d, n, m, false)
	}
	if opc == 3 {
		i.flags()
	}
}

// a64Derive sets d to a result of n and m, or their product, and copies neither. All are XZR as 31.
func (i *Insn) a64Derive(d, n, m Reg, product bool) {
	if n == 31 {
		n = NoReg
	}
	if m == 31 {
		m = NoReg
	}
	if d != 31 {
		i.deriveAs(d, n, m, product)
	}
}

// a64AddRegister is add and sub of a register that is shifted or extended. In the extended
// form 31 is SP, except for the third register and the result of adds and subs.
func (i *Insn) a64AddRegister(w uint32, d, n Reg, wide bool) {
	m, sub, flags := regAt(w, 16), w>>30&1 != 0, w>>29&1 != 0
	extended := w>>21&1 != 0
	plain, shift := w&0xc0fc00 == 0, int64(field(w, 10, 6))
	if extended {
		shift = 0
		plain = field(w, 13, 3) == 3 && field(w, 10, 3) == 0
	}
	if flags && d == 31 {
		if sub && wide && plain && m != 31 && (n != 31 || extended) { // cmp
			i.add(Compare, n, m, 0)
		} else {
			i.a64Flags(w)
		}
		return
	}
	switch {
	case d == 31 && !extended:
	case !wide && extended: // 31 is SP
		i.derive(d, n, m)
	case !wide:
		if i.a64Derive(d, n, m, false); !sub && w>>22&3 == 0 {
			i.Ops[0].Size = 4
		}
	case !sub && n == m && d != n && !plain && n != 31: // a product: GCC multiplies so
		i.product(d, n, NoReg)
	case m == 31 && (n != 31 || extended):
		i.add(Move, d, n, 0)
	case sub && n == m && plain, n == 31 && m == 31 && !extended:
		i.add(Const, d, 0, 0)
	case n == 31 && !extended && !sub && plain: // add of XZR
		i.a64Copy(d, m)
	case n == 31 && !extended, d == n && d == m:
		i.a64Mix(d, 31, m)
	case sub && d != m && (plain || !extended && w>>22&3 == 0):
		i.a64Copy(d, n)
		i.add(Sub, d, m, shift)
	case sub && extended && d == m: // 31 is SP
		i.add(Mix, d, n, 0)
	case sub:
		i.a64Mix(d, n, m)
	default:
		i.a64Add(w, d, n, m, extended)
	}
	i.a64Flags(w)
}

// a64Add sets d to the sum of n and m, which is shifted or extended.
func (i *Insn) a64Add(w uint32, d, n, m Reg, extended bool) {
	op := Op{Do: Scale, Dst: d, Size: 8, Off: int64(field(w, 10, 6))}
	switch {
	case extended:
		option := field(w, 13, 3)
		op.Size, op.Unsigned, op.Off = 1<<(option&3), option < 4, int64(field(w, 10, 3))
	case w>>22&3 != 0: // lsr, asr
		i.a64Mix(d, n, m)
		return
	}
	switch {
	case d != n:
		i.a64Copy(d, m)
		if op.Size != 8 || op.Off != 0 {
			i.put(op)
		}
		i.add(Add, d, n, 0)
	case op.Size == 8:
		i.add(Add, d, m, op.Off)
	default:
		i.add(Mix, d, m, 0)
	}
}

// a64Mix sets d to a result of n and m, which are XZR as 31. It is the address of a part of the stack
// if either is.
func (i *Insn) a64Mix(d, n, m Reg) {
	if d == m || n == 31 {
		n, m = m, n
	}
	switch {
	case n == 31:
		i.add(Clobber, d, 0, 0)
	case m == 31:
		i.a64Offset(d, n)
	default:
		i.a64Copy(d, n)
		i.add(Mix, d, m, 0)
	}
}

// a64Offset sets d to n and an amount that is not known. Both are SP as 31.
func (i *Insn) a64Offset(d, n Reg) {
	i.a64Copy(d, n)
	i.add(Mix, d, NoReg, 0)
}

// a64Select is csel, csinc, csinv and csneg: d is set to n, or to a result of m.
func (i *Insn) a64Select(w uint32, d, n Reg, wide bool) {
	m, same := regAt(w, 16), w>>30&1 == 0 && w>>10&1 == 0
	switch {
	case d == 31:
	case !wide, n == 31 && (m == 31 || !same):
		i.add(Clobber, d, 0, 0)
	case n == 31, m == 31 || !same: // m or a number; n, or a number or a result
		if n == 31 {
			n = m
		}
		i.a64Copy(d, n)
		i.add(Either, d, NoReg, 0)
	case d == m:
		i.add(Either, d, n, 0)
	default:
		i.a64Copy(d, n)
		i.add(Either, d, m, 0)
	}
}

func (i *Insn) a64Copy(d, n Reg) {
	if d != n {
		i.add(Move, d, n, 0)
	}
}

// a64OneSource is rbit, clz and others, and the pointer authentication of any register.
func (i *Insn) a64OneSource(w uint32, d, n Reg) {
	op, key := field(w, 10, 6), int64(field(w, 10, 1))
	if field(w, 16, 5) == 0 { // rbit, clz and others
		i.a64Derive(d, n, 31, false)
		return
	}
	switch {
	case op == 0x22 || op == 0x23 || op == 0x2e || op == 0x2f: // pacia171615, autia171615
		i.add(Lose, 17, 0, 0)
	case op == 0x20 || op == 0x21 || op == 0x28 || op == 0x29: // pacnbiasppc, paciasppc
		i.add(Sign, a64LR, NoReg, key)
		i.Landing = op >= 0x28
	case op == 0x24 || op == 0x25: // autiasppcr
		i.add(Auth, a64LR, NoReg, key)
	case d == 29 && op != 0x10: // FP with such a code, or without its own, is another value
		i.add(Clobber, d, 0, 0)
	case op == 0x10 && d != 31: // xpaci
		i.add(Strip, d, 0, 0)
	case op <= 1 && d == a64LR && n == 31: // pacia x30, sp
		i.add(Sign, d, a64SP, key)
	case (op == 4 || op == 5) && d == a64LR && n == 31: // autia x30, sp
		i.add(Auth, d, a64SP, key)
	case d != 31:
		i.add(Lose, d, 0, 0)
	}
}

// a64Float has the floating-point and vector instructions that write a general register.
func (i *Insn) a64Float(w uint32) {
	d := regAt(w, 0)
	switch {
	case w&0xbfe0ec00 == 0x0e002c00: // smov, umov
		i.a64Clobber(d)
	case w&0x5f200c00 == 0x1e200400, w&0x5f203c00 == 0x1e202000: // fccmp, fcmp
		i.flags()
	case w&0x7f26fc00 == 0x1e200000, w&0x7f3efc00 == 0x1e240000, // fcvtns and others, fcvtas
		w&0x7f27fc00 == 0x1e260000 && w>>19&3 != 2, // fmov, fjcvtzs
		w&0x7f3e0000 == 0x1e180000:                 // fcvtzs, fcvtzu with a fixed point
		i.a64Clobber(d)
	}
}
