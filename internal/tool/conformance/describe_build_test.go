// Package build makes the cases of the conformance suite, from the corpus' hand-made
// sections, the breaks and the generator.
package conformance_test

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/model"
)

// section and found are the answers that are expected, in the order and with the names of the protocol.
type section struct {
	Version   int                    `json:"version"`
	ABI       string                 `json:"abi"`
	Flags     int                    `json:"flags"`
	FixedFP   int                    `json:"fixed_fp"`
	FixedRA   int                    `json:"fixed_ra"`
	Functions []conformance.Function `json:"functions"`
}

type found struct {
	Function *string          `json:"function"`
	Row      *conformance.Row `json:"row"`
}

// describe returns the content of a section.
func describe(s *model.Section) section {
	h := s.Header()
	out := section{
		Version: int(h.Version), ABI: generator.LookupKnob("abi").Format(int64(h.ABI)), Flags: int(h.Flags),
		FixedFP: int(h.FixedFPOffset), FixedRA: int(h.FixedRAOffset), Functions: []conformance.Function{},
	}
	for f := range s.FDEs() {
		out.Functions = append(out.Functions, conformance.Describe(f))
	}
	return out
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
