package generator_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
)

// drawn are sections of many configurations.
func drawn(b *testing.B) (plans []*generator.Plan) {
	b.Helper()
	rnd := rand.New(rand.NewPCG(21, 22))
	for range 500 {
		p, err := generator.Generate(generator.Swarm(rnd))
		require.NoError(b, err)
		plans = append(plans, p)
	}
	return plans
}

func BenchmarkGenerate(b *testing.B) {
	rnd := rand.New(rand.NewPCG(21, 22))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := generator.Generate(generator.Swarm(rnd)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	plans, n := drawn(b), 0
	b.ReportAllocs()
	for b.Loop() {
		if _, err := generator.Encode(plans[n%len(plans)]); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

// BenchmarkRoundTrip decodes, describes and encodes.
func BenchmarkRoundTrip(b *testing.B) {
	var all [][]byte
	for _, p := range drawn(b) {
		data, err := generator.Encode(p)
		require.NoError(b, err)
		all = append(all, data)
	}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		s, _ := reader.DecodeSection(all[n%len(all)], reader.SectionOptions{})
		if _, err := encodeModel(s); err != nil {
			b.Fatal(err)
		}
		n++
	}
}
