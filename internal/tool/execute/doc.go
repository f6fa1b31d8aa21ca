// Package execute checks SFrame data by execution. A source executes a program one instruction at a
// time and passes each [Step] to a [Checker], which follows the calls and returns in shadow stacks.
// The shadow stacks have the true CFA, RA and FP of the caller at each step, without any unwinding
// information. The checker recovers the caller using only SFrame data, by the cursor of package
// unwind, and compares it with the true one.
//
// The source decides where steps come from: [Start] traces a process by ptrace (Linux,
// AMD64 and AArch64). Logs of an emulator are another source. The files that are in the memory of the program are read for their
// SFrame data, call frame information and symbols; core dumps are not.
package execute
