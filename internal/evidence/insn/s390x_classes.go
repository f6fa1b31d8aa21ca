package insn

import "math/bits"

// zClass is which registers an instruction changes that is not exact: a bit for each.
type zClass uint16

const (
	zG0 zClass = 1 << iota // the general registers 0, 1 and 2
	zG1
	zG2
	zR1     // the general register R1
	zAfter1 // the one after R1
	zR2     // R2
	zAfter2 // the one after R2
	zF      // the floating-point register R1
	zF2     // the second one after R1
	zV      // the vector register V1

	zNone    zClass = 0
	zPair           = zR1 | zAfter1
	zPair2          = zR2 | zAfter2
	zPairs          = zPair | zPair2
	zPairR2         = zPair | zR2
	zR1Pair2        = zR1 | zPair2
	zFX             = zF | zF2
)

// zTable returns a table of the classes of 256 opcodes: usual, and others for those listed.
func zTable(usual zClass, others map[zClass]string) *[256]zClass {
	t := new([256]zClass)
	for k := range t {
		t[k] = usual
	}
	for c, list := range others {
		for _, b := range []byte(list) {
			t[b] = c
		}
	}
	return t
}

// zOne has the instructions that have their opcode in the first byte.
var zOne = func() *[256]zClass {
	t := zTable(zNone, map[zClass]string{
		zR1: "\x10\x11\x12\x13\x14\x16\x17\x18\x1a\x1b\x1e\x1f\x43\x48\x4a\x4b\x4c\x4f\x51\x54\x56\x57" +
			"\x58\x5a\x5b\x5e\x5f\x71\x83\x88\x89\x8a\x8b\xa5\xae\xb1\xba\xbf\xc0",
		zPair:     "\x1c\x1d\x5c\x5d\x8c\x8d\x8e\x8f\xbb",
		zPairs:    "\x0e\x0f\xa8\xa9",
		zG1 | zG2: "\xd0\xdd",
		zG1:       "\xdf",
		zG2:       "\x0a", // svc
	})
	for b := 0x20; b < 0x40; b++ {
		t[b] = zF
	}
	for b := 0x60; b < 0x80; b++ {
		if t[b] == zNone {
			t[b] = zF
		}
	}
	for _, b := range []byte("\x29\x39\x60\x69\x70\x79") { // cdr, cer, std, cd, ste, ce
		t[b] = zNone
	}
	for _, b := range []byte("\x26\x27\x36\x37\x67") { // mxr, mxdr, axr, sxr, mxd
		t[b] = zFX
	}
	return t
}()

