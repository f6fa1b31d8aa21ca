// Package corefile reads core dumps of Linux programs for package unwind: the
// registers of the threads, the memory, and the ELF files that were loaded.
//
// A core may be hostile. Counts are compared with the remaining bytes, memory
// is read on demand, and the total of the bytes read is limited by the size of
// the file.
package corefile
