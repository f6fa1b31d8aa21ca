package dump_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/asm"
	"github.com/sframe-lint/sframe-lint/internal/dump"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/reader"
)

// elfText returns the text of an ELF file, and checks that it assembles to the same file.
func elfText(t *testing.T, file []byte, incbin bool) (string, error) {
	t.Helper()
	var b strings.Builder
	err := errors.New("no object")
	scanErr := reader.ScanReader("file", bytes.NewReader(file), int64(len(file)), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		err = dump.ELFAssembly(&b, o, incbin)
		return nil
	})
	if scanErr != nil || err != nil {
		return "", errors.Join(scanErr, err)
	}
	read := func(name string, off, n int64) ([]byte, int64, error) {
		assert.Equal(t, "file", name)
		return file[off : off+min(n, int64(len(file))-off)], int64(len(file)), nil
	}
	out, err := asm.Assemble([]byte(b.String()), asm.Options{Read: read})
	require.NoError(t, err, b.String())
	if !bytes.Equal(file, out.Bytes) {
		t.Fatalf("another file\n%s", b.String())
	}
	return b.String(), nil
}

// withoutText are the ELF files of the corpus that have no text: the format has no ABI for their machine.
var withoutText = map[string]bool{
	"hand/object-riscv.o": true, "hand/x32.o": true,
	"hand/i386.o": true, "other/riscv64.o": true, "other/x32.o": true, "other/i386.o": true,
}

// TestELFAssemblyOfCorpus assembles the texts of all ELF files of the corpus. All others than those
// listed give the same bytes, and so the same findings. Those of real tools state bytes of the file only
// where the linker left some between sections.
func TestELFAssemblyOfCorpus(t *testing.T) {
	files, err := corpus.Load("../../corpus")
	require.NoError(t, err)
	n, patched := 0, 0
	for _, f := range files {
		file, err := os.ReadFile(corpusPath(strings.TrimPrefix(f.File, "files/")))
		require.NoError(t, err)
		if !bytes.HasPrefix(file, []byte("\x7fELF")) || len(file) > 1<<20 {
			continue
		}
		text, err := elfText(t, file, false)
		if withoutText[strings.TrimPrefix(f.File, "files/")] {
			assert.ErrorIs(t, err, dump.ErrNotELF, f.File)
			continue
		}
		require.NoError(t, err, f.File)
		short, err := elfText(t, file, true)
		require.NoError(t, err, f.File)
		require.LessOrEqual(t, len(short), len(text)+4096, f.File)
		n++
		if f.Healthy && strings.Contains(text, "\n.file_at ") {
			patched++
		}
	}
	require.Greater(t, n, 450)
	require.Less(t, patched, 12)
}

// TestELFAssemblyOfOddFiles assembles the texts of files that had none, or that of another file.
func TestELFAssemblyOfOddFiles(t *testing.T) {
	const symbols = ".section .symtab type=symtab link=3 entsize=24 holds=symbols\n"
	for name, text := range map[string]string{
		"sections share more bytes than the file has": ".section .first offset=0 size=0x1c0\n" + symbols +
			".section .strtab type=strtab\n.string \"\" \"b\" \"a\"\n.section .names type=strtab holds=names\n.symbol a 0 section=1\n.symbol b 0 section=1\n",
		"no byte in the table of names": ".section .text exec\n.byte c3\n" + symbols +
			".section .strtab type=strtab size=0\n.section .names type=strtab holds=names\n.symbol \"\" 0 name=1 section=1\n",
		"an offset of 64 bits": ".section .bss type=nobits write size=8 offset=0x8000000000000000\n.section .names type=strtab holds=names\n",
	} {
		t.Run(name, func(t *testing.T) {
			out, err := asm.Assemble([]byte(".elf rel exact\n"+text), asm.Options{})
			require.NoError(t, err)
			_, err = elfText(t, out.Bytes, false)
			require.NoError(t, err)
		})
	}
}

// TestELFAssemblyOfDamage assembles the texts of damaged files: they have the same bytes, or none.
func TestELFAssemblyOfDamage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"hand/object-rel.o", "binutils-2.44/amd64/start.o", "binutils-2.47/s390x/start.o", "hand/segment-alone.elf", "binutils-2.44/aarch64-be/one.elf"} {
		file, err := os.ReadFile(corpusPath(filepath.FromSlash(name)))
		require.NoError(t, err)
		_, err = elfText(t, file, false)
		require.NoError(t, err, name)
		for range 300 {
			bad := bytes.Clone(file)
			for range 1 + rnd.IntN(3) {
				at := rnd.IntN(len(bad))
				switch rnd.IntN(4) {
				case 0:
					at = rnd.IntN(64) // the header
				case 1:
					at = len(bad) - 1 - rnd.IntN(min(len(bad), 1024)) // mostly headers of sections
				}
				bad[at] = byte(rnd.IntN(256))
			}
			if rnd.IntN(10) == 0 {
				bad = bad[:rnd.IntN(len(bad))]
			}
			_, _ = elfText(t, bad, rnd.IntN(2) == 0)
		}
	}
}
