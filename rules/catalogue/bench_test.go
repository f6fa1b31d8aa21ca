package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// large returns a section of many functions.
func large(b *testing.B) ([]byte, uint64) {
	cfg := generator.Default()
	cfg.Funcs, cfg.Seed = 20000, 1
	plan, err := generator.Generate(cfg)
	require.NoError(b, err)
	data, err := generator.Encode(plan)
	require.NoError(b, err)
	return data, plan.Addr
}

// BenchmarkDecode decodes a section, BenchmarkDecodeAndRules runs all rules
// over it besides: in one run, the second should cost little more.
func BenchmarkDecode(b *testing.B) { bench(b, nil) }

func BenchmarkDecodeAndRules(b *testing.B) { bench(b, &rules.Driver{Rules: catalogue.Default()}) }

func bench(b *testing.B, d *rules.Driver) {
	data, addr := large(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		s := reader.DecodeSFrame(data, reader.SectionOptions{Addr: addr})
		if s.Section == nil || len(s.Faults) > 0 {
			b.Fatal(s.Faults)
		}
		if d != nil {
			o := &reader.Object{Size: int64(len(data)), Status: reader.StatusOK, SFrames: []*reader.SFrame{s}}
			if res := d.Run(o); len(res.Findings)+len(res.Failures) > 0 {
				b.Fatal(res.Findings)
			}
		}
	}
}
