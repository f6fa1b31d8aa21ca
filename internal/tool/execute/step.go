package execute

import (
	"errors"

	"github.com/sframe-lint/sframe-lint/unwind"
)

// Step is the state of a thread before it executes an instruction.
type Step struct {
	Thread int // ID; an unknown ID starts a new thread
	// Parent is the thread from which a new thread copies its frames, as after fork and vfork. 0 means that the
	// thread has no callers.
	Parent int
	Regs   *Regs // valid during the call
	// Signal is a signal that was delivered just before this step, 0 for none. A source may always set 0, as the
	// checker also recognizes the kernel's frame.
	Signal int
	// Gap says that after its previous step the thread executed instructions that the checker has not seen.
	Gap bool
}

// Regs are the registers of a thread, by DWARF number. They implement [unwind.Registers].
type Regs struct {
	Addr  uint64 // PC: the address of the next instruction
	Value [32]uint64
	Known uint32 // a bit for each register with a known value
}

// PC returns the address of the next instruction.
func (r *Regs) PC() uint64 { return r.Addr }

// Register returns a register by its DWARF number. It reports false if the value is unknown.
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

// ErrUnknown is the error for memory that the program can read but the source cannot.
var ErrUnknown = errors.New("memory that is not known")

// Space is the address space of a process. A source gives it to the checker in addition to steps.
type Space interface {
	// ReadMemory reads memory at the current step. It returns an error if it cannot read a byte. Results that depend
	// on unknown bytes ([ErrUnknown]) are not checked.
	unwind.Memory
	// Code copies the instruction at pc, and the bytes after it, to b. It returns the number of bytes, 0 without
	// code. It hides breakpoints of the source.
	Code(pc uint64, b []byte) int
	// Image returns the file mapped at an address, or false if there is none.
	Image(pc uint64) (*Image, bool)
}

// Image is a file in the memory of a process.
type Image struct {
	*Module
	Start, End uint64 // the mapping of code that contains the address
}
