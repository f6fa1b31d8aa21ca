// Package unwind steps from a frame of a stack to its callers, using only SFrame data. It follows the appendix
// "Generating Stack Traces using SFrame" of the manual.
//
// A [Cursor] has the state of one frame: PC, SP, FP, and the places where younger frames saved registers.
// [Cursor.Step] replaces it by the state of the caller. [Memory], [Registers] and [Modules] give access to the traced
// program: a core dump, a live process or a test.
//
// The cursor trusts none of its inputs. A trace ends for any stack and any section, with a [Stop] that gives the
// reason.
package unwind
