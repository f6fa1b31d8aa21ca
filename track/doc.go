// Package track follows the stack through machine code.
//
// For each instruction of a function it computes what the code itself proves: by how many bytes
// SP and FP differ from the CFA, where the return address and the caller's FP are, and whether
// the return address is signed. What cannot be proven is unknown and counted, so that every
// contradiction between such a [State] and a row of SFrame data or CFI is a fault of one of the
// two.
//
// Where the rows of a function are known, they are first checked as a certificate, in the pass that finds
// calls and jumps. A function whose rows are true at each instruction is not tracked.
//
// The state is counted from SP at the first instruction (S0). What the CFA is there, is an own
// question, the anchor: a function that is called has the state of the ABI's entry, and a part
// of a function, such as foo.cold, that of the jump that leads there. Evidence for it are calls
// and jumps to the function, symbols, and its returns, at which SP must be what it was on entry.
//
// Offsets and addresses are in bytes. Words of instructions have the byte order of the ABI's
// instructions, which are little-endian on AArch64 whatever the data are.
package track
