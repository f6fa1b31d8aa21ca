package lintcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/reader"
)

// A name in an archive is nobody's friend: objdump, and its style, write its
// control characters with carets and end it at a NUL. Bytes that are not UTF-8, which
// objdump writes as they are, are escaped.
func TestObjdumpNames(t *testing.T) {
	object := must.Get(os.ReadFile(corpus + "binutils-2.47/amd64/signal.o"))(t)
	const name, shown = "\x1b[31m\x01\x7f\xc3\xa9\xff.o", `^[[31m^A^\xbfé\xff.o`
	dir := t.TempDir()

	file := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(file, object, 0o666))
	_, out, _ := runMain(nil, "dump", "--format", "objdump", file)
	assert.Contains(t, out, "\n"+dir+"/"+shown+":     file format elf64-x86-64\n\n")

	for _, end := range []string{"/", "\x00x/"} {
		archive := filepath.Join(dir, "lib\x1b.a")
		field := (name + end + strings.Repeat(" ", 16))[:16]
		header := fmt.Sprintf("!<arch>\n%s%-12d%-6d%-6d%-8o%-10d`\n", field, 0, 0, 0, 0o644, len(object))
		require.NoError(t, os.WriteFile(archive, append([]byte(header), object...), 0o666))
		_, out, _ = runMain(nil, "dump", "--format", "objdump", archive)
		assert.Contains(t, out, "In archive "+dir+"/lib^[.a:\n\n"+shown+":     file format elf64-x86-64\n\n")
	}
}

// TestObjdumpFirst: objdump finds a section by its name, and so prints the first one of a name only.
func TestObjdumpFirst(t *testing.T) {
	file := "../../../corpus/regressions/two-sections-of-a-name.elf"
	_, out, errs := runMain(nil, "dump", "--format", "objdump", file)
	assert.Equal(t, 1, strings.Count(out, "Contents of the SFrame section .sframe:"))
	assert.Equal(t, "sframe-lint: "+file+": objdump prints only the first section of the name .sframe\n", errs)
	_, out, _ = runMain(nil, "dump", file)
	assert.Equal(t, 2, strings.Count(out, "sfp_magic"))
}

// Files in a directory that are not checked, although a user may expect it, are not passed over in
// silence.
func TestKinds(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"a.ko.xz": "\xfd7zXZ\x00", "b.ko.zst": "\x28\xb5\x2f\xfd", "c.ko.gz": "\x1f\x8b", "d.txt.gz": "\x1f\x8b",
		"bitcode.o": "BC\xc0\xde\x35", "wrapped.o": "\xde\xc0\x17\x0b", "notes.txt": "notes",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600))
	}
	status, out, _ := runMain(nil, "--no-config", dir)
	assert.Equal(t, program.ExitFailed, status)
	assert.Contains(t, out, "a.ko.xz: error: the file was not read to its end (")
	assert.Contains(t, out, "b.ko.zst: error: the file was not read to its end (")
	for _, silent := range []string{"c.ko", "d.txt", ".o", "notes"} {
		assert.NotContains(t, out, silent)
	}
	for name, kind := range map[string]string{
		"d.txt.gz": "no known magic", "notes.txt": "no known magic",
		"bitcode.o": "LLVM bitcode, which has no machine code yet: check the linked file", "wrapped.o": "LLVM bitcode, which has no machine code yet: check the linked file",
	} {
		_, _, errs := runMain(nil, "--no-config", filepath.Join(dir, name))
		assert.Contains(t, errs, name+": not an ELF file, archive or SFrame section: "+kind+"\n")
	}
}

// An input without SFrame data has not passed.
func TestJUnitSkips(t *testing.T) {
	status, out, _ := runMain(nil, "--no-config", "-q", "--allow-empty", "--format", "junit", corpus+"other/none.elf", corpus+"other/i386.o", corpus+"binutils-2.47/amd64/frames.o")
	assert.Equal(t, program.ExitClean, status)
	assert.Contains(t, out, `tests="3" failures="0" errors="0" skipped="2"`)
	assert.Contains(t, out, `none.elf"><skipped message="no SFrame data: no .sframe section">`)
	assert.Contains(t, out, `i386.o"><skipped message="cannot have SFrame data: ELF32 of EM_386">`)
	assert.Contains(t, out, `frames.o"></testcase>`)
}

