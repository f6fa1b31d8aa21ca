package container_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/container"
	"github.com/sframe-lint/sframe-lint/internal/base/unpack"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
)

// visited is what a walk has found.
type visited struct {
	mu     sync.Mutex // of the numbers
	files  map[string]string
	faults []string
	held   int64 // memory that was not given back
	most   int64
	spent  int64
	steps  int
}

var errSpent = errors.New("spent")

// walk walks through a container. It ends after limit bytes.
func walk(t testing.TB, b []byte, limit int64) (*visited, error) {
	v := &visited{files: map[string]string{}}
	r := bytes.NewReader(b)
	head := b[:min(len(b), container.HeadSize)]
	k := container.KindOf(head, r, r.Size())
	if k == container.None {
		return v, nil
	}
	err := container.Walk("p", r, r.Size(), k, v.options(t, limit))
	return v, err
}

// options are those of a walk with the path p.
func (v *visited) options(t testing.TB, limit int64) *container.Hooks {
	return &container.Hooks{
		Spend: func(n int64) error {
			v.mu.Lock()
			defer v.mu.Unlock()
			if v.spent += n; v.spent > limit {
				return errSpent
			}
			return nil
		},
		Step: func() error {
			v.steps++
			return nil
		},
		Hold: func(n int64) error { // a decoder in a goroutine of its own takes memory, too
			v.mu.Lock()
			defer v.mu.Unlock()
			v.held += n
			v.most = max(v.most, v.held)
			return nil
		},
		Most: 8 << 20,
		Want: func(head []byte) bool { return strings.HasPrefix(string(head), "\x7fELF") },
		Visit: func(f *container.File) error {
			all := make([]byte, f.Size)
			if _, err := f.R.ReadAt(all, 0); err != nil && err != io.EOF {
				t.Errorf("%s: %v", f.Name, err)
			}
			name, _ := strings.CutPrefix(f.Name, "p!")
			v.files[name] = string(all)
			return nil
		},
		Fault: func(f container.Fault) error {
			v.faults = append(v.faults, fmt.Sprintf("%s: %v", f.Name, f.Err))
			return nil
		},
	}
}

// tree is what the files in testdata contain.
func tree() map[string]string {
	two := "\x7fELF"
	for range 3 {
		for i := range 256 {
			two += string([]byte{byte(i)})
		}
	}
	var big strings.Builder
	big.WriteString("\x7fELF")
	for i := range 400 {
		big.WriteString(strings.Repeat(string([]byte{byte(i % 251)}), 700) + fmt.Sprint(i))
	}
	all := map[string]string{
		"/usr/bin/one": "\x7fELFone", "/usr/bin/two": two, "/usr/lib/deep/er/big": big.String(),
		"/usr/lib/hole": "\x7fELF" + strings.Repeat("\x00", 200_000) + "end", "/usr/share/with space/x": "\x7fELF x",
		"/usr/lib/m1.ko.gz": two, "/usr/lib/m2.ko.xz": two, "/usr/lib/m3.ko.zst": two,
	}
	for i := range 40 {
		all[fmt.Sprintf("/usr/share/f%03d", i)] = fmt.Sprintf("\x7fELF%d", i)
	}
	return all
}

// unpacked returns the bytes of a file in testdata.
func unpacked(t testing.TB, path string) []byte {
	b := must.Get(os.ReadFile(path))(t)
	return b
}

// TestWalk reads the same tree from each kind of container, which real programs have written.
func TestWalk(t *testing.T) {
	paths := must.Get(filepath.Glob("testdata/*"))(t)
	require.Len(t, paths, 5)
	want := tree()
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			v := must.Get(walk(t, unpacked(t, path), 1<<30))(t)
			require.Empty(t, v.faults)
			require.Zero(t, v.held, "memory is given back")
			for name, text := range want {
				require.True(t, v.files[name] == text, "%s has %d bytes of %d", name, len(v.files[name]), len(text))
			}
			require.Len(t, v.files, len(want))
		})
	}
}

