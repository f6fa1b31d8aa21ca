package lintcmd

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// compiler is a fake: it has the object of a version of the format for each source, and links to a file.
func compiler(t *testing.T, object, linked string) string {
	for _, name := range []string{object, linked} {
		_, err := os.Stat(corpus + name)
		require.NoError(t, err)
	}
	top, err := filepath.Abs(corpus)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "cc")
	script := "#!/bin/sh\ncase \"$*\" in *-c*) cp " + top + "/" + object + " a.o && cp a.o b.o;; *) cp " + top + "/" + linked + " probe;; esac\n"
	require.NoError(t, os.WriteFile(path, []byte(script), 0o777))
	return path
}

// TestDoctor: each generation of tools gets its diagnosis, and only the newest one with a linker that merges is status 0.
func TestDoctor(t *testing.T) {
	for _, x := range []struct {
		object, linked string
		status         int
		said           string
	}{
		{"binutils-2.47/amd64/main.o", "binutils-2.47/amd64/static.elf", program.ExitClean, ": -Wa,--gsframe writes version 3\nthe linker merges the sections\n"},
		{"binutils-2.47/amd64/main.o", "lld-23/concatenated-v3.elf", program.ExitFindings, "the linker does not merge SFrame data"},
		{"binutils-2.44/amd64/main.o", "binutils-2.44/amd64/one.elf", program.ExitFindings, "version 2 is that of GNU as 2.41 to 2.45"},
		{"binutils-2.40/amd64/main.o", "binutils-2.40/amd64/static.elf", program.ExitFindings, "version 1 is that of GNU as 2.40"},
		{"binutils-2.40/amd64/main.o", "binutils-2.40/amd64/collected.elf", program.ExitFindings, "the linker drops SFrame data of version 1"},
		{"other/none.elf", "other/none.elf", program.ExitFindings, "the assembler writes no SFrame data"},
		{"binutils-2.47/amd64/empty.o", "other/none.elf", program.ExitFindings, "the compiler writes no CFI to make SFrame data from: compile with -fasynchronous-unwind-tables"},
		{"binutils-2.47/amd64/main.o", "binutils-2.47/amd64/static.elf", program.ExitClean, "the assembler writes SFrame data without a flag"},
	} {
		status, out, errs := runMain(nil, "doctor", "--cc", compiler(t, x.object, x.linked))
		assert.Equal(t, x.status, status, "%s: %s%s", x.linked, out, errs)
		assert.Contains(t, out, x.said, x.linked)
	}
	status, _, errs := runMain(nil, "doctor", "--cc", filepath.Join(t.TempDir(), "none"))
	assert.Equal(t, program.ExitFailed, status)
	assert.Contains(t, errs, "a small program cannot be compiled")
}

// TestMachine says what C libraries and kernels read.
func TestMachine(t *testing.T) {
	assert.Equal(t, "glibc 2.36 reads no SFrame data: 2.42 and later read version 2", libcReads("glibc 2.36"))
	assert.Equal(t, "glibc 2.44 reads version 2 in backtrace(), if it was built with --enable-sframe, and no version 3", libcReads("glibc 2.44"))
	assert.Equal(t, "the C library is musl: whether it reads SFrame data is not known", libcReads("musl"))
	assert.Equal(t, "Linux 7.2 reads no SFrame data: only a patch series of 2026 does", kernelReads("7.2", []byte("# CONFIG_UNWIND_SFRAME is not set\n"), nil))
	assert.Equal(t, "Linux 7.3 reads version 3 (CONFIG_UNWIND_SFRAME=y)", kernelReads("7.3", []byte("CONFIG_X=y\nCONFIG_UNWIND_SFRAME=y\n"), nil))
	assert.Contains(t, kernelReads("7.3", nil, io.EOF), "is not known")
}
