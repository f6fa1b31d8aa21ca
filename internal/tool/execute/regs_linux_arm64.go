package execute

import (
	"debug/elf"

	"golang.org/x/sys/unix"
)

// A breakpoint is "brk #0". The thread stops at it.
const trapSize, trapSkip = 4, 0

var trap = [trapSize]byte{0x00, 0x00, 0x20, 0xd4}

// systemCallCode is the instruction "svc #0".
var systemCallCode = [4]byte{0x01, 0x00, 0x00, 0xd4}

type kernelRegs = unix.PtraceRegsArm64

func readRegs(pid int, k *kernelRegs) error {
	return unix.PtraceGetRegSetArm64(pid, int(elf.NT_PRSTATUS), k)
}

func writeRegs(pid int, k *kernelRegs) error {
	return unix.PtraceSetRegSetArm64(pid, int(elf.NT_PRSTATUS), k)
}

func setPC(k *kernelRegs, pc uint64) { k.Pc = pc }

// fill copies the registers, by DWARF number.
func fill(r *Regs, k *kernelRegs) {
	r.Addr = k.Pc
	r.Known = ^uint32(0)
	copy(r.Value[:31], k.Regs[:])
	r.Value[31] = k.Sp
}

// systemCall returns the number of the system call of a thread that stopped at one, and its
// third argument, which has the protection of a mapping.
func systemCall(k *kernelRegs) (number, prot uint64) { return k.Regs[8], k.Regs[2] }

// callOf returns the same before a system call is executed.
func callOf(k *kernelRegs) (number, prot uint64) { return systemCall(k) }
