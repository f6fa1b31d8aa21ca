package insn

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var doNames = map[Do]string{
	Move: "move", Load: "load", Store: "store", Clobber: "clobber", Derive: "derive", Lose: "lose", Align: "align", Sign: "sign", Auth: "auth",
	Strip: "strip", Const: "const", Insert: "insert", Add: "add", Sub: "sub", Scale: "scale", Compare: "compare", Mix: "mix",
	Forget: "forget", Fill: "fill", Element: "element", Either: "either",
}

var flowNames = map[Flow]string{
	Next: "", Jump: "jump", Branch: "branch", Call: "call", Return: "return", IndirectJump: "indirect jump", IndirectCall: "indirect call",
	Stop: "stop", Bad: "bad",
}

// effects prints what an instruction does. PC is 0x1000.
func effects(t *testing.T, d Decoder, code string) string {
	t.Helper()
	b, err := hex.DecodeString(code)
	require.NoError(t, err)
	var i Insn
	d(b, 0x1000, &i)
	require.Equal(t, len(b), int(i.Len), code)
	var out []string
	for _, op := range i.Ops[:i.N] {
		if op.Do == Compare && op.Dst == NoReg {
			continue
		}
		s := fmt.Sprintf("%s %d %d %d", doNames[op.Do], op.Dst, op.Src, op.Off)
		if op.Size != 0 {
			s += fmt.Sprintf(" size %d", op.Size)
		}
		out = append(out, s)
	}
	if i.Flow != Next {
		s := flowNames[i.Flow]
		if i.Via != NoReg {
			s += fmt.Sprintf(" via %d", i.Via)
		} else if i.TargetLen != 0 {
			s += fmt.Sprintf(" %#x", i.Target)
		}
		if i.Cond {
			s += " if"
		}
		out = append(out, s)
	}
	if i.Equal != NoWay {
		out = append(out, fmt.Sprintf("equal %d", i.Equal))
	}
	if i.Above != NoWay {
		out = append(out, fmt.Sprintf("above %d", i.Above))
	}
	if i.Landing {
		out = append(out, "landing")
	}
	return strings.Join(out, "; ")
}

