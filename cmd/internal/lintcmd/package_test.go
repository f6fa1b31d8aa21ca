package lintcmd

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// packed are files of the corpus, and the files in the package that have their bytes.
var packed = [][2]string{
	{"usr/bin/none", "other/none.elf"}, {"usr/bin/one", "lld-23/concatenated-v3.elf"}, {"usr/lib/debug/x y", "binutils-2.44/amd64/pltgot.elf"},
	{"usr/lib/lib.a", "mixed/archive.a"}, {"usr/lib/main.o", "binutils-2.44/amd64/partial.o"},
}

// packageIn writes a tar archive, and a directory with the same files, and returns their names.
func packageIn(t *testing.T, dir string) (pkg, tree string) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range packed {
		b, err := os.ReadFile(corpus + f[1])
		require.NoError(t, err)
		require.NoError(t, w.WriteHeader(&tar.Header{Name: "./" + f[0], Mode: 0o644, Size: int64(len(b)), Typeflag: tar.TypeReg}))
		_, err = w.Write(b)
		require.NoError(t, err)
		path := filepath.Join(dir, "tree", f[0])
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, b, 0o600))
	}
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.tar"), out.Bytes(), 0o600))
	return filepath.Join(dir, "p.tar"), filepath.Join(dir, "tree")
}

// TestPackage finds the same in a package as in the tree that it holds, in all formats with one line or
// element for a finding.
func TestPackage(t *testing.T) {
	pkg, tree := packageIn(t, t.TempDir())
	for _, format := range []string{"text", "json", "jsonl", "junit", "github", "gitlab", "sarif", "full"} {
		flags := []string{"--no-config", "-q", "--show", "note", "--format", format, "-j", "1"}
		status, fromPackage, _ := runMain(nil, append(flags, pkg)...)
		assert.Equal(t, program.ExitFindings, status)
		_, fromTree, _ := runMain(nil, append(flags, tree)...)
		n := strings.Count(fromPackage, "SF")
		assert.Equal(t, strings.Count(fromTree, "SF"), n, format)
		assert.NotZero(t, n, format)
		if format == "text" {
			want := strings.ReplaceAll(fromTree, tree+"/", pkg+"!/")
			assert.Equal(t, want, fromPackage)
		}
		if format == "sarif" {
			assert.Contains(t, fromPackage, "p.tar%21/usr/lib/debug/x%20y")
			assert.True(t, json.Valid([]byte(fromPackage)))
		}
	}
}

// TestInPackage names, excludes and accepts files in a package.
func TestInPackage(t *testing.T) {
	dir := t.TempDir()
	pkg, _ := packageIn(t, dir)
	_, all, errs := runMain(nil, "--no-config", "--show", "note", pkg)
	assert.Contains(t, errs, "5 files, 7 sections: ")
	_, some, errs := runMain(nil, "--no-config", "--show", "note", pkg+"!/usr/bin/one")
	assert.Contains(t, some, pkg+"!/usr/bin/one: ")
	for line := range strings.Lines(some) {
		assert.Contains(t, all, line)
	}
	assert.NotContains(t, some, "main.o")
	assert.NotContains(t, errs, "--fix", "files in a package are not changed")
	status, _, errs := runMain(nil, "--no-config", pkg+"!/usr/bin/other")
	assert.Equal(t, program.ExitFailed, status)
	assert.Contains(t, errs, "the package has no such file")
	for _, pattern := range []string{"/usr/lib/debug/", "debug/", "*y", "/usr/lib/debug/**"} {
		_, some, _ = runMain(nil, "--no-config", "--show", "note", "--exclude", pattern, pkg)
		assert.NotContains(t, some, "x y", pattern)
		assert.Contains(t, some, "main.o", pattern)
	}
	known := filepath.Join(dir, "known.json")
	status, _, errs = runMain(nil, "--no-config", "--write-baseline", known, pkg)
	require.Equal(t, program.ExitClean, status, errs)
	status, out, _ := runMain(nil, "--no-config", "--baseline", known, "--baseline-strict", pkg)
	assert.Equal(t, program.ExitClean, status)
	assert.Empty(t, out)
	status, dump, _ := runMain(nil, "dump", pkg+"!/usr/bin/one")
	assert.Equal(t, program.ExitClean, status)
	assert.NotEmpty(t, dump)
	_, out, _ = runMain(nil, "coverage", pkg)
	assert.Contains(t, out, pkg+"!/usr/bin/one: ")
}

