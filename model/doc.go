// Package model represents the contents of an SFrame section, independent of
// its version on disk: a [Section] of function descriptor entries ([FDE]) and
// frame row entries ([FRE]), the recovery rules that an FRE encodes ([Row]),
// and the bytes that each of them occupies ([Span]).
//
// A Section is immutable and safe for concurrent use, as are FDE and FRE,
// which are small handles into it and cost no allocation. Every slice that a
// method or a function returns is a copy, and the facts of versions and ABIs
// ([VersionInfo], [ABIInfo]) are values: no caller can change what a later
// call returns. The one exception is the data that [New] is given: the
// Section keeps it, and it must not change.
//
// All offsets and sizes are in bytes; offsets count from the first byte of
// the section unless a method says otherwise. A Section may represent damaged
// bytes: the claimed counts and the decoded ones are kept apart, and nothing
// here assumes that a value is valid.
//
// The package imports no other package of this module. Package reader makes
// Sections.
package model
