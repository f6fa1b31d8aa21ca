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

// parseDump reads the text that qemu writes of the registers before an instruction. It
// reports false if it is something else.
//
//	 PC=0000000000400160 X00=0000000000000000 X01=...                    AArch64
//	PSW=mask 0000000180000000 addr 0000000001000158 cc 00                s390x
//	R00=0000000000000000 ...
//	V00=00000000000000000000000000000000 ...                             high half: f0
func parseDump(text []byte, r *Regs) bool {
	*r = Regs{}
	const psw, addr = "PSW=mask ", len("PSW=mask 0000000180000000 addr ")
	switch {
	case len(text) >= addr+16 && string(text[:len(psw)]) == psw:
		r.Addr = number(text[addr : addr+16])
		text = text[addr+16:]
	case len(text) < 4 || string(text[:4]) != " PC=":
		return false
	}
	for i := 3; i+17 <= len(text); i++ {
		if text[i] != '=' {
			continue
		}
		name := text[i-3 : i]
		n, ok := uint32(name[1]-'0')*10+uint32(name[2]-'0'), true
		switch {
		case name[0] == 'X', name[0] == 'R':
		case (name[0] == 'V' || name[0] == 'F') && n < 16:
			n = s390xFPR[n]
		case string(name) == " SP":
			n = 31
		case string(name) == " PC":
			r.Addr = number(text[i+1 : i+17])
			ok = false
		default:
			ok = false
		}
		if ok && n < uint32(len(r.Value)) {
			r.Set(n, number(text[i+1:i+17]))
		}
		i += 16
	}
	return true
}

// s390xFPR are the DWARF numbers of f0 to f15.
var s390xFPR = [16]uint32{16, 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31}

// number returns the number that the digits begin with, 0 for none.
func number(b []byte) (v uint64) {
	for _, c := range b {
		switch {
		case '0' <= c && c <= '9':
			v = v<<4 | uint64(c-'0')
		case 'a' <= c && c <= 'f':
			v = v<<4 | uint64(c-'a'+10)
		default:
			return v
		}
	}
	return v
}
