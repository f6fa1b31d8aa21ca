// Package alloc measures what code takes from the heap, for tests that bound it.
package alloc

import "runtime/metrics"

// Bytes returns the bytes that f takes from the heap, those that it gives back
// included. What other goroutines take counts as well.
func Bytes(f func()) uint64 {
	before := total()
	f()
	return total() - before
}

func total() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
