package insn

import (
	"regexp"
	"strings"
	"testing"
)

// amd64Cells returns instructions of all maps, in cells of 32 bytes: each opcode with each prefix, with r, which is rbp or rsp, as
// the register of each of its fields, and with operands in memory at rbp.
func amd64Cells(r byte) []byte {
	var code []byte
	add := func(b ...byte) {
		cell := append([]byte{}, b...)
		for k := byte(0); len(cell) < 20; k++ {
			cell = append(cell, 0x10) // a displacement and numbers
		}
		for len(cell) < 32 {
			cell = append(cell, 0x90)
		}
		code = append(code, cell...)
	}
	operands := func(head []byte, all bool) {
		for ext := byte(0); ext < 8; ext++ {
			if all || ext == 0 || ext == 5 {
				add(append(head, 0xc0|r|ext<<3)...)     // reg, r
				add(append(head, 0x45|ext<<3, 0x10)...) // reg, 16(%rbp)
			}
		}
		add(append(head, 0xc0|r<<3)...) // r, rax
	}
	for op := 0; op < 256; op++ {
		b := byte(op)
		for n, prefix := range [][]byte{{}, {0x66}, {0xf2}, {0xf3}} {
			for _, rex := range [][]byte{{}, {0x48}} {
				head := append(append([]byte{}, prefix...), rex...)
				for _, escape := range [][]byte{{}, {0x0f}, {0x0f, 0x38}, {0x0f, 0x3a}} {
					operands(append(append(append([]byte{}, head...), escape...), b), len(escape) < 2)
				}
			}
			for _, two := range []byte{0, 0x80} { // REX2
				for _, w := range []byte{0, 8} {
					if n > 1 && two == 0 {
						continue
					}
					operands(append(append([]byte{}, prefix...), 0xd5, two|w, b), true)
				}
			}
		}
		for pp := byte(0); pp < 4; pp++ {
			for _, w := range []byte{0, 0x80} {
				for _, m := range []byte{1, 2, 3, 7} {
					operands([]byte{0xc4, 0xe0 | m, w | (15-r)<<3 | pp, b}, true) // vvvv is r
					operands([]byte{0xc4, 0xe0 | m, w | 15<<3 | pp, b}, false)
				}
				for _, m := range []byte{1, 2, 3, 5, 6, 7} {
					operands([]byte{0x62, 0xf0 | m, w | (15-r)<<3 | 4 | pp, 0x08, b}, false)
					operands([]byte{0x62, 0xf0 | m, w | 15<<3 | 4 | pp, 0x08, b}, false)
				}
				for _, p2 := range []byte{0x08, 0x0c} { // APX, with a third operand and without
					operands([]byte{0x62, 0xf4, w | 15<<3 | 4 | pp, p2, b}, true)
					operands([]byte{0x62, 0xf4, w | (15-r)<<3 | 4 | pp, p2 | 0x10, b}, true)
				}
				for m := byte(8); m < 11 && pp == 0; m++ { // XOP
					operands([]byte{0x8f, 0xe0 | m, w | (15-r)<<3, b}, true)
				}
			}
		}
	}
	return code
}

