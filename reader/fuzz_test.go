package reader

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// seedFiles gives a fuzz target the corpus's files that ok takes, and all
// that went wrong once.
func seedFiles(f *testing.F, ok func(data []byte) bool) {
	f.Helper()
	files := must.Get(filepath.Glob(filepath.Join(corpusDir, "regressions", "*")))(f)
	for _, e := range corpus(f) {
		files = append(files, e.path())
	}
	n := 0
	for _, file := range files {
		b := must.Get(os.ReadFile(file))(f)
		if ok(b) && len(b) < 64<<10 {
			f.Add(b)
			n++
		}
	}
	require.NotZero(f, n)
}

// bounded calls f and bounds the bytes that it takes from the heap by the size of the
// input. A check reads the input some times, and looks at each of its functions.
func bounded(t *testing.T, data []byte, f func()) {
	t.Helper()
	require.LessOrEqual(t, testkit.Allocated(f), uint64(8<<20+4096*len(data)))
}

func FuzzSection(f *testing.F) {
	for _, c := range corpusSections(f) {
		f.Add(c.Data, uint64(0x1000))
	}
	f.Fuzz(func(t *testing.T, data []byte, addr uint64) {
		bounded(t, data, func() { checkSection(t, data, addr) })
	})
}

func FuzzELF(f *testing.F) {
	seedFiles(f, func(b []byte) bool { return bytes.HasPrefix(b, []byte("\x7fELF")) })
	f.Add(object(le, 3, 4, rela(le, 28, 1, pc64, 4), rela(le, 44, 2, pc64, 0), rela(le, 60, 3, pc64, 0)).bytes())
	f.Add(withMini(xzOf(f, withSymbols(exec(), sym("f", elf.STT_FUNC, elf.STB_LOCAL, 1, 0x1010, 8)).bytes())).bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasPrefix(data, []byte(arThinMagic)) {
			return
		}
		bounded(t, data, func() { checkFile(t, data) })
	})
}

// Thin archives are left out: a name that the fuzzer makes up could lead to
// any file.
func FuzzArchive(f *testing.F) {
	seedFiles(f, func(b []byte) bool { return bytes.HasPrefix(b, []byte(arMagic)) })
	f.Add(ar(arMagic, arEntry("//", []byte("a_name_of_more_than_fifteen_bytes.o/\n")), arEntry("/0", plain), arEntry("#1/4", append([]byte("b.o\x00"), plain...))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasPrefix(data, []byte(arThinMagic)) {
			return
		}
		bounded(t, data, func() { checkFile(t, data) })
	})
}
