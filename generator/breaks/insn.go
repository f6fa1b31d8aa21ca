package breaks

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
)

// returnInsn is the machine's return; instructions of AArch64 are
// little-endian whatever the data are.
func returnInsn(abi model.ABIInfo) []byte {
	switch abi.Machine {
	case elf.EM_AARCH64:
		return []byte{0xc0, 0x03, 0x5f, 0xd6} // ret
	case elf.EM_S390:
		return []byte{0x07, 0xfe} // br %r14
	}
	return []byte{0xc3} // ret
}

// callInsn is a call, in one instruction of the smallest size.
func callInsn(abi model.ABIInfo) []byte {
	if abi.Machine == elf.EM_S390 {
		return []byte{0x0d, 0xe1} // basr %r14,%r1
	}
	return []byte{0x20, 0x00, 0x3f, 0xd6} // blr x1
}
