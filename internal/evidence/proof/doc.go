// Package proof follows the stack through machine code.
//
// For each instruction of a function it computes what the code itself proves: by how many bytes
// SP and FP differ from the CFA, where the return address and the caller's FP are, and whether
// the return address is signed. What cannot be proven is unknown and counted. So every
// contradiction between a [State] and a row of SFrame data or CFI is a fault of the code or the
// row.
//
// If the rows of a function are known, they are first checked as a certificate, in the pass that finds
// calls and jumps. A function whose rows are correct at each instruction is not tracked.
//
// The state is relative to SP at the first instruction (S0). The CFA there is found separately,
// as the anchor: a function that is called has the state of the ABI's entry, and a part of a
// function, such as foo.cold, that of the jump to it. Evidence for the anchor are calls and
// jumps to the function, symbols, and its returns, at which SP must have its value on entry.
//
// An [Advice] has the directives that make the rows of a function right, and a [Source] gets them.
//
// Offsets and addresses are in bytes. Words of instructions have the byte order of the ABI's
// instructions, which are little-endian on AArch64 even if the data are big-endian.
package proof
