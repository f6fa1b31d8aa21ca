// Package execute checks SFrame data by execution. A source executes a program one instruction at a time and passes
// each [Step] to a [Checker]. It follows calls and returns in shadow stacks, which give the true CFA, RA and FP of
// the caller without any unwinding information.
//
// The checker recovers the caller from SFrame data by the cursor of package unwind, and compares it with the true
// one.
//
// [Start] traces a process by ptrace (Linux, AMD64 and AArch64). Logs of an emulator are another source. The files in
// the memory of the program are read for their SFrame data, call frame information and symbols; core dumps are not
// read.
package execute
