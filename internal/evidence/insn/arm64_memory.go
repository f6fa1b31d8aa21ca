package insn

// access is a load or store of registers at a base register and an offset.
type access struct {
	load, fp  bool // fp: of vector registers
	base      Reg
	off       int64
	size      int // bytes of one register
	t         [2]Reg
	n         int   // registers
	writeBack int64 // added to base; off counts from the base before that
}

// transfer appends the effects of a. It loads the base register last.
func (i *Insn) transfer(a *access) {
	i.Access = Reads
	if !a.load {
		i.Access = Writes
	}
	if a.fp && !a.load {
		i.spill(a.base, a.off, a.n*a.size)
	}
	for k := 0; k < a.n && !a.fp; k++ {
		j := k
		if a.n == 2 && a.load && a.t[0] == a.base {
			j = 1 - k
		}
		t, off, size := a.t[j], a.off+int64(a.size*j), uint16(a.size)%8
		switch {
		case t != 31 && a.load:
			i.put(Op{Do: Load, Dst: t, Src: a.base, Off: off, Size: size})
		case t != 31:
			i.put(Op{Do: Store, Dst: a.base, Src: t, Off: off, Size: size})
		case !a.load:
			i.spill(a.base, off, a.size)
		}
	}
	if a.writeBack != 0 {
		i.add(Move, a.base, a.base, a.writeBack)
	}
}

// mode sets the offset of a, and how it changes the base, by two bits: 1 after the access, 3 before it.
func (a *access) mode(bits uint32, imm int64) {
	if bits != 1 {
		a.off = imm
	}
	if bits&1 != 0 {
		a.writeBack = imm
	}
}

func (i *Insn) a64Memory(w uint32) {
	i.Access = Reads | Writes
	switch field(w, 27, 3) { // without bit 25, which is 0
	case 0b001:
		if w>>26&1 != 0 {
			i.a64Structures(w)
		} else {
			i.a64Exclusive(w)
		}
	case 0b011:
		switch {
		case w>>24&1 == 0: // ldr of a literal, prfm
			i.Access = Reads
			if w>>26&1 == 0 && w>>30 != 3 {
				i.a64Clobber(regAt(w, 0))
			}
		case w>>21&1 == 0:
			i.a64Ordered(w)
		case w>>30 == 3:
			i.a64Tags(w)
		default:
			i.a64Pair128(w)
		}
	case 0b101:
		i.a64Pair(w)
	case 0b111:
		i.a64Single(w)
	}
}

// a64Exclusive is ldxr, stxr, ldar, stlr, cas and casp.
func (i *Insn) a64Exclusive(w uint32) {
	s, base, size := regAt(w, 16), regAt(w, 5), 1<<field(w, 30, 2)
	load, pair, ordered, cast := w>>22&1 != 0, w>>21&1 != 0, w>>23&1 != 0, w>>24&1 != 0
	switch {
	case ordered && (pair || cast) && (w>>31 != 0 || !cast): // cas, cast
		i.a64Clobber(s)
		i.spill(base, 0, size)
	case ordered && cast, !ordered && pair && w>>31 == 0: // caspt, casp
		i.a64Clobber(s)
		i.a64Clobber(s | 1)
		i.spill(base, 0, 16)
	default: // ldar, stlr, ldxr, ldxp, stxr, stxp
		a := access{load: load, base: base, size: size, t: [2]Reg{regAt(w, 0), regAt(w, 10)}, n: 1}
		if pair {
			a.n = 2
		}
		if !load && !ordered {
			i.a64Clobber(s)
		}
		i.transfer(&a)
	}
}

// a64Structures is ld1, st4 and others.
func (i *Insn) a64Structures(w uint32) {
	var size int
	if op := field(w, 12, 4); w>>24&1 == 0 {
		n := [16]int{0: 4, 2: 4, 4: 3, 6: 3, 7: 1, 8: 2, 10: 2}[op]
		size = n * 8 << field(w, 30, 1)
	} else {
		scale := field(w, 14, 2)
		switch {
		case scale == 3: // of all lanes
			scale = field(w, 10, 2)
		case scale == 2 && w>>10&1 != 0:
			scale = 3
		}
		size = int(field(w, 13, 1)<<1|field(w, 21, 1)+1) << scale
	}
	base := regAt(w, 5)
	i.Access = Reads
	if w>>22&1 == 0 {
		i.Access = Writes
		i.spill(base, 0, size)
	}
	switch m := regAt(w, 16); {
	case w>>23&1 == 0:
	case m == 31:
		i.add(Move, base, base, int64(size))
	default:
		i.add(Add, base, m, 0)
	}
}

// a64Ordered is ldapur, stlur, ldiapp, stilp and the copies and fills of memory.
func (i *Insn) a64Ordered(w uint32) {
	d, n, s := regAt(w, 0), regAt(w, 5), regAt(w, 16)
	fp, size := w>>26&1 != 0, 1<<field(w, 30, 2)
	switch op := field(w, 10, 2); {
	case op == 1 || op == 0 && fp: // cpy, set
		i.a64Clobber(d)
		i.a64Clobber(n)
		if field(w, 22, 2) != 3 {
			i.a64Clobber(s)
		}
	case op == 0 || op == 2 && fp: // ldapur, stlur
		i.a64Plain(w, access{base: n, off: signed(w, 12, 9), fp: fp})
	case op == 2: // ldiapp, stilp; ldapr, stlr with write-back: a store lowers the base before, a load raises it after
		a := access{load: w>>22&1 != 0, base: n, size: size, t: [2]Reg{d, s}, n: 2}
		if w>>23&1 != 0 {
			a.n = 1
		}
		if a.n == 1 || field(w, 12, 4) == 0 {
			if a.writeBack = int64(a.n * size); !a.load {
				a.off, a.writeBack = -a.writeBack, -a.writeBack
			}
		}
		i.transfer(&a)
	}
}