// TestExpectMemory: differences are listed as long as memory is left for them.
func TestExpectMemory(t *testing.T) {
	var l compare.Loader
	var want, have []*compare.Unit
	require.NoError(t, reader.Scan("../../../corpus/files/binutils-2.47/amd64/program.elf", reader.Options{}, func(o *reader.Object) error {
		u := must.Get(l.UnitOf(o))(t)
		v, err := l.UnitOf(&reader.Object{Path: o.Path, Status: reader.StatusOK, ELF: o.ELF})
		want, have = append(want, u), append(have, v)
		return err
	}))
	var r expectReport
	var over *budget.Exceeded
	require.ErrorAs(t, r.compare(want, have, budget.New(t.Context(), budget.Limits{budget.Memory: 4*differenceCost - 1})), &over)
	assert.Len(t, r.Different, 3)
}

// TestConfigurationOfTheRun: a process that checks a unit refuses where its configuration is not that of its parent, which has
// written down under which one the result is kept.
func TestConfigurationOfTheRun(t *testing.T) {
	t.Setenv("SFRAME_LINT_UNIT", fmt.Sprintf("%d %064d %s", os.Getppid(), 0, corpus+"binutils-2.47/amd64/program.elf"))
	status, out, errs := runMain(nil, "--list", "list", "--results", "out", "--no-config")
	assert.Equal(t, program.ExitUsage, status)
	assert.Empty(t, out)
	assert.Contains(t, errs, "the configuration was changed during the run: start it again")
}

// TestPatch: the patch of an object has the lines of its source, and what it cannot have is named.
func TestPatch(t *testing.T) {
	flags := []string{"--quiet", "--path-map", "/build=.", "--format", "patch", corpus + "lines/assembly.o"}
	status, out, errs := runMain(nil, append([]string{"--source-root", filepath.Join(corpus, "..")}, flags...)...)
	assert.Equal(t, 1, status, errs)
	assert.True(t, strings.HasPrefix(out, "--- a/src/lines/frame.s\n+++ b/src/lines/frame.s\n@@ -6,8 +6,8 @@\n"), out)
	assert.Contains(t, out, "\n-\t.cfi_def_cfa_offset 24\n")
	assert.NotContains(t, out, "-\t.cfi_def_cfa_register") // follows from the repaired offset
	assert.Contains(t, out, "\n \tpush\t%rbx\n+\t.cfi_def_cfa_offset 16\n \tcall\tframe\n")

	_, out, _ = runMain(nil, append([]string{"--source-root", t.TempDir()}, flags...)...)
	assert.Equal(t, "# src/lines/frame.s: the source is not below --source-root: left out\n", out)
	_, out, _ = runMain(nil, "--quiet", "--format", "patch", corpus+"wrong-cfi/adjust-sign.o")
	assert.Equal(t, "# left out: 1 finding without a line in an assembly source (-g adds lines)\n", out)
	status, _, errs = runMain(nil, "--verify-patch", "cc", corpus+"lines/assembly.o")
	assert.Equal(t, 2, status)
	assert.Contains(t, errs, "--verify-patch needs --format patch")
}

// TestVerifyPatch: what the assembler or the linter refuses is left out.
func TestVerifyPatch(t *testing.T) {
	dir := t.TempDir()
	// The script writes an object in which nothing has changed, whatever it is to assemble.
	object := must.Get(filepath.Abs(corpus + "lines/assembly.o"))(t)
	for name, x := range map[string]struct{ script, want string }{
		"stays":  {"cp '" + object + "' \"$5\"", "function frame: SF3114 stays: left out"},
		"refuse": {"echo 'a.s:1: no such instruction'; exit 1", "the source cannot be assembled: a.s:1: no such instruction: left out"},
	} {
		cc := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(cc, []byte("#!/bin/sh\n"+x.script+"\n"), 0o777))
		_, out, _ := runMain(nil, "--quiet", "--path-map", "/build=.", "--source-root", filepath.Join(corpus, ".."),
			"--format", "patch", "--verify-patch", cc, corpus+"lines/assembly.o")
		assert.Contains(t, out, x.want)
		assert.NotContains(t, out, "+++")
	}
}
