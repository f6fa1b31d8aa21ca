// Package ehframe decodes DWARF call frame information: the sections
// .eh_frame, .eh_frame_hdr and .debug_frame of ELF64 files of the ABIs that
// SFrame has.
//
// [New] takes the bytes of a section, its address and, in a relocatable file,
// its relocations. [Load] finds all of that in an object of package reader.
// [Section.FDEs] yields the FDEs, and a [Runner] executes the program of one
// and returns its rows. [FDE.Recover] turns a row into the recovery rules of
// package model, with which SFrame FREs can be compared.
//
// Decoding is tolerant. It decodes as much as it can and reports what stops
// it as a [Fault] with the bytes to blame. No input makes the package panic or
// hang. Time and memory are proportional to the input's size: the package
// parses each CIE once and keeps it, decodes FDEs and rows on demand, and
// a [Runner] can be reused without allocation.
//
// Offsets and lengths are in bytes. Multi-byte fields have the byte order of
// the file.
package ehframe
