package reader

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDynamicSymbols: without section headers, a library's symbols are those of its .dynsym.
func TestDynamicSymbols(t *testing.T) {
	files := must.Get(filepath.Glob("../corpus/files/binutils-2.47/*/libprovider.so"))(t)
	files = append(files, "../corpus/files/mold-3/libprovider.so")
	for _, file := range files {
		b := must.Get(os.ReadFile(file))(t)
		f := must.Get(elf.NewFile(bytes.NewReader(b)))(t)
		want := must.Get(f.DynamicSymbols())(t)
		require.NotEmpty(t, want, file)
		clear(b[0x28:0x30]) // e_shoff
		clear(b[0x3c:0x40]) // e_shnum, e_shstrndx
		table := scanOne(t, b).ELF.Symbols
		for i, y := range want {
			s, ok := table.Symbol(i + 1)
			require.True(t, ok, "%s: %s", file, y.Name)
			assert.Equal(t, y.Name, s.Name, file)
			assert.Equal(t, y.Value, s.Value, file)
		}
		assert.Equal(t, len(want)+1, table.Len(), file)
	}
}