// TestCpioLikeTar: the text of a file in a cpio archive is what the numbers in the header of a tar archive are.
func TestCpioLikeTar(t *testing.T) {
	odc := func(mode int, name, text string) string {
		return fmt.Sprintf("070707%06o%06o%06o%06o%06o%06o%06o%011o%06o%011o%s\x00%s", 1, 1, mode, 0, 0, 1, 0, 0, len(name)+1, len(text), name, text)
	}
	text := []byte(program + strings.Repeat("0", 600))
	for _, at := range []int{107, 115, 123, 147} { // the ends of mode, owner, group and time
		text[at-len(odc(0, "f", ""))] = ' '
	}
	v, err := walk(t, []byte(odc(0o100644, "f", string(text))+odc(0, "TRAILER!!!", "")), 1<<30)
	require.NoError(t, err)
	require.Empty(t, v.faults)
	require.Equal(t, map[string]string{"/f": string(text)}, v.files)
}

// TestChain reads initial file systems that follow each other, the second one compressed.
func TestChain(t *testing.T) {
	b := must.Get(io.ReadAll(unpack.NewXZ(newReader(unpacked(t, "testdata/newc.xz")), nil)))(t)
	early := b[:bytes.Index(b, []byte("TRAILER!!!"))-110]
	_ = early
	odc := unpacked(t, "testdata/odc.xz")
	v := must.Get(walk(t, slices.Concat(b, make([]byte, 700), odc), 1<<30))(t)
	require.Empty(t, v.faults)
	require.Len(t, v.files, len(tree()))
	require.Greater(t, v.spent, int64(2*len(b)))
}

// tarOf makes a tar archive of names and texts.
func tarOf(t testing.TB, files ...string) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		h := &tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1])), Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if strings.HasSuffix(files[i], "/") {
			h.Typeflag = tar.TypeDir
		}
		require.NoError(t, w.WriteHeader(h))
		_, err := io.WriteString(w, files[i+1])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func gzipped(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

const program = "\x7fELF"

// lzma is how a file begins that is compressed with LZMA.
const lzma = "\x5d\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00"

func zstdOf(t testing.TB, text string) []byte {
	w := must.Get(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)))(t)
	return w.EncodeAll([]byte(text), nil)
}

// TestKernel reads the ELF file of a Linux kernel, also inside a package.
func TestKernel(t *testing.T) {
	kernel := func(version uint16, from, size uint32, payload []byte) []byte {
		b := make([]byte, 3*512+64)
		b[0x1f1] = 2
		copy(b[0x1fe:], "\x55\xaa\x00\x00HdrS")
		binary.LittleEndian.PutUint16(b[0x206:], version)
		binary.LittleEndian.PutUint32(b[0x248:], from)
		binary.LittleEndian.PutUint32(b[0x24c:], size)
		return append(append(b, payload...), make([]byte, 700)...)
	}
	elf := gzipped(t, []byte(program+"kernel"))
	n := uint32(len(elf))
	packed := zstdOf(t, program+"kernel")
	sized := append(bytes.Clone(packed), 10, 0, 0, 0)
	for name, c := range map[string]struct {
		b     []byte
		file  string
		fault string
	}{
		"gzip":      {kernel(0x20f, 64, n, elf), "p", ""},
		"zstd":      {kernel(0x20f, 64, uint32(len(sized)), sized), "p", ""},
		"plain":     {kernel(0x20f, 64, 10, []byte(program+"kernel")), "p", ""},
		"packed":    {tarOf(t, "boot/vmlinuz", string(kernel(0x20f, 64, n, elf))), "/boot/vmlinuz", ""},
		"old":       {kernel(0x207, 64, n, elf), "", "p: its header does not say where the kernel is"},
		"cut":       {kernel(0x20f, 64, n-5, elf), "", "p: cut off"},
		"outside":   {kernel(0x20f, 1<<31, n, elf), "", "p: cut off"},
		"in itself": {kernel(0x20f, 64, n, kernel(0x20f, 1<<20, n, elf)), "", "p: what it loads is of an unknown kind"},
		"lz4":       {kernel(0x20f, 64, 700, []byte("\x02\x21\x4c\x18 ")), "", "p: it is compressed with LZ4, which is not read"},
		"lzma":      {kernel(0x20f, 64, 700, []byte(lzma)), "", "p: it is compressed with LZMA, which is not read"},
		"lzo":       {kernel(0x20f, 64, 700, []byte("\x89LZO\x00\r\n\x1a\n")), "", "p: it is compressed with LZO, which is not read"},
	} {
		v, err := walk(t, c.b, 1<<30)
		require.NoError(t, err, name)
		if c.file != "" {
			require.Equal(t, map[string]string{c.file: program + "kernel"}, v.files, name)
		} else {
			require.Empty(t, v.files, name)
		}
		if c.fault != "" {
			require.Equal(t, []string{c.fault}, v.faults, name)
		} else {
			require.Empty(t, v.faults, name)
		}
		require.Zero(t, v.held, name)
	}
}

