package fuzz_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator"
)

// BenchmarkSection changes a small section again and again, as a fuzzer does.
func BenchmarkSection(b *testing.B) {
	c := generator.Default()
	c.Funcs = 2
	p, err := generator.Generate(c)
	require.NoError(b, err)
	data, err := generator.Encode(p)
	require.NoError(b, err)
	m := fuzz.New(1)
	b.ReportAllocs()
	for b.Loop() {
		m.Section(data, 4)
	}
}
