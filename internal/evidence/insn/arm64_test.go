package insn

import (
	"encoding/binary"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var a64Witness = witness{decode: AArch64, flow: a64Flow, writes: a64Writes, stores: a64Stores, lost: a64Lost, unknown: func(p printed) bool {
	return strings.HasPrefix(p.name, ".") || strings.Contains(p.note, "undefined") || strings.Contains(p.note, "note:")
}}

// a64Stores reports whether an instruction stores to a word at a register and a number of bytes.
func a64Stores(p printed) bool {
	last := strings.Join(p.args, ",")
	k := strings.IndexByte(last, '[')
	return a64Storing.MatchString(p.name) && !strings.HasPrefix(last, "{z") && !strings.HasPrefix(last, "z") && !strings.HasPrefix(last, "p") &&
		k >= 0 && a64Word.MatchString(last[k:])
}

var (
	// Besides stores of vectors of a size that is not known, and of tags.
	a64Storing = regexp.MustCompile(`^(st[lurpnxi]|st[1234]$|sttr|sttp|sttnp|cas|swp|rcws?(cas|swp|set|clr)|ldt?(add|clr|eor|set|[su]min|[su]max))`)
	a64Word    = regexp.MustCompile(`^\[(x\d+|sp)(, ?#-?\w+)?\]`)
)

// a64Lost has the instructions that sign or authenticate any register, which may be a saved one.
var a64Lost = regexp.MustCompile(`^(pac|aut)[id]z?[ab]$|^xpac[id]$`)

// TestInteropAArch64 compares flow and written registers with objdump, for random words and
// for the files of SFRAME_CODE.
func TestInteropAArch64(t *testing.T) {
	w := a64Witness
	r := rand.New(rand.NewSource(1))
	code := make([]byte, 4<<20)
	for k := 0; k < len(code); k += 4 {
		v := r.Uint32()
		if k%8 == 0 { // more of the groups that are less random
			v = v&^(15<<25) | [4]uint32{8, 9, 10, 11}[k/8%4]<<25
		}
		binary.LittleEndian.PutUint32(code[k:], v)
	}
	w.raw(t, "aarch64", "aarch64", code, 4)
	w.files(t, "aarch64")
	w.report(t)
}

func a64Flow(p printed) Flow {
	switch n := p.name; {
	case n == "b" || n == "b.al" || n == "b.nv" || n == "bc.al" || n == "bc.nv":
		return Jump
	case strings.HasPrefix(n, "b.") || strings.HasPrefix(n, "bc.") || a64Conditional.MatchString(n):
		return Branch
	case n == "bl":
		return Call
	case n == "br" || strings.HasPrefix(n, "bra"):
		return IndirectJump
	case n == "blr" || strings.HasPrefix(n, "blra"):
		return IndirectCall
	case strings.HasPrefix(n, "ret"):
		return Return
	case n == "udf" || n == "brk" || n == "hlt" || strings.HasPrefix(n, "eret") || n == "drps":
		return Stop
	}
	return Next
}

var (
	a64Nothing     = regexp.MustCompile(`^(st(r|p|n|l|z|g|2|t|6|i|l|u|a|c|s|e)|st[1234]|cmp|cmn|tst|ccm|prfm|prfum|msr|sysp?$|dc|ic|at|tlbi|plbi|trcit|brb|cosp|cpp|cfp|dvp|rmif|setf|cterm|fcmp|fccmp|cbn?z|tbn?z|cb|b$|b\.|bc\.|br|b?ret|udf|hlt|gcspush|gcsss1|gcsstr|gcssttr|wfet|wfit|rprfm|gic|mlbi|gsb|apas)`)
	a64Second      = regexp.MustCompile(`^(ld(t)?(add|clr|eor|set|smax|smin|umax|umin)|swp|swpt)(a|l|al)?(b|h)?$|^rcw(s)?(clr|set|swp)(a|l|al)?$`)
	a64Both        = regexp.MustCompile(`^(ldp|ldnp|ldpsw|ldxp|ldaxp|ldiapp|ldapp|ldap|mrrs|ldtp|ldtnp)$|^(ldclrp|ldsetp|swpp|rcws?(clr|set|swp)p)(a|l|al)?$`)
	a64Conditional = regexp.MustCompile(`^(cb|tb)n?z$|^cb(b|h)?(gt|ge|hi|hs|eq|ne|lt|lo|le|ls)$`)
	a64Signs       = regexp.MustCompile(`^(pac|aut)i[ab](z|sp)$|^pacn?b?i[ab]sppc$|^auti[ab]sppcr?$|^reta[ab]`)
	a64Base        = regexp.MustCompile(`\[([a-z0-9]+)`)
)

func a64Reg(s string) (Reg, bool) {
	switch {
	case s == "sp" || s == "wsp":
		return 31, true
	case len(s) < 2 || s[0] != 'x' && s[0] != 'w':
		return 0, false
	}
	n, err := strconv.Atoi(s[1:])
	return Reg(n), err == nil && n < 31
}

func a64Writes(p printed) []Reg {
	var out []Reg
	set := func(s string) {
		if r, ok := a64Reg(strings.Trim(s, "[]! ")); ok {
			out = append(out, r)
		}
	}
	n, args := p.name, p.args
	if strings.HasPrefix(n, "ld") || strings.HasPrefix(n, "st") { // write-back
		for k, a := range args {
			if strings.HasPrefix(a, "[") && (k+1 < len(args) || strings.HasSuffix(a, "!")) && !strings.Contains(p.note, ", #0]!") && !strings.Contains(p.note, "], #0") {
				set(a64Base.FindStringSubmatch(a)[1])
			}
		}
	}
	switch {
	case n == "bl" || strings.HasPrefix(n, "blr"):
		return append(out, 30)
	case n == "svc":
		return append(out, 0)
	case n == "hvc" || n == "smc":
		return append(out, 0, 1, 2, 3)
	case n == "xpaclri" || a64Signs.MatchString(n):
		return append(out, 30)
	case strings.HasSuffix(n, "1716") || strings.HasSuffix(n, "171615"):
		return append(out, 17)
	case n == "chkfeat":
		return append(out, 16)
	case strings.HasPrefix(n, "cpy") || strings.HasPrefix(n, "setp") || strings.HasPrefix(n, "setm") || strings.HasPrefix(n, "sete") || strings.HasPrefix(n, "setg"):
		set(args[0])
		set(args[1])
		if strings.HasPrefix(n, "cpy") {
			set(args[2])
		}
		return out
	case strings.HasPrefix(n, "stx") || strings.HasPrefix(n, "stlx") || n == "st64bv" || n == "st64bv0" || strings.HasPrefix(n, "sttx") || strings.HasPrefix(n, "stltx"):
		set(args[0])
		return out
	case n == "ld64b":
		r, ok := a64Reg(args[0])
		for k := r; ok && k < r+8 && k < 31; k++ {
			out = append(out, k)
		}
		return out
	case len(args) == 0 || a64Nothing.MatchString(n):
		return out
	case strings.HasPrefix(n, "casp") || regexp.MustCompile(`^rcws?casp`).MatchString(n):
		set(args[0])
		set(args[1])
		return out
	case a64Second.MatchString(n):
		set(args[1])
		return out
	case a64Both.MatchString(n):
		set(args[0])
		set(args[1])
		return out
	}
	set(args[0])
	return out
}