// TestFaults names what could not be read, and reads the rest.
func TestFaults(t *testing.T) {
	nested := []byte(program)
	for range container.MaxDepth + 3 {
		nested = tarOf(t, "x", string(nested))
	}
	packed := tarOf(t, "x", program)
	for range 20 {
		packed = gzipped(t, packed)
	}
	header := func(kind byte, size int, magic ...string) string {
		h := fmt.Appendf(make([]byte, 0, 512), "a%099s%07o\x00%07o\x00%07o\x00%011o\x00%011o\x00        %c", "", 0o644, 0, 0, size, 0, kind)[:512]
		clear(h[1:100])
		copy(h[257:], strings.Join(magic, ""))
		sum := 0
		for _, c := range h {
			sum += int(c)
		}
		copy(h[148:], fmt.Sprintf("%06o\x00", sum))
		return string(h)
	}
	text := program + strings.Repeat("\x00", 512-len(program))
	holes := func(size int, data string, records ...string) []byte {
		b := ""
		for _, r := range records {
			b += fmt.Sprintf("%d GNU.sparse.%s\n", len(r)+15, r)
		}
		return []byte(header('x', len(b)) + b + strings.Repeat("\x00", 512-len(b)) + header('0', size, "ustar\x00") + data)
	}
	newMap := "1\n0\n4\n" + strings.Repeat("\x00", 506) + text
	oldMap := "ustar  " + strings.Repeat("\x00", 122) + "00000000000\x0000000000004\x00" + strings.Repeat("\x00", 73) + "00000000010\x00"
	zipOf := func() string {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		f, err := w.Create("a")
		require.NoError(t, err)
		_, err = io.WriteString(f, program)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return out.String()
	}
	for name, c := range map[string]struct {
		b     []byte
		fault string
		files int
	}{
		"out":       {tarOf(t, "../../../x", program, "a/../../b", program, "c/../d", program), `p: the name "../../../x" leads out of it`, 1},
		"name":      {tarOf(t, strings.Repeat("n/", 10_000)+"n", program, "d", program), "p: a name of 20001 bytes", 1},
		"depth":     {nested, "inside more than 8 other packages", 0},
		"layers":    {packed, "inside more than 8 other packages", 0},
		"cut":       {gzipped(t, tarOf(t, "a", program, "b", program+strings.Repeat("b", 5000)))[:60], "p: cut off", 0},
		"large":     {tarOf(t, "a", program+strings.Repeat("a", 9<<20), "b", program), "p!/a: a file of 9437188 bytes: too large to be held in memory", 1},
		"lz4":       {tarOf(t, "a", "\x04\x22\x4d\x18 ", "b", program), "p!/a: it is compressed with LZ4, which is not read", 1},
		"directory": {[]byte("PK\x03\x04" + strings.Repeat("x", 100)), "p: its directory cannot be read: it has no end", 0},
		"script":    {[]byte("#!/bin/sh\nPK\x03\x04" + strings.Repeat("x", 100)), "p: its directory cannot be read: it has no end", 0},
		"two zips":  {[]byte("#!/bin/sh\n" + zipOf() + zipOf()), "are of no entry of its directory", 1},
		"sum":       {[]byte("b" + (header('0', 4) + text)[1:]), "p: a header is wrong", 0},
		"old map":   {holes(4, text, "numblocks=1", "map=0,4", "size=4"), "p: a map of holes of another version", 0},
		"two maps":  {holes(516, newMap, "major=1", "minor=0", "realsize=4", "map=0,4"), "p: a map of holes of another version", 0},
		"two sizes": {holes(516, newMap, "major=1", "minor=0", "realsize=4", "size=8"), "p: a map of holes of another version", 0},
		"new end":   {holes(516, newMap, "major=1", "minor=0", "realsize=8"), "p: a map of holes that programs read", 0},
		"old end":   {[]byte(header('S', 4, oldMap) + text), "p: a map of holes that programs read", 0},
		"new cut":   {holes(4, newMap, "major=1", "minor=0", "realsize=4"), "p: a map of holes that programs read", 0},
		"short":     {holes(516, "2\n0\n2\n512\n2\n"+strings.Repeat("\x00", 500)+text, "major=1", "minor=0", "realsize=514"), "p: a map of holes that programs read", 0},
		"holes":     {[]byte(strings.Replace(string(holes(516, newMap, "major=1", "minor=0", "realsize=4")), header('0', 516, "ustar\x00"), header('0', 516), 1)), "p: a map of holes for a header of another format", 0},
	} {
		v, err := walk(t, c.b, 1<<30)
		require.NoError(t, err, name)
		require.NotEmpty(t, v.faults, name)
		require.Contains(t, v.faults[0], c.fault, name)
		require.Len(t, v.files, c.files, name)
		require.Zero(t, v.held, name)
	}
}

