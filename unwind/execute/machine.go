package execute

import (
	"debug/elf"
	"runtime"

	"github.com/sframe-lint/sframe-lint/model"
)

// maxSignal is the largest number of a signal.
const maxSignal = 64

// handlers report whether registers are those with which the kernel enters a signal handler; prev are
// those before.
var handlers = map[elf.Machine]func(p *Process, r, prev *Regs) bool{
	// rdi: signal, rsi: siginfo_t, rdx: ucontext_t
	elf.EM_X86_64: func(_ *Process, r, _ *Regs) bool {
		v := &r.Value
		return v[5]-1 < maxSignal && v[1] == v[7]+8 && v[4] == v[7]+312
	},
	// x0: signal, x29: a frame record in the kernel's frame, after siginfo_t and ucontext_t
	elf.EM_AARCH64: func(_ *Process, r, prev *Regs) bool {
		v := &r.Value
		return v[0]-1 < maxSignal && v[29] > v[31] && v[29]-v[31] >= 128+176 && v[29]-v[31] < 1<<16 &&
			v[31]&15 == 0 && v[29] != prev.Value[29] && v[30] != prev.Value[30]
	},
	// r2: signal, r15: the frame, whose back chain is the SP that was interrupted
	elf.EM_S390: func(p *Process, r, prev *Regs) bool {
		if r.Value[2]-1 >= maxSignal || r.Value[14] == prev.Value[14] || r.Value[15] >= prev.Value[15] {
			return false
		}
		w, err := p.word(r.Value[15])
		return err == nil && w == prev.Value[15]
	},
}

// hostABI returns the ABI of programs of this machine.
func hostABI() model.ABIInfo {
	if runtime.GOARCH == "arm64" {
		return model.LookupMachine(elf.EM_AARCH64, false)
	}
	return model.LookupMachine(elf.EM_X86_64, false)
}
