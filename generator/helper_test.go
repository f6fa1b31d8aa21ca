package generator_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/gen"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

var (
	cases = flag.Int("cases", 10000, "cases to try of each property")
	seed  = flag.Int64("seed", 1, "what the cases are drawn from; 0: the time")
)

// holds tries a property of sections, which returns what is wrong, "" for
// nothing. A counterexample is reported as small as gopter shrinks it.
func holds(t *testing.T, property func(*generator.Plan) string) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(*seed)
	if *seed == 0 {
		params = gopter.DefaultTestParameters()
	}
	params.MinSuccessfulTests = *cases
	params.MaxShrinkCount = 100000
	all := gopter.NewProperties(params)
	all.Property(t.Name(), prop.ForAll(property, gen.Plans()))
	all.TestingRun(t)
}

// decode reads a plan's bytes, which must have no faults.
func decode(p *generator.Plan, b []byte) (*model.Section, string) {
	f, wrong := decodeSFrame(p, b)
	return f.Section, wrong
}

func decodeSFrame(p *generator.Plan, b []byte) (*reader.SFrame, string) {
	f := reader.DecodeSFrame(b, reader.SectionOptions{Addr: p.Addr})
	if f.Section == nil || len(f.Faults) > 0 {
		return f, fmt.Sprintf("faults: %v", f.Faults)
	}
	return f, ""
}

// encoded is the section of a plan.
func encoded(p *generator.Plan) (b []byte, s *model.Section, wrong string) {
	b, err := generator.Encode(p)
	if err != nil {
		return nil, nil, err.Error()
	}
	s, wrong = decode(p, b)
	return b, s, wrong
}

// encodeModel encodes a decoded section again.
func encodeModel(s *model.Section) ([]byte, error) {
	p, err := generator.FromModel(s)
	if err != nil {
		return nil, err
	}
	return generator.Encode(p)
}
