package reader

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/alloc"
)

// FuzzThin reads whatever comes as a thin archive in a directory of its own: no member
// is read from elsewhere, members have the bytes of their files, and memory has a
// bound.
func FuzzThin(f *testing.F) {
	member := exec().bytes()
	inner := ar(arMagic, arEntry("//", []byte("a_name_of_more_than_fifteen_bytes.o/\n")), arEntry("/0", member))
	header := func(name string) []byte { return arEntry(name, nil) }
	for _, names := range []string{"m.o/\n", "inner.a/\n", "../outside.o/\n", "/etc/passwd/\n", "up/outside.o/\n", "self/\n", "down/../m.o/\n", "\x00\n"} {
		f.Add(ar(arThinMagic, arEntry("//", []byte(names)), header("/0"), header("/0:8"), header("/0:68"), header("m.o/")))
	}
	top := f.TempDir()
	dir := filepath.Join(top, "dir")
	for path, data := range map[string][]byte{"outside.o": member, "dir/m.o": member, "dir/inner.a": inner, "dir/down/m.o": member} {
		require.NoError(f, os.MkdirAll(filepath.Dir(filepath.Join(top, path)), 0o777))
		require.NoError(f, os.WriteFile(filepath.Join(top, path), data, 0o666))
	}
	require.NoError(f, os.Symlink("..", filepath.Join(dir, "up")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !strings.HasPrefix(string(data), arThinMagic) {
			data = append([]byte(arThinMagic), data...)
		}
		path := filepath.Join(dir, "self")
		require.NoError(t, os.WriteFile(path, data, 0o666))
		n := 0
		used := alloc.Bytes(func() {
			err := Scan(path, Options{}, func(o *Object) error {
				n++
				assert.Equal(t, path, o.Path)
				if o.ELF == nil || o.Member == "" {
					return nil
				}
				real, err := filepath.EvalSymlinks(o.File)
				assert.NoError(t, err)
				assert.True(t, strings.HasPrefix(real, dir+"/"), "%q of %q", real, o.Member)
				return nil
			})
			assert.NoError(t, err)
		})
		// A header has 60 bytes and may name the largest file.
		require.LessOrEqual(t, n, 2+len(data)/60)
		require.LessOrEqual(t, used, uint64(1<<20+(1+len(data)/60)*(256<<10+32*len(member))))
	})
}