// TestPackageWithout says that a package has no SFrame data.
func TestPackageWithout(t *testing.T) {
	dir := t.TempDir()
	packageIn(t, dir)
	none := filepath.Join(dir, "none.tar")
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	require.NoError(t, w.WriteHeader(&tar.Header{Name: "readme", Size: 1, Typeflag: tar.TypeReg}))
	_, err := w.Write([]byte("x"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(none, out.Bytes(), 0o600))
	status, _, errs := runMain(nil, "--no-config", none)
	assert.Equal(t, program.ExitFailed, status)
	assert.Contains(t, errs, "none.tar: none of its files can have SFrame data\n")
	status, _, errs = runMain(nil, "--no-config", filepath.Join(dir, "p.tar")+"!/usr/bin/none")
	assert.Equal(t, program.ExitClean, status)
	assert.Contains(t, errs, "p.tar!/usr/bin/none: no SFrame data: no .sframe section")
}

// TestCompareTrees compares a package with the tree that it holds, and counts its coverage as a whole.
func TestCompareTrees(t *testing.T) {
	dir := t.TempDir()
	pkg, tree := packageIn(t, dir)
	_, out, errs := runMain(nil, "diff", tree, pkg)
	assert.Contains(t, out, "agree on 22 functions", errs)
	assert.Contains(t, errs, "tree(usr/lib/main.o): 5 functions without a known start")
	require.NoError(t, os.Remove(filepath.Join(tree, "usr/bin/one")))
	_, out, _ = runMain(nil, "diff", "--format", "markdown", pkg, tree)
	assert.Contains(t, out, "usr/bin/one")
	_, out, _ = runMain(nil, "coverage", "--gaps", "0", pkg)
	assert.Contains(t, out, "\n"+pkg+": 9 files (2 without SFrame data), ")
	status, _, _ := runMain(nil, "coverage", "--min-coverage", "99%", pkg)
	assert.Equal(t, program.ExitFindings, status)
	status, _, _ = runMain(nil, "coverage", "--min-coverage", "10%", pkg)
	assert.Equal(t, program.ExitClean, status)
	_, out, _ = runMain(nil, "coverage", "--format", "markdown", pkg)
	assert.Contains(t, out, "| **total** | ")
	assert.Contains(t, out, "x y | ")
}

// debOf writes a Debian package of files of the corpus by their paths in it.
func debOf(t *testing.T, path string, files map[string]string) {
	var data bytes.Buffer
	w := tar.NewWriter(&data)
	for name, from := range files {
		b, err := os.ReadFile(corpus + from)
		require.NoError(t, err)
		require.NoError(t, w.WriteHeader(&tar.Header{Name: "./" + name, Mode: 0o644, Size: int64(len(b)), Typeflag: tar.TypeReg}))
		_, err = w.Write(b)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	deb := fmt.Sprintf("!<arch>\n%-48s%-10d`\n2.0\n%-48s%-10d`\n", "debian-binary", 4, "data.tar", data.Len())
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, append([]byte(deb), data.Bytes()...), 0o600))
}

// TestDebugPackages takes source lines from the package with the debug files: beside the package, given to the same run,
// or named by the flag. A file with another build ID is not used.
func TestDebugPackages(t *testing.T) {
	dir := t.TempDir()
	pkg, debug, other := filepath.Join(dir, "p_1_amd64.deb"), filepath.Join(dir, "p-dbgsym_1_amd64.deb"), filepath.Join(dir, "other", "p-dbgsym_1_amd64.deb")
	debOf(t, pkg, map[string]string{"usr/bin/prog": "lines/stripped.elf"})
	const ids = "usr/lib/debug/.build-id/"
	files := map[string]string{ids + "77/179c55f81118a9c207e9822294b1e215cc4700.debug": "lines/linked.debug", ids + "00/11.debug": "lines/linked-s390x.elf"}
	lint := func(args ...string) (out string) {
		_, out, _ = runMain(nil, append([]string{"--no-config", "-q", "--path-map", "/build=."}, args...)...)
		return out
	}
	const line = "src/lines/frame.s:7 (in frame): error: "
	assert.NotContains(t, lint(pkg), line)
	debOf(t, other, files)
	assert.NotContains(t, lint(pkg), line)
	assert.Contains(t, lint(pkg, other), line)
	assert.Contains(t, lint("--debug-file", other, pkg), line)
	debOf(t, debug, map[string]string{"usr/lib/debug/x.debug": "lines/linked-s390x.elf"})
	assert.NotContains(t, lint(pkg), line)
	debOf(t, debug, map[string]string{"usr/lib/debug/usr/bin/prog-1.debug": "lines/linked.debug"})
	assert.Contains(t, lint(pkg), line, "as in an RPM package, whose names by build ID are links")
	debOf(t, debug, files)
	assert.Contains(t, lint(pkg), line)
	assert.Contains(t, lint(dir), line)
}

// TestHeldTogether ends where a package holds too much at once: files in each other, and tables of headers, took gigabytes for a few hundred bytes.
func TestHeldTogether(t *testing.T) {
	for _, name := range []string{"names-of-one-byte.rpm.gz.gz", "zip-in-zip.tar.gz.gz"} {
		path := "testdata/packages/" + name
		status, out, _ := runMain(nil, "--no-config", "-q", path)
		assert.Equal(t, program.ExitFailed, status, name)
		assert.Equal(t, 1, strings.Count(out, "\n"))
		assert.Contains(t, out, path+": error: the memory budget is exceeded (--limit max-memory=28M): some checks are incomplete; ")
		assert.Contains(t, out, "[SF5033]")
	}
}

// TestKernelInLZ4 names a Linux kernel that is packed as Debian packs those for clouds.
func TestKernelInLZ4(t *testing.T) {
	path := "testdata/packages/vmlinuz-lz4.gz"
	status, out, errs := runMain(nil, "--no-config", path)
	assert.Equal(t, program.ExitFailed, status, errs)
	assert.Equal(t, 1, strings.Count(out, "\n"), out)
	assert.Contains(t, out, path+": error: the file was not read to its end (it is compressed with LZ4, which is not read): ")
	assert.Contains(t, out, "[SF5029]")
}

// TestManyDamaged: of a package with many damaged files, the first ones are named, and files without code are not listed.
func TestManyDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.tar")
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for i := range 2 * maxUnread {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: fmt.Sprint(i), Size: 4, Typeflag: tar.TypeReg}))
		_, err := w.Write([]byte("\x7fELF"))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(path, out.Bytes(), 0o600))
	status, table, errs := runMain(nil, "coverage", path)
	assert.Equal(t, program.ExitFailed, status)
	assert.Equal(t, maxUnread+1, strings.Count(errs, "\n"))
	assert.Contains(t, errs, path+": more of its inputs are damaged\n")
	assert.Equal(t, 1, strings.Count(table, ": no code\n"))
}
