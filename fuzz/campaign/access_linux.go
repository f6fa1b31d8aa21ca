package campaign

import (
	"io"
	"runtime"
	"slices"

	"golang.org/x/arch/x86/x86asm"
)

// onlyReads are instructions that do not write to their first operand.
var onlyReads = []x86asm.Op{x86asm.CMP, x86asm.TEST, x86asm.BT, x86asm.PUSH, x86asm.CALL, x86asm.JMP, x86asm.UCOMISS, x86asm.UCOMISD,
	x86asm.COMISS, x86asm.COMISD, x86asm.MUL, x86asm.IMUL, x86asm.DIV, x86asm.IDIV}

// moves are those with two operands in memory, of which either can be the bad one.
var moves = []x86asm.Op{x86asm.MOVSB, x86asm.MOVSW, x86asm.MOVSD, x86asm.MOVSQ}

// access reports what the instruction at an address does with memory, "" if that is unknown. It
// reads the instructions of AMD64.
func access(mem io.ReaderAt, pc uint64) string {
	var code [15]byte
	n, _ := mem.ReadAt(code[:], int64(pc)) // up to the end of the mapping
	if runtime.GOARCH != "amd64" || n == 0 {
		return ""
	}
	inst, err := x86asm.Decode(code[:n], 64)
	if err != nil {
		return vectorAccess(code[:])
	}
	if _, ok := inst.Args[0].(x86asm.Mem); ok && !slices.Contains(onlyReads, inst.Op) {
		if _, both := inst.Args[1].(x86asm.Mem); both && slices.Contains(moves, inst.Op) {
			return ""
		}
		return badWrite
	}
	return badRead
}

// vectorAccess is access for the moves of AVX, as the C library copies with them: the opcode follows
// the prefix.
func vectorAccess(code []byte) string {
	length := map[byte]int{0xc5: 2, 0xc4: 3, 0x62: 4}[code[0]]
	if length == 0 {
		return ""
	}
	switch code[length] {
	case 0x11, 0x29, 0x7f, 0xd6, 0xe7:
		return badWrite
	case 0x10, 0x28, 0x6f, 0x7e:
		return badRead
	}
	return ""
}