func TestAArch64Effects(t *testing.T) {
	for _, c := range []struct{ text, code, want string }{
		{"stp x29,x30,[sp,#-32]!", "fd7bbea9", "store 31 29 -32; store 31 30 -24; move 31 31 -32"},
		{"ldp x29,x30,[sp],#32", "fd7bc2a8", "load 29 31 0; load 30 31 8; move 31 31 32"},
		{"ldp x0,x1,[x0]", "000440a9", "load 1 0 8; load 0 0 0"},
		{"stp x29,xzr,[sp,#16]", "fd7f01a9", "store 31 29 16; store 31 255 24 size 8"},
		{"str x30,[sp,#-16]!", "fe0f1ff8", "store 31 30 -16; move 31 31 -16"},
		{"ldr x30,[sp],#16", "fe0741f8", "load 30 31 0; move 31 31 16"},
		{"ldrb w1,[x0,#3]", "010c4039", "load 1 0 3 size 1"},
		{"pacia x29,x1", "3d00c1da", "clobber 29 0 0"},
		{"cntd x1", "e1e3e004", "clobber 1 255 2"},
		{"str w0,[sp,#12]", "e00f00b9", "store 31 0 12 size 4"},
		{"stp q0,q1,[sp,#32]", "e00701ad", "store 31 255 32 size 32"},
		{"mov x29,sp", "fd030091", "move 29 31 0"},
		{"mov sp,x29", "bf030091", "move 31 29 0"},
		{"sub sp,sp,#1,lsl #12", "ff0740d1", "move 31 31 -4096"},
		{"and sp,x0,#-32", "1fe87b92", "move 31 0 0; align 31 0 -32"},
		{"mov x12,#0x1230", "0c4682d2", "const 12 0 4656"},
		{"movk x12,#1,lsl #16", "2c00a0f2", "insert 12 16 1"},
		{"sub sp,sp,x12", "ff632ccb", "sub 31 12 0"},
		{"add sp,x29,x0", "bf63208b", "move 31 0 0; add 31 29 0"},
		{"sub x9,sp,#0x10,lsl #12", "e94340d1", "move 9 31 -65536"},
		{"cmp sp,x9", "ff6329eb", "compare 31 9 0"},
		{"b.ne .+8", "41000054", "branch 0x1008; equal 2"},
		{"cmp w0,#7", "1f1c0071", "compare 0 255 7"},
		{"b.hi .+8", "48000054", "branch 0x1008; above 1"},
		{"ldrb w0,[x1,w0,uxtw]", "20486038", "element 0 1 0 size 1"},
		{"ldr x0,[x1,x0,lsl #3]", "207860f8", "element 0 1 0 size 8"},
		{"adr x1,.+16", "81000010", "const 1 0 4112"},
		{"adrp x1,.", "01000090", "const 1 0 4096"},
		{"add x0,x1,w0,sxtb #2", "2088208b", "scale 0 0 2 size 1; add 0 1 0"},
		{"br x0", "00001fd6", "indirect jump via 0"},
		{"paciasp", "3f2303d5", "sign 30 31 0; landing"},
		{"autibsp", "ff2303d5", "auth 30 31 1"},
		{"retaa", "ff0b5fd6", "auth 30 31 0; return via 30"},
		{"ret", "c0035fd6", "return via 30"},
		{"ret x1", "20005fd6", "return via 1"},
		{"xpaclri", "ff2003d5", "strip 30 0 0"},
		{"pacib x30,sp", "fe07c1da", "sign 30 31 1"},
		{"bl .+8", "02000094", "clobber 30 0 0; call 0x1008"},
		{"blr x1", "20003fd6", "clobber 30 0 0; indirect call via 1"},
		{"bti c", "5f2403d5", "landing"},
		{"csel x29,x0,x1,eq", "1d00819a", "move 29 0 0; either 29 1 0"},
		{"csel x29,x0,x29,eq", "1d009d9a", "either 29 0 0"},
		{"csinc x29,x0,x1,eq", "1d04819a", "move 29 0 0; either 29 255 0"},
		{"cset x29,ne", "fd079f9a", "clobber 29 0 0"},
		{"orr x29,x0,x1", "1d0001aa", "move 29 0 0; mix 29 1 0"},
		{"orr x29,x0,x0", "1d0000aa", "move 29 0 0"},
		{"orr x29,xzr,x0,lsl #3", "fd0f00aa", "move 29 0 0; mix 29 255 0"},
		{"and x29,x29,x29", "bd031d8a", ""},
		{"ldg x29,[x0]", "1d0060d9", "mix 29 255 0"},
		{"neg x29,x0", "fd0300cb", "move 29 0 0; mix 29 255 0"},
		{"sub x29,x29,x29", "bd031dcb", "const 29 0 0"},
		{"add x29,x29,x29,lsl #2", "bd0b1d8b", "mix 29 255 0"},
		{"ldraa x29,[x0,#-8]!", "1dfc7ff8", "move 0 0 -8; clobber 29 0 0"},
		{"addvl sp,sp,#-1", "ff573f04", "mix 31 255 2"},
		{"addvl x29,sp,#1", "3d503f04", "move 29 31 0; mix 29 255 2"},
		{"st1 {v0.16b,v1.16b},[sp],#32", "e0a39f4c", "store 31 255 0 size 32; move 31 31 32"},
		{"swp x0,x1,[x2]", "418020f8", "clobber 1 0 0; store 2 255 0 size 8"},
		{"stxr w0,x1,[x2]", "417c00c8", "clobber 0 0 0; store 2 1 0"},
		{"brk #1", "200020d4", "stop"},
		{"svc #0", "010000d4", "clobber 0 0 0"},
		{"irg x0,sp", "e013df9a", "move 0 31 0; mix 0 255 0"},
	} {
		require.Equal(t, c.want, effects(t, AArch64, c.code), c.text)
	}
}

