package container_test

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/elftest"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
)

func TestFileFaults(t *testing.T) {
	text := elftest.Header(elftest.TextIndex)
	run(t, []fileCase{
		{name: "cut in the ELF header", cut: 40, want: []string{"SF5024 file 0x0+40"}},
		{name: "no byte order", patches: []patch{{5, 1, 9}}, want: []string{"SF5024 file 0x5+1"}},
		{name: "size of section headers", patches: []patch{{0x3a, 2, 63}}, want: []string{"SF5024 file 0x3a+2"}},
		{name: "beyond the file", patches: []patch{{shdr(0x18), 8, 0xdfc0}, {phdr(8), 8, 0xdfc0}, {elftest.Program(1) + 8, 8, 0xdfc0}},
			want: []string{"SF5025 file 0x498+16"}},
		{name: "compressed", object: true, change: func(f *elftest.File) { f.Relocs = nil }, patches: []patch{{shdr(8), 8, 0x802}}, want: []string{"SF5026 file 0x488+8"}},
		{name: "no bits", object: true, change: func(f *elftest.File) { f.Relocs = nil }, patches: []patch{{shdr(4), 4, 8}},
			want: []string{"SF5001 file 0x0+64", "SF5027 file 0x484+4"}},
		{name: "RISC-V", patches: []patch{{0x12, 2, 243}}, want: []string{"SF5034 file 0x12+2"}},
		{name: "ELF32 without sections", patches: []patch{{4, 1, 1}}},
		{name: "a file of debug information", patches: []patch{{shdr(4), 4, 8}, {text + 4, 4, 8}}},
	})
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
	data := fileCase{}.bytes(t)
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
	run(t, []fileCase{{name: "ET_NONE", change: func(f *elftest.File) { f.Type = elf.ET_NONE; f.Segments = nil }}})
}
