package execute

import (
	"debug/elf"
	"encoding/binary"
	"runtime"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// maxSignal is the largest number of a signal.
const maxSignal = 64

// machine is what is known of Linux and qemu on a machine.
type machine struct {
	// entersHandler reports whether r has the values with which the kernel enters a signal handler. The values of
	// the step before are in prev.
	entersHandler func(p *Process, r, prev *Regs) bool
	cpu           cpu
	frame         layout
}

// machines has those on which programs can be followed.
var machines = map[elf.Machine]*machine{
	elf.EM_X86_64: {
		// rdi: signal, rsi: siginfo_t, rdx: ucontext_t
		func(_ *Process, r, _ *Regs) bool {
			v := &r.Value
			return v[5]-1 < maxSignal && v[1] == v[7]+8 && v[4] == v[7]+312
		},
		cpu{0, 128, 128, []int{0, 16, 8, 24, 48, 56, 40, 32, 64, 72, 80, 88, 96, 104, 112, 120}},
		// The sigcontext is 40 bytes into the ucontext.
		layout{40, 136, 128, []int{104, 96, 112, 88, 72, 64, 80, 120, 0, 8, 16, 24, 32, 40, 48, 56}},
	},
	elf.EM_AARCH64: {
		// x0: signal, x29: a frame record in the kernel's frame, after siginfo_t and ucontext_t
		func(_ *Process, r, prev *Regs) bool {
			v := &r.Value
			return v[0]-1 < maxSignal && v[29] > v[31] && v[29]-v[31] >= 128+176 && v[29]-v[31] < 1<<16 &&
				v[31]&15 == 0 && v[29] != prev.Value[29] && v[30] != prev.Value[30]
		},
		cpu{64, 256, 256, sequence(64, 8, 32)},
		// x0 ... x30 and SP. The ucontext follows 128 bytes of siginfo_t; the
		// sigcontext is 176 bytes into it, and the registers 8 bytes into that.
		layout{312, 264, 256, sequence(0, 8, 32)},
	},
	elf.EM_S390: {
		// r2: signal, r15: the frame, whose back chain is the SP that was interrupted
		func(p *Process, r, prev *Regs) bool {
			if r.Value[2]-1 >= maxSignal || r.Value[14] == prev.Value[14] || r.Value[15] >= prev.Value[15] {
				return false
			}
			w, err := p.word(r.Value[15])
			return err == nil && w == prev.Value[15]
		},
		cpu{0, 128, 384, append(sequence(0, 8, 16), s390xFPRs()...)},
		// The PSW, whose second half is the PC, and r0 ... r15. The handler's frame
		// begins with 160 bytes for callees, 8 for an instruction, 128 of siginfo_t
		// and 40 of the ucontext.
		layout{344, 136, 0, sequence(8, 8, 16)},
	},
}

// hostABI returns the ABI of programs of this machine.
func hostABI() model.ABIInfo {
	if runtime.GOARCH == "arm64" {
		return model.LookupMachine(elf.EM_AARCH64, false)
	}
	return model.LookupMachine(elf.EM_X86_64, false)
}

// cpu says where qemu has the registers of a machine in the state of a CPU.
type cpu struct {
	from, kept, all int   // the bytes with registers, and how many of them are those without FPRs
	regs            []int // by DWARF number
}

// sequence returns n numbers.
func sequence(from, step, n int) (all []int) {
	for i := range n {
		all = append(all, from+i*step)
	}
	return all
}

// s390xFPRs returns where f0 to f15 are, the high halves of the first vector registers, by DWARF number.
func s390xFPRs() []int {
	all := make([]int, 16)
	for f, n := range [16]int{16, 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31} {
		all[n-16] = 128 + 16*f
	}
	return all
}

// executes reports whether an instruction executes another one in its place: ex and exrl.
func executes(machine elf.Machine, code []byte) bool {
	return machine == elf.EM_S390 && (code[0] == 0x44 || code[0] == 0xc6 && code[1]&15 == 0)
}

// layout says where Linux keeps registers of an ABI in the frame of a signal handler, from SP in the
// trampoline. All are in bytes.
type layout struct {
	start, size int   // of the bytes with the registers
	pc          int   // from start
	regs        []int // by DWARF number
}

// interrupted returns the registers that the kernel saved in memory before it called a
// signal handler, given SP in the trampoline that the handler returns to.
func interrupted(abi model.ABIInfo, mem unwind.Memory, sp uint64) (*Regs, bool) {
	m := machines[abi.Machine]
	if m == nil {
		return nil, false
	}
	l := &m.frame
	order := number.Order(abi.Big)
	if abi.Machine == elf.EM_S390 && plainSignal(mem, order, sp) {
		sp -= s390xPlain
	}
	b := make([]byte, l.size)
	if mem.ReadMemory(sp+uint64(l.start), b) != nil {
		return nil, false
	}
	r := &Regs{Addr: order.Uint64(b[l.pc:])}
	for n, off := range l.regs {
		r.Set(uint32(n), order.Uint64(b[off:]))
	}
	return r, true
}

// s390xPlain is the distance in bytes by which the registers are nearer to SP in the frame
// of a handler without SA_SIGINFO, on s390x.
const s390xPlain = 160

// plainSignal reports whether the frame at sp is that of such a handler. It has a
// pointer to the registers, just before them.
func plainSignal(mem unwind.Memory, order binary.ByteOrder, sp uint64) bool {
	var b [8]byte
	return mem.ReadMemory(sp+168, b[:]) == nil && order.Uint64(b[:]) == sp+176
}
