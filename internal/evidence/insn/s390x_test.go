package insn

import (
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var zWitness = witness{decode: S390x, flow: zFlow, writes: zWrites, stores: zStoring, lost: zLost, unknown: func(p printed) bool {
	return strings.HasPrefix(p.name, ".") || len(p.code) != zLength(p.code[0])
}}

// zStoring reports whether an instruction stores to words at one register and a number of bytes.
func zStoring(p printed) bool {
	if len(p.args) == 0 || strings.HasPrefix(p.name, "stcm") && p.args[1] == "0" || !zMemory.MatchString(p.name) || zSpecial.MatchString(p.name) {
		return false
	}
	for _, a := range p.args {
		if strings.HasSuffix(a, ")") {
			return zWord.MatchString(a) && !strings.HasSuffix(a, "(%r0)")
		}
	}
	return false
}

var (
	zMemory = regexp.MustCompile(`^(st|mv|[nox]c$|[nox]iy?$|vst|al?g?siy?$|l[ax](g|al)?$|la(a|n|o|x|al)g?$|pack$|unpk|zap|[ampsd]p$|ed|tr$|cs|cds|srp|ntstg)`)
	// Those that address what a register counts, or words of the system, or that the kernel uses.
	zSpecial = regexp.MustCompile(`^(stam|stctl|stctg|stap|stidp|stosm|stnsm|stsi|stpt|stsch|stcrw|stcps|stckc|stpx|stap|sthyi|stura|sturg|stfl|stcctm|stgsc|stgrl|strl|sthrl|la$|mvcl|mvcs|mvcp|mvck|mvcdk|mvcsk|mvcos|mvst|mvpg|mvcrl|mvcin|vstrs|lam|lag$|lal|lxa|stdrv|csst|csp|packa|packu|vst[rlbe]|stqrl|strag|stbear)`)
	zWord    = regexp.MustCompile(`^-?\d+(\(\d+,%r\d+\)|\(%r\d+\))$`)
)

// zLost has the conditional load, and what moves the second word of a vector register, in which compilers
// save registers.
var zLost = regexp.MustCompile(`^locg|^vlgvg?$`)

// zSame reports whether an instruction changes no register that is followed: all operands are one, or it is
// a shift by a multiple of 64, or it sets the second word of a vector register.
func zSame(name string, args []string) bool {
	switch {
	case len(args) < 2:
		return false
	case name == "vlvgg":
		n, err := strconv.Atoi(args[2])
		return err == nil && n&1 != 0
	case zMoves.MatchString(name):
		return args[0] == args[1] && (len(args) == 2 || args[2] == args[1] || !strings.HasPrefix(args[2], "%"))
	case zShifts.MatchString(name):
		n, err := strconv.Atoi(args[2])
		return args[0] == args[1] && err == nil && n&63 == 0
	}
	return false
}

var (
	zMoves  = regexp.MustCompile(`^([no]grk?|locgr.*|selgr.*)$`)
	zShifts = regexp.MustCompile(`^(s[rl][al]g|rllg)$`)
)

// TestInteropS390x compares length, flow and written registers with objdump, for every opcode
// with random operands and for the files of SFRAME_CODE.
func TestInteropS390x(t *testing.T) {
	w := zWitness
	r := rand.New(rand.NewSource(1))
	var code []byte
	for k := range 1 << 18 {
		cell := make([]byte, 16)
		r.Read(cell[:6])
		if cell[0] = byte(k); k>>8%2 == 0 { // groups of many opcodes
			cell[0] = "\xb2\xb3\xb9\xe3\xe5\xe6\xe7\xeb\xec\xed"[k%10]
		}
		switch k >> 9 % 4 { // formats with operands that are zero
		case 0:
			cell[2], cell[3] = cell[2]&0x70, cell[3]&0x0f
			cell[4] &= 0x10
		case 1:
			cell[1], cell[4] = cell[1]&0x7f, 0
		case 2:
			cell[2], cell[3], cell[4] = 0, cell[3]&0xf0, 0
		}
		for j := zLength(cell[0]); j < 16; j += 2 {
			cell[j], cell[j+1] = 7, 7
		}
		code = append(code, cell...)
	}
	w.raw(t, "s390x", "s390:64-bit", code, 16)
	w.files(t, "s390x")
	w.report(t)
}

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

var (
	zCondIndir = regexp.MustCompile(`^bi?` + zCond + `?r?$`)
	zCond      = `(o|h|nle|l|nhe|lh|ne|e|nlh|he|nl|le|nh|no|p|np|m|nm|z|nz)`
	zBranch    = regexp.MustCompile(`^jg?` + zCond + `$|^br(ct|ctg|cth|xh|xle|xhg|xlg)$|^cl?g?[ir]j(|ne|e|h|l|nh|nl|le|he|lh|nlh|nhe|nle)$`)
	zIndir     = regexp.MustCompile(`^b` + zCond + `?r?$|^bct(r|g|gr)?$|^bx(h|le|hg|leg)$|^cl?g?[ir]b(|ne|e|h|l|nh|nl|le|he|lh|nlh|nhe|nle)$|^bi` + zCond + `?$|^bsm$|^bc$|^bic$`)
)

func zFlow(p printed) Flow {
	n := p.name
	via14 := len(p.args) > 0 && p.args[len(p.args)-1] == "%r14"
	switch {
	case n == "bic" && p.args[0] == "0":
		return Next
	case n == "j" || n == "jg":
		return Jump
	case zBranch.MatchString(n):
		return Branch
	case n == "bras" || n == "brasl" || n == "jas" || n == "jasl":
		if n == "bras" && p.args[0] != "%r14" {
			return Jump
		}
		return Call
	case n == "basr" || n == "balr" || n == "bassm":
		if p.args[1] == "%r0" {
			return Next
		}
		return IndirectCall
	case n == "bas" || n == "bal":
		return IndirectCall
	case zIndir.MatchString(n):
		if len(p.args) == 2 && strings.HasPrefix(n, "bctr") && p.args[1] == "%r0" || n == "bctgr" && p.args[1] == "%r0" || n == "bsm" && p.args[1] == "%r0" {
			return Next
		}
		last := p.args[len(p.args)-1]
		if last == "%r0" && strings.HasSuffix(n, "r") {
			return Next
		}
		if via14 || last == "0(%r14)" && !strings.HasPrefix(n, "bi") && !strings.HasPrefix(n, "bx") {
			return Return
		}
		return IndirectJump
	case n == "pr" || n == "trap2" || n == "trap4" || n == "pc" || n == "lpsw" || n == "lpswe":
		return Stop
	}
	return Next
}

// zReads has the instructions that do not change their first operand, without a condition at
// the end of the name, and zMore those that change more than that.
var zReads = words(`
	bakr bsm c cd cdb cdbr cdr cdtr ce ceb cebr cedtr cer cextr cfi cg cgf cgfi cgfr cgfrl cgh cghi
	cghrl cgib cgij cgit cgr cgrb cgrj cgrl cgrt ch chf chhr chi chlr chrl chy cib cih cij cit cl clfi
	clfit clg clgf clgfi clgfr clgfrl clghrl clgib clgij clgit clgr clgrb clgrj clgrl clgrt clgt clhf
	clhhr clhlr clhrl clib clih clij clm clmh clmy clr clrb clrj clrl clrt clt cly cpdt cpxt cr crb crj
	crl crt cvd cvdg cvdy cxbr cxr cxtr cy czdt czxt ex exrl idte ipte kdb kdbr kdsa kdtr keb kebr kimd
	klmd kmac kxbr kxtr lgsc msta mvpg nopr ntstg pfd pfmf pgin pgout ppa pt pti rdp rrbe scctr sfasr
	sfpc spctr spm ssar sske st stc stcctm stch stcm stcmh stcmy stcy std stdrv stdy ste sterv stey stfh
	stg stgrl stgsc sth sthh sthrl sthy stm stmg stmh stmy stoc stocfh stocg stpq strl strv strvg strvh
	stura sturg sty tcdb tceb tcxb tdcdt tdcet tdcxt tdgdt tdget tdgxt tmh tmhh tmhl tml tmlh tmll tpei
	trace tracg vcp vec vecb vecf vecg vech veclb veclf veclg veclh vscef vsceg vst vstbr vstbrf vstbrg
	vstbrh vsteb vstebrf vstebrg vstebrh vstef vsteg vsteh vster vsterf vsterg vsterh vstl vstm vstrl
	vstrlr vtp vtz wfc wfk`)

var zMore = words(`
	bsm axbr axr axtr axtra b cds cdsg cdsy cksm clcl clcle clclu clst cmpsc crdte csp cspg csst csxtr cu12
	cu14 cu21 cu24 cu41 cu42 cuse cutfu cuutf cuxtr cxfbr cxfbra cxfr cxftr cxgbr cxgbra cxgr cxgtr
	cxgtra cxlfbr cxlftr cxlgbr cxlgtr cxpt cxstr cxutr cxzt d dfltcc dl dlg dlgr dlr dr dsg dsgf dsgfr
	dsgr dxbr dxr dxtr dxtra ectg edmk epsw ereg esta fixbr fixbra fixr fixtr flogr iextr kdsa kimd klmd
	km kma kmac kmc kmctr kmf kmo lcxbr lcxr ldxbr ldxbra ldxtr lexbr lexbra lm lmd lmg lmh lmy lnxbr lnxr
	lpd lpdg lpq lpxbr lpxr ltxbr ltxr ltxtr lxd lxdb lxdbr lxdr lxdtr lxe lxeb lxebr lxer lxr lzxr m
	may mayr mfy mg mgrk ml mlg mlgr mlr mr mvcl mvcle mvclu mvst mxbr mxd mxdb mxdbr mxdr mxr mxtr
	mxtra my myr nnpa pfmf plo prno qaxtr rrxtr slda sldl slxt sortl sqxbr sqxr srda srdl srst srstu srxt
	stfle svc sxbr sxr sxtr sxtra tre troo trot trt trte trto trtr trtre trtt vlm`)

var zSuffix = regexp.MustCompile(`^(stocfh|stocg|stoc|cl?g?i[bjt]|cl?g?r[bjt]|clfit|cl?g?t)` + zCond + `$`)

// zWrites returns the first operand. Of an instruction of zMore everything that the decoder
// found is taken as right.
func zWrites(p printed) []Reg {
	name := p.name
	if m := zSuffix.FindStringSubmatch(name); m != nil {
		name = m[1]
	}
	var out []Reg
	if zMore[name] {
		var i Insn
		S390x(p.code, p.pc, &i)
		for _, op := range i.Ops[:i.N] {
			if op.Do != Compare && op.Do != Store && op.Do != Forget {
				out = append(out, op.Dst)
			}
		}
	}
	if len(p.args) == 0 || zReads[name] || zSame(name, p.args) || zCondIndir.MatchString(name) {
		return out
	}
	s := p.args[0]
	if len(s) < 3 || s[0] != '%' {
		return out
	}
	n, err := strconv.Atoi(s[2:])
	switch {
	case err != nil || n > 15:
	case s[1] == 'r':
		out = append(out, Reg(n))
	case s[1] == 'f' || s[1] == 'v':
		out = append(out, zFloat[n])
	}
	return out
}
