// Package build makes the cases of the conformance suite, from the corpus' hand-made
// sections, the breaks and the generator.
package conformance_test

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/model"
)

// found is the answer to a look-up, in the order and with the names of the protocol.
type found struct {
	Function *string          `json:"function"`
	Row      *conformance.Row `json:"row"`
}

// lookUp returns what a look-up of a PC finds.
func lookUp(s *model.Section, pc uint64) found {
	var out found
	if f, ok := s.Find(pc); ok {
		start := fmt.Sprintf("0x%x", f.Start())
		out.Function = &start
	}
	if _, r, ok := s.At(pc); ok {
		d := conformance.DescribeRow(r)
		out.Row = &d
	}
	return out
}
