// Package profile reads the stacks that profilers print: the text of perf script, with the
// registers, stacks and mappings of `perf script -D` or of its --show-mmap-events, and the stacks
// of bpftrace.
//
// The text may be hostile. It is read once, line by line, and a sample holds no more than its
// lines do.
package profile