// a64Tags is stg, ldg and others.
func (i *Insn) a64Tags(w uint32) {
	a, opc, mode := access{base: regAt(w, 5)}, field(w, 22, 2), field(w, 10, 2)
	switch a.mode(mode, signed(w, 12, 9)*16); {
	case mode == 0 && opc == 1: // ldg
		if t := regAt(w, 0); t != 31 {
			i.a64Offset(t, t)
		}
	case mode == 0 && opc == 3: // ldgm
		i.a64Clobber(regAt(w, 0))
	case mode != 0 && opc&1 != 0: // stzg, stz2g
		i.spill(a.base, a.off, 16<<(opc>>1))
	}
	if a.writeBack != 0 {
		i.add(Move, a.base, a.base, a.writeBack)
	}
}

// a64Pair128 is swpp, rcwcas and other atomic instructions on 128 bits.
func (i *Insn) a64Pair128(w uint32) {
	s, t := regAt(w, 16), regAt(w, 0)
	op := field(w, 10, 2)
	if op < 2 { // swpp, ldtadd, swpt
		i.a64Clobber(t)
	}
	if op != 1 { // swpp, rcwcas, rcwcasp
		i.a64Clobber(s)
	}
	if op == 3 { // rcwcasp
		i.a64Clobber(s | 1)
	}
	i.spill(regAt(w, 5), 0, 16)
}

// a64Pair is ldp, stp, ldnp, stnp, ldpsw and stgp.
func (i *Insn) a64Pair(w uint32) {
	a := access{
		load: w>>22&1 != 0, fp: w>>26&1 != 0, base: regAt(w, 5),
		t: [2]Reg{regAt(w, 0), regAt(w, 10)}, n: 2,
	}
	opc, scale := field(w, 30, 2), 0
	switch {
	case a.fp:
		a.size = 4 << min(opc, 2)
	case opc == 1 && !a.load: // stgp
		a.size, scale = 8, 16
	case opc < 2:
		a.size = 4
	default:
		a.size = 8
	}
	a.mode(field(w, 23, 2), signed(w, 15, 7)*int64(max(scale, a.size)))
	i.transfer(&a)
}

// a64Single is ldr and str of one register, the atomic instructions and ldraa.
func (i *Insn) a64Single(w uint32) {
	base, mode := regAt(w, 5), field(w, 10, 2)
	a := access{base: base, fp: w>>26&1 != 0}
	switch {
	case w>>24&1 != 0:
		scale := field(w, 30, 2)
		if a.fp && w>>23&1 != 0 {
			scale = 4
		}
		a.off = int64(field(w, 10, 12)) << scale
		i.a64Plain(w, a)
	case w>>21&1 == 0:
		a.mode(mode, signed(w, 12, 9))
		i.a64Plain(w, a)
	case mode == 0:
		i.a64Atomic(w)
	case mode == 2: // at a sum of registers
		i.a64Indexed(w, base, a.fp)
	case !a.fp: // ldraa
		i.Access = Reads
		if off := signed(w, 12, 9)&^-512 | signed(w, 22, 1)<<9; w>>11&1 != 0 {
			i.add(Move, base, base, off*8)
		}
		i.a64Clobber(regAt(w, 0))
	}
}

// a64Indexed is ldr and str at the sum of two registers. A store there changes no word that is
// followed.
func (i *Insn) a64Indexed(w uint32, base Reg, fp bool) {
	size, opc, t := field(w, 30, 2), field(w, 22, 2), regAt(w, 0)
	i.Access = Reads
	if opc == 0 || fp && opc == 2 {
		i.Access = Writes
	}
	if fp || opc == 0 || size == 3 && opc == 2 || t == 31 {
		return
	}
	i.put(Op{Do: Element, Dst: t, Src: base, Size: 1 << size, Unsigned: opc == 1})
}

// a64Plain fills in the size, the direction and the register of an access by the fields
// size, V and opc.
func (i *Insn) a64Plain(w uint32, a access) {
	size, opc := field(w, 30, 2), field(w, 22, 2)
	a.n, a.t[0], a.size = 1, regAt(w, 0), 1<<size
	switch {
	case a.fp:
		a.load = opc&1 != 0
		if opc&2 != 0 {
			a.size = 16
		}
	case size == 3 && opc == 2: // prfm
		i.Access = 0
		return
	default:
		a.load = opc != 0
	}
	i.transfer(&a)
}

// a64Atomic is ldadd, swp, ldapr, ld64b and others.
func (i *Insn) a64Atomic(w uint32) {
	t, s, base := regAt(w, 0), regAt(w, 16), regAt(w, 5)
	if w>>26&1 != 0 { // of vector registers
		i.spill(base, 0, 1<<field(w, 30, 2))
		return
	}
	wide := w>>30 == 3 && w>>22&3 == 0
	switch op := field(w, 12, 4); {
	case op == 0b1100: // ldapr
		i.a64Plain(w|1<<22, access{base: base})
	case op == 0b1101 && wide: // ld64b
		for r := t; r < t+8 && r < 31; r++ {
			i.add(Clobber, r, 0, 0)
		}
	case (op == 0b1001 || op == 0b1010 || op == 0b1011) && wide: // st64b, st64bv0, st64bv
		i.spill(base, 0, 64)
		if op != 0b1001 {
			i.a64Clobber(s)
		}
	default:
		i.a64Clobber(t)
		i.spill(base, 0, 1<<field(w, 30, 2))
	}
}