func TestAMD64Effects(t *testing.T) {
	for _, c := range []struct{ text, code, want string }{
		{"movq %xmm0,%rbp", "66480f7ec5", "move 6 18 0"},
		{"movd %xmm0,%ebp", "660f7ec5", "clobber 6 255 0"},
		{"movq %rbp,%xmm0", "66480f6ec5", "either 18 6 0"},
		{"movq %xmm0,-16(%rbp)", "66480f7e45f0", "forget 6 255 -16 size 8"},
		{"pextrq $1,%xmm0,%rbp", "66480f3a16c501", "move 6 18 0"},
		{"pextrd $1,%xmm0,%ebp", "660f3a16c501", "clobber 6 255 0"},
		{"pinsrq $1,%rbp,%xmm0", "66480f3a22c501", "either 18 6 0"},
		{"extractps $1,%xmm0,%ebp", "660f3a17c501", "clobber 6 255 0"},
		{"vmovq %xmm0,%rbp", "c4e1f97ec5", "move 6 18 0"},
		{"kmovq %k1,%rbp", "c4e1fb93e9", "move 6 18 0"},
		{"xadd %rbp,%rax", "480fc1e8", "move 17 0 0; add 0 6 0; move 6 17 0"},
		{"xadd %rbp,(%rdi)", "480fc12f", "load 17 5 0; forget 5 255 0 size 8; move 6 17 0"},
		{"cmpxchg %rax,%rbp", "480fb1c5", "move 17 6 0; either 6 0 0; either 0 17 0"},
		{"cmove %rax,%rbp", "480f44e8", "either 6 0 0"},
		{"popcnt %rdi,%rax", "f3480fb8c7", "derive 0 5 255"},
		{"mul %rdx", "48f7e2", "derive 0 0 1; derive 1 0 255"},
		{"divl 4(%rsp)", "f7742404", "load 17 7 4 size 4; derive 0 0 17; derive 1 0 255"},
		{"sub (%rdi),%rsp", "482b27", "load 17 5 0; sub 7 17 0"},
		{"mov %edi,-4(%rbp)", "897dfc", "store 6 5 -4 size 4"},
		{"stos %rax,(%rdi)", "48ab", "store 5 255 0 size 8; mix 5 255 0"},
		{"rep stos %rax,(%rdi)", "f348ab", "fill 5 2 0 size 8; mix 5 255 0; clobber 2 255 0"},
		{"cmove %eax,%ebp", "0f44e8", "derive 6 0 6"},
		{"or %rbp,%rbp", "4809ed", ""},
		{"mov %cr0,%rbp", "0f20c5", "clobber 6 255 0"},
		{"add %rax,%rcx,%rbp (APX)", "62f4d41801c1", "move 6 2 0; add 6 0 0"},
		{"sub $8,%rsp,%rbp (APX)", "62f4d41883ec08", "move 6 7 -8"},
		{"or %rax,%rcx,%rbp (APX)", "62f4d41809c1", "move 6 2 0; mix 6 0 0"},
		{"imul %rax,%rcx,%rbp (APX)", "62f4d418afc8", "clobber 6 255 0"},
		{"push2 %rbx,%rbp (APX)", "62f45418fff3", "store 7 6 -8; move 7 7 -8; store 7 3 -8; move 7 7 -8"},
		{"pop2 %rbx,%rbp (APX)", "62f454188fc3", "load 6 7 0; move 7 7 8; load 3 7 0; move 7 7 8"},
		{"popcnt %rax,%rbp (APX)", "62f4fc0888e8", "mix 6 255 0"},
		{"ccmpe %rax,%rcx (APX)", "62f4840439c1", ""},
	} {
		require.Equal(t, c.want, effects(t, AMD64, c.code), c.text)
	}
}

