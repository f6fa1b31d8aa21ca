// Package testkit has what tests of any floor use: what code takes from the heap, texts that a terminal would obey, programs of this
// module, the parts of a section, and large sections for benchmarks. It imports only the model.
package testkit

import "runtime/metrics"

// Bytes returns the bytes that f takes from the heap, those that it gives back
// included. What other goroutines take counts as well.
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