// Tables of the instructions with an opcode of more than a byte.
var (
	zA7 = zTable(zR1, map[zClass]string{zNone: "\x00\x01\x02\x03\x0e\x0f"})
	zB2 = zTable(zNone, map[zClass]string{
		zR1:       "\x22\x23\x24\x26\x27\x29\x2c\x4b\x4f\x52\x58\x5a\xe4\xe5\xec\xed",
		zR1 | zR2: "\x55\x5d\x5e",
		zPair:     "\x4a\x50",
		zPairs:    "\x49\x57\x63\xa6\xa7", zPairR2: "\xa5", zR1Pair2: "\x41",
		zF: "\x44\x45", zFX: "\x2d",
	})
	zB3 = zTable(zF, map[zClass]string{
		zNone: "\x08\x09\x18\x19\x48\x49\x69\x84\x85\xe0\xe4\xe8\xec\xf4\xfc",
		zR1: "\x8c\x98\x99\x9a\x9c\x9d\x9e\xa8\xa9\xaa\xac\xad\xae\xb8\xb9\xba\xc8\xc9\xca" +
			"\xe1\xe2\xe3\xe5\xe7\xe9\xed\xef",
		zPair: "\xea\xeb",
		zFX: "\x05\x06\x07\x16\x25\x26\x36\x3a\x3b\x40\x41\x42\x43\x45\x46\x47\x4a\x4b\x4c\x4d\x60\x61\x62\x63\x65\x67" +
			"\x76\x92\x96\xa2\xa6\xb6\xc6\xd8\xd9\xda\xdb\xdc\xdd\xde\xdf\xf9\xfa\xfb\xfd\xfe\xff",
	})
	zB9 = zTable(zR1, map[zClass]string{
		zNone:     "\x20\x21\x25\x28\x2c\x30\x31\x60\x61\x72\x73\x8b\x8e\x9e\xa1\xcd\xcf\xdd\xdf",
		zR1 | zR2: "\x8d\xbe",
		zPair:     "\x0d\x1d\x83\x86\x87\x8a\x8f\x96\x97\xec",
		zPair2:    "\x1e\x3a\x3e\x3f", zR2: "\xaf",
		zPairs: "\x38\x39\x3c\xb0\xb1\xb2\xb3", zPairR2: "\x90\x91\x92\x93\xbd\xbf",
		zR1Pair2: "\x29\x2a\x2b\x2d\x2e\x2f",
		zF:       "\x51\x52\x53", zFX: "\x59\x5a\x5b",
	})
	zC2 = zTable(zR1, map[zClass]string{zNone: "\x0c\x0d\x0e\x0f"})
	zC4 = zTable(zR1, map[zClass]string{zNone: "\x07\x0b\x0f"})
	zC8 = zTable(zNone, map[zClass]string{zG0 | zG1 | zR1: "\x01", zPair: "\x02\x04\x05", zR1: "\x06\x07\x0f"})
	zCC = zTable(zR1, map[zClass]string{zNone: "\x0d\x0f"})
	zE3 = zTable(zR1, map[zClass]string{
		zNone: "\x20\x21\x24\x25\x26\x2e\x2f\x30\x31\x34\x36\x3e\x3f\x47\x49\x4d\x50\x55\x59\x70\x72\x79\x8e\xc3\xc7\xcb\xcd\xcf",
		zPair: "\x0d\x1d\x5c\x84\x86\x87\x96\x97\x8f",
	})
	zE6 = zTable(zV, map[zClass]string{zNone: "\x09\x0a\x0b\x0e\x0f\x3d\x3f\x5f\x77\x7f", zR1: "\x50\x52"})
	zE7 = zTable(zV, map[zClass]string{zNone: "\x08\x09\x0a\x0b\x0e\x1a\x1b\x3e\x3f\xca\xcb\xd8\xd9\xdb", zR1: "\x21\x27"})
	zEB = zTable(zNone, map[zClass]string{
		zR1:    "\x14\x16\x1d\x30\x4c\x80\x81\xdc\xdd\xde\xdf\xe0\xe4\xe6\xe7\xe8\xea\xf2\xf4\xf6\xf7\xf8\xfa",
		zPair:  "\x31\x3e",
		zPairs: "\x8e\x8f",
	})
	zEC = zTable(zR1, map[zClass]string{zNone: "\x70\x71\x72\x73"})
	zED = zTable(zF, map[zClass]string{
		zNone: "\x08\x09\x10\x11\x12\x18\x19\x50\x51\x54\x55\x58\x59\x66\x67\xa8\xa9\xac\xad",
		zFX:   "\x05\x06\x07\x25\x26\x3a\x3b\x48\x49\xab\xaf",
	})
)

// zGroups has these tables by the first byte. Their index is in the byte at: all of it, or its low
// digit.
var zGroups = [256]*struct {
	at, mask byte
	classes  *[256]zClass
}{
	0xa7: {1, 15, zA7}, 0xb2: {1, 255, zB2}, 0xb3: {1, 255, zB3}, 0xb9: {1, 255, zB9},
	0xc2: {1, 15, zC2}, 0xc4: {1, 15, zC4}, 0xc8: {1, 15, zC8}, 0xcc: {1, 15, zCC},
	0xe3: {5, 255, zE3}, 0xe6: {5, 255, zE6}, 0xe7: {5, 255, zE7}, 0xeb: {5, 255, zEB}, 0xec: {5, 255, zEC}, 0xed: {5, 255, zED},
}

