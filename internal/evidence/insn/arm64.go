package insn

import (
	"encoding/binary"
	"math/bits"
)

// Registers of AArch64. The number 31 is SP or XZR: set and r31 say which.
const (
	a64SP Reg = 31
	a64LR Reg = 30
)

// AArch64 is the [Decoder] of AArch64. The groups of encodings are those in the index of the Arm Architecture
// Reference Manual. An unallocated encoding within a group does not get the flow Bad: it is treated like its
// neighbors.
func AArch64(code []byte, pc uint64, i *Insn) {
	i.reset(4)
	if len(code) < 4 {
		i.Len, i.Flow, i.Access = uint8(len(code)), Bad, Reads|Writes
		return
	}
	w := binary.LittleEndian.Uint32(code)
	switch w >> 25 & 15 {
	case 0b0000:
		i.a64Reserved(w)
	case 0b0010:
		i.a64SVE(w)
	case 0b1000, 0b1001:
		i.a64Immediate(w, pc)
	case 0b1010, 0b1011:
		i.a64Branch(w, pc)
	case 0b0100, 0b0110, 0b1100, 0b1110:
		i.a64Memory(w)
	case 0b0101, 0b1101:
		i.a64Register(w)
	case 0b0111, 0b1111:
		i.a64Float(w)
	default:
		i.Flow = Bad
	}
}

// a64MaySign has the highest bytes of the instructions that may return, or change the pointer
// authentication code of an address.
var a64MaySign = [256]bool{
	0x55: true,                                     // retaasppc
	0x5a: true, 0x7a: true, 0xda: true, 0xfa: true, // pacia and others with one operand
	0xd5: true, // hints, as paciasp
	0xd6: true, // ret
	0xf3: true, // autiasppc
}

// field returns the n bits of w from bit lo on.
func field(w uint32, lo, n uint) uint32 { return w >> lo & (1<<n - 1) }

// signed returns the n bits of w from bit lo on as a signed number.
func signed(w uint32, lo, n uint) int64 { return int64(int32(w<<(32-lo-n)) >> (32 - n)) }

// regAt returns the register number in w from bit lo on.
func regAt(w uint32, lo uint) Reg { return Reg(w >> lo & 31) }

// a64Clobber appends that dst gets another value, unless it is XZR, which has number 31.
func (i *Insn) a64Clobber(dst Reg) {
	if dst != 31 {
		i.add(Clobber, dst, 0, 0)
	}
}

func (i *Insn) a64Reserved(w uint32) {
	switch {
	case w>>16 == 0: // udf
		i.Flow, i.Pad = Stop, w == 0
	case w>>31 == 0:
		i.Flow = Bad
	case w&0xffff8fe0 == 0xc04c03e0: // movt from ZT0
		i.a64Clobber(regAt(w, 0))
	}
}

// a64SVE has the few instructions of SVE that write a general register, and the loads and stores.
func (i *Insn) a64SVE(w uint32) {
	d := regAt(w, 0)
	switch w >> 29 {
	case 4, 5, 6:
		i.Access = Reads
	case 7:
		i.Access = Writes
	}
	switch {
	case w&0xfffffc00 == 0xe5804000: // str of a vector register: 16 bytes at least
		i.spill(regAt(w, 5), 0, 16)
	case w&0xffa0f000 == 0x04205000: // addvl, addpl, addsvl, addspl: SP too
		i.a64Copy(d, regAt(w, 16))
		i.add(Mix, d, NoReg, Varies)
	case w&0xfffff000 == 0x04bf5000, w&0xff30f800 == 0x0420e000: // rdvl, rdsvl, cntb and others
		if d != 31 {
			i.add(Clobber, d, NoReg, Varies)
		}
	case w&0xff20e000 == 0x0420e000, // incb, sqincb and others
		w&0xff38c000 == 0x25208000, // cntp, firstp, lastp
		w&0xff38f800 == 0x25288800, // incp, sqincp and others
		w&0xff2ee000 == 0x0520a000: // lasta, lastb, clasta, clastb
		i.a64Clobber(d)
	}
}

