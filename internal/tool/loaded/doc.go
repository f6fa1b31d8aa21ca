// Package loaded reads the ELF files that are in the memory of a running program, for checks by execution: their
// SFrame data, call frame information and symbols.
//
// It does not read core dumps, and does not unwind.
package loaded