// class returns the class of z and its registers R1 and R2.
func (z *zInsn) class() (c zClass, r1, r2 Reg) {
	g := zGroups[z.b[0]]
	if g == nil {
		return zOne[z.b[0]], z.hi(1), z.lo(1)
	}
	k := z.b[g.at] & g.mask
	c, r1, r2 = g.classes[k], z.hi(1), z.lo(1)
	switch b := z.b[0]; {
	case b == 0xb3 && (k&0xce == 0x0e || k&0xf8 == 0x38): // maebr and others: RRD
		r1 = z.hi(2)
	case b == 0xb2, b == 0xb3, b == 0xb9:
		r1, r2 = z.hi(3), z.lo(3)
	case b == 0xed && (k&0xce == 0x0e || k&0xf8 == 0x38 || k&0xf6 == 0x40 || k&0xf8 == 0xa8):
		r1 = z.hi(4)
	}
	return c, r1, r2
}

// classed appends the effects of an instruction by its class, and what it stores.
func (z *zInsn) classed() {
	z.stores()
	c, r1, r2 := z.class()
	if c == zR1 && z.derived(r1, r2) {
		return
	}
	for k, r := range [...]Reg{0, 1, 2, r1, (r1 + 1) & 15, r2, (r2 + 1) & 15, zFloat[r1], zFloat[(r1+2)&15]} {
		if c>>k&1 != 0 {
			z.add(Clobber, r, 0, 0)
		}
	}
	if c == zV {
		z.vector()
	}
	z.decodeRanges()
}

// derived appends that R1 gets a result of known registers, and reports whether it does.
func (z *zInsn) derived(r1, r2 Reg) bool {
	a, b, product, sum := r2, NoReg, false, false
	switch op := z.b[1]; z.b[0] {
	case 0x10, 0x11, 0x12, 0x13: // lpr, lnr, ltr, lcr
	case 0x18: // lr
		sum = true
	case 0x14, 0x16, 0x17, 0x1a, 0x1b, 0x1e, 0x1f: // nr, or, xr, ar, sr, alr, slr
		b, sum = r1, z.b[0]&0xfb == 0x1a
	case 0x48, 0x58: // lh, l
		z.part(r1, 2<<(z.b[0]>>4&1))
		return true
	case 0x88, 0x89, 0x8a, 0x8b, 0xa5, 0xa7, 0xc0, 0xc2: // shifts, and sums and others of a constant
		a, sum = r1, z.b[0] == 0x89 || z.b[0] == 0xa7 && op&15 == 10 // sll, ahi
	case 0xb2: // msr
		b, product = r1, true
		if op != 0x52 {
			return false
		}
	case 0xb9:
		switch {
		case op < 4, op == 6, op == 7, op >= 0x10 && op < 0x18, op == 0x26, op == 0x27, op&0xee == 0x84, op == 0xe1: // lgfr, llgcr, popcnt and others
			sum = op&0xfd == 0x14 // lgfr, llgfr
		case op == 0x0c, op == 0x1c: // msgr, msgfr
			b, product = r1, true
		case op == 0xed, op == 0xfd: // msgrkc, msrkc
			b, product = z.hi(2), true
		case op >= 0xf4 && op <= 0xfb && op != 0xf5: // nrk, ork, xrk, ark, srk and others
			b, sum = z.hi(2), op&0xfd == 0xf8 // ark, alrk
		default:
			return false
		}
	case 0xe3:
		if z.b[5] != 0x58 { // ly
			return false
		}
		z.part(r1, 4)
		return true
	case 0xeb: // srak, slak, srlk, sllk
		if op = z.b[5]; op < 0xdc || op > 0xdf {
			return false
		}
		sum = op == 0xdf // sllk
	case 0xec: // risblg, risbg, risbgn, risbhg, ahik and others
		if op = z.b[5]; op&0xf3 != 0x51 && op&0xfc != 0xd8 {
			return false
		}
	default:
		return false
	}
	if sum {
		z.sum32(r1, a, b)
	} else {
		z.deriveAs(r1, a, b, product)
	}
	return true
}

// vector appends the change of the floating-point register in the vector register that z changes.
func (z *zInsn) vector() {
	high := z.b[4] & 15
	r, out := z.hi(1), high&8 != 0
	if z.b[0] == 0xe6 && z.b[5] >= 0x34 && z.b[5] <= 0x3f { // vlrl and others
		r, out = z.hi(4), high&1 != 0
	}
	if !out {
		z.add(Clobber, zFloat[r], 0, 0)
	}
}

