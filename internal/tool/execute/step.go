package execute

import (
	"errors"

	"github.com/sframe-lint/sframe-lint/unwind"
)

// Step is the state of a thread before it executes an instruction.
type Step struct {
	Thread int // ID; it is new to the checker if the thread is
	// Parent is the thread whose copy a new thread begins with: after fork and vfork,
	// the child has the frames of its parent. 0: the thread has no callers.
	Parent int
	Regs   *Regs // valid during the call
	// Signal is a signal that was delivered just before this step, 0 for none. A source
	// that cannot tell leaves it 0: the checker also recognizes the kernel's frame.
	Signal int
	// Gap says that the thread executed instructions after its previous step that were
	// not passed to the checker.
	Gap bool
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

// ErrUnknown is the error for memory that the program can read and whose contents the source
// does not have.
var ErrUnknown = errors.New("memory that is not known")

// Space is the address space of a process, which a source gives the checker in addition to steps.
type Space interface {
	// ReadMemory reads memory as it is at the current step. It is an error if a byte
	// cannot be read. Results that depend on unknown bytes, [ErrUnknown], are not checked.
	unwind.Memory
	// Code copies the bytes of the instruction at pc, and what follows it, to b. It
	// returns the number of bytes, 0 if there is no code. Breakpoints of the source do
	// not show.
	Code(pc uint64, b []byte) int
	// Image returns the file that is mapped at an address, and false if there is none.
	Image(pc uint64) (*Image, bool)
}

// Image is a file in the memory of a process.
type Image struct {
	*Module
	Start, End uint64 // the mapping of code that contains the address
}
