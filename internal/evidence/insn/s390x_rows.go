package insn

import (
	"cmp"
	"strconv"
	"strings"
	"sync/atomic"
)

// zForm says where an instruction has its operands, and what it does besides its effect.
type zForm uint32

const (
	zR1       zForm = 1 << iota // general registers in the digits of the second byte
	zR2                         //
	zF1                         // floating-point registers there
	zF2                         //
	zX                          // memory at the sum of two registers and a displacement
	zB                          // memory at a register and a displacement
	zFar                        // the displacement has 20 bits
	zAddress                    // the address is the result
	zRRE                        // the registers are in the fourth byte, and R3 is in the third one
	zAfter                      // the register after the first one, too
	zRelative                   // a branch to a target
	zPad                        // may fill space
	zNumber                     // the result may be an address
	zUnsigned                   // the constant has no sign
	zShort                      // the second byte has the length
	zPlain                      // plain: [Plain] knows it by the bits up to here
	zImm32                      // the constant or distance has 32 bits
	zThree                      // the operands are R2 and R3
	zRRD                        // R1 is in the third byte
	zRXF                        // R1 is in the fifth byte
	zMem                        // an operand may be in memory
	zKeep                       // leaves the condition code, or has a Compare

	zRR  = zR1 | zR2 | zPlain
	zRRM = zRR | zRRE | zMem
	zRRF = zRR | zRRE | zThree
	zFF  = zRR | zRRE | zF1 | zF2
	zRX  = zR1 | zX | zMem
	zRXY = zRX | zFar
	zFX  = zF1 | zX | zMem
	zSI  = zB | zMem
	zRSY = zR1 | zR2 | zB | zFar | zMem
	zRI  = zR1 | zPlain
	zRIL = zRI | zImm32
)

// zRow is what an instruction does. Most only store n bytes and set registers to other values: a bit each, as in zSets.
type zRow struct {
	form zForm
	sets uint16
	n    int
	do   string
}

// zSets are general registers by their number, R1, the one after it, R2, the one after that, the floating-point register R1,
// the second one after it, and the vector register V1.
const zSets = "012rRsSfFv"