// decodeRanges has the instructions that change a range of registers.
func (z *zInsn) decodeRanges() {
	var from, to Reg
	switch {
	case z.b[0] == 0x98, z.b[0] == 0xef: // lm, lmd
		from, to = z.hi(1), z.lo(1)
	case z.b[0] == 0xee: // plo
		z.add(Clobber, z.hi(1), 0, 0)
		z.add(Clobber, z.hi(1)|1, 0, 0)
		from, to = z.lo(1), z.lo(1)|1
	case z.b[0] == 0xe7 && z.b[5] == 0x36 && z.b[4]&8 == 0: // vlm
		last := z.lo(1)
		if z.b[4]&4 != 0 {
			last = 15
		}
		for r := z.hi(1) + 1; r <= last; r++ {
			z.add(Clobber, zFloat[r], 0, 0)
		}
		return
	case z.b[0] == 0xb2 && z.b[1] == 0xb0: // stfle
		z.add(Clobber, 0, 0, 0)
		return
	default:
		return
	}
	for r := from; ; r = (r + 1) & 15 {
		z.add(Clobber, r, 0, 0)
		if r == to {
			return
		}
	}
}

// memory notes a store of n bytes.
func (z *zInsn) memory(base Reg, off int64, n int) {
	if base != NoReg && base != 0 && n > 0 {
		z.spill(base, off, n)
	}
}

// storeOf notes a store of a part of a register.
func (z *zInsn) storeOf(r Reg, n int) {
	if base := z.base(); base != NoReg {
		z.storePart(base, r, z.disp(), n)
	}
}

// zStores has the bytes that an instruction stores, by its first byte, or by the last one in
// the groups E3, E6, E7 and EB, in that order.
var zStores = [...]map[byte]int{
	{
		0x40: 2, 0x42: 1, 0x4e: 8, 0x50: 4, 0x70: 4, 0x92: 1, 0x93: 1, 0x94: 1, 0x96: 1, 0x97: 1,
		0xba: 4, 0xbb: 8, 0xe9: 16, 0xe1: 16,
	},
	{0x26: 8, 0x2e: 16, 0x2f: 8, 0x3e: 4, 0x3f: 2, 0x50: 4, 0x70: 2, 0x72: 1, 0xc3: 1, 0xc7: 2, 0xcb: 4},
	{0x09: 2, 0x0a: 8, 0x0b: 4, 0x0e: 16, 0x0f: 16},
	{0x08: 1, 0x09: 2, 0x0a: 8, 0x0b: 4, 0x0e: 16},
	{
		0x14: 4, 0x30: 8, 0x31: 8, 0x3e: 16, 0x52: 1, 0x54: 1, 0x56: 1, 0x57: 1, 0x6a: 4, 0x6e: 4, 0x7a: 8, 0x7e: 8,
		0xe4: 8, 0xe6: 8, 0xe7: 8, 0xe8: 8, 0xea: 8, 0xf4: 4, 0xf6: 4, 0xf7: 4, 0xf8: 4, 0xfa: 4,
	},
}