func (i *Insn) a64Immediate(w uint32, pc uint64) {
	d, n, wide := regAt(w, 0), regAt(w, 5), w>>31 != 0
	switch field(w, 23, 3) {
	case 0, 1: // adr, adrp
		imm := signed(w, 5, 19)<<2 | int64(field(w, 29, 2))
		if wide {
			imm, pc = imm<<12, pc&^0xfff
		}
		if d != 31 {
			i.add(Const, d, 0, int64(pc)+imm)
			i.Target = pc + uint64(imm)
			i.TargetOff, i.TargetLen = 0, 4
		}
	case 2: // add, sub
		imm := int64(field(w, 10, 12)) << (field(w, 22, 1) * 12)
		if w>>30&1 != 0 {
			imm = -imm
		}
		i.a64Sum(w, d, n, imm, wide)
	case 3:
		if w>>22&1 == 0 { // addg, subg: SP too
			i.a64Offset(d, n)
		} else { // smax, umin and others
			i.a64Derive(d, n, 31, false)
		}
	case 4:
		i.a64Logical(w, d, n, wide)
	case 5:
		i.a64MoveWide(w, d, wide)
	case 6: // bfm, sbfm, ubfm
		if d != 31 {
			i.a64Mix(d, n, 31)
		}
	case 7:
		if w&0xff80001f == 0xf380001f { // autiasppc, autibsppc
			i.add(Auth, a64LR, NoReg, int64(w>>21&1))
		} else { // extr
			i.a64Derive(d, n, 31, false)
		}
	}
}

// a64Sum sets d to n + imm: 31 is SP, but XZR as the result of adds and subs.
func (i *Insn) a64Sum(w uint32, d, n Reg, imm int64, wide bool) {
	switch {
	case d == 31 && w>>29&1 != 0:
		if imm <= 0 { // cmp
			i.add(Compare, n, NoReg, -imm)
		} else {
			i.flags()
		}
		return
	case wide:
		i.add(Move, d, n, imm)
	default:
		i.derive(d, n, NoReg)
	}
	i.a64Flags(w)
}

// a64Flags marks the flags as set by anything if an arithmetic instruction sets them.
func (i *Insn) a64Flags(w uint32) {
	if w>>29&1 != 0 {
		i.flags()
	}
}

// a64Logical is and, orr, eor and ands with an immediate: 31 is SP as the result of the
// first three.
func (i *Insn) a64Logical(w uint32, d, n Reg, wide bool) {
	opc := field(w, 29, 2)
	mask := bitMask(field(w, 22, 1), field(w, 16, 6), field(w, 10, 6))
	switch {
	case d == 31 && opc == 3: // tst
	case opc == 1 && n == 31: // mov
		if !wide {
			mask &= 1<<32 - 1
		}
		i.add(Const, d, 0, int64(mask))
	case opc&1 == opc>>1 && wide && n != 31 && -mask&(-mask-1) == 0 && mask != 0:
		// and, ands with a multiple of a power of two. The source of the one that
		// aligns SP is a register too.
		i.add(Move, d, n, 0)
		i.add(Align, d, 0, int64(mask))
	case n == 31:
		i.add(Clobber, d, 0, 0)
	default:
		i.derive(d, n, NoReg)
	}
	if opc == 3 {
		i.flags()
	}
}

// bitMask returns the immediate of a logical instruction of 64 bits; 0 for an encoding that is
// reserved.
func bitMask(n, immr, imms uint32) uint64 {
	if n<<6|^imms&0x3f == 0 {
		return 0
	}
	size := uint32(1) << (31 - bits.LeadingZeros32(n<<6|^imms&0x3f))
	ones := imms&(size-1) + 1
	elem := ^uint64(0) >> (64 - ones)
	if r := immr & (size - 1); r != 0 {
		elem = (elem>>r | elem<<(size-r)) & (^uint64(0) >> (64 - size))
	}
	for ; size < 64; size *= 2 {
		elem |= elem << size
	}
	return elem
}

func (i *Insn) a64MoveWide(w uint32, d Reg, wide bool) {
	if d == 31 {
		return
	}
	shift := field(w, 21, 2) * 16
	imm := int64(field(w, 5, 16)) << shift
	switch field(w, 29, 2) {
	case 0: // movn
		if imm = ^imm; !wide {
			imm = int64(uint32(imm))
		}
		i.add(Const, d, 0, imm)
	case 2: // movz
		i.add(Const, d, 0, imm)
	case 3: // movk
		i.add(Insert, d, Reg(shift), int64(field(w, 5, 16)))
	default:
		i.Flow = Bad
	}
	i.TargetOff, i.TargetLen = 0, 4
}

