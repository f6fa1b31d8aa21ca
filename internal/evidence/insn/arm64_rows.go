package insn

import (
	"strconv"
	"strings"
	"sync"
)

// a64Rows has all instructions: a mask, the value under it, what the instruction does with memory (r: it reads, w: it writes,
// x: both), and an effect, which may have a number. The first row that fits counts. The groups are those of the index of the
// Arm Architecture Reference Manual.
const a64Rows = `
ffff0000 00000000 - stop      udf
9e000000 00000000 - bad
ffff8fe0 c04c03e0 - set       movt from ZT0
9e000000 80000000 - none

fffffc00 e5804000 w sve       str of a vector register: 16 bytes at least
ffa0f000 04205000 - addvl     addvl, addpl, addsvl, addspl: SP too
fffff000 04bf5000 - varies    rdvl, rdsvl
ff30f800 0420e000 - varies    cntb and others
ff20e000 0420e000 - set       incb, sqincb and others
ff38c000 25208000 - set       cntp, firstp, lastp
ff38f800 25288800 - set       incp, sqincp and others
ff2ee000 0520a000 - set       lasta, lastb, clasta, clastb
fe000000 e4000000 w none      other loads and stores of SVE
fe000000 84000000 r none
fe000000 a4000000 r none
fe000000 c4000000 r none
1e000000 04000000 - none

1f000000 10000000 - adr       adr, adrp
1f800000 11000000 - sum       add, sub
1fc00000 11800000 - offset    addg, subg: SP too
1fc00000 11c00000 - derive    smax, umin and others
1f800000 12000000 - logical
1f800000 12800000 - wide      movz, movn, movk
1f800000 13000000 - bits      bfm, sbfm, ubfm
ff80001f f380001f - auth      autiasppc, autibsppc
1f800000 13800000 - derive    extr

fc000000 14000000 - jump26    b
fc000000 94000000 - call26    bl
7e000000 34000000 - branch19  cbz, cbnz
7e000000 36000000 - branch14  tbz, tbnz
7c000000 74000000 - branch9   cbgt and others
ff80001f 5500001f - authret   retaasppc, retabsppc
fd000000 55000000 - bad
fd00000e 5400000e - jump19    always
fd000000 54000000 - cond19    b.eq and others
ffe0001f d4000001 - svc
ffe0001e d4000002 - hvc       hvc, smc: results are in x0 to x3
ffe0001f d4200000 - stop      brk
ffe0001f d4400000 - stop      hlt
ff000000 d4000000 - none
fffff01f d503201f - hint
ffffffe0 d50b7420 w zva       dc zva
ffffffe0 d50b7480 w zva       dc gzva
ff800000 d5800000 - set       tchangef
ff600000 d5600000 - sets      mrrs
ff200000 d5200000 - set       mrs, sysl
ff000000 d5000000 - none
fee00000 d6000000 - br        br, braa
fee00000 d6200000 - blr       blr, blraa
ffe00000 d6400000 - ret       ret, retaa
fe000000 d6000000 - stop      eret, drps

3fa00000 08a00000 x cas
bf800000 89800000 x cas       cast
3f800000 09800000 x casp      caspt
bea00000 08200000 x casp
3e000000 08000000 x exclusive ldar, stlr, ldxr, ldxp, stxr, stxp
3e000000 0c000000 x lanes     ld1, st4 and others
ff000000 d8000000 r none      prfm of a literal
3f000000 18000000 r set       ldr of a literal
3b000000 18000000 r none
3b200000 19000000 x ordered
fb200000 d9200000 x tags
3b200000 19200000 x double
3a000000 28000000 x pair
3b000000 39000000 x plain     at a base and an offset
3b200000 38000000 x moved     the base may change
3b200c00 38200000 x atomic
3b200c00 38200800 x indexed   at a sum of registers
3f200400 38200400 r ldraa
3a000000 38000000 x none

1f000000 0a000000 - shifted   and, orr, eor
1f000000 0b000000 - addreg
1f000000 1b000000 - product   madd, umulh and others
1fe0e000 1a002000 - offset    addpt, subpt: SP too
1fe0fc00 1a000000 - result    adc, sbc
1fe00000 1a000000 - flags     rmif, setf8
1fe00000 1a400000 - flags     ccmp, ccmn
1fe00000 1a800000 - select    csel, csinc and others
5f000000 5a000000 - one
1f00fc00 1a001000 - offset    irg: SP too
1f000000 1a000000 - result    udiv, lslv, crc32b, pacga and others; subps sets the flags

bfe0ec00 0e002c00 - set       smov, umov
5f200c00 1e200400 - flags     fccmp
5f203c00 1e202000 - flags     fcmp
7f26fc00 1e200000 - set       fcvtns and others
7f3efc00 1e240000 - set       fcvtas
7f3ffc00 1e360000 - none
7f27fc00 1e260000 - set       fmov, fjcvtzs
7f3e0000 1e180000 - set       fcvtzs, fcvtzu with a fixed point
0e000000 0e000000 - none

00000000 00000000 - bad`

// a64Row is one of them.
type a64Row struct {
	mask, value uint32
	access      Access
	do          string
	n           uint
}

// a64Tables has the rows, and by some bits of an instruction the first one that may fit.
type a64Tables struct {
	rows  []a64Row
	first [1 << 8]uint8
}

func a64Key(w uint32) uint32 { return w >> 21 & 0xff }

var a64Table = sync.OnceValue(func() *a64Tables {
	t := new(a64Tables)
	number := func(s string, base int) uint64 {
		n, _ := strconv.ParseUint(s, base, 32)
		return n
	}
	for line := range strings.Lines(a64Rows) {
		if f := strings.Fields(line); len(f) > 0 {
			do := strings.TrimRight(f[3], "0123456789")
			t.rows = append(t.rows, a64Row{uint32(number(f[0], 16)), uint32(number(f[1], 16)), Access(strings.Index("-rwx", f[2])), do, uint(number(f[3][len(do):], 10))})
		}
	}
	for k := range t.first {
		for (uint32(k)^a64Key(t.rows[t.first[k]].value))&a64Key(t.rows[t.first[k]].mask) != 0 {
			t.first[k]++
		}
	}
	return t
})
