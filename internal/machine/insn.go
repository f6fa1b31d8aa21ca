package machine

import (
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
)

// EndsInReturn reports whether a function's last instruction is a return.
func EndsInReturn(code []byte, abi *model.ABIInfo) bool {
	n := len(code)
	switch abi.Machine {
	case elf.EM_X86_64:
		return n >= 1 && code[n-1] == 0xc3 && !operand(code)
	case elf.EM_AARCH64:
		if n < 4 {
			return false
		}
		// Instructions are little-endian whatever the data are.
		switch binary.LittleEndian.Uint32(code[n-4:]) {
		case 0xd65f03c0, 0xd65f0bff, 0xd65f0fff: // ret, retaa, retab
			return true
		}
	case elf.EM_S390:
		return n >= 2 && binary.BigEndian.Uint16(code[n-2:]) == 0x07fe // br %r14
	}
	return false
}

// operand reports whether the last byte of AMD64 code may be the end of the
// operand of a call or jump.
func operand(code []byte) bool {
	n := len(code)
	return n >= 5 && (code[n-5] == 0xe8 || code[n-5] == 0xe9) || n >= 2 && code[n-2] == 0xeb
}

// Calls yields the offsets of call instructions, which overwrite the register
// that holds RA. It yields none for ABIs without such a register.
func Calls(code []byte, abi *model.ABIInfo, yield func(off uint32) bool) {
	switch abi.Machine {
	case elf.EM_AARCH64:
		for off := 0; off+4 <= len(code); off += 4 {
			w := binary.LittleEndian.Uint32(code[off:])
			bl := w&0xfc000000 == 0x94000000
			blr := w&0xfffffc1f == 0xd63f0000
			blra := w&0xfefff800 == 0xd63f0800 // blraa, blrab and their zero forms
			if (bl || blr || blra) && !yield(uint32(off)) {
				return
			}
		}
	case elf.EM_S390:
		for off := 0; off+2 <= len(code); {
			op := binary.BigEndian.Uint16(code[off:])
			brasl, bras, basr := op == 0xc0e5, op == 0xa7e5, op&0xfff0 == 0x0de0
			if (brasl || bras || basr) && !yield(uint32(off)) {
				return
			}
			// The top two bits give the length: 2, 4, 4 or 6 bytes.
			off += [...]int{2, 4, 4, 6}[op>>14]
		}
	}
}

// HasVeneers reports whether linkers write veneers for the machine of an ABI: see [Veneer].
func HasVeneers(abi model.ABIInfo) bool { return abi.Machine == elf.EM_AARCH64 }

// Veneer reports whether code is a veneer with which a linker avoids an erratum of AArch64 cores: one
// instruction, which the linker has moved there, and a branch to an offset from the start of the
// code.
func Veneer(code []byte, to int64, abi *model.ABIInfo) bool {
	if !HasVeneers(*abi) || len(code) < 8 {
		return false
	}
	w := binary.LittleEndian.Uint32(code[4:])
	return w&0xfc000000 == 0x14000000 && 4+int64(int32(w<<6)>>4) == to // b
}

// Prologue yields, for the first instructions of a function, the offset at which each one
// ends and by how many bytes SP is then lower than on entry. It ends before the first
// instruction that it does not recognise: it follows those that compilers and people begin
// functions with, which push, save, reserve and copy registers, and none that transfers
// control.
func Prologue(code []byte, abi *model.ABIInfo, yield func(end uint32, down int64) bool) {
	var step func(code []byte) (n int, by int64) // an instruction's length, 0 for others, and by how much it lowers SP
	switch abi.Machine {
	case elf.EM_X86_64:
		step = stepAMD64
	case elf.EM_AARCH64:
		step = stepAArch64
	case elf.EM_S390:
		step = stepS390x
	default:
		return
	}
	end, down := 0, int64(0)
	for {
		n, by := step(code[end:])
		if n == 0 {
			return
		}
		end, down = end+n, down+by
		if !yield(uint32(end), down) {
			return
		}
	}
}