func TestS390xEffects(t *testing.T) {
	for _, c := range []struct{ text, code, want string }{
		{"stmg %r6,%r15,48(%r15)", "eb6ff0300024", "store 15 6 48; store 15 7 56; store 15 8 64; store 15 9 72; store 15 10 80; store 15 11 88; store 15 12 96; store 15 13 104; store 15 14 112; store 15 15 120"},
		{"lmg %r6,%r15,208(%r15)", "eb6ff0d00004", "load 6 15 208; load 7 15 216; load 8 15 224; load 9 15 232; load 10 15 240; load 11 15 248; load 12 15 256; load 13 15 264; load 14 15 272; load 15 15 280"},
		{"lmg %r10,%r12,80(%r11)", "ebacb0500004", "load 10 11 80; load 12 11 96; load 11 11 88"},
		{"aghi %r15,-160", "a7fbff60", "move 15 15 -160"},
		{"lay %r15,-160(%r15)", "e3f0ff60ff71", "move 15 15 -160"},
		{"la %r11,160(%r15)", "41b0f0a0", "move 11 15 160"},
		{"la %r1,8(%r2,%r3)", "41123008", "move 1 3 8; add 1 2 0"},
		{"lgr %r11,%r15", "b90400bf", "move 11 15 0"},
		{"ldgr %f0,%r14", "b3c1000e", "move 16 14 0"},
		{"lgdr %r14,%f0", "b3cd00e0", "move 14 16 0"},
		{"std %f8,160(%r15)", "6080f0a0", "store 15 24 160"},
		{"ld %f8,160(%r15)", "6880f0a0", "load 24 15 160"},
		{"stg %r14,112(%r15)", "e3e0f0700024", "store 15 14 112"},
		{"lg %r4,112(%r15)", "e340f0700004", "load 4 15 112"},
		{"locge %r11,8(%r3)", "ebb8300800e2", "either 11 3 8 size 8"},
		{"mvc 8(16,%r15),0(%r2)", "d20ff0082000", "forget 15 2 8 size 16"},
		{"xc 160(8,%r15),160(%r15)", "d707f0a0f0a0", "store 15 255 160 size 8"},
		{"larl %r1,.+16", "c01000000008", "const 1 0 4112"},
		{"basr %r13,%r0", "0dd0", "const 13 0 4098"},
		{"basr %r14,%r1", "0de1", "clobber 14 0 0; indirect call via 1"},
		{"brasl %r14,.+16", "c0e500000008", "clobber 14 0 0; call 0x1010"},
		{"bras %r13,.+16", "a7d50008", "const 13 0 4100; jump 0x1010"},
		{"bras %r14,.+16", "a7e50008", "clobber 14 0 0; call 0x1010"},
		{"br %r14", "07fe", "return via 14"},
		{"br %r1", "07f1", "indirect jump via 1"},
		{"bner %r14", "077e", "return via 14 if"},
		{"j .+16", "a7f40008", "jump 0x1010"},
		{"je .+16", "a7840008", "branch 0x1010; equal 1"},
		{"jne .+16", "a7740008", "branch 0x1010; equal 2"},
		{"jh .+16", "a7240008", "branch 0x1010; above 1"},
		{"cgrje %r15,%r1,.+16", "ecf100088064", "compare 15 1 0; branch 0x1010; equal 1"},
		{"clgijh %r2,7,.+16", "ec220008077d", "compare 2 255 7; branch 0x1010; above 1"},
		{"lgf %r1,0(%r1,%r5)", "e31150000014", "add 1 5 0; element 1 1 0 size 4"},
		{"b 0(%r1,%r3)", "47f13000", "add 1 3 0; indirect jump via 1"},
		{"sgr %r15,%r2", "b90900f2", "sub 15 2 0"},
		{"agrk %r1,%r2,%r15", "b9e8f012", "move 1 2 0; add 1 15 0"},
		{"sgrk %r15,%r15,%r1", "b9e910ff", "sub 15 1 0"},
		{"lghi %r1,-8", "a719fff8", "const 1 0 -8"},
		{"algfi %r15,4096", "c2fa00001000", "move 15 15 4096"},
		{"slgfi %r15,4096", "c2f400001000", "move 15 15 -4096"},
		{"nill %r1,65528", "a517fff8", "align 1 0 -8"},
		{"risbgn %r1,%r15,0,188,0", "ec1f00bc0059", "move 1 15 0; align 1 0 -8"},
		{"risbgz %r9,%r9,48,63,32", "ec9930bf2055", "derive 9 9 255"},
		{"vst %v0,160(%r15)", "e700f0a0000e", "store 15 255 160 size 16"},
		{"vlvgg %v0,%r11,0", "e70b00003022", "move 16 11 0"},
		{"vlgvg %r11,%v0,0", "e7b000003021", "move 11 16 0"},
		{"locgre %r1,%r2", "b9e28012", "either 1 2 0"},
		{"selgre %r11,%r2,%r3", "b9e338b2", "move 11 2 0; either 11 3 0"},
		{"selgre %r11,%r2,%r11", "b9e3b8b2", "either 11 2 0"},
		{"sllg %r11,%r2,3", "ebb20003000d", "move 11 2 0; mix 11 255 0"},
		{"srag %r11,%r11,0", "ebbb0000000a", ""},
		{"rllg %r11,%r2,0(%r3)", "ebb23000001c", "move 11 2 0; mix 11 255 0"},
		{"ogr %r11,%r2", "b98100b2", "mix 11 2 0"},
		{"ogr %r11,%r11", "b98100bb", ""},
		{"xgr %r11,%r11", "b98200bb", "const 11 0 0"},
		{"ngrk %r11,%r2,%r3", "b9e430b2", "move 11 2 0; mix 11 3 0"},
		{"ogrk %r11,%r2,%r2", "b9e620b2", "move 11 2 0"},
		{"sgr %r11,%r11", "b90900bb", "const 11 0 0"},
		{"vlvgg %v0,%r11,1", "e70b00013022", ""},
		{"vlvgf %v0,%r11,1", "e70b00012022", "mix 16 255 0"},
		{"vlgvf %r11,%v0,1", "e7b000012021", "clobber 11 0 0"},
		{"vlgvg %r11,%v0,1", "e7b000013021", "lose 11 0 0"},
		{"brctg %r1,.+16", "a7170008", "move 1 1 -1; branch 0x1010"},
		{"svc 1", "0a01", "clobber 2 0 0"},
		{"st %r2,164(%r15)", "5020f0a4", "store 15 2 164 size 4"},
		{"nopr %r7", "0707", ""},
		{"mvghi 168(%r15),5", "e548f0a80005", "store 15 255 168 size 8"},
		{"stmg %r15,%r1,0(%r2)", "ebf120000024", "store 2 15 0; store 2 0 8; store 2 1 16"},
	} {
		require.Equal(t, c.want, effects(t, S390x, c.code), c.text)
	}
}
