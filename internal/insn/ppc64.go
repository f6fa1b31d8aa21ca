package insn

import "encoding/binary"

// PPCLR stands for LR of PowerPC64, whose DWARF number is too large: programs do not write r13,
// the thread pointer.
const PPCLR Reg = 13

// RegOf returns the register with a DWARF number.
func RegOf(n uint32) Reg {
	if n == 65 {
		return PPCLR
	}
	return Reg(n)
}

// PPC64 is the [Decoder] of PowerPC64 with big-endian instructions, PPC64LE that with little-endian
// ones. The groups are those of the Power ISA, by the primary opcode. Instructions of a group
// that are not listed set the register in the field RT or RA to a result.
func PPC64(code []byte, pc uint64, i *Insn) { i.ppc(code, pc, binary.BigEndian) }

// PPC64LE is PPC64 with little-endian instructions.
func PPC64LE(code []byte, pc uint64, i *Insn) { i.ppc(code, pc, binary.LittleEndian) }

func (i *Insn) ppc(code []byte, pc uint64, order binary.ByteOrder) {
	i.reset(4)
	if len(code) < 4 {
		i.Len, i.Flow, i.Access = uint8(len(code)), Bad, Reads|Writes
		return
	}
	w := order.Uint32(code)
	if w>>26 != 1 {
		i.ppcWord(w, pc)
		return
	}
	if len(code) < 8 { // a prefix, since Power10
		i.Flow, i.Access = Bad, Reads|Writes
		return
	}
	i.reset(8)
	i.ppcPrefixed(w, order.Uint32(code[4:]))
}

// ppcSet sets a register to a result. A result in r13 is not followed.
func (i *Insn) ppcSet(r Reg) {
	if r != PPCLR {
		i.add(Clobber, r, 0, 0)
	}
}

// ppcMove sets d to s + off; s is no register if it is 0.
func (i *Insn) ppcMove(d, s Reg, off int64) {
	switch {
	case d == PPCLR:
	case s == 0:
		i.add(Const, d, 0, off)
	case s == PPCLR:
		i.add(Clobber, d, 0, 0)
	default:
		i.add(Move, d, s, off)
	}
}

// ppcMem is a load or store of size bytes at the register a, or 0, and an offset. update sets
// a to the address.
func (i *Insn) ppcMem(store, float, update bool, t, a Reg, off int64, size int) {
	known := a != 0 && a != PPCLR
	if i.Access = Reads; store {
		i.Access = Writes
	}
	switch {
	case store && !known:
	case store && size == 8 && !float && t != PPCLR:
		i.add(Store, a, t, off)
	case store:
		i.spill(a, off, size)
	case float:
	case known && size == 8 && t != PPCLR:
		i.add(Load, t, a, off)
	default:
		i.ppcSet(t)
	}
	if update && known {
		i.add(Move, a, a, off)
	}
}

// ppcJump is a branch to an offset in the low bits of w.
func (i *Insn) ppcJump(flow Flow, w uint32, bits uint, pc uint64) {
	off := signed(w&^3, 0, bits)
	if w&2 != 0 { // absolute
		pc = 0
	}
	i.Flow, i.Target, i.TargetLen = flow, pc+uint64(off), 4
}

