package shrink_test

import (
	"bytes"
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestAround: the reader finds the section, and each start in an object file has its relocation.
func TestAround(t *testing.T) {
	for _, abi := range model.ABIs() {
		for _, typ := range []elf.Type{elf.ET_REL, elf.ET_EXEC} {
			c := generator.Default()
			c.ABI, c.Version = abi.ID, model.SFRAME_VERSION_3
			p, err := generator.Generate(c)
			require.NoError(t, err)
			data, err := generator.Encode(p)
			require.NoError(t, err)
			s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: p.Addr})
			b := shrink.Around(abi, typ, data, p.Addr, s)
			assert.Less(t, len(b), len(data)+256*3+24*len(p.Funcs)+map[elf.Type]int{elf.ET_REL: 1 << 16}[typ])
			var all []*reader.Object
			require.NoError(t, reader.ScanReader("f", bytes.NewReader(b), int64(len(b)), reader.Options{}, func(o *reader.Object) error {
				all = append(all, o)
				return nil
			}))
			require.Len(t, all, 1)
			require.Len(t, all[0].SFrames, 1)
			assert.Empty(t, all[0].Faults)
			f := all[0].SFrames[0]
			assert.Equal(t, data, f.Data)
			assert.Empty(t, f.Faults)
			for i := range f.Section.NumFDEs() {
				assert.True(t, f.Section.FDE(i).Resolved())
				if typ == elf.ET_EXEC {
					assert.Equal(t, p.Funcs[i].Start, f.Section.FDE(i).Start())
				}
			}
		}
	}
}
