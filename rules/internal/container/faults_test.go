package container_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
)

func TestFileFaults(t *testing.T) {
	table(t, `
		V3AMD64 | cut in the ELF header | cut 40 | SF5024 file 0x0+40
		V3AMD64 | no byte order | patch file+5 1 9 | SF5024 file 0x5+1
		V3AMD64 | size of section headers | patch file+0x3a 2 63 | SF5024 file 0x3a+2
		V3AMD64 | beyond the file | patch shdr+0x18 8 0xdfc0 / patch phdr+8 8 0xdfc0 / patch load+8 8 0xdfc0 | SF5025 file 0x498+16
		V3AMD64 | compressed | object / no-relocs / patch shdr+8 8 0x802 | SF5026 file 0x488+8
		V3AMD64 | no bits | object / no-relocs / patch shdr+4 4 8 | SF5001 file 0x0+64, SF5027 file 0x484+4
		V3AMD64 | RISC-V | patch file+0x12 2 243 | SF5034 file 0x12+2
		V3AMD64 | ELF32 without sections | patch file+4 1 1 |
		V3AMD64 | a file of debug information | patch shdr+4 4 8 / patch text+4 4 8 |
	`)
}

func TestTooLarge(t *testing.T) {
	o := ruletest.Linked(ruletest.V3AMD64.Bytes(t), ruletest.V3AMD64.ABI())
	o.ELF.Order = nil
	o.SFrames[0].Section = nil
	o.SFrames[0].Faults = []reader.Fault{{Code: reader.SectionTooLarge, Want: 1, Got: 2}}
	at := o.ELF.Sections[2].Header.Off + 0x20
	got := ruletest.Findings(t, []*rules.Rule{container.TooLarge}, o)
	require.Equal(t, []string{fmt.Sprintf("SF5031 file 0x%x+8", at)}, got)

	path := filepath.Join(t.TempDir(), "x.elf")
	data := v3(t, "")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	require.NoError(t, reader.Scan(path, reader.Options{Limits: reader.Limits{reader.MaxSection: 16}}, func(o *reader.Object) error {
		require.Equal(t, []string{"SF5031 file 0x498+16"}, ruletest.Findings(t, container.Rules, o))
		return nil
	}))
}

func TestArchiveFaults(t *testing.T) {
	dir := t.TempDir()
	head := func(name, size string) string {
		pad := func(s string, n int) string { return s + strings.Repeat(" ", n-len(s)) }
		return pad(name, 16) + pad("0", 12) + pad("0", 6) + pad("0", 6) + pad("644", 8) + pad(size, 10) + "`\n"
	}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"cut.a", "!<arch>\n" + head("a.o/", "10") + "0123", []string{"SF5029 file 0x38+10"}},
		{"size.a", "!<arch>\n" + head("a.o/", "1x"), []string{"SF5029 file 0x38+10"}},
		{"thin.a", "!<thin>\n" + head("nowhere.o/", "4"), []string{"SF5030 file 0x8+60"}},
	} {
		path := filepath.Join(dir, c.name)
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
		got := []string{}
		require.NoError(t, reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			got = append(got, ruletest.Findings(t, container.Rules, o)...)
			return nil
		}))
		require.Equal(t, c.want, got, c.name)
	}
}

func TestSegmentFaultsOfOtherTypes(t *testing.T) {
	table(t, "V3AMD64 | ET_NONE | type 0 / segments 0 |")
}
