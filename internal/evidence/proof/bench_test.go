package proof

import (
	"bytes"
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// BenchmarkTrack tracks a text of many functions, by one and by two goroutines, and, to compare,
// decodes the same text without following it.
func BenchmarkTrack(b *testing.B) {
	const copies = 4000
	f, err := elf.Open("testdata/amd64.o")
	require.NoError(b, err)
	defer f.Close()
	text, err := f.Section(".text").Data()
	require.NoError(b, err)
	symbols, err := f.Symbols()
	require.NoError(b, err)
	code := bytes.Repeat(text, copies)
	var ranges []Range
	for n := range uint64(copies) {
		at := codeAt + n*uint64(len(text))
		for _, y := range symbols {
			if elf.ST_TYPE(y.Info) == elf.STT_FUNC && f.Sections[y.Section].Name == ".text" {
				ranges = append(ranges, Range{Start: at + y.Value, End: at + y.Value + y.Size})
			}
		}
	}
	abi := model.LookupABI(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE)
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(code)))
		var d insn.Insn
		for b.Loop() {
			for off := 0; off < len(code); off += int(d.Len) {
				insn.AMD64(code[off:], uint64(off), &d)
			}
		}
	})
	for name, workers := range map[string]int{"one": 1, "two": 2} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(code)))
			for b.Loop() {
				scanProgram(b, abi, code, nil, func(o *reader.Object) {
					t, err := New(o, ranges, nil, nil)
					require.NoError(b, err)
					require.NoError(b, t.Run(workers, nil))
				})
			}
		})
	}
}
