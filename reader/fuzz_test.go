package reader

import (
	"bytes"
	"debug/elf"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
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

// thinSeeds are thin archives that name a file, a member of an archive, and what is
// neither.
func thinSeeds(f *testing.F, add func(data []byte)) {
	f.Helper()
	for _, names := range []string{"m.o/\n", "inner.a/\n", "../outside.o/\n", "/etc/passwd/\n", "up/outside.o/\n", "self/\n", "down/../m.o/\n", "down/\n", ".\n", "\x00\n"} {
		add(ar(arThinMagic, arEntry("//", []byte(names)), arEntry("/0", nil), arEntry("/0:8", nil), arEntry("/0:68", nil), arEntry("m.o/", nil)))
	}
}

// thinBounds holds the objects of a thin archive and what they took from the heap
// against its size: a header has 60 bytes and may name the largest file.
func thinBounds(t *testing.T, objects int, used uint64, data []byte, largest int) {
	t.Helper()
	require.LessOrEqual(t, objects, 2+len(data)/60)
	require.LessOrEqual(t, used, uint64(1<<20+(1+len(data)/60)*(256<<10+32*largest)))
}

func thinInner() []byte {
	return ar(arMagic, arEntry("//", []byte("a_name_of_more_than_fifteen_bytes.o/\n")), arEntry("/0", exec().bytes()))
}

// memory has the files of thin archives, and counts those that are open.
type memory struct {
	fstest.MapFS
	cut  int // bytes that each file lost after it was measured
	open int
}

type memoryFile struct {
	*bytes.Reader
	m *memory
}

func (f memoryFile) Close() error { f.m.open--; return nil }

func (m *memory) openMember(name, _ string) (handle, fs.FileInfo, error) {
	info, err := fs.Stat(m, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, regular.ErrNotRegular
	}
	m.open++
	all := m.MapFS[name].Data
	return memoryFile{bytes.NewReader(all[:max(0, len(all)-m.cut)]), m}, info, nil
}

// FuzzThin reads whatever comes as a thin archive beside a file of whatever name and
// contents, in memory: no file stays open, each member has its file's size, one that
// has become shorter is reported as such, and memory has a bound.
func FuzzThin(f *testing.F) {
	thinSeeds(f, func(data []byte) {
		f.Add(data, "m.o", exec().bytes(), 0)
		f.Add(data, "inner.a", thinInner(), 0)
		f.Add(data, "m.o", exec().bytes(), 1)
	})
	f.Fuzz(func(t *testing.T, data []byte, name string, contents []byte, cut int) {
		if !fs.ValidPath(name) || name == "." {
			return
		}
		m := &memory{MapFS: fstest.MapFS{name: {Data: contents}, "down/inner.a": {Data: thinInner()}}, cut: max(cut, 0)}
		n := 0
		used := testkit.Allocated(func() {
			b := budget.New(t.Context(), budget.Limits{})
			a := &archive{path: "thin.a", src: newSource(bytes.NewReader(data), "thin.a", int64(len(data)), b), opts: Options{Context: b},
				thin: true, opened: m.openMember}
			a.visit = func(o *Object) error {
				n++
				if o.Member == "" || o.Status == StatusDamaged || a.nested != "" {
					return nil
				}
				assert.Equal(t, int64(len(m.MapFS[o.Member].Data)), o.Size)
				return nil
			}
			assert.NoError(t, a.scan())
		})
		assert.Zero(t, m.open)
		thinBounds(t, n, used, data, max(len(contents), len(thinInner())))
	})
}

// FuzzMemberPaths reads whatever comes as a thin archive in a directory of its own: no
// member is read from elsewhere, and memory has a bound.
func FuzzMemberPaths(f *testing.F) {
	thinSeeds(f, func(data []byte) { f.Add(data) })
	member := exec().bytes()
	top := f.TempDir()
	dir := filepath.Join(top, "dir")
	for path, data := range map[string][]byte{"outside.o": member, "dir/m.o": member, "dir/inner.a": thinInner(), "dir/down/m.o": member} {
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
		used := testkit.Allocated(func() {
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
		thinBounds(t, n, used, data, len(member))
	})
}
