// Package machinecode has instructions of each machine, for files that the generator, the assembler and tests write.
// It also has patterns of the startup code in every program. It does not decode anything.
package machinecode

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"
)

// Code has the instructions of a machine, and sequences of them.
type Code struct {
	Nop     string
	Return  string
	Trap    string
	Call    string // through a register
	Reserve string // lowers SP by 48 bytes
	// Code that overwrites FP or RA: a branch to the final return, the instruction, and a trap.
	LoseFP, LoseRA string
	CopyFP         string // copies FP to another register and back
	EndSignal      string // returns from a signal handler
	// Regular expressions for code as hexadecimal digits. SecondStart: functions after the entry in crt1.o and
	// gcrt1.o. SharedStart: the functions of libc_nonshared.a that pass on the address of __dso_handle (atexit,
	// at_quick_exit, pthread_atfork).
	//
	// LastStart: __stack_chk_fail_local, which follows them. TableStart: the first function of crtbegin.o,
	// deregister_tm_clones, if it has CFI.
	SecondStart, SharedStart, LastStart, TableStart string
}

// Of returns the code of a machine, zero if it is unknown.
func Of(machine elf.Machine) Code {
	switch machine {
	case elf.EM_X86_64:
		return Code{
			Nop: "\x90", Return: "\xc3", Trap: "\xf4", Call: "\xff\xd0", // nop, ret, hlt, call *%rax
			Reserve:     "\x48\x83\xec\x30",                                 // sub $48,%rsp
			LoseFP:      "\x74\x03\x31\xed\xf4\xc3",                         // je; xor %ebp,%ebp; hlt; ret
			LoseRA:      "\x74\x09\x48\xc7\x04\x24\x00\x00\x00\x00\xf4\xc3", // je; movq $0,(%rsp); hlt; ret
			CopyFP:      "\x48\x89\xe8\x48\x89\xc5",                         // mov %rbp,%rax; mov %rax,%rbp
			EndSignal:   "\xb8\x0f\x00\x00\x00\x0f\x05",                     // mov $15,%eax; syscall
			SecondStart: "(f30f1efa)?(c3|8b05.{8}85c0.*c705.{8}01000000.*e9.{8})",
			SharedStart: "(f30f1efa)?(488b15.{8}31f6|488b(35|0d).{8})e9.{8}",
			LastStart:   "(f30f1efa)?4883ec08e8.{8}",
		}
	case elf.EM_S390:
		return Code{
			Nop: "\x07\x00", Return: "\x07\xfe", Trap: "\x00\x01", Call: "\x0d\xe1", // nopr, br %r14, basr %r14,%r1
			Reserve:     "\xa7\xfb\xff\xd0",                                 // aghi %r15,-48
			LoseFP:      "\xa7\x84\x00\x05\xa7\xb9\x00\x00\x00\x01\x07\xfe", // jz; lghi %r11,0; .insn; br %r14
			LoseRA:      "\xa7\x84\x00\x05\xa7\xe9\x00\x00\x00\x01\x07\xfe", // jz; lghi %r14,0; .insn; br %r14
			CopyFP:      "\xb9\x04\x00\x1b\xb9\x04\x00\xb1",                 // lgr %r1,%r11; lgr %r11,%r1
			EndSignal:   "\x0a\xad",                                         // svc 173
			SecondStart: "c010.{8}e3101000000407f1|eb.{10}e3.*e54c.{4}0001.*c0f4.{8}",
			SharedStart: "(c448.{8}a7390000|c4[35]8.{8})c0f4.{8}",
			LastStart:   "ebeff0700024e3f0ff60ff71c0e5.{8}",
		}
	case elf.EM_AARCH64: // instructions are little-endian whatever the data are
		return Code{
			Nop: "\x1f\x20\x03\xd5", Return: "\xc0\x03\x5f\xd6", Trap: "\x00\x7d\x20\xd4", Call: "\x20\x00\x3f\xd6", // nop, ret, brk #0x3e8, blr x1
			Reserve:     "\xff\xc3\x00\xd1",                                                 // sub sp,sp,#48
			LoseFP:      "\x60\x00\x00\xb4\xfd\x03\x1f\xaa\x00\x7d\x20\xd4\xc0\x03\x5f\xd6", // cbz x0; mov x29, xzr; brk; ret
			LoseRA:      "\x60\x00\x00\xb4\xfe\x03\x1f\xaa\x00\x7d\x20\xd4\xc0\x03\x5f\xd6", // cbz x0; mov x30, xzr; brk; ret
			CopyFP:      "\xe9\x03\x1d\xaa\xfd\x03\x09\xaa",                                 // mov x9, x29; mov x29, x9
			EndSignal:   "\x68\x11\x80\xd2\x01\x00\x00\xd4",                                 // mov x8, 139; svc 0
			SecondStart: "(5f2403d5|3f2303d5)?(c0035fd6|.{6}[9bdf]0.{6}b9.{6}3[45].*2.008052.*.{6}1[4-7])",
			SharedStart: "(5f2403d5)?(.{8}010080d242.{4}f9|.{8}21.{4}f9|.{8}63.{4}f9).{6}1[4-7]",
			LastStart:   "(3f2303d5)?fd7bbfa9fd030091.{6}9[4-7]",
			TableStart:  "(5f2403d5)?.{32}3f0000eb.{6}54.{22}b4(.{8})?.{4}1fd6c0035fd6",
		}
	}
	return Code{}
}

