package compare_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/reader"
)

// FuzzLink takes whatever comes as an input and as the output of a linker: they are
// compared as such, with each other, and in a census. A file does not differ from
// itself, reports are valid, and memory and reports are bounded by the inputs.
func FuzzLink(f *testing.F) {
	const dir = "../../../corpus/files/binutils-2.47/amd64"
	var files [][]byte
	for _, name := range []string{"signal.o", "program.elf"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(f, err)
		files = append(files, b)
	}
	f.Add(files[0], files[1])
	f.Add(files[1], files[0])
	f.Add(files[0], files[0])
	f.Add([]byte("!<arch>\n"), []byte{0xe2, 0xde, 2})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if bytes.HasPrefix(a, []byte("!<thin>\n")) || bytes.HasPrefix(b, []byte("!<thin>\n")) {
			return
		}
		var out bytes.Buffer
		census := compare.NewStat().Census
		var loader compare.Loader
		load := func(name string, data []byte) (all []*compare.Unit) {
			err := reader.ScanReader(name, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
				u, err := loader.UnitOf(o)
				all = append(all, u)
				census.Add(o)
				return err
			})
			require.NoError(t, err)
			return all
		}
		most := uint64(64<<10 + 400*(len(a)+len(b)))
		used := testkit.Allocated(func() {
			as, bs := load("a", a), load("b", b)
			diff := compare.Files(compare.Side{Name: "a", Units: as}, compare.Side{Name: "b", Units: bs}, "")
			require.NoError(t, compare.WriteDiff(&out, diff))
			require.NoError(t, compare.WriteJSON(&out, diff))
			if len(bs) == 1 {
				link := compare.Link(as, bs[0])
				require.NoError(t, compare.WriteLink(&out, link, -1))
				require.NoError(t, compare.WriteJSON(&out, link))
			}
			census.Finish()
			require.NoError(t, compare.WriteCensus(&out, census))
			require.True(t, compare.Files(compare.Side{Name: "a", Units: as}, compare.Side{Name: "a", Units: as}, "").Equal)
			var b bytes.Buffer
			require.NoError(t, compare.WriteJSON(&b, diff))
			require.True(t, json.Valid(b.Bytes()))
		})
		require.LessOrEqual(t, uint64(out.Len()), most)
		require.LessOrEqual(t, used, 64*most)
		var sink bytes.Buffer
		w := escape.NewWriter(&sink, escape.Text)
		_, err := w.Write(out.Bytes())
		require.NoError(t, err)
		require.NoError(t, w.Close())
		require.NoError(t, testkit.Obeyed(sink.String()))
	})
}