func (i *Insn) ppcWord(w uint32, pc uint64) {
	t, a := regAt(w, 21), regAt(w, 16)
	imm := signed(w, 0, 16)
	switch op := w >> 26; op {
	case 0: // zeros, and attn
		i.Flow, i.Pad = Stop, w == 0
	case 2, 3: // tdi, twi
		if t == 31 {
			i.Flow = Stop
		}
	case 4:
		i.ppcMultiple(w, t, a)
	case 6, 57, 58, 61, 62: // also pairs of vector registers
		i.ppcDouble(op, w, t, a)
	case 7, 8, 12, 13: // mulli, subfic, addic
		i.ppcSet(t)
		if op != 7 {
			i.add(Compare, NoReg, NoReg, 0)
		}
	case 10, 11: // cmpli, cmpi
		i.ppcCompare(w, a, imm, op == 10)
	case 14: // addi, li
		i.ppcMove(t, a, imm)
		i.TargetLen = 4
	case 15: // addis, lis
		i.ppcMove(t, a, imm<<16)
		i.TargetLen = 4
	case 16: // bc
		i.ppcConditional(w, pc)
	case 17: // sc, scv
		i.System = true
		i.ppcSet(3)
		i.ppcSet(0)
	case 18: // b, bl
		i.ppcJump(Jump, w, 26, pc)
		if w&1 != 0 {
			i.Flow = Call
			i.add(Clobber, PPCLR, 0, 0)
		}
	case 19:
		i.ppcRegisterBranch(w, pc, t)
	case 20, 21, 23, 30: // rlwimi, rlwinm, rlwnm, rldicl and others
		i.ppcSet(a)
		i.ppcRecord(w)
	case 24: // ori; ori 0,0,0 is nop
		if i.Pad = w == 0x60000000; !i.Pad {
			i.ppcLogical(a, t, w)
		}
	case 25, 26, 27, 28, 29: // oris, xori, xoris, andi., andis.
		i.ppcLogical(a, t, w)
	case 31:
		i.ppcExtended(w, t, a)
	case 22, 1, 5, 9: // reserved, pli and others with a prefix
		i.Flow = Bad
	case 46, 47: // lmw, stmw: of big-endian machines, in 32-bit code
		i.Access = Reads | Writes
		for r := t; op == 46 && r < 32 && i.N < MaxOps; r++ {
			i.ppcSet(r)
		}
	case 56: // lq
		i.Access = Reads
		i.ppcSet(t)
		i.ppcSet(t + 1)
	case 59, 60, 63: // floating-point, vector-scalar
		i.ppcVector(op, w, a)
	default: // 32 to 45, 48 to 55: lwz, lwzu, lbz, ..., stfdu
		size := [12]int{4, 1, 4, 1, 2, 2, 2, 4, 4, 8, 4, 8}
		kind := (op - 32) / 2
		store := kind == 2 || kind == 3 || kind == 6 || kind >= 10
		i.ppcMem(store, op >= 48, op&1 != 0, t, a, imm, size[kind])
	}
}

// ppcLogical sets a to a result of t; "ori a,t,0" moves.
func (i *Insn) ppcLogical(a, t Reg, w uint32) {
	if op := w >> 26; w&0xffff == 0 && op < 28 && t != PPCLR && a != PPCLR {
		i.add(Move, a, t, 0)
		return
	}
	i.ppcSet(a)
	if w>>26 >= 28 {
		i.add(Compare, NoReg, NoReg, 0)
	}
}

func (i *Insn) ppcRecord(w uint32) {
	if w&1 != 0 {
		i.add(Compare, NoReg, NoReg, 0)
	}
}

// ppcCompare is followed for cr0 and 64 bits.
func (i *Insn) ppcCompare(w uint32, a Reg, imm int64, unsigned bool) {
	switch {
	case w>>23&7 != 0:
	case w>>21&1 == 0 || a == PPCLR:
		i.add(Compare, NoReg, NoReg, 0)
	case unsigned:
		i.add(Compare, a, NoReg, imm&0xffff)
	default:
		i.add(Compare, a, NoReg, imm)
	}
}

// ppcDouble is ld, ldu, lwa, std, stdu, stq and those of vector registers.
func (i *Insn) ppcDouble(op, w uint32, t, a Reg) {
	ds := signed(w&^3, 0, 16)
	switch {
	case op == 58 && w&3 <= 1: // ld, ldu
		i.ppcMem(false, false, w&1 != 0, t, a, ds, 8)
	case op == 58: // lwa
		i.ppcMem(false, false, false, t, a, ds, 4)
	case op == 62 && w&3 <= 1: // std, stdu
		i.ppcMem(true, false, w&1 != 0, t, a, ds, 8)
	case op == 62: // stq
		i.ppcMem(true, true, false, t, a, ds, 16)
	case op == 6: // lxvp, stxvp
		i.ppcMem(w&15 == 1, true, false, t, a, signed(w&^15, 0, 16), 32)
	case op == 61 && w&3 == 1: // lxv, stxv
		i.ppcMem(w&7 == 5, true, false, t, a, signed(w&^15, 0, 16), 16)
	case op == 61: // stfdp, stxsd, stxssp
		i.ppcMem(true, true, false, t, a, ds, 16)
	default: // lfdp, lxsd, lxssp
		i.Access = Reads
	}
}

