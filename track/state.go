package track

import "github.com/sframe-lint/sframe-lint/track/internal/insn"

// Base is what a value counts from.
type Base uint8

// Bases.
const (
	// Unknown: the value may be anything.
	Unknown Base = iota
	// Other: a value that does not come from a saved register: a result, a constant, a word
	// of the heap, or of a stack slot that nothing has been stored to.
	Other
	// CFA: the CFA plus Off. While a function is tracked, SP on entry stands for it.
	CFA
	// Entry: what register Reg had on entry, plus Off. That of the register of RA is the
	// return address.
	Entry
	// Aligned: SP as the instruction at At rounded it down, plus Off.
	Aligned
)

// Value is what a register or a word of the stack has.
type Value struct {
	Base   Base
	Reg    insn.Reg // Entry
	Signed bool     // a return address with a pointer authentication code (AArch64)
	KeyB   bool     // of key B
	At     uint32   // Aligned: offset of the instruction in the function
	Off    int64    // bytes
}