var (
	amd64Prefixes = regexp.MustCompile(`^(\{(rex2|nf|evex|vex|load|store)[a-z0-9 ]*\}|rep[nz]*|lock|notrack|bnd|data16|addr32|xacquire|xrelease|rex2?[.A-Z0-9]*|[c-g]s|ss) `)
	// amd64Reads has instructions that write no operand, or none that is a general register or in memory.
	amd64Reads = regexp.MustCompile(`^(cmp[bwlq]?|test|push.*|call|jmp|bt|nop|prefetch.*|mul|i?div|v?u?comis[sdh]|v?ucomx.*|v?comx.*|verr|verw|lldt|ltr|lmsw|clflush.*|clwb|cldemote|fld.*|fi?(add|sub|mul|div|com)p?r?|fi?(sub|div)r|fild|fbld|fxrstor.*|frstor|ldmxcsr|vldmxcsr|xrstor.*|lgdt|lidt|invlpg.*|inv.*|ud[0-9].*|out|wr[fg]sbase|incssp[dq]|rstorssp|clrssbsy|setssbsy|vmptrld|vmclear|vmxon|vmwrite|kortest.*|ktest.*|v?ptest.*|vtestp[sd]|tpause|umwait|umonitor|ptwrite|senduipi|hreset|bndc[lnu]|bndmk|bndmov|bndldx|bndstx|ccmp.*|ctest.*|ldtilecfg|llwpcb|lwpins|j.*|loop.*|tile.*|enqcmd.*|movdir64b|sha.*|aes.*|v?pcmp.str.*|prefetchrst2|wrmsr.*|uwrmsr|fld|fsave|f?xsave.*|xend|lkgs|wrpkru|vp?gather.*|vp?scatter.*|lwpval|aadd|aand|aor|axor|ret.*|int.*|xabort|.?scas|lods|outs|ins|stos|monitor.*|mwait.*)$`)
	// amd64Odd has instructions of which AMD's and Intel's processors take another length, and fwait with the
	// next one.
	amd64Odd = regexp.MustCompile(`^(call|jmp|j[a-z]+)w$|^f(st|n?[a-z]+)$`)
	// amd64Invalid has what objdump decodes and processors do not.
	amd64Invalid = regexp.MustCompile(`\{rex2[^}]*\} (v|inc|dec)|(push|pop)2p? +QWORD`)
	// amd64Same has instructions that do nothing if both operands are the same register.
	amd64Same  = regexp.MustCompile(`^(cmov.*|cmpxchg|xchg|and|or)$`)
	amd64Flags = regexp.MustCompile(`\{dfv=[^}]*\}`)
	amd64Both  = regexp.MustCompile(`^(xchg|xadd|mulx)$`)
	amd64Names = map[string]Reg{"rbp": rbp, "ebp": rbp, "bp": rbp, "bpl": rbp, "rsp": rsp, "esp": rsp, "sp": rsp, "spl": rsp}
)

// amd64Text returns the name and operands without prefixes.
func amd64Text(p printed) (name string, args []string) {
	text := strings.TrimSpace(strings.ReplaceAll(p.note, "\t", " "))
	text, _, _ = strings.Cut(text, "#")
	text = amd64Flags.ReplaceAllString(text, "")
	for {
		m := amd64Prefixes.FindString(text)
		if m == "" {
			break
		}
		text = strings.TrimSpace(text[len(m):])
	}
	name, rest, _ := strings.Cut(text, " ")
	return name, operands(strings.ReplaceAll(rest, "{", ",{"))
}

func amd64Writes(p printed) (out []Reg) {
	name, args := amd64Text(p)
	switch {
	case strings.HasPrefix(name, "push"), strings.HasPrefix(name, "pop") && name != "popcnt":
		out = append(out, rsp)
	case strings.HasPrefix(name, "leave"), strings.HasPrefix(name, "enter"):
		return []Reg{rsp, rbp}
	case name == "imul" && len(args) == 1:
		return nil
	case strings.HasPrefix(name, "cmp") && strings.HasSuffix(name, "xadd"):
		args = args[1:]
	case len(args) == 2 && args[0] == args[1] && args[0] == "rbp" && amd64Same.MatchString(name):
		return nil
	}
	if amd64Reads.MatchString(name) {
		return out
	}
	n := 1
	if amd64Both.MatchString(name) || name == "pop2" || name == "pop2p" {
		n = 2
	}
	for _, a := range args[:min(n, len(args))] {
		if r, ok := amd64Names[a]; ok {
			out = append(out, r)
		}
	}
	return out
}

// amd64Stores reports whether an instruction writes its first operand, which is in memory at rbp.
func amd64Stores(p printed) bool {
	name, args := amd64Text(p)
	return len(args) > 0 && strings.HasSuffix(args[0], "PTR [rbp+0x10]") && !amd64Reads.MatchString(name) &&
		(name != "imul" || len(args) > 1) && !strings.HasPrefix(name, "vpcompress") // whose displacement counts elements
}

func amd64Witness() witness {
	return witness{decode: AMD64, name: func(p printed) string { name, _ := amd64Text(p); return name }, writes: amd64Writes, stores: amd64Stores, lost: regexp.MustCompile(`^enterw?$`), // of nested functions: nobody writes it
		only: 1<<rbp | 1<<rsp, unknown: func(p printed) bool {
			name, _ := amd64Text(p)
			return strings.HasPrefix(p.name, ".") || strings.Contains(p.note, "(bad)") || amd64Data.MatchString(p.note) || amd64Odd.MatchString(name) || amd64Invalid.MatchString(p.note)
		}}
}

func TestAuditAMD64(t *testing.T) {
	w := amd64Witness()
	w.raw(t, "x86_64", "i386:x86-64", amd64Cells(byte(rbp)), 32, "-M", "intel")
	w.report(t)
}
