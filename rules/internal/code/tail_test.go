package code_test

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
)

// TestTailJumps: a function that jumps to another with SP as on entry has its caller. So it is neither the outermost
// one nor a signal frame, but for the one at which the program starts.
func TestTailJumps(t *testing.T) {
	const rows = ".func other 0x1040 0x10\n  0: cfa = rsp+8\n"
	jump := map[int][]byte{0: {0x31, 0xc0, 0xe9, 0x39, 0, 0, 0}, 0x40: {0xc3}} // xor %eax,%eax; jmp other
	exits := map[int][]byte{0: jump[0], 0x40: {0xf4}}                          // other: hlt
	popped := map[int][]byte{0: {0x58, 0xe9, 0x3a, 0, 0, 0}, 0x40: {0xc3}}     // pop %rax; jmp other
	for _, c := range []struct {
		name  string
		text  string
		code  map[int][]byte
		start uint64
		want  []string
	}{
		{"outermost", ".func first 0x1000 0x7\n  0: outermost\n" + rows, jump, 0, []string{"SF3115"}},
		{"outermost at the start of the program", ".func first 0x1000 0x7\n  0: outermost\n" + rows, jump, 0x1000, []string{}},
		{"outermost, without a return address", ".func first 0x1000 0x6\n  0: outermost\n" + rows, popped, 0, []string{}},
		{"outermost, to a function that does not return", ".func first 0x1000 0x7\n  0: outermost\n" + rows, exits, 0, []string{}},
		{"both outermost", ".func first 0x1000 0x7\n  0: outermost\n.func other 0x1040 0x10\n  0: outermost\n", exits, 0, []string{}},
		{"outermost at one instruction", ".func first 0x1000 0x7\n  0: outermost\n  2: cfa = rsp+8\n.func other 0x1040 0x10\n  0: outermost\n", exits, 0, []string{"SF3115"}},
		{"signal", ".func first 0x1000 0x7 signal\n  0: cfa = rsp+8\n" + rows, jump, 0, []string{"SF3119"}},
		{"signal, without a return address", ".func first 0x1000 0x6 signal\n  0: cfa = rsp+8\n" + rows, popped, 0, []string{}},
	} {
		out, err := asm.Assemble(fmt.Appendf(nil, ".address %#x\n%s", elftest.SFrame, c.text), asm.Options{})
		require.NoError(t, err, c.name)
		data := elftest.WithCode(t, elf.EM_X86_64, false, out.Section, []elftest.Symbol{{}, elftest.Function("first", 0x1000, 7), elftest.Function("other", 0x1040, 16)}, c.code)
		binary.LittleEndian.PutUint64(data[24:], c.start)
		got := []string{}
		for _, f := range findings(t, data) {
			got = append(got, f[:6])
		}
		require.Equal(t, c.want, got, c.name)
	}
}
