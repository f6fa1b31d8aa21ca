// Package proof follows the stack through machine code.
//
// For each instruction it computes what the code proves: the offsets of SP and FP from the CFA, the places of RA and
// of the caller's FP, and whether RA is signed. What cannot be proved is unknown, and is counted. A contradiction
// between a [State] and a row of SFrame data or CFI is therefore an error in the code or in the row. [Of] collects
// the contradictions, with the instructions that prove them. An [Advice] has directives that correct the rows, and a
// [Source] applies them.
//
// Known rows are first checked as a certificate, in the pass that finds calls and jumps. The package does not track
// functions whose rows are right at each instruction.
//
// A state is relative to SP at the first instruction. The CFA there is the anchor, which is found separately. A
// called function starts with the ABI's state on entry. A part of a function, such as foo.cold, starts with the state
// of the jump to it. Evidence for the anchor comes from calls, jumps, symbols, and returns, at which SP must have its
// value on entry.
//
// Offsets and addresses are in bytes. Words of instructions have the byte order of the ABI's instructions, which is
// little-endian on AArch64 even if the data is big-endian.
package proof