func (i *Insn) a64Branch(w uint32, pc uint64) {
	jump := func(flow Flow, lo, n uint) {
		i.Flow, i.Target = flow, pc+uint64(signed(w, lo, n)*4)
		i.TargetOff, i.TargetLen = 0, 4
	}
	switch w >> 29 {
	case 0b000: // b
		jump(Jump, 0, 26)
	case 0b100: // bl
		jump(Call, 0, 26)
		i.add(Clobber, a64LR, 0, 0)
	case 0b001, 0b101:
		if w>>25&1 == 0 { // cbz, cbnz
			jump(Branch, 5, 19)
		} else { // tbz, tbnz
			jump(Branch, 5, 14)
		}
	case 0b011, 0b111: // cbgt and others
		jump(Branch, 5, 9)
	case 0b010:
		switch {
		case w&0xff80001f == 0x5500001f: // retaasppc, retabsppc
			i.add(Auth, a64LR, NoReg, int64(w>>21&1))
			i.Flow, i.Via = Return, a64LR
		case w>>24&1 != 0:
			i.Flow = Bad
		case w&15 >= 14: // always
			jump(Jump, 5, 19)
		default:
			jump(Branch, 5, 19)
			i.Equal = [16]Way{0: ToTarget, 1: ToNext}[w&15]
			i.Above = [16]Way{8: ToTarget, 9: ToNext}[w&15]
		}
	case 0b110:
		i.a64System(w)
	}
}

func (i *Insn) a64System(w uint32) {
	switch w >> 24 {
	case 0xd4:
		switch w & 0xe0001f {
		case 0x000001: // svc
			i.add(Clobber, 0, 0, 0)
			i.System = true
		case 0x000002, 0x000003: // hvc, smc: results are in x0 to x3
			for r := Reg(0); r < 4; r++ {
				i.add(Clobber, r, 0, 0)
			}
		case 0x200000, 0x400000: // brk, hlt
			i.Flow = Stop
		}
	case 0xd5:
		switch {
		case w&0xfffff01f == 0xd503201f:
			i.a64Hint(field(w, 5, 7))
		case w&0xffffffe0 == 0xd50b7420, w&0xffffffe0 == 0xd50b7480: // dc zva, dc gzva
			i.Access = Writes
			i.spill(regAt(w, 0), 0, 1) // at least; the size of the block is not known
		case w>>23&1 != 0: // tchangef
			i.a64Clobber(regAt(w, 0))
		case w>>21&1 != 0: // mrs, sysl, mrrs
			i.a64Clobber(regAt(w, 0))
			if w>>22&1 != 0 {
				i.a64Clobber(regAt(w, 0) | 1)
			}
		}
	default:
		i.a64BranchRegister(w)
	}
}

func (i *Insn) a64BranchRegister(w uint32) {
	n, pac := regAt(w, 5), w>>11&1 != 0
	i.Via = n
	switch field(w, 21, 4) {
	case 0, 8: // br, braa
		i.Flow = IndirectJump
	case 1, 9: // blr, blraa
		i.Flow = IndirectCall
		i.add(Clobber, a64LR, 0, 0)
	case 2: // ret, retaa
		i.Flow = Return
		if pac {
			i.Via = a64LR
			i.add(Auth, a64LR, a64SP, int64(w>>10&1))
		}
	default: // eret, drps
		i.Flow, i.Via = Stop, NoReg
	}
}

// a64Hints has the names of hints, and a64HintText returns that of an instruction.
var a64Hints = [...]string{
	0: "nop", 1: "yield", 2: "wfe", 3: "wfi", 4: "sev", 5: "sevl", 7: "xpaclri",
	8: "pacia1716", 10: "pacib1716", 12: "autia1716", 14: "autib1716",
	16: "esb", 17: "psb csync", 18: "tsb csync", 19: "gcsb dsync", 20: "csdb", 22: "clearbhb",
	24: "paciaz", 25: "paciasp", 26: "pacibz", 27: "pacibsp", 28: "autiaz", 29: "autiasp", 30: "autibz", 31: "autibsp",
	32: "bti", 34: "bti c", 36: "bti j", 38: "bti jc", 40: "chkfeat x16",
}

func a64HintText(code []byte) string {
	if len(code) < 4 {
		return ""
	}
	w := binary.LittleEndian.Uint32(code)
	if n := w >> 5 & 127; w&^(127<<5) == 0xd503201f && n < uint32(len(a64Hints)) {
		return a64Hints[n]
	}
	return ""
}

func (i *Insn) a64Hint(hint uint32) {
	key, by := int64(hint>>1&1), NoReg
	if hint&1 != 0 {
		by = a64SP
	}
	switch hint {
	case 0:
		i.Pad = true
	case 7: // xpaclri
		i.add(Strip, a64LR, 0, 0)
	case 8, 10, 12, 14: // pacia1716, autia1716
		i.add(Lose, 17, 0, 0)
	case 24, 25, 26, 27: // paciaz, paciasp
		i.add(Sign, a64LR, by, key)
		i.Landing = by == a64SP
	case 28, 29, 30, 31: // autiaz, autiasp
		i.add(Auth, a64LR, by, key)
	case 32, 34, 36, 38: // bti
		i.Landing = true
	case 40: // chkfeat
		i.add(Clobber, 16, 0, 0)
	}
}