// zRows describes all instructions. A text is a list of effects, each with the opcodes that have this effect: the
// first byte, and the rest of the opcode from another byte on. Later opcodes replace earlier ones.
//
// An effect is a name, a number and, after a "=", the registers that are set to other values (see zSets). Each part
// is optional. The number is a number of bytes, the shift of a constant, or the digits of the operands: 1 to 3 for R1
// to R3, and 4 and 5 for the floating-point registers R1 and R2.
var zRows = [...]struct {
	form zForm
	text string
}{
	{0, ":00-3f =f:20-3f =r:cc0-ccf,ec00-ecff"},
	{zMem, ":40-ff,0100-01ff,b200-b2ff,c80-c8f,e500-e5ff,eb00-ebff =f:60-7f,ed00-edff =r:e300-e3ff =v:e600-e6ff"},
	{zMem | zKeep, "=v:e700-e7ff"},
	{zRRM, "=r:b900-b9ff"},
	{zFF, "=f:b300-b3ff"},

	// Branches, and what ends the execution.
	{0, "stop:00 call:05,0c,0d count4:06 svc:0a bsm:0b bras:a75"},            // balr, bassm, basr; bctr
	{0, "crb:ece4,ece5,ecf6,ecf7,ecfc-ecff"},                                 // cgrb, clgrb, crb, clrb, cgib, clgib, cib, clib
	{zMem, "stop:0101,01ff,82,b218,b2b2,b2ff bic:e347 loop:86,87,eb44,eb45"}, // pr, trap2, lpsw, pc, lpswe, trap4; bxh, bxle, bxhg, bxleg
	{zPad | zPlain | zKeep, "branch:07"},                                     // bcr
	{zRX, "bas:45,4d count4:46 branch:47 8:4e"},                              // bal, bas; bct; bc; cvd
	{zRelative, "count4:a76 count8:a77 loop:ec44,ec45"},                      // brct; brctg; brxhg, brxlg
	{zRelative | zMem, "loop:84,85"},                                         // brxh, brxle
	{zRelative | zPlain, "branch:a74 crj:ec64,ec65,ec76,ec77,ec7c-ec7f"},     // brc; cgrj, clgrj, crj, clrj, cgij, clgij, cij, clij
	{zRelative | zPlain | zImm32, "branch:c04"},                              // brcl
	{zRelative | zImm32, "count4:cc6"},                                       // brcth
	{zImm32, "bras:c05 exrl:c60"},                                            // brasl

	// The formats RR and RS.
	{zRR, "derive2:10-13 derive12:14,16,17,1b,1f sum12:1a,1e :15,19"}, // lpr, lnr, ltr, lcr; nr, or, xr, sr, slr; ar, alr; clr, cr
	{zRR | zKeep, "sum2:18"},                               // lr
	{0, "=rR:1c,1d =rRsS:0f =fF:26,27,36,37 :29,39"},       // mr, dr; clcl; mxr, mxdr, axr, sxr; cdr, cer
	{zF1 | zF2 | zPlain | zKeep, "move45:28"},              // ldr
	{zKeep, "=f:38 :44"},                                   // ler; ex
	{zRI | zMem | zKeep, "derive1:88 sum1:89"},             // srl; sll
	{zRI | zMem, "derive1:8a,8b :c61-c6f"},                 // sra, sla; cgrl, clrl and others
	{zMem | zKeep, "range4:90 lm:98,ef"},                   // stm; lm, lmd
	{zMem, "=rR:8c-8f 4=r:ba 8=rR:bb mask:be 1:93 plo:ee"}, // srdl, sldl, srda, slda; cs; cds; stcm; ts

	// The formats RX, SI, SIL and SS.
	{zRX | zPlain | zKeep, "store2:40 store1:42 store4:50 load2:48 load4:58 =r:43"}, // sth; stc; st; lh; l; ic
	{zRX | zPlain, ":49,55,59 =r:4a-4c,54,56,57,5a,5b,5e,5f,71"},                    // ch, cl, c; ah, sh, mh, n, o, x, a, s, al, sl, ms
	{zRX | zPlain | zAfter, "=rR:5c,5d"},                                            // m, d
	{zR1 | zX | zAddress | zPlain | zKeep, "la:41"},
	{zFX | zPlain | zKeep, "std:60 ld:68 4:70 =f:78"},                                   // std; ld; ste; le
	{zMem, "=fF:67 :69,79 =r:4f,51,83,ae,b1,bf =rRsS:0e,a8,a9"},                         // mxd; cd, ce; cvb, lae, diag, sigp, lra, icm; mvcl, mvcle, clcle
	{zSI | zPlain, ":91,95 1:94,96,97 2:e544 8:e548 4:e54c"},                            // tm, cli; ni, oi, xi; mvhhi; mvghi; mvhi
	{zSI | zPlain | zKeep, "1:92"},                                                      // mvi
	{zSI | zPlain, ":e540,e541,e545,e549,e54d,e550,e551,e554,e555,e558,e559,e55c,e55d"}, // chhsi, clhhsi, cghsi, clghsi, chsi, clfhsi
	{zSI | zPlain | zShort | zKeep, "mvc:d2"},
	{zSI | zPlain | zShort, "length:d7"},                                       // xc
	{zPlain | zMem, ":d5"},                                                     // clc
	{zMem, "length:d1,d3,d4,d6,dc,de,e2,e8,ea length=1:df =12:d0,dd 16:e1,e9"}, // mvn, mvz, nc, oc, tr, ed, unpku, mvcin, unpka; edmk; trtr, trt; pku, pka
	{zMem, "digit:f0-f3,f8,fa-fd"},                                             // srp, mvo, pack, unpk, zap, ap, sp, mp, dp

	// The formats RI, RIL, RIE and SSF.
	{zRI, "derive1:a54-a56,a58-a5b,a7c,a7d sum1:a7a align:a57 add:a7b :a70-a73,a7e"}, // nihh, oihh, mhi, mghi and others; ahi; nill; aghi; tmlh, chi and others
	{zRI | zKeep, "compare:a7f"},                                                     // cghi
	{zRI | zKeep | zUnsigned, "insert:a50-a53"},                                      // iihh, iihl, iilh, iill
	{zUnsigned | zKeep, "const48:a5c const32:a5d const16:a5e"},                       // llihh; llihl; llilh
	{zRI | zUnsigned | zNumber | zKeep, "const:a5f"},                                 // llill
	{zRI | zNumber | zKeep, "const:a78,a79"},                                         // lhi, lghi
	{zRI | zMem | zKeep, "=r:c40-c4f :c47,c4b,c4f"},                                  // llhrl, lgrl and others; sthrl, stgrl, strl
	{zRIL, "derive1:c06-c0a,c0c,c0d,c20,c21,c25-c27,c29,c2b align:c0b add:c28 :c2d"}, // xihf, iilf, msgfi, slfi and others; nilf; agfi; cfi
	{zRIL | zUnsigned, "sub:c24 add:c2a"},                                            // slgfi; algfi
	{zRIL | zKeep, "compare:c2c"},                                                    // cgfi
	{zRIL | zUnsigned | zKeep, "compare:c2e,c2f"},                                    // clgfi, clfi
	{zRIL | zNumber | zKeep, "const:c01"},                                            // lgfi
	{zRIL | zUnsigned | zNumber | zKeep, "const:c0f"},                                // llilf
	{zImm32 | zUnsigned | zKeep, "const32:c0e"},                                      // llihf
	{zImm32 | zKeep, "larl:c00"},
	{0, "derive1:c02,c03,c22,c23 :ccd,ccf,ec70-ec73"},                                     // cih, clih, cgit, clgit, cit, clfit
	{zMem, "=01r:c81 =rR:c82,c84,c85 =r:c86,c87,c8f"},                                     // ectg; csst, lpd, lpdg
	{zRR, "=r:ec42,ec46,ec4e,ec54,ec56,ec57 derive2:ec51,ec5d,ecd8,ecda risbg:ec55,ec59"}, // lochi, rnsbg and others; risblg, risbhg, ahik, alhsik; risbgn
	{zRR | zThree, "add:ecd9,ecdb"},                                                       // aghik, alghsik

	// The formats S, RRE, RRF and RRD.
	{zMem, "8:b205,b27c 16:b278 4:b29c =0:b2b0"}, // stck, stckf; stcke; stfpc; stfle
	{zRRE | zMem, "=r:b222-b224,b226,b227,b229,b22c,b24b,b24f,b258,b25a,b2e4,b2e5,b2ec,b2ed =fF:b22d,b959-b95b =f:b244,b245,b951-b953"},
	{zRRE | zMem, "product12:b252 =rR:b24a,b250 =rs:b255,b25d,b25e =rsS:b241,b929-b92b,b92d-b92f =sS:b91e,b93a,b93e,b93f =s:b9af"},
	{zRRE | zMem, "count8:b946 =rRsS:b249,b257,b263,b2a6,b2a7,b938,b939,b93c,b9b0-b9b3 =rRs:b2a5,b990-b993,b9bd,b9bf"}, // bctgr; cuse, cu12, trtt and others
	{zRRE, "=rR:b3ea,b3eb =fF:b305-b307,b316,b325,b326,b336,b340-b343,b345-b347,b34a-b34d,b360-b363,b365,b367,b376,b392,b396,b3a2"},
	{zRRE, "=fF:b3a6,b3b6,b3c6,b3d8-b3df,b3f9-b3fb,b3fd-b3ff"},                           // cxgbr, axtr and others
	{zRRD, "=f:b30e,b30f,b31e,b31f,b32e,b32f,b338,b339,b33c-b33f =fF:b33a,b33b"},         // maebr and others; myr, mayr
	{zFF, ":b308,b309,b318,b319,b348,b349,b369,b384,b385,b3e0,b3e4,b3e8,b3ec,b3f4,b3fc"}, // kebr, cdbr and others
	{zFF, "=r:b38c,b398-b39a,b39c-b39e,b3a8-b3aa,b3ac-b3ae,b3b8-b3ba,b3c8-b3ca,b3e1-b3e3,b3e5,b3e7,b3e9,b3ed,b3ef"},
	{zFF | zKeep, "lzdr:b375 move42:b3c1 move15:b3cd"},                                                    // lzdr; ldgr; lgdr
	{zRRM, "derive2:b900,b901,b903,b910-b913,b915,b926,b927,b9e1 product12:b90c,b91c =rs:b98d,b9be"},      // lpgr, lcgfr, lbr, popcnt and others; msgr, msgfr; epsw, srstu
	{zRRM, ":b925,b928,b92c,b930,b931,b960,b961,b972,b973,b98b,b98e,b99e,b9a1,b9cd,b9cf,b9dd,b9df"},       // cgfr, crt, clhhr and others
	{zRRM | zKeep, "derive2:b906,b907,b917,b984,b985,b994,b995 sum2:b914,b916"},                           // lgbr, lghr, llgtr, llgcr and others; lgfr, llgfr
	{zRRM | zAfter, "=rR:b90d,b91d,b986,b987,b98a,b98f,b996,b997,b9ec"},                                   // dsgr, mlgr, dlgr and others
	{zRR | zRRE, "move12:b902 sums:b908,b90a difference:b909,b90b logical:b980,b981 xor:b982 locgr:b9e2"}, // ltgr; agr, algr; sgr, slgr; ngr, ogr; xgr
	{zRR | zRRE | zKeep, "move12:b904 cgr:b920,b921"},                                                     // lgr; cgr, clgr
	{zRR | zRRE | zAfter, "flogr:b983"},
	{zRRF, "selgr:b9e3 logical:b9e4,b9e6 xor:b9e7 sums:b9e8,b9ea difference:b9e9,b9eb"},    // selgr; ngrk, ogrk; xgrk; agrk, algrk; sgrk, slgrk
	{zRRF | zMem, "product32:b9ed,b9fd derive32:b9f4,b9f6,b9f7,b9f9,b9fb sum32:b9f8,b9fa"}, // msgrkc, msrkc; nrk, ork, xrk, srk, slrk; ark, alrk

	// The formats RXY, RXE and RXF.
	{zRXY | zPlain | zKeep, "word8:e304 entry4:e314 entry2:e315 word4:e316 entry1:e377 word1:e390 word2:e391 =r:e376,e394,e395"},
	{zRXY | zPlain | zKeep, "store8:e324 store4:e350 load4:e358 store1:e372"}, // stg; sty; ly; stcy
	{zRXY | zPlain, "word8:e302 store2:e370 8:e32f 4:e33e 2:e33f :e320,e321,e330,e331,e334,e336,e355,e359,e379"},
	{zRXY | zPlain, "=r:e306,e30c,e312,e317,e31c,e31e,e31f,e332,e351,e353,e354,e356,e357,e35a,e35b,e35e,e35f,e373,e378,e37a-e37c,e388,e389"},
	{zRXY | zPlain, "=r:e398,e399 mix:e308-e30b,e318-e31b,e338,e339,e380-e382"},                 // alc, slb; ag, sgf, agh, ng and others
	{zRXY | zPlain | zAfter, "=rR:e30d,e31d,e35c,e386,e387,e396,e397"},                          // dsg, dsgf, mfy, mlg, dlg, ml, dl
	{zRXY, "word8:e385 store8:e325 8:e326 16:e32e 1:e3c3 2:e3c7 4:e3cb stpq:e38e lpq:e38f"},     // lgat; ntstg; cvdy; cvdg; stch; sthh; stfh
	{zRXY, "count8:e346 =rR:e384 :e349,e34d,e3cd,e3cf"},                                         // bctg; lgg; stgsc, lgsc, chf, clhf
	{zR1 | zX | zFar | zAddress | zPlain | zKeep, "la:e371"},                                    // lay
	{zFX | zPlain, "=f:ed00-ed04,ed0a-ed0d,ed13-ed17,ed1a-ed1d :ed08,ed09,ed10-ed12,ed18,ed19"}, // ldeb, adb and others; keb, cdb and others
	{zFX | zFar | zPlain, "=f:ed64 ld:ed65 4:ed66 std:ed67"},                                    // ley; ldy; stey; stdy
	{zMem, "=fF:ed05-ed07,ed25,ed26 :ed50,ed51,ed54,ed55,ed58,ed59,eda8,eda9,edac,edad"},        // lxdb, mxdb and others; tdcet, czdt and others
	{zRXF | zMem, "=f:ed0e,ed0f,ed1e,ed1f,ed2e,ed2f,ed38,ed39,ed3c-ed41,edaa,edae =fF:ed3a,ed3b,ed48,ed49,edab,edaf"},

	// The formats RSY and SIY.
	{zRSY | zKeep, "lmg:eb04 stmg:eb24 lmy:eb96,eb98 range4:eb26,eb90"},                              // lmg; stmg; lmh, lmy; stmh, stmy
	{zRSY, "mask:eb2c,eb2d 8=rR:eb31 16=rR:eb3e stoc:ebe1"},                                          // stcmh, stcmy; cdsy; cdsg; stocfh
	{zRSY | zPlain, "4=r:eb14,ebf4,ebf6-ebf8,ebfa 8=r:eb30,ebe4,ebe6-ebe8,ebea locg:ebe2 =r:ebf2"},   // csy, lan, lao, laa and others; csg, lang, laag and others; loc
	{zSI | zFar | zPlain, ":eb51,eb55 1:eb52,eb54,eb56,eb57 4:eb6a,eb6e 8:eb7a,eb7e stoc:ebe3,ebf3"}, // tmy, cliy; mviy, niy, oiy, xiy; asi, alsi; agsi, algsi; stocg, stoc
	{zRR | zFar | zMem, "shift:eb0a,eb0b,eb1c =r:eb1d derive2:ebdc,ebdd"},                            // srag, slag, rllg; rll; srak, slak
	{zRR | zFar | zMem | zKeep, "shift:eb0c,eb0d derive2:ebde sum2:ebdf"},                            // srlg, sllg; srlk; sllk
	{zMem, "=rRsS:eb8e,eb8f =r:eb16,eb4c,eb80,eb81,ebe0"},                                            // mvclu, clclu; ecag, icmh, icmy, locfh

	// Vectors.
	{zRX, "2:e609 8:e60a 4:e60b 16:e60e,e60f"},           // vstebrh; vstebrg; vstebrf; vstbr, vster
	{zMem, "low:e63d :e63f,e65f,e677,e67f =r:e650,e652"}, // vstrl; vstrlr, vtp, vcp, vtz; vcvb, vcvbg
	{zRXF | zMem, "=v:e634-e63c,e63e"},                   // vpkz, vlrl and others
	{zRX | zKeep, "1:e708 2:e709 8:e70a 4:e70b 16:e70e"}, // vsteb; vsteh; vsteg; vstef; vst
	{zMem | zKeep, ":e71a,e71b,e73f,e7ca,e7cb,e7d8,e7d9,e7db range16:e73e =r:e727 vlgv:e721 vlvg:e722 vlm:e736 vlr:e756 vlvgp:e762"},
}

