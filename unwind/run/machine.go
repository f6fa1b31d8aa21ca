package run

import (
	"debug/elf"
	"runtime"

	"golang.org/x/arch/arm64/arm64asm"
	"golang.org/x/arch/s390x/s390xasm"
	"golang.org/x/arch/x86/x86asm"

	"github.com/sframe-lint/sframe-lint/model"
)

// machine is what differs from one machine to the next, besides what package model has.
type machine struct {
	// decode decodes the instruction at the start of b.
	decode func(b []byte) insn
	// disassemble returns an instruction in words, "" for none.
	disassemble func(b []byte, pc uint64) string
	// entersHandler reports whether registers are those with which the kernel enters a
	// signal handler; prev are those before.
	entersHandler func(p *Process, r, prev *Regs) bool
	// isSigreturn reports whether a system call with these registers is rt_sigreturn.
	// next is the address after the instruction.
	isSigreturn func(p *Process, r *Regs, next uint64) bool
}

// maxSignal is the largest number of a signal.
const maxSignal = 64

var machines = map[elf.Machine]machine{
	elf.EM_X86_64: {
		decode: decodeX86,
		disassemble: func(b []byte, pc uint64) string {
			if i := decodeX86(b); i.len == 4 && b[0] == 0xf3 && b[1] == 0x0f && b[2] == 0x1e && b[3] == 0xfa {
				return "endbr64"
			}
			if x, err := x86asm.Decode(b, 64); err == nil && x.Op != 0 {
				return x86asm.GNUSyntax(x, pc, nil)
			}
			return ""
		},
		// rdi: signal, rsi: siginfo_t, rdx: ucontext_t
		entersHandler: func(_ *Process, r, _ *Regs) bool {
			v := &r.Value
			return v[5]-1 < maxSignal && v[1] == v[7]+8 && v[4] == v[7]+312
		},
		isSigreturn: func(_ *Process, r *Regs, _ uint64) bool { return r.Value[0] == 15 },
	},
	elf.EM_AARCH64: {
		decode: decodeAArch64,
		disassemble: func(b []byte, _ uint64) string {
			if x, err := arm64asm.Decode(b); err == nil {
				return arm64asm.GNUSyntax(x)
			}
			return ""
		},
		// x0: signal, x29: a frame record in the kernel's frame, after siginfo_t and ucontext_t
		entersHandler: func(_ *Process, r, prev *Regs) bool {
			v := &r.Value
			return v[0]-1 < maxSignal && v[29] > v[31] && v[29]-v[31] >= 128+176 && v[29]-v[31] < 1<<16 &&
				v[31]&15 == 0 && v[29] != prev.Value[29] && v[30] != prev.Value[30]
		},
		isSigreturn: func(_ *Process, r *Regs, _ uint64) bool { return r.Value[8] == 139 },
	},
	elf.EM_S390: {
		decode: decodeZ,
		disassemble: func(b []byte, pc uint64) string {
			if x, err := s390xasm.Decode(b); err == nil {
				return s390xasm.GNUSyntax(x, pc)
			}
			return ""
		},
		// r2: signal, r15: the frame, whose back chain is the SP that was interrupted
		entersHandler: func(p *Process, r, prev *Regs) bool {
			if r.Value[2]-1 >= maxSignal || r.Value[14] == prev.Value[14] || r.Value[15] >= prev.Value[15] {
				return false
			}
			w, err := p.word(r.Value[15])
			return err == nil && w == prev.Value[15]
		},
		// The number is in the instruction: 173 for rt_sigreturn and 119 for sigreturn.
		isSigreturn: func(p *Process, _ *Regs, next uint64) bool {
			var b [1]byte
			return p.space.Code(next-1, b[:]) == 1 && (b[0] == 173 || b[0] == 119)
		},
	},
}

// hostABI returns the ABI of programs of this machine.
func hostABI() model.ABIInfo {
	if runtime.GOARCH == "arm64" {
		return model.LookupMachine(elf.EM_AARCH64, false)
	}
	return model.LookupMachine(elf.EM_X86_64, false)
}
