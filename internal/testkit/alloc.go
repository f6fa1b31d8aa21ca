// Package testkit has helpers for tests of all packages. It measures heap allocation, finds text that a terminal
// would obey, builds programs of this module, divides a section into parts, and makes large sections for benchmarks.
// It imports only model.
package testkit

import "runtime/metrics"

// Allocated returns the number of bytes that f allocates on the heap, including bytes that are freed again. It also
// counts allocations of other goroutines.
func Allocated(f func()) uint64 {
	before := allocated()
	f()
	return allocated() - before
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
