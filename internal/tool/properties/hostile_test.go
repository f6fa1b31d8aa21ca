package properties

import (
	"hash/fnv"

	"github.com/sframe-lint/sframe-lint/fuzz"
)

// Hostile checks any input: that nothing panics, that findings are inside the
// input, and that its sections and files have the properties that damaged ones
// have as well. addr is the address of a raw section. Hostile never panics.
func (c *Checker) Hostile(input []byte, addr uint64) []Failure {
	h := fnv.New64a()
	h.Write(input)
	r := &run{Checker: c, m: fuzz.New(h.Sum64()), name: "hostile input"}
	r.guard(func() { r.hostile(input, addr, true) })
	return r.failures
}
