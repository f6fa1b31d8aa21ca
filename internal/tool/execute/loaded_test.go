package execute

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

func TestReadRegions(t *testing.T) {
	all, err := ReadRegions(strings.NewReader("400000-402000 r-xp 00001000 08:01 17 /opt/a b\nbad\n7f00-7f10 rw-p 00000000 00:00 0\n"))
	require.NoError(t, err)
	assert.Equal(t, []Region{
		{Mapping{0x400000, 0x402000, 0x1000, "/opt/a b"}, "r-xp"}, {Mapping{Start: 0x7f00, End: 0x7f10}, "rw-p"},
	}, all)
}

// TestFile reads a program with all that a check by execution asks for.
func TestFile(t *testing.T) {
	path := filepath.Join("..", "execute", "testdata", "progs", "sid-x86_64-signal", "prog")
	f := OpenFile(path, reader.Options{})
	require.NoError(t, f.Err)
	require.Len(t, f.Sections, 1)
	m := &Mapping{Start: 0x10000, End: 0x11000}
	x := &Module{Name: "prog", Bias: f.Bias(m, 4096), File: f}
	assert.Equal(t, uint64(0x10000), x.Bias+0x400000)
	name, off, ok := x.Symbol(x.Bias + 0x400191)
	assert.Equal(t, []any{"fault", uint64(1), true}, []any{name, off, ok})
	assert.True(t, x.StartsCFI(x.Bias+0x400190))
	assert.False(t, x.StartsCFI(x.Bias+0x400191))
	for range 2 { // the second time, from what was kept
		r, ok := x.CFI(x.Bias + 0x400190)
		require.True(t, ok)
		assert.Equal(t, model.Recovery{Kind: model.InRegister, Reg: 7, Offset: 8}, r.CFA)
	}
	_, ok = x.CFI(x.Bias)
	assert.False(t, ok)
	image, err := os.ReadFile(path)
	require.NoError(t, err)
	same := OpenImage("[vdso]", strings.NewReader(string(image)), int64(len(image)), reader.Options{})
	assert.Equal(t, f.BuildID(), same.BuildID())
	assert.ErrorIs(t, OpenFile("loaded_test.go", reader.Options{}).Err, errNotELF)
}