// ppcConditional is bc and bcl. "bcl 20,31,.+4" reads the PC.
func (i *Insn) ppcConditional(w uint32, pc uint64) {
	flow := Branch
	always := w>>21&0x14 == 0x14
	if always {
		flow = Jump
	}
	if i.ppcJump(flow, w, 16, pc); w&1 == 0 {
		i.ppcWays(w)
		return
	}
	i.add(Clobber, PPCLR, 0, 0)
	if i.Flow = Call; always && i.Target == pc+4 {
		i.Flow, i.TargetLen = Next, 0
	}
}

// ppcWays says where a branch on a bit of cr0 goes.
func (i *Insn) ppcWays(w uint32) {
	set := w>>21&0x1e == 0x0c || w>>21&0x1c == 0x0c // the branch is taken if the bit is set
	clear := w>>21&0x1c == 0x04
	if w>>16&31 == 2 && set {
		i.Equal = ToTarget
	} else if w>>16&31 == 2 && clear {
		i.Equal = ToNext
	}
}

// ppcRegisterBranch is bclr, bcctr, bctar, and instructions on bits of CR.
func (i *Insn) ppcRegisterBranch(w uint32, pc uint64, t Reg) {
	cond := w>>21&0x14 != 0x14
	switch w >> 1 & 0x3ff {
	case 16: // bclr
		i.Flow, i.Via, i.Cond = Return, PPCLR, cond
		if w&1 != 0 {
			i.Flow = IndirectCall
			i.add(Clobber, PPCLR, 0, 0)
		}
	case 528, 560: // bcctr, bctar
		i.Flow, i.Cond = IndirectJump, cond
		if w&1 != 0 {
			i.Flow = IndirectCall
			i.add(Clobber, PPCLR, 0, 0)
		}
	case 18, 50, 82, 274, 306, 370: // rfid, rfi, rfscv, hrfid, urfid, stop
		i.Flow = Stop
	case 0, 33, 129, 150, 193, 225, 257, 289, 417, 449: // mcrf, crnor, isync and others
		i.add(Compare, NoReg, NoReg, 0)
	default:
		if w>>1&31 == 2 { // addpcis
			hi := int64(w>>6&0x3ff)<<6 | int64(w>>16&31)<<1 | int64(w&1)
			hi = hi << 48 >> 48 << 16
			if t != PPCLR {
				i.add(Const, t, 0, int64(pc)+4+hi)
			}
			return
		}
		i.Flow = Bad
	}
}

