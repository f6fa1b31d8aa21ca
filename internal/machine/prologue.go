package machine

import "encoding/binary"

// The functions below decode an instruction of a prologue: its length, 0 for any other, and by
// how many bytes it lowers SP.

func stepAMD64(c []byte) (int, int64) {
	if len(c) < 7 {
		return 0, 0 // too near the end for a prologue
	}
	switch {
	case c[0] == 0xf3 && c[1] == 0x0f && c[2] == 0x1e && c[3] == 0xfa: // endbr64
		return 4, 0
	case c[0]&^7 == 0x50: // push
		return 1, 8
	case c[0] == 0x41 && c[1]&^7 == 0x50: // push r8 to r15
		return 2, 8
	case c[0] == 0x48 && c[1] == 0x83 && c[2] == 0xec: // sub $imm8, %rsp
		return 4, int64(int8(c[3]))
	case c[0] == 0x48 && c[1] == 0x81 && c[2] == 0xec: // sub $imm32, %rsp
		return 7, int64(int32(binary.LittleEndian.Uint32(c[3:])))
	case c[0] == 0x48 && c[1] == 0x8d && c[2] == 0x64 && c[3] == 0x24: // lea disp8(%rsp), %rsp
		return 5, -int64(int8(c[4]))
	}
	at := 0
	if c[0]&^0xf == 0x40 { // REX
		at = 1
	}
	op, modrm := c[at], c[at+1]
	// mov and xor of registers to a register other than rsp
	if (op == 0x89 || op == 0x31) && modrm >= 0xc0 && (modrm&7 != 4 || at == 1 && c[0]&1 != 0) {
		return at + 2, 0
	}
	return 0, 0
}

func stepAArch64(c []byte) (int, int64) {
	if len(c) < 4 {
		return 0, 0
	}
	const sp = 31
	w := binary.LittleEndian.Uint32(c) // whatever the data are
	rd, rn := w&31, w>>5&31
	switch {
	case w&0xfffff01f == 0xd503201f: // hints: nop, bti, paciasp
		return 4, 0
	case (w&0xffc00000 == 0xa9800000 || w&0xffc00000 == 0x6d800000) && rn == sp: // stp of X or D, pre-indexed
		return 4, -int64(int32(w<<10)>>25) * 8
	case (w&0xffe00c00 == 0xf8000c00 || w&0xffe00c00 == 0xfc000c00) && rn == sp: // str of X or D, pre-indexed
		return 4, -int64(int32(w<<11) >> 23)
	case (w&0xffc00000 == 0xa9000000 || w&0xffc00000 == 0x6d000000) && rn == sp: // stp of X or D
		return 4, 0
	case w&0xffc00000 == 0xf9000000 && rn == sp: // str of X
		return 4, 0
	case w&0xff800000 == 0xd1000000 && rd == sp && rn == sp: // sub sp, sp, #imm
		return 4, int64(w>>10&0xfff) << (12 * (w >> 22 & 1))
	case w&0xfffffc00 == 0x91000000 && rn == sp && rd != sp: // mov from sp
		return 4, 0
	case w&0xffe0ffe0 == 0xaa0003e0: // mov of X
		return 4, 0
	}
	return 0, 0
}

func stepS390x(c []byte) (int, int64) {
	if len(c) < 6 {
		return 0, 0
	}
	switch op := binary.BigEndian.Uint16(c); {
	case op>>8 == 0xeb && c[5] == 0x24, op>>8 == 0xe3 && c[5] == 0x24: // stmg, stg
		return 6, 0
	case op == 0xb904 && c[3]>>4 != 15, op == 0xb3c1: // lgr, ldgr
		return 4, 0
	case op == 0xa7fb: // aghi %r15
		return 4, -int64(int16(binary.BigEndian.Uint16(c[2:])))
	case op == 0xc2f8: // agfi %r15
		return 6, -int64(int32(binary.BigEndian.Uint32(c[2:])))
	case op == 0xe3f0 && c[2]>>4 == 15 && c[5] == 0x71: // lay %r15, disp(%r15)
		return 6, -(int64(int8(c[4]))<<12 | int64(c[2]&15)<<8 | int64(c[3]))
	}
	return 0, 0
}
