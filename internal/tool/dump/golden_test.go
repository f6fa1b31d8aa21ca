package dump_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
