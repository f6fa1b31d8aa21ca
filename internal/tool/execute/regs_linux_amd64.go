package execute

import (
	"golang.org/x/sys/unix"
)

// A breakpoint is int3. The thread stops after it.
const trapSize, trapSkip = 1, 1

var trap = [trapSize]byte{0xcc}

// systemCallCode is the instruction syscall.
var systemCallCode = [2]byte{0x0f, 0x05}

type kernelRegs = unix.PtraceRegs

func readRegs(pid int, k *kernelRegs) error { return unix.PtraceGetRegs(pid, k) }

func writeRegs(pid int, k *kernelRegs) error { return unix.PtraceSetRegs(pid, k) }

func setPC(k *kernelRegs, pc uint64) { k.Rip = pc }

// fill copies the registers, by DWARF number.
func fill(r *Regs, k *kernelRegs) {
	r.Addr = k.Rip
	r.Known = 0xffff
	v := &r.Value
	v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7] = k.Rax, k.Rdx, k.Rcx, k.Rbx, k.Rsi, k.Rdi, k.Rbp, k.Rsp
	v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15] = k.R8, k.R9, k.R10, k.R11, k.R12, k.R13, k.R14, k.R15
}

// systemCall returns the number of the system call of a thread that stopped at one, and its
// third argument, which has the protection of a mapping.
func systemCall(k *kernelRegs) (number, prot uint64) { return k.Orig_rax, k.Rdx }

// callOf returns the same before a system call is executed.
func callOf(k *kernelRegs) (number, prot uint64) { return k.Rax, k.Rdx }
