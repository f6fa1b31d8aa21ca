package insn

import (
	"debug/elf"

	"golang.org/x/arch/arm64/arm64asm"
	"golang.org/x/arch/s390x/s390xasm"
	"golang.org/x/arch/x86/x86asm"
)

// Text returns the first instruction of code, which is at pc, in the syntax of the machine's GNU
// assembler, "" if it has no text. What the text names need not be what a [Decoder] knows.
func Text(m elf.Machine, code []byte, pc uint64) string {
	switch m {
	case elf.EM_X86_64:
		if i, err := x86asm.Decode(code, 64); err == nil && i.Op != 0 {
			return x86asm.GNUSyntax(i, pc, nil)
		}
		if Decoder(AMD64).One(code, pc).Landing {
			return "endbr64"
		}
	case elf.EM_AARCH64:
		if i, err := arm64asm.Decode(code); err == nil {
			return arm64asm.GNUSyntax(i)
		}
	case elf.EM_S390:
		if i, err := s390xasm.Decode(code); err == nil {
			return s390xasm.GNUSyntax(i, pc)
		}
	}
	return ""
}
