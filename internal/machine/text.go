package machine

import (
	"debug/elf"

	"golang.org/x/arch/arm64/arm64asm"
	"golang.org/x/arch/s390x/s390xasm"
	"golang.org/x/arch/x86/x86asm"

	"github.com/sframe-lint/sframe-lint/model"
)

// Text returns the first instruction of code, which is at pc, in the syntax of the ABI's
// assembler, "" if it is not decoded.
func Text(code []byte, pc uint64, abi *model.ABIInfo) string {
	switch abi.Machine {
	case elf.EM_X86_64:
		if i, err := x86asm.Decode(code, 64); err == nil && i.Op != 0 {
			return x86asm.GNUSyntax(i, pc, nil)
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
