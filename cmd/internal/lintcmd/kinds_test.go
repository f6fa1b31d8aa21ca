package lintcmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

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
	assert.Contains(t, out, "a.ko.xz: error: not read to its end (")
	assert.Contains(t, out, "b.ko.zst: error: not read to its end (")
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