// Extended opcodes of the primary opcode 31 by what they do with a register; others change none.
var ppcEffects = func() (t [1024]ppcEffect) {
	set := func(e ppcEffect, ops ...int) {
		for _, op := range ops {
			t[op] = e
		}
	}
	for _, op := range []int{266, 10, 138, 234, 202, 40, 8, 136, 232, 200, 104, 235, 233, 491, 459, 489, 457, 427, 395, 425, 393} {
		set(ppcResultT, op, op|512) // with and without the overflow bit
	}
	set(ppcResultT, 75, 11, 73, 9, 587, 523, 585, 521, 779, 267, 777, 265, 170, 426, 682, 938, 74, // mulhw, modsw, addex, addg6s
		19, 83, 371, 755, 128, 384, 416, 448, 480, 915, 851, 979) // mfcr, mfmsr, mftb, darn, setb, slbmfee
	set(ppcResultA, 28, 60, 124, 444, 412, 316, 476, 284, 24, 536, 792, 824, 27, 539, 794, 826, 827, 890, 891, 26, 58, 538, 570, 59, 571,
		954, 922, 986, 122, 378, 506, 154, 186, 508, 252, 156, 188, 220, 219, 155, 187, 314, 282, // and, slw, cntlzw, extsb, popcntb
		51, 115, 307) // mfvsrd, mfvsrwz, mfvsrld
	set(ppcLoad, 23, 55, 87, 119, 279, 311, 343, 375, 341, 373, 21, 53, 534, 790, 532, 20, 84, 52, 116, 276, 597, 533, 582, 614,
		789, 821, 853, 885)
	set(ppcReads, 535, 567, 599, 631, 855, 887, 7, 39, 71, 103, 359, 6, 38, 12, 76, 268, 364, 524, 588, 780, 812, 844, 876, 332, 333, 269, 301, 13, 45, 77, 109, 791)
	set(ppcWrites, 151, 183, 149, 181, 215, 247, 407, 439, 150, 214, 694, 726, 182, 662, 918, 660, 725, 661, 663, 695, 727, 759, 983,
		135, 167, 199, 231, 487, 140, 396, 397, 429, 652, 716, 908, 940, 972, 1004, 460, 461, 141, 173, 205, 237, 710, 742, 919, 1014, 722)
	return t
}()

// ppcEffect is what an instruction does with a register.
type ppcEffect uint8

const (
	ppcNothing ppcEffect = iota
	ppcResultT           // RT is a result
	ppcResultA           // RA is a result
	ppcLoad              // RT is loaded
	ppcReads             // a vector or floating-point register is loaded
	ppcWrites
)

func (i *Insn) ppcExtended(w uint32, t, a Reg) {
	xo, b := w>>1&0x3ff, regAt(w, 11)
	switch {
	case w>>1&31 == 15: // isel
		i.ppcSet(t)
		return
	case xo == 4, xo == 68: // tw, td
		if t == 31 {
			i.Flow = Stop
		}
		return
	case xo == 0, xo == 32: // cmp, cmpl
		if w>>23&7 == 0 && w>>21&1 != 0 && a != PPCLR && b != PPCLR {
			i.add(Compare, a, b, 0)
		} else if w>>23&7 == 0 {
			i.add(Compare, NoReg, NoReg, 0)
		}
		return
	case xo == 339 || xo == 467:
		i.ppcSpecial(w, t, xo == 467)
		return
	case xo == 444 && t == b: // mr
		if a != PPCLR && t != PPCLR {
			i.add(Move, a, t, 0)
		} else {
			i.ppcSet(a)
		}
	case xo == 266 || xo == 40: // add, subf
		i.ppcSum(t, a, b, xo == 40)
	default:
		i.ppcTable(xo, w, t, a, b)
	}
	i.ppcRecord(w)
}

func (i *Insn) ppcTable(xo, w uint32, t, a, b Reg) {
	switch e := ppcEffects[xo]; e {
	case ppcResultT:
		i.ppcSet(t)
	case ppcResultA:
		i.ppcSet(a)
	case ppcLoad:
		i.Access = Reads
		i.ppcSet(t)
		if xo == 276 { // lqarx
			i.ppcSet(t + 1)
		}
		if xo == 582 || xo == 614 { // lwat, ldat
			i.Access = Reads | Writes
		}
		for r := t + 1; (xo == 597 || xo == 533) && r < t+8; r++ { // lswi, lswx
			i.ppcSet(r & 31)
		}
	case ppcReads:
		i.Access = Reads
	case ppcWrites:
		i.Access = Writes
	}
	switch xo {
	case 53, 55, 119, 311, 373, 375, 567, 631, 181, 183, 247, 439, 695, 759: // with an update of RA
		switch {
		case a == PPCLR:
		case b == PPCLR:
			i.ppcSet(a)
		default:
			i.add(Add, a, b, 0)
		}
	}
}

