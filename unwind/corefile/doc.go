// Package corefile reads core dumps of Linux programs for package unwind: the
// registers of the threads, the memory, and the ELF files that were loaded.
//
// A core may be hostile. Counts are compared with the bytes that are left,
// memory is read where it is in the file, and what is read in all is bounded by
// the size of the file.
package corefile