// TestBomb ends where the budget does, with little memory.
func TestBomb(t *testing.T) {
	bomb := gzipped(t, gzipped(t, gzipped(t, make([]byte, 64<<20))))
	v, err := walk(t, gzipped(t, tarOf(t, "a", string(gzipped(t, append([]byte(program), make([]byte, 64<<20)...))), "b", string(bomb))), 32<<20)
	require.ErrorIs(t, err, errSpent)
	require.Less(t, v.most, int64(32<<20))
	require.Zero(t, v.held)
}

// TestDamaged changes bytes of all kinds of containers: nothing panics or takes more than its bound. Most of an image is
// zeros, so all changes are close to other bytes, and half of them close to the first ones, which are headers.
func TestDamaged(t *testing.T) {
	paths, err := filepath.Glob("testdata/*")
	require.NoError(t, err)
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, path := range paths {
		whole := unpacked(t, path)
		if strings.HasSuffix(path, ".xz") && container.KindOf(whole, nil, 0) == container.XZ {
			if whole, err = io.ReadAll(unpack.NewXZ(newReader(whole), nil)); err != nil {
				t.Fatal(err)
			}
		}
		var places []int
		for at, c := range whole {
			if c != 0 {
				places = append(places, at)
			}
		}
		for i := range rounds {
			b, kept := whole, map[int]byte{}
			for range 1 + r.IntN(6) {
				near := places
				if r.IntN(2) == 0 {
					near = places[:min(len(places), 1000)]
				}
				at := min(near[r.IntN(len(near))]+r.IntN(4), len(b)-1)
				if _, ok := kept[at]; !ok {
					kept[at] = b[at]
				}
				b[at] = byte(r.Uint32())
			}
			if r.IntN(6) == 0 {
				b = b[:r.IntN(len(b))]
			}
			v, err := walk(t, b, 16<<20)
			if err != nil && !errors.Is(err, errSpent) {
				t.Fatalf("%s, round %d: %v", path, i, err)
			}
			require.Less(t, v.most, int64(160<<20))
			require.Zero(t, v.held, "%s, round %d", path, i)
			for at, c := range kept {
				whole[at] = c
			}
		}
	}
}
