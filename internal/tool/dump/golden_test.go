package dump_test

import (
	"cmp"
	"encoding/hex"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/reader"
)

// TestGoldenSections dumps the sections written out in this package.
func TestGoldenSections(t *testing.T) {
	for _, c := range sections {
		for _, y := range styles {
			t.Run(c.name+"/"+y.name, func(t *testing.T) {
				o, s := rawSection(c.name, unhex(t, c.hex), c.addr)
				golden(t, y.name, c.name, y.text(t, o, s))
			})
		}
	}
}

// corpusFiles are files of every producer, version and ABI, objects and
// linked files, healthy and not.
var corpusFiles = []string{
	"binutils-2.40/amd64/sections.o",
	"binutils-2.44/aarch64-be/pie.elf",
	"binutils-2.44/amd64/partial.o",
	"binutils-2.47/amd64/archives/static.a",
	"binutils-2.47/amd64/flexible.o",
	"binutils-2.47/amd64/pltgot.elf",
	"binutils-2.47/aarch64/pauth.elf",
	"binutils-2.47/s390x/flexible.o",
	"binutils-2.47/s390x/start.elf",
	"gold-2.40/concatenated-v3.elf",
	"llvm-23/amd64/sections.o",
	"mold-3/flexible.elf",
	"hand/reloc-misplaced.o",
	"hand/v2-amd64-padding2.sframe",
	"hand/v3-amd64-auxhdr.elf",
	"hand/v3-amd64-truncated-fre.sframe",
}

// TestGoldenCorpus dumps files of the corpus.
func TestGoldenCorpus(t *testing.T) {
	for _, file := range corpusFiles {
		for _, y := range styles {
			t.Run(file+"/"+y.name, func(t *testing.T) {
				var b strings.Builder
				err := reader.Scan(corpusPath(file), reader.Options{}, func(o *reader.Object) error {
					o.Path = file
					for _, s := range o.SFrames {
						b.WriteString(y.text(t, o, s))
					}
					return nil
				})
				require.NoError(t, err)
				require.NotEmpty(t, b.String())
				golden(t, y.name, "corpus-"+strings.ReplaceAll(file, "/", "-"), b.String())
			})
		}
	}
}

func corpusPath(file string) string {
	return filepath.Join("../../..", "corpus", "files", filepath.FromSlash(file))
}

//go:generate go test . -run TestGolden -update

var update = flag.Bool("update", false, "write the golden files anew")

// unhex turns hexadecimal text with comments into bytes.
func unhex(t *testing.T, text string) []byte {
	t.Helper()
	var digits strings.Builder
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "#")
		digits.WriteString(strings.Join(strings.Fields(code), ""))
	}
	b := must.Get(hex.DecodeString(digits.String()))(t)
	return b
}

// rawSection makes an object of bytes that need not look like a section.
func rawSection(name string, data []byte, addr uint64) (*reader.Object, *reader.SFrame) {
	s := reader.DecodeSFrame(data, reader.SectionOptions{Addr: addr})
	return &reader.Object{Path: name, Size: int64(len(data)), Status: reader.StatusOK, SFrames: []*reader.SFrame{s}}, s
}

// style is a dump style under test.
type style struct {
	name string
	dump func(io.Writer, *reader.Object, *reader.SFrame) error
}

var styles = []style{
	{"objdump", dump.Objdump},
	{"full", func(w io.Writer, o *reader.Object, s *reader.SFrame) error {
		return dump.Full(w, o, s, dump.Selection{})
	}},
	{"json", func(w io.Writer, o *reader.Object, s *reader.SFrame) error {
		return dump.JSON(w, o, s, dump.Selection{})
	}},
	{"asm", dump.Assembly},
}

// text runs a style and returns what it writes.
func (y style) text(t *testing.T, o *reader.Object, s *reader.SFrame) string {
	t.Helper()
	var b strings.Builder
	if err := y.dump(&b, o, s); err != nil {
		require.ErrorIs(t, err, dump.ErrNothing)
		require.Empty(t, b.String())
		return "no contents\n"
	}
	return b.String()
}

// golden compares a text with the entry name of testdata/style.txtar.
func golden(t *testing.T, style, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", style+".txtar")
	archive := must.Get(txtar.ParseFile(path))(t)
	i, ok := slices.BinarySearchFunc(archive.Files, name, func(f txtar.File, name string) int { return cmp.Compare(f.Name, name) })
	if *update {
		if !ok {
			archive.Files = slices.Insert(archive.Files, i, txtar.File{Name: name})
		}
		archive.Files[i].Data = []byte(got)
		require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
		return
	}
	require.True(t, ok, "run go generate ./internal/tool/dump")
	require.Equal(t, string(archive.Files[i].Data), got)
}