// Pads reports whether code begins with zeros, a trap or a no-op. Assemblers and linkers write these between
// functions.
func Pads(machine elf.Machine, code []byte) bool {
	if machine == elf.EM_X86_64 {
		code = bytes.TrimLeft(code, "\x66\x2e") // prefixes
		return len(code) == 0 || code[0] == 0 || code[0] == 0x90 || code[0] == 0xcc || bytes.HasPrefix(code, []byte("\x0f\x1f"))
	}
	return bytes.HasPrefix(code, []byte{0, 0}) || bytes.HasPrefix(code, []byte(Of(machine).Nop)) || bytes.HasPrefix(code, []byte("\x07\x07"))
}

// Stub is the code of one PLT entry, and the distance from SP to the CFA at each of its instructions.
type Stub struct {
	Name  string
	Insns []StubInsn
	first bool // it stands once, at the start of .plt, and calls the resolver
	// The code, as far as it is the same in all stubs: the bits that are set in mask.
	value, mask []byte
}

// Size returns the size of the stub in bytes.
func (s *Stub) Size() uint64 { return uint64(len(s.mask)) }

// StubInsn is an instruction of a stub.
type StubInsn struct {
	At  uint64 // offset from the start of the stub, in bytes
	CFA int64  // CFA - SP before the instruction, in bytes
}

// stubs returns the stubs that GNU ld, gold and lld write, by machine. Spaces
// separate instructions, and a dot stands for any digit. +8 means that the
// instruction before it has moved SP down by 8 bytes.
var stubs = sync.OnceValue(func() map[elf.Machine][]Stub {
	return map[elf.Machine][]Stub{
		elf.EM_X86_64: {
			// The entries have pushed the index of a relocation.
			newStub("the first stub", 16, "ff35........ +8 ff25........ 0f1f4000").once(),
			newStub("the first stub, with BND", 16, "ff35........ +8 f2ff25........ 0f1f00").once(),
			newStub("the stub of TLSDESC", 8, "f30f1efa ff35........ +8 ff25........"),
			newStub("a lazy stub", 8, "ff25........ 68........ +8 e9........"),
			newStub("a lazy stub with ENDBR64", 8, "f30f1efa 68........ +8 e9........ 6690"),
			newStub("a lazy stub with ENDBR64 and BND", 8, "f30f1efa 68........ +8 f2e9........ 90"),
			newStub("a lazy stub with BND", 8, "68........ +8 f2e9........ 0f1f440000"),
			newStub("a stub of 16 bytes with ENDBR64", 8, "f30f1efa ff25........ 660f1f440000"),
			newStub("a stub of 16 bytes with ENDBR64 and BND", 8, "f30f1efa f2ff25........ 0f1f440000"),
			newStub("a stub of 8 bytes", 8, "ff25........ 6690"),
			newStub("a stub of 8 bytes with BND", 8, "f2ff25........ 90"),
		},
		elf.EM_AARCH64: {
			newStub("the first stub", 0, "f07bbfa9 +16 .0.....0 11....f9 10....91 20021fd6 1f2003d5 1f2003d5 1f2003d5").once(),
			newStub("the first stub with BTI", 0, "5f2403d5 f07bbfa9 +16 .0.....0 11....f9 10....91 20021fd6 1f2003d5 1f2003d5").once(),
			newStub("a stub with BTI and PAC", 0, "5f2403d5 .0.....0 11....f9 10....91 9f2103d5 20021fd6"),
			newStub("a stub with BTI", 0, "5f2403d5 .0.....0 11....f9 10....91 20021fd6 1f2003d5"),
			newStub("a stub with PAC", 0, ".0.....0 11....f9 ........ 9f2103d5 20021fd6 1f2003d5"),
			newStub("a stub", 0, ".0.....0 11....f9 ........ 20021fd6"),
		},
		elf.EM_S390: {
			newStub("the first stub", 160, "e310f0380024 c010........ d207f0301008 e31010100004 07f1 0700 0700 0700").once(),
			newStub("a stub", 160, "c010........ e31010000004 07f1 0d10 e310100c0014 c0f4................"),
		},
	}
})

// newStub parses the code of a stub. cfa is CFA - SP at its start.
func newStub(name string, cfa int64, code string) Stub {
	s := Stub{Name: name}
	for _, word := range strings.Fields(code) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil && word[0] == '+' {
			cfa += n
			continue
		}
		s.Insns = append(s.Insns, StubInsn{uint64(len(s.mask)), cfa})
		value, err := hex.DecodeString(strings.ReplaceAll(word, ".", "0"))
		if err != nil {
			panic(err) // the table above is wrong
		}
		mask, _ := hex.DecodeString(strings.Map(func(digit rune) rune {
			if digit == '.' {
				return '0'
			}
			return 'f'
		}, word))
		s.value, s.mask = append(s.value, value...), append(s.mask, mask...)
	}
	return s
}

func (s Stub) once() Stub {
	s.first = true
	return s
}

// matches reports whether code begins with a stub.
func (s *Stub) matches(code []byte) bool {
	for i, mask := range s.mask {
		if i >= len(code) || code[i]&mask != s.value[i] {
			return false
		}
	}
	return true
}

// MaxStub is an upper bound for the size of a stub, in bytes.
const MaxStub = 32

// StubAt returns the stub at the start of code, nil if there is none. first says that the code is at the start of its
// section.
func StubAt(machine elf.Machine, code []byte, first bool) *Stub {
	all := stubs()[machine]
	for i := range all {
		if s := &all[i]; (first || !s.first) && s.matches(code) {
			return s
		}
	}
	return nil
}
