package dump_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/reader"
)

// BenchmarkDump dumps a section of 80,000 FREs.
func BenchmarkDump(b *testing.B) {
	o, s := rawSection("raw", testkit.ShapeSection(testkit.Plain, 20000), 0)
	require.Empty(b, s.Faults)
	for name, write := range map[string]func(io.Writer, *reader.Object, *reader.SFrame) error{
		"text": func(w io.Writer, o *reader.Object, s *reader.SFrame) error {
			return dump.Full(w, o, s, dump.Selection{})
		},
		"objdump": dump.Objdump,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, write(io.Discard, o, s))
			}
		})
	}
}
