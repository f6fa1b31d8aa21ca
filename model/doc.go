// Package model holds what an SFrame section says, independent of its version
// on disk: a [Section] of function descriptor entries ([FDE]) and frame row
// entries ([FRE]), the recovery rules that a row stands for ([Row]), and the
// bytes that each of them occupies ([Span]).
//
// A Section is immutable once built and safe for concurrent use. It is kept
// in a few flat slices; FDE and FRE are small handles into them and cost no
// allocation. All offsets and sizes are in bytes; offsets count from the
// first byte of the section unless a method says otherwise.
//
// A Section may stand for damaged bytes: the claimed counts and the decoded
// ones are kept apart, and nothing here assumes that a value is valid.
package model
