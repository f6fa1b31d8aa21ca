package edit

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// both writes by both functions to what path returns, and calls check after each.
func both(t *testing.T, path func() string, check func(name string)) {
	t.Helper()
	p := path()
	require.NoError(t, File(p, text("bytes")))
	check("File")
	o, err := Create(path())
	require.NoError(t, err)
	_, err = o.Write([]byte("bytes"))
	require.NoError(t, err)
	require.NoError(t, o.Close())
	check("Create")
}

// Descriptors and pipes are written through.
func TestThrough(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	read := func(name string) {
		b := make([]byte, 5)
		_, err := io.ReadFull(r, b)
		assert.NoError(t, err, name)
		assert.Equal(t, "bytes", string(b), name)
	}
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(fmt.Sprintf("/proc/self/fd/%d", w.Fd()), link))
	for _, path := range []string{fmt.Sprintf("/dev/fd/%d", w.Fd()), fmt.Sprintf("/proc/self/fd/%d", w.Fd()), link} {
		both(t, func() string { return path }, read)
	}
	info := must.Get(os.Lstat(link))(t)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)

	// The file of a descriptor keeps its position, and what precedes it.
	file, err := os.Create(filepath.Join(dir, "file"))
	require.NoError(t, err)
	defer file.Close()
	_, err = file.WriteString("before ")
	require.NoError(t, err)
	require.NoError(t, File(fmt.Sprintf("/dev/fd/%d", file.Fd()), text("after")))
	b := must.Get(os.ReadFile(file.Name()))(t)
	assert.Equal(t, "before after", string(b))

	full, err := Create("/dev/full")
	require.NoError(t, err)
	_, err = full.Write([]byte("x"))
	assert.ErrorIs(t, err, syscall.ENOSPC)
	assert.ErrorIs(t, full.Close(), syscall.ENOSPC)
}

// What a dangling link leads to is made, and the link stays.
func TestDangling(t *testing.T) {
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	require.NoError(t, os.Symlink("target", link))
	both(t, func() string { return link }, func(name string) {
		info := must.Get(os.Lstat(link))(t)
		assert.NotZero(t, info.Mode()&os.ModeSymlink, name)
		b := must.Get(os.ReadFile(target))(t)
		assert.Equal(t, "bytes", string(b), name)
		require.NoError(t, os.Remove(target))
	})
	require.NoError(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	assert.Error(t, File(filepath.Join(dir, "loop"), text("x")))
}

// An output that is not closed leaves the file as it was.
func TestAbandon(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	o, err := Create(path)
	require.NoError(t, err)
	_, err = o.Write([]byte("new"))
	require.NoError(t, err)
	o.Abandon()
	b := must.Get(os.ReadFile(path))(t)
	assert.Equal(t, "old", string(b))
	entries := must.Get(os.ReadDir(dir))(t)
	assert.Len(t, entries, 1)
}

// A hole stays one, also where zeros are written to it.
func TestSparse(t *testing.T) {
	dir := t.TempDir()
	src := must.Get(os.Create(filepath.Join(dir, "src")))(t)
	defer src.Close()
	const size = 1 << 30
	for _, at := range []int64{0, 5000, 512 << 20, size - 3} {
		_, err := src.WriteAt([]byte("abc"), at)
		require.NoError(t, err)
	}
	path := filepath.Join(dir, "dst")
	p := Plan{Path: src.Name()}
	require.True(t, p.Add(Edit{Off: 4998, Len: 8 << 20, New: make([]byte, 8<<20)}, Edit{Off: 100 << 20, Len: 3, New: []byte("xyz")}))
	require.NoError(t, p.Apply(context.Background(), path))
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	info := must.Get(f.Stat())(t)
	assert.EqualValues(t, size, info.Size())
	assert.Less(t, info.Sys().(*syscall.Stat_t).Blocks*512, int64(1<<20))
	for at, want := range map[int64]string{0: "abc", 5000: "\x00\x00\x00", 100 << 20: "xyz", 512 << 20: "abc", size - 3: "abc"} {
		b := make([]byte, 3)
		_, err := f.ReadAt(b, at)
		require.NoError(t, err)
		assert.Equal(t, want, string(b), at)
	}
	dst := must.Get(os.Create(filepath.Join(dir, "short")))(t)
	defer dst.Close()
	v := must.Get(p.View(src, size+1))(t)
	assert.ErrorIs(t, v.copyTo(context.Background(), dst), ErrChanged)
	assert.ErrorIs(t, v.unchanged(src), ErrChanged)
}

// inside is set in a process in a mount namespace of its own.
const inside = "REPLACE_IN_NAMESPACE"

// The superuser can replace what is in /dev, and a disk may be full: both are tried in a
// mount namespace, where that is allowed.
func TestNamespace(t *testing.T) {
	if os.Getenv(inside) == "" {
		c := exec.Command(os.Args[0], "-test.run", "^TestNamespace$", "-test.v")
		c.Env = append(os.Environ(), inside+"="+t.TempDir())
		c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
		out, err := c.CombinedOutput()
		if _, ran := err.(*exec.ExitError); err != nil && !ran || strings.Contains(string(out), "--- SKIP") {
			t.Skipf("no mount namespace: %v %s", err, out)
		}
		require.NoError(t, err, "%s", out)
		return
	}
	dir := os.Getenv(inside)
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip(err)
	}
	// As /dev is: a link to the descriptor of a pipe, in a directory that can be written.
	stdout := filepath.Join(dir, "stdout")
	require.NoError(t, os.Symlink("/proc/self/fd/1", stdout))
	both(t, func() string { return stdout }, func(name string) {
		info := must.Get(os.Lstat(stdout))(t)
		assert.NotZero(t, info.Mode()&os.ModeSymlink, name)
	})
	path := filepath.Join(dir, "page")
	for _, old := range []string{"", "old"} {
		if old != "" {
			require.NoError(t, os.WriteFile(path, []byte(old), 0o600))
		}
		o, err := Create(path)
		require.NoError(t, err)
		_, err = o.Write(make([]byte, 1<<20))
		assert.ErrorIs(t, err, syscall.ENOSPC)
		assert.ErrorIs(t, o.Close(), syscall.ENOSPC)
		assert.ErrorIs(t, File(path, func(f *os.File) error { _, err := f.Write(make([]byte, 1<<20)); return err }), syscall.ENOSPC)
		b, _ := os.ReadFile(path)
		assert.Equal(t, old, string(b))
		entries := must.Get(os.ReadDir(dir))(t)
		assert.Len(t, entries, 1+min(len(old), 1), "nothing is left")
	}
}
