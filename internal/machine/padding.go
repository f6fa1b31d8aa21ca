package machine

import (
	"bytes"
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
)

// sigreturns are the instructions that return from a signal handler on Linux: they set the
// number of the system call rt_sigreturn and make it.
var sigreturns = map[elf.Machine][]string{
	elf.EM_X86_64:  {"\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05", "\xb8\x0f\x00\x00\x00\x0f\x05"}, // mov $15, %rax; syscall
	elf.EM_AARCH64: {"\x68\x11\x80\xd2\x01\x00\x00\xd4", "\x68\x11\x80\x52\x01\x00\x00\xd4"}, // mov x8, 139; svc 0
	elf.EM_S390:    {"\x0a\xad", "\x0a\x77"},                                                 // svc 173, svc 119
}

// ReturnsFromSignal reports whether a function does nothing but return from a signal handler.
func ReturnsFromSignal(code []byte, abi *model.ABIInfo) bool {
	if abi.Machine == elf.EM_AARCH64 {
		code = bytes.TrimPrefix(code, []byte(abi.Nop))
	}
	for _, s := range sigreturns[abi.Machine] {
		if bytes.HasPrefix(code, []byte(s)) {
			return true
		}
	}
	return false
}

// padding are the beginnings of what assemblers and linkers write between functions.
var padding = map[elf.Machine][]string{
	elf.EM_X86_64:  {"\x90", "\xcc", "\xf4", "\x00\x00", "\x0f\x0b", "\x0f\x1f", "\x66\x90", "\x66\x0f\x1f", "\x66\x2e", "\x66\x66", "\x2e\x66", "\x2e\x0f\x1f"},
	elf.EM_AARCH64: {"\x1f\x20\x03\xd5", "\x00\x00\x00\x00"},
	elf.EM_S390:    {"\x07\x00", "\x07\x07", "\x00"},
}

// Padding reports whether code begins with an instruction that fills the space between
// functions, or with no instruction.
func Padding(code []byte, abi *model.ABIInfo) bool {
	for _, s := range padding[abi.Machine] {
		if bytes.HasPrefix(code, []byte(s)) {
			return true
		}
	}
	return len(code) == 0
}

// Traps reports whether code begins with the instruction by which compilers end code that must not
// go on. It is no padding where the instruction before it continues.
func Traps(code []byte, abi *model.ABIInfo) bool {
	return abi.Machine == elf.EM_X86_64 && bytes.HasPrefix(code, []byte("\x0f\x0b"))
}

// SystemCall reports whether an instruction makes a system call.
func SystemCall(insn []byte, abi *model.ABIInfo) bool {
	switch abi.Machine {
	case elf.EM_X86_64:
		return string(insn) == "\x0f\x05"
	case elf.EM_AARCH64:
		return len(insn) == 4 && insn[0]&0x1f == 1 && insn[2]&0xe0 == 0 && insn[3] == 0xd4 // svc
	case elf.EM_S390:
		return len(insn) == 2 && insn[0] == 0x0a // svc
	}
	return false
}
