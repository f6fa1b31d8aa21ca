package insn

import "math/bits"

// spill notes that n bytes are stored.
func (z *zInsn) spill(n int) {
	if n > 0 && z.base != NoReg {
		z.storePart(z.base, NoReg, z.disp, n)
	}
}

// sets sets the registers of a row to other values.
func (z *zInsn) sets(c uint16) {
	if c == 0 {
		return
	}
	v, high := zFloat[z.r1], z.b[4]&8
	if z.form&zRXF != 0 {
		high = z.b[4] & 1
	}
	if high != 0 { // no floating-point register is in the vector register
		v = NoReg
	}
	registers := [len(zSets)]Reg{0, 1, 2, z.r1, (z.r1 + 1) & 15, z.r2, (z.r2 + 1) & 15, zFloat[z.r1], zFloat[(z.r1+2)&15], v}
	for ; c != 0; c &= c - 1 {
		if r := registers[bits.TrailingZeros16(c)]; r != NoReg {
			z.add(Clobber, r, 0, 0)
		}
	}
}

// memory has the instructions with an operand in memory, and those of vectors.
func (z *zInsn) memory(do string, n int) {
	r1, r3, base, off := z.r1, z.r2, z.base, z.disp
	switch do {
	case "la":
		z.sum(r1)
	case "load":
		z.load(r1, n)
	case "ld":
		z.Access = Reads
		z.load(zFloat[r1], 8)
	case "word", "entry":
		z.Access = Reads
		if x, b := z.index, z.hi(2); x == 0 || b == 0 {
			z.load(r1, n)
		} else { // an entry of a table: either register may be that of the table
			z.combine(Add, r1, b, x)
			z.put(Op{Do: Element, Dst: r1, Src: r1, Size: uint16(n), Unsigned: do == "word", Off: off})
		}
	case "store":
		z.store(r1, n)
	case "std":
		z.store(zFloat[r1], 8)
	case "stpq":
		z.store(r1, 8)
		if base != NoReg {
			z.add(Store, base, r1|1, off+8)
		}
	case "lpq":
		z.loads(r1&^1, r1|1, true)
	case "lmg", "lmy":
		z.loads(r1, r3, do == "lmg")
	case "stmg":
		for r := r1; base != NoReg; r, off = (r+1)&15, off+8 {
			if z.add(Store, base, r, off); r == r3 {
				break
			}
		}
	case "locg":
		if z.Access = Reads; base == NoReg {
			z.add(Lose, r1, 0, 0)
		} else {
			z.put(Op{Do: Either, Dst: r1, Src: base, Off: off, Size: 8})
		}
	case "stoc":
		if base != NoReg {
			z.put(Op{Do: Forget, Dst: base, Src: NoReg, Off: off, Size: 8})
		}
	case "mvc": // it may copy a saved register
		z.put(Op{Do: Forget, Dst: z.hi(2), Src: z.hi(4), Off: off, Size: uint16(z.b[1]) + 1})
	case "lm":
		z.clobbers(r1, r3)
	case "plo":
		z.clobbers(r1, r1)
		z.clobbers(r1|1, r1|1)
		z.clobbers(r3, r3|1)
	default:
		z.spills(do, n)
	}
}

// spills has the instructions that say how many bytes they store.
func (z *zInsn) spills(do string, n int) {
	switch do {
	case "mask":
		z.spill(bits.OnesCount8(z.b[1] & 15))
	case "range":
		z.spill(n * (int(z.lo(1)-z.hi(1))&15 + 1))
	case "length":
		z.spill(int(z.b[1]) + 1)
	case "digit":
		z.spill(int(z.hi(1)) + 1)
	case "low":
		z.spill(int(z.lo(1)) + 1)
	case "vlgv", "vlvg", "vlvgp", "vlr", "vlm":
		z.vector(do)
	default:
		z.register(do, n)
	}
}

// clobbers sets a range of registers to other values.
func (z *zInsn) clobbers(from, to Reg) {
	for r := from; ; r = (r + 1) & 15 {
		if z.add(Clobber, r, 0, 0); r == to {
			return
		}
	}
}

// sum sets r to an address.
func (z *zInsn) sum(r Reg) {
	x, b, d := z.index, z.hi(2), z.disp
	switch {
	case x == 0 && b == 0:
		z.add(Const, r, 0, d)
	case z.base != NoReg:
		z.add(Move, r, z.base, d)
	case r == x:
		z.add(Add, r, b, 0)
		z.add(Move, r, r, d)
	default:
		z.add(Move, r, b, d)
		z.add(Add, r, x, 0)
	}
}

// load loads a word, or a part of one.
func (z *zInsn) load(r Reg, size int) {
	switch {
	case z.base == NoReg:
		z.add(Clobber, r, 0, 0)
	case size == 8:
		z.add(Load, r, z.base, z.disp)
	default:
		z.loadPart(r, z.base, z.disp, size)
	}
}

// store stores a register, or a part of one. What is addressed by two registers is no word that is followed.
func (z *zInsn) store(r Reg, size int) {
	if size == 8 {
		z.Access, size = Writes, 0
	}
	if z.base != NoReg {
		z.storePart(z.base, r, z.disp, size)
	}
}

// loads loads the registers r1 to r3, the base register last.
func (z *zInsn) loads(r1, r3 Reg, words bool) {
	last, base, off := Op{Do: Clobber, Dst: NoReg}, z.base, z.disp
	z.Access = Reads
	for r := r1; ; r = (r + 1) & 15 {
		op := Op{Do: Clobber, Dst: r}
		if words && base != NoReg {
			op = Op{Do: Load, Dst: r, Src: base, Off: off}
		}
		if r == base {
			last = op
		} else {
			z.put(op)
		}
		if off += 8; r == r3 {
			break
		}
	}
	if last.Dst != NoReg {
		z.put(last)
	}
}

// vector has the moves between a general register and the word of a vector register that is a
// floating-point register, and vlm.
func (z *zInsn) vector(do string) {
	r1, r2, high := z.r1, z.r2, z.b[4]&15
	word := z.b[4]>>4 == 3 && z.hi(2) == 0 && z.disp == 0
	to, from := zFloat[r1], zFloat[r2] // NoReg where no floating-point register is in the vector register
	if high&8 != 0 {
		to = NoReg
	}
	if high&4 != 0 {
		from = NoReg
	}
	switch do {
	case "vlgv":
		if word && from != NoReg {
			z.add(Move, r1, from, 0)
		} else if z.b[4]>>4 == 3 {
			z.add(Lose, r1, 0, 0) // a word that is not followed
		} else {
			z.add(Clobber, r1, 0, 0)
		}
	case "vlvg":
		if to == NoReg {
		} else if word {
			z.add(Move, to, r2, 0)
		} else if z.b[4]>>4 != 3 {
			z.add(Mix, to, NoReg, 0)
		} else if z.hi(2) != 0 || z.b[3]&1 == 0 { // else it is the other word
			z.copy(Either, to, r2)
		}
	case "vlvgp":
		if to != NoReg {
			z.add(Move, to, r2, 0)
		}
	case "vlr":
		if to != NoReg && from != NoReg {
			z.add(Move, to, from, 0)
		} else if to != NoReg {
			z.add(Lose, to, 0, 0)
		}
	case "vlm":
		if high&4 != 0 {
			r2 = 15
		}
		for r := r1; to != NoReg && (r == r1 || r <= r2); r++ {
			z.add(Clobber, zFloat[r], 0, 0)
		}
	}
}
