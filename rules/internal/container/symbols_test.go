package container_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
)

// TestStartSymbols: a kernel finds its section by symbols, and a file without symbols for it is not one.
func TestStartSymbols(t *testing.T) {
	for _, c := range []struct {
		file, from, to string
		want           []string
	}{
		{"vmlinux.elf", "", "", nil},
		{"vmlinux.elf", "__start_sframe", "__start_xframe", []string{"SF5009 file 0x38+2"}},
		{"vmlinux-stripped.elf", "", "", nil},
		{"vmlinux-stripped.elf", "__ksymtab", "__xsymtab", []string{"SF5009 file 0x38+2"}},
		{"vmlinux-pi.elf", "", "", nil},
		{"vmlinux-pi.elf", "__ksymtab", "__xsymtab", []string{"SF5015 file 0x116e8+64"}},
		{"segment-second.elf", "", "", []string{"SF5015 file 0x28f8+64"}},
		{"prefixed-v2.o", "", "", []string{"SF5003 file 0x4b4+4"}},
		{"prefixed-v2.o", "\xe2\xde\x02", "\xe2\xdf\x02", []string{"SF5001 file 0x0+64"}}, // some other section
		{"discarded.elf", "", "", []string{"SF5035 file 0x458+64", "SF5001 file 0x478+8"}},
	} {
		data, err := os.ReadFile("../../../corpus/files/field/" + c.file)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), c.file)
		require.NoError(t, os.WriteFile(path, replaced(data, c.from, c.to), 0o666))
		var got []string
		require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			got = append(got, ruletest.Findings(t, container.Rules, o)...)
			return nil
		}))
		require.ElementsMatch(t, c.want, got, "%s %s", c.file, c.to)
	}
}

func replaced(data []byte, from, to string) []byte {
	if from == "" {
		return data
	}
	return bytes.ReplaceAll(data, []byte(from), []byte(to))
}