// ppcSum sets t to a + b, or to b - a.
func (i *Insn) ppcSum(t, a, b Reg, minus bool) {
	do, x, y := Add, a, b
	if minus {
		do, x, y = Sub, b, a
	} else if t == b {
		x, y = b, a
	}
	switch {
	case t == PPCLR:
	case a == PPCLR || b == PPCLR || t == y && t != x:
		i.ppcSet(t)
	default:
		if t != x {
			i.add(Move, t, x, 0)
		}
		i.add(do, t, y, 0)
	}
}

// ppcSpecial is mtspr and mfspr: LR is followed.
func (i *Insn) ppcSpecial(w uint32, t Reg, to bool) {
	const lr = 8
	switch spr := w>>16&31 | w>>6&0x3e0; {
	case to && spr == lr && t == PPCLR:
		i.add(Clobber, PPCLR, 0, 0)
	case to && spr == lr:
		i.add(Move, PPCLR, t, 0)
	case to || t == PPCLR:
	case spr == lr:
		i.add(Move, t, PPCLR, 0)
	default:
		i.ppcSet(t)
	}
}

// ppcVector is an instruction on floating-point or vector registers; a few have a result in a
// general one.
func (i *Insn) ppcVector(op, w uint32, a Reg) {
	if op == 60 && w>>2&0x1ff == 347 && a < 2 { // xsxexpdp, xsxsigdp
		i.ppcSet(regAt(w, 21))
	}
}

// ppcMultiple is an instruction on vectors with the primary opcode 4.
func (i *Insn) ppcMultiple(w uint32, t, a Reg) {
	switch w & 0x7ff {
	case 1549, 1613, 1677, 1805, 1869, 1933: // vextublx and others
		i.ppcSet(t)
	case 1538: // vclzlsbb, vctzlsbb
		if a < 2 {
			i.ppcSet(t)
		}
	case 1602: // vextractbm, vcntmbb and others
		if a >= 8 && a < 13 || a >= 24 {
			i.ppcSet(t)
		}
	default:
		if w&0x3f == 48 || w&0x3f == 49 || w&0x3f == 51 { // maddhd, maddhdu, maddld
			i.ppcSet(t)
		}
	}
}

// ppcPrefixed is an instruction of 8 bytes.
func (i *Insn) ppcPrefixed(prefix, w uint32) {
	t, a, op := regAt(w, 21), regAt(w, 16), w>>26
	off := signed(prefix, 0, 18)<<16 | int64(w&0xffff)
	if prefix>>20&1 != 0 { // relative to the PC
		a, off = 0, 0
	}
	wide := prefix>>24&3 == 0
	switch kind := prefix >> 24 & 3; {
	case kind == 1: // vectors
	case kind == 3: // pnop, and matrices
		i.Pad = prefix == 0x07000000
	case !wide && op == 14 && prefix>>20&1 != 0:
		i.ppcSet(t)
	case !wide && op == 14: // paddi, pli
		i.ppcMove(t, a, off)
	case wide && op == 57: // pld
		i.ppcMem(false, false, false, t, a, off, 8)
	case wide && op == 61: // pstd
		i.ppcMem(true, false, false, t, a, off, 8)
	case wide && op == 41: // plwa
		i.ppcMem(false, false, false, t, a, off, 4)
	case wide && op == 56: // plq
		i.Access = Reads
		i.ppcSet(t)
		i.ppcSet(t + 1)
	case wide && (op == 46 || op == 47 || op == 54 || op == 55 || op == 60 || op == 62):
		i.ppcMem(true, true, false, t, a, off, 32)
	case wide:
		i.Access = Reads
	case op >= 32 && op < 56:
		size := [12]int{4, 1, 4, 1, 2, 2, 2, 4, 4, 8, 4, 8}
		n := (op - 32) / 2
		i.ppcMem(n == 2 || n == 3 || n == 6 || n >= 10, op >= 48, false, t, a, off, size[n])
	default:
		i.Flow = Bad
	}
}
