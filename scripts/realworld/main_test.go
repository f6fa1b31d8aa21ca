package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTable counts the findings of files of the corpus, as if build had made them.
func TestTable(t *testing.T) {
	dir := t.TempDir()
	lines := ""
	for _, f := range []struct{ from, as, rest string }{
		{"cfi/gas-2.47/cfa-offset-register.o", "amd64/one/O2/gas-2.47.1/lib/a.o", "gas\t2.47.1\tamd64\t-O2\tobject"},
		{"cfi/gas-2.47/undefined-offset.o", "amd64/one/O2/gas-2.47.1/lib/b.o", "gas\t2.47.1\tamd64\t-O2\tobject"},
		{"binutils-2.47/amd64/static.elf", "amd64/one/O2/ld-2.47.1/a", "ld\t2.47.1\tamd64\t-O2\texec"},
	} {
		data, err := os.ReadFile(filepath.Join("../../corpus/files", f.from))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, f.as)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.as), data, 0o666))
		lines += f.as + "\t" + f.rest + "\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "list.tsv"), []byte(lines), 0o666))

	var got bytes.Buffer
	require.NoError(t, run(&got, []string{dir}))
	assert.Equal(t, `2 objects, 0 of `+"`ld -r`"+`, 1 linked files, 0 archives.

## By producer

Findings in 100 files:

| ABI | kind | producer | files | errors | warnings | notes |
|---|---|---|---|---|---|---|
| amd64 | object | gas 2.47 | 2 | 100 | 50 |  |
| amd64 | linked | ld 2.47 | 1 |  | 100 | 100 |

## By rule

Findings in 100 files:

| rule | severity | gas 2.47 | ld 2.47 |
|---|---|---|---|
| SF6007 | error | 50 |  |
| SF6011 | error | 50 |  |
| SF3105 | warning | 50 |  |
| SF5010 | warning |  | 100 |
| SF6014 | note |  | 100 |

## By name

Functions with errors and warnings of the families SF3 and SF6:

| rule | package | ABI | functions | producers |
|---|---|---|---|---|
| SF3105 | one | amd64 | `+"`f`"+` | gas 2.47 |
| SF6007 | one | amd64 | `+"`f`"+` | gas 2.47 |
| SF6011 | one | amd64 | `+"`f`"+` | gas 2.47 |
`, got.String())
}

func TestRate(t *testing.T) {
	for _, x := range []struct {
		n, files int
		want     string
	}{{0, 10, ""}, {1, 2000, "< 0.1"}, {1, 300, "0.3"}, {1, 10, "10"}, {10, 1, "1000"}} {
		assert.Equal(t, x.want, rate(x.n, x.files), "%d in %d", x.n, x.files)
	}
}

func TestRelease(t *testing.T) {
	assert.Equal(t, "2.47", release("2.47.50.20261021"))
	assert.Equal(t, "23.1+2.47", release("23.1.4+2.47.50.20261021"))
}
