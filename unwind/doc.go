// Package unwind steps from a frame of a stack to its callers by SFrame data
// alone, as the appendix "Generating Stack Traces using SFrame" of the manual
// describes it.
//
// A [Cursor] has the state of one frame: PC, SP, FP, and where younger frames
// saved registers. [Cursor.Step] replaces it by the state of the caller.
// [Memory], [Registers] and [Modules] give it what a traced program is made of;
// nothing else of the program is needed, so that a core dump, a live process
// and a test look alike.
//
// The cursor trusts none of its inputs. A trace ends with a [Stop], which gives
// the reason; no stack and no section make it run for ever.
package unwind
