package corefile

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Thread is a thread of the program, with its registers.
type Thread struct {
	ID int // of the thread
	Regs
}

// Regs are the registers of a thread, by DWARF number. They satisfy [unwind.Registers].
type Regs struct {
	Addr  uint64 // PC: the address of the next instruction
	Value [32]uint64
	Known uint32 // a bit for each register with a known value
}

// PC returns the address of the next instruction.
func (r *Regs) PC() uint64 { return r.Addr }

// Register returns a register by its DWARF number. It reports false for one that is not
// known.
func (r *Regs) Register(n uint32) (uint64, bool) {
	if n >= uint32(len(r.Value)) || r.Known>>n&1 == 0 {
		return 0, false
	}
	return r.Value[n], true
}

// Set sets a register, 0 <= n < 32.
func (r *Regs) Set(n uint32, v uint64) {
	r.Value[n] = v
	r.Known |= 1 << n
}

// threadBytes is about what a thread takes.
const threadBytes = 400

// layout says where Linux keeps registers of an ABI: in elf_prstatus, after its
// first 112 bytes, and in the frame of a signal handler, from SP in the
// trampoline. All are in bytes.
type layout struct {
	pc, size int
	regs     []int  // by DWARF number
	perf     string // their names in perf(1), in capitals, by DWARF number

	sigStart, sigSize int // of the bytes with the registers
	sigPC             int // from sigStart
	sigRegs           []int

	returns []trampoline // those of Linux
}

const prHeader = 112

// layouts has the layouts of the machines.
var layouts = map[elf.Machine]*layout{
	// rax rdx rcx rbx rsi rdi rbp rsp r8 ... r15, in user_regs_struct and in the
	// sigcontext, which is 40 bytes into the ucontext.
	elf.EM_X86_64: {
		pc: 128, size: 216,
		regs:     []int{80, 96, 88, 40, 104, 112, 32, 152, 72, 64, 56, 48, 24, 16, 8, 0},
		perf:     "AX DX CX BX SI DI BP SP R8 R9 R10 R11 R12 R13 R14 R15",
		sigStart: 40, sigSize: 136, sigPC: 128,
		sigRegs: []int{104, 96, 112, 88, 72, 64, 80, 120, 0, 8, 16, 24, 32, 40, 48, 56},
		// mov $15,%rax; syscall
		returns: []trampoline{{"__restore_rt", []byte{0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}, 7}},
	},
	// x0 ... x30 and SP. The ucontext follows 128 bytes of siginfo_t; the
	// sigcontext is 176 bytes into it, and the registers 8 bytes into that.
	elf.EM_AARCH64: {
		pc: 256, size: 272, regs: words(0, 32),
		perf: "X0 X1 X2 X3 X4 X5 X6 X7 X8 X9 X10 X11 X12 X13 X14 " +
			"X15 X16 X17 X18 X19 X20 X21 X22 X23 X24 X25 X26 X27 X28 X29 LR SP",
		sigStart: 312, sigSize: 264, sigPC: 256, sigRegs: words(0, 32),
		// mov x8,#139; svc #0, little-endian in all programs
		returns: []trampoline{{"__kernel_rt_sigreturn", []byte{0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4}, 4}},
	},
	// The PSW, whose second half is the PC, and r0 ... r15. The handler's frame
	// begins with 160 bytes for callees, 8 for an instruction, 128 of siginfo_t
	// and 40 of the ucontext.
	elf.EM_S390: {
		pc: 8, size: 216, regs: words(16, 16),
		perf: "R0 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 " +
			"FP0 FP2 FP4 FP6 FP1 FP3 FP5 FP7 FP8 FP10 FP12 FP14 FP9 FP11 FP13 FP15",
		sigStart: 344, sigSize: 136, sigPC: 0, sigRegs: words(8, 16),
		// svc 173; svc 119
		returns: []trampoline{{"__kernel_rt_sigreturn", []byte{0x0a, 0xad}, 0}, {"__kernel_sigreturn", []byte{0x0a, 0x77}, 0}},
	},
}

// words returns the offsets of n words of 8 bytes.
func words(at, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = at + 8*i
	}
	return out
}

// PerfNames returns what perf(1) calls the registers of an ABI, in capitals, by DWARF number; nil
// for an ABI whose registers are not read.
func PerfNames(abi model.ABIInfo) []string {
	if l := layouts[abi.Machine]; l != nil {
		return strings.Fields(l.perf)
	}
	return nil
}

// registers reads the registers of a layout.
func registers(b []byte, order binary.ByteOrder, pc int, at []int) *Regs {
	r := &Regs{Addr: order.Uint64(b[pc:])}
	for n, off := range at {
		r.Set(uint32(n), order.Uint64(b[off:]))
	}
	return r
}

// prstatus reads NT_PRSTATUS, the first note of each thread.
func (c *Core) prstatus(b []byte) error {
	l := layouts[c.ABI.Machine]
	if l == nil {
		return fmt.Errorf("the registers of %s are not read", c.ABI.Name)
	}
	if len(b) < prHeader+l.size {
		return fmt.Errorf("%d bytes, expected at least %d", len(b), prHeader+l.size)
	}
	if err := c.budget.Spend(budget.Memory, threadBytes); err != nil {
		return err
	}
	t := &Thread{int(int32(c.order.Uint32(b[32:]))), *registers(b[prHeader:], c.order, l.pc, l.regs)}
	if len(c.Threads) == 0 {
		c.Signal = int(int16(c.order.Uint16(b[12:])))
	}
	c.Threads = append(c.Threads, t)
	return nil
}

// s390xFPRs are the floating-point registers in the order of their DWARF numbers,
// from 16 on.
var s390xFPRs = [16]int{0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15}

// fpregset reads NT_FPREGSET of the last thread: functions of s390x save RA and FP
// in floating-point registers.
func (c *Core) fpregset(b []byte) error {
	if c.ABI.Machine != elf.EM_S390 || len(b) < 8+16*8 || len(c.Threads) == 0 {
		return nil
	}
	t := c.Threads[len(c.Threads)-1]
	for i, f := range s390xFPRs {
		t.Set(uint32(16+i), c.order.Uint64(b[8+8*f:]))
	}
	return nil
}

// Interrupted returns the registers that the kernel saved before it called a
// signal handler, given the frame of the trampoline that the handler returns to.
func (c *Core) Interrupted(f unwind.Frame) (unwind.Registers, bool) {
	return Interrupted(c.ABI, c, f.SP)
}

// Interrupted returns the registers that the kernel saved in memory before it called a
// signal handler, given SP in the trampoline that the handler returns to.
func Interrupted(abi model.ABIInfo, mem unwind.Memory, sp uint64) (*Regs, bool) {
	l := layouts[abi.Machine]
	if l == nil {
		return nil, false
	}
	var order binary.ByteOrder = binary.LittleEndian
	if abi.Big {
		order = binary.BigEndian
	}
	if abi.Machine == elf.EM_S390 && plainSignal(mem, order, sp) {
		sp -= s390xPlain
	}
	b := make([]byte, l.sigSize)
	if mem.ReadMemory(sp+uint64(l.sigStart), b) != nil {
		return nil, false
	}
	return registers(b, order, l.sigPC, l.sigRegs), true
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
