package insn

import (
	"encoding/hex"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPPC64 states the effects of instructions in big-endian words, and runs them in both byte orders.
// 13 stands for LR.
func TestPPC64(t *testing.T) {
	for _, c := range []struct{ text, code, want string }{
		{"mflr r0", "7c0802a6", "move 0 13 0"},
		{"mtlr r0", "7c0803a6", "move 13 0 0"},
		{"std r0,16(r1)", "f8010010", "store 1 0 16"},
		{"std r31,-8(r1)", "fbe1fff8", "store 1 31 -8"},
		{"stdu r1,-48(r1)", "f821ffd1", "store 1 1 -48; move 1 1 -48"},
		{"stwu r1,-16(r1)", "9421fff0", "store 1 255 -16 size 4; move 1 1 -16"},
		{"stdux r1,r1,r0", "7c21016a", "add 1 0 0"},
		{"ld r0,16(r1)", "e8010010", "load 0 1 16"},
		{"ld r1,0(r1)", "e8210000", "load 1 1 0"},
		{"ldu r3,8(r4)", "e8640009", "load 3 4 8; move 4 4 8"},
		{"lwa r3,8(r4)", "e864000a", "clobber 3 0 0"},
		{"lbz r3,0(r4)", "88640000", "clobber 3 0 0"},
		{"addi r1,r1,48", "38210030", "move 1 1 48"},
		{"li r0,172", "380000ac", "const 0 0 172"},
		{"lis r0,-1", "3c00ffff", "const 0 0 -65536"},
		{"addis r2,r12,2", "3c4c0002", "move 2 12 131072"},
		{"ori r0,r0,0xfff0", "6000fff0", "clobber 0 0 0"},
		{"mr r31,r1", "7c3f0b78", "move 31 1 0"},
		{"mr r3,r0", "7c030378", "move 3 0 0"},
		{"or r3,r4,r5", "7c832b78", "clobber 3 0 0"},
		{"add r3,r4,r5", "7c642a14", "move 3 4 0; add 3 5 0"},
		{"subf r3,r4,r3", "7c641850", "sub 3 4 0"},
		{"nop", "60000000", ""},
		{"cmpdi r3,5", "2c230005", "compare 3 255 5"},
		{"cmpldi r3,5", "28230005", "compare 3 255 5"},
		{"cmpd r3,r4", "7c232000", "compare 3 4 0"},
		{"b .+16", "48000010", "jump 0x1010"},
		{"bl .-16", "4bfffff1", "clobber 13 0 0; call 0xff0"},
		{"beq .+8", "41820008", "branch 0x1008; equal 1"},
		{"bne .+8", "40820008", "branch 0x1008; equal 2"},
		{"bdnz .-4", "4200fffc", "branch 0xffc"},
		{"bcl 20,31,.+4", "429f0005", "clobber 13 0 0"},
		{"blr", "4e800020", "return via 13"},
		{"beqlr", "4d820020", "return via 13 if"},
		{"bctr", "4e800420", "indirect jump"},
		{"bctrl", "4e800421", "clobber 13 0 0; indirect call"},
		{"trap", "7fe00008", "stop"},
		{"lmw r30,0(r1)", "bbc10000", "clobber 30 0 0; clobber 31 0 0"},
		{"stvx v20,r1,r0", "7e8101ce", ""},
		{"mfvsrd r3,f1", "7c230066", "clobber 3 0 0"},
		{"pla", "0610000038600008", "clobber 3 0 0"},
		{"paddi r3,r4,65536", "0600000138640000", "move 3 4 65536"},
		{"pld r3,8(r1)", "04000000e4610008", "load 3 1 8"},
		{"pstd r31,-8(r1)", "0403fffff7e1fff8", "store 1 31 -8"},
		{"pnop", "0700000000000000", ""},
	} {
		require.Equal(t, c.want, effects(t, PPC64, c.code), c.text)
		b, err := hex.DecodeString(c.code)
		require.NoError(t, err)
		for w := range slices.Chunk(b, 4) {
			slices.Reverse(w)
		}
		require.Equal(t, c.want, effects(t, PPC64LE, hex.EncodeToString(b)), c.text)
	}
	var i Insn
	for _, cut := range []string{"7c08", "06100000", "04000000e461"} {
		b, _ := hex.DecodeString(cut)
		PPC64(b, 0, &i)
		require.Equal(t, Bad, i.Flow)
		require.LessOrEqual(t, int(i.Len), len(b))
	}
}