// zTables has what instructions do by opcode. They are made when they are first needed.
type zTables struct {
	groups [256]zGroup
	rows   []zRow
	row    [zOpcodes]uint16
}

// zOpcodes is more than the number of opcodes, and a power of two.
const zOpcodes = 1 << 12

// zGroup has where the opcodes with a first byte begin, and the byte and the bits of it that count from there.
type zGroup struct {
	from     uint16
	at, mask uint8
}

// index returns the index of the opcode of an instruction.
func (t *zTables) index(b *[6]byte) uint16 {
	g := &t.groups[b[0]]
	return (g.from + uint16(b[g.at]&g.mask)) % zOpcodes
}

var zMade atomic.Pointer[zTables]

// zTable returns the tables.
func zTable() *zTables {
	if t := zMade.Load(); t != nil {
		return t
	}
	return zMake()
}

func zMake() *zTables {
	t, end := new(zTables), uint16(len(zTables{}.groups))
	for b := range t.groups {
		t.groups[b].from = uint16(b)
	}
	parse := func(op string) uint16 {
		n, rest := uint16(0), 4*len(op)-8
		for _, c := range []byte(op) {
			n = n<<4 | uint16(c&15+c>>6*9)
		}
		g := &t.groups[n>>rest]
		if g.mask == 0 && rest > 0 {
			*g = zGroup{end, 1, 1<<rest - 1}
			if op >= "e3" && op[:2] != "e5" {
				g.at = 5
			}
			end += uint16(g.mask) + 1
		}
		return g.from + n&uint16(g.mask)
	}
	for _, r := range zRows {
		for word := range strings.SplitSeq(r.text, " ") {
			effect, ops, _ := strings.Cut(word, ":")
			effect, sets, _ := strings.Cut(effect, "=")
			row := zRow{form: r.form, do: strings.TrimRight(effect, "0123456789")}
			row.n, _ = strconv.Atoi(effect[len(row.do):])
			for _, c := range sets {
				row.sets |= 1 << strings.IndexRune(zSets, c)
			}
			for op := range strings.SplitSeq(ops, ",") {
				from, to, _ := strings.Cut(op, "-")
				for k, last := parse(from), parse(cmp.Or(to, from)); k <= last; k++ {
					t.row[k] = uint16(len(t.rows))
				}
			}
			t.rows = append(t.rows, row)
		}
	}
	zMade.Store(t)
	return t
}