// stores appends what an instruction that is not exact stores.
func (z *zInsn) stores() {
	r1, r3, b2 := z.hi(1), z.lo(1), z.hi(2)
	switch b := z.b[0]; b {
	case 0x40, 0x42, 0x50: // sth, stc, st
		z.storeOf(r1, zStores[0][b])
	case 0x4e, 0x70:
		z.memory(z.base(), z.disp(), zStores[0][b])
	case 0x90: // stm
		z.memory(b2, z.disp(), 4*(int(r3-r1)&15+1))
	case 0xbe: // stcm
		z.memory(b2, z.disp(), bits.OnesCount8(uint8(r3)))
	case 0xe3:
		if n, k := zStores[1][z.b[5]], z.b[5]; k == 0x50 || k == 0x70 || k == 0x72 { // sty, sthy, stcy
			z.storeOf(r1, n)
		} else {
			z.memory(z.base(), z.disp(), n)
		}
	case 0xe6:
		n := zStores[2][z.b[5]]
		base := z.base()
		if z.b[5] == 0x3d { // vstrl
			n, base = int(z.b[1]&15)+1, b2
		}
		z.memory(base, z.disp12(2), n)
	case 0xe7:
		n, base := zStores[3][z.b[5]], z.base()
		if z.b[5] == 0x3e { // vstm
			n, base = 16*(int(r3-r1)&15+1), b2
		}
		z.memory(base, z.disp12(2), n)
	case 0xeb:
		n := zStores[4][z.b[5]]
		if z.b[5] == 0x2c || z.b[5] == 0x2d { // stcmh, stcmy
			n = bits.OnesCount8(uint8(r3))
		}
		z.memory(b2, z.disp20(), n)
	case 0xe5: // mvhhi, mvghi, mvhi
		z.memory(b2, z.disp12(2), map[byte]int{0x44: 2, 0x48: 8, 0x4c: 4}[z.b[1]])
	case 0xed:
		if z.b[5] == 0x66 { // stey
			z.memory(z.base(), z.disp20(), 4)
		}
	case 0xb2: // stck, stcke, stckf, stfpc
		z.memory(b2, z.disp12(2), map[byte]int{0x05: 8, 0x78: 16, 0x7c: 8, 0x9c: 4}[z.b[1]])
	default:
		if n, ok := zStores[0][b]; ok {
			z.memory(b2, z.disp12(2), n)
			return
		}
		z.storageToStorage()
	}
}

// storageToStorage has the formats with two addresses and a length, except those whose length
// is in a register.
func (z *zInsn) storageToStorage() {
	n := int(z.b[1]) + 1
	switch z.b[0] {
	case 0xd2: // mvc: it may copy a saved register
		z.put(Op{Do: Forget, Dst: z.hi(2), Src: z.hi(4), Off: z.disp12(2), Size: uint16(n)})
		return
	case 0xd1, 0xd3, 0xd4, 0xd6, 0xd7, 0xdc, 0xde, 0xdf, 0xe2, 0xe8, 0xea: // mvn, mvz, nc, oc, xc, tr, ed, edmk, unpku, mvcin, unpka
	case 0xf0, 0xf1, 0xf2, 0xf3, 0xf8, 0xfa, 0xfb, 0xfc, 0xfd: // srp, mvo, pack, unpk, zap, ap, sp, mp, dp
		n = int(z.b[1]>>4) + 1
	default:
		return
	}
	z.memory(z.hi(2), z.disp12(2), n)
}

// keepsCC reports whether an instruction leaves the condition code, or has a Compare.
func (z *zInsn) keepsCC() bool {
	if z.N > 0 && z.Ops[z.N-1].Do == Compare {
		return true
	}
	switch z.b[0] {
	case 0x07, 0x18, 0x28, 0x38, 0x40, 0x41, 0x42, 0x43, 0x48, 0x50, 0x58, 0x60, 0x68, 0x70, 0x78, 0x88, 0x89,
		0x90, 0x92, 0x98, 0xd2:
		return true
	case 0xa5:
		return z.b[1]&15 >= 12 || z.b[1]&15 < 4
	case 0xa7:
		return z.b[1]&15 == 8 || z.b[1]&15 == 9
	case 0xb3:
		return z.b[1] == 0xc1 || z.b[1] == 0xcd || z.b[1] == 0x75
	case 0xb9:
		switch z.b[1] {
		case 0x04, 0x06, 0x07, 0x14, 0x16, 0x17, 0x84, 0x85, 0x94, 0x95:
			return true
		}
	case 0xc0:
		return z.b[1]&15 < 2 || z.b[1]&15 >= 14
	case 0xc4, 0xe7, 0xef:
		return true
	case 0xe3:
		switch z.b[5] {
		case 0x04, 0x14, 0x15, 0x16, 0x24, 0x50, 0x58, 0x71, 0x72, 0x76, 0x77, 0x90, 0x91, 0x94, 0x95:
			return true
		}
	case 0xeb:
		switch z.b[5] {
		case 0x04, 0x0c, 0x0d, 0x24, 0x26, 0x90, 0x96, 0x98, 0xde, 0xdf:
			return true
		}
	}
	return false
}
